from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.policy.decide import FINAL, confidence_pct, decide, final_score
from assay.policy.load import builtin_names, load_profile
from assay.policy.profile import Margin, Profile
from assay.signals.registry import signal_names
from assay.verdict import (
    Action,
    Comparison,
    Decision,
    FailureType,
    GateTrace,
    HallucinationStatus,
    Measured,
    Measurement,
    Unavailable,
)

from .profiles import NOT_APPLICABLE, small, values

PROFILES = {name: load_profile(name, signal_names()) for name in builtin_names()}
ARTICLE, DEFAULT = PROFILES["article"], PROFILES["default"]

# The published table (shared figures of the README): attribution, specificity, relevance, context quality,
# final, disagreement; then what must come out.
CASES = {
    "q_001": (
        (0.687, 0.695, 0.679, 0.726, 0.694, 0.020),
        ("ACCEPT", "none", "serve_response", "none"),
    ),
    "q_002": (
        (0.445, 0.745, 0.621, 0.459, 0.547, 0.066),
        ("REJECT", "hallucination", "regenerate_with_grounding_prompt", "suspected"),
    ),
    "q_003": (
        (0.541, 0.741, 0.455, 0.545, 0.540, 0.060),
        ("REVIEW", "weak_grounding", "retry_with_specific_prompt", "suspected"),
    ),
    "q_004": (
        (0.043, 0.570, 0.682, 0.091, 0.337, 0.257),
        ("REJECT", "hallucination", "regenerate_with_grounding_prompt", "confirmed"),
    ),
    "q_005": (
        (0.625, 0.664, 0.341, 0.628, 0.536, 0.137),
        ("REVIEW", "uncertain", "optional_human_review", "none"),
    ),
    "MIT": (
        (0.428, 0.701, 0.613, 0.5, 0.525, 0.077),
        ("REJECT", "hallucination", "regenerate_with_grounding_prompt", "suspected"),
    ),
}
COLUMNS = ("attribution", "specificity", "relevance", "context_quality", "final", "disagreement")


def article_values(*row: float, **changes: float | None) -> dict[str, Measurement]:
    given_values: dict[str, float | None] = dict(zip(COLUMNS, row, strict=True))
    return values(answer=1.0, evidence=1.0, legibility=1.0, **(given_values | changes))


GOOD = article_values(*CASES["q_001"][0])


def gate_names(profile: Profile, measured: dict[str, Measurement]) -> list[str]:
    return [gate.name for gate in decide(profile, measured).trace]


class TestGates:
    def test_the_first_that_holds_decides(self) -> None:
        outcome = decide(small(), values(attribution=0.4, relevance=0.2, final=0.3))
        assert outcome.gate is not None
        assert outcome.gate.name == "weak"
        assert (outcome.decision, outcome.failure_type, outcome.action) == (
            Decision.REJECT,
            FailureType.HALLUCINATION,
            Action.REGENERATE_GROUNDED,
        )
        assert [(t.name, t.fired) for t in outcome.trace] == [("weak", True)]

    def test_a_gate_needs_all_its_conditions(self) -> None:
        measured = values(attribution=0.8, relevance=0.2, final=0.89)
        assert decide(small(), measured).failure_type is FailureType.OFF_TOPIC
        assert decide(small(), measured | values(final=0.90)).decision is Decision.ACCEPT
        assert decide(small(), measured | values(relevance=0.30)).decision is Decision.ACCEPT

    def test_none_that_holds_is_an_accept(self) -> None:
        outcome = decide(small(), values(attribution=0.8, relevance=0.8, final=0.8))
        assert (outcome.decision, outcome.failure_type, outcome.action, outcome.gate, outcome.blocked_by) == (
            Decision.ACCEPT,
            FailureType.NONE,
            Action.SERVE,
            None,
            None,
        )

    @pytest.mark.parametrize(
        ("bound", "value", "fires"),
        [
            ("below: 0.50", 0.4999, True),
            ("below: 0.50", 0.50, False),
            ("above: 0.50", 0.50, False),
            ("above: 0.50", 0.5001, True),
            ("at_most: 0.50", 0.50, True),
            ("at_most: 0.50", 0.5001, False),
            ("at_least: 0.50", 0.50, True),
            ("at_least: 0.50", 0.4999, False),
            ("at_least: 0.40, below: 0.50", 0.45, True),
            ("at_least: 0.40, below: 0.50", 0.39, False),
        ],
    )
    def test_a_threshold_belongs_to_the_side_that_its_name_says(
        self, bound: str, value: float, fires: bool
    ) -> None:
        change = ("when: {attribution: {below: 0.50}}\n    dec", "when: {attribution: {%s}}\n    dec" % bound)  # noqa: UP031
        outcome = decide(small(change), values(attribution=value, relevance=0.8, final=0.8))
        assert (outcome.gate is not None) is fires

    def test_the_trace_shows_both_numbers_of_every_gate_up_to_the_one_that_fired(self) -> None:
        outcome = decide(small(), values(attribution=0.8, relevance=0.2, final=0.5))
        assert outcome.trace == (
            GateTrace("weak", False, (Comparison("attribution", "<", 0.5, 0.8, False),)),
            GateTrace(
                "off_topic",
                True,
                (
                    Comparison("relevance", "<", 0.3, 0.2, True),
                    Comparison("final", "<", 0.9, 0.5, True),
                ),
            ),
        )


