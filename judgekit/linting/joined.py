"""Two qualities that a question joins: *accurate and polite*, *accuracy/tone of the answer*."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from judgekit.linting.joints import AND, Word
from judgekit.linting.qualities import Quality, apart, quality
from judgekit.linting.words import set_of

if TYPE_CHECKING:
    from collections.abc import Sequence

BETWEEN = set_of(
    "also both very more most highly fully well even as auch sehr gut being is be are how wie "
    "rather quite aussi très plus comment muy también más cómo so tan"
)
_ARTICLES = set_of("the its their der die das la le l les el los su sa son")
_WRITTEN = set_of("structured organized organised written formatted worded formulated reasoned")
CONDITION = set_of(
    "if when whenever where unless although though because why who whose what until since "
    "wenn falls wo warum weil obwohl wer"
)
_WHETHER = set_of("assess check confirm decide determine evaluate judge see tell verify")
"""Verbs behind which *if* means *whether*."""
_ORDERS = _WHETHER | set_of(
    "consider describe grade measure rate review score bewerte beurteile prüfe évalue évaluez "
    "juge jugez note notez evalúa evalúe califica valora"
)
VERBS = set_of(
    "acknowledge adhere analyse analyze apologise apologize apply avoid calculate cite clarify "
    "compute contain convey define demonstrate derive describe discuss ensure exclude explain "
    "follow give greet identify include incorporate integrate introduce invite maintain mention "
    "omit prevent propose provide recognise recognize recommend refrain refuse remain rephrase "
    "resolve respect say suggest summarise summarize tell thank"
)
_ANSWERS = frozenset(f"{verb}s" for verb in VERBS) | set_of(
    "addresses answers captures completes covers matches reflects represents resolves responds "
    "solves supports"
)
_WHOSE = set_of(
    "answer answers response responses output outputs reply replies text summary "
    "explanation translation code content assistant model essay "
    "antwort ausgabe lösung zusammenfassung réponse sortie résumé texte respuesta salida texto"
)
_GIVEN = _WHOSE | set_of(
    "advice analysis argument arguments article description details email essay explanations "
    "feedback guidance information "
    "language manner overview plan reasoning recommendations report review results story style "
    "suggestions tone way wording "
    "antworten art deutsch sprache ton tonfall weise"
)
"""What qualities in front of it are those of the output as well: *a clear and polite tone*."""
_NO_NOUN = AND | set_of(
    "about according across all and are as at based both but by compared concerning considering "
    "during enough even for from given how if in is like of on or overall regarding so than that "
    "the throughout to together toward towards was were when where which while with without "
    "für gegenüber im in ist oder wie zu à dans envers para en que"
)
_TELLS = set_of(
    "ask asks claim claims explain mention mentions note say says state states tell tells"
)
OF = set_of("of der des de du del")


class Pair(NamedTuple):
    """Two things that are asked for, and the word that joins them."""

    joint: Word
    first: str
    second: str


def qualities(sentence: Sequence[Word], index: int) -> Pair | None:
    """Return two qualities of different kinds around a joint."""
    texts = [word.text for word in sentence]
    if _has_condition(texts[:index]) or _is_told(texts[:index]) or in_brackets(texts[:index]):
        return None
    left, right = _left_of(texts, index), _right_of(texts, index)
    if left is None or right is None:
        return None
    first, second = _quality_at(texts, left), _quality_at(texts, right)
    if first is None or (texts[index] not in AND and not _may_join(texts, index, right)):
        return None
    behind = texts[right + 1] if right + 1 < len(texts) else ""
    does = f"{texts[right]} {behind}" if texts[right].endswith("ly") else texts[right]
    if first.kind == "adjective" and does.split()[-1] in _ANSWERS:
        return Pair(sentence[index], texts[left], does)
    if not apart(first, second) or not _said_of_output(first.kind, texts, left, right):
        return None
    end = right + 2 if texts[right] == "well" else right + 1
    return Pair(sentence[index], texts[left], " ".join(texts[right:end]))


def _left_of(texts: Sequence[str], index: int) -> int | None:
    """Return the word before a joint, without a comma or something in brackets between."""
    left = index - 1
    if texts[left] == "," and left > 0:
        left -= 1
    if texts[left] == ")" and "(" in texts[:left]:
        left = max(at for at in range(left) if texts[at] == "(") - 1
    return left if left >= 0 else None


def _right_of(texts: Sequence[str], index: int) -> int | None:
    """Return the word behind a joint that may be a quality."""
    right = index + 1
    if texts[right : right + 2] in (["/", "or"], ["/", "oder"]):
        right += 2
    while right < len(texts) and _passes(texts, right):
        right += 1
    return right if right < len(texts) else None


def _may_join(texts: Sequence[str], index: int, right: int) -> bool:
    """Return whether a weak joint stands between two qualities and nothing else is meant.

    A comma joins two of three or more: *accurate, complete and short*.
    """
    if texts[index] != ",":
        return True
    return right == index + 1 and texts[right + 1 : right + 2] in (
        [","],
        *([joint] for joint in AND),
    )


def _has_condition(texts: Sequence[str]) -> bool:
    """Return whether a condition is stated; *Determine if ...* is a question instead."""
    return any(
        word in CONDITION and not (word == "if" and at > 0 and texts[at - 1] in _WHETHER)
        for at, word in enumerate(texts)
    )


def _is_told(texts: Sequence[str]) -> bool:
    """Return whether something is said in the output: *Does it say that the parcel is ...*."""
    said = ("that", "whether", "if")
    return any(verb in _TELLS and what in said for verb, what in pairwise(texts))


def _passes(texts: Sequence[str], at: int) -> bool:
    """Return whether a word between a joint and a quality says how much of it."""
    word = texts[at]
    if word == "well" and at + 1 < len(texts) and texts[at + 1] in _WRITTEN:
        return False
    if word in BETWEEN or word in _ARTICLES:
        return True
    adverb = word.endswith("ly") and at + 1 < len(texts) and quality(texts[at + 1]) is not None
    return adverb and quality(word) is None


def _quality_at(texts: Sequence[str], at: int) -> Quality | None:
    if texts[at] == "well" and at + 1 < len(texts):
        return quality(f"well-{texts[at + 1]}")
    if at > 0 and texts[at - 1] == "well":
        return quality(f"well-{texts[at]}")
    return quality(texts[at])


def _said_of_output(kind: str, texts: Sequence[str], left: int, right: int) -> bool:
    """Return whether two qualities are those of an output, or of what it gives."""
    if kind == "noun":
        return _of_output(texts, left, right)
    behind = texts[right + (2 if texts[right] == "well" else 1) :][:1]
    noun = kind == "adjective" and behind and behind[0].isalpha() and behind[0] not in _NO_NOUN
    return "between" not in texts[:left][-2:] and (not noun or behind[0] in _GIVEN)


def _of_output(texts: Sequence[str], left: int, right: int) -> bool:
    """Return whether nouns name qualities of the output: "accuracy and depth of the answer"."""
    behind = texts[right + 1 : right + 6]
    while behind[1:] and (behind[0] in (",", "/") or behind[0] in AND):
        behind = behind[2:]
    if behind[:1] and behind[0] in OF and _WHOSE & set(behind):
        return True
    before = texts[max(0, left - 2) : left]
    if any(w.removesuffix("'s").removesuffix("’s") in _WHOSE and "s" in w[-2:] for w in before):
        return True
    return texts[0] in _ORDERS and all(
        word in _ARTICLES or word in "/," or quality(word) for word in texts[1:left]
    )


def in_brackets(texts: Sequence[str]) -> bool:
    """Return whether a bracket is open behind some words."""
    return texts.count("(") > texts.count(")")
