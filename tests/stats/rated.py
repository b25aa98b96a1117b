"""What several raters say of the same items, for the tests of many raters."""

import numpy as np


def said(seed: int, n: int, m: int, k: int, gaps: float) -> np.ndarray:
    """What m raters near a hidden truth say of n items, -1 in the gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    values = np.where(rng.random((n, m)) < 0.6, truth[:, None], rng.integers(0, k, (n, m)))
    return np.where(rng.random((n, m)) < gaps, -1, values)
