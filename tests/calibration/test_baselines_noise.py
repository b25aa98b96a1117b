"""Length says nothing of labels that have nothing to do with it, whatever the judge says."""

import numpy as np
import pytest

from judgekit.calibration.baselines import baselines
from judgekit.calibration.rows import Row, ScaleSpec
from tests.calibration.make import spec

NAMES = tuple("abcde")
NOMINAL = ScaleSpec(kind="nominal", values=NAMES, names=NAMES, passes=None, weights="unweighted")


def rival(scale: ScaleSpec, good: float, seed: int, n: int = 40) -> float:
    """Return the kappa of length on labels drawn without it; ``good`` is how often a judge hits."""
    rng, k = np.random.default_rng(seed), len(scale.values)
    human, length = rng.integers(0, k, n), rng.integers(20, 2_000, n)
    judge = np.where(rng.random(n) < good, human, rng.integers(0, k, n))
    found = baselines(
        [
            Row(f"{seed}-{i}", rater="ann", human=int(h), judge=int(j), length=int(c))
            for i, (h, j, c) in enumerate(zip(human, judge, length, strict=True))
        ],
        scale,
    )
    assert found is not None
    assert found.length is not None
    assert found.length.value is not None
    return found.length.value


@pytest.mark.parametrize("scale", [NOMINAL, spec("ordinal")], ids=["nominal", "ordinal"])
@pytest.mark.parametrize("good", [1.0, 0.0])
def test_noise_makes_no_rival(scale: ScaleSpec, good: float) -> None:
    """Of a judge that agrees with people, its answers are their labels: nothing is fitted to them.

    On average over label sets, of unordered levels as of ordered ones. Fitted to the items that it
    is asked of, a level for each bin of lengths has a kappa of 0.22 here. That the better of two
    rules is taken is worth a few hundredths where they differ.
    """
    assert abs(np.mean([rival(scale, good, seed) for seed in range(24)])) < 0.08
