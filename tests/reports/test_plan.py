"""A plan as a person reads it, and as a program does."""

import json
from dataclasses import replace

import pytest

from judgekit.calibration.planned_limits import Obstacle
from judgekit.calibration.planned_looks import Scheme
from judgekit.calibration.planned_rare import Chosen, EvenMix
from judgekit.calibration.planned_world import Design
from judgekit.calibration.planning import Chance, Plan
from judgekit.calibration.policy import Policy
from judgekit.reports.plan import plan_json, plan_lines, rounded
from tests.calibration.make import spec

LOOKS = (100, 200, 400, 800)
PLAN = Plan(
    Design(spec("binary"), 0.8, (0.1, 0.9)),
    Policy(),
    look=1,
    power=0.8,
    items=329,
    chances=(Chance(0.5, 176), Chance(0.8, 329), Chance(0.9, 431)),
    needs=(("agreement", 329), ("labelled_items", 30), ("labels_per_class", 125)),
    schemes=(
        Scheme("ledger", LOOKS, 0.972, 375.2),
        Scheme("equal", LOOKS, 0.993, 364.1),
        Scheme("e_process", LOOKS[-1:], 0.973, 374.2),
    ),
)
GROUPED = replace(
    PLAN,
    design=Design(
        spec("ordinal", passes_at=4),
        0.9,
        (0.1, 0.1, 0.2, 0.3, 0.3),
        judge=(0.1, 0.1, 0.2, 0.25, 0.35),
        raters=3,
        human_agreement=0.85,
        per_case=4,
        icc=0.3,
    ),
    look=2,
    items=164,
    needs=(*PLAN.needs, ("pass_agreement", None)),
    schemes=(PLAN.schemes[0], Scheme("e_process", (800,), why="it asks for one rater")),
)
BEYOND = replace(
    PLAN,
    items=None,
    chances=(Chance(0.5, 15_801), Chance(0.8, None)),
    needs=(("agreement", None),),
    schemes=(),
    obstacle=Obstacle("too_many_labels", "More than 20,000 items would be needed.", "Improve it."),
)
BELOW = Plan(
    Design(spec("binary"), 0.55, (0.5, 0.5)),
    Policy(),
    look=1,
    power=0.8,
    obstacle=Obstacle("expected_below_bar", "More labels make it only surer.", "Improve it."),
)


def test_the_whole_of_it() -> None:
    """The number first, what it rests on, what to do next."""
    assert plan_lines(PLAN, "tone") == [
        "About 330 labels: a chance of 80% that a judge of kappa 0.80 is certified.",
        "",
        "Planned   binary scale, levels bad (10%), good (90%); one rater",
        "Asked     low end of the 95% interval at 0.60 or more; all items judged",
        "",
        "  chance of CALIBRATED  items",
        "  50%                     180",
        "  80%                     330",
        "  90%                     440",
        "",
        "  each check alone, 80%  asked    items",
        "  agreement (low end)    >= 0.60    330",
        "  labelled items         >= 30       30",
        "  labels in each class   >= 10      130",
        "",
        "  looking on the way               certified  items, mean",
        "  calibrate at 100, 200, 400, 800      97.2%          380",
        "  the same, 0.05/4 at each             99.3%          370",
        "  e-process, every pair up to 800      97.3%          380",
        "",
        "Looks     `calibrate` halves what each further look may spend; the other ways",
        "          are planned in advance and run from the library",
        "Ceiling   not known: say how well people agree with --human-agreement KAPPA",
        "Next      judgekit calibrate tone --labels FILE",
    ]


