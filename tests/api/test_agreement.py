"""The on-ramp: scales that are declared, and figures that agree with the real thing."""

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from judgekit.api.agreement import declare_scale, measure_agreement
from judgekit.errors import InputError, UnknownName
from judgekit.importers.verdicts import VerdictColumns


@pytest.mark.parametrize(
    ("levels", "how", "kind", "values", "weights", "passes"),
    [
        ("0,1", {}, "binary", (0, 1), "unweighted", (False, True)),
        ("1,0", {}, "binary", (0, 1), "unweighted", (False, True)),
        ("bad,good", {}, "binary", (0, 1), "unweighted", (False, True)),
        ("1,2,3", {}, "ordinal", (1, 2, 3), "quadratic", None),
        ("3,2,1", {"passes": "2"}, "ordinal", (1, 2, 3), "quadratic", (False, True, True)),
        ("0.5, 1, 2", {"weights": "linear"}, "ordinal", (0.5, 1, 2), "linear", None),
        ("a,b,c", {"passes": "a,c"}, "nominal", ("a", "b", "c"), "unweighted", (True, False, True)),
        ("low,mid,high", {"kind": "ordinal"}, "ordinal", (1, 2, 3), "quadratic", None),
        ("A,B,tie", {"kind": "pairwise"}, "pairwise", ("A", "B", "tie"), "unweighted", None),
        ([1, 2, 3], {}, "ordinal", (1, 2, 3), "quadratic", None),
    ],
)
def test_a_declared_scale(
    levels: object, how: dict, kind: str, values: tuple, weights: str, passes: tuple | None
) -> None:
    """The kind by what the levels are, unless it is said."""
    found = declare_scale(levels, **how)  # type: ignore[arg-type]

    assert (found.scale.kind, found.scale.values) == (kind, values)
    assert (found.weights, found.passes) == (weights, passes)


@pytest.mark.parametrize(
    ("levels", "how", "message"),
    [
        ("1", {}, "two different levels"),
        ("1,1", {}, "two different levels"),
        ("", {}, "two different levels"),
        ("1,2,3", {"passes": "9"}, "'9' is not a level"),
        ("0,1", {"passes": "1"}, "pass line in itself"),
        ("a,b,c", {"weights": "linear"}, "no order for linear"),
        ("1,2,3", {"kind": "binary"}, "two levels, not 3"),
    ],
)
def test_no_scale(levels: str, how: dict, message: str) -> None:
    """What is wrong, in one sentence."""
    with pytest.raises(InputError, match=message):
        declare_scale(levels, **how)


def test_the_declared_scale_counts_not_the_levels_seen(tmp_path: Path) -> None:
    """Grades 1, 2 and 5 of five: the step from 2 to 5 costs three, as scikit-learn has it too."""
    rng = np.random.default_rng(11)
    human = rng.choice([1, 2, 5], size=90)
    judge = np.where(rng.random(90) < 0.7, human, rng.choice([1, 2, 5], size=90))
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("v", "h"), *zip(judge, human, strict=True)])

    columns = VerdictColumns(judge="v", human=("h",))
    found = measure_agreement(path, columns, declare_scale("1,2,3,4,5", weights="linear"))

    wanted = cohen_kappa_score(human, judge, labels=[1, 2, 3, 4, 5], weights="linear")
    assert found.evidence.agreement.value == pytest.approx(wanted)
    assert found.evidence.agreement.value != pytest.approx(
        cohen_kappa_score(human, judge, weights="linear"), abs=1e-3
    )


def test_where_and_rows_without_labels(tmp_path: Path) -> None:
    """Only rows that say so; an item nobody labelled is set aside, not lost."""
    path = tmp_path / "t.csv"
    path.write_text("part,v,h\nx,1,1\nx,0,\ny,1,0\nx,0,0\n")
    columns = VerdictColumns(judge="v", human=("h",))
    found = measure_agreement(path, columns, declare_scale("0,1"), where=["part=x"])

    assert found.tally.items == 3
    assert found.tally.set_aside == {"unlabelled": 1}
    assert found.evidence.confusion.table == ((1, 0), (0, 1))


def test_slices_and_production(tmp_path: Path) -> None:
    """Where the judge is worse, and what kappa would be in production."""
    rows = [("en", i % 2, i % 2) for i in range(60)] + [
        ("fr", i % 2, (i // 2) % 2) for i in range(60)
    ]
    path = tmp_path / "t.csv"
    path.write_text("lang,v,h\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    columns, scale = VerdictColumns(judge="v", human=("h",)), declare_scale("0,1")
    found = measure_agreement(path, columns, scale, slices=["lang"], prevalence=0.9)

    (report,) = found.slices
    assert {one.value: one.errors for one in report.slices} == {"en": 0, "fr": 30}
    assert all(one.differs for one in report.slices)
    assert found.production is not None
    assert found.production.shares == {"0": pytest.approx(0.1), "1": pytest.approx(0.9)}
    with pytest.raises(UnknownName, match="lnag"):
        measure_agreement(path, columns, scale, slices=["lnag"])


def test_many_levels(tmp_path: Path) -> None:
    """Fifty levels take seconds, not minutes; more than 101 are no scale."""
    rng = np.random.default_rng(3)
    human = rng.integers(0, 50, 300)
    judge = np.clip(human + rng.integers(-2, 3, 300), 0, 49)
    path = tmp_path / "t.csv"
    path.write_text("v,h\n" + "".join(f"{j},{h}\n" for j, h in zip(judge, human, strict=True)))
    columns = VerdictColumns(judge="v", human=("h",))
    found = measure_agreement(path, columns, declare_scale(list(range(50))))

    assert found.work_up.figures["spearman"].method == "spearman/jackknife"
    with pytest.raises(InputError, match="at most 101 levels"):
        declare_scale(list(range(102)))
