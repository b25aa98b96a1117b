from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.judging.judge import Judge, Member
from judgekit.judging.judgment import CAUSES, INCOMPLETE, Judgment, Unjudged
from judgekit.judging.votes import Outcome, combine, settle_votes
from tests.calibration.make import rubric

NA = "na"
TWO_SIDES = [{"name": n, "definition": f"{n} is better"} for n in ("A", "B")]
Said = int | str | None


def vote(said: Said, **more: Any) -> Outcome:
    """A level by index, "na", or a cause."""
    if isinstance(said, int) or said == NA:
        return Judgment("a", "tone", None if said == NA else int(said), raw=f"raw {said}", **more)
    return Unjudged("a", "tone", said, **more)  # type: ignore[arg-type]


def told(outcome: Outcome) -> Said:
    """What an outcome comes to, in the same words."""
    if isinstance(outcome, Unjudged):
        return outcome.cause
    return NA if outcome.level is None else outcome.level


def judge(kind: str = "ordinal", **more: Any) -> Judge:
    """A judge on a scale of this kind; ``levels`` are the rubric's."""
    of = {"levels": more.pop("levels")} if "levels" in more else {}
    return Judge(**{"name": "tone", "rubric": rubric(kind, **of), "model": "m", **more})


def combined(of: Judge, *votes: Outcome) -> Outcome:
    """What votes come to by this judge."""
    return combine(votes, of, of.rubric.criteria[0])


def replicates(*said: Said, rule: str = "majority") -> Outcome:
    """What the replicates of one model come to."""
    of = judge(replicates=len(said), rule=rule)
    return combined(of, *(vote(one, replicate=i) for i, one in enumerate(said)))


def orders(ab: Said, ba: Said, **more: Any) -> Outcome:
    """What the two orders of a pair come to; levels in item order."""
    return combined(judge("pairwise", **more), vote(ab, order="AB"), vote(ba, order="BA"))


def test_one_vote_is_the_outcome() -> None:
    """Itself, without votes."""
    only = vote(3, order="AB")

    assert combined(judge(), only) is only
    assert only.votes == ()
    assert only.singles == (only,)
    assert only.spread == {3: 1}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((1, 1, 0), 1),
        ((1, 0), "contradictory"),
        ((1, 2, 0), "contradictory"),
        ((1, 1, 0, 0), "contradictory"),
        ((NA, NA, 1), NA),
        ((NA, 1), "contradictory"),
        ((1, "unreadable", 1), 1),
        ((1, "refused", "refused", 1), "refused"),  # two of four are not more than half
        ((1, "refused", "unreadable", "unreadable"), "unreadable"),
        (("empty", "refused"), "empty"),
        ((1, "provider_error", 0), "provider_error"),
        ((1, 1, "provider_error"), 1),  # whatever the third would say
        ((1, 1, "budget", "missing"), "budget"),  # two may still come for another level
        ((1, 1, 1, "budget", 0), 1),
        ((1, 1, "unreadable", "budget"), "budget"),  # or leave too few
        (("missing", "unreadable", "unreadable"), "missing"),
    ],
)
def test_a_majority(said: tuple[Said, ...], expected: Said) -> None:
    """Of the usable votes, if more than half are; what never came may still decide."""
    assert told(replicates(*said)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((0, 4, 1), 1),
        ((0, 4, 4, 1, 1), 1),
        ((2, 2), 2),
        ((0, 2, 2, 4), 2),
        ((1, 2), "contradictory"),
        ((0, 1, 3, 4), "contradictory"),
        ((0, "unreadable", 4, 3), 3),
        ((0, "unreadable", "unreadable"), "unreadable"),
        ((NA, NA, 2), NA),
        ((NA, 2), "contradictory"),
        ((NA, 2, 3, 3), 3),
        ((1, 1, "budget"), 1),  # the middle whatever the third is
        ((1, 2, "budget"), "budget"),
        ((1, 1, 0, "budget"), "budget"),  # a second 0 leaves no single middle
        ((1, 2, 2, "budget", "budget"), "budget"),  # two more below make it 1
    ],
)
def test_a_median(said: tuple[Said, ...], expected: Said) -> None:
    """The middle level; an even number may have two, and then has none."""
    assert told(replicates(*said, rule="median")) == expected


