"""Names for the arrays this room works on, and the checks at its door."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def codes(name: str, values: npt.ArrayLike) -> IntArray:
    """Return ``values`` as a one-dimensional int64 array of codes, none of them negative.

    Raises:
        ValueError: Another shape, numbers that are not integers, or a negative code.
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integer codes, not {array.dtype}")
    if array.min() < 0:
        raise ValueError(f"{name} holds the negative code {array.min()}")
    return array.astype(np.int64, copy=False)


def scale_codes(name: str, values: npt.ArrayLike, size: int) -> IntArray:
    """Return codes of a scale of ``size`` categories: each in ``0 .. size - 1``.

    Raises:
        ValueError: As :func:`codes`, or a code outside the scale. It is never clamped.
    """
    array = codes(name, values)
    if array.size and array.max() >= size:
        raise ValueError(f"{name} holds the code {array.max()}; the scale has {size} categories")
    return array


def compact(values: IntArray) -> IntArray:
    """Renumber codes to ``0 .. G - 1``, keeping their order; G is the number of distinct ones.

    Counting is linear; only sparse codes (hashes, ids) pay for a sort.
    """
    if values.size == 0 or values.max() > 4 * values.size:
        return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)
    present = np.bincount(values) > 0
    renumbered: IntArray = (np.cumsum(present, dtype=np.int64) - 1)[values]
    return renumbered


def pair_weights(values: npt.ArrayLike | None, size: int) -> FloatArray | None:
    """Return one finite, positive sampling weight for each pair, or None when all are equal.

    Raises:
        ValueError: Another length, or a weight that is zero, negative or not finite.
    """
    if values is None:
        return None
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(f"weight must have one entry for each of the {size} pairs")
    if not (np.isfinite(array).all() and (array > 0).all()):
        raise ValueError("weight must be positive and finite")
    return array


def square(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return ``values`` as a finite (k, k) float array with k at least 1.

    Raises:
        ValueError: Not square, empty, or with entries that are not finite.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.size == 0:
        raise ValueError(f"{name} must be a square matrix, not of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array
