from __future__ import annotations

import pytest

from assay import Measured, Passage, Unavailable
from tests.signals.conftest import Measure, value

BRIDGE = Passage("The bridge was opened in 1998.", id="doc-a", title="Bridges")
PENGUINS = Passage("Penguins eat krill.", id="doc-b")
CLAIM = "The bridge was opened in 1998"


@pytest.mark.parametrize("marker", ["[1]", "[1, 2]", "[1-2]", "【1】", "(Doc 1)", "[^1]", "[id:doc-a]"])
def test_a_right_citation(measure: Measure, marker: str) -> None:
    assert value(measure("citations", passages=[BRIDGE, PENGUINS], response=f"{CLAIM} {marker}.")) == 1.0


@pytest.mark.parametrize(
    ("marker", "problem"),
    [("[7]", "points at 7"), ("[2]", "does not support its claim"), ("[1-9]", "points at 3")],
)
def test_a_wrong_citation_says_what_is_wrong(measure: Measure, marker: str, problem: str) -> None:
    got = measure("citations", passages=[BRIDGE, PENGUINS], response=f"{CLAIM} {marker}.")
    assert isinstance(got, Measured)
    assert got.value == 0.0
    assert problem in str(got.detail["wrong"])


def test_the_share_of_right_ones(measure: Measure) -> None:
    got = measure("citations", passages=[BRIDGE, PENGUINS], response=f"{CLAIM} [1]. Penguins eat krill [9].")
    assert value(got) == 0.5


def test_a_response_without_citations_is_left_alone(measure: Measure) -> None:
    got = measure("citations", passages=[BRIDGE], response=f"{CLAIM}.")
    assert isinstance(got, Unavailable)
    assert not got.applicable


@pytest.mark.parametrize(
    ("context", "good", "bad"),
    [
        ("passage 1: The bridge was opened in 1998.\n\npassage 2: Penguins eat krill.", "[2]", "[3]"),
        ("[1] The bridge was opened in 1998.\n[2] Penguins eat krill.", "[2]", "[3]"),
        ("The bridge was opened in 1998.\n\nPenguins eat krill.", "[2]", "[3]"),
    ],
)
def test_one_string_may_hold_several_documents(measure: Measure, context: str, good: str, bad: str) -> None:
    assert value(measure("citations", passages=context, response=f"Penguins eat krill {good}.")) == 1.0
    assert value(measure("citations", passages=context, response=f"Penguins eat krill {bad}.")) == 0.0
