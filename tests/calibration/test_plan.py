from typing import Any

import numpy as np
import pytest

from judgekit.calibration.decide import decide
from judgekit.calibration.measure import measure
from judgekit.calibration.pairs import for_the_gate
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.world import clears
from judgekit.stats import bounds, critical, quadratic
from tests.calibration.make import needed, spec, table_rows, verdict

SOFT = [[6, 3, 1, 0, 0], [1, 6, 3, 0, 0], [0, 2, 7, 2, 0], [0, 0, 2, 6, 2], [0, 0, 0, 2, 8]]

THREE = ScaleSpec(
    kind="ordinal", values=(1, 2, 3), names=("1", "2", "3"), passes=None, weights="quadratic"
)


def drawn(
    rows: tuple[Row, ...], scale: ScaleSpec, more: int, rng: np.random.Generator
) -> list[Row]:
    """The rows with ``more`` items added, each drawn from the observed table."""
    pairs = for_the_gate(rows, scale)
    cells = rng.integers(0, len(pairs), more)
    k = len(scale.values)
    new = [
        Row(
            f"new{n}",
            rater="ann",
            human=int(pairs.human[cell]),
            judge=int(pairs.judge[cell]) if pairs.judge[cell] < k else None,
            judge_na=bool(pairs.judge[cell] == k),
            cause="unreadable" if pairs.judge[cell] == k + 1 else None,
        )
        for n, cell in enumerate(cells)
    ]
    return [*rows, *new]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("scale", "rows"),
    [
        (spec("binary"), table_rows([[17, 2], [1, 16]])),
        (spec("binary"), table_rows([[30, 1], [0, 6]], {"unreadable": 1})),
        (spec("nominal"), table_rows([[30, 2, 1], [3, 4, 1], [0, 1, 25]], na={0: 1})),
        (spec("ordinal", passes_at=3), table_rows(SOFT)),
    ],
    ids=["binary", "rare", "nominal", "pass line"],
)
def test_that_many_labels_decide_in_four_cases_of_five(
    scale: ScaleSpec, rows: tuple[Row, ...]
) -> None:
    """A thousand times: add as many labels as it says, and let the gate decide at the next look."""
    more, policy = needed(rows, scale).items, Policy()
    rng = np.random.default_rng(11)

    decided = 0
    for _ in range(1000):
        grown = drawn(rows, scale, more, rng)
        found = decide(grown, scale, measure(grown, scale), policy, look=2)
        decided += found.verdict != "inconclusive"

    assert verdict(rows, scale).verdict == "inconclusive"
    assert decided >= 800


@pytest.mark.parametrize(
    ("scale", "rows", "policy"),
    [
        (THREE, table_rows([[12, 7, 0], [0, 12, 7], [0, 0, 12]]), Policy()),
        (spec("binary"), table_rows([[4, 0], [0, 4]]), Policy()),
        (spec("binary"), table_rows([[25, 3], [4, 28]]), Policy(min_agreement=0.5)),
    ],
    ids=["shift", "few", "lower bar"],
)
def test_a_fair_share_of_that_many_decide(
    scale: ScaleSpec, rows: tuple[Row, ...], policy: Policy
) -> None:
    """The quick form of the test above, for what stands in the way elsewhere."""
    more, rng = needed(rows, scale, policy).items, np.random.default_rng(5)

    grown = [drawn(rows, scale, more, rng) for _ in range(60)]
    decided = sum(
        decide(g, scale, measure(g, scale), policy, look=2).verdict != "inconclusive" for g in grown
    )

    # 0.8 of 60 is 48; 40 is more than two standard errors below
    assert decided >= 40


