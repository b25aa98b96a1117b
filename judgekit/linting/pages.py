"""The page of each rule: what it finds, why it hurts, what to write instead."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from judgekit.errors import UnknownName
from judgekit.linting.rules import RULES

HEADINGS = ("What it does", "Why it hurts", "Example", "Use instead", "When to ignore")
"""The sections of a page, in their order."""


class Page(NamedTuple):
    """One rule, explained.

    Attributes:
        code: Its code.
        rule: Its name.
        summary: What is wrong, in one sentence.
        sections: Heading -> Markdown.
    """

    code: str
    rule: str
    summary: str
    sections: dict[str, str]

    @property
    def markdown(self) -> str:
        """Return the page as Markdown."""
        parts = [f"# {self.rule} ({self.code})", self.summary]
        parts += [f"## {heading}\n\n{text}" for heading, text in self.sections.items()]
        return "\n\n".join(parts) + "\n"


def page_of(rule: str) -> Page:
    """Return the page of a rule, by code or name, in any case.

    Raises:
        UnknownName: there is no such rule.
    """
    wanted = rule.strip()
    code = next((c for c, n in RULES.items() if wanted.casefold() in (c.casefold(), n)), None)
    if code is None:
        raise UnknownName("rule", wanted, [*RULES, *RULES.values()], hint="judgekit explain --all")
    return _page(code)


def family_of(beginning: str) -> list[Page]:
    """Return the pages of the rules whose codes begin like that, as ``AN`` or ``LV0``, if any."""
    word = beginning.strip().upper()
    return [_page(code) for code in RULES if word and code.startswith(word)]


def pages() -> list[Page]:
    """Return every page, by code."""
    return [_page(code) for code in RULES]


def _page(code: str) -> Page:
    module = import_module(f"judgekit.linting.rules.{RULES[code].replace('-', '_')}")
    summary, *sections = (module.__doc__ or "").split("\n## ")
    told = {}
    for section in sections:
        heading, _, text = section.partition("\n")
        told[heading.strip()] = text.strip()
    return Page(code, RULES[code], " ".join(summary.split()), told)
