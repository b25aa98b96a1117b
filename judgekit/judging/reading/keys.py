"""Which pairs of a decoded object hold its answer, and which one its reason."""

from __future__ import annotations

from typing import Any, NamedTuple

from judgekit.judging.reading.decode import Pairs, strict
from judgekit.judging.reading.pattern import pattern
from judgekit.judging.reading.rivals import NOT_A_CRITERION

_KEY = pattern(
    r"overall|final|value|(?:final_|overall_)?(?:level|score|rating|verdict|label|grade|answer|choice|result|decision"
    r"|winner|preference|preferred|judge?ment|classification|category)"
    r"|pass(?:ed|es)?|criteria_met|(?:is_)?correct|(?:综合|最终|总体)?(?:评分|得分|分数)"
)

_REASON = pattern(
    r"reason(?:s|ing)?|explanation|rationale|justification|feedback|thoughts?|thinking|analysis"
    r"|comments?|critique|chain_of_thought|evidence|notes|begr[üu]ndung|erkl[äa]rung|raison(?:nement)?"
    r"|raz[oó]n|explicaci[oó]n|justificaci[oó]n|motivo|理由|原因|分析|解释|说明|根拠|이유|근거|обоснование"
)

_NO_ANSWER = pattern(
    r"(?:item_)?id|index|steps?|n|count|number|version|line|page|confidence|certainty|probability"
    r"|item|seed|temperature|total|max|min|tokens|length|weight|rank|turn|type|title|description"
    r"|enum|name|model|assistant|output|response|input"
)

_WRAPPER = pattern(r"arguments|parameters|input|output|response|json|data|properties")

_PREFIXED = pattern(r"(?:.*_)?(?:level|score|rating|verdict|label|grade)")

_NOT_OURS = pattern(
    r"(?:max|min|maximum|minimum|confidence|prior|previous|threshold|expected|reference|human|gold"
    r"|initial|draft|possible|target|similarity|raw|n|num|passing)_"
)

_HUMP = pattern(r"(?<=[a-z])(?=[A-Z])")

_DEEPEST = 3


class Given(NamedTuple):
    """The pairs that hold the answer, and whether they speak of several things."""

    pairs: list[tuple[str, Any]]
    several: bool = False


def may_hold_answer(key: str | None) -> bool:
    """Return whether a pair with this key could have held the answer."""
    folded = fold_key(key or "")
    return bool(_KEY.fullmatch(folded) or _PREFIXED.fullmatch(folded))


def fold_key(key: str) -> str:
    """Return the form in which keys are compared: ``finalScore`` is ``final_score``."""
    return _HUMP.sub("_", key.strip()).lower().replace(" ", "_").replace("-", "_")


def given_in(pairs: Pairs, depth: int) -> Given:
    """Return the pairs whose key says that they hold the answer.

    Known keys first; then ``groundedness_score``; then what is nested; then the pairs that are no
    reasons, as in ``{"usefulness": 2, "reason": ...}``, whose keys nobody knows.
    """
    folded = [(fold_key(key), _only(value)) for key, value in pairs]
    plain = [(key, value) for key, value in folded if not _is_array(value)]
    exact = [(key, value) for key, value in plain if _KEY.fullmatch(key)]
    if exact:
        return Given(exact)
    prefixed = [(k, v) for k, v in plain if _PREFIXED.fullmatch(k) and not _NOT_OURS.match(k)]
    if prefixed:
        return Given(prefixed, several=len({key.rpartition("_")[0] for key, _ in prefixed}) > 1)
    nested = _nested(folded, depth)
    if nested.pairs:
        return nested
    rest = [v for k, v in folded if not (_REASON.fullmatch(k) or _no_answer(k))]
    if depth == 0 and all(isinstance(value, int | float | str) for value in rest):
        return Given([("", value) for value in rest])
    return Given([])


def _no_answer(key: str) -> bool:
    """Return whether no level of a scale is to be expected under a key."""
    said = key.replace("_", " ")
    return bool(_NO_ANSWER.fullmatch(key) or NOT_A_CRITERION.search(said))


def _is_array(value: Any) -> bool:
    return isinstance(value, list) and not isinstance(value, Pairs)


def _only(value: Any) -> Any:
    """Return the one member of a list of one; everything else as it is."""
    return value[0] if _is_array(value) and len(value) == 1 else value


def _nested(folded: list[tuple[str, Any]], depth: int) -> Given:
    found: list[Given] = []
    for key, value in folded if depth < _DEEPEST else ():
        inner = value
        if isinstance(value, str) and _WRAPPER.fullmatch(key) and value.lstrip().startswith("{"):
            try:
                inner = _only(strict(value))
            except ValueError:
                continue
        if isinstance(inner, Pairs):
            given = given_in(inner, depth + 1)
            found += [given] if given.pairs else []
    if not found:
        return Given([])
    return Given(found[0].pairs, several=len(found) > 1 or found[0].several)


def reason_of(pairs: Pairs) -> str | None:
    """Return the reason that an object gives, as written, or None."""
    for key, value in pairs:
        if isinstance(value, str) and value.strip() and _REASON.fullmatch(fold_key(key)):
            return value
    inner = (reason_of(value) for _, value in pairs if isinstance(value, Pairs))
    return next((reason for reason in inner if reason is not None), None)
