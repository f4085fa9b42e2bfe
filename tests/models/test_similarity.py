import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.similarity import cosine


def unit(values: np.ndarray) -> np.ndarray:
    return values / np.linalg.norm(values)


def test_known_angles():
    assert cosine(np.array([1.0, 0.0]), np.array([0.6, 0.8])) == 0.6
    assert cosine(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 0.0
    assert cosine(np.array([1.0, 0.0]), np.array([-1.0, 0.0])) == 0.0  # opposed counts as unrelated


def test_zero_vector():
    zero, one = np.zeros(3), np.array([0.0, 1.0, 0.0])
    assert cosine(zero, one) == cosine(one, zero) == cosine(zero, zero) == 0.0


def test_never_nan():
    bad = np.array([np.nan, 1.0])
    assert cosine(bad, bad) == 0.0


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 384, 4096]))
def test_range_and_symmetry(seed, size):
    random = np.random.default_rng(seed)
    a, b = unit(random.standard_normal(size)), unit(random.standard_normal(size))
    value = cosine(a, b)
    assert 0.0 <= value <= 1.0
    assert value == cosine(b, a)
    assert value == pytest.approx(max(0.0, float(a @ b)), abs=1e-12)
    assert cosine(a, a) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("offset", range(8))
def test_memory_layout_does_not_matter(offset):
    random = np.random.default_rng(0)
    a, b = unit(random.standard_normal(4096)), unit(random.standard_normal(4096))
    moved = np.empty(4096 + 8)[offset : offset + 4096]
    moved[:] = a
    strided = np.empty((4096, 2))[:, 0]
    strided[:] = b
    assert cosine(moved, strided) == cosine(a, b)


def test_fast_enough():
    random = np.random.default_rng(0)
    a, b = unit(random.standard_normal(4096)), unit(random.standard_normal(4096))
    best = min(_timed(a, b) for _ in range(200))
    assert best < 30e-6


def _timed(a, b) -> float:
    start = time.perf_counter()
    cosine(a, b)
    return time.perf_counter() - start
