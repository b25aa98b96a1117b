from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from judgekit.calibration.decide import decide
from judgekit.calibration.measure import measure
from judgekit.calibration.pairs import agreement_weights, for_the_gate
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row, ScaleSpec, tally
from judgekit.calibration.units import Kinds
from judgekit.calibration.world import World, clears
from judgekit.stats import Undefined, bounds, contingency, critical, influence, quadratic
from judgekit.stats.clusters import clustering
from tests.calibration.make import needed, spec, table_rows, verdict

SOFT = [[6, 3, 1, 0, 0], [1, 6, 3, 0, 0], [0, 2, 7, 2, 0], [0, 0, 2, 6, 2], [0, 0, 0, 2, 8]]

THREE = ScaleSpec(
    kind="ordinal", values=(1, 2, 3), names=("1", "2", "3"), passes=None, weights="quadratic"
)


def grown(rows: Sequence[Row], scale: ScaleSpec, more: int, rng: np.random.Generator) -> list[Row]:
    """The rows with ``more`` items added: whole cases, drawn from the observed ones."""
    cases: dict[str, list[Row]] = {}
    for row in rows:
        cases.setdefault(row.case or row.item, []).append(row)
    by_stratum: dict[str, list[list[Row]]] = {}
    for own in cases.values():
        by_stratum.setdefault(own[0].stratum or "", []).append(own)
    new: list[Row] = []
    per_case = len({row.item for row in rows}) / len(cases)
    for stratum, held in by_stratum.items():
        for n in range(round(more / per_case * len(held) / len(cases))):
            name = f"new{stratum}{n}"
            own = held[int(rng.integers(len(held)))]
            new += [replace(r, item=f"{name}-{r.item}", case=r.case and name) for r in own]
    return [*rows, *new]


def cased(n: int, per_case: int, right: float, seed: int) -> tuple[Row, ...]:
    """Binary outputs of cases that half repeat their case, and a judge right so often."""
    rng = np.random.default_rng(seed)
    case = np.arange(n) // per_case
    common, copies = rng.random((2, case[-1] + 1)), rng.random(n) < 0.5
    own = rng.random((2, n))
    level, luck = np.where(copies, common[:, case], own)
    human = (level < 0.5).astype(int)
    judge = np.where(luck < right, human, 1 - human)
    return tuple(
        Row(f"i{i:03}", f"c{case[i]}", "ann", int(human[i]), int(judge[i])) for i in range(n)
    )


