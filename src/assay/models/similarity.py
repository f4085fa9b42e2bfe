"""Cosine of two vectors that are already of unit length, or all zeros."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cosine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Cosine in 0..1; opposed vectors count as unrelated, and a zero vector is similar to nothing.

    Args:
        a: A unit vector or zeros, shape ``(dimension,)``.
        b: Another of the same shape.
    """
    # Product, then NumPy's pairwise sum: its order depends on the length alone, where a BLAS dot product
    # may differ in the last place between machines and memory alignments.
    value = float(np.add.reduce(np.ascontiguousarray(a) * np.ascontiguousarray(b)))
    return min(1.0, value) if value > 0.0 else 0.0  # NaN compares false, so it ends as 0.0
