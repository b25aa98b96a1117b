"""Rubric texts that nobody wrote in good faith, or that something has damaged."""

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgekit.rubric.parse import parse
from tests.rubric.make import BASES, LOAD, edited, in_memory, usable
from tests.timing import cpu_seconds


def test_a_tag_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    """YAML that would call a function is reported, not obeyed."""
    trace = tmp_path / "ran"
    text = edited("nominal", {"Warm.": f"!!python/object/apply:os.mkdir ['{trace}']"})
    rubric, found = parse(text, load=LOAD)

    assert rubric is None
    assert any("python/object/apply:os.mkdir" in p.message for p in found)
    assert not trace.exists()


def alias_bomb(depth: int = 40) -> str:
    """YAML of a few lines that stands for more nodes than memory holds."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, depth)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "front",
    [
        alias_bomb(),
        f"{alias_bomb()}\ncriteria: *a39",
        "criteria: &a\n  - *a",
        "a: &a {<<: *a}",
        "criteria: " + "[" * 100_000,
        "criteria: " + "{a: " * 100_000,
        "\n".join(" " * n + "-" for n in range(3_000)),
        "? " * 3_000 + "a",
        "criteria:\n" + "  - x\n" * 20_000,
        "rubric: " + "x" * 2_000_000,
        "inputs: [" + "a, " * 20_000 + "]",
        "".join(f"key{n}: 1\n" for n in range(3_000)),
    ],
    ids=lambda text: text[:24].replace("\n", " "),
)
def test_hostile_front_matter_is_refused_quickly(front: str) -> None:
    """Bombs, circles and depths end as problems, soon and without a crash."""
    rubric, found = None, []

    def read() -> None:
        nonlocal rubric, found
        rubric, found = parse(f"---\n{front}\n---\n", load=LOAD)

    assert cpu_seconds(read, rounds=1) < 20
    assert rubric is None
    assert any(p.fatal for p in found)


def test_a_large_rubric_is_read() -> None:
    """A thousand worked examples are a large rubric, not an attack."""
    anchors = "".join(
        f"          - {{input: Question {n}?, output: Answer {n}., reason: Reason {n}.}}\n"
        for n in range(1_000)
    )
    text = edited("ordinal", {"        anchors:\n": f"        anchors:\n{anchors}"})

    assert len(usable(text).criteria[0].scale.levels[2].anchors) == 1_001


TWICE = "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}"
LOOPS = [f"{{% for l{n} in criterion.levels %}}" for n in range(19)]
BLOCKS = [
    f"{{% block b{n} %}}{{{{ self.b{n + 1}() }}}}{{{{ self.b{n + 1}() }}}}{{% endblock %}}"
    for n in range(40)
]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (TWICE + "{{ m(40) }}", "100,000 turns"),
        ("".join(LOOPS) + "x" + "{% endfor %}" * 19, "100,000 turns"),
        ("{% for a in output %}{% for b in output %}x{% endfor %}{% endfor %}", "100,000 turns"),
        ("".join(BLOCKS) + "{% block b40 %}x{% endblock %}", "100,000 turns"),
        ("{% import 'macros' as made %}{{ made.m(40) }}", "100,000 turns"),
        ("{{ '{:>1000000000}'.format(1) }}", "'format' of 'str' object is unsafe"),
        ("{{ '{a:>1000000000}'.format_map({'a': 1}) }}", "'format_map' of 'str'"),
    ],
    ids=["macro", "loops", "characters", "blocks", "import", "format", "format_map"],
)
def test_a_template_that_would_never_end_ends(body: str, says: str) -> None:
    """It takes so many turns in all, however they are nested, and says so."""
    began = time.thread_time()
    text = edited("ordinal", body=body + "{{ input }}{{ output }}")
    _, found = parse(text, load=in_memory({"macros": TWICE}))

    assert [says in p.message for p in found if p.code == "TP05"] == [True], found
    assert time.thread_time() - began < 10


def test_long_conversations_are_no_attack() -> None:
    """A loop over ten thousand things, with a macro for each, is rendered."""
    macro = "{% macro m(c) %}{{ c }}{% endmacro %}"
    body = macro + "{% for n in range(9_000) %}{{ m(n) }}{% endfor %}{{ input }}{{ output }}"
    assert usable(edited("ordinal", body=body))


# Pieces of rubric, so that arbitrary text gets past the first check now and then.
LINES = """\
---
rubric: r
version: 1
inputs: [output]
criteria:
  - criterion: c
    question: Q
    scale: ordinal
    passes_at: 1
    levels:
      - value: 1
        name: n
        definition: d
        anchors:
"""
TEMPLATES = (
    "{{ output }}|{% extends 'x' %}|{% block b %}|{% endblock %}|{% if output %}|{{ range(9)"
)
SIGNS = "\n -:?[]{}&*!|>'\"%@`#,\t\r\0\ufeff\u2028\x85\ud800"
PIECES = st.sampled_from(
    [*LINES.splitlines(keepends=True), *TEMPLATES.split("|"), *SIGNS, "<<: *a", "&a ", "!!set "]
)
SOUP = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map("".join)


@settings(deadline=None, max_examples=300)
@given(SOUP, SOUP, st.sampled_from(["---\n", ""]))
@example("", "", "---\n")
@example("rubric: \ud800", "", "---\n")
@example("!!null ''", "", "---\n")
def test_no_text_makes_the_parser_raise(front: str, body: str, dashes: str) -> None:
    """Any text: a rubric and nothing fatal, or no rubric and something fatal to say."""
    text = f"{dashes}{front}\n{dashes}{body}"
    rubric, found = parse(text, load=LOAD)

    assert (rubric is None) == any(p.fatal for p in found)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= p.line <= lines + 1 and p.column >= 1 for p in found)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_damaged_rubric_never_makes_the_parser_raise(data: st.DataObject) -> None:
    """A valid rubric with pieces cut out, doubled or put in: a verdict, never an exception."""
    text = data.draw(st.sampled_from(sorted(BASES.values())))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 30)))
        text = (
            text[:start]
            + data.draw(st.one_of(PIECES, st.just(""), st.just(text[start:end] * 2)))
            + text[end:]
        )
    rubric, found = parse(text, load=LOAD)

    assert (rubric is None) == any(p.fatal for p in found)


WORDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


@settings(deadline=None, max_examples=100)
@given(st.lists(WORDS, min_size=2, max_size=5), st.text(max_size=40), st.text(max_size=40))
def test_what_is_quoted_is_read_back(names: list[str], question: str, output: str) -> None:
    """Parse of what a YAML writer wrote: the same names and texts."""
    front = {
        "rubric": "r",
        "version": 1,
        "criteria": [
            {
                "criterion": "c",
                "question": question,
                "scale": "nominal",
                "levels": [
                    {"name": name, "definition": "D", "anchors": [{"output": output}]}
                    for name in names
                ],
            }
        ],
    }
    written = yaml.safe_dump(front, sort_keys=False)  # else PyYAML loses U+0085 by itself
    rubric, found = parse(f"---\n{written}---\n", load=LOAD)

    if rubric is None:
        assert {p.code for p in found} <= {"RB06", "SC03", "SC07", "RB02"}, found
        return
    assert rubric.criteria[0].question == question.strip()
    assert [level.name for level in rubric.criteria[0].scale.levels] == names
    assert all(
        level.anchors[0].fields["output"] == output.strip("\n")
        for level in rubric.criteria[0].scale.levels
    )