def rated(n: int, raters: int, seed: int) -> tuple[Row, ...]:
    """Items with several raters, each of whom, like the judge, now and then slips."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    said = np.where(rng.random((n, raters + 1)) < 0.93, truth[:, None], 1 - truth[:, None])
    return tuple(
        Row(f"i{i:03}", None, f"r{r}", int(said[i, r]), int(said[i, raters]))
        for i in range(n)
        for r in range(raters)
    )


def enriched() -> tuple[Row, ...]:
    """Half of the labels spent on the tenth that the judge fails, with weights and strata."""
    failed = table_rows([[35, 0], [5, 0]])
    passed = table_rows([[0, 2], [0, 38]], first=100)
    return (
        *(replace(r, weight=0.2, stratum="failed") for r in failed),
        *(replace(r, weight=1.8, stratum="passed") for r in passed),
    )


def enriched_cases() -> tuple[Row, ...]:
    """Cases of two, a third of them light: another stratum."""
    return tuple(
        replace(r, weight=0.4 if int(r.item[1:]) < 40 else 1.3, stratum=str(int(r.item[1:]) < 40))
        for r in cased(120, 2, 0.9, 2)
    )


WORLDS: dict[str, tuple[ScaleSpec, Sequence[Row]]] = {
    "binary": (spec("binary"), table_rows([[17, 2], [1, 16]])),
    "rare": (spec("binary"), table_rows([[30, 1], [0, 6]], {"unreadable": 1})),
    "90/10": (spec("binary"), table_rows([[9, 2], [1, 88]])),
    "nominal": (spec("nominal"), table_rows([[30, 2, 1], [3, 4, 1], [0, 1, 25]], na={0: 1})),
    "pass line": (spec("ordinal", passes_at=3), table_rows(SOFT)),
    "no pass line": (THREE, table_rows([[12, 7, 0], [0, 12, 7], [0, 0, 12]])),
    "cases": (spec("binary"), cased(80, 4, 0.9, 5)),
    "raters": (spec("binary"), rated(40, 3, 7)),
    "enriched": (spec("binary"), enriched()),
    "enriched cases": (spec("binary"), enriched_cases()),
}


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [n for n in WORLDS if n not in {"no pass line", "enriched cases"}])
def test_that_many_labels_decide_in_four_cases_of_five(name: str) -> None:
    """Many times: add as many labels as it says, and let the gate decide at the next look."""
    scale, rows = WORLDS[name]
    more, policy = needed(rows, scale).items, Policy()
    rng, runs = np.random.default_rng(11), 1000 if name in {"binary", "cases"} else 250

    decided = 0
    for _ in range(runs):
        more_rows = grown(rows, scale, more, rng)
        found = decide(more_rows, scale, measure(more_rows, scale), policy, look=2)
        decided += found.verdict != "inconclusive"

    assert verdict(rows, scale).verdict == "inconclusive"
    # the tolerance is two standard errors where fewer than 1000 were tried
    assert decided / runs >= 0.8 - (0 if runs == 1000 else 2 * (0.8 * 0.2 / runs) ** 0.5)


@pytest.mark.parametrize(
    ("scale", "rows", "policy"),
    [
        (*WORLDS["no pass line"], Policy()),
        (spec("binary"), table_rows([[4, 0], [0, 4]]), Policy()),
        (spec("binary"), table_rows([[25, 3], [4, 28]]), Policy(min_agreement=0.5)),
        (*WORLDS["cases"], Policy()),
    ],
    ids=["shift", "few", "lower bar", "cases"],
)
def test_a_fair_share_of_that_many_decide(
    scale: ScaleSpec, rows: tuple[Row, ...], policy: Policy
) -> None:
    """The quick form of the test above, for what stands in the way elsewhere."""
    more, rng = needed(rows, scale, policy).items, np.random.default_rng(5)

    sets = [grown(rows, scale, more, rng) for _ in range(60)]
    decided = sum(
        decide(g, scale, measure(g, scale), policy, look=2).verdict != "inconclusive" for g in sets
    )

    # 0.8 of 60 is 48; 40 is more than two standard errors below
    assert decided >= 40


def rows_of(kinds: Kinds, times: np.ndarray, k: int) -> list[Row]:
    """Evidence rows of a sample in which each kind of unit stands so often."""
    rows: list[Row] = []
    for kind, often in enumerate(times.astype(int)):
        held = np.flatnonzero(kinds.unit == kind)
        for copy in range(often):
            for number, pair in enumerate(held):
                judge = int(kinds.judge[pair])
                raters = kinds.clustered and not kinds.cases
                rows.append(
                    Row(
                        f"{kind}-{copy}" if raters else f"{kind}-{copy}-{number}",
                        case=f"{kind}-{copy}" if kinds.cases else None,
                        rater=f"r{number}" if raters else "ann",
                        human=int(kinds.human[pair]),
                        judge=judge if judge < k else None,
                        judge_na=judge == k,
                        cause="unreadable" if judge == k + 1 else None,
                        weight=None if kinds.weight is None else float(kinds.weight[pair]),
                        stratum=str(kinds.stratum[kind]) if kinds.strata > 1 else None,
                    )
                )
    return rows


def effect_of(rows: Sequence[Row], scale: ScaleSpec) -> tuple[float | None, Any]:
    """Degrees of freedom and design effect of kappa, as the gate finds them."""
    pairs = for_the_gate(rows, scale)
    pull = influence(pairs.table(), agreement_weights(scale, pairs.extra))
    assert not isinstance(pull, Undefined)
    found = clustering(pull[pairs.human, pairs.judge], pairs)
    return found.df, pytest.approx(found.design_effect)


@pytest.mark.parametrize("look", [2, 4])
@pytest.mark.parametrize("name", WORLDS)
def test_drawn_samples_meet_the_gate_itself(name: str, look: int) -> None:
    """Each drawn sample is decided in the simulation as the gate decides on its rows."""
    scale, rows = WORLDS[name]
    policy, more = Policy(), needed(rows, scale).items // 2
    world = World(rows, scale, measure(rows, scale), policy, look)
    sampled = world._sample(more, np.random.default_rng(look), 12)

    found = world._held(sampled, more).decided
    effects = sampled.kinds.kappa_effects(sampled.tables, world.weights, sampled.times)

    for run in range(12):
        own = rows_of(world.kinds, sampled.times[run], len(scale.values))
        decision = decide(own, scale, measure(own, scale), policy, look=look)
        assert bool(found[run]) == (decision.verdict != "inconclusive"), decision
        assert (sampled.df, effects[run]) == effect_of(own, scale)
        pairs = for_the_gate(own, scale)
        plain = contingency(pairs.human, pairs.judge, pairs.k)
        np.testing.assert_array_equal(sampled.counts[run], plain)
    assert look > 2 or set(found.tolist()) == {False, True}


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
    thrice = [
        Row(f"{r.item}-{n}", r.item, "ann", r.human, r.judge) for r in plain for n in range(3)
    ]

    ratio = needed(thrice, spec("binary")).items / needed(plain, spec("binary")).items

    assert 2.4 < ratio < 4


def test_units_of_one_kind_are_kept_once() -> None:
    """A thousand binary items have four kinds; cases are told apart by what they hold."""
    plain = Kinds.of(for_the_gate(table_rows([[400, 50], [50, 500]]), spec("binary")))
    cases = Kinds.of(for_the_gate(cased(80, 2, 0.8, 1), spec("binary")))

    assert (plain.often.size, plain.often.sum(), plain.plain) == (4, 1000, True)
    assert cases.often.sum() == 40
    assert cases.often.size <= 10  # two of four cells, in any order
    assert np.bincount(cases.unit).tolist() == [2] * cases.often.size


def test_more_labels_are_spent_on_strata_as_before() -> None:
    """Thirty labels of one stratum and ten of another: of eight more, six and two."""
    rows = [
        Row(f"i{i}", None, "ann", i % 2, i % 2, weight=1 + (i < 30), stratum=str(i < 30))
        for i in range(40)
    ]
    kinds = Kinds.of(for_the_gate(rows, spec("binary")))

    times = kinds.more(8, 5, np.random.default_rng(0))

    held = times @ (kinds.stratum[:, None] == np.arange(2))
    assert held.tolist() == [[36, 12]] * 5


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


def test_people_who_disagree_are_no_matter_of_more_labels() -> None:
    """The rubric is at fault, and a route for taste needs three raters: no number is given."""
    rng = np.random.default_rng(5)
    quality = rng.random(120)
    ratings = [(quality + rng.normal(0, 0.6, 120) > 0.5).astype(int) for _ in range(2)]
    rows = [
        Row(f"i{i}", rater=name, human=int(said[i]), judge=int(quality[i] > 0.5))
        for name, said in zip(("ann", "bob"), ratings, strict=True)
        for i in range(120)
    ]
    of = spec("binary")

    assert "people agree too little" in str(needed(rows, of).why)
    assert "three raters" in str(needed(rows, of, Policy(route="human-level")).why)


def test_labels_that_tell_the_judge_from_length() -> None:
    """Agreement is decided, and length is still about as good: more labels are asked for."""
    rng = np.random.default_rng(8)
    human = rng.integers(0, 2, 60)
    long = np.where(rng.random(60) < 0.93, human, 1 - human)
    judge = np.where(rng.random(60) < 0.95, human, 1 - human)
    rows = [
        Row(f"i{i}", rater="ann", human=int(h), judge=int(j), length=100 + 400 * int(x) + i)
        for i, (h, j, x) in enumerate(zip(human, judge, long, strict=True))
    ]
    of = spec("binary")
    with_it, without = (needed(rows, of, Policy(beat_length=b)).items for b in (True, False))

    assert with_it is not None
    assert without is not None
    assert with_it > 2 * without
