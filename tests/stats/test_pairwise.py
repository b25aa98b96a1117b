import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.stats import Estimate, Pairs, Undefined, newcombe_paired, raw_agreement, wilson
from judgekit.stats.pairwise import (
    NO_VERDICT,
    TIE,
    A,
    B,
    agreement_s1,
    agreement_s2,
    both_orders,
    coverage_s2,
    first_slot_lead,
    position_consistency,
)
from tests.stats.strategies import pairs_of, unhurried

TABLE = np.array([[12.0, 3, 2], [4, 5, 1], [1, 2, 10]])
VERDICTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def estimate(found: Estimate | Undefined) -> Estimate:
    """The estimate, where there must be one."""
    assert isinstance(found, Estimate)
    return found


def ends(successes: int, n: int) -> tuple[float, float, float]:
    """Share and Wilson's interval."""
    found = estimate(wilson(successes, n))
    return found.value, found.low, found.high


def test_two_set_ups_by_hand() -> None:
    """27 of 40 with ties; 22 of the 25 where both chose; 25 of 40 is what that covers."""
    pairs = pairs_of(TABLE)
    for found, expected in (
        (estimate(agreement_s1(pairs)), ends(27, 40)),
        (estimate(agreement_s2(pairs)), ends(22, 25)),
        (estimate(coverage_s2(pairs)), ends(25, 40)),
    ):
        assert (found.value, found.low, found.high) == expected
    assert estimate(agreement_s2(pairs)).n == 25
    assert estimate(agreement_s1(pairs)).method == "agreement_s1/wilson"


def test_no_verdict_disagrees_and_is_not_covered() -> None:
    """Three unreadable answers are in the denominator of S1 and of the coverage, not of S2."""
    wider = np.pad(TABLE, (0, 1))
    wider[0, 3] = 3
    pairs = pairs_of(wider, extra=1)

    assert estimate(agreement_s1(pairs)).value == 27 / 43
    assert estimate(agreement_s2(pairs)).value == 22 / 25
    assert estimate(coverage_s2(pairs)).value == 25 / 43


def test_a_judge_that_only_ties() -> None:
    """S2 has nothing to speak of, and says so."""
    pairs = pairs_of(np.array([[0.0, 5, 0], [0, 3, 0], [0, 4, 0]]))

    assert agreement_s2(pairs) == Undefined("empty", 0, "agreement_s2/wilson", 0)
    assert estimate(coverage_s2(pairs)).value == 0


def test_the_scale_has_three_verdicts() -> None:
    """Another scale is misuse."""
    for figure in (agreement_s1, agreement_s2, coverage_s2):
        with pytest.raises(ValueError, match="has 2 levels"):
            figure(pairs_of(np.eye(2)))


def test_both_orders() -> None:
    """The same verdict stays, another becomes a tie, none stays none."""
    found = both_orders([A, B, TIE, A, A, NO_VERDICT], [A, B, TIE, B, TIE, NO_VERDICT])

    assert found.tolist() == [A, B, TIE, TIE, TIE, NO_VERDICT]
    assert both_orders([A], [NO_VERDICT]).tolist() == [NO_VERDICT]


def test_position_by_hand() -> None:
    """Ten pairs: 5 stay, 3 go to the first slot twice, 1 to the second, 1 has no verdict."""
    first = [A, A, B, TIE, TIE, A, A, A, B, NO_VERDICT]
    second = [A, A, B, TIE, TIE, B, B, B, A, NO_VERDICT]
    stays, lead = position_consistency(first, second), first_slot_lead(first, second)

    assert (estimate(stays).value, estimate(stays).low, estimate(stays).high) == ends(5, 10)
    # decided in both orders: 2 A A, 3 A B, 1 B A, 1 B B
    expected = estimate(newcombe_paired([[2, 3], [1, 1]]))
    found = estimate(lead)
    assert (found.value, found.low, found.high) == (2 / 7, expected.low, expected.high)
    assert (found.n, found.method) == (7, "first_slot_lead/newcombe")


def test_slots_are_not_candidates() -> None:
    """A judge that always takes the first slot is never consistent and leads by 1."""
    first, second = [A] * 12, [B] * 12

    assert estimate(position_consistency(first, second)).value == 0
    assert estimate(first_slot_lead(first, second)).value == 1
    assert estimate(first_slot_lead(second, first)).value == -1


def test_clusters_and_weights() -> None:
    """Four copies in a cluster are worth one; a weight of 3 counts three times."""
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 3, 40), rng.integers(0, 3, 40)
    clusters = np.arange(40).repeat(4)
    for figure in (position_consistency, first_slot_lead):
        plain = estimate(figure(first, second))
        four = estimate(figure(first.repeat(4), second.repeat(4), clusters=clusters))
        assert (four.value, four.low) == pytest.approx((plain.value, plain.low), abs=0.03)
        few = figure(first[:18], second[:18], clusters=np.arange(18) // 2)
        assert isinstance(few, Undefined)
    weighted = position_consistency([A, A, B, B], [A, B, A, A], weight=[3.0, 1, 1, 1])
    assert estimate(weighted).value == pytest.approx(0.5)


def test_undefined_and_misuse() -> None:
    """Nothing; nothing decided; other lengths; no such verdict."""
    assert position_consistency([], []) == Undefined("empty", 0, "position_consistency/wilson", 0)
    for verdicts in ([], [TIE, TIE]):
        found = first_slot_lead(verdicts, verdicts)
        assert found == Undefined("empty", 0, "first_slot_lead/newcombe", 0)
    with pytest.raises(ValueError, match="2 verdicts"):
        both_orders([A, A], [B])
    with pytest.raises(ValueError, match="code 4"):
        position_consistency([4], [0])


@given(VERDICTS)
@unhurried
def test_renaming_the_candidates_changes_nothing(rows: list[tuple[int, int]]) -> None:
    """A and B may swap names, when the orders swap with them."""
    first, second = (np.array(side) for side in zip(*rows, strict=True))
    swap = np.array([B, TIE, A, NO_VERDICT])

    here = position_consistency(first, second)
    assert position_consistency(swap[second], swap[first]) == here
    lead, other = first_slot_lead(first, second), first_slot_lead(swap[second], swap[first])
    if isinstance(lead, Estimate):
        assert isinstance(other, Estimate)
        assert (other.value, other.low) == pytest.approx((lead.value, lead.low))


@given(VERDICTS)
@unhurried
def test_agreement_with_both_orders(rows: list[tuple[int, int]]) -> None:
    """S1 is raw agreement; S2 and its coverage account for S1 without agreed ties."""
    human, judge = (np.array(side) for side in zip(*rows, strict=True))
    pairs = Pairs(np.minimum(human, 2), judge, 4, extra=1)
    one, two, share = agreement_s1(pairs), agreement_s2(pairs), coverage_s2(pairs)
    ties = np.mean((pairs.human == TIE) & (judge == TIE))

    assert estimate(one).value == pytest.approx(float(raw_agreement(pairs.table())))  # type: ignore[arg-type]
    value = 0.0 if isinstance(two, Undefined) else two.value
    assert value * estimate(share).value + ties == pytest.approx(estimate(one).value)