class TestUnavailable:
    def test_a_gate_that_turns_on_it_asks_for_a_review(self) -> None:
        outcome = decide(small(), values(attribution=None, relevance=0.8, final=0.8))
        assert (outcome.decision, outcome.failure_type, outcome.action, outcome.blocked_by, outcome.gate) == (
            Decision.REVIEW,
            FailureType.VERIFIER_UNAVAILABLE,
            Action.HUMAN_REVIEW,
            "attribution",
            None,
        )
        assert outcome.trace == (
            GateTrace("weak", False, (Comparison("attribution", "<", 0.5, None, False),)),
        )

    def test_a_gate_that_another_condition_rules_out_does_not_turn_on_it(self) -> None:
        measured = values(attribution=0.8, relevance=None, final=0.95)
        assert decide(small(), measured).decision is Decision.ACCEPT
        measured |= values(final=0.85)
        assert decide(small(), measured).blocked_by == "relevance"

    def test_an_earlier_gate_still_fires(self) -> None:
        assert (
            decide(small(), values(attribution=0.1, relevance=None, final=None)).decision is Decision.REJECT
        )

    def test_the_first_of_several_is_named(self) -> None:
        assert decide(small(), values(attribution=0.8, relevance=None, final=None)).blocked_by == "relevance"


class TestNotApplicable:
    @pytest.mark.parametrize("relevance", [{"relevance": NOT_APPLICABLE}, {}], ids=["said", "absent"])
    def test_a_gate_on_it_cannot_fire(self, relevance: dict[str, Measurement]) -> None:
        outcome = decide(small(), values(attribution=0.8, final=0.5) | relevance)
        assert outcome.decision is Decision.ACCEPT
        assert outcome.trace[1].comparisons[0] == Comparison("relevance", "<", 0.3, None, False)

    def test_it_rules_out_a_gate_on_something_unavailable(self) -> None:
        measured = values(attribution=0.8, final=None) | {"relevance": NOT_APPLICABLE}
        assert decide(small(), measured).decision is Decision.ACCEPT


class TestStatus:
    @pytest.mark.parametrize(
        ("attribution", "status"),
        [(0.19, "confirmed"), (0.20, "suspected"), (0.49, "suspected"), (0.50, "none"), (None, "none")],
    )
    def test_the_first_rule_that_holds_names_it(self, attribution: float | None, status: str) -> None:
        outcome = decide(small(), values(attribution=attribution, relevance=0.8, final=0.8))
        assert outcome.hallucination_status == HallucinationStatus(status)


