"""What a person and a program read of a judge's probabilities."""

import json
from typing import Any

import numpy as np
import pytest

from judgekit.calibration.probabilities import ProbabilityEvidence, probability_evidence
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.reports.probabilities import probability_json, probability_lines, reliability_json
from tests.calibration.make import spec

BINARY, FIVE, NO_LINE = spec("binary"), spec("ordinal", passes_at=3), spec("ordinal")
COLUMNS = ("p1", "p2", "p3", "p4", "p5")


def measured(rows: list[Row], of: ScaleSpec, said: dict[str, Any]) -> ProbabilityEvidence:
    """The evidence, with dice of a fixed seed."""
    return probability_evidence(rows, of, said, np.random.default_rng(1))


def binary(n: int, power: float = 1.0) -> ProbabilityEvidence:
    """Forecasts that are right, or exaggerated."""
    rng = np.random.default_rng(4)
    p = rng.random(n)
    odds = (p / (1 - p)) ** power
    human = (rng.random(n) < p).astype(int)
    rows = [Row(f"i{i}", rater="ann", human=int(h), judge=0) for i, h in enumerate(human)]
    return measured(rows, BINARY, {f"i{i}": (float(o / (1 + o)),) for i, o in enumerate(odds)})


def graded(of: ScaleSpec = FIVE, n: int = 80, mass: float = 0.8) -> ProbabilityEvidence:
    """Five levels; every fourth item has another captured mass than the rest."""
    rng = np.random.default_rng(4)
    rows, said = [], {}
    for i in range(n):
        shares = rng.dirichlet(np.full(5, 0.7))
        human = int(rng.choice(5, p=shares))
        rows.append(Row(f"i{i}", rater="ann", human=human, judge=int(shares.argmax())))
        said[f"i{i}"] = tuple(map(float, shares * (mass if i % 4 == 0 else 1.0)))
    return measured(rows, of, said)


def lines(found: ProbabilityEvidence, of: ScaleSpec = BINARY, *, verdicts: bool = True) -> str:
    """The report as one text."""
    columns = ("p",) if found.mass is None else COLUMNS
    return "\n".join(probability_lines(found, of, columns, verdicts=verdicts))


def flat(*arguments: Any, **more: Any) -> str:
    """The same in one line, for what may wrap anywhere."""
    return " ".join(lines(*arguments, **more).split())


EXAGGERATED = """
Chances p of passing; usable for 300 of 300 labelled items.
Trust   Not to be taken at their word: the probabilities of a pass are off by
        0.156 on average. Right ones would be off by 0.040 by chance alone,
        seldom by more than 0.060. Mended by temperature (0.054) or isotonic
        (0.078).

  probability of a pass  Brier score          log loss
  as given               0.19 (0.16 to 0.23)  0.69 (0.56 to 0.85)
  temperature            0.17 (0.14 to 0.19)  0.49 (0.44 to 0.55)
  isotonic               0.17 (0.15 to 0.19)  0.54 (0.44 to 0.65)
  always saying 0.54     0.25 (0.24 to 0.25)  0.69 (0.68 to 0.70)

  calibration error                          by chance  seldom over  excess
  as given           0.156 (0.070 to 0.202)      0.040        0.060   0.116
  temperature        0.054 (0.000 to 0.090)      0.057        0.087  -0.003
  isotonic           0.078 (0.000 to 0.117)      0.051        0.079   0.027
  A map is fitted on 4 of 5 parts and judged on the rest.
""".strip()


def test_the_verdict_first_then_the_scores() -> None:
    """What is wrong, against what chance gives, and what mends it; then the figures."""
    shown = lines(binary(300, power=3))

    assert shown.split("\n\n  said")[0] == EXAGGERATED


def test_nothing_wrong() -> None:
    """Right forecasts are left in peace; there is nothing to mend."""
    shown = flat(binary(300))

    assert "Trust No sign of anything wrong: the probabilities of a pass are off by" in shown
    assert "Mended" not in shown
    assert "isotonic too few items (250 needed)" in flat(binary(100))


def test_levels() -> None:
    """Which column is of which level, how much of it they hold, and the expected level."""
    shown = flat(graded(), FIVE)

    assert 'Chances p1 of "grade 1", p2 of "grade 2"' in shown
    assert "usable for 80 of 80 labelled items" in shown
    assert "The levels hold 95.0% of the probability on average" in shown
    assert "80.0% at least. Under 90%: 20 items, to be looked at." in shown
    assert "The likeliest level is the verdict of 80 of 80 items." in shown
    assert "Pearson's r" in shown
    assert "root mean squared error" in shown
    assert "verdict" not in flat(graded(), FIVE, verdicts=False)


