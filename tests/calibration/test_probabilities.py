"""What a judge's probabilities are worth: expected levels, and events that happen as often as said.

Rows are made with seeds of their own; probabilities are known to be right, or wrong in a known way.
"""

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, log_loss

from judgekit.calibration import forecasts
from judgekit.calibration.forecasts import LEAST_ITEMS, Quality
from judgekit.calibration.probabilities import (
    ProbabilityEvidence,
    captured_mass,
    likeliest,
    probability_evidence,
)
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.stats.estimate import Undefined
from judgekit.stats.probability import Forecasts
from judgekit.stats.reliability import ece
from judgekit.stats.token_levels import expected_level
from tests.calibration.make import spec

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "llm_rubric_real"
BINARY, FIVE = spec("binary"), spec("ordinal", passes_at=3)
NO_LINE = spec("ordinal")


def evidence(
    rows: list[Row], of: ScaleSpec, probabilities: dict[str, Any], seed: int = 5
) -> ProbabilityEvidence:
    """The evidence, with dice of a fixed seed."""
    return probability_evidence(rows, of, probabilities, np.random.default_rng(seed))


def forecast(
    n: int, seed: int = 1, *, raters: int = 1, power: float = 1.0, loyal: float = 0.9
) -> tuple[list[Row], dict[str, tuple[float, ...]]]:
    """Binary items whose pass has the probability p; the judge says p exaggerated by ``power``.

    Raters say the same of an item (``loyal``), or decide on their own.
    """
    rng = np.random.default_rng(seed)
    rows, said = [], {}
    for i in range(n):
        p, common = rng.random(), rng.random()
        odds = (p / (1 - p)) ** power
        said[f"i{i}"] = (float(odds / (1 + odds)),)
        for rater in range(raters):
            draw = common if rng.random() < loyal else rng.random()
            rows.append(Row(f"i{i}", rater=f"r{rater}", human=int(draw < p), judge=int(p > 0.5)))
    return rows, said


def graded(n: int, seed: int = 2) -> tuple[list[Row], dict[str, tuple[float, ...]]]:
    """Items of five levels, and probabilities whose total is the captured mass."""
    rng = np.random.default_rng(seed)
    rows, said = [], {}
    for i in range(n):
        shares = rng.dirichlet(np.full(5, 0.7))
        human = int(rng.choice(5, p=shares))
        said[f"i{i}"] = tuple(map(float, shares * rng.choice([1.0, 0.95, 0.8, 0.3])))
        rows.append(Row(f"i{i}", rater="ann", human=human, judge=int(shares.argmax())))
    return rows, said


# --- The expected level --------------------------------------------------------------------------


@pytest.mark.skipif(not REAL.is_dir(), reason="llm_rubric_real is not beside this checkout")
def test_published_expected_levels() -> None:
    """Criterion Q0 of LLM-Rubric: all five figures of its README, to six decimals."""
    with (REAL / "labels.csv").open(encoding="utf-8", newline="") as file:
        human = {r["item_id"]: int(r["label"]) for r in csv.DictReader(file)}
    judged = map(json.loads, (REAL / "judgments.jsonl").read_text(encoding="utf-8").splitlines())
    said = {
        r["item_id"]: tuple(r["probs"])
        for r in judged
        if "probs" in r and r["item_id"].endswith("|Q0")
    }
    four = ScaleSpec(
        kind="ordinal",
        values=(1, 2, 3, 4),
        names=("1", "2", "3", "4"),
        passes=None,
        weights="quadratic",
    )
    rows = [Row(item, rater="one", human=human[item] - 1, cause="missing") for item in said]
    found = evidence(rows, four, said).expected
    published = json.loads((REAL / "meta.json").read_text(encoding="utf-8"))["published"]

    names = {"rmse": "root_mean_squared_error", "kendall": "kendall_tau_b", "mean": "mean_level"}
    assert len(said) == 223
    for name, value in published["values"]["Q0"]["expected"].items():
        assert found[names.get(name, name)].value == pytest.approx(value, abs=1.5e-6)
        assert found[names.get(name, name)].low < value < found[names.get(name, name)].high


