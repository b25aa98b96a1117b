"""Mending: what can be mended is, once and for all, and nothing else of a file changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from judgekit.linting.engine import lint
from judgekit.linting.finding import Edit, Finding, Found
from judgekit.linting.fixing import fixed
from judgekit.rubric.meaning import meaning_parts
from judgekit.rubric.parse import parse
from tests.rubric.make import BASES, LOAD, edited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
_END = re.compile(r"\r\n|\r|\n")


def look(text: str) -> list[Found]:
    """The real linter."""
    return lint(text, file="r.jinja", load=LOAD)


def finds(*sets: Sequence[Edit]) -> Callable[[str], list[Found]]:
    """A linter that always finds the same, wherever it still stands."""
    found = [Found("some-rule", "XX01", Finding(1, 1, "Wrong.", None, tuple(s))) for s in sets]
    return lambda text: found


def once(text: str, *sets: Sequence[Edit]) -> tuple[str, int]:
    """A text mended by edits that are found once."""
    rounds = iter([finds(*sets)(text)])
    new, found = fixed(text, lambda _: next(rounds, []))
    return new, len(found)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_misspelt_word_is_mended_and_the_file_stays_what_it_is(mark: str, end: str) -> None:
    """Line ends, byte order mark and all."""
    wrong = edited(
        "ordinal", {"passes_at: 3": "passes_at: grouned", "drops_when: Two": "drop_when: Two"}
    )
    right = edited("ordinal", {"passes_at: 3": "passes_at: grounded"})

    new, found = fixed(mark + wrong.replace("\n", end), look)
    assert new == mark + right.replace("\n", end)
    assert [(f.code, f.finding.line) for f in found] == [("SC11", 9), ("RB04", 22)]


def test_line_ends_may_be_mixed() -> None:
    """Each line keeps its own, and characters that end lines elsewhere end none here."""
    text = "a\r\nbx\u2028x\x85x\x0cx\nx\rcx"
    edits = [Edit(2, 2, "x", "y"), Edit(2, 4, "x", "z"), Edit(3, 1, "x", ""), Edit(4, 2, "x", "w")]

    assert once(text, *([e] for e in edits)) == ("a\r\nby\u2028z\x85x\x0cx\n\rcw", 4)


def test_several_changes_of_one_line_are_made_at_once() -> None:
    """However many there are: the columns are those of the line as it was."""
    text = "passing: [" + ", ".join(["xx"] * 40) + "]\n"
    places = [m.start() + 1 for m in re.finditer("xx", text)]
    sets = [[Edit(1, at, "xx", "longer")] for at in places]

    assert once(text, *sets) == (text.replace("xx", "longer"), 40)
    assert once(text, [s[0] for s in sets]) == (text.replace("xx", "longer"), 1)


def test_all_of_a_set_is_changed_or_nothing() -> None:
    """One half of a mend is none."""
    text = "one\ntwo\n"
    good, gone = Edit(1, 1, "one", "1"), Edit(2, 1, "three", "3")

    assert once(text, [good, gone]) == (text, 0)
    assert once(text, [gone], [good]) == ("1\ntwo\n", 1)


@pytest.mark.parametrize(
    "edit",
    [
        Edit(0, 1, "a", "b"),
        Edit(3, 1, "", "b"),
        Edit(1, 2, "abc", "b"),
        Edit(1, 9, "a", "b"),
        Edit(9, 1, "a", None),
    ],
)
def test_what_does_not_stand_there_is_not_changed(edit: Edit) -> None:
    """A place outside of the text, or another word."""
    assert fixed("abc\nx", finds([edit])) == ("abc\nx", [])


def test_changes_that_meet_wait_for_another_look() -> None:
    """The second may no longer be wanted."""
    text = "abcdef\n"
    first, second = Edit(1, 2, "bcd", "B"), Edit(1, 4, "de", "D")

    assert once(text, [first], [second]) == ("aBef\n", 1)
    assert once(text, [second], [first]) == ("abcDf\n", 1)
    assert once(text, [first], [Edit(1, 1, "abcdef", None)]) == ("aBef\n", 1)
    assert once(text, [Edit(1, 1, "abcdef", None)], [first]) == ("", 1)


def test_a_line_is_taken_out_with_its_end() -> None:
    """The first, the last, and the only one."""
    assert once("a\r\nb\r\nc", [Edit(2, 1, "b", None)]) == ("a\r\nc", 1)
    assert once("a\r\nb", [Edit(1, 1, "a", None)], [Edit(2, 1, "b", None)]) == ("", 2)
    assert once("\ufeffa\nb", [Edit(1, 1, "a", None)]) == ("\ufeffb", 1)


def test_rules_that_undo_each_other_come_to_an_end() -> None:
    """It is given up, not gone on with for ever."""
    text, mended = fixed("a\n", finds([Edit(1, 1, "a", "b")], [Edit(1, 1, "b", "a")]))

    assert text in ("a\n", "b\n")
    assert len(mended) <= 20


def test_nothing_to_mend_is_nothing_done() -> None:
    """A clean rubric, one that cannot be mended, and no rubric at all come back as they are."""
    for text in (
        BASES["clean"],
        edited("ordinal", {"version: 1": "version: one"}),
        "",
        "\ufeff",
        "x",
    ):
        assert fixed(text, look) == (text, [])


KEYS = (
    r"\b(?:rubric|version|inputs|criteria|criterion|question|scale|levels|value|name|definition)\b"
)
WORDS = re.compile(
    KEYS + r"|\b(?:drops_when|anchors|reason|passes_at|passing|weights|ordinal|nominal|binary"
    r"|pairwise|input|output|output_a|context|extends|block|task|grounded|neutral|criterion)\b"
)
COMMENTS = (
    "  # judgekit: ignore[SC08] no",
    "\n# judgekit: ignore[SC08, LV04] no",
    "  # judgekit: ignore[XX] no",
    "{# judgekit: ignore[TP11] no #}",
    "\n{# judgekit: ignore[TP11]\n no #}\n",
    " # judgekit: ignore-file[SC08]",
)
ODD = (
    "\u2028",
    "\x85",
    "\x0c",
    "\t",
    "é字😠",
    "'",
    '"',
    "{{",
    "#}",
    ": ",
    "# ",
    "\n",
    "\\",
    "\x00",
)
EXTRA = {
    "ordinal": "{{ criterion.name | uper }}{{ inptu }}{{ outptu }}{% block taks %}{% endblock %}",
    "clean": "",
    "nominal": "{# {# #}{{ output }}\n{# judgekit: ignore[TP11] no #}\n{{ critrion.name }}\n",
    "pairwise": "{% extends 'judgekit/pairwise@1.jinja' %}\n{% block tsak %}x{% endblock %}",
    "binary": "",
}


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A rubric with a few things wrong, in any form a file can have."""
    base = draw(st.sampled_from(sorted(EXTRA)))
    text = BASES[base] + draw(st.sampled_from(["", EXTRA[base]]))
    for _ in range(draw(st.integers(1, 5))):
        damage = draw(st.sampled_from([misspell, misspell, insert, cut, double]))
        text = damage(draw, text)
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text