@pytest.mark.parametrize(
    ("ab", "ba", "tie", "unjudged"),
    [
        (0, 0, 0, 0),
        (2, 2, 2, 2),
        (0, 1, 2, "contradictory"),
        (0, 2, 2, "contradictory"),
        (NA, NA, NA, NA),
        (0, NA, "contradictory", "contradictory"),
        (0, "unreadable", "unreadable", "unreadable"),
        ("refused", "unreadable", "refused", "refused"),
        ("refused", "provider_error", "provider_error", "provider_error"),
    ],
)
def test_two_orders(ab: Said, ba: Said, tie: Said, unjudged: Said) -> None:
    """They agree, or it is a tie, or unjudged, by what the judge declares."""
    assert told(orders(ab, ba)) == tie
    assert told(orders(ab, ba, inconsistent="unjudged")) == unjudged


def test_a_tie_on_a_scale_without_one_is_unjudged() -> None:
    """There is no level to give; the detail says what happened, and both replies are kept."""
    found = orders(0, 1, levels=TWO_SIDES)

    assert isinstance(found, Unjudged)
    assert (found.cause, found.detail) == ("contradictory", "the two orders disagree")
    assert [v.order for v in found.votes] == ["AB", "BA"]


def test_a_tie_of_two_orders_is_nobodys_reason() -> None:
    """What was said for A does not explain a tie."""
    found = combined(
        judge("pairwise"),
        Judgment("a", "tone", 0, "A is longer", "{}", order="AB"),
        Judgment("a", "tone", 1, "B is longer", "{}", order="BA"),
    )

    assert isinstance(found, Judgment)
    assert (found.level, found.reason, found.raw, found.order) == (2, None, None, None)
    assert [v.level for v in found.votes if isinstance(v, Judgment)] == [0, 1]


def test_orders_come_before_members_and_replicates() -> None:
    """Two of three members are consistent for A; the four single replies for B do not outvote."""
    members = tuple(Member(model=name) for name in "xyz")
    of = judge("pairwise", panel=members)
    said = {(0, "AB"): 0, (0, "BA"): 0, (1, "AB"): 0, (1, "BA"): 0, (2, "AB"): 1, (2, "BA"): 1}
    votes = [vote(level, member=m, order=o) for (m, o), level in said.items()]

    found = combined(of, *votes)
    split = combined(of, *votes[2:], vote(0, member=0, order="AB"), vote(1, member=0, order="BA"))

    assert told(found) == 0
    assert found.votes == tuple(votes)
    assert told(split) == "contradictory"  # A, B and, of the inconsistent one, a tie


def test_an_order_that_never_came_leaves_its_member_open() -> None:
    """One call of four failed: the item is asked again, unless the rest decides."""
    of = judge("pairwise", replicates=2)
    votes = [vote(0, order=o, replicate=r) for r, o in product((0, 1), ("AB", "BA"))]

    assert told(combined(of, *votes[:3], vote("budget", order="BA", replicate=1))) == "budget"


def test_what_is_kept_of_several_votes() -> None:
    """The first reason for the level, every single outcome, and whether all came from the cache."""
    votes = [
        Judgment("a", "tone", 0, "bad", "r0", replicate=0, served="m", cached=True),
        Judgment("a", "tone", 3, "good", "r1", replicate=1, served="m", cached=True),
        Judgment("a", "tone", 3, "fine", "r2", replicate=2, served="m", cached=False),
    ]

    found = combined(judge(replicates=3), *votes)

    assert isinstance(found, Judgment)
    assert (found.level, found.reason, found.raw, found.replicate) == (3, "good", "r1", 0)
    assert not found.cached
    assert found.votes == found.singles == tuple(votes)
    assert found.spread == {3: 2, 0: 1}


