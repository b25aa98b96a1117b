"""Every rule on one file: what the parser reports, what the rules find, what the author ignores."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from judgekit.linting.finding import Edit, Finding, Found
from judgekit.linting.ignores import without_ignored
from judgekit.linting.rules import CHECKED, FROM_EVIDENCE, RULES
from judgekit.linting.selection import EVERYTHING
from judgekit.linting.slips import usual_input
from judgekit.linting.subject import Subject
from judgekit.rubric.parse import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from judgekit.errors import Problem
    from judgekit.linting.evidence import Evidence
    from judgekit.linting.selection import Selection
    from judgekit.linting.subject import Earlier

_MEANT = re.compile(r"Did you mean '([^'\\]+)'\?")
_SAID_BETTER = {"TP14": ("TP04", "TP06"), "AN14": ("LV01", "LV04", "CR06")}
_SAID = re.compile(r"'([^'\\]+)'")


def lint(
    text: str,
    *,
    file: str,
    load: Callable[[str], str | None],
    earlier: Sequence[Earlier] = (),
    selection: Selection = EVERYTHING,
    evidence: Sequence[Evidence] = (),
) -> list[Found]:
    """Return everything that is wrong in a rubric's text, by line.

    Args:
        text: The file's text.
        file: What to call it.
        load: Returns the source of a template by name, or None.
        earlier: Earlier states of the rubric, as far as they are known.
        selection: Which rules count.
        evidence: What certificates or runs have shown of this very rubric.
    """
    reading = read(text, load=load)
    subject = Subject(file, text, reading, earlier)
    found = [_of_parser(problem, subject) for problem in reading.problems]
    for code, rule, check in _checks():
        found += [Found(rule, code, finding) for finding in check(subject)]
    for code in FROM_EVIDENCE if evidence else ():  # what they work with is loaded only then
        findings = _module(code).check_evidence(subject, evidence)
        found += [Found(RULES[code], code, finding) for finding in findings]
    return _ordered(without_ignored(found, subject, selection))


def _ordered(found: Iterable[Found]) -> list[Found]:
    once = {(f.code, f.finding[:3]): f for f in found}
    told = {(f.code, f.finding[:2]) for f in once.values()}
    for better, place in told:  # of two that say the same of one place, the one that says why
        for code in _SAID_BETTER.get(better, ()):
            once = {key: f for key, f in once.items() if (f.code, f.finding[:2]) != (code, place)}
    return sorted(once.values(), key=lambda f: (f.finding.line, f.finding.column, f.code))


@cache
def _checks() -> tuple[tuple[str, str, Callable[[Subject], Iterable[Finding]]], ...]:
    """Return code, name and check of each rule that has one."""
    return tuple((code, RULES[code], _module(code).check) for code in CHECKED)


def _module(code: str) -> Any:
    return import_module(f"judgekit.linting.rules.{RULES[code].replace('-', '_')}")


def _of_parser(problem: Problem, subject: Subject) -> Found:
    """Return a problem of the parser; a misspelt word has its mend."""
    edits: tuple[Edit, ...] = ()
    said, meant = _SAID.search(problem.message), _MEANT.fullmatch(problem.help or "")
    if meant and problem.code == "AN01" and usual_input(meant[1]):
        meant, problem = None, problem._replace(help=None)  # the slip is in the inputs
    slip = said and meant and _is_slip(said.group(1), meant.group(1))
    if said and meant and slip and 0 < problem.line <= len(subject.lines):
        rest = subject.lines[problem.line - 1][problem.column - 1 :]
        word = re.compile(rf"[\"']?{re.escape(said.group(1))}(?![\w-])")
        if word.match(rest):
            quoted = problem.column + (rest[0] in "\"'")
            edits = (Edit(problem.line, quoted, said.group(1), meant.group(1)),)
    finding = Finding(problem.line, problem.column, problem.message, problem.help, edits)
    return Found(problem.rule, problem.code, finding)


def _is_slip(said: str, meant: str) -> bool:
    """Return whether a word is another with one letter left out, too many, or two changed over.

    One like it may be its opposite ("unmet"), or one of two ("output_a").
    """
    one, other = said.casefold(), meant.casefold()
    pairs = enumerate(zip(one, other, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    one, other = one[same:], other[same:]
    swapped = one[1:2] + one[:1] + one[2:]
    return other in (one, one[1:], swapped) or one == other[1:]