class TestFinalScore:
    def test_is_the_weighted_mean(self) -> None:
        assert final_score(small(), values(attribution=0.8, relevance=0.4)) == Measured(0.7)

    @pytest.mark.parametrize("relevance", [{"relevance": NOT_APPLICABLE}, {}], ids=["said", "absent"])
    def test_the_weight_of_what_does_not_apply_is_shared_out(self, relevance: dict[str, Measurement]) -> None:
        assert final_score(small(), values(attribution=0.8) | relevance) == Measured(0.8)

    def test_weights_are_shared_out_in_proportion(self) -> None:
        measured = values(faithfulness=0.6, relevance=0.9, context_quality=0.3)
        expected = (0.4 * 0.6 + 0.3 * 0.9 + 0.2 * 0.3) / 0.9
        assert final_score(ARTICLE, measured) == Measured(expected)
        assert final_score(ARTICLE, measured | values(consistency=1.0)) == Measured(expected * 0.9 + 0.1)

    def test_what_could_not_be_measured_leaves_it_unavailable(self) -> None:
        got = final_score(small(), values(attribution=0.8, relevance=None))
        assert got == Unavailable("relevance could not be measured: the model failed")

    def test_without_a_signal_that_applies_it_is_unavailable(self) -> None:
        got = final_score(small(), dict.fromkeys(("attribution", "relevance"), NOT_APPLICABLE))
        assert got == Unavailable("no weighted signal applies to this sample")

    @pytest.mark.parametrize(
        ("attribution", "relevance", "score"),
        [
            (0.8, 0.30, 0.675),
            (0.8, 0.20, 0.325),  # (0.6 + 0.05) * 0.50
            (0.3, 0.90, 0.20),  # at most 0.20
            (0.3, 0.20, 0.1375),  # (0.225 + 0.05) * 0.50, under the ceiling
        ],
    )
    def test_adjustments_change_it(self, attribution: float, relevance: float, score: float) -> None:
        assert final_score(small(), values(attribution=attribution, relevance=relevance)) == Measured(score)

    def test_adjustments_come_in_order(self) -> None:
        first = "    - {when: {relevance: {below: 0.30}}, multiply: 0.50}\n"
        second = "    - {when: {attribution: {below: 0.40}}, at_most: 0.20}\n"
        measured = values(attribution=0.39, relevance=0.29)  # mean 0.365
        assert final_score(small(), measured) == Measured(0.1825)
        assert final_score(small((first + second, second + first)), measured) == Measured(0.10)

    def test_one_adjustment_multiplies_before_it_caps(self) -> None:
        both = small(("multiply: 0.50}", "multiply: 0.50, at_most: 0.30}"))
        assert final_score(both, values(attribution=0.8, relevance=0.2)) == Measured(0.30)
        assert final_score(both, values(attribution=0.6, relevance=0.2)) == Measured(0.25)

    def test_an_adjustment_that_turns_on_something_unavailable_leaves_no_score(self) -> None:
        weighed = small(("{attribution: 0.75, relevance: 0.25}", "{attribution: 1.0}"))
        got = final_score(weighed, values(attribution=0.8, relevance=None))
        assert got == Unavailable("relevance could not be measured, and an adjustment turns on it")
        without = values(attribution=0.8) | {"relevance": NOT_APPLICABLE}
        assert final_score(weighed, without) == Measured(0.8)

    @pytest.mark.parametrize("case", CASES)
    def test_the_published_finals_follow_from_the_published_signals(self, case: str) -> None:
        attribution, specificity, relevance, context, final, _ = CASES[case][0]
        got = final_score(
            ARTICLE,
            values(
                faithfulness=0.70 * attribution + 0.30 * specificity,
                relevance=relevance,
                context_quality=context,
            ),
        )
        assert isinstance(got, Measured)
        if case != "MIT":  # published with other weights
            assert got.value == pytest.approx(final, abs=0.001)


