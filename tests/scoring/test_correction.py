import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from judgekit.calibration.gate import Presented, admit
from judgekit.calibration.policy import Policy
from judgekit.calibration.rows import Row
from judgekit.errors import InputError
from judgekit.judging.judge import Judge
from judgekit.scoring.corrected import CorrectedRecord
from judgekit.scoring.correction import Scored, correct
from judgekit.scoring.score import CriterionScore, score
from judgekit.stats.inversion import class_shares
from judgekit.stats.powered_levels import powered_mean, powered_rate
from judgekit.stats.rogan_gladen import lang_reiczigel
from judgekit.stats.samples import Sample
from tests.calibration.make import GOOD, NOW, certificate, judge, judgments, rubric, table_rows

TABLE = [[52, 3], [5, 50]]
FIVE = [[22, 2, 0, 0, 0], [1, 20, 3, 0, 0], [0, 2, 20, 2, 0], [0, 0, 2, 20, 2], [0, 0, 0, 2, 22]]
COLOURS = [[36, 3, 1], [2, 36, 2], [1, 2, 37]]
ORDINAL, NOMINAL = judge(rubric("ordinal")), judge(rubric("nominal"))


def scored(
    levels: Any,
    population: Any = "same",
    of: Judge | None = None,
    rows: tuple[Row, ...] = GOOD,
    *,
    bare: bool = False,
    labelled: Any = None,
    cases: Any = None,
    **labels: Any,
) -> CriterionScore:
    """The score of the first criterion; random labels unless said otherwise."""
    made = of or judge()
    cert = certificate(rows, made, **{"sampling": "random", **labels})
    certified = admit(cert if bare else Presented(cert, tuple(rows)), made, Policy(), NOW)
    said = judgments(made, levels)
    if cases is not None:
        items = [i._replace(case=cases(i.id)) for i in said.items]
        said = judgments(made, levels, items=items)
    return score(said, certified, population=population, labelled=labelled).criteria[0]


def figure(found: CriterionScore) -> CorrectedRecord:
    """The corrected figure, which must be there."""
    assert found.corrected is not None, found.why
    assert found.why is None
    return found.corrected


def new(*counts: int) -> dict[str, int]:
    """So many new items at each level."""
    codes = np.repeat(np.arange(len(counts)), counts).tolist()
    return {f"new{n:04}": level for n, level in enumerate(codes)}


def sample(table: Any) -> Sample:
    """The labelled items of a table."""
    counts = np.array(table)
    k = len(counts)
    human, judged = (np.repeat(c, counts.ravel()) for c in np.indices((k, k)).reshape(2, -1))
    return Sample(judged, k, np.eye(k)[human])


def test_the_same_population() -> None:
    """Prediction-powered: the figure of the statistics room, and what stands beside it."""
    found = figure(scored(new(280, 720)))
    expected = powered_rate(
        sample(TABLE), Sample(np.repeat([0, 1], [280, 720]), 2), np.array([False, True])
    )

    assert expected.corrected == expected.reported
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.corrected.value, expected.corrected.low, expected.corrected.high)  # type: ignore[union-attr]
    )
    assert (found.metric, found.method) == ("pass_rate", "pass_rate/ppi_plus")
    assert (found.n, found.pairs, found.n_labels) == (1110, 110, 110)
    assert found.effective_labels == pytest.approx(expected.effective)
    assert (found.confidence, found.population, found.sampling) == (0.95, "same", "random")
    assert found.human_only is not None
    assert found.human_only.value == pytest.approx(0.5)
    assert "drawn at random from the population" in found.assumption


def test_the_uncorrected_figure_stays_beside_it() -> None:
    """What the judge alone would say."""
    found = scored(new(280, 720))

    assert found.uncorrected is not None
    assert found.uncorrected.value == pytest.approx(0.72)


def test_a_shifted_population() -> None:
    """Rogan-Gladen; the labels alone are no estimate for another mix."""
    found = figure(scored(new(280, 720), "shifted"))
    expected = lang_reiczigel(TABLE, 720, 1000)

    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high)  # type: ignore[union-attr]
    )
    assert found.method == "pass_rate/rogan_gladen"
    assert found.human_only is found.effective_labels is None
    assert "treats items of each human level" in found.assumption


@pytest.mark.parametrize(
    ("sampling", "population", "told"),
    [
        (None, "same", "sampled is not stated"),
        ("convenience", "same", "sampled is convenience"),
        ("convenience", "shifted", "sampled is convenience"),
        (None, "unknown", "--sampling random"),
        ("random", "unknown", "--population same"),
        ("stratified", "unknown", "--population same"),
        ("stratified", "same", "weight"),
        ("stratified", "shifted", "weight"),
    ],
)
def test_what_is_not_stated_is_asked(sampling: Any, population: Any, told: str) -> None:
    """No figure; the reason names the option to give."""
    found = scored(new(280, 720), population, sampling=sampling)

    assert found.corrected is None
    assert found.corrected_levels == {}
    assert told in (found.why or "")
    assert found.uncorrected is not None


