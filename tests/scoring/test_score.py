import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.calibration.gate import CertifiedJudge, admit
from judgekit.calibration.policy import Policy
from judgekit.calibration.scope import Scope
from judgekit.errors import GateRefusal
from judgekit.judging.item import Item
from judgekit.judging.judge import Judge
from judgekit.judging.judgment import CAUSES
from judgekit.scoring.score import CriterionScore, score, served_changes
from tests.calibration.make import GOOD, NOW, certificate, judge, judgments, rubric, table_rows
from tests.calibration.strategies import unhurried

SERVED = "gpt-4.1-mini-2025-04-14"


def certified(of: Judge | None = None, **more: Any) -> CertifiedJudge:
    """A judge admitted on all its criteria."""
    made = of or judge()
    shown = [certificate(of=made, name=c.name, **more) for c in made.rubric.criteria]
    return admit(shown, made, Policy(), NOW)


def scored(levels: Any, of: Judge | None = None, **more: Any) -> CriterionScore:
    """The score of the first criterion over these judgments."""
    made = of or judge()
    return score(judgments(made, levels), certified(made, **more)).criteria[0]


def levels(passed: int, failed: int) -> dict[str, Any]:
    """So many items at each of two levels."""
    return {f"i{n}": int(n < passed) for n in range(passed + failed)}


def test_a_pass_rate() -> None:
    """30 of 40 pass; the certificate and its stamps come along."""
    found = scored(levels(30, 10))

    assert found.uncorrected is not None
    assert found.uncorrected.metric == "pass_rate"
    assert found.uncorrected.value == 0.75
    # Wilson: (0.75 + z^2/80 +- z sqrt(.1875/40 + z^2/6400)) / (1 + z^2/40), z = 1.95996
    assert found.uncorrected.low == pytest.approx(0.65550 / 1.09604, abs=1e-5)
    assert found.uncorrected.high == pytest.approx(0.94054 / 1.09604, abs=1e-5)
    assert found.uncorrected.n == 40
    assert {name: share.value for name, share in found.levels.items()} == {"0": 0.25, "1": 0.75}
    assert found.certificate == certificate().id
    assert found.stamps == ("single-rater",)
    assert found.withheld == ()


def test_nothing_is_corrected_and_it_says_why() -> None:
    """How the labels were drawn decides; where it is known, the items' population is asked."""
    assert "sampled is not stated" in (scored(levels(30, 10)).why or "")
    assert "sampled is convenience" in (scored(levels(30, 10), sampling="convenience").why or "")
    assert "population" in (scored(levels(30, 10), sampling="random").why or "")
    assert scored(levels(30, 10)).corrected is None


def test_every_item_is_counted() -> None:
    """Judged, not applicable, unjudged by cause; rates are of the judged ones."""
    found = scored({**levels(90, 10), "na": None, "x": "refused", "y": "empty", "z": "refused"})

    assert found.tally.model_dump() == {
        "items": 104,
        "judged": 100,
        "not_applicable": 1,
        "unjudged": {"empty": 1, "refused": 2},
    }
    assert found.uncorrected is not None
    assert (found.uncorrected.value, found.uncorrected.n) == (0.9, 100)


@unhurried
@given(st.lists(st.sampled_from([0, 1, None, *CAUSES]), max_size=40))
def test_the_tally_adds_up_and_holds_no_nan(said: list[Any]) -> None:
    """Whatever was said: items = judged + not applicable + sum(unjudged), and the JSON is JSON."""
    made = judge()
    found = score(judgments(made, dict(zip(map(str, range(99)), said, strict=False))), CERTIFIED)

    (one,) = found.criteria
    tally = one.tally
    assert tally.items == len(said)
    assert tally.items == tally.judged + tally.not_applicable + sum(tally.unjudged.values())
    text = json.dumps(found.model_dump(mode="json"), allow_nan=False)
    assert "NaN" not in text
    if one.withheld:
        assert one.uncorrected is None
        assert one.levels == {}


CERTIFIED = certified()


def test_an_item_without_an_outcome_is_missing() -> None:
    """Nothing said of it is not nothing counted."""
    said = judgments(judge(), levels(20, 19))
    lost = Item(id="lost", fields={"output": "an answer"})

    found = score(
        judgments(judge(), levels(20, 19), items=[*said.items, lost]), CERTIFIED
    ).criteria[0]

    assert found.tally.unjudged == {"missing": 1}
    assert found.tally.items == 40


