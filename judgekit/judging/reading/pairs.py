"""What a decoded object says."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from judgekit.judging.reading.clean import normalise, strip_markup
from judgekit.judging.reading.decode import Pairs
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.keys import Given, fold_key, given_in, reason_of
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_LONGEST = 80
_LISTED = pattern(r"\.\s+\S")


class Answer(NamedTuple):
    """What an object says.

    Attributes:
        found: The level, or why there is none.
        reason: The reason given with it, as written.
    """

    found: Found
    reason: str | None


def answer_of(words: Vocabulary, value: Any) -> Answer | None:
    """Return what a decoded object (or a list of one) says, or None when it gives no answer."""
    if isinstance(value, list) and not isinstance(value, Pairs):
        value = value[0] if len(value) == 1 else None
    if not isinstance(value, Pairs):
        return None
    if len(value) == 2 and value[0][0] == "reason" and value[1][0] == "level":
        reason = value[0][1]  # what the schema asks for, word for word
        if isinstance(reason, str):
            return Answer(_agree(words, Given(value[1:])) or nothing(), reason or None)
    flagged = _flagged(words, value)
    given = given_in(Pairs(p for p in value if words.word(p[0]) is None) if flagged else value, 0)
    found = _agree(words, given) if given.pairs else None
    if flagged and found and (flagged.kind, flagged.level) != (found.kind, found.level):
        found = Found("contradictory", -1, f"{flagged.said}, {found.said!r}", 0)
    found = found or flagged
    return None if found is None else Answer(_spoilt(value) or found, reason_of(value))


def _spoilt(pairs: Pairs) -> Found | None:
    """Return what a refusal or an error beside the answer makes of it, or None without one."""
    for key, value in pairs:
        said = value.strip() if isinstance(value, str) else value
        if not said or fold_key(key) not in {"refusal", "refused", "error"}:
            continue
        if fold_key(key) != "error":
            return Found("refused", -1, str(said)[:60], 0)
        if not (isinstance(said, str) and said.lower() in {"none", "null", "no", "n/a", "false"}):
            return nothing(f"an error: {said}"[:60])
    return None


def _flagged(words: Vocabulary, pairs: Pairs) -> Found | None:
    """Return what keys that are levels themselves say: ``{"correct": false}``, else None."""
    flags = {words.word(normalise(key)): _flag(value) for key, value in pairs}
    flags = {level: flag for level, flag in flags.items() if level is not None}
    if not flags or None in flags.values():
        return None
    said = ", ".join(f"{key}: {value}" for key, value in pairs)[:60]
    given = [level for level, flag in flags.items() if flag]
    if not given and len(flags) == 1:
        given = [words.denial(level or 0) for level in flags]
    if len(given) == 1 and given[0] is not None:
        return Found("level", given[0], said, 0, name=True)
    return Found("contradictory", -1, said, 0) if len(given) > 1 else None


def _flag(value: Any) -> bool | None:
    """Return a value that says yes or no, else None."""
    said = str(value).strip().lower() if isinstance(value, str | int) else ""
    if said in {"yes", "true", "1"}:
        return True
    return False if said in {"no", "false", "0"} else None


def _agree(words: Vocabulary, given: Given) -> Found | None:
    """Return the one answer that all given pairs agree on.

    Free text under a key like ``result`` is ignored beside a pair that does give a level; a
    number, or a word for "cannot tell", is not: it says something else. The schema's own key is
    never passed over.
    """
    if not given.pairs[0][0]:
        return _of_criterion(words, [value for _, value in given.pairs])
    found = [(key, read_value(words, value, key=key)) for key, value in given.pairs]
    if len(found) == 1 and found[0][1].kind == "level" and not given.several:
        return found[0][1]
    shown = ", ".join(f"{key} = {f.said!r}" for key, f in found)
    known = [f for _, f in found if f.kind != "unknown"]
    schema = [f for key, f in found if key == "level" and f.kind == "unknown"]
    if schema or not known:
        unknown = (schema or [f for _, f in found])[0]
        short = 0 < len(unknown.said.split()) <= 4
        return unknown._replace(kind="out_of_scale") if short else unknown
    if len({(f.kind, f.level) for f in known}) == 1 and not given.several:
        return known[0]
    return Found("contradictory", -1, shown, 0)


def _of_criterion(words: Vocabulary, values: list[Any]) -> Found | None:
    """Return the one level among values whose keys nobody knows, beside text; else None.

    True and false are levels there only where these say yes and no to whatever the key asks.
    """
    known = [(v, f) for v in values if (f := read_value(words, v, key="")).kind != "unknown"]
    if len(known) != 1 or known[0][1].kind != "level":
        return None
    value, found = known[0]
    flag = isinstance(value, bool) or str(value).strip().lower() in {"true", "false"}
    return None if flag and not words.yes_no else found


def read_value(words: Vocabulary, value: Any, *, key: str = "level") -> Found:
    """Return what one decoded value says; under a key nobody knows, only if it says no more."""
    if isinstance(value, str):
        return _read_text(words, value, whole=not key)
    if value is None:
        return Found("abstained", -1, "null", 0)
    if isinstance(value, bool):
        return _level_or("unknown", words.words.get(str(value).lower()), str(value).lower())
    if isinstance(value, int | float):
        return _level_or("out_of_scale", words.numbers.get(value), _short(value))
    given = given_in(value, 0) if isinstance(value, Pairs) else Given([])
    return (_agree(words, given) if given.pairs else None) or nothing()


def _level_or(kind: Literal["unknown", "out_of_scale"], level: int | None, said: str) -> Found:
    return Found(kind, -1, said, 0) if level is None else Found("level", level, said, 0)


def _short(number: float) -> str:
    try:
        return str(number)[:40]
    except ValueError:  # more digits than Python prints
        return "a huge number"


def _read_text(words: Vocabulary, value: str, *, whole: bool) -> Found:
    level = words.words.get(value)
    text = value if level is not None else strip_markup(normalise(value))
    level = words.word(text) if level is None else level
    if level is not None:
        return Found("level", level, text, len(text), name=True)
    found = whole_value(words, text)
    if found is None and not whole and len(text) <= _LONGEST:
        found = value_at(words, text, 0)
        if found is not None and _LISTED.match(text, found.end):
            found = None
    return found or nothing(text[:60])
