from __future__ import annotations

import itertools
import operator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from assay.policy.load import builtin_names, load_profile
from assay.policy.profile import Condition, FinalScore, Gate, Margin, Profile
from assay.signals.registry import signal_names
from assay.verdict import Action, Decision, FailureType

from .profiles import small

# Thresholds on quarters and values on eighths: between any two thresholds lies a value.
THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
VALUES = [i / 8 for i in range(9)]
COMPARE = {"below": operator.lt, "above": operator.gt, "at_least": operator.ge, "at_most": operator.le}


def satisfying(bounds: dict[str, float]) -> set[float]:
    return {v for v in VALUES if all(COMPARE[name](v, t) for name, t in bounds.items())}


def all_bounds(most: int) -> list[dict[str, float]]:
    """Every choice of at least one and at most so many bounds."""
    return [
        dict(zip(names, thresholds, strict=True))
        for size in range(1, most + 1)
        for names in itertools.combinations(COMPARE, size)
        for thresholds in itertools.product(THRESHOLDS, repeat=size)
    ]


POSSIBLE = [bounds for bounds in all_bounds(4) if satisfying(bounds)]
WHEN = st.dictionaries(
    st.sampled_from(["a", "b"]), st.sampled_from([b for b in POSSIBLE if len(b) < 3]), min_size=1
)


def gate(**changes: object) -> Gate:
    fields = {
        "name": "g",
        "when": {"attribution": {"below": 0.5}},
        "decision": "REVIEW",
        "failure_type": "weak_grounding",
        "action": "optional_human_review",
        "reason": "r",
        "why": "w",
    }
    return Gate.model_validate(fields | changes)


class TestCondition:
    def test_is_refused_exactly_when_no_value_satisfies_it(self) -> None:
        for bounds in all_bounds(4):
            if satisfying(bounds):
                Condition(**bounds)
            else:
                with pytest.raises(ValidationError, match="no value satisfies"):
                    Condition(**bounds)

    def test_its_interval_holds_exactly_the_values_that_satisfy_it(self) -> None:
        for bounds in POSSIBLE:
            (low, low_open), (high, high_open) = Condition(**bounds).interval()
            above = {v for v in VALUES if (v > low if low_open else v >= low)}
            below = {v for v in VALUES if (v < high if high_open else v <= high)}
            assert above & below == satisfying(bounds), bounds

    def test_implies_another_exactly_when_its_values_all_satisfy_that(self) -> None:
        conditions = [(Condition(**b), satisfying(b)) for b in POSSIBLE if len(b) < 3]
        for (one, its_values), (other, other_values) in itertools.product(conditions, repeat=2):
            assert one.implies(other) is (its_values <= other_values), (one, other)

    def test_its_bounds_are_operators_with_thresholds(self) -> None:
        assert Condition(above=0.2, below=0.5).bounds == (("<", 0.5), (">", 0.2))
        assert Condition(at_most=0.5, at_least=0.5).bounds == ((">=", 0.5), ("<=", 0.5))

    @pytest.mark.parametrize(
        "threshold", [True, False, "x", None, [0.5], float("nan"), float("inf"), -0.01, 1.01]
    )
    def test_a_threshold_is_a_number_of_the_unit_interval(self, threshold: object) -> None:
        with pytest.raises(ValidationError):
            Condition.model_validate({"below": threshold})


class TestGate:
    @settings(max_examples=500)
    @given(WHEN, WHEN)
    def test_is_hidden_exactly_when_an_earlier_one_always_fires_first(
        self, earlier: dict[str, dict[str, float]], later: dict[str, dict[str, float]]
    ) -> None:
        # An earlier condition that every value satisfies still needs its signal to be measured.
        assume(all(set(VALUES) != satisfying(bounds) for bounds in earlier.values()))

        def fires(when: dict[str, dict[str, float]], point: dict[str, float]) -> bool:
            return all(point[name] in satisfying(bounds) for name, bounds in when.items())

        points = [dict(zip("ab", values, strict=True)) for values in itertools.product(VALUES, VALUES)]
        always = all(fires(earlier, point) for point in points if fires(later, point))
        assert gate(when=later).hidden_by(gate(when=earlier)) is always

    def test_its_margin_is_what_is_given(self) -> None:
        assert gate(margin={"signal": "final", "threshold": 0.65}).effective_margin() == Margin(
            signal="final", threshold=0.65
        )

    def test_its_margin_is_else_the_first_bound_of_its_first_signal(self) -> None:
        when = {"relevance": {"above": 0.3}, "attribution": {"below": 0.5}}
        assert gate(when=when).effective_margin() == Margin(signal="relevance", threshold=0.3)

    def test_an_accept_has_no_failure(self) -> None:
        assert gate(decision="ACCEPT", failure_type="none").decision is Decision.ACCEPT
        for failure in set(FailureType) - {FailureType.NONE}:
            with pytest.raises(ValidationError, match="an ACCEPT has failure_type none"):
                gate(decision="ACCEPT", failure_type=failure)

    @pytest.mark.parametrize("confidence", [-1, 101, 99.5, True, "many"])
    def test_a_fixed_confidence_is_a_whole_percentage(self, confidence: object) -> None:
        with pytest.raises(ValidationError):
            gate(confidence=confidence)


class TestFinalScore:
    @pytest.mark.parametrize("weights", [{"a": 1.0}, {"a": 0.1, "b": 0.2, "c": 0.7}, {"a": 1.0, "b": 0.0}])
    def test_weights_sum_to_one(self, weights: dict[str, float]) -> None:
        assert FinalScore(weights=weights).weights == weights

    @pytest.mark.parametrize("weights", [{"a": 0.99}, {"a": 0.5, "b": 0.6}, {"a": 0.0}])
    def test_other_sums_are_told(self, weights: dict[str, float]) -> None:
        with pytest.raises(ValidationError, match=f"the weights sum to {sum(weights.values()):g}, not to 1"):
            FinalScore(weights=weights)


