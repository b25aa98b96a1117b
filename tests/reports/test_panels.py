import json
from typing import Any

import numpy as np
import pytest

from judgekit.calibration.panels import PanelReport
from judgekit.reports.panels import panel_json, panel_lines
from judgekit.reports.words import WIDTH
from tests.calibration.panelled import Said, panel_judge, report, together


def found(of: Any, said: dict[str, Any], labels: dict[str, int]) -> PanelReport:
    """The report of these votes, which must be there."""
    made = report(of, said, labels)
    assert made is not None
    return made


def text(of: Any, said: dict[str, Any], labels: dict[str, int]) -> str:
    """The lines of a report as one, with every line known to fit the screen."""
    lines = panel_lines(found(of, said, labels))
    assert all(len(line) <= WIDTH for line in lines)
    return " ".join(" ".join(lines).split())


def test_members_that_err_together() -> None:
    """Complaint 61: the outcome in one sentence, each member beside it, the panel last."""
    said, labels = together(6, 400)

    lines = panel_lines(found(panel_judge(6), said, labels))

    assert lines[0].startswith("Panel: 6 members err together as 1.9 would (1.7 to 2.")
    assert lines[1].split() == ["member", "judged", "kappa,", "95%", "interval"]
    assert [line.split()[0] for line in lines[2:8]] == [f"lab/{m}" for m in "abcdef"]
    assert "all together" in lines[8]


def test_members_that_do_not() -> None:
    """Said as such, not as a number above how many there are."""
    labels = dict.fromkeys((f"i{i}" for i in range(40)), 1)
    said = {item: [int(item[1:]) % 4 != 0, int(item[1:]) % 4 != 1] for item in labels}
    votes = {item: [int(one) for one in each] for item, each in said.items()}

    told = text(panel_judge(2), votes, labels)

    assert told.startswith(
        "Panel: 2 members whose errors do not coincide: worth all 2 (2.0 to 2.0)."
    )


def test_a_size_that_cannot_be_told() -> None:
    """A reason in words."""
    said = {f"i{i}": [i % 2, i % 2] for i in range(40)}

    told = text(panel_judge(2), said, {item: votes[0] for item, votes in said.items()})

    assert "whether the 2 members err together cannot be told (one of them is always right" in told


def test_long_names_of_models_fit_the_screen() -> None:
    """Their ends are left out."""
    said, labels = together(2, 40)
    of = panel_judge(2)
    long = found(of, said, labels).model_copy(deep=True)
    assert long.panel is not None
    members = tuple(m.model_copy(update={"model": "x" * 99}) for m in long.panel.members)

    lines = panel_lines(
        long.model_copy(update={"panel": long.panel.model_copy(update={"members": members})})
    )

    assert all(len(line) <= WIDTH for line in lines)


def test_flips_of_a_judge_asked_again() -> None:
    """Complaint 58: 12.9% is shown as that, with its interval; and 48: with the noise floor."""
    said = {f"i{i}": [1, 1, 0] if i < 12 else [1, 1, 1] for i in range(93)}

    told = text(panel_judge(replicates=3), said, {item: int(item[1:]) % 2 for item in said})

    assert told.startswith(
        "Asked 3 times: 12.9% of 93 items did not get the same level each time, 95% interval "
        "7.5 to 21.2."
    )
    assert "Two runs in which nothing changed differ on 8.6%" in told
    assert "Kappa of each time alone: 0.00, 0.00, 0.00." in told


def test_how_far_levels_lie_apart() -> None:
    """On ordered scales, in levels."""
    said: dict[str, list[Said]] = {f"i{i}": [2, 2] for i in range(20)}
    said |= {"i0": [0, 3], "i1": [1, 2], "i2": [2, 3]}

    told = text(panel_judge(kind="ordinal", replicates=2), said, dict.fromkeys(said, 2))

    assert "They differ: 2 by 1 level, 1 by 3 levels." in told


@pytest.mark.parametrize(
    ("disagreeing", "lean"),
    [
        ([[0, 1]] * 12, "the first place is preferred"),
        ([[1, 0]] * 12, "the second place is preferred"),
        ([[0, 1], [1, 0]] * 6, "no place is clearly preferred"),
        ([[0, 1]] * 8 + [[1, 0]] * 4, "no place is clearly preferred"),
        ([[0, 1]] * 4 + [[1, 0]] * 8, "no place is clearly preferred"),
    ],
)
def test_the_place_that_is_preferred(disagreeing: list[list[int]], lean: str) -> None:
    """Where the two orders of a pair disagree, and only as far as it is clear."""
    pairs = disagreeing + [[0, 0]] * 40 + [[1, 1]] * 41
    said = {f"i{i}": votes for i, votes in enumerate(pairs)}

    told = text(panel_judge(kind="pairwise"), said, dict.fromkeys(said, 0))

    assert told.startswith(
        "Both orders: 12.9% of 93 pairs are judged otherwise the other way round, 95% interval "
        "7.5 to 21.2."
    )
    assert f"{lean}." in told


def test_orders_that_agree() -> None:
    """Then there is no place to prefer."""
    said = {f"i{i}": [i % 2, i % 2] for i in range(30)}

    lines = panel_lines(found(panel_judge(kind="pairwise"), said, dict.fromkeys(said, 0)))

    assert lines[0].startswith("Both orders: 0% of 30 pairs")
    assert len(lines) == 2


def test_all_parts_stand_below_each_other() -> None:
    """A paragraph each."""
    rng = np.random.default_rng(1)
    said = {f"i{i}": rng.integers(0, 3, 8).tolist() for i in range(40)}
    of = panel_judge(2, "pairwise", replicates=2)

    lines = panel_lines(found(of, said, {item: int(rng.integers(0, 3)) for item in said}))

    heads = [line for above, line in zip(["", *lines], lines, strict=False) if above == ""]
    assert [head.split(":")[0] for head in heads] == ["Panel", "Asked 2 times", "Both orders"]


def test_the_document() -> None:
    """Plain JSON, an undefined figure with its reason and no number; None for no votes."""
    said = {f"i{i}": [i % 2, i % 2] for i in range(40)}
    made = found(panel_judge(2), said, {item: votes[0] for item, votes in said.items()})

    data = json.loads(json.dumps(panel_json(made), allow_nan=False))

    size = data["panel"]["errors"]["size"]
    assert (size["value"], size["low"], size["undefined"]) == (None, None, "zero_variance")
    assert "undefined" not in data["panel"]["agreement"]
    assert (data["repeats"], data["orders"]) == (None, None)
    assert panel_json(None) is None
