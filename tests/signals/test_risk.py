import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Assay
from assay.errors import ModelError
from assay.models.lexical import LexicalEmbedder
from assay.models.protocol import ClaimReading
from assay.models.scripted_verifier import ScriptedVerifier
from assay.sample import Sample
from assay.signals.attribution import Attribution
from assay.signals.reading import Reading
from assay.signals.refusal import Answerability
from assay.signals.risk import Contradiction, Risk, coefficients, figures
from assay.verdict import ClaimStatus, Measured, Unavailable

CONTEXT = "The bridge was opened in 1998. It is 340 metres long."
GOOD, BAD = "The bridge was opened in 1998.", "Its builders came from far away."


def reading(response, readings=None, context=CONTEXT, **settings):
    verifier = ScriptedVerifier(readings, **settings)
    return Reading(Sample("When was it opened?", context, response), LexicalEmbedder(), verifier=verifier)


def test_attribution_is_what_the_verifier_says():
    read = reading(f"{GOOD} {BAD}", {GOOD: ClaimReading(0.9, 0.05), BAD: ClaimReading(0.1, 0.2)})
    found = Attribution("verifier", 0.5).measure(read, {})
    assert found.value == pytest.approx(0.5 * 0.5 + 0.5 * 0.1)
    assert [claim.status for claim in found.claims] == [ClaimStatus.SUPPORTED, ClaimStatus.UNSUPPORTED]
    assert [claim.support for claim in found.claims] == [0.9, 0.1]
    assert found.claims[0].evidence[0].passage == 0


def test_contradicted_by_the_verifier_or_by_a_fact():
    told = reading(BAD, {BAD: ClaimReading(0.1, 0.8)})
    (claim,) = Attribution("verifier").measure(told, {}).claims
    assert claim.status is ClaimStatus.CONTRADICTED
    assert Contradiction().measure(told, {}) == Measured(0.8)
    wrong = "The bridge was opened in 2001."
    (claim,) = Attribution("verifier").measure(reading(wrong), {}).claims
    assert claim.status is ClaimStatus.CONTRADICTED
    assert claim.support == 0.2
    assert "2001" in claim.facts[0]
    assert "1998" in claim.facts[0]


def test_what_claims_nothing_is_not_read():
    read = reading("How are you?")
    assert isinstance(Attribution("verifier").measure(read, {}), Unavailable)
    assert isinstance(Risk().measure(read, {}), Unavailable)
    assert isinstance(Contradiction().measure(read, {}), Unavailable)
    assert figures(read) is None


def test_figures():
    read = reading(f"{GOOD} {BAD}", {GOOD: ClaimReading(0.9, 0.0), BAD: ClaimReading(0.2, 0.0)})
    found = figures(read)
    assert found["worst"] == pytest.approx(math.log(4))
    assert found["second"] == pytest.approx(math.log(1 / 9))
    assert found["mean"] == pytest.approx((math.log(4) - math.log(9)) / 2)
    assert found["claims"] == pytest.approx(math.log(2))
    assert found["wrong"] == 0.0
    assert figures(reading(GOOD, {GOOD: ClaimReading(1.0, 0.0)}))["worst"] == -6.0


def test_signs_are_those_that_must_be():
    assert all(weight >= 0 for name, weight in coefficients().items() if name not in ("claims", "intercept"))
    assert set(coefficients()) == {*figures(reading(GOOD)), "intercept"}


supports = st.floats(0, 1)


@given(supports, supports, supports)
def test_less_support_never_lowers_the_risk(first, second, lower):
    lower = min(lower, second)
    read = [
        reading(f"{GOOD} {BAD}", {GOOD: ClaimReading(first, 0.0), BAD: ClaimReading(value, 0.0)})
        for value in (second, lower)
    ]
    high, low = (Risk().measure(one, {}).value for one in read)
    assert low >= high


def test_answerability_by_the_verifier():
    found = Answerability("verifier").measure(reading(GOOD, can_answer=0.3), {})
    assert found == Measured(0.3)


@pytest.mark.parametrize(
    "signal", [Attribution("verifier"), Risk(), Contradiction(), Answerability("verifier")]
)
def test_without_a_verifier(signal):
    read = Reading(Sample("When was it opened?", CONTEXT, GOOD), LexicalEmbedder())
    with pytest.raises(ModelError, match="needs a verifier"):
        signal.measure(read, {})


@pytest.mark.parametrize("bad", [math.nan, -0.1, 1.5])
def test_a_verifier_that_breaks_its_word_is_no_score(bad):
    verdict = Assay("verifier", verifier=ScriptedVerifier(otherwise=ClaimReading(bad, 0.0))).check(
        query="When was it opened?", context=CONTEXT, response=GOOD
    )
    assert verdict.decision == "REVIEW"
    assert verdict.failure_type == "verifier_unavailable"
    assert verdict.scores["attribution"] is None


def test_too_few_readings_are_no_score():
    class Short(ScriptedVerifier):
        def read(self, question, passages, response, claims):
            return []

    verdict = Assay("verifier", verifier=Short()).check(query="q", context=CONTEXT, response=GOOD)
    assert verdict.decision == "REVIEW"
    assert "each of 1 claims" in verdict.unavailable["attribution"]


def test_the_tier_and_the_hash_name_the_verifier():
    scripted, bundled = Assay("verifier", verifier=ScriptedVerifier()), Assay("verifier")
    assert scripted.tier == bundled.tier == "verifier"
    assert scripted.scorer_hash != bundled.scorer_hash
    assert scripted.policy_hash == bundled.policy_hash
    with pytest.raises(ModelError, match="a int is no verifier"):
        Assay("verifier", verifier=3)
