"""Which rules count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from judgekit.errors import UnknownName
from judgekit.linting.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable


class Selection(NamedTuple):
    """Rules that count, and rules that do not.

    Attributes:
        select: Codes, beginnings of codes, and names; empty for all rules.
        ignore: The same. Where a rule is in both the more exact word wins, so that ``LV04`` can
            be selected although ``LV`` is ignored; of equal ones ``ignore`` does.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def takes(self, code: str, rule: str) -> bool:
        """Return whether a rule counts."""
        wanted, left_out = _best(self.select, code, rule), _best(self.ignore, code, rule)
        if self.select and not wanted:
            return False
        return wanted > left_out or not left_out


EVERYTHING = Selection()


def selection_of(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    """Return the selection that lists of rules, each several with commas between, make.

    Raises:
        UnknownName: one of them is no rule and begins none.
    """
    return Selection(_known(select), _known(ignore))


def _known(given: Iterable[str]) -> tuple[str, ...]:
    words = [word.strip() for text in given for word in text.split(",") if word.strip()]
    return tuple(map(_one_known, words))


def _one_known(word: str) -> str:
    """Return a word as the rules are written: codes in capitals, names not."""
    for spelt in (word.lower(), word.upper()):
        if any(_matches(spelt, code, rule) for code, rule in RULES.items()):
            return spelt
    # Codes are all alike: the nearest one is not what was meant.
    raise UnknownName("rule", word, RULES.values(), hint="judgekit explain --all lists them")


def _matches(word: str, code: str, rule: str) -> bool:
    return word == rule or code.startswith(word) or word == "all"


def _best(words: Iterable[str], code: str, rule: str) -> int:
    """Return how exactly a rule is named among ``words``: 0 not at all, the more the longer."""
    exact = len(code)
    return max(
        (exact if word in (rule, code) else len(word) if word != "all" else 1
         for word in words if _matches(word, code, rule)),
        default=0,
    )  # fmt: skip
