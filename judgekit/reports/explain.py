"""Pages of lint rules as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgekit.linting.pages import Page
from judgekit.reports.words import WIDTH, wrapped

_FENCE = "```"


def page_lines(page: Page) -> list[str]:
    """Return a page for the screen: headings, paragraphs, examples indented."""
    lines = [f"{page.rule} ({page.code})", "", *wrapped(page.summary)]
    for heading, text in page.sections.items():
        lines += ["", heading, *_body(text)]
    return lines


def table_lines(found: Sequence[Page]) -> list[str]:
    """Return one line for each rule, more where its sentence is longer."""
    lines = []
    for page in found:
        lines += wrapped(page.summary, first=f"{page.code}  {page.rule}: ", rest="      ")
    return lines


def explain_json(page: Page) -> dict[str, Any]:
    """Return the document of ``explain --json``."""
    sections = {key.lower().replace(" ", "_"): text for key, text in page.sections.items()}
    return {"code": page.code, "rule": page.rule, "summary": page.summary, **sections}


def _body(text: str) -> list[str]:
    lines: list[str] = []
    paragraph: list[str] = []
    inside = False
    for line in [*text.split("\n"), ""]:
        if line.startswith(_FENCE):
            inside = not inside
        elif inside:
            lines += _example(line)
        elif line.strip():
            paragraph.append(line.strip())
            continue
        if paragraph:
            lines += wrapped(" ".join(paragraph), first="  ", rest="  ")
            paragraph = []
    return lines


def _example(line: str) -> list[str]:
    """Return a line of an example; a longer one goes on below, as YAML may."""
    indented = f"    {line}".rstrip()
    if len(indented) <= WIDTH:
        return [indented]
    return wrapped(indented, rest=" " * (len(indented) - len(indented.lstrip("- ")) + 4))
