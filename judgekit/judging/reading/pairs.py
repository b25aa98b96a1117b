"""What a decoded object says: which of its pairs hold the answer, and what that answer is."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from judgekit.judging.reading.clean import normalise, strip_markup
from judgekit.judging.reading.decode import Pairs, strict
from judgekit.judging.reading.found import Found, nothing
from judgekit.judging.reading.values import value_at, whole_value
from judgekit.judging.reading.vocabulary import Vocabulary

_KEY = re.compile(
    r"(?:final_|overall_)?(?:level|score|rating|verdict|label|grade|answer|choice|result|decision"
    r"|winner|preference|judge?ment|classification|category)"
    r"|pass(?:ed|es)?|criteria_met|(?:is_)?correct|评分|得分|分数|综合得分|最终得分"
)
_REASON = re.compile(
    r"reason(?:s|ing)?|explanation|rationale|justification|feedback|thoughts?|thinking|analysis"
    r"|comments?|critique|chain_of_thought|evidence|notes"
)
_NO_ANSWER = re.compile(
    r"(?:item_)?id|index|steps?|n|count|number|version|line|page|confidence|certainty|probability"
    r"|item|seed|temperature|total|max|min|tokens|length|weight|rank|turn|type|title|description"
    r"|enum|name|model|assistant|output|response|input"
)
_WRAPPER = re.compile(r"arguments|parameters|input|output|response|json|data|properties")
_PREFIXED = re.compile(r"(?:.*_)?(?:level|score|rating|verdict|label|grade)")
_NOT_OURS = re.compile(
    r"(?:max|min|maximum|minimum|confidence|prior|previous|threshold|expected|reference|human|gold"
    r"|initial|draft|possible|target|similarity|raw|n|num|passing)_"
)
_DEEPEST = 3
_LONGEST = 80
_LISTED = re.compile(r"\.\s+\S")


class Answer(NamedTuple):
    """What an object says.

    Attributes:
        found: The level, or why there is none.
        reason: The reason given with it, as written.
    """

    found: Found
    reason: str | None


class _Given(NamedTuple):
    """The pairs that hold the answer, and whether they speak of several things."""

    pairs: list[tuple[str, Any]]
    several: bool = False


def answer_of(words: Vocabulary, value: Any) -> Answer | None:
    """Return what a decoded object (or a list of one) says, or None when it gives no answer."""
    if isinstance(value, list) and not isinstance(value, Pairs):
        value = value[0] if len(value) == 1 else None
    if not isinstance(value, Pairs):
        return None
    if len(value) == 2 and value[0][0] == "reason" and value[1][0] == "level":
        reason = value[0][1]  # what the schema asks for, word for word: nearly every reply
        if isinstance(reason, str):
            return Answer(_agree(words, _Given(value[1:])) or nothing(), reason or None)
    given = _given(value, 0)
    found = _agree(words, given) if given.pairs else None
    return None if found is None else Answer(_spoilt(value) or found, _reason(value))


def _spoilt(pairs: Pairs) -> Found | None:
    """Return what a refusal or an error beside the answer makes of it, or None without one."""
    for key, value in pairs:
        said = value.strip() if isinstance(value, str) else value
        if not said or _fold(key) not in {"refusal", "refused", "error"}:
            continue
        if _fold(key) != "error":
            return Found("refused", -1, str(said)[:60], 0)
        if not (isinstance(said, str) and said.lower() in {"none", "null", "no", "n/a", "false"}):
            return nothing(f"an error: {said}"[:60])
    return None


def may_hold_answer(key: str | None) -> bool:
    """Return whether a pair with this key could have held the answer."""
    folded = _fold(key or "")
    return bool(_KEY.fullmatch(folded) or _PREFIXED.fullmatch(folded))


def _fold(key: str) -> str:
    return key.strip().lower().replace(" ", "_").replace("-", "_")


def _given(pairs: Pairs, depth: int) -> _Given:
    """Return the pairs whose key says that they hold the answer.

    Known keys first; then ``groundedness_score``; then what is nested; then the one pair that is
    not a reason, as in ``{"usefulness": 2, "reason": ...}``.
    """
    folded = [(_fold(key), _only(value)) for key, value in pairs]
    plain = [(key, value) for key, value in folded if not _is_array(value)]
    exact = [(key, value) for key, value in plain if _KEY.fullmatch(key)]
    if exact:
        return _Given(exact)
    prefixed = [(k, v) for k, v in plain if _PREFIXED.fullmatch(k) and not _NOT_OURS.match(k)]
    if prefixed:
        return _Given(prefixed, several=len({key.rpartition("_")[0] for key, _ in prefixed}) > 1)
    nested = _nested(folded, depth)
    if nested.pairs:
        return nested
    rest = [(k, v) for k, v in folded if not (_REASON.fullmatch(k) or _NO_ANSWER.fullmatch(k))]
    if depth == 0 and len(rest) == 1 and isinstance(rest[0][1], int | float | str):
        return _Given([("", rest[0][1])])
    return _Given([])


def _is_array(value: Any) -> bool:
    return isinstance(value, list) and not isinstance(value, Pairs)


def _only(value: Any) -> Any:
    """Return the one member of a list of one; everything else as it is."""
    return value[0] if _is_array(value) and len(value) == 1 else value


def _nested(folded: list[tuple[str, Any]], depth: int) -> _Given:
    found: list[_Given] = []
    for key, value in folded if depth < _DEEPEST else ():
        inner = value
        if isinstance(value, str) and _WRAPPER.fullmatch(key) and value.lstrip().startswith("{"):
            try:
                inner = _only(strict(value))
            except ValueError:
                continue
        if isinstance(inner, Pairs):
            given = _given(inner, depth + 1)
            found += [given] if given.pairs else []
    if not found:
        return _Given([])
    return _Given(found[0].pairs, several=len(found) > 1 or found[0].several)


def _agree(words: Vocabulary, given: _Given) -> Found | None:
    """Return the one answer that all given pairs agree on.

    Free text under a key like ``result`` is ignored beside a pair that does give a level; a
    number, or a word for "cannot tell", is not: it says something else. The schema's own key is
    never passed over.
    """
    found = [(key, read_value(words, value, key=key)) for key, value in given.pairs]
    if len(found) == 1 and found[0][1].kind == "level" and not given.several:
        return found[0][1]
    shown = ", ".join(f"{key} = {f.said!r}" for key, f in found)
    known = [f for _, f in found if f.kind != "unknown"]
    if not found[0][0]:  # the criterion's own key: a level, or the object says nothing
        return next((f for f in known if f.kind == "level"), None)
    schema = [f for key, f in found if key == "level" and f.kind == "unknown"]
    if schema or not known:
        unknown = (schema or [f for _, f in found])[0]
        short = 0 < len(unknown.said.split()) <= 4
        return unknown._replace(kind="out_of_scale") if short else unknown
    if len({(f.kind, f.level) for f in known}) == 1 and not given.several:
        return known[0]
    return Found("contradictory", -1, shown, 0)


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
    given = _given(value, 0) if isinstance(value, Pairs) else _Given([])
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


def _reason(pairs: Pairs) -> str | None:
    for key, value in pairs:
        if isinstance(value, str) and value.strip() and _REASON.fullmatch(_fold(key)):
            return value
    inner = (_reason(value) for _, value in pairs if isinstance(value, Pairs))
    return next((reason for reason in inner if reason is not None), None)