class TestConfidence:
    FINAL_MARGIN = Margin(signal=FINAL, threshold=0.65)

    def test_the_printed_accept(self) -> None:
        measured = values(final=0.680, attribution=0.684, disagreement=0.016)
        assert confidence_pct(ARTICLE, measured, self.FINAL_MARGIN) == 41

    def test_the_printed_reject(self) -> None:
        measured = values(attribution=0.428, disagreement=0.077)
        assert confidence_pct(ARTICLE, measured, Margin(signal="attribution", threshold=0.45)) == 22
        outcome = decide(ARTICLE, article_values(*CASES["MIT"][0]))
        assert outcome.confidence_pct == 22

    @pytest.mark.parametrize(
        ("measured", "percent"),
        [
            (values(final=0.65, attribution=0.0, disagreement=0.12), 0),
            (values(final=0.65, attribution=0.0, disagreement=0.9), 0),
            (values(final=0.65, attribution=0.0, disagreement=0.0), 20),
            (values(final=0.65, attribution=1.0, disagreement=0.12), 30),
            (values(final=0.15, attribution=0.0, disagreement=0.12), 50),
            (values(final=0.40, attribution=0.0, disagreement=0.12), 25),
            (values(final=0.0, attribution=1.0, disagreement=0.0), 100),
            (values(final=None, attribution=1.0, disagreement=0.0), 50),
            (values(final=0.0, attribution=None, disagreement=None), 50),
            ({}, 0),
        ],
    )
    def test_each_part_counts_what_it_should(self, measured: dict[str, Measurement], percent: int) -> None:
        assert confidence_pct(ARTICLE, measured, self.FINAL_MARGIN) == percent

    def test_a_gate_over_a_plain_fact_has_its_own(self) -> None:
        assert decide(ARTICLE, GOOD | values(answer=0.0)).confidence_pct == 100

    @pytest.mark.parametrize(
        ("changes", "gate", "signal", "threshold"),
        [
            ({"attribution": 0.30}, "ungrounded_and_specific", "attribution", 0.35),
            ({"context_quality": 0.30, "final": 0.60}, "poor_retrieval", "context_quality", 0.40),
            ({"relevance": 0.20}, "off_topic", "relevance", 0.30),
            ({"disagreement": 0.20}, "disagreement", "final", 0.65),
            ({"final": 0.60}, "borderline", "final", 0.65),
            ({}, None, "final", 0.65),
        ],
    )
    def test_it_compares_the_signal_of_the_gate_that_fired(
        self, changes: dict[str, float], gate: str | None, signal: str, threshold: float
    ) -> None:
        measured = GOOD | values(**changes)
        outcome = decide(ARTICLE, measured)
        assert (outcome.gate.name if outcome.gate else None) == gate
        expected = confidence_pct(ARTICLE, measured, Margin(signal=signal, threshold=threshold))
        assert outcome.confidence_pct == expected


class TestArticle:
    @pytest.mark.parametrize("case", CASES)
    def test_the_published_decisions(self, case: str) -> None:
        row, expected = CASES[case]
        outcome = decide(ARTICLE, article_values(*row))
        assert (
            outcome.decision,
            outcome.failure_type,
            outcome.action,
            outcome.hallucination_status,
        ) == expected

    @pytest.mark.parametrize(
        ("changes", "gate"),
        [
            ({"answer": 0.0}, "empty_response"),
            ({"evidence": 0.0}, "no_evidence"),
            ({"legibility": 0.0}, "unsupported_language"),
            ({"attribution": 0.349, "specificity": 0.501}, "ungrounded_and_specific"),
            ({"attribution": 0.349, "specificity": 0.50}, "ungrounded_and_vague"),
            ({"attribution": 0.35, "specificity": 0.601}, "confident_hallucination"),
            ({"attribution": 0.45, "context_quality": 0.399, "final": 0.649}, "poor_retrieval"),
            ({"attribution": 0.35, "specificity": 0.60, "context_quality": 0.50}, "weak_grounding"),
            ({"attribution": 0.45, "context_quality": 0.399, "final": 0.65}, "weak_grounding_and_context"),
            ({"attribution": 0.549, "context_quality": 0.499}, "weak_grounding_and_context"),
            ({"attribution": 0.549, "context_quality": 0.50}, "weak_grounding"),
            ({"attribution": 0.55, "relevance": 0.299}, "off_topic"),
            ({"disagreement": 0.1201}, "disagreement"),
            ({"disagreement": 0.12, "final": 0.6499}, "borderline"),
            ({"attribution": 0.55, "relevance": 0.30, "disagreement": 0.12, "final": 0.65}, None),
        ],
    )
    def test_every_gate_fires_at_its_threshold(self, changes: dict[str, float], gate: str | None) -> None:
        outcome = decide(ARTICLE, GOOD | values(**changes))
        assert (outcome.gate.name if outcome.gate else None) == gate

    def test_gates_stand_in_the_published_order(self) -> None:
        assert gate_names(ARTICLE, GOOD) == [
            "empty_response",
            "no_evidence",
            "unsupported_language",
            "ungrounded_and_specific",
            "ungrounded_and_vague",
            "confident_hallucination",
            "poor_retrieval",
            "weak_grounding_and_context",
            "weak_grounding",
            "off_topic",
            "disagreement",
            "borderline",
        ]