def misspell(draw: st.DrawFn, text: str) -> str:
    """Leave out, double, swap or raise a letter of a word that has a meaning."""
    words = list(WORDS.finditer(text))
    if not words:
        return text
    at = draw(st.sampled_from(words)).start() + draw(st.integers(0, 4))
    letter, next_ = text[at : at + 1], text[at + 1 : at + 2]
    new = draw(st.sampled_from(["", letter * 2, next_ + letter, letter.upper() + next_]))
    return text[:at] + new + text[at + (1 if len(new) in (0, 2) and next_ not in new else 2) :]


def insert(draw: st.DrawFn, text: str) -> str:
    """Put a comment or an odd character somewhere; comments mostly where lines end."""
    new = draw(st.sampled_from(COMMENTS + ODD))
    ends = [m.start() for m in re.finditer("\n", text)] or [0]
    anywhere = st.integers(0, len(text))
    at = draw(st.sampled_from(ends) if new in COMMENTS else anywhere)
    return text[:at] + new + text[at:]


def cut(draw: st.DrawFn, text: str) -> str:
    """Take a stretch out."""
    at = draw(st.integers(0, len(text)))
    return text[:at] + text[at + draw(st.sampled_from([1, 2, 9, 40])) :]


def double(draw: st.DrawFn, text: str) -> str:
    """Write a line twice."""
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    return "\n".join([*lines[: at + 1], *lines[at:]])