@given(st.lists(st.floats(0, 0.2), min_size=5, max_size=5))
def test_an_expected_level_is_that_of_the_token_probabilities(shares: list[float]) -> None:
    """Scaled over the levels; none below half of the mass, as where single answers are read."""
    names = list("12345")
    listed = [(n, float(np.log(p))) for n, p in zip(names, shares, strict=True) if p > 0]
    wanted = expected_level(listed, names, [1.0, 2.0, 3.0, 4.0, 5.0])
    rows = [Row(i, rater="ann", human=0) for i in ("a", "b")]
    found = evidence(rows, NO_LINE, {"a": tuple(shares), "b": tuple(shares)})

    assert found.mass is not None
    assert found.mass.least == pytest.approx(wanted.captured_mass)
    if isinstance(wanted.value, Undefined):
        assert (found.items, found.without, found.mass.dropped) == (0, 2, 2)
        assert found.expected["mean_level"].undefined == "empty"
    else:
        assert found.items == 2
        assert found.expected["mean_level"].value == pytest.approx(wanted.value)
        assert found.mass.flagged == 2 * wanted.flagged


def test_errors_by_hand() -> None:
    """Expected levels 1.5 and 4 against 1 and 5: errors .5 and 1, never rounded to a level."""
    rows = [Row("a", rater="ann", human=0), Row("b", rater="ann", human=4)]
    said = {"a": (0.5, 0.5, 0.0, 0.0, 0.0), "b": (0.0, 0.0, 0.0, 1.0, 0.0)}
    found = evidence(rows, FIVE, said).expected

    assert found["mean_absolute_error"].value == pytest.approx(0.75)
    assert found["root_mean_squared_error"].value == pytest.approx(np.sqrt(1.25 / 2))
    assert found["signed_error"].value == pytest.approx((0.5 - 1) / 2)


def test_mass_is_counted_once_an_item() -> None:
    """Two raters do not make two answers of the judge."""
    rows = [Row(i, rater=r, human=0) for i in "abc" for r in ("ann", "bob")]
    said = {
        "a": (0.95, 0.0, 0.0, 0.0, 0.0),
        "b": (0.7, 0.0, 0.0, 0.0, 0.0),
        "c": (0.4, 0.0, 0.0, 0.0, 0.0),
    }
    found = evidence(rows, FIVE, said)

    assert found.mass is not None
    assert (found.mass.mean.n, found.mass.flagged, found.mass.dropped) == (3, 1, 1)
    assert found.mass.mean.value == pytest.approx((0.95 + 0.7 + 0.4) / 3)
    assert (found.items, found.without) == (2, 1)


def test_likeliest_level_and_verdict() -> None:
    """How often they are one; an item without a level of the judge is not compared."""
    rows = [
        Row("a", rater="ann", human=0, judge=1),
        Row("a", rater="bob", human=0, judge=1),
        Row("b", rater="ann", human=0, judge=0),
        Row("c", rater="ann", human=0, judge_na=True),
        Row("d", rater="ann", human=0, cause="refused"),
    ]
    found = evidence(rows, FIVE, dict.fromkeys("abcd", (0.1, 0.9, 0.0, 0.0, 0.0)))

    assert found.is_verdict == (1, 2)
    assert found.items == 4


def test_small_words() -> None:
    """The mass is 1 at most; of equally likely levels the first is taken."""
    assert captured_mass((0.5, 0.504)) == 1.0
    assert captured_mass((0.2, 0.1)) == pytest.approx(0.3)
    assert (likeliest((0.2, 0.4, 0.4)), likeliest((0.5,)), likeliest((0.6,))) == (1, 0, 1)


# --- Events --------------------------------------------------------------------------------------


