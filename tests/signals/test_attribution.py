from __future__ import annotations

import pytest

from assay import Measured, ProfileError, Unavailable
from assay.signals.attribution import jaccard
from assay.signals.registry import make_signals
from tests.signals.conftest import Measure, value

CONTEXT = "The bridge was opened in 1998. It is 340 metres long."


def test_it_is_half_the_average_and_half_the_weakest_claim(measure: Measure) -> None:
    got = measure(
        "attribution", passages=CONTEXT, response="The bridge was opened in 1998. Penguins eat krill."
    )
    assert isinstance(got, Measured)
    assert [claim.support for claim in got.claims] == [1.0, 0.0]
    assert got.value == 0.25
    assert [claim.status.value for claim in got.claims] == ["supported", "unsupported"]
    weakest = measure(
        "weakest_claim", passages=CONTEXT, response="The bridge was opened in 1998. Penguins eat krill."
    )
    assert value(weakest) == 0.0


def test_citation_markers_are_no_numbers_of_the_claim(measure: Measure) -> None:
    got = measure("attribution", passages=CONTEXT, response="The bridge was opened in 1998 [1].")
    assert isinstance(got, Measured)
    assert (got.value, got.claims[0].citations, got.claims[0].facts) == (1.0, ("[1]",), ())


def test_a_repeated_sentence_keeps_its_own_offsets(measure: Measure) -> None:
    response = "It is long. It is long. It is long."
    got = measure("attribution", passages=CONTEXT, response=response)
    assert [claim.start for claim in got.claims] == [0, 12, 24]


@pytest.mark.parametrize("formula", ["article", "claims"])
@pytest.mark.parametrize(
    ("passages", "response", "cause"),
    [("", "x", "no context was given"), ("x", "  ", "the response is empty")],
)
def test_what_cannot_be_measured_says_why(
    measure: Measure, formula: str, passages: str, response: str, cause: str
) -> None:
    got = measure("attribution", {"formula": formula}, passages=passages, response=response)
    assert got == Unavailable(cause)


def test_a_response_without_claims_is_unavailable_and_still_shown(measure: Measure) -> None:
    got = measure("attribution", passages=CONTEXT, response="Hello! How can I help you?")
    assert isinstance(got, Unavailable)
    assert {claim.status.value for claim in got.claims} == {"not_checkable"}
    assert isinstance(measure("weakest_claim", passages=CONTEXT, response="Hello!"), Unavailable)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("a b c", "b c d", 0.5), ("A", "a", 1.0), ("", "a", 0.0), ("1 2", "1 2", 0.0), ("été", "t", 1.0)],
)
def test_jaccard_sees_a_to_z_only(first: str, second: str, expected: float) -> None:
    assert jaccard(first, second) == expected


@pytest.mark.parametrize("options", [{"formula": "artcle"}, {"claim_threshold": 2.0}, {"colour": "red"}])
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ProfileError, match=r"signals\.attribution"):
        make_signals({"attribution": options}, "mine.yaml")