def test_raters_cases_and_a_later_look() -> None:
    """Items are told from labels and cases, and what the look asks is said."""
    text = "\n".join(plan_lines(GROUPED))
    told = " ".join(text.split())

    assert text.startswith("About 170 items, 510 labels in 41 cases: a chance of 80%")
    assert "3 raters, people agree 0.85; 4 outputs of a case, alike by 0.30" in told
    assert "the judge says 10%, 10%, 20%, 25%, 35%" in text
    assert "97.5% interval at look 2" in text
    assert "  chance of CALIBRATED  items  labels" in text
    assert "  80%                     330     990" in text
    assert "pass or fail (low end)  >= 0.60  too many" in text
    assert "no e-process: it asks for one rater" in told
    assert "Ceiling   about 0.90: no judge agrees better" in text
    assert "e-process, every pair" not in text


def test_no_number() -> None:
    """The reason stands first, and the way out last."""
    below, beyond = plan_lines(BELOW), plan_lines(BEYOND)

    assert below[0] == (
        "No number of labels gets a judge of kappa 0.55 over 0.60. More labels make it"
    )
    assert below[-1] == beyond[-1] == "Next      Improve it."
    assert beyond[0] == "More than 20,000 items would be needed."
    assert "  80%                   too many" in beyond
    assert not any("Ceiling" in line for line in [*below, *beyond])


def test_a_rare_level() -> None:
    """Both ways out are told, with what they cost."""
    plan = replace(PLAN, chosen=Chosen(406, (12, 394), 600), even_mix=EvenMix(105, 0.8, 2625))

    text = " ".join(" ".join(plan_lines(plan)).split())

    assert "grade about 600 items first and label 12 it calls bad, 400 it calls good" in text
    assert "about 410 in all, with weight and stratum columns" in text
    assert "about 110 do (kappa would be 0.80 there); they stand among about 2,700 items" in text


@pytest.mark.parametrize("plan", [PLAN, GROUPED, BELOW, BEYOND])
def test_it_fits_the_screen(plan: Plan) -> None:
    """Eighty columns, and no line ends in a blank."""
    for line in plan_lines(plan, "groundedness"):
        assert len(line) <= 80
        assert line == line.rstrip()


def test_the_document() -> None:
    """Every figure, exact, and null where there is none."""
    plan = replace(GROUPED, chosen=Chosen(406, (12, 394), 600))

    found = json.loads(json.dumps(plan_json(plan, "tone", "warmth"), allow_nan=False))

    assert found["format"] == "judgekit.plan/1"
    assert (found["judge"], found["criterion"]) == ("tone", "warmth")
    assert (found["items"], found["labels"], found["power"]) == (164, 492, 0.8)
    assert found["planned"]["kappa"] == 0.9
    assert found["planned"]["levels"][3] == {"value": 4, "name": "grade 4", "share": 0.3}
    assert found["planned"]["icc"] == 0.3
    assert found["asked"] == {
        "min_agreement": 0.6,
        "min_items": 30,
        "min_per_class": 10,
        "look": 2,
        "confidence": pytest.approx(0.975),
    }
    assert found["chances"][0] == {"chance": 0.5, "items": 176, "labels": 528}
    assert found["checks"][-1] == {"name": "pass_agreement", "items": None}
    assert found["looks"][1]["why"] == "it asks for one rater"
    assert found["chosen"] == {"items": 406, "each": [12, 394], "screened": 600}
    assert found["even_mix"] is None
    assert found["human_ceiling"] == pytest.approx(0.90, abs=0.01)
    assert found["reason"] is None


def test_the_document_without_a_number() -> None:
    """A code, a sentence and the way out."""
    found = plan_json(BELOW)

    assert (found["items"], found["labels"], found["chances"]) == (None, None, [])
    assert found["reason"] == {
        "code": "expected_below_bar",
        "message": "More labels make it only surer.",
        "next": "Improve it.",
    }


@pytest.mark.parametrize(
    ("n", "told"), [(0, 0), (7, 7), (30, 30), (101, 110), (990, 990), (991, 1000), (15_158, 16_000)]
)
def test_numbers_are_rounded_up(n: int, told: int) -> None:
    """To two digits."""
    assert rounded(n) == told
