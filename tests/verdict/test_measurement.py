from __future__ import annotations

import dataclasses
import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.verdict import Measured, Unavailable, unit

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("value", [math.nan, -math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_no_value(value: float) -> None:
    for make in (unit, Measured):
        with pytest.raises(ValueError, match=r"must be finite, got -?(nan|inf); return Unavailable"):
            make(value)


@settings(max_examples=2000)
@given(FINITE | st.floats(-0.1, 1.1))
def test_every_finite_number_lands_in_the_unit_interval_with_four_places(value: float) -> None:
    landed = unit(value)
    assert 0.0 <= landed <= 1.0
    assert landed == round(landed, 4)
    assert math.copysign(1.0, landed) == 1.0
    assert unit(landed) == landed
    assert abs(landed - min(1.0, max(0.0, value))) <= 0.00005 + 1e-12
    assert Measured(value).value == landed


@given(st.floats(0, 1), st.floats(0, 1))
def test_order_is_kept(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert unit(low) <= unit(high)


@pytest.mark.parametrize(
    ("value", "landed"),
    [
        (0.12344, 0.1234),
        (0.12346, 0.1235),
        (0.99996, 1.0),
        (0.00004, 0.0),
        (-0.00004, 0.0),
        (1.7, 1.0),
        (-3, 0.0),
        (1, 1.0),
        (5e-324, 0.0),
        (1e308, 1.0),
    ],
)
def test_clamped_then_rounded(value: float, landed: float) -> None:
    assert unit(value) == landed
    assert type(unit(value)) is float


@pytest.mark.parametrize("value", [-0.0, -1e-9, -5.0, 0.0])
def test_minus_zero_is_zero(value: float) -> None:
    assert str(unit(value)) == "0.0"


def test_a_measurement_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Measured(0.5).value = math.nan
    with pytest.raises(dataclasses.FrozenInstanceError):
        Unavailable("no context").cause = ""


def test_what_is_unavailable_applies_unless_said_otherwise() -> None:
    assert Unavailable("the model failed").applicable
    assert not Unavailable("no question", applicable=False).applicable


@pytest.mark.parametrize(
    "measurement", [Measured(0.5, {"cosine": 0.4}), Unavailable("none", applicable=False)]
)
def test_measurements_pickle(measurement: Measured | Unavailable) -> None:
    assert pickle.loads(pickle.dumps(measurement)) == measurement
