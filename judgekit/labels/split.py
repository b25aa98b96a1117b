"""Which labelled cases are for writing the rubric, for trying it, and for the test.

Worked examples come from *train*, a rubric is improved on *dev*, and *test* is kept for the
measurement. Where nothing is written down the part of a case is told by the sha256 of its name and
by nothing else: it is the same in every file, on every machine, and stays what it is when labels
are added. All items of a case go together, for they are too much alike to stand on both sides.

A hash gives each level its share on average, not exactly. Where the split is written down, what it
says is kept, and new cases are dealt so that the shares of each level come out right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from judgekit.errors import InputError, UnknownName
from judgekit.fingerprint import sha256_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from judgekit.labels.label import LabelSet

PARTS = ("train", "dev", "test")


class Shares(NamedTuple):
    """What share of the cases is for what; they add up to 1."""

    train: float = 0.2
    dev: float = 0.4
    test: float = 0.4


SHARES = Shares()


def parse_shares(text: str) -> Shares:
    """Return the shares of ``--shares 0.2,0.4,0.4``: train, dev, test.

    Raises:
        InputError: they are not three numbers from 0 to 1 that add up to 1.
    """
    try:
        shares = Shares(*(float(part) for part in text.split(",")))
    except (TypeError, ValueError):
        shares = Shares(-1.0, -1.0, -1.0)
    if not (all(0 <= share <= 1 for share in shares) and abs(sum(shares) - 1) < 1e-9):
        raise InputError(
            f"--shares {text!r} is not three shares that add up to 1",
            hint="Write train, dev and test: --shares 0.2,0.4,0.4",
        )
    return shares


def part_of_case(case: str, shares: Shares = SHARES, seed_name: str = "") -> str:
    """Return the part a case belongs to by its name alone.

    The first 64 bits of the sha256 of its name, as a number from 0 to 1, lie below the share of
    train, or below those of train and dev together, or above. Another ``seed_name`` (put before the
    case, with a line feed) gives another split.
    """
    place = _place(case, seed_name)
    if place < shares.train:
        return "train"
    return "dev" if place < shares.train + shares.dev else "test"


def assign(
    cases: Mapping[str, Hashable],
    known: Mapping[str, str] | None = None,
    *,
    balanced: bool = False,
    shares: Shares = SHARES,
    seed_name: str = "",
) -> dict[str, str]:
    """Return the part of each case.

    Where nothing is written down the hash alone decides, whatever other cases there are. With
    ``known``, or when what is found will be written down (``balanced``), cases that have a part
    keep it, and the new ones of each level are dealt by hash and then evened out, so that every
    part comes to its share of that level, to one case or two.

    Args:
        cases: The human level of each case, or anything the shares should hold within.
        known: The part of the cases that have one.
        balanced: Whether to even out the levels although no case has a part yet.
        shares: What share is for what.
        seed_name: Another name gives another split; none is the plain hash of the case.
    """
    known = known or {}
    if not known and not balanced:
        return {case: part_of_case(case, shares, seed_name) for case in cases}
    found = {case: known[case] for case in cases if case in known}
    have: dict[Hashable, Counter[str]] = defaultdict(Counter)
    new: dict[Hashable, list[str]] = defaultdict(list)
    for case, level in cases.items():
        if case in known:
            have[level][known[case]] += 1
        else:
            new[level].append(case)
    for level, names in new.items():
        found |= _dealt(names, have[level], shares, seed_name)
    return {case: found[case] for case in cases}


def split_for(
    labels: LabelSet,
    wanted: str,
    cases: Mapping[str, str | None] | None = None,
) -> frozenset[str]:
    """Return the labelled items that are *not* in the wanted part, by hash alone.

    For a label file without a split column. An item's case is that of ``cases`` (item to case),
    else that of its label, else the item is a case of its own.

    Raises:
        UnknownName: there is no such part.
        InputError: no item is in it.
    """
    if wanted not in PARTS:
        raise UnknownName("split", wanted, PARTS, file=labels.file)
    parts = {item: part_of_case(case) for item, case in case_of_items(labels, cases).items()}
    others = frozenset(item for item, part in parts.items() if part != wanted)
    if len(others) == len(parts):
        raise InputError(f"no label is in split {wanted!r}", file=labels.file)
    return others


def splits_of(
    labels: LabelSet, *, by_hash: bool = False, cases: Mapping[str, str | None] | None = None
) -> dict[str, str]:
    """Return the part of each labelled item: what the labels say, or else what the hash says.

    Args:
        labels: The labels; an item of which one row names a part is in that part.
        by_hash: Whether a file without any split counts as split by hash. Else it has none.
        cases: The case of each item, where the items name it.
    """
    told = {label.item: label.split for label in labels.labels if label.split is not None}
    if told or not by_hash:
        return told
    return {item: part_of_case(case) for item, case in case_of_items(labels, cases).items()}


def case_of_items(
    labels: LabelSet, cases: Mapping[str, str | None] | None = None
) -> dict[str, str]:
    """Return the case of each labelled item; an item without one is a case of its own name."""
    told = {label.item: label.case for label in labels.labels}
    return {item: (cases or {}).get(item) or case or item for item, case in told.items()}


def _place(case: str, seed_name: str) -> float:
    """Return the first 64 bits of the hash of a case, as a number from 0 to 1."""
    text = f"{seed_name}\n{case}" if seed_name else case
    return int(sha256_text(text)[:16], 16) / 2**64


def _dealt(
    new: Sequence[str], have: Mapping[str, int], shares: Shares, seed_name: str
) -> dict[str, str]:
    """Deal the new cases of one level: by hash, and then evened out with as few moves as it takes.

    Cases move while a part is a whole case or more from its share, and it is always the one whose
    hash lies nearest the part it moves to.
    """
    order = sorted(new, key=lambda case: (_place(case, seed_name), case))
    dealt: dict[str, list[str]] = {part: [] for part in PARTS}
    for case in order:
        dealt[part_of_case(case, shares, seed_name)].append(case)
    total = len(order) + sum(have.get(part, 0) for part in PARTS)
    wanted = {part: share * total for part, share in shares._asdict().items()}

    def over(part: str) -> float:
        return float(have.get(part, 0) + len(dealt[part]) - wanted[part])

    while order:
        fullest = max((part for part in PARTS if dealt[part]), key=over)
        emptiest = min(PARTS, key=over)
        if max(over(fullest), -over(emptiest)) < 1 - 1e-9 or over(fullest) - over(emptiest) <= 1:
            break
        forward = PARTS.index(emptiest) > PARTS.index(fullest)
        case = dealt[fullest].pop(-1 if forward else 0)
        dealt[emptiest].insert(0 if forward else len(dealt[emptiest]), case)
    return {case: part for part, cases in dealt.items() for case in cases}