@pytest.mark.parametrize(("lost", "given"), [(5, True), (6, False)])
@pytest.mark.parametrize("cause", ["refused", "provider_error", "missing"])
def test_coverage(lost: int, cause: Any, *, given: bool) -> None:
    """Below 95% judged no figure is given: none, not even by level."""
    found = scored({**levels(50, 50 - lost), **{f"u{n}": cause for n in range(lost)}})

    assert (found.uncorrected is not None) is given
    assert bool(found.levels) is given
    assert [r.code for r in found.withheld] == ([] if given else ["too_many_unjudged"])
    if not given:
        (reason,) = found.withheld
        assert reason.message == f"94 of 100 items judged (6 {cause}); 95% are asked."
        assert (reason.next is None) is (cause == "refused")


def test_not_applicable_is_an_answer() -> None:
    """It counts as judged for the coverage and stays out of the rate."""
    found = scored({f"i{n}": None if n % 2 else 1 for n in range(40)})

    assert found.withheld == ()
    assert found.uncorrected is not None
    assert (found.uncorrected.value, found.uncorrected.n) == (1.0, 20)


def test_no_items_no_figure() -> None:
    """Nothing was judged."""
    found = scored({})

    assert [r.code for r in found.withheld] == ["too_many_unjudged"]


def test_nothing_but_not_applicable() -> None:
    """Judged in full, and there is nothing to make a rate of."""
    found = scored(dict.fromkeys("abc"))

    assert found.uncorrected is not None
    assert (found.uncorrected.value, found.uncorrected.undefined) == (None, "empty")


def test_another_policy_in_force() -> None:
    """The project's policy of today may ask for more than the certificate's."""
    said = judgments(judge(), {**levels(50, 45), **{f"u{n}": "refused" for n in range(5)}})

    strict = score(said, CERTIFIED, policy=Policy(min_judged=0.99))

    assert [r.code for r in strict.withheld] == ["too_many_unjudged"]
    assert score(said, CERTIFIED).withheld == ()


def test_out_of_scope() -> None:
    """Items far outside what was labelled: no figure, and what is unlike."""
    scope = Scope(items=110, length=(900, 1000, 1100), scripts={"LATIN": 1.0}, levels=(0.5, 0.5))
    found = scored(levels(30, 10), scope=scope)

    (reason,) = found.withheld
    assert reason.code == "out_of_scope"
    assert "typical length" in reason.message
    assert found.uncorrected is None
    assert found.levels == {}


def test_the_judgments_of_another_judge() -> None:
    """Only what the certified judge said can be scored with its certificate."""
    other = judge(parameters={"temperature": 1.0})

    with pytest.raises(GateRefusal) as refused:
        score(judgments(other, levels(5, 5)), CERTIFIED)

    assert [r.code for r in refused.value.reasons] == ["judge_changed"]


def test_another_model_answered() -> None:
    """Every reply is checked, unusable ones too; each strange model is named once."""
    said = judgments(judge(), {"a": 1, "b": "refused"}, served="gpt-5")

    with pytest.raises(GateRefusal) as refused:
        score(said, CERTIFIED)

    (reason,) = refused.value.reasons
    assert reason.code == "model_served_changed"
    assert "'gpt-5'" in reason.message
    assert f"'{SERVED}'" in reason.message


@pytest.mark.parametrize(
    ("known", "served", "refused"),
    [
        ((SERVED,), SERVED, False),
        ((SERVED, "gpt-5"), "gpt-5", False),
        ((SERVED,), "(not named)", True),
        ((), "anything", False),
        ((SERVED,), "gpt-5", True),
    ],
)
def test_which_models_may_answer(known: tuple[str, ...], served: str, *, refused: bool) -> None:
    """Those the certificate was measured on; where it knows of none (recorded judges), any."""
    found = served_changes([served], certificate(served=known))

    assert bool(found) is refused


def test_criteria_stand_alone() -> None:
    """Each its own figure; one that is withheld leaves the others."""
    both = judge(rubric(criteria=["tone", "facts"]))
    said = judgments(both, levels(30, 10))
    outcomes = dict(said.outcomes)
    outcomes["facts"] = judgments(both, dict.fromkeys(outcomes["tone"], "refused")).outcomes[
        "facts"
    ]

    found = score(judgments(both, levels(30, 10), outcomes=outcomes), certified(both))

    assert [c.criterion for c in found.criteria] == ["tone", "facts"]
    assert [c.uncorrected is None for c in found.criteria] == [False, True]
    assert len(found.withheld) == 1


