from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.policy.decide import decide
from assay.policy.load import builtin_names, load_profile
from assay.policy.reasons import MAX_QUOTE_CHARS, MAX_QUOTED, fill, quoted, reason, why
from assay.signals.registry import signal_names
from assay.verdict import Claim, ClaimStatus, Measured, Measurement

from .profiles import NOT_APPLICABLE, small, values

WEAK = values(attribution=0.4, relevance=0.8, final=0.5)
FINE = values(attribution=0.8, relevance=0.8, final=0.8)
BLIND = values(attribution=None, relevance=0.8, final=0.8)


def told(measured: dict[str, Measurement], sentences: tuple[str, ...] = ()) -> str:
    profile = small()
    claims = [Claim(text, 0, len(text), ClaimStatus.UNSUPPORTED, 0.1) for text in sentences]
    return reason(profile, decide(profile, measured), measured, claims)


class TestReason:
    def test_comes_from_the_gate_that_fired(self) -> None:
        assert told(WEAK) == "Weak (0.400)."

    def test_comes_from_accept_when_none_fired(self) -> None:
        assert told(FINE) == "Fine (0.800)."

    def test_names_the_signal_that_was_unavailable_and_the_cause(self) -> None:
        assert told(BLIND) == (
            "The response could not be verified: attribution is unavailable (the model failed)."
        )

    def test_quotes_the_sentences_quoted(self) -> None:
        assert told(WEAK, ("One.", "Two.")) == 'Weak (0.400). Sentences concerned: "One.", "Two.".'

    def test_quotes_the_weakest_when_a_gate_on_support_fired_and_none_is_without(self) -> None:
        profile = small()
        claims = [Claim(t, 0, 4, ClaimStatus.SUPPORTED, v) for t, v in (("One.", 0.9), ("Two.", 0.45))]
        assert (
            reason(profile, decide(profile, WEAK), WEAK, claims)
            == 'Weak (0.400). Sentence concerned: "Two.".'
        )

    def test_says_what_the_signal_found(self) -> None:
        profile = small()
        found = WEAK | {"attribution": Measured(0.4, notes=("[7] points at 7: there are 2 passages",))}
        assert reason(profile, decide(profile, found), found, []) == (
            "Weak (0.400). Found: [7] points at 7: there are 2 passages."
        )

    def test_of_an_accept_quotes_none(self) -> None:
        assert told(FINE, ("One.",)) == "Fine (0.800)."


class TestWhy:
    @pytest.mark.parametrize(
        ("measured", "expected"),
        [
            (WEAK, "It is weak"),
            (FINE, "It is fine"),
            (BLIND, "What cannot be verified is not served without a person's look"),
        ],
    )
    def test_explains_the_action(self, measured: dict[str, Measurement], expected: str) -> None:
        assert why(small(), decide(small(), measured)) == expected


class TestFill:
    @pytest.mark.parametrize(
        ("template", "filled"),
        [
            ("{attribution}", "0.457"),
            ("{attribution} and {attribution}", "0.457 and 0.457"),
            ("{relevance}", "unavailable"),
            ("{final}", "unavailable"),
            ("{nothing_of_the_kind}", "unavailable"),
            ("no placeholder", "no placeholder"),
            ("{}", "{}"),
            ("{attribution:.9f}", "{attribution:.9f}"),
            ("{attribution.__class__}", "{attribution.__class__}"),
            ("{attribution!r}", "{attribution!r}"),
            ("100 % {attribution} \\1 \\g<0>", "100 % 0.457 \\1 \\g<0>"),
        ],
    )
    def test_names_become_values_and_nothing_else_is_interpreted(self, template: str, filled: str) -> None:
        measured = values(attribution=0.4567, relevance=None) | {"final": NOT_APPLICABLE}
        assert fill(template, measured) == filled

    @given(st.text(st.characters(exclude_characters="{")))
    def test_text_without_braces_is_kept(self, text: str) -> None:
        assert fill(text, {}) == text


class TestConcerned:
    @pytest.mark.parametrize(
        ("sentences", "said"),
        [
            (["One."], 'Sentence concerned: "One.".'),
            (["One.", "Two."], 'Sentences concerned: "One.", "Two.".'),
            (["1", "2", "3"], 'Sentences concerned: "1", "2", "3".'),
            (["1", "2", "3", "4", "5"], 'Sentences concerned: "1", "2", "3" and 2 more.'),
        ],
    )
    def test_three_are_quoted_and_the_rest_counted(self, sentences: list[str], said: str) -> None:
        assert quoted(sentences) == said

    def test_a_long_one_is_cut(self) -> None:
        assert quoted(["x" * MAX_QUOTE_CHARS]) == f'Sentence concerned: "{"x" * MAX_QUOTE_CHARS}".'
        assert quoted(["x" * (MAX_QUOTE_CHARS + 1)]) == (
            f'Sentence concerned: "{"x" * (MAX_QUOTE_CHARS - 3)}...".'
        )

    def test_a_cut_leaves_no_space_before_its_dots(self) -> None:
        assert quoted(["x" * 110 + "       " + "y" * 50]) == f'Sentence concerned: "{"x" * 110}...".'

    @given(st.lists(st.text(max_size=300), min_size=1, max_size=50))
    def test_no_response_makes_it_long(self, sentences: list[str]) -> None:
        assert len(quoted(sentences)) <= MAX_QUOTED * (MAX_QUOTE_CHARS + 4) + 50


@pytest.mark.parametrize("name", builtin_names())
def test_every_reason_of_a_builtin_is_whole_sentences_and_its_why_is_none(name: str) -> None:
    profile = load_profile(name, signal_names())
    for worded in (*profile.gates, profile.accept):
        assert worded.reason.endswith(".")
        assert worded.why[0].isupper()
        assert not worded.why.endswith(".")
        assert "{" not in worded.why
