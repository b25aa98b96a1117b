"""Rubrics as a parser could have read them, and edits of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from judgekit.rubric.criteria import PAIRWISE_INPUTS
from judgekit.rubric.levels import NA_WORDS
from judgekit.rubric.model import Criterion, Rubric
from judgekit.rubric.scale import Anchor, Level, Scale, fold, spelling
from judgekit.rubric.templates import PAIRWISE, POINTWISE
from tests.rubric.make import LOAD

TRICKS = [
    *("null", "~", "yes", "No: it is", "a #comment", "- item", "? what", "*star", "&and", "!tag"),
    *("'quoted'", '"both"', "{{ 7*7 }}", "{% include 'x' %}", "[list]", "{map: 1}", "|", ">", "%"),
    *("key: value", "key:", "1.0", "0x1f", "<<<output abc", "línea", "牛乳", "🙂", "a\u00a0b"),
    *("two\nlines", "  deep\n    deeper\nback", "a\n\nb", "tab\there", "\u2028", "\x85", "\ufeff"),
    *("back\\slash", "---", "...", "# no", "a: b # c", "end:", "x " * 60 + "x", "w  w " * 40 + "w"),
]
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=12)
TEXT = st.lists(WORDS | st.sampled_from(TRICKS), min_size=1, max_size=4).map(" ".join)
SAID = TEXT.map(lambda text: text.strip() or "said")
"""What a key of a rubric can say: never blank, never blank at either end."""
LINE = st.text("abcde z:#-'\"{[é牛", max_size=12).map(lambda text: text.strip() or "line")
ITEM_TEXT = TEXT.map(lambda text: text.strip("\n"))
SCALAR = ITEM_TEXT | st.none()
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]), "content": TEXT},
    optional={
        "name": SCALAR,
        "calls": st.lists(SCALAR | st.dictionaries(LINE, SCALAR), max_size=2),
    },
)
FIELD = ITEM_TEXT | st.lists(MESSAGE, min_size=1, max_size=2)
INPUTS = ("input", "output", "context")


def names(count: int) -> st.SearchStrategy[list[str]]:
    """Names of levels that can be told apart."""
    usable = LINE.filter(lambda name: fold(name) not in NA_WORDS and not name.startswith("~"))
    return st.lists(usable, min_size=count, max_size=count, unique_by=spelling)


def anchors(inputs: tuple[str, ...]) -> st.SearchStrategy[Anchor]:
    """Worked examples; not every input need be there."""

    def ordered(fields: dict[str, Any]) -> dict[str, Any]:
        return {name: fields[name] for name in inputs if name in fields}

    some = st.dictionaries(st.sampled_from(inputs), FIELD, min_size=1).map(ordered)
    return st.builds(Anchor, fields=some, reason=st.none() | SAID)


@st.composite
def scales(draw: st.DrawFn, kind: str, inputs: tuple[str, ...]) -> Scale:
    """A scale of that kind, as it is kept: by value, or as listed."""
    values: list[Any]
    if kind == "pairwise":
        called: list[Any] = ["A", "B", "tie"][: draw(st.integers(2, 3))]
        values = called
    elif kind == "binary":
        values, called = [0, 1], draw(names(2))
    else:
        called = draw(names(draw(st.integers(2, 4))))
        numbers = st.integers(-3, 9) | st.sampled_from([0.5, 2.25, 1e-7])
        size = len(called)
        values = sorted(draw(st.lists(numbers, min_size=size, max_size=size, unique=True)))
        values = called if kind == "nominal" and draw(st.booleans()) else values
    taken = [spelling(str(v)) for v in values]
    called = [v if spelling(n) in taken else n for v, n in zip(values, called, strict=True)]
    levels = tuple(
        Level(
            value=value,
            name=str(name),
            definition=draw(SAID),
            drops_when=draw(st.none() | SAID),
            anchors=tuple(draw(st.lists(anchors(inputs), max_size=2))),
        )
        for value, name in zip(values, called, strict=True)
    )
    return Scale(kind=kind, levels=levels)  # type: ignore[arg-type]


@st.composite
def criteria(draw: st.DrawFn, name: str, kind: str, inputs: tuple[str, ...]) -> Criterion:
    """A criterion on a scale of that kind."""
    scale = draw(scales(kind, inputs))
    passes_at, passing, weights = None, (), "unweighted"
    if kind == "ordinal":
        passes_at = draw(st.none() | st.sampled_from(scale.values[1:]))
        weights = draw(st.sampled_from(["quadratic", "linear", "unweighted"]))
    elif kind != "binary":
        passing = tuple(v for v in scale.values[1:] if draw(st.booleans()))
    return Criterion(
        name=name,
        question=draw(SAID),
        scale=scale,
        passes_at=passes_at,
        passing=passing,
        not_applicable=draw(st.none() | SAID),
        weights=weights,  # type: ignore[arg-type]
    )


@st.composite
def rubrics(draw: st.DrawFn) -> Rubric:
    """Rubrics of every kind, with one or two criteria."""
    kinds = draw(
        st.lists(st.sampled_from(["ordinal", "binary", "nominal"]), min_size=1, max_size=2)
        | st.just(["pairwise"])
    )
    pairwise = kinds == ["pairwise"]
    inputs = PAIRWISE_INPUTS if pairwise else INPUTS[: draw(st.integers(2, 3))]
    base = PAIRWISE if pairwise else POINTWISE
    task = draw(st.none() | st.sampled_from(["Be strict.", "You grade\nanswers. {# note #}"]))
    body = f'{{% extends "{base}" %}}'
    if task is not None:
        body += f"\n{{% block task %}}{task}{{% endblock %}}\n"
    made = [draw(criteria(f"c{i}", kind, inputs)) for i, kind in enumerate(kinds)]
    return Rubric(
        name=draw(LINE),
        version=draw(st.integers(1, 99)),
        inputs=inputs,
        criteria=tuple(made),
        body=body,
        templates={base: LOAD(base) or ""},
    )
