"""Evidence by slice: each on its own, tests that allow for each other, and no average."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, false_discovery_control, fisher_exact
from statsmodels.stats.multitest import multipletests

from judgekit.calibration.measure import measure
from judgekit.calibration.rows import Row, ScaleSpec
from judgekit.calibration.slices import SliceReport, slice_evidence, slice_reports
from judgekit.judging.judgment import INCOMPLETE
from judgekit.stats import identity, kappa, standard_error
from tests.calibration.make import spec, table_rows
from tests.calibration.strategies import calibrations

BINARY = spec("binary")
TABLES = {
    "en": [[40, 4], [5, 41]],
    "de": [[18, 12], [10, 20]],
    "nl": [[25, 5], [4, 26]],
    "fr": [[3, 1], [1, 4]],
}


def sliced(tables: dict[str, Any]) -> tuple[tuple[Row, ...], dict[str, str]]:
    """Rows of several tables, and the slice of each item."""
    rows: list[Row] = []
    of: dict[str, str] = {}
    for place, (name, table) in enumerate(tables.items()):
        own = table_rows(table, first=1000 * place)
        rows += own
        of |= {row.item: name for row in own}
    return tuple(rows), of


ROWS, OF = sliced(TABLES)


def test_each_slice_is_what_it_would_be_alone() -> None:
    """Kappa, both sides of the pass line and the count of errors are those of its own rows."""
    report = slice_evidence(ROWS, BINARY, OF, column="language")

    assert [one.value for one in report.slices] == ["en", "de", "nl", "fr"]
    for one in report.slices:
        own = measure([row for row in ROWS if OF[row.item] == one.value], BINARY)
        assert one.kappa == own.gate_agreement
        assert (one.sensitivity, one.specificity) == (own.sensitivity, own.specificity)
        assert one.errors == TABLES[one.value][0][1] + TABLES[one.value][1][0]
    assert report.column == "language"
    assert report.unsliced == 0


def test_few_items_are_named_and_not_judged() -> None:
    """Nine items say nothing: no test, and no part in the comparison of kappas."""
    report = slice_evidence(ROWS, BINARY, OF)
    few = report.slices[-1]

    assert report.unusable == ("fr",)
    assert (few.items, few.usable, few.test, few.difference, few.differs) == (
        9,
        False,
        None,
        None,
        False,
    )
    assert report.homogeneity.df == 2


def test_homogeneity_by_hand() -> None:
    """Fleiss: the squared distances from the inverse-variance mean, in standard errors."""
    tables = [np.array(TABLES[name]) for name in ("en", "de", "nl")]
    K = np.array([kappa(t, identity(2)) for t in tables])
    v = np.array([standard_error(t, identity(2)) for t in tables]) ** -2.0
    statistic = (v * (K - (v @ K) / v.sum()) ** 2).sum()

    found = slice_evidence(ROWS, BINARY, OF).homogeneity

    assert found.statistic == pytest.approx(statistic)
    assert found.p == pytest.approx(chi2.sf(statistic, 2))


def test_a_slice_without_errors_is_compared_all_the_same() -> None:
    """Its standard error would be 0; the width of its interval stands in."""
    rows, of = sliced({"a": [[30, 0], [0, 30]], "b": [[20, 10], [10, 20]]})

    found = slice_evidence(rows, BINARY, of).homogeneity

    assert found.method == "homogeneity/path_score"
    assert found.p is not None
    assert found.p < 0.01


def test_errors_are_tested_and_explored_slices_share_the_risk() -> None:
    """Fisher for each usable slice against all the rest; Benjamini and Hochberg across them."""
    report = slice_evidence(ROWS, BINARY, OF)
    wrong, total = 42, len(ROWS)
    plain = []
    for name in ("en", "de", "nl"):
        (a, b), (c, d) = TABLES[name]
        x, n = b + c, a + b + c + d
        plain.append(fisher_exact([[x, n - x], [wrong - x, total - n - wrong + x]])[1])
    adjusted = false_discovery_control(plain)

    tests = [one.test for one in report.slices[:3]]

    assert [test and test.p for test in tests] == pytest.approx(plain)
    assert [test and test.adjusted for test in tests] == pytest.approx(list(adjusted))
    assert [one.differs for one in report.slices[:3]] == [p <= 0.10 for p in adjusted]
    assert [one.differs for one in report.slices[:3]] == [True, True, False]
    assert (report.correction, report.level) == ("benjamini_hochberg", 0.10)


def test_declared_slices_are_held_to_more() -> None:
    """Holm at 5%, over the declared columns together; explored ones are another family."""
    halves = {row.item: i % 2 for i, row in enumerate(ROWS)}
    columns = {"language": OF, "half": halves}

    alone = slice_evidence(ROWS, BINARY, OF, column="language", declared=True)
    both = slice_reports(ROWS, BINARY, columns, declared=["language", "half"])
    mixed = slice_reports(ROWS, BINARY, columns, declared=["language"])

    def smallest(report: SliceReport) -> tuple[float, float]:
        tests = [one.test for one in report.slices if one.test and one.test.p is not None]
        test = min(tests, key=lambda one: one.p)
        return test.p, test.adjusted

    tests = [one.test for one in alone.slices[:3]]
    plain, told = ([getattr(test, name) for test in tests] for name in ("p", "adjusted"))
    assert told == pytest.approx(list(multipletests(plain, method="holm")[1]))
    p, adjusted = smallest(alone)
    assert adjusted == pytest.approx(3 * p)
    assert smallest(both[0])[1] == pytest.approx(4 * p)  # two halves ask one question
    assert smallest(mixed[0])[1] == pytest.approx(3 * p)
    assert (mixed[0].correction, mixed[1].correction) == ("holm", "benjamini_hochberg")
    assert (mixed[0].level, mixed[1].level) == (0.05, 0.10)


def test_two_slices_ask_one_question() -> None:
    """Either against the other is the same test, and is counted once."""
    rows, of = sliced({"a": [[40, 4], [5, 41]], "b": [[18, 12], [10, 20]]})

    first, second = slice_evidence(rows, BINARY, of, declared=True).slices

    assert first.test is not None
    assert second.test is not None
    assert first.test.adjusted == first.test.p == pytest.approx(second.test.p)
    assert second.test.adjusted == first.test.adjusted


def test_prevalence_moves_kappa_and_no_error_test_minds() -> None:
    """TPR and TNR of .9 are kappa .80 at 50/50 and about .4 at 5/95; the judge is the same."""
    rows, of = sliced({"even": [[90, 10], [10, 90]], "rare": [[171, 19], [1, 9]]})

    even, rare = sorted(slice_evidence(rows, BINARY, of).slices, key=lambda one: one.value)

    assert even.kappa.value == pytest.approx(0.80)
    assert rare.kappa.value is not None
    assert rare.kappa.value < 0.45
    assert even.sensitivity is not None
    assert rare.sensitivity is not None
    assert even.sensitivity.value == rare.sensitivity.value == 0.9
    assert (even.differs, rare.differs) == (False, False)


def test_unusable_replies_are_errors() -> None:
    """As in the gate; items the run never got to take no part."""
    rows = table_rows([[20, 0], [0, 20]], {"unreadable": 6, "provider_error": 5})
    of = dict.fromkeys((row.item for row in rows), "all")

    (one,) = slice_evidence(rows, BINARY, of).slices

    assert (one.errors, one.pairs, one.items) == (6, 46, 46)
    assert one.test is not None
    assert one.test.undefined == "empty"


def test_beyond_the_pass_line_only_the_decision_counts() -> None:
    """On an ordinal scale with a pass line a 4 for a 5 is no error; without one it is."""
    table = np.zeros((5, 5), int)
    table[4, 3] = table[0, 0] = 20
    rows = table_rows(table.tolist())
    of = {row.item: "x" for row in rows}

    assert slice_evidence(rows, spec("ordinal", passes_at=3), of).slices[0].errors == 0
    assert slice_evidence(rows, spec("ordinal"), of).slices[0].errors == 20


def test_several_raters_do_not_multiply_the_evidence() -> None:
    """Four raters who say the same make one item of each, not four."""
    raters = ("ann", "bob", "cy", "dee")
    many = [replace(row, rater=rater) for rater in raters for row in ROWS]

    once = slice_evidence(ROWS, BINARY, OF).slices[2].test
    pooled = slice_evidence(many, BINARY, OF).slices[2].test

    assert once is not None
    assert pooled is not None
    assert pooled.method == "error_difference/score"
    assert pooled.p == pytest.approx(once.p, rel=0.5)


def test_items_in_no_slice_are_counted() -> None:
    """They are left out of everything, and said."""
    of = {item: name for item, name in OF.items() if name != "nl"}

    report = slice_evidence(ROWS, BINARY, of)

    assert report.unsliced == 60
    assert [one.value for one in report.slices] == ["en", "de", "fr"]
    assert slice_evidence(ROWS, BINARY, {}).slices == ()
    assert slice_evidence(ROWS, BINARY, {}).homogeneity.undefined == "too_few_items"


def test_false_alarms_are_held() -> None:
    """Twelve slices of one judge: in four explorations of five, at least, nothing is called."""
    rng, calls = np.random.default_rng(4), 0
    for _ in range(40):
        human = rng.integers(0, 2, 600)
        judge = np.where(rng.random(600) < 0.85, human, 1 - human)
        rows = [
            Row(f"i{i}", rater="ann", human=int(h), judge=int(j))
            for i, (h, j) in enumerate(zip(human, judge, strict=True))
        ]
        of = {row.item: f"s{i % 12}" for i, row in enumerate(rows)}
        calls += any(one.differs for one in slice_evidence(rows, BINARY, of).slices)

    assert calls <= 9


@settings(max_examples=40)
@given(calibrations(), st.integers(1, 4))
def test_any_rows_can_be_sliced(made: tuple[ScaleSpec, tuple[Row, ...]], parts: int) -> None:
    """Whatever the rows, there is a report that survives JSON, and no pair is lost."""
    scale, rows = made
    of = {row.item: len(row.item) * int(row.item[1:] or 0) % parts for row in rows}

    report = slice_evidence(rows, scale, of)

    assert SliceReport.model_validate_json(report.model_dump_json()) == report
    assert sum(one.items for one in report.slices) + report.unsliced == len(
        {r.item for r in rows if r.set_aside is None and r.cause not in INCOMPLETE}
    )