def test_scores_are_those_of_scikit_learn() -> None:
    """Brier score and log loss, of one column, of two, and of the passing levels of five."""
    rows, said = forecast(150)
    y, p = [row.human for row in rows], [found[0] for found in said.values()]
    alone = evidence(rows, BINARY, said).forecasts.as_given
    both = {i: (0.5 * (1 - found[0]), 0.5 * found[0]) for i, found in said.items()}
    halved = evidence(rows, BINARY, both).forecasts.as_given
    grades, shares = graded(150)
    kept = [r for r in grades if captured_mass(shares[r.item]) >= 0.5]
    pass_p = [sum(shares[r.item][2:]) / sum(shares[r.item]) for r in kept]
    of_five = evidence(grades, FIVE, shares)
    passed = [int(r.human >= 2) for r in kept]

    for found in (alone, halved):
        assert found.brier.value == pytest.approx(brier_score_loss(y, p))
        assert found.log_loss.value == pytest.approx(log_loss(y, p))
    assert of_five.event == "pass"
    assert of_five.forecasts.as_given.brier.value == pytest.approx(brier_score_loss(passed, pass_p))
    assert of_five.forecasts.rate.value == pytest.approx(np.mean(passed))


def test_always_saying_the_rate() -> None:
    """Its Brier score is b (1 - b), its surprise the entropy of b."""
    rows, said = forecast(120)
    found = evidence(rows, BINARY, said).forecasts
    b = float(np.mean([row.human for row in rows]))

    assert found.rate.value == pytest.approx(b)
    assert found.base_rate["brier"].value == pytest.approx(b * (1 - b))
    entropy = -b * np.log(b) - (1 - b) * np.log(1 - b)
    assert found.base_rate["log_loss"].value == pytest.approx(entropy)


def test_bins_and_their_error() -> None:
    """Ten bins hold all pairs; the error follows from them."""
    rows, said = forecast(200, power=3)
    found = evidence(rows, BINARY, said).forecasts.as_given
    p, y = np.array([*said.values()])[:, 0], np.array([row.human for row in rows])

    assert [b.n for b in found.bins] == list(np.histogram(p, bins=10, range=(0, 1))[0])
    assert sum(found.happened) == y.sum()
    off = [
        abs(h - b.n * (b.forecast or 0)) for b, h in zip(found.bins, found.happened, strict=True)
    ]
    assert found.calibration.error.value == pytest.approx(sum(off) / 200)
    assert found.calibration.error.value == pytest.approx(ece(Forecasts(p, y)))
    assert found.calibration.floor is not None
    assert found.calibration.excess == pytest.approx(sum(off) / 200 - found.calibration.floor)


def test_exaggeration_is_seen_and_mended() -> None:
    """Odds cubed: above what chance gives; temperature and isotonic bring it down, out of fold."""
    rows, said = forecast(400, power=3)
    found = evidence(rows, BINARY, said).forecasts
    given_error = found.as_given.calibration

    assert given_error.error.value > given_error.floor_high
    assert given_error.error.low > 0
    for name in ("temperature", "isotonic"):
        mapped = found.mapped[name]
        assert isinstance(mapped, Quality)
        assert mapped.calibration.error.value < given_error.error.value / 2
        assert mapped.brier.value < found.as_given.brier.value


def test_without_a_pass_line_the_likeliest_level_is_the_event() -> None:
    """Its probability against its being the human's; temperature only where that is 1/2 or more."""
    rows, said = graded(120)
    kept = [r for r in rows if captured_mass(said[r.item]) >= 0.5]
    p = [max(said[r.item]) / sum(said[r.item]) for r in kept]
    right = [int(np.argmax(said[r.item]) == r.human) for r in kept]
    five, three = evidence(rows, NO_LINE, said), spec("nominal")
    of_three = evidence([Row("a", rater="ann", human=0)], three, {"a": (0.2, 0.3, 0.5)})
    two = ScaleSpec(
        kind="pairwise", values=("A", "B"), names=("A", "B"), passes=None, weights="unweighted"
    )
    of_two = evidence([Row("a", rater="ann", human=0)], two, {"a": (0.8, 0.2)})

    assert five.event == of_three.event == of_two.event == "likeliest"
    assert five.forecasts.as_given.brier.value == pytest.approx(brier_score_loss(right, p))
    assert set(five.forecasts.mapped) == set(of_three.forecasts.mapped) == {"isotonic"}
    assert set(of_two.forecasts.mapped) == {"temperature", "isotonic"}
    assert of_three.expected == of_two.expected == {}