class TestDefault:
    ANSWER = values(
        answer=1.0,
        evidence=1.0,
        legibility=1.0,
        refusal=0.0,
        answerability=0.9,
        checkable=1.0,
        attribution=0.9,
        weakest_claim=0.8,
        specificity=0.7,
        relevance=0.8,
        context_quality=0.8,
        citations=1.0,
        disagreement=0.1,
        final=0.85,
    )
    REFUSAL = ANSWER | values(refusal=1.0)

    @pytest.mark.parametrize(
        ("gate", "decision", "failure"),
        [
            ("empty_response", "REJECT", "empty_response"),
            ("grounded_refusal", "ACCEPT", "none"),
            ("over_refusal", "REVIEW", "over_refusal"),
            ("no_evidence", "REVIEW", "no_evidence"),
            ("unsupported_language", "REVIEW", "unsupported_language"),
            ("undetermined_refusal", "REVIEW", "uncertain"),
            ("nothing_checkable", "REVIEW", "uncertain"),
            ("ungrounded_and_specific", "REJECT", "hallucination"),
            ("answer_without_ground", "REVIEW", "missed_refusal"),
            ("poor_retrieval", "REVIEW", "poor_retrieval"),
            ("citation_error", "REVIEW", "citation_error"),
            ("weak_grounding", "REVIEW", "weak_grounding"),
            ("weak_claim", "REVIEW", "weak_grounding"),
            ("off_topic", "REVIEW", "off_topic"),
            ("disagreement", "REVIEW", "uncertain"),
            ("borderline", "REVIEW", "none"),
        ],
    )
    def test_every_gate_fires_at_its_threshold(self, gate: str, decision: str, failure: str) -> None:
        outcome = decide(DEFAULT, self.ANSWER | at_the_edge(DEFAULT, gate))
        assert outcome.gate is not None
        assert (outcome.gate.name, outcome.decision, outcome.failure_type) == (gate, decision, failure)

    @pytest.mark.parametrize(
        ("measured", "decision", "failure"),
        [
            (ANSWER, "ACCEPT", "none"),
            (ANSWER | {"citations": NOT_APPLICABLE}, "ACCEPT", "none"),
            (ANSWER | values(answer=0.0, evidence=0.0), "REJECT", "empty_response"),
            (REFUSAL | values(answerability=0.0, relevance=0.0, final=0.0), "ACCEPT", "none"),
            (REFUSAL | {"answerability": NOT_APPLICABLE}, "REVIEW", "over_refusal"),
            (REFUSAL | values(answerability=None), "REVIEW", "verifier_unavailable"),
            (ANSWER | values(attribution=None), "REVIEW", "verifier_unavailable"),
            (ANSWER | values(attribution=0.0, context_quality=0.0, final=0.0), "REJECT", "hallucination"),
        ],
    )
    def test_what_must_hold(self, measured: dict[str, Measurement], decision: str, failure: str) -> None:
        outcome = decide(DEFAULT, measured)
        assert (outcome.decision, outcome.failure_type) == (decision, failure)


def at_the_edge(profile: Profile, name: str) -> dict[str, Measurement]:
    """Values that only just satisfy a gate of one bound a signal."""
    (gate,) = (g for g in profile.gates if g.name == name)
    step = {"<": -0.0001, ">": 0.0001, ">=": 0.0, "<=": 0.0}
    return {signal: Measured(threshold + step[op]) for signal, op, threshold in gate.bounds}


UNIT = st.floats(0, 1) | st.sampled_from([0.0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 1.0])
# High values are tried more often: most rows that are good in everything but one thing matter most.
MEASURED = st.one_of(st.floats(0.7, 1), UNIT).map(Measured)
ANY = st.one_of(MEASURED, MEASURED, st.just(Unavailable("failed")), st.just(NOT_APPLICABLE))


