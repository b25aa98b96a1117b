"""Levels that are listed in a prompt: in a table, line by line, or in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judgekit.importers.graders.grammar import (
    CLOSE,
    MARKS,
    NUMBER,
    OF,
    SIGN,
    UNIT,
    Grammar,
    Said,
    tidied,
)
from judgekit.importers.graders.sentences import Piece
from judgekit.linting.words import set_of

_RULE = re.compile(r"[\s|:=+-]+")
_BULLET = re.compile(r"[ \t]*(?:[-*•+]|\d+[.)])[ \t]+")
_GIVES = r"\b(?:is|being|equals?|represents?|representing|for(?!\s+(?:each|every|any|per)\b))\b"
"""What ties words to a level where several are tied alike, one after the other."""
_IF_BELOW = r"\b(?:only[ \t]+)?(?:if|when)\b([^:\n]{0,40}):(?=[ \t]*$)"
"""What ends a line below which the conditions of a level are listed."""
_SCORES = re.compile(
    r"(?i)\b(?:scores?|scoring|scale|ratings?|levels?|grades?|grading|points?|rubric)\b"
)
_FEW = 3
"""Words of a level's name."""
_LONGEST = 400
"""Characters of a definition in a list within a line."""
_NAMED = 100
"""Characters between ``1 (poor)`` and ``5 (excellent)``."""
_BEFORE = set_of(
    "and or where with from of to as use means und oder wobei et ou où y o e con scale only "
    "assign give score rate return a an the"
)
"""Words that may stand before a level in a list; after another, a number counts something else."""
_SUMS = tuple("+×*÷=)%$€")
_FIGURES = tuple("$€~≈(")
_LAST_WORD = re.compile(r"([^\W\d_]+)[ \t\n\"'`*(\[]*$")
_STOP = re.compile(
    r"[;!?](?=\s|$)|\.(?=[\"')]?(?:\s|$))|\n(?=[ \t]*(?:\n|[-*•#|\[<{\d]|[^\W\d_a-zà-ÿ]))"
)
"""Where the last definition of a list ends."""


def is_about_scores(line: str) -> bool:
    """Return whether a line announces a list of scores."""
    return line.rstrip("*_ \t\n").endswith(":") and _SCORES.search(line) is not None


def tables(text: str, grammar: Grammar) -> list[Said]:
    """Return the rows of tables in which one column holds the levels."""
    found: list[Said] = []
    for rows in _blocks(text):
        found += _table(rows, grammar)
    return found


def _blocks(text: str) -> Iterator[list[tuple[Piece, str]]]:
    """Yield the lines of each table: those next to one another that begin with a bar."""
    rows: list[tuple[Piece, str]] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        if line.lstrip().startswith("|"):
            rows.append((Piece(at, at + len(line) + 1), line.strip().strip("|")))
        elif rows:
            yield rows
            rows = []
        at += len(line) + 1


def _table(rows: list[tuple[Piece, str]], grammar: Grammar) -> list[Said]:
    level = re.compile(rf"(?i)\s*{MARKS}{OF}{grammar.one}{UNIT}{CLOSE}\s*")
    split = [(piece, row.split("|")) for piece, row in rows if not _RULE.fullmatch(row)]
    for column in range(min((len(cells) for _, cells in split), default=0)):
        matched = [(p, cells, level.fullmatch(cells[column])) for p, cells in split]
        body = matched if matched[0][2] else matched[1:]
        if len(body) < 2 or not all(match for _, _, match in body):
            continue
        pieces = [piece for piece, _, _ in body]
        pieces[0] = Piece(rows[0][0].start, pieces[0].end)  # with the head of the table
        return [
            Said(grammar.known(match["level"]), _cells(cells, column), piece)
            for piece, (_, cells, match) in zip(pieces, body, strict=True)
            if match
        ]
    return []


def _cells(cells: list[str], column: int) -> str:
    others = [tidied(cell) for i, cell in enumerate(cells) if i != column]
    return ": ".join(filter(None, others))


