"""Rubric text to rubric: what is read, in whatever way it is written, and what never happens."""

import pytest

from judgekit.errors import RubricError
from judgekit.rubric.model import Criterion
from judgekit.rubric.parse import parse_rubric
from tests.rubric.make import BASES, CASES, LOAD, edited, problems, shown, usable

# As printed in section 3 of the design, with its dots filled in.
DESIGN = (CASES / "design.jinja").read_text("utf-8")


def first(text: str) -> Criterion:
    """The first criterion of a rubric."""
    return usable(text).criteria[0]


def levels(text: str) -> list[tuple[object, str]]:
    """Value and name of each level, in scale order."""
    return [(level.value, level.name) for level in first(text).scale.levels]


def one(kind: str, *levels_: str) -> str:
    """A rubric with one criterion of a kind; levels in YAML's flow style."""
    lines = "".join(f"      - {{{level}, definition: D, drops_when: W}}\n" for level in levels_)
    return (
        "---\nrubric: r\nversion: 1\ncriteria:\n"
        f"  - criterion: c\n    question: Q\n    scale: {kind}\n    levels:\n{lines}---\n"
    )


def test_the_rubric_of_the_design_parses() -> None:
    """The example every reader meets first is valid, and means what its comments say."""
    rubric = usable(DESIGN)
    criterion = rubric.criteria[0]

    assert (rubric.name, rubric.version) == ("groundedness", 2)
    assert rubric.inputs == ("input", "output", "context")
    assert criterion.scale.values == (1, 2, 3)
    assert criterion.passes == (False, False, True)
    assert criterion.weights == "quadratic"
    assert criterion.not_applicable == "The question asks for no factual claim."
    assert criterion.scale.levels[2].drops_when == "One claim is neither stated nor follows."
    assert list(criterion.scale.levels[2].anchors[0].fields) == ["input", "output", "context"]
    assert problems(DESIGN) == []


def test_five_mistakes_are_reported_at_once() -> None:
    """Five different mistakes in one file: five problems, each with its own line."""
    text = edited(
        "ordinal",
        {
            "version: 1": "version: new",
            "question: Does": "qestion: Does",
            "passes_at: 3": "passes_at: 7",
            "name: stretched": "name: grounded",
            "{% block task %}You grade answers.": "{% block task %}You grade {{ anwser }}.",
        },
    )

    with pytest.raises(RubricError) as caught:
        parse_rubric(text, load=LOAD, file="r.jinja")

    found = caught.value.problems
    assert [(p.line, p.code) for p in found] == [
        (3, "ID02"),
        (6, "RB06"),
        (7, "RB04"),
        (9, "SC11"),
        (20, "SC03"),
        (29, "TP04"),
    ]
    assert all(f"r.jinja:{p.line}:{p.column}: {p.message}" in str(caught.value) for p in found)
    assert "6 problems" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (one("binary", "value: 1", "value: 0"), [(0, "0"), (1, "1")]),
        (one("binary", "value: 0", "value: 1, name: met"), [(0, "0"), (1, "met")]),
        (one("binary", "value: true", "value: false"), [(0, "false"), (1, "true")]),
        (one("binary", "value: Yes", "value: No"), [(0, "No"), (1, "Yes")]),
        (one("binary", "name: yes", "name: no"), [(0, "no"), (1, "yes")]),
        (one("binary", "value: yes, name: met", "value: no, name: not"), [(0, "not"), (1, "met")]),
        (one("binary", "value: '1'", "value: 0.0"), [(0, "0"), (1, "1")]),
        (one("nominal", "name: x", "name: y", "name: z"), [("x", "x"), ("y", "y"), ("z", "z")]),
        (one("nominal", "value: 2, name: x", "value: 1, name: y"), [(2, "x"), (1, "y")]),
        (one("nominal", "value: k", "value: l, name: m"), [("k", "k"), ("l", "m")]),
        (one("ordinal", "value: 2", "value: 10", "value: -1"), [(-1, "-1"), (2, "2"), (10, "10")]),
        (one("ordinal", "value: .5", "value: 1e1"), [(0.5, "0.5"), (10, "10")]),
        (one("pairwise", "value: A", "value: B"), [("A", "A"), ("B", "B")]),
        (
            one("pairwise", "name: A", "name: tie", "name: B"),
            [("A", "A"), ("tie", "tie"), ("B", "B")],
        ),
        (
            one(
                "pairwise", "value: 1, name: first", "value: 2, name: second", "value: 0, name: tie"
            ),
            [(1, "first"), (2, "second"), (0, "tie")],
        ),
    ],
)
def test_every_kind_of_scale_parses(text: str, expected: list[tuple[object, str]]) -> None:
    """Values and names in scale order: ordinal and binary ascending, others as listed."""
    assert levels(text) == expected


