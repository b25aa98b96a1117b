"""Which examples stand where they must not."""

from judgekit.calibration.leaks import leak_check
from judgekit.reports.leaks import leaked_text


def test_each_is_named_with_its_split() -> None:
    """A long list is cut."""
    splits = {f"q{i}": "dev" if i % 2 else "test" for i in range(5)}
    check = leak_check(dict.fromkeys(splits, "good"), splits)

    assert check is not None
    assert leaked_text(check) == "q0 (test), q1 (dev), q2 (test) and 2 more"