@pytest.mark.parametrize("asked", [0.2, 0.6, 0.8])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_short_way_to_the_low_end_agrees_with_the_long(k: int, asked: float) -> None:
    """Asking once where the path crosses the bar gives what the whole interval gives."""
    rng = np.random.default_rng(k)
    noise = rng.integers(0, 8, (400, k, k)) + rng.integers(0, 60, (400, 1, 1)) * np.eye(k)
    tables, weights = noise * rng.integers(1, 4, (400, 1, 1)), quadratic(np.arange(k, dtype=float))

    low, _ = bounds(tables, weights, z=critical(0.975))

    found = clears(tables, weights, critical(0.975), asked)
    assert 0 < found.sum() < 400
    assert (found == (low >= asked)).all()


def test_a_better_judge_needs_fewer() -> None:
    """The farther from the bar, the sooner it is decided."""
    clear = needed(table_rows([[14, 1], [0, 13]]), spec("binary")).items
    close = needed(table_rows([[12, 2], [2, 12]]), spec("binary")).items

    assert 0 < clear < close


def test_one_rare_class_costs_labels() -> None:
    """Ten labels of a level that comes once in twenty take long."""
    rare = needed(table_rows([[3, 0], [0, 57]]), spec("binary")).items

    # seven more at 5%: 140 on average
    assert 100 < rare < 400


def test_the_next_look_is_harder() -> None:
    """Later looks ask for more."""
    rows = table_rows([[25, 3], [4, 28]])

    first, third = (needed(rows, spec("binary"), look=k).items for k in (1, 3))

    assert third > first


def test_clusters_count() -> None:
    """Three outputs of a case that stand and fall together are one: three times as many needed."""
    plain = table_rows([[25, 3], [4, 28]])
    cased = [Row(f"{r.item}-{n}", r.item, "ann", r.human, r.judge) for r in plain for n in range(3)]

    ratio = needed(cased, spec("binary")).items / needed(plain, spec("binary")).items

    assert 2.4 < ratio < 4


def test_the_same_dice_give_the_same_number() -> None:
    """A re-run says the same."""
    rows = table_rows([[25, 3], [4, 28]])

    assert needed(rows, spec("binary")) == needed(rows, spec("binary"))


@pytest.mark.parametrize(
    ("rows", "more", "why"),
    [
        (table_rows([[0, 0], [0, 50]]), {}, "no label at all for bad"),
        (table_rows([[25, 3], [4, 28]]), {"look": 5}, "fresh labels are needed"),
        (table_rows([[25, 3], [4, 28]], {"refused": 10}), {}, "unusable"),
        (table_rows([[10, 0], [0, 0]], {"refused": 10}, human=1), {}, "unusable"),
        ((Row("i", rater="ann", human=0, cause="missing"),), {}, "no label at all for bad, good"),
    ],
)
def test_where_no_number_helps_it_says_why(
    rows: tuple[Row, ...], more: dict[str, Any], why: str
) -> None:
    """Null with a reason."""
    found = needed(rows, spec("binary"), **more)

    assert found.items is None
    assert why in found.why


def test_nothing_judged_yet() -> None:
    """Labels of both levels, and not one answer."""
    rows = table_rows([], {"unreadable": 5}, human=0) + table_rows(
        [], {"unreadable": 5}, human=1, first=50
    )

    assert needed(rows, spec("binary")).why == "nothing was measured yet"


def test_too_few_cases() -> None:
    """Fifty outputs of five cases: more of the same cases would not help."""
    rows = [Row(f"i{n}", f"c{n % 5}", "ann", n % 2, n % 2) for n in range(50)]

    assert tally(rows).judged == 50
    assert "cases" in needed(rows, spec("binary")).why


def test_a_judge_at_the_bar_is_never_decided() -> None:
    """Kappa 0.60, asked 0.60: no number of labels tells on which side it is."""
    found = needed(table_rows([[40, 10], [10, 40]]), spec("binary"))

    assert found.items is None
    assert "at the bar itself" in found.why


def test_replies_at_the_limit_of_the_unusable() -> None:
    """With 95% usable, asked 95%, every second larger set falls below."""
    found = needed(table_rows([[32, 5], [5, 34]], {"unreadable": 4}), spec("binary"))

    assert found.items is None
    assert "unusable" in found.why