def measurements(
    profile: Profile, each: st.SearchStrategy[Measurement]
) -> st.SearchStrategy[dict[str, Measurement]]:
    return st.fixed_dictionaries(dict.fromkeys((*profile.signals, FINAL), each))


def open_ended(measured: dict[str, Measurement]) -> list[str]:
    return [name for name, m in measured.items() if isinstance(m, Unavailable) and m.applicable]


@pytest.mark.parametrize("name", PROFILES)
class TestAlways:
    @settings(max_examples=500)
    @given(data=st.data())
    def test_a_decision_comes_out(self, name: str, data: st.DataObject) -> None:
        profile = PROFILES[name]
        measured = data.draw(measurements(profile, ANY))
        outcome = decide(profile, measured)
        assert type(outcome.confidence_pct) is int
        assert 0 <= outcome.confidence_pct <= 100
        assert outcome == decide(profile, dict(reversed(measured.items())))
        assert sum(gate.fired for gate in outcome.trace) == (outcome.gate is not None)
        assert (outcome.blocked_by is not None) == (
            outcome.failure_type is FailureType.VERIFIER_UNAVAILABLE and outcome.gate is None
        )
        if outcome.decision is Decision.ACCEPT:
            assert (outcome.failure_type, outcome.action) == (FailureType.NONE, Action.SERVE)
        if outcome.blocked_by is not None:
            assert outcome.decision is Decision.REVIEW
            assert outcome.blocked_by in open_ended(measured)

    @settings(max_examples=500)
    @given(data=st.data())
    def test_an_accept_stands_whatever_the_unavailable_signals_would_have_been(
        self, name: str, data: st.DataObject
    ) -> None:
        profile = PROFILES[name]
        measured = data.draw(measurements(profile, ANY))
        if decide(profile, measured).decision is Decision.ACCEPT:
            found = {missing: data.draw(MEASURED, missing) for missing in open_ended(measured)}
            assert decide(profile, measured | found).decision is Decision.ACCEPT

    @settings(max_examples=500)
    @given(data=st.data())
    def test_no_answer_is_accepted_while_a_signal_that_can_stop_it_alone_is_unavailable(
        self, name: str, data: st.DataObject
    ) -> None:
        profile = PROFILES[name]
        alone = sorted({next(iter(g.when)) for g in profile.gates if len(g.when) == 1} - {"refusal"})
        good = {s: m for s, m in GOOD_VALUES.items() if s in (*profile.signals, FINAL)}
        assert decide(profile, good).decision is Decision.ACCEPT
        missing = data.draw(st.sets(st.sampled_from(alone), min_size=1))
        outcome = decide(profile, good | dict.fromkeys(missing, Unavailable("failed")))
        assert (outcome.decision, outcome.failure_type) == ("REVIEW", "verifier_unavailable")

    @settings(max_examples=500)
    @given(data=st.data())
    def test_no_accept_lacks_a_signal_that_the_final_score_weighs(
        self, name: str, data: st.DataObject
    ) -> None:
        profile = PROFILES[name]
        weighed = data.draw(st.sampled_from(sorted(profile.final.weights)))
        good = {s: m for s, m in GOOD_VALUES.items() if s != FINAL} | {weighed: Unavailable("failed")}
        outcome = decide(profile, good | {FINAL: final_score(profile, good)})
        assert outcome.decision is Decision.REVIEW

    @settings(max_examples=500)
    @given(data=st.data())
    def test_the_final_score_is_a_value_or_says_why_not(self, name: str, data: st.DataObject) -> None:
        profile = PROFILES[name]
        measured = data.draw(measurements(profile, ANY))
        got = final_score(profile, measured)
        weighed = [measured[signal] for signal in profile.final.weights]
        if any(isinstance(m, Unavailable) and m.applicable for m in weighed):
            assert isinstance(got, Unavailable)
        elif isinstance(got, Measured):
            assert got.value <= max(m.value for m in weighed if isinstance(m, Measured)) + 0.0001
        if isinstance(got, Unavailable):
            assert got.applicable


GOOD_VALUES = TestDefault.ANSWER | values(faithfulness=0.85, consistency=0.9)
