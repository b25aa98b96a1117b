"""The page of every rule: its form, and that its examples are examples of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

import judgekit.linting.rules
from judgekit.linting.pages import HEADINGS, Page, page_of
from judgekit.linting.rules import RULES
from judgekit.rubric.parse import parse
from tests.linting.snippets import Snippet, found_in, mended, snippets, whole
from tests.rubric.make import in_memory

ROOM = Path(judgekit.linting.rules.__file__).parent
SOURCES = {
    code: path
    for code, name in RULES.items()
    if (path := ROOM / f"{name.replace('-', '_')}.py").exists()  # another test asks for all
}
CODES = list(SOURCES)
PARSED = [
    code
    for code, path in SOURCES.items()
    if not any(isinstance(n, ast.FunctionDef) for n in ast.parse(path.read_text("utf-8")).body)
]
"""Those that are found while a rubric is read."""
OTHERS = ["–", "—", "…", "’", "“", "”", "«", "»", "×", "≥", "≤", "→"]
LEFT_OUT = "SC08"
"""Short examples leave out what drops an output out of a level."""

NO_EXAMPLE = {
    "AN11": "an output of three pages is not printed",
    "AN12": "no page holds personal data",
    "ID03": "there is no earlier state on a page",
    "RB13": "a page is text",
} | {code: "there are no outcomes on a page" for code in CODES if code.startswith("EV")}
"""Rules whose example cannot show all they look at."""


def blocks(page: Page, heading: str) -> list[Snippet]:
    """The blocks of one section."""
    return snippets(page.sections[heading])


@pytest.mark.parametrize("code", CODES)
def test_a_page_begins_with_one_sentence(code: str) -> None:
    """It is what a list of rules shows: a line by itself, one sentence, no code."""
    first, second, *_ = (
        ast.get_docstring(ast.parse(SOURCES[code].read_text("utf-8"))) or ""
    ).split("\n")

    assert re.fullmatch(r"[A-Z][^.!?:`]*\.", first), first
    assert second == ""
    assert page_of(code).summary == first


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_the_five_headings_with_text_under_each(code: str) -> None:
    """In their order, none twice, none else."""
    page = page_of(code)

    assert tuple(page.sections) == HEADINGS
    for heading, text in page.sections.items():
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL).strip()
        assert text.strip(), heading
        assert "#" not in re.sub(r"`[^`]*`", "", prose), "no heading but these"
        if heading not in ("Example", "Use instead"):
            assert prose.rstrip("*)").endswith("."), f"{heading} is made of sentences"


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_an_example_and_what_to_use_instead(code: str) -> None:
    """Each a block that says its language, and not the same."""
    page = page_of(code)
    example, instead = blocks(page, "Example"), blocks(page, "Use instead")

    assert example
    assert instead
    assert example != instead
    for snippet in (*example, *instead):
        assert snippet.language in ("yaml", "jinja", "text")
    for heading in HEADINGS:
        assert page.sections[heading].count("```") % 2 == 0


@pytest.mark.parametrize("code", CODES)
def test_a_page_can_be_read_on_any_screen(code: str) -> None:
    """No line over 100 characters, nothing but ASCII, letters and the signs of print."""
    text = ast.get_docstring(ast.parse(SOURCES[code].read_text("utf-8")), clean=False) or ""

    assert max(map(len, text.split("\n"))) <= 100
    odd = {c for c in text if not (c.isascii() and (c.isprintable() or c == "\n"))}
    assert {c for c in odd if not c.isalpha() and c not in OTHERS} == set()


@pytest.mark.parametrize("code", CODES)
def test_a_whole_rubric_on_a_page_is_an_example_of_the_rule(code: str) -> None:
    """Where a block can be linted as it stands: one violates the rule, the other does not."""
    page = page_of(code)
    wrong = [s for s in blocks(page, "Example") if s.is_whole]
    right = [s for s in blocks(page, "Use instead") if s.is_whole]

    assert all(code in {f.code for f in found_in(snippet)} for snippet in wrong)
    assert all(code not in {f.code for f in found_in(snippet)} for snippet in right)


@pytest.mark.parametrize("code", PARSED)
def test_an_example_is_one_of_its_rule_and_of_no_other(code: str) -> None:
    """In its place in a rubric, of all that the reader of rubrics reports."""
    page = page_of(code)
    for snippet in blocks(page, "Example"):
        found = {f.code for f in found_in(snippet)} & {*PARSED}
        assert found - ({LEFT_OUT} - {code}) == {code}, whole(snippet)


@pytest.mark.parametrize("code", PARSED)
def test_what_to_use_instead_is_right(code: str) -> None:
    """In its place in a rubric the reader reports nothing of it."""
    page = page_of(code)
    for snippet in blocks(page, "Use instead"):
        found = {f.code for f in found_in(snippet)} & {*PARSED}
        assert found <= {LEFT_OUT} - {code}, whole(snippet)


@pytest.mark.parametrize("code", PARSED)
def test_a_page_says_whether_its_rule_can_be_mended(code: str) -> None:
    """``--fix`` is spoken of where the example is mended, and mends it to what is to be used."""
    page = page_of(code)
    (example,), (instead, *_) = blocks(page, "Example"), blocks(page, "Use instead")
    said = "`--fix`" in page.sections["What it does"]

    if mended(example) != whole(example):
        assert said
        assert mended(example) == whole(instead)


@pytest.mark.parametrize("code", PARSED)
def test_what_cannot_be_ignored_says_so(code: str) -> None:
    """A rule whose example makes a rubric unusable is never to be ignored."""
    page = page_of(code)
    text = whole(blocks(page, "Example")[0])
    _, problems = parse(text, load=in_memory({"house.jinja": '{% include "house.jinja" %}'}))
    fatal = any(p.fatal for p in problems if p.code == code)

    assert page.sections["When to ignore"].startswith("Never.") == fatal


@pytest.mark.parametrize("code", [c for c in CODES if c not in PARSED])
def test_an_example_violates_its_rule_and_what_to_use_instead_does_not(code: str) -> None:
    """In its place in a rubric, for the rules that look at rubrics which can be read."""
    page = page_of(code)
    for snippet in blocks(page, "Example"):
        found = {f.code for f in found_in(snippet)}
        assert (code in found) == (code not in NO_EXAMPLE), whole(snippet)
    for snippet in blocks(page, "Use instead"):
        assert code not in {f.code for f in found_in(snippet)}, whole(snippet)


@pytest.mark.parametrize("code", [c for c in CODES if c != "RB02"])
def test_the_yaml_on_a_page_is_yaml(code: str) -> None:
    """It can be copied; RB02 is about what cannot be read."""
    page = page_of(code)
    for snippet in (*blocks(page, "Example"), *blocks(page, "Use instead")):
        if snippet.language == "yaml" and not snippet.is_whole:
            yaml.safe_load(snippet.text)