SWAPPED = """\
  - name: off_topic
    when: {relevance: {below: 0.30}, final: {below: 0.90}}
    decision: REVIEW
    failure_type: off_topic
    action: retry_with_clearer_query
    margin: {signal: relevance, threshold: 0.30}
    reason: Off topic ({relevance}).
    why: It is off topic
  - name: weak
    when: {attribution: {below: 0.50}}
    decision: REJECT
    failure_type: hallucination
    action: regenerate_with_grounding_prompt
    reason: Weak ({attribution}).
    why: It is weak
"""


class TestPolicyHash:
    CHANGES = (
        ("when: {attribution: {below: 0.50}}\n", "when: {attribution: {below: 0.51}}\n"),
        ("final: {below: 0.90}", "final: {below: 0.91}"),
        ("final: {below: 0.90}", "final: {at_most: 0.90}"),
        (", final: {below: 0.90}", ""),
        ("{attribution: 0.75, relevance: 0.25}", "{attribution: 0.7, relevance: 0.3}"),
        ("multiply: 0.50", "multiply: 0.60"),
        ("multiply: 0.50", "at_most: 0.50"),
        ("at_most: 0.20}", "at_most: 0.21}"),
        (
            "{status: confirmed, when: {attribution: {below: 0.20}}}",
            "{status: none, when: {attribution: {below: 0.20}}}",
        ),
        (
            "{status: confirmed, when: {attribution: {below: 0.20}}}",
            "{status: confirmed, when: {attribution: {below: 0.21}}}",
        ),
        ("{formula: words}", "{formula: claims}"),
        ("{formula: words}", "{}"),
        ("  relevance: {}", "  relevance: {}\n  spread: {}"),
        ("embedder: [lexical]", "embedder: [minilm, lexical]"),
        ("decision: REJECT", "decision: REVIEW"),
        ("failure_type: off_topic", "failure_type: uncertain"),
        ("action: retry_with_clearer_query", "action: optional_human_review"),
        ("{signal: final, threshold: 0.60}", "{signal: final, threshold: 0.61}"),
        ("{signal: relevance, threshold: 0.30}", "{signal: final, threshold: 0.30}"),
        ("    why: It is weak", "    why: It is weak\n    confidence: 90"),
        ("accept:\n", "disagreement_scale: 0.13\naccept:\n"),
        ("accept:\n", "history_as_evidence: true\naccept:\n"),
    )
    WORDING = (
        ("name: small", "name: other"),
        ("description: Two gates\n", ""),
        ("name: weak", "name: thin"),
        ("Weak ({attribution}).", "Thin, {relevance}."),
        ("It is weak", "Because"),
        ("Fine ({final}).", "All is well."),
        ("why: It is fine", "why: Because"),
        ("accept:\n", "disagreement_scale: 0.12\naccept:\n"),
        (
            "  attribution: {formula: words}\n  relevance: {}",
            "  relevance: {}\n  attribution: {formula: words}",
        ),
        ("{attribution: 0.75, relevance: 0.25}", "{relevance: 0.25, attribution: 0.75}"),
        ("relevance: 0.25}", "relevance: 2.5e-1}  # a comment"),
    )

    @pytest.mark.parametrize("change", CHANGES, ids=lambda c: c[1].strip())
    def test_changes_with_all_that_can_change_a_decision(self, change: tuple[str, str]) -> None:
        assert small(change).policy_hash() != small().policy_hash()

    def test_differs_between_any_two_such_changes(self) -> None:
        assert len({small(change).policy_hash() for change in self.CHANGES}) == len(self.CHANGES)

    @pytest.mark.parametrize("change", WORDING, ids=lambda c: c[1].strip())
    def test_stays_with_names_wording_and_layout(self, change: tuple[str, str]) -> None:
        assert small(change).policy_hash() == small().policy_hash()

    def test_changes_with_the_order_of_the_gates(self) -> None:
        first, _, second = SWAPPED.partition("  - name: weak\n")
        swapped = small(("  - name: weak\n" + second + first, SWAPPED))
        assert [g.name for g in swapped.gates] == ["off_topic", "weak"]
        assert swapped.policy_hash() != small().policy_hash()

    def test_is_sixteen_hex_digits_and_the_same_every_time(self) -> None:
        digest = small().policy_hash()
        assert len(digest) == 16
        assert int(digest, 16) >= 0
        assert digest == small().policy_hash() == "167d532e8a943de1"

    def test_tells_the_builtins_apart(self) -> None:
        profiles = [load_profile(name, signal_names()) for name in ("article", "default")]
        assert profiles[0].policy_hash() != profiles[1].policy_hash()


@pytest.mark.parametrize("name", builtin_names())
def test_a_profile_cannot_be_changed(name: str) -> None:
    profile = load_profile(name, signal_names())
    with pytest.raises(ValidationError, match="frozen"):
        profile.disagreement_scale = 0.5
    assert Profile.model_validate(profile.model_dump(mode="json")) == profile


@pytest.mark.parametrize("name", builtin_names())
def test_a_builtin_gate_that_accepts_serves_and_no_other_does(name: str) -> None:
    for built_in in load_profile(name, signal_names()).gates:
        assert (built_in.decision is Decision.ACCEPT) == (built_in.action is Action.SERVE)