def test_there_is_no_other_population() -> None:
    """Not in the library either."""
    with pytest.raises(InputError, match="same, shifted, unknown"):
        scored(new(280, 720), "alike")


def test_a_mean_level() -> None:
    """Ordinal without a pass line, of both populations."""
    same = figure(scored(new(20, 40, 60, 80, 100), "same", ORDINAL, table_rows(FIVE)))
    expected = powered_mean(
        sample(FIVE), Sample(np.repeat(np.arange(5), [20, 40, 60, 80, 100]), 5), [1, 2, 3, 4, 5]
    ).corrected
    shifted = figure(scored(new(20, 40, 60, 80, 100), "shifted", ORDINAL, table_rows(FIVE)))
    shares = class_shares(FIVE, [20, 40, 60, 80, 100])

    assert same.metric == shifted.metric == "mean_level"
    assert same.value == pytest.approx(expected.value)  # type: ignore[union-attr]
    assert shifted.value == pytest.approx(shares @ [1, 2, 3, 4, 5])  # type: ignore[operator]
    assert shifted.method == "mean_level/inversion"


def test_ordinal_with_a_pass_line() -> None:
    """The pass rate, as the uncorrected figure."""
    passing = judge(rubric("ordinal", passes_at=4))
    for population in ("same", "shifted"):
        found = scored(new(20, 40, 60, 80, 100), population, passing, table_rows(FIVE))
        assert figure(found).metric == "pass_rate"


@pytest.mark.parametrize(
    ("population", "method"), [("same", "share/ppi_plus"), ("shifted", "share/inversion")]
)
def test_words_have_corrected_shares(population: str, method: str) -> None:
    """Every level, adding up to 1; there is no one figure."""
    found = scored(new(200, 150, 150), population, NOMINAL, table_rows(COLOURS))

    assert found.corrected is found.why is None
    assert list(found.corrected_levels) == ["red", "green", "blue"]
    values = [one.value for one in found.corrected_levels.values()]
    assert sum(v for v in values if v is not None) == pytest.approx(1)
    assert {one.method for one in found.corrected_levels.values()} == {method}


def test_the_same_scores_have_the_same_interval() -> None:
    """Dice are seeded by the certificate."""
    one, other = (
        scored(new(200, 150, 150), "shifted", NOMINAL, table_rows(COLOURS)) for _ in range(2)
    )

    assert one.corrected_levels == other.corrected_levels


def test_labelled_items_are_not_counted_twice() -> None:
    """Scored items that are labelled ones count as labelled only, whatever the judge says now."""
    plain = figure(scored(new(280, 720)))
    again = figure(scored({**new(280, 720), "i0000": 1, "i0001": 1, "i0002": 0}))
    others = figure(scored({**new(280, 720), "i0000": 1, "i0001": 1}, labelled=["i0001"]))
    shifted = figure(scored({**new(280, 720), "i0000": 1}, "shifted"))

    assert again == plain
    assert others.n == plain.n + 1
    assert shifted.n == 1111


def test_every_item_is_labelled() -> None:
    """The figure is the labels' own, and says so."""
    found = figure(scored({f"i{n:04}": 1 for n in range(110)}))

    assert found.value == pytest.approx(0.5)
    assert found.method == "pass_rate/labels_only"
    assert "every scored item is labelled" in (found.note or "")


def test_a_judge_that_adds_nothing() -> None:
    """Few judgments beside many labels: the labels' own figure, and why."""
    found = figure(scored(new(2, 3)))

    assert found.method == "pass_rate/labels_only"
    assert found.effective_labels is not None
    assert found.effective_labels < 1.1 * 110
    assert "adds nothing" in (found.note or "")
    assert found.human_only is not None
    assert (found.value, found.low) == (found.human_only.value, found.human_only.low)


def test_a_contradiction_is_told() -> None:
    """Half of the labelled and nine tenths of the scored pass: hardly one population."""
    assert "--population shifted" in (figure(scored(new(100, 900))).note or "")
    assert figure(scored(new(500, 500))).note is None
    assert figure(scored(new(100, 900), "shifted")).note is None


def test_an_interval_that_says_nothing() -> None:
    """Five scored items of another mix: more than half of what is possible."""
    found = scored(new(2, 3), "shifted")

    assert found.corrected is None
    assert "more than half" in (found.why or "")


def test_not_applicable_and_unjudged_take_no_part() -> None:
    """They are in the tally, and in no figure."""
    plain = figure(scored(new(280, 720)))
    found = scored({**new(280, 720), "a": None, "b": "refused"})

    assert figure(found).value == plain.value
    assert figure(found).n == plain.n
    assert found.tally.items == 1002


def test_nothing_but_not_applicable() -> None:
    """There is no rate to correct, and the labels' own is not that of these items."""
    found = scored(dict.fromkeys("abc"))

    assert found.corrected is None
    assert found.why == "no scored item has a level"


def test_labelled_items_without_a_level_take_no_part() -> None:
    """The judge's "not applicable", what it left out, and what people find not applicable."""
    apart = (Row("x", rater="ann", set_aside="human_na"),)
    rows = (*table_rows(TABLE, {"refused": 2}), *apart)
    found = figure(scored(new(280, 720), rows=rows))
    nothing = scored({"a": "refused"})

    assert found.n_labels == 110
    assert "1 labelled with 'does not apply' are left out" in found.assumption
    assert nothing.corrected is None
    assert nothing.why == "the figure is withheld"