@QUICK
@given(damaged())
def test_fixing_twice_is_fixing_once(text: str) -> None:
    """Whatever is wrong with a file; its byte order mark and its line ends stay."""
    new, mended = fixed(text, look)

    assert fixed(new, look) == (new, [])
    assert (not mended) == (new == text)
    assert new.startswith("\ufeff") == text.startswith("\ufeff")
    assert {*_END.findall(new)} <= {*_END.findall(text)}


def meaning(text: str) -> Any:
    """What a rubric means; None when it cannot be used."""
    rubric, _ = parse(text, load=LOAD)
    return rubric and {c.name: meaning_parts(rubric, c) for c in rubric.criteria}


BODIES = (
    "",
    '{% extends "judgekit/pointwise@1.jinja" %}\n{% block task %}You  grade\n it.{% endblock %}',
    "{% if true %}You grade.\n  {% endif %} Now:\n{{ input }} {{ output }}\n\n{{ context }}!\n",
)


@st.composite
def commented(draw: st.DrawFn) -> str:
    """A usable rubric with ignoring comments of all kinds, most of them without a use."""
    front, body = BASES["clean"].split("---\n")[1], draw(st.sampled_from(BODIES))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.sampled_from([m.start() for m in re.finditer("\n", front)]))
        front = (
            front[:at] + draw(st.sampled_from([c for c in COMMENTS if "{" not in c])) + front[at:]
        )
    for _ in range(draw(st.integers(0, 3))):
        sign, end = (
            draw(st.sampled_from(["", "", "-", "+"])),
            draw(st.sampled_from(["", "", "-", "+"])),
        )
        words = draw(st.sampled_from(["ignore[TP11] no", "ignore[TP11,\n TP17]\n\nno", "of old"]))
        around = draw(st.sampled_from(["{}", "\n{}\n", "\n {}\n", " {} ", "{}\n"]))
        at = draw(st.sampled_from([m.start() for m in re.finditer(r"(?<!\S)|$", body)]))
        comment = f"{{#{sign} judgekit: {words} {end}#}}"
        body = body[:at] + around.format(comment) + body[at:]
    return f"---\n{front}---\n{body}"


@settings(QUICK, max_examples=80)
@given(commented())
def test_mending_a_usable_rubric_leaves_its_meaning(text: str) -> None:
    """Not a blank of its prompt changes; what is taken out is not found again."""
    before = meaning(text)
    new, _ = fixed(text, look)

    assume(before is not None)
    assert meaning(new) == before
    assert not [f for f in look(new) if f.finding.edits]


EDITABLE = st.text("ab\r\n\u2028\x85 字", min_size=1, max_size=30)


@st.composite
def edited_texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str | None]]]:
    """A text, and changes of stretches of it that do not meet, by place, length and new text."""
    text = draw(EDITABLE)
    inside = [m.span() for m in re.finditer(r"[^\r\n]+", text)]
    changes: list[tuple[int, int, str | None]] = []
    for start, end in draw(st.lists(st.sampled_from(inside), unique=True)) if inside else ():
        at = draw(st.integers(start, end - 1))
        length = draw(st.integers(1, end - at))
        changes.append((at, length, draw(st.none() | st.text("xy", max_size=3))))
    return text, changes


@settings(QUICK, max_examples=200)
@given(edited_texts(), st.sampled_from(["", "\ufeff"]))
def test_nothing_but_the_edit_changes(
    case: tuple[str, list[tuple[int, int, str | None]]], mark: str
) -> None:
    """Worked out the other way: by places in the whole text, from its end."""
    text, changes = case
    expected, sets = text, []
    for at, length, new in sorted(changes, reverse=True, key=lambda change: change[0]):
        before = _END.findall(text[:at])
        start = max((m.end() for m in _END.finditer(text, 0, at)), default=0)
        sets.append([Edit(len(before) + 1, at - start + 1, text[at : at + length], new)])
        if new is None:
            end = _END.search(text, at)
            expected = expected[:start] + (expected[end.end() :] if end else "")
        else:
            expected = expected[:at] + new + expected[at + length :]

    assert once(mark + text, *sets) == (mark + expected, len(sets))


def test_an_example_is_not_renamed_to_a_slip_in_the_inputs() -> None:
    """The slip is mended where it is, by hand: no suggestion points the other way."""
    text = edited("ordinal", {"[input, output, context]": "[inptu, output, context]"})
    found = {f.code: f.finding for f in look(text)}

    assert (found["AN01"].help, found["AN01"].edits) == (None, ())
    assert found["TP22"].help == "write input"
    assert fixed(text, look) == (text, [])
