from dataclasses import replace

import numpy as np
import pytest

from judgekit.calibration.measure import measure
from judgekit.calibration.pairs import for_the_gate, paired
from judgekit.calibration.rows import Row
from judgekit.stats import identity, kappa, with_disagreeing
from tests.calibration.make import spec, table_rows, verdict

FAILED = table_rows([[35, 0], [5, 0]])
PASSED = table_rows([[0, 2], [0, 38]], first=100)
"""Forty labels each of what the judge fails, a tenth of all things, and of what it passes."""


def enriched(*, stated: bool = True) -> tuple[Row, ...]:
    """Both halves, with the weights of a sample of half and half and, if stated, their strata."""
    halves = ((FAILED, 0.2, "failed"), (PASSED, 1.8, "passed"))
    return tuple(
        replace(row, weight=weight, stratum=name if stated else None)
        for rows, weight, name in halves
        for row in rows
    )


def test_weights_and_strata_reach_the_statistics() -> None:
    """As arrays of the pairs, weights with a mean of 1, strata as codes."""
    pairs = paired(enriched(), spec("binary"))
    assert pairs.weight is not None
    assert pairs.strata is not None
    assert pairs.drawn is not None

    assert pairs.weight.mean() == pytest.approx(1)
    assert sorted(set(pairs.weight.round(6).tolist())) == [0.2, 1.8]
    assert pairs.drawn.tolist() == [40, 40]
    assert len(set(zip(pairs.strata.tolist(), pairs.weight.tolist(), strict=True))) == 2


def test_without_them_there_are_none() -> None:
    """Plain rows stay plain."""
    pairs = for_the_gate(FAILED, spec("binary"))

    assert pairs.weight is None
    assert pairs.strata is None


def test_a_row_without_a_stratum_is_in_one_of_its_own() -> None:
    """What was not said to be of a stratum is none of the others."""
    rows = (*enriched(), Row("z1", rater="ann", human=0, judge=0), Row("z2", human=1, judge=1))
    pairs = paired(rows, spec("binary"))
    assert pairs.drawn is not None

    assert sorted(pairs.drawn.tolist()) == [2, 40, 40]


def test_enriched_labels_are_not_read_as_random() -> None:
    """Kappa of the weighted table; of the plain table it would be 0.83 and let the judge pass."""
    rows = enriched()
    weighted = np.array([[35 * 0.2, 2 * 1.8], [5 * 0.2, 38 * 1.8]])

    found = measure(rows, spec("binary")).gate_agreement

    assert found.value == pytest.approx(kappa(weighted, identity(2)))
    assert found.value < 0.73
    assert verdict(rows, spec("binary")).verdict == "inconclusive"
    assert verdict([replace(r, weight=None) for r in rows], spec("binary")).verdict == "calibrated"


def test_strata_narrow_the_interval() -> None:
    """How many of each verdict came was decided, not chance."""
    apart, together = (
        measure(enriched(stated=stated), spec("binary")).gate_agreement for stated in (True, False)
    )

    assert apart.value == together.value
    assert apart.low is not None
    assert together.low is not None
    assert apart.design_effect < together.design_effect
    assert apart.low > together.low


def test_unusable_judgments_keep_their_weight() -> None:
    """A heavy item without an answer is a heavy disagreement."""
    lost = replace(
        Row("lost", rater="ann", human=1, cause="unreadable"), weight=1.8, stratum="passed"
    )
    pairs = for_the_gate((*enriched(), lost), spec("binary"))

    table = pairs.table() * 81 / pairs.table().sum()
    total = 40 * 0.2 + 41 * 1.8
    assert table[1, 3] == pytest.approx(1.8 * 81 / total)
    found = measure((*enriched(), lost), spec("binary")).gate_agreement
    assert found.value == pytest.approx(kappa(table, with_disagreeing(identity(2), 2)))