def test_too_little_mass() -> None:
    """Left out, and counted; where the levels hold everything, that alone is said."""
    few, all_of_it = flat(graded(mass=0.4), FIVE), flat(graded(mass=1.0), FIVE)

    assert "usable for 60 of 80 labelled items" in few
    assert "Under 50%: 20 items, left out." in few
    assert "The levels hold 99.9% of the probability or more, in every item." in all_of_it


def test_without_a_pass_line() -> None:
    """The event is said: the likeliest level, for want of a pass line."""
    shown = flat(graded(NO_LINE), NO_LINE)

    assert "the likeliest level, taken as those of agreeing with people (no level is" in shown
    assert "said labels mean is right" in shown


def test_the_diagram() -> None:
    """Bins that hold something; a share without an interval as a count with the reason."""
    one = measured([Row("a", rater="ann", human=1)], BINARY, {"a": (0.95,)})
    rows = [Row(f"i{i}", case=f"c{i // 4}", rater="ann", human=i % 2) for i in range(48)]
    cases = measured(rows, BINARY, {f"i{i}": (0.1 if i < 40 else 0.9,) for i in range(48)})

    assert lines(one).splitlines()[-2:] == [
        "  said        labels  mean  people pass",
        "  0.9 to 1.0       1  0.95  1.00 (0.21 to 1.00)",
    ]
    assert lines(cases).splitlines()[-1] == (
        "  0.8 to 0.9       8  0.90  4 of 8 (2 cases, 10 needed)"
    )


def test_nothing_is_known() -> None:
    """The reason in words, no figure, and no empty table."""
    found = measured([Row("a", rater="ann", human=1)], BINARY, {})
    shown = flat(found)

    assert "usable for 0 of 1 labelled item." in shown
    assert "Whether they are right is not known: empty." in shown
    assert "said" not in shown.replace("saying", "")
    assert "always saying" not in shown


@pytest.mark.parametrize(
    ("found", "of"),
    [
        (binary(300, power=3), BINARY),
        (graded(), FIVE),
        (graded(NO_LINE), NO_LINE),
        (measured([], FIVE, {}), FIVE),
    ],
    ids=["binary", "five", "no pass line", "empty"],
)
def test_it_fits_the_screen(found: ProbabilityEvidence, of: ScaleSpec) -> None:
    """80 columns, no blank line twice or at an end, no nan."""
    shown = probability_lines(found, of, COLUMNS if found.mass else ("p",), verdicts=True)

    assert max(map(len, shown)) <= 80
    assert shown[-1]
    assert "\n\n\n" not in "\n".join(shown)
    assert "nan" not in "\n".join(shown)


def test_json() -> None:
    """Every figure with its interval or its reason; nothing that JSON cannot hold."""
    document = probability_json(graded(), COLUMNS)
    json.dumps(document, allow_nan=False)

    assert document is not None
    assert document["columns"] == list(COLUMNS)
    assert (document["items"], document["without"], document["event"]) == (80, 0, "pass")
    assert document["captured_mass"]["flagged"] == 20
    assert document["likeliest_is_verdict"] == {"items": 80, "of": 80}
    assert document["expected_level"]["spearman"]["low"] is not None
    assert set(document["forecasts"]) == {"as_given", "temperature", "isotonic"}
    assert document["forecasts"]["isotonic"] == {"undefined": "too_few_items"}
    given = document["forecasts"]["as_given"]
    assert given["excess"] == pytest.approx(given["calibration_error"]["value"] - given["floor"])
    assert probability_json(None, ()) is None


def test_diagram_data() -> None:
    """One flat list: ten bins for each set of forecasts, empty ones included."""
    found = binary(300)
    bins = reliability_json(found)
    json.dumps(bins, allow_nan=False)

    assert [one["forecasts"] for one in bins] == (
        ["as_given"] * 10 + ["temperature"] * 10 + ["isotonic"] * 10
    )
    assert sum(one["labels"] for one in bins) == 900
    assert all(one["share"]["value"] == one["happened"] / one["labels"] for one in bins[:10])
    empty = reliability_json(measured([Row("a", rater="ann", human=1)], BINARY, {"a": (0.95,)}))
    assert empty[0] == {
        "forecasts": "as_given",
        "low": 0.0,
        "high": 0.1,
        "labels": 0,
        "happened": 0,
        "forecast": None,
        "share": empty[0]["share"],
    }
    assert empty[0]["share"]["undefined"] == "empty"
    assert reliability_json(None) == []
