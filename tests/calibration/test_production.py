"""Kappa as common as production has the levels; and what ``--prevalence`` may say."""

import pytest

from judgekit.calibration.production import at_production, parse_prevalence
from judgekit.errors import InputError
from tests.calibration.make import spec, table_rows

EVEN = table_rows([[90, 10], [10, 90]])
"""TPR and TNR are .9, half of the items pass."""


@pytest.mark.parametrize(("share", "kappa"), [("0.5", 0.80), ("0.95", 0.43), ("0.05", 0.43)])
def test_the_same_judge_elsewhere(share: str, kappa: float) -> None:
    """Kappa .80 at 50/50 and .43 at 95/5, of the same answers to each level."""
    found = at_production(EVEN, spec("binary"), parse_prevalence(share))

    assert found.agreement.value == pytest.approx(kappa, abs=0.005)
    assert found.agreement.low is not None
    assert found.agreement.low < found.agreement.value
    assert found.shares["good"] == pytest.approx(float(share))
    assert found.labelled == {"bad": 0.5, "good": 0.5}


def test_shares_of_each_level() -> None:
    """By name or value; one may be left out."""
    told = at_production(EVEN, spec("binary"), parse_prevalence("good=0.95,bad=0.05"))

    assert at_production(EVEN, spec("binary"), parse_prevalence("0=0.05")) == told


def test_one_share_on_an_ordinal_scale() -> None:
    """It is of what passes; within a side levels stay as common as they are."""
    rows = table_rows([[9, 1, 0, 0, 0], [1, 9, 0, 0, 0], [0, 0, 9, 1, 0], [0, 0, 1, 9, 0], [0] * 5])
    found = at_production(rows, spec("ordinal", passes_at=3), 0.9)

    assert list(found.shares.values()) == pytest.approx([0.05, 0.05, 0.45, 0.45, 0.0])


def test_a_level_without_labels() -> None:
    """Nothing tells what the judge answers to it."""
    rows = table_rows([[40, 0], [0, 0]])
    found = at_production(rows, spec("binary"), 0.5)

    assert found.agreement.undefined == "no_positive"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "'x' is no share"),
        ("1.5", "is no share"),
        ("nan", "is no share"),
        ("good=", "is no share"),
        ("=0.5,bad=0.5", "is no share"),
        ("goood=0.5,bad=0.5", "not a level"),
        ("good=0.5,bad=0.6", "add up to 1"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    """One sentence, and how to write it."""
    with pytest.raises(InputError, match=message) as caught:
        at_production(EVEN, spec("binary"), parse_prevalence(text))

    assert caught.value.hint


def test_one_share_needs_a_pass_line() -> None:
    """Five levels without one."""
    with pytest.raises(InputError, match="no pass line"):
        at_production(table_rows([[5] * 5] * 5), spec("ordinal"), 0.5)
