"""What names stand for in a template, and which tag is not closed."""

from __future__ import annotations

import pytest

from judgekit.rubric.parse import read
from judgekit.rubric.sandbox import fresh_environment
from judgekit.rubric.scopes import PARTS, Uses, uses_of
from judgekit.rubric.unclosed import unclosed_at
from tests.rubric.make import edited, in_memory, problems, shown, usable


def uses(source: str) -> Uses:
    """What a template does with names."""
    return uses_of(fresh_environment().parse(source))


@pytest.mark.parametrize(
    ("source", "misused"),
    [
        ("{% for l in criterion.levels %}\n{{ l.nme }}{% endfor %}", [(2, "l.nme", "l.name")]),
        ("{{ criterion['qestion'] }}", [(1, "criterion['qestion']", "question")]),
        (
            "{{ criterion.levels[0].anchers }}",
            [(1, *["criterion.levels[0].anch" + e for e in ("ers", "ors")])],
        ),
        ("{{ (criterion.levels | last).nmae }}", [(1, "....nmae", "....name")]),
        ("{% set c = criterion %}{{ c.nmae }}", [(1, "c.nmae", "c.name")]),
        (
            "{% with v = criterion.levels[1:][0] %}{{ v.nmae }}{% endwith %}",
            [(1, "v.nmae", "v.name")],
        ),
        ("{% for f in item if f.txt %}{% endfor %}", [(1, "f.txt", "f.text")]),
        (
            "{% block a %}{{ answer.exmple }}{% endblock %}",
            [(1, "answer.exmple", "answer.example")],
        ),
        ("{% for l in criterion.levels %}{% endfor %}{{ l.nme }}", []),
        ("{% macro m(level) %}{{ level.nme }}{% endmacro %}", []),
        ("{% set criterion = {'nme': 1} %}{{ criterion.nme }}", []),
        ("{% for k, v in criterion.items() %}{{ v.nme }}{% endfor %}", []),
        ("{{ output.nme }}{{ criterion.levels.nme }}", []),
    ],
)
def test_a_part_that_nothing_has_is_found_through_loops_and_names(
    source: str, misused: list[tuple[int, str, str | None]]
) -> None:
    """With its line, as it is written, and how it was likely meant."""
    assert [(use.lineno, use.written, use.near) for use in uses(source).misused] == misused


def test_a_part_that_is_asked_about_is_not_taken_for_granted() -> None:
    """Neither where it is asked, nor where it is shown because of that."""
    found = uses(
        "{% if level is defined and criterion.hint is defined %}{{ criterion.hint }}{% endif %}"
    )

    assert [use.guarded for use in found.misused] == [True, True]
    assert not any(use.guarded for use in uses("{{ criterion.hint }}").misused)


def test_the_parts_are_those_a_template_is_given() -> None:
    """Every part can be shown, and there is none besides."""
    parts = PARTS["a level"].keys() - {"anchors"}
    body = "".join(
        f"{{% for v in criterion.levels %}}{{{{ v.{part} or '' }}}}{{% endfor %}}" for part in parts
    )
    names = "{{ criterion.levels[0] | sort | join(' ') }}\n|{{ criterion | sort | join(' ') }}"
    inputs = "{{ input }}{{ output }}{{ context }}"
    rubric = usable(edited("ordinal", body=f"{inputs}{body}\n|{names}"))
    level, criterion = shown(rubric).rstrip().split("|")[-2:]

    assert level.split() == sorted(PARTS["a level"])
    assert criterion.split() == sorted(PARTS["the criterion"])


def test_a_name_is_free_where_nothing_sets_it() -> None:
    """Inside its loop it is not, behind it it is."""
    source = (
        "{% for v in criterion.levels %}\n{{ v.name }}\n{% endfor %}\n{{ v.name }}{{ w }}\n{{ w }}"
    )

    assert uses(source).free == {"v": 4, "w": 4}


@pytest.mark.parametrize(
    ("source", "lineno"),
    [
        ("{% for a in b %}\n{% if a %}\n{% endfor %}", 2),
        ("\n{% block a %}\n{{ x }}", 2),
        ("{% for a in b %}\n{% endfo %}\n", 2),
        ("{% for a in b %}\n{% endif %}\n{% endfor %}", 2),
        ("{% set x = 1 %}\n{% set y %}\n", 2),
        ("{% raw %}{% if %}{% endraw %}{# {% if %} #}\n{%- if a -%}", 2),
        ("{% if a %}{% elif b %}{% else %}{% endif %}{% filter upper %}{% endfilter %}", None),
    ],
)
def test_the_tag_that_is_not_closed_is_told(source: str, lineno: int | None) -> None:
    """Not the end of the file, where Jinja notices."""
    assert unclosed_at(source) == lineno


def test_all_that_is_wrong_is_said_at_once() -> None:
    """The prompt is tried out though the front matter has faults of its own."""
    text = edited(
        "ordinal",
        {"scale: ordinal": "scale: ordnal", "version: 1\n": "", "passes_at: 3": "passes_at: 9"},
        body="{{ input }}{{ output }}\n{{ criterion.levels[2].drops_when }}{{ 1 / 0 }}",
    )
    found = {problem.code: problem.line for problem in problems(text)}

    assert {"SC09", "ID01", "SC11"} < found.keys()
    assert found["TP05"] == 29 - 1


def test_a_pair_that_is_misspelt_is_a_pair() -> None:
    """Its inputs and its template are those of pairs: nothing else is wrong."""
    text = edited(
        "pairwise", {"scale: pairwise": "scale: pairwse"}, body="{{ output_a }}{{ output_b }}"
    )

    assert [problem.code for problem in problems(text)] == ["SC09", "TP11"]


def test_a_draft_is_no_rubric() -> None:
    """What is fatal stays fatal."""
    reading = read(edited("ordinal", {"version: 1\n": ""}), load=in_memory({}))

    assert reading.rubric is None
    assert reading.draft is not None
    assert [problem.code for problem in reading.problems if problem.fatal] == ["ID01"]