def test_weights_of_stratified_labels() -> None:
    """Labels spent half and half on what the judge passes, which is seven tenths of all."""
    rows = tuple(
        replace(row, weight=0.7 if row.judge else 0.3, stratum=str(row.judge))
        for row in table_rows([[104, 6], [10, 100]])
    )
    found = figure(scored(new(300, 700), rows=rows, sampling="stratified"))

    # 100 of 106 passes and 104 of 114 fails of the judge are right.
    passed, failed = 106 * 0.7, 114 * 0.3
    assert found.human_only is not None
    assert found.human_only.value == pytest.approx((100 * 0.7 + 10 * 0.3) / (passed + failed))
    assert "with weights" in found.assumption
    assert "the strata leave the judge nothing" in (found.note or "")


def test_strata_of_a_random_sample_are_a_remark() -> None:
    """Their sizes were left to chance: they narrow nothing."""
    rows = tuple(replace(row, stratum=str(row.judge)) for row in GOOD)

    assert scored(new(280, 720), rows=rows).corrected == scored(new(280, 720)).corrected


def test_raters_of_an_item_share_it() -> None:
    """Two raters are two labels of one item."""
    rows = (*GOOD, *(replace(row, rater="bob") for row in GOOD))
    found = figure(scored(new(280, 720), rows=rows))
    alone = figure(scored(new(280, 720)))

    assert (found.n_labels, found.pairs) == (110, 220)
    assert (found.value, found.low) == pytest.approx((alone.value, alone.low))


def test_cases_of_both_samples_widen() -> None:
    """Answers to one prompt are alike."""
    rows = tuple(replace(row, case=f"c{n // 2}") for n, row in enumerate(GOOD))
    alone = figure(scored(new(500, 500)))
    found = figure(scored(new(500, 500), rows=rows, cases=lambda i: f"d{int(i[3:]) // 5}"))

    assert found.value == alone.value
    assert found.clusters == 55 + 200
    assert found.high - found.low > 1.1 * (alone.high - alone.low)  # type: ignore[operator]


def test_too_few_cases() -> None:
    """All scored items of nine prompts."""
    found = scored(new(500, 500), cases=lambda i: str(int(i[3:]) % 9))

    assert found.corrected is None
    assert "fewer than 10 cases" in (found.why or "")


@pytest.mark.parametrize("population", ["same", "shifted"])
def test_a_certificate_without_its_rows(population: str) -> None:
    """Its table has to do; the figures are the same."""
    known, bare = (figure(scored(new(280, 720), population, bare=b)) for b in (False, True))

    assert (bare.value, bare.low, bare.high) == pytest.approx((known.value, known.low, known.high))
    assert (bare.n_labels, bare.pairs) == (110, 110)


def test_rows_that_are_not_the_certificates_are_not_used() -> None:
    """Shown by hand with other rows: its own table decides."""
    made = judge()
    cert = certificate(GOOD, made, sampling="random")
    wrong = table_rows([[10, 0], [0, 100]])
    certified = admit(Presented(cert, wrong), made, Policy(), NOW)
    found = score(judgments(made, new(280, 720)), certified, population="same").criteria[0]

    assert found.corrected == scored(new(280, 720), bare=True).corrected


def test_a_table_knows_only_how_many_cases_there_are() -> None:
    """Two raters of an item: it is one answer, at the worst."""
    rows = (*GOOD, *(replace(row, rater="bob") for row in GOOD))
    bare = figure(scored(new(280, 720), rows=rows, bare=True))
    known = figure(scored(new(280, 720), rows=rows))

    assert bare.design_effect == pytest.approx(2)
    wide, narrow = (one.high - one.low for one in (bare, known))  # type: ignore[operator]
    assert narrow <= wide < 1.15 * narrow
    weighted = scored(new(280, 720), bare=True, sampling="stratified")
    assert "evidence rows" in (weighted.why or "")


def test_a_table_of_too_few_cases() -> None:
    """Nine cases behind a certificate without its rows."""
    cert = certificate(GOOD, sampling="random")
    few = cert.model_copy(update={"labels": cert.labels.model_copy(update={"cases": 9})})
    outcomes = judgments(judge(), new(280, 720)).outcomes["tone"]

    assert "9 cases" in (correct(Scored(outcomes, {}, "same"), few).why or "")
    assert correct(Scored(outcomes, {}, "same"), cert).why is None


def test_it_is_json() -> None:
    """Every corrected figure, with what stands in it."""
    for population in ("same", "shifted"):
        for of, table in ((judge(), TABLE), (ORDINAL, FIVE), (NOMINAL, COLOURS)):
            found = scored(new(*[100] * len(table)), population, of, table_rows(table))
            text = json.dumps(found.model_dump(mode="json"), allow_nan=False)
            assert "NaN" not in text
            assert found.corrected is not None or found.corrected_levels
