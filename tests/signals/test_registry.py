from __future__ import annotations

import pytest

from assay import PluginError, ProfileError
from assay.signals import Signal
from assay.signals.registry import BUILTIN, make_signals, signal_names


def test_every_built_in_signal_has_its_own_name() -> None:
    assert set(BUILTIN) <= set(signal_names())
    for name in BUILTIN:
        (signal,) = (s for s in make_signals({key: {} for key in BUILTIN}, "test") if s.name == name)
        assert isinstance(signal, Signal)


def test_signals_come_after_those_they_need() -> None:
    names = ("disagreement", "relevance", "context_quality", "faithfulness", "specificity", "attribution")
    listed: dict[str, dict[str, object]] = {name: {} for name in names}
    order = [signal.name for signal in make_signals(listed, "test")]
    for signal in make_signals(listed, "test"):
        assert all(order.index(need) < order.index(signal.name) for need in signal.needs)


def test_a_needed_signal_must_be_listed() -> None:
    with pytest.raises(ProfileError, match="'weakest_claim' needs 'attribution'"):
        make_signals({"weakest_claim": {}}, "mine.yaml")


def test_an_unknown_signal_lists_what_there_is() -> None:
    with pytest.raises(PluginError, match="attribution"):
        make_signals({"nonsense": {}}, "mine.yaml")
