"""Worked examples come from train; elsewhere they are a reason to refuse."""

import pytest

from judgekit.calibration.leaks import leak_check

SPLITS = {"q1": "train", "q2": "dev", "q3": "test", "q4": "test"}


@pytest.mark.parametrize("splits", [{}, SPLITS], ids=["not split", "split"])
def test_no_leak_no_check(splits: dict[str, str]) -> None:
    """Nothing is asked where nothing was found."""
    assert leak_check({}, splits) is None


def test_without_a_split_examples_are_only_set_aside() -> None:
    """As before: there is no train to take them from."""
    assert leak_check({"q3": "good"}, {}) is None


def test_examples_from_train_are_fine() -> None:
    """That is what train is for."""
    assert leak_check({"q1": "good"}, SPLITS) is None


@pytest.mark.parametrize(
    ("leaked", "observed"),
    [
        (["q3"], {"q3": "test"}),
        (["q2"], {"q2": "dev"}),
        (["q4", "q1", "q2"], {"q2": "dev", "q4": "test"}),
        (["q9"], {"q9": "none"}),
    ],
)
def test_examples_from_elsewhere_fail(leaked: list[str], observed: dict[str, str]) -> None:
    """Each is named with where it stands; nothing measured rules the judge out."""
    check = leak_check(dict.fromkeys(leaked, "good"), SPLITS)

    assert check is not None
    assert (check.passed, check.ruled_out, check.reason) == (False, False, "leaked_anchors")
    assert check.observed == observed