class _Entry:
    """A level that begins a line, and what stands below it."""

    def __init__(self, match: re.Match[str], piece: Piece) -> None:
        self.level = match["level"]
        below = re.fullmatch(_IF_BELOW, match["sign"] or "", re.IGNORECASE)
        condition = below[1].strip() if below else None
        words = match["words"].strip("*_ \t")
        self.words = ": ".join(filter(None, (match["name"], condition, words)))
        self.piece = piece
        self._indent = len(match["indent"])
        bullet = (match["bullet"] or "").strip()
        self._is_title = bullet.startswith("#")
        self._is_bullet = bool(bullet) and not self._is_title
        self._below = 0
        self.is_condition = below is not None
        self._names = len(self.words.split()) <= _FEW or below is not None

    def takes(self, line: str) -> bool:
        """Return whether a line is more of the definition: deeper, or the text below a heading."""
        if not line.strip():
            return self._is_title and not self._below
        if len(line) - len(line.lstrip()) > self._indent:
            return True
        names_it = self._names and not self._is_bullet
        is_bullet = _BULLET.match(line) is not None
        return (self._is_title or not self.words or self._below > 0 or is_bullet) and names_it

    def add(self, line: str, end: int) -> None:
        """Take a line."""
        bullet = _BULLET.match(line)
        text = (line[bullet.end() :] if bullet else line).strip("*_ \t")
        sign = " " if not bullet else "; " if self._below else ": "
        if text:
            self.words = f"{self.words}{sign if self.words else ''}{text}"
            self._below += 1
        self.piece = Piece(self.piece.start, end)


def lines(text: str, grammar: Grammar) -> list[Said]:
    """Return the levels that begin a line, as in ``- Score 3: ...`` or a heading over some text."""
    head = re.compile(
        rf"(?i)^(?P<indent>[ \t]*)(?P<bullet>[-*•+][ \t]+|#{{1,6}}[ \t]+)?{MARKS}{OF}{grammar.one}"
        rf"{UNIT}{CLOSE}[ \t]*(?:\((?P<name>[^()\n]{{1,60}})\){CLOSE}[ \t]*)?"
        rf"(?P<sign>{SIGN}|{_IF_BELOW})?{CLOSE}(?P<gap>[ \t]*)(?P<words>.*)$"
    )
    entries: list[_Entry] = []
    is_open = False
    at = 0
    for line in text.split("\n"):
        piece = Piece(at, at + len(line) + 1)
        at = piece.end
        match = head.match(line)
        if match and _is_level(match):
            entries.append(_Entry(match, piece))
            is_open = True
        elif is_open and entries[-1].takes(line):
            entries[-1].add(line, piece.end)
        else:
            is_open = False
    found = [Said(grammar.known(e.level), e.words.strip("*_ "), e.piece) for e in entries]
    several = len({one.level for one in found}) > 1
    return found if several or any(entry.is_condition for entry in entries) else []


def bare(text: str, grammar: Grammar) -> list[Said]:
    """Return scores with words right behind them, line by line below a heading about scores."""
    line = re.compile(
        rf"(?i)[ \t]*(?:[-*•+][ \t]+)?{MARKS}{grammar.one}{CLOSE}[ \t]+(?P<words>\S.*)"
    )
    found: list[Said] = []
    waiting, at = False, 0
    for said in text.split("\n") if grammar.is_number else ():
        match = line.fullmatch(said) if waiting else None
        if match:
            piece = Piece(at, at + len(said) + 1)
            found.append(Said(grammar.known(match["level"]), match["words"].strip("*_ "), piece))
        elif said.strip():
            waiting = is_about_scores(said)
        at += len(said) + 1
    return found if _in_order(found, grammar) else []


def _is_level(match: re.Match[str]) -> bool:
    words = match["words"].strip()
    if not match["sign"]:
        return not words
    return bool(match["gap"]) or match["sign"] not in (":", "=", "-") or not words[:1].isdigit()


_NAMED_FIRST = re.compile(
    rf"[ \t]*(?:[-*•+][ \t]+)?[*_]{{0,2}}(?P<name>[^\W\d][\w /-]{{0,30}}?)[*_]{{0,2}}[ \t]*\([ \t]*"
    rf"(?P<level>{NUMBER})(?:[ \t]*(?:points?|pts?|stars?))?[ \t]*\)[*_]{{0,2}}[ \t]*(?:{SIGN})?"
    r"[*_]{0,2}[ \t]*(?P<words>.*)$"
)