@pytest.mark.parametrize(
    "word",
    [
        "no",
        "yes",
        "on",
        "null",
        "Null",
        "true",
        "1.0",
        "0x10",
        "1:30",
        "2024-01-01",
        ".inf",
        "=",
        "é",
        "☃",
    ],
)
def test_words_that_yaml_reads_as_something_else(word: str) -> None:
    """A level's name is the word as it is written, whatever YAML takes it for."""
    text = one("nominal", f"name: {word}", "name: other")

    assert levels(text) == [(word, word), ("other", "other")]
    assert first(text).scale.index(word) == 0
    assert first(text).scale.index(word.upper()) == 0


@pytest.mark.parametrize(
    "word", ["no", "null", "1.0", "010", "2024-13-45", "~", "true", "'  two '"]
)
def test_anchor_text_is_as_written(word: str) -> None:
    """Complaint 28's kind: an example is shown as it stands, not as YAML's idea of it."""
    text = edited("ordinal", {"output: At nine.": f"output: {word}"})

    assert first(text).scale.levels[2].anchors[0].fields["output"] == word.strip("'")


def test_numbers_are_read_as_numbers_in_quotes_or_not() -> None:
    """Quotes around a level's value make no other level of it."""
    assert levels(one("ordinal", "value: '2'", 'value: "1"')) == [(1, "1"), (2, "2")]


def test_a_name_like_a_number_is_found_by_the_number() -> None:
    """A label file in JSON says 1.0 where the rubric says "1.0"."""
    scale = first(one("nominal", "name: '1.0'", "name: '2.0'")).scale

    assert [scale.index(written) for written in ("1.0", 1.0, 1, "1", "2", 2.0, 3)] == [
        0,
        0,
        0,
        0,
        1,
        1,
        None,
    ]


@pytest.mark.parametrize("base", sorted(BASES))
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("---\n", "---  \t\n"),
        lambda text: text.replace(".\n", ".   \n"),
        lambda text: text.replace("version: 1\n", "\n\n# a note\nversion: 1   # another\n\n"),
    ],
    ids=[
        "CRLF",
        "CR",
        "BOM",
        "BOM and CRLF",
        "blanks at the dashes",
        "blanks at line ends",
        "notes",
    ],
)
def test_how_a_file_is_saved_makes_no_difference(base: str, change: object) -> None:
    """Line ends, a byte order mark, trailing blanks and comments change nothing that is read."""
    assert usable(change(BASES[base])) == usable(BASES[base])  # type: ignore[operator]


def test_every_way_of_writing_a_text() -> None:
    """Block scalars, folding and quotes: the same text is the same text."""
    plain_text = edited("nominal", {"definition: Warm.": "definition: Warm and kind."})
    for written in (
        "definition: 'Warm and kind.'",
        'definition: "Warm \\x61nd kind."',
        "definition: |\n          Warm and kind.",
        "definition: |-\n          Warm and kind.",
        "definition: >\n          Warm\n          and kind.",
        "definition: >+\n          Warm\n          and kind.\n",
        "definition: Warm\n          and kind.",
        "definition: 'Warm\n          and kind.'",
    ):
        assert usable(edited("nominal", {"definition: Warm.": written})) == usable(plain_text), (
            written
        )


def test_anchor_text_keeps_its_lines_and_blanks() -> None:
    """Examples of code lose nothing; the line end that '|' adds is none of theirs."""
    written = "output: |\n              def f():\n                return 1\n"
    anchor = first(edited("ordinal", {"output: At nine.\n": written})).scale.levels[2].anchors[0]

    assert anchor.fields["output"] == "def f():\n  return 1"


def test_dashes_in_the_body_are_text() -> None:
    """Only the first closing line counts; later ones are part of the prompt."""
    rubric = usable(edited("binary", body="{{ input }}\n---\n{{ output }}\n---\nend\n"))

    assert rubric.body == "{{ input }}\n---\n{{ output }}\n---\nend\n"
    assert shown(rubric).count("\n---\n") == 2


def test_an_empty_body_is_the_built_in_template() -> None:
    """No body: pointwise, or pairwise where a criterion compares."""
    assert usable(BASES["binary"]).body == '{% extends "judgekit/pointwise@1.jinja" %}'
    assert usable(BASES["pairwise"]).body == '{% extends "judgekit/pairwise@1.jinja" %}'
    assert usable(BASES["pairwise"]).inputs == ("input", "output_a", "output_b")


def test_problems_are_sorted_and_told_once() -> None:
    """By line, and no problem twice, however often a part of the file was looked at."""
    found = problems(
        edited(
            "nominal",
            {"Warm.": "[Warm]", "passing: [friendly, neutral]": "passing: x", "version: 1": "v: 1"},
        )
    )

    assert found == sorted(set(found), key=lambda p: p[:5])
    assert len(found) == 4


def test_a_missing_template_source_is_told_with_the_loader_s_reason() -> None:
    """What a loader says of a template reaches the author."""
    assert (
        "no template named 'x'" in problems(edited("binary", body="{% include 'x' %}"))[0].message
    )
