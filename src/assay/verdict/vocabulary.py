"""The words of a verdict: decisions, failure types, actions, tiers, states, each with its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Decision(StrEnum):
    """What to do with a response, from best to worst."""

    ACCEPT = "ACCEPT"
    REVIEW = "REVIEW"
    REJECT = "REJECT"


class FailureType(StrEnum):
    """Why a response was not accepted. ``docs/failure-types.md`` is made from this list."""

    NONE = "none"
    HALLUCINATION = "hallucination"
    CONTRADICTION = "contradiction"
    WEAK_GROUNDING = "weak_grounding"
    POOR_RETRIEVAL = "poor_retrieval"
    OFF_TOPIC = "off_topic"
    UNCERTAIN = "uncertain"
    EMPTY_RESPONSE = "empty_response"
    NO_EVIDENCE = "no_evidence"
    OVER_REFUSAL = "over_refusal"
    MISSED_REFUSAL = "missed_refusal"
    CITATION_ERROR = "citation_error"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    VERIFIER_UNAVAILABLE = "verifier_unavailable"
    INVALID_INPUT = "invalid_input"


FAILURE_MEANINGS: Mapping[FailureType, str] = {
    FailureType.NONE: "No failure was found (a REVIEW with this type is a borderline score).",
    FailureType.HALLUCINATION: "Confident, specific statements that the context does not support.",
    FailureType.CONTRADICTION: "A statement that the context contradicts.",
    FailureType.WEAK_GROUNDING: "The response, or a part of it, is only loosely tied to the context.",
    FailureType.POOR_RETRIEVAL: "The retrieved context is the root cause: it does not serve this question.",
    FailureType.OFF_TOPIC: "The response does not address the question.",
    FailureType.UNCERTAIN: "The signals disagree; no automatic decision is safe.",
    FailureType.EMPTY_RESPONSE: "The response holds no text.",
    FailureType.NO_EVIDENCE: "No context was given, so nothing can be verified.",
    FailureType.OVER_REFUSAL: "The model refused although the context seems to hold the answer.",
    FailureType.MISSED_REFUSAL: "The model answered although the context does not seem to hold the answer.",
    FailureType.CITATION_ERROR: "A citation points at no passage, or at one that does not support its claim.",
    FailureType.UNSUPPORTED_LANGUAGE: "A part of the response is in a script that this tier cannot read.",
    FailureType.VERIFIER_UNAVAILABLE: "A signal that the decision needs could not be measured.",
    FailureType.INVALID_INPUT: "The row could not be read as a sample, or is too large.",
}
"""One sentence a failure type, for reports and the docs."""


class Action(StrEnum):
    """What the application should do next."""

    SERVE = "serve_response"
    RETRY_SPECIFIC = "retry_with_specific_prompt"
    REGENERATE_GROUNDED = "regenerate_with_grounding_prompt"
    REGENERATE_CITATIONS = "regenerate_with_citations"
    RETRIEVE_MORE = "retrieve_more_documents"
    RETRY_CLEARER_QUERY = "retry_with_clearer_query"
    HUMAN_REVIEW = "optional_human_review"
    FIX_INPUT = "fix_input"


ACTION_MEANINGS: Mapping[Action, str] = {
    Action.SERVE: "Show the response to the user.",
    Action.RETRY_SPECIFIC: "Ask the model again with a prompt that demands concrete, sourced statements.",
    Action.REGENERATE_GROUNDED: "Discard the response; regenerate with 'answer from the context only'.",
    Action.REGENERATE_CITATIONS: "Ask the model again, citing only the passages that were given.",
    Action.RETRIEVE_MORE: "Retrieve other or more documents before generating again.",
    Action.RETRY_CLEARER_QUERY: "Rephrase the question (or ask the user to) and generate again.",
    Action.HUMAN_REVIEW: "Let a person decide, or serve with a caveat where the stakes are low.",
    Action.FIX_INPUT: "Repair the row (or the code that wrote it) and judge it again.",
}
"""One sentence an action, for reports and the docs."""


class HallucinationStatus(StrEnum):
    """How strongly the signals speak of fabrication."""

    NONE = "none"
    SUSPECTED = "suspected"
    CONFIRMED = "confirmed"


class Tier(StrEnum):
    """What a verdict rests on, from weakest to strongest reading of the text."""

    LEXICAL = "lexical"
    EMBEDDING = "embedding"
    VERIFIER = "verifier"
    LLM = "llm"


class ClaimStatus(StrEnum):
    """State of one claim. ``not_checkable`` claims (greetings, questions, ...) are shown, not scored."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    NOT_CHECKABLE = "not_checkable"
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"