ORDINAL = judge(rubric("ordinal"))
ORDINAL_ROWS = table_rows([[24 if i == j else 0 for j in range(5)] for i in range(5)])


def test_a_mean_level() -> None:
    """Ordinal without a pass line: the mean of the level values, with Student's interval."""
    said = {f"i{n}": n % 5 for n in range(20)}
    found = scored(said, ORDINAL, rows=ORDINAL_ROWS).uncorrected

    assert found is not None
    assert found.metric == "mean_level"
    assert found.value == 3
    # s^2 = 4 * (4 + 1 + 0 + 1 + 4) / 19, half = 2.0930 * sqrt(s^2 / 20)
    half = 2.0930240 * math.sqrt(40 / 19 / 20)
    assert found.low == pytest.approx(3 - half)
    assert found.high == pytest.approx(3 + half)


def test_a_mean_stays_on_the_scale() -> None:
    """No interval beyond the best level."""
    found = scored({"a": 4, "b": 4, "c": 3}, ORDINAL, rows=ORDINAL_ROWS).uncorrected

    assert found is not None
    assert found.high == 5
    assert found.low is not None
    assert 1 <= found.low < 4.5


@pytest.mark.parametrize("level", [0, 2, 4])
def test_levels_all_alike_are_not_certain(level: int) -> None:
    """Ten fours do not prove that the eleventh is one."""
    found = scored({f"i{n}": level for n in range(10)}, ORDINAL, rows=ORDINAL_ROWS).uncorrected

    assert found is not None
    assert found.value == level + 1
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.5
    assert 1 <= found.low <= found.high <= 5


def test_one_item_has_no_mean() -> None:
    """A single level shows no spread."""
    found = scored({"a": 3}, ORDINAL, rows=ORDINAL_ROWS).uncorrected

    assert found is not None
    assert (found.value, found.undefined) == (None, "zero_variance")


def test_words_have_shares_only() -> None:
    """Nominal without passing levels: no one figure; with them, a pass rate."""
    colours = table_rows([[40 if i == j else 0 for j in range(3)] for i in range(3)])
    plain = judge(rubric("nominal"))
    passing = judge(rubric("nominal", passing=["red", "blue"]))
    said = {f"i{n}": n % 3 for n in range(30)}

    assert scored(said, plain, rows=colours).uncorrected is None
    assert list(scored(said, plain, rows=colours).levels) == ["red", "green", "blue"]
    found = scored(said, passing, rows=colours).uncorrected
    assert found is not None
    assert found.value == pytest.approx(2 / 3)


def test_items_of_one_case_count_as_fewer() -> None:
    """The same rate, a wider interval: answers to one prompt are alike."""
    said = judgments(judge(), {f"i{n}": (n // 4) % 2 for n in range(80)})
    cased = [i._replace(case=f"c{n // 4}") for n, i in enumerate(said.items)]

    alone, clustered = (
        score(s, CERTIFIED).criteria[0].uncorrected
        for s in (said, judgments(judge(), LEVELS_BY_CASE, items=cased))
    )

    assert alone is not None
    assert clustered is not None
    assert clustered.value == alone.value == 0.5
    assert clustered.n == 80
    assert clustered.clusters == 20
    assert clustered.design_effect == pytest.approx(4, rel=0.1)
    assert clustered.low is not None
    assert alone.low is not None
    assert clustered.low < alone.low - 0.05


LEVELS_BY_CASE = {f"i{n}": (n // 4) % 2 for n in range(80)}


def test_too_few_cases_have_no_interval() -> None:
    """Forty items of four cases are four items."""
    said = judgments(judge(), LEVELS_BY_CASE)
    cased = [i._replace(case=f"c{n % 4}") for n, i in enumerate(said.items)]

    found = score(judgments(judge(), LEVELS_BY_CASE, items=cased), CERTIFIED).criteria[0]

    assert found.uncorrected is not None
    assert found.uncorrected.undefined == "too_few_clusters"


def test_a_score_carries_the_evidence() -> None:
    """What it rests on is one certificate, by its full id."""
    found = score(judgments(judge(), levels(30, 10)), CERTIFIED)

    assert found.judge == "tone"
    assert found.criteria[0].certificate == certificate(GOOD).id
    assert len(found.criteria[0].certificate) == 64