def named_first(text: str, grammar: Grammar, ends: Sequence[str]) -> list[Said]:
    """Return levels like ``Fair (3): some``, where they run from end to end of a known scale.

    Otherwise the numbers may be weights.
    """
    found: list[Said] = []
    at = 0
    for line in text.split("\n"):
        match = _NAMED_FIRST.match(line)
        if match:
            words = ": ".join(filter(None, (match["name"].strip(), match["words"].strip("*_ "))))
            piece = Piece(at, at + len(line) + 1)
            found.append(Said(grammar.known(match["level"]), words, piece))
        at += len(line) + 1
    whole = set(ends) <= {one.level for one in found} and bool(ends)
    return found if whole and grammar.is_number and _in_order(found, grammar) else []


def listed(text: str, grammar: Grammar) -> list[Said]:
    """Return the levels of lists within a line: ``0 = none, 1 = all``, ``1 (none) to 5 (all)``."""
    head = re.compile(
        rf"(?i){MARKS}(?P<lead>{OF}){grammar.one}{UNIT}{CLOSE}[ \t]*"
        rf"(?:(?P<sign>{SIGN}|{_GIVES})[ \t]*|\((?P<name>[^()\n]{{2,200}})\))"
    )
    heads = [match for match in head.finditer(text) if _is_free(text, match)]
    found: list[Said] = []
    chain: list[re.Match[str]] = []
    for match in heads:
        if chain and not _follows(text, chain[-1], match):
            found += _chained(text, chain, grammar)
            chain = []
        chain.append(match)
    return found + _chained(text, chain, grammar)


def _is_free(text: str, match: re.Match[str]) -> bool:
    """Return whether a number begins an entry, and is no part of a sum or of what stands before.

    What it is said to be begins with a word: ``29% = Azure`` and ``100 = ~8`` are figures.
    """
    before = text[max(0, match.start() - 40) : match.start()].rstrip(" \t\n\"'`*([")
    after = text[match.end() : match.end() + 1]
    if match[0][0] in "\"'`*“„«":
        return True  # it is set apart
    figure = (match["sign"] or "")[:1] in ("=", "-") and (
        after.isdigit() or after in _FIGURES or "%" in match[0]
    )
    if figure or before[-1:] in _SUMS:
        return False
    word = _LAST_WORD.search(before)
    return word is None or word[1].lower() in _BEFORE or word.end() < len(before)


def _follows(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    between = text[first.end() : second.start()]
    if (first["name"] is None) != (second["name"] is None):
        return False
    if first["name"] is not None:
        return len(between) <= _NAMED and "\n\n" not in between and ". " not in between
    return len(between.strip()) > 0 and len(between) <= _LONGEST and "\n\n" not in between


def _chained(text: str, chain: list[re.Match[str]], grammar: Grammar) -> list[Said]:
    if not chain or (len(chain) == 1 and not _is_told(chain[0])):
        return []
    hidden = re.compile(rf"(?i){grammar.one}{CLOSE}[ \t]*(?:{SIGN}|for\b|if\b|when\b)")
    found = []
    for match, after in zip(chain, [*chain[1:], None], strict=True):
        if after is None and match["name"] is None:
            stop = _STOP.search(text, match.end())
            end = stop.start() if stop else len(text)
        else:
            end = match.end() if match["name"] is not None or after is None else after.start()
        words = match["name"] or text[match.end() : end]
        if hidden.search(words):
            return []
        known = grammar.known(match["level"])
        found.append(Said(known, tidied(words).rstrip("."), Piece(match.start(), end)))
    return found if _in_order(found, grammar) else []


def _is_told(match: re.Match[str]) -> bool:
    """Return whether a level can stand alone: ``A score of 3 means ...``."""
    sign = (match["sign"] or "").lower()
    tells = sign[:1].isalpha() and not sign.startswith("for")
    is_one = re.fullmatch(NUMBER, match["level"]) is not None
    return is_one and tells and (bool(match["lead"]) or sign.startswith("mean"))


def _in_order(found: list[Said], grammar: Grammar) -> bool:
    """Return whether numbers only rise, or only fall."""
    if not grammar.is_number:
        return True
    values = [float(one.level.partition("..")[0]) for one in found]
    return values in (sorted(set(values)), sorted(set(values), reverse=True))
