from dataclasses import dataclass, replace
from typing import Any

import pytest

from judgekit.importers.outcomes import one_per_item, tie_level, to_outcomes
from judgekit.importers.recorded import Recorded, RecordedSet
from judgekit.judging.judgment import Cause, Judgment, Unjudged
from judgekit.rubric.model import Criterion
from tests.importers.make import ONE_TO_THREE, PAIR, PAIR_WITH_TIE, criterion

LEVELS = {"3": 2, "2": 1, "1": 0, "A": 0, "B": 1, "tie": 2}


@dataclass(frozen=True)
class FakeReading:
    """What the fake reader read."""

    level: int | None = None
    not_applicable: bool = False
    cause: Cause | None = None
    reason: str | None = None
    detail: str | None = None


def read(text: str) -> FakeReading:
    """A reader of bare levels, `na` and nothing else."""
    if text == "na":
        return FakeReading(not_applicable=True)
    if text not in LEVELS:
        return FakeReading(cause="unreadable", detail="no level in it")
    return FakeReading(level=LEVELS[text], reason="said so")


def row(item: str = "a", **rest: Any) -> Recorded:
    """A recorded judgment."""
    return Recorded(**{"item": item, "criterion": "", **rest})


def outcomes(
    target: Criterion, *rows: Recorded, level_map: dict[str, str] | None = None
) -> list[Judgment | Unjudged]:
    """The outcomes of rows of one criterion."""
    of = [
        Recorded(**{f: getattr(r, f) for f in r.__slots__} | {"criterion": target.name})
        for r in rows
    ]
    return to_outcomes(RecordedSet(tuple(of), level_map=level_map or {}), target, read)


def brief(*found: Judgment | Unjudged) -> list[int | str | None]:
    """Level or cause of each outcome."""
    return [o.level if isinstance(o, Judgment) else o.cause for o in found]


def test_a_level_counts_before_a_reply() -> None:
    """The reply is kept beside it."""
    found = outcomes(ONE_TO_THREE, row(level_written="3", raw="1", reason="why", model="m"))

    assert found == [
        Judgment("a", "groundedness", 2, reason="why", raw="1", served="m"),
    ]


def test_a_reply_is_read() -> None:
    """By the reader that was handed in; its cause is passed on."""
    found = outcomes(ONE_TO_THREE, row(raw="2"), row("b", raw="hm", replicate=1))

    assert found == [
        Judgment("a", "groundedness", 1, reason="said so", raw="2"),
        Unjudged("b", "groundedness", "unreadable", "no level in it", raw="hm", replicate=1),
    ]


def test_neither_is_missing() -> None:
    """An incomplete run, no statement of the judge."""
    assert brief(*outcomes(ONE_TO_THREE, row())) == ["missing"]


@pytest.mark.parametrize("written", [0, 4, 2.5, "garbage", "na", [3]])
def test_a_level_off_the_scale_is_out_of_scale(written: object) -> None:
    """Never clamped, never dropped; the detail says what it was."""
    found = outcomes(ONE_TO_THREE, row(level_written=written))[0]

    assert isinstance(found, Unjudged)
    assert found.cause == "out_of_scale"
    assert "is not on the scale (1 ungrounded, 2 partly, 3 grounded)" in str(found.detail)


def test_not_applicable() -> None:
    """A judgment without a level, from a level column or from a reply."""
    foreseen = criterion("g", {1: "x", 2: "y"}, "ordinal", not_applicable="No claim.")

    assert brief(*outcomes(foreseen, row(level_written="NA"), row("b", raw="na"))) == [None, None]


def test_levels_are_renamed() -> None:
    """`--level-map` holds for levels and for replies that are a bare level."""
    rows = [row(str(i), level_written=v) for i, v in enumerate(["good", "0", 0])]

    found = outcomes(
        ONE_TO_THREE, *rows, row("r", raw=" Good "), level_map={"good": "3", "0": "na"}
    )

    assert brief(*found) == [2, None, None, 2]


@pytest.mark.parametrize(("order", "level"), [("AB", 0), ("BA", 1), (None, 0)])
def test_a_reply_speaks_of_the_shown_order(order: Any, level: int) -> None:
    """The first of B, A is output_b."""
    assert brief(*outcomes(PAIR, row(raw="A", order=order))) == [level]
    renamed = outcomes(PAIR, row(raw="1", order=order), level_map={"1": "A", "2": "B"})
    assert brief(*renamed) == [level]


@pytest.mark.parametrize("order", ["AB", "BA", None])
def test_a_level_is_in_item_order(order: Any) -> None:
    """Whatever order was shown."""
    assert brief(*outcomes(PAIR, row(level_written="A", order=order))) == [0]


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_a_tie_has_no_sides(order: Any) -> None:
    """It stays where it is."""
    assert brief(*outcomes(PAIR_WITH_TIE, row(raw="tie", order=order))) == [2]


