"""Worked examples of the rubric that turn up among the labelled items.

Where labels are not split they are set aside: the judge was shown the answer. Where labels are
split, examples come from *train*; one from dev or test says that the rubric was written with the
test in view, and that goes beyond the one item.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.calibration.check import Check
from judgekit.rubric.fence import content_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from judgekit.judging.item import Item
    from judgekit.rubric.model import Criterion

# Thai to Khmer, kana to Han, Hangul left out: it has spaces.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
TRAIN = "train"
"""The split that worked examples may come from."""
_JUDGED = ("output", "output_a", "output_b")
_TELLING = 5.0
"""Words from which equal texts are the same example whatever they answer."""
_SAME_WORDS, _SAME_ORDER = 0.9, 0.75
"""Shares of words, and of neighbouring words, from which two texts count as the same example."""


class _Text(NamedTuple):
    """The judged text of an example or item, taken apart."""

    words: tuple[str, ...]
    counts: Counter[str]
    neighbours: Counter[tuple[str, str]]


def leaked_anchors(
    criterion: Criterion, items: Iterable[Item], inputs: Sequence[str] = ()
) -> dict[str, str]:
    """Return the items that are also worked examples, as ``item id -> level name``.

    An item is one when its judged text (``output``, or ``output_a`` with ``output_b``) equals an
    anchor's, letter case, punctuation and width ignored, or has nine tenths of its words in mostly
    the same order. "Yes." alone is no leak: below five words all else that is shown must be equal.
    A judge that was shown the answer measures nothing on that item.

    Args:
        criterion: The criterion with its anchors.
        items: The items.
        inputs: What the rubric shows of an item; every field an anchor has, unless given.
    """
    known = [
        (level.name, anchor.fields, text)
        for level in criterion.scale.levels
        for anchor in level.anchors
        if (text := _judged(anchor.fields)).words
    ]
    found = {}
    for item in items if known else ():
        text = _judged(item.fields)
        for name, fields, example in known:
            if _same_example(text, example) or (
                text.words == example.words and _alike(item.fields, fields, inputs)
            ):
                found[item.id] = name
                break
    return found


def leak_check(leaked: Mapping[str, str], splits: Mapping[str, str]) -> Check | None:
    """Return the check that fails when worked examples stand outside train; None else.

    A split by which nothing leaked leaves no check behind, so that a certificate's checks follow
    from its evidence rows, which do not hold the items of other splits. The check is not ruled
    out: nothing that was measured speaks against the judge. No label helps either; other examples
    do, or fresh labels.

    Args:
        leaked: The items that are worked examples, from :func:`leaked_anchors`: all labelled items
            must have been looked at, not those of the test only.
        splits: The split of each labelled item; empty where labels are not split. An item that
            stands in no split, in a file that has one, counts as outside train.
    """
    if not splits:
        return None
    outside = {item: splits.get(item, "none") for item in leaked}
    outside = {item: split for item, split in outside.items() if split != TRAIN}
    if not outside:
        return None
    return Check(
        name="leaked_anchors",
        required="from train only",
        observed=dict(sorted(outside.items())),
        passed=False,
        reason="leaked_anchors",
    )


def _same_example(one: _Text, other: _Text) -> bool:
    """Tell whether two texts long enough to be told apart are the same, or nearly."""
    if min(_length(one.words), _length(other.words)) < _TELLING:
        return False
    return one.words == other.words or (
        _shared(one.counts, other.counts) >= _SAME_WORDS
        and _shared(one.neighbours, other.neighbours) >= _SAME_ORDER
    )


def _shared(one: Counter[Any], other: Counter[Any]) -> float:
    """Return the share that two bags have in common (Dice), without counting what cannot matter."""
    sizes = one.total(), other.total()
    if 2 * min(sizes) < _SAME_ORDER * sum(sizes):
        return 0.0
    return 2 * (one & other).total() / sum(sizes)


def _alike(item: Mapping[str, Any], anchor: Mapping[str, Any], inputs: Sequence[str]) -> bool:
    """Tell whether an item and an anchor of the same short text show the same besides it."""
    if inputs:
        return all(_plain(item, name) == _plain(anchor, name) for name in inputs)
    besides = [name for name in item if name in anchor and name not in _JUDGED]
    if not any(_plain(item, name) for name in besides):
        return item.keys() <= anchor.keys()
    return all(_plain(item, name) == _plain(anchor, name) for name in besides)


def _plain(fields: Mapping[str, Any], name: str) -> list[str]:
    return _words(fields.get(name, ""))


def _judged(fields: Mapping[str, Any]) -> _Text:
    names = [n for n in _JUDGED if n in fields] or sorted(fields)
    words = tuple(word for name in names for word in _words(fields[name]))
    return _Text(words, Counter(words), Counter(pairwise(words)))


def _words(value: Any) -> list[str]:
    """Return the words of a text; each sign of a script written without spaces is one."""
    if isinstance(value, list):
        value = "\n".join(content_text(m.get("content")) for m in value if isinstance(m, dict))
    return _WORD.findall(unicodedata.normalize("NFKC", str(value)).casefold())


def _length(words: Sequence[str]) -> float:
    """Return how many words a text has; two signs without spaces are about one."""
    return sum(0.5 if re.match(rf"[{_UNSPACED}]", word) else 1.0 for word in words)