# --- Raters, cases, weights ----------------------------------------------------------------------


def test_raters_are_pooled_and_clustered_by_item() -> None:
    """Items and pairs are told apart; agreeing raters make intervals hardly narrower."""
    rows, said = forecast(80, raters=3, loyal=1.0)
    one = evidence([r for r in rows if r.rater == "r0"], BINARY, said).forecasts.as_given
    all_three = evidence(rows, BINARY, said).forecasts.as_given
    brier, error = all_three.brier, all_three.calibration.error

    assert (brier.n, brier.pairs, brier.clusters) == (80, 240, 80)
    assert (error.n, error.pairs, error.clusters) == (80, 240, 80)
    assert brier.value == pytest.approx(one.brier.value)
    assert brier.high - brier.low > 0.9 * (one.brier.high - one.brier.low)


def test_agreeing_raters_do_not_make_right_forecasts_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The floor knows of the clusters: in 40 samples of right forecasts it is exceeded by chance.

    Drawn as if three raters were three items, it is exceeded in more than every third.
    """
    monkeypatch.setattr(forecasts, "_MOST_DRAWS", 300)
    above = plainly_above = 0
    for seed in range(40):
        rows, said = forecast(60, seed=seed, raters=3)
        found = evidence(rows, BINARY, said, seed).forecasts.as_given.calibration
        alone = evidence(
            [replace(r, item=f"{r.item} {r.rater}") for r in rows],
            BINARY,
            {f"{r.item} {r.rater}": said[r.item] for r in rows},
            seed,
        ).forecasts.as_given.calibration
        above += found.error.value > found.floor_high
        plainly_above += alone.error.value > alone.floor_high

    assert above <= 3
    assert plainly_above >= 12


def test_folds_keep_cases_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """One code for a case or a lone item, whatever the order of the rows."""
    seen: list[np.ndarray] = []

    def spy(told: Forecasts, fit: object, *, groups: np.ndarray, folds: int) -> np.ndarray:
        seen.append(groups)
        return told.p

    monkeypatch.setattr(forecasts, "out_of_fold", spy)
    rows, said = forecast(60, raters=2)
    rows = [replace(r, case=f"c{int(r.item[1:]) // 4}") for r in rows]
    evidence(rows, BINARY, said)
    evidence(rows[::-1], BINARY, said)
    codes = {row.case: set() for row in rows}
    for row, code in zip(rows, seen[0], strict=True):
        codes[row.case].add(int(code))

    assert all(len(found) == 1 for found in codes.values())
    assert len(set.union(*codes.values())) == 15
    assert list(seen[1][::-1]) == list(seen[0])


def test_isotonic_needs_its_items() -> None:
    """From 250 items on: 200 to fit it on and a fold to judge it on. Raters are no items."""
    enough, said = forecast(LEAST_ITEMS)
    few = evidence(enough[:-1], BINARY, said).forecasts.mapped["isotonic"]
    raters, said_too = forecast(LEAST_ITEMS // 2, raters=3)
    pooled = evidence(raters, BINARY, said_too).forecasts.mapped["isotonic"]

    assert LEAST_ITEMS == 250
    assert isinstance(evidence(enough, BINARY, said).forecasts.mapped["isotonic"], Quality)
    for found in (few, pooled):
        assert isinstance(found, Undefined)
        assert found.reason == "too_few_items"


def test_weights_count() -> None:
    """A row that stands for more counts for more, in every figure."""
    rows, said = forecast(60)
    rng = np.random.default_rng(8)
    rows = [replace(r, weight=float(rng.uniform(0.5, 3))) for r in rows]
    found = evidence(rows, BINARY, said).forecasts
    weight = np.array([r.weight for r in rows])
    y, p = np.array([r.human for r in rows]), np.array([said[r.item][0] for r in rows])

    assert found.rate.value == pytest.approx(np.average(y, weights=weight))
    assert found.as_given.brier.value == pytest.approx(np.average((p - y) ** 2, weights=weight))


def test_who_takes_part() -> None:
    """Whoever has a human level and a probability, whatever became of the verdict."""
    rows = [
        Row("a", rater="ann", human=1, judge=1),
        Row("b", rater="ann", human=0, judge_na=True),
        Row("c", rater="ann", human=1, cause="missing"),
        Row("d", rater="ann", set_aside="human_na", judge=1),
        Row("e", set_aside="unlabelled"),
        Row("f", rater="ann", human=0, judge=0),
    ]
    found = evidence(rows, BINARY, dict.fromkeys("abcde", (0.5,)))

    assert (found.items, found.without) == (3, 1)
    assert found.forecasts.as_given.brier.n == 3
    assert (found.mass, found.is_verdict, found.expected) == (None, None, {})


def test_the_same_dice_the_same_figures() -> None:
    """Nothing but the generator is random."""
    rows, said = forecast(50)

    assert evidence(rows, BINARY, said) == evidence(rows, BINARY, said)
    assert evidence(rows, BINARY, said) != evidence(rows, BINARY, said, seed=6)


# --- Degenerate data and misuse ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("humans", "p", "figure", "mapped"),
    [
        ([], [], "empty", "empty"),
        ([1], [0.5], "zero_variance", "too_few_clusters"),
        ([1] * 20, [0.9] * 20, None, "no_negative"),
        ([0] * 20, [0.9] * 20, None, "no_positive"),
        ([0, 1] * 20, [0.5] * 40, None, "zero_variance"),
    ],
)
def test_nothing_to_measure(
    humans: list[int], p: list[float], figure: str | None, mapped: str
) -> None:
    """Each reason by its name; never nan."""
    rows = [Row(f"i{i}", rater="ann", human=human) for i, human in enumerate(humans)]
    found = evidence(rows, BINARY, {f"i{i}": (one,) for i, one in enumerate(p)}).forecasts

    assert found.as_given.brier.undefined == figure
    assert found.as_given.calibration.error.undefined == figure
    temperature = found.mapped["temperature"]
    assert isinstance(temperature, Undefined)
    assert temperature.reason == mapped
    if figure is not None:
        assert found.as_given.calibration.floor is None


def test_few_cases_have_no_interval() -> None:
    """Below ten cases: the reason, not a number."""
    rows, said = forecast(40)
    rows = [replace(r, case=f"c{i % 6}") for i, r in enumerate(rows)]
    found = evidence(rows, BINARY, said).forecasts.as_given

    assert found.brier.undefined == found.calibration.error.undefined == "too_few_clusters"


def test_no_probabilities_at_all() -> None:
    """Every item is without."""
    rows = [Row("a", rater="ann", human=1)]

    for of in (BINARY, NO_LINE):
        found = evidence(rows, of, {})
        assert (found.items, found.without) == (0, 1)
        assert found.forecasts.as_given.brier.undefined == "empty"


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (FIVE, (0.5, 0.5)),
        (NO_LINE, (0.5,)),
        (BINARY, (0.2, 0.3, 0.5)),
    ],
)
def test_probabilities_that_do_not_fit(of: ScaleSpec, said: tuple[float, ...]) -> None:
    """As many as levels, or one where there is a pass line."""
    with pytest.raises(ValueError, match="do not fit"):
        evidence([Row("a", rater="ann", human=0)], of, {"a": said})
    with pytest.raises(ValueError, match="do not fit"):
        evidence([Row("a", rater="ann", human=0)], FIVE, {"a": (0.5,), "b": (0.2,) * 5})