def test_one_string_scored_four_times_shows_its_spread() -> None:
    """Complaint 48: .2, .2, .7, .7 for the same string is no score, and says what it was."""
    found = replicates(1, 1, 3, 3)

    assert isinstance(found, Unjudged)
    assert found.spread == {1: 2, 3: 2}
    assert found.detail == "no majority: 4 votes, and no level has more than 2"


def test_too_few_usable_votes_say_so() -> None:
    """With the numbers, and what was wrong with most."""
    found = combined(
        judge(replicates=3),
        vote(1),
        vote("refused", replicate=1, detail="'I cannot'"),
        vote("refused", replicate=2),
    )

    assert isinstance(found, Unjudged)
    assert found.detail == "1 of 3 votes are usable, more than half are needed: 'I cannot'"


def test_probabilities_are_the_mean_of_the_votes() -> None:
    """Of all usable ones, whichever level they gave; none where one of them has none."""
    votes = [
        Judgment("a", "tone", 0, probabilities=(0.8, 0.2), replicate=0),
        Judgment("a", "tone", 0, probabilities=(0.6, 0.4), replicate=1),
        Judgment("a", "tone", 1, probabilities=(0.1, 0.9), replicate=2),
    ]
    of = judge("binary", replicates=3)

    found = combined(of, *votes)
    bare = combined(of, *votes[:2], Judgment("a", "tone", 1, replicate=2))

    assert isinstance(found, Judgment)
    assert found.probabilities == pytest.approx((0.5, 0.5))
    assert isinstance(bare, Judgment)
    assert bare.probabilities is None


SAID = st.one_of(st.integers(0, 2), st.just(NA), st.sampled_from(CAUSES))


@given(
    st.lists(SAID, min_size=2, max_size=7), st.randoms(), st.sampled_from(["majority", "median"])
)
def test_no_vote_is_lost_and_the_order_of_votes_decides_nothing(
    said: list[Said], shuffle: Any, rule: Any
) -> None:
    """Levels do not depend on which vote came first, and every vote is kept."""
    votes = [vote(one, replicate=i) for i, one in enumerate(said)]
    mixed = list(votes)
    shuffle.shuffle(mixed)

    found, again = settle_votes(votes, rule), settle_votes(mixed, rule)

    assert found.votes == tuple(votes)
    assert isinstance(found, Judgment) == isinstance(again, Judgment)
    if isinstance(found, Judgment):
        assert told(found) == told(again)


@given(st.lists(SAID, min_size=2, max_size=6), st.sampled_from(["majority", "median"]))
def test_a_level_given_early_is_the_level_whatever_comes(said: list[Said], rule: Any) -> None:
    """Where votes are missing and there is a level all the same, no answer to them changes it."""
    missing = [i for i, one in enumerate(said) if one in INCOMPLETE]
    early = settle_votes([vote(one, replicate=i) for i, one in enumerate(said)], rule)
    if isinstance(early, Unjudged) or len(missing) > 2:
        return
    for late in product((0, 1, 2, NA, "unreadable"), repeat=len(missing)):
        filled = list(said)
        for i, one in zip(missing, late, strict=True):
            filled[i] = one
        full = settle_votes([vote(one, replicate=i) for i, one in enumerate(filled)], rule)

        assert told(full) == told(early)


@given(st.lists(SAID, min_size=2, max_size=7))
def test_a_level_has_more_than_half_of_the_votes_usable(said: list[Said]) -> None:
    """And no other level as often, by a count of its own."""
    found = settle_votes([vote(one, replicate=i) for i, one in enumerate(said)])
    usable = [one for one in said if one == NA or isinstance(one, int)]

    if isinstance(found, Judgment):
        assert 2 * len(usable) > len(said)
        assert all(usable.count(told(found)) > usable.count(o) for o in usable if o != told(found))
