"""Comments that say why a rule does not count here.

``# judgekit: ignore[LV04] the word is defined in the question`` in the front matter, and
``{# judgekit: ignore[TP13] ... #}`` in the body, count for the violations of their line, or of the
next line that is no comment where they stand alone; where a text begins there, for all its lines.
``ignore-file`` counts for the whole file. What makes a rubric unusable cannot be ignored.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from judgekit.errors import suggest
from judgekit.linting.comments import Comment, comments_of, texts_of
from judgekit.linting.finding import Edit, Finding, Found
from judgekit.linting.rules import FROM_EVIDENCE, RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from judgekit.linting.selection import Selection
    from judgekit.linting.subject import Subject

_SIGN = "judgekit:"
_WORDS = re.compile(
    r"judgekit:\s*ignore(?P<file>-file)?\b\s*(?P<bracket>\[(?P<rules>[^\]]*)\])?(?P<reason>.*)",
    re.DOTALL,
)
UNKNOWN, UNEXPLAINED, UNUSED = "IG01", "IG02", "IG03"
_FROM_EARLIER = {"ID03", RULES["ID03"]}
"""What is only found where earlier states of the rubric are known."""
_FROM_OUTSIDE = {*FROM_EVIDENCE, *(RULES[code] for code in FROM_EVIDENCE), *_FROM_EARLIER}
"""What the file alone cannot show; of evidence there may always be more than was looked at."""


class _Ignore(NamedTuple):
    comment: Comment
    bracket: str
    rules: tuple[str, ...]
    reason: str
    lines: range
    """The lines it counts for."""

    def naming(self, found: Found) -> str | None:
        """Return the name by which it ignores what was found; None where it does not."""
        names = (name for name in self.rules if name in (found.code, found.rule))
        return next(names, None) if found.finding.line in self.lines else None


def without_ignored(
    found: Iterable[Found], subject: Subject, selection: Selection
) -> Iterator[Found]:
    """Yield what counts: what is selected and not ignored, and what is wrong with the ignoring."""
    ignores = list(_ignores(subject))
    fatal = {(p.code, p.line, p.column) for p in subject.reading.problems if p.fatal}
    used: set[tuple[_Ignore, str]] = set()
    in_vain: set[tuple[_Ignore, str]] = set()
    for one in found:
        covering = {(ignore, name) for ignore in ignores if (name := ignore.naming(one))}
        if (one.code, one.finding.line, one.finding.column) in fatal:
            in_vain |= covering
            covering = set()
        used |= covering
        if not covering and selection.takes(one.code, one.rule):
            yield one
    for ignore in ignores:
        idle = [name for name in ignore.rules if (ignore, name) not in used]
        vain = [name for name in idle if (ignore, name) in in_vain]
        for code, finding in _wrong(ignore, vain, _surely(idle, subject)):
            if selection.takes(code, RULES[code]):
                yield Found(RULES[code], code, finding)


def _surely(idle: Iterable[str], subject: Subject) -> list[str]:
    """Return which of the rules that found nothing would have found what there is."""
    if subject.rubric is None:  # mended, it may have more to find
        return []
    known = _FROM_EARLIER if subject.earlier else ()
    return [name for name in idle if name not in _FROM_OUTSIDE or name in known]


def _wrong(ignore: _Ignore, vain: list[str], idle: list[str]) -> Iterator[tuple[str, Finding]]:
    """Yield what is wrong with an ignoring comment: one thing of it, the first."""
    at = (ignore.comment.line, ignore.comment.column)
    unknown = [r for r in ignore.rules if r not in RULES and r not in RULES.values()]
    if not ignore.rules or unknown:
        near = suggest(unknown[0], RULES.values()) if unknown else None  # codes are all alike
        message = f"there is no rule {unknown[0]!r} to ignore" if unknown else "it names no rule"
        say = f"Did you mean {near!r}?" if near else "write ignore[RULE] and the reason after it"
        yield UNKNOWN, Finding(*at, message, say)
    elif vain:
        message = f"{', '.join(vain)} cannot be ignored: the rubric cannot be used like this"
        yield UNUSED, Finding(*at, message, "mend it, and take the comment out")
    elif idle:
        message = f"nothing here violates {', '.join(idle)}"
        kept = [name for name in ignore.rules if name not in idle]
        say = f"ignore[{', '.join(kept)}] is enough" if kept else "take the comment out"
        yield UNUSED, Finding(*at, message, say, _mend(ignore, kept))
    elif not ignore.reason:
        message = f"it does not say why {', '.join(ignore.rules)} may be ignored"
        yield UNEXPLAINED, Finding(*at, message, "write the reason behind the bracket")


def _mend(ignore: _Ignore, kept: list[str]) -> tuple[Edit, ...]:
    comment = ignore.comment
    if not kept:
        return comment.removal
    if "\n" in comment.text:
        return ()
    at = comment.column + comment.text.index(ignore.bracket)
    return (Edit(comment.line, at, ignore.bracket, f"[{', '.join(kept)}]"),)


def _ignores(subject: Subject) -> Iterator[_Ignore]:
    if _SIGN not in subject.text:
        return
    comments = comments_of(subject)
    alone = {n for c in comments if c.alone for n in range(c.line, c.last + 1)}
    texts = texts_of(subject)
    for comment in comments:
        match = _WORDS.match(comment.words)
        if not match:
            continue
        meant = comment.last
        while meant in alone:
            meant += 1
        last = max([meant, *(t.last for t in texts if comment.line <= t.line <= meant)])
        everywhere = range(1, len(subject.lines) + 1)
        yield _Ignore(
            comment,
            match["bracket"] or "",
            _names(match["rules"] or ""),
            match["reason"].strip(" \t\n-:"),
            everywhere if match["file"] else range(comment.line, last + 1),
        )


def _names(listed: str) -> tuple[str, ...]:
    words = [word.strip() for word in listed.split(",") if word.strip()]
    return tuple(dict.fromkeys(w.upper() if w.upper() in RULES else w for w in words))