@pytest.mark.parametrize(
    ("ab", "ba", "plain", "with_tie"),
    [
        ("A", "B", 0, 0),
        ("B", "A", 1, 1),
        ("A", "A", "contradictory", 2),
        ("B", "B", "contradictory", 2),
        ("hm", "A", "unreadable", "unreadable"),
        ("A", None, "missing", "missing"),
        ("hm", None, "missing", "missing"),  # an incomplete record, whatever else
        ("na", "na", None, None),
        ("A", "na", "contradictory", "contradictory"),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_both_orders(
    ab: str | None,
    ba: str | None,
    plain: int | str | None,
    with_tie: int | str | None,
    *,
    swapped: bool,
) -> None:
    """They agree, or it is a tie where the scale has one; one unusable order spoils both."""
    rows = [row(raw=ab, order="AB", line=1), row(raw=ba, order="BA", line=2)]
    rows = rows[::-1] if swapped else rows

    assert brief(*outcomes(PAIR, *rows)) == [plain]
    assert brief(*outcomes(PAIR_WITH_TIE, *rows)) == [with_tie]


def test_the_detail_of_two_orders_that_disagree() -> None:
    """Said in words, with the first reply kept."""
    found = outcomes(PAIR, row(raw="A", order="BA"), row(raw="A", order="AB", model="m"))

    (outcome,) = found
    assert isinstance(outcome, Unjudged)
    assert (outcome.cause, outcome.detail) == ("contradictory", "the two orders disagree")
    assert (outcome.raw, outcome.served, outcome.order) == ("A", "m", None)
    assert [(vote.order, brief(vote)) for vote in outcome.votes] == [("AB", [0]), ("BA", [1])]


def test_two_orders_that_disagree_may_be_unjudged_by_declaration() -> None:
    """Even on a scale with a tie, as a live judge of that protocol has it."""
    rows = [row(raw="A", order="AB"), row(raw="A", order="BA")]
    of = [replace(one, criterion=PAIR_WITH_TIE.name) for one in rows]

    found = to_outcomes(RecordedSet(tuple(of)), PAIR_WITH_TIE, read, inconsistent="unjudged")

    assert brief(*found) == ["contradictory"]


def test_replicates_are_outcomes_of_their_own() -> None:
    """In file order; each has its own two orders."""
    rows = [
        row(raw="A", order="AB"),
        row(raw="B", order="BA"),
        row(raw="B", order="AB", replicate=1),
        row("b", raw="A", order="AB"),
        row(raw="A", order="BA", replicate=1),
    ]

    found = outcomes(PAIR, *rows)

    assert [(o.item, o.replicate) for o in found] == [("a", 0), ("a", 1), ("b", 0)]
    assert brief(*found) == [0, 1, 0]


def test_other_criteria_are_passed_over() -> None:
    """Each criterion stands alone."""
    rows = (row(raw="3"), Recorded("b", "groundedness", raw="3"))

    found = to_outcomes(RecordedSet(rows), ONE_TO_THREE, read)

    assert [o.item for o in found] == ["b"]


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        (["3"], 2),
        (["3", "1", "3"], 2),
        (["3", "1"], "contradictory"),
        (["3", "1", "2"], "contradictory"),
        (["hm", "3"], "unreadable"),  # one of two is not more than half
        (["hm", "3", "3"], 2),
        (["hm", "3", "hm", "1", "3"], 2),
        (["hm", None], "missing"),
        (["3", None], "missing"),
        (["3", "3", None], 2),  # whatever the third would say
        ([None, "hm"], "missing"),
    ],
)
def test_several_replicates(replies: list[str | None], expected: int | str) -> None:
    """The usable ones vote where they are more than half; a split vote is contradictory."""
    rows = [row(raw=raw, replicate=i) for i, raw in enumerate(replies)]

    found = one_per_item(outcomes(ONE_TO_THREE, *rows))

    assert list(found) == ["a"]
    assert brief(found["a"]) == [expected]


def test_replicates_may_be_settled_by_their_median() -> None:
    """The middle of 3, 1, 1 and 3, 2, 1; the single outcomes are kept."""
    rows = [row(raw=raw, replicate=i) for i, raw in enumerate("311")]
    rows += [row("b", raw=raw, replicate=i) for i, raw in enumerate("321")]

    found = one_per_item(outcomes(ONE_TO_THREE, *rows), rule="median")

    assert brief(*found.values()) == [0, 1]
    assert brief(*found["b"].votes) == [2, 1, 0]


@pytest.mark.parametrize(
    ("levels", "tie"),
    [
        (("A", "B"), None),
        (("A", "B", "tie"), 2),
        (("equal", "first", "second"), 0),
        (("A", "B", "unclear"), 2),
        (("A", "B", "much A", "much B"), None),
        (("A", "B", "Draw", "neither good"), 2),
    ],
)
def test_the_tie_of_a_scale(levels: tuple[str, ...], tie: int | None) -> None:
    """By its word, or because it is the only level that is no side."""
    assert tie_level(criterion("better", levels, "pairwise").scale) == tie
