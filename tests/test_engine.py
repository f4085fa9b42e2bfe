"""What must hold of every verdict, whatever goes in."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import Assay, InputError, Measured, Measurement, ModelError, Sample, Verdict
from assay.formats.jsontext import to_json
from assay.models.lexical import LexicalEmbedder
from assay.signals import Reading, Signal
from assay.verdict import unit

CONTEXT = (
    "The bridge over the river Wipper was opened in 1998. It is 340 metres long and carries two lanes of traffic.",
    "The town council paid 12 million euros for the bridge.",
)
GROUNDED = "The bridge over the river Wipper was opened in 1998 and is 340 metres long."
QUESTION = "When was the bridge over the Wipper opened?"


@pytest.fixture(scope="module")
def default() -> Assay:
    return Assay("default")


@pytest.fixture(scope="module", params=["default", "lexical", "article over minilm", "article over lexical"])
def any_assay(request: pytest.FixtureRequest) -> Assay:
    profile, _, embedder = request.param.partition(" over ")
    return Assay(profile, embedder=embedder or None)


def outcome(v: Verdict) -> tuple[str, str]:
    return v.decision.value, v.failure_type.value


# --- what must hold (DESIGN) -------------------------------------------------------------------------


def test_a_grounded_answer_is_accepted_with_its_evidence(default: Assay) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED)
    assert outcome(v) == ("ACCEPT", "none")
    place = v.claims[0].evidence[0]
    assert "opened in 1998" in CONTEXT[place.passage][place.start : place.end]


def test_a_fabrication_is_rejected_and_its_sentences_are_named(default: Assay) -> None:
    made_up = "Marie Curie invented quantum teleportation at Princeton in 1911 using zinc batteries."
    v = default.check(query=QUESTION, context=CONTEXT, response=made_up)
    assert outcome(v) == ("REJECT", "hallucination")
    assert v.low_confidence_sentences == (made_up,)
    assert made_up in v.reason
    assert any("1911" in fact for fact in v.claims[0].facts)


def test_one_fabricated_sentence_among_good_ones_is_not_accepted(default: Assay) -> None:
    v = default.check(
        query=QUESTION, context=CONTEXT, response=f"{GROUNDED} Its architect Jane Doe won the Pritzker Prize."
    )
    assert outcome(v) == ("REVIEW", "weak_grounding")
    assert v.low_confidence_sentences == ("Its architect Jane Doe won the Pritzker Prize.",)


def test_an_empty_response_is_rejected(any_assay: Assay) -> None:
    for empty in ("", " \n\t "):
        v = any_assay.check(query=QUESTION, context=CONTEXT, response=empty)
        assert outcome(v) == ("REJECT", "empty_response")


@pytest.mark.parametrize("context", [(), "", "  \n ", ["", " "]])
def test_no_context_is_a_visible_outcome(any_assay: Assay, context: object) -> None:
    v = any_assay.check(query=QUESTION, context=context, response=GROUNDED)  # type: ignore[arg-type]
    assert outcome(v) == ("REVIEW", "no_evidence")
    assert v.scores["attribution"] is None
    assert v.unavailable["attribution"] == "no context was given"


def test_refusals_are_outcomes_of_their_own(default: Assay) -> None:
    refusal = "I'm sorry, but the provided documents do not contain this information."
    off = default.check(query="Who won the 1930 chess olympiad?", context=CONTEXT, response=refusal)
    assert outcome(off) == ("ACCEPT", "none")
    over = default.check(query=QUESTION, context=CONTEXT, response=refusal)
    assert outcome(over) == ("REVIEW", "over_refusal")
    no_context = default.check(query=QUESTION, response=refusal)
    assert outcome(no_context) == ("ACCEPT", "none")


@pytest.mark.parametrize("response", ["IDK", "I don't know.", "N/A"])
def test_a_refusal_is_not_scored_as_an_answer(default: Assay, response: str) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response=response)
    assert v.failure_type == "over_refusal"
    assert v.scores["refusal"] == 1.0


def test_an_answer_to_what_the_context_does_not_speak_of(default: Assay) -> None:
    v = default.check(
        query="Which vitamins do oranges contain?",
        context=CONTEXT,
        response="It is long and carries vitamins, paid for oranges contain river lanes of zinc.",
    )
    assert v.decision in ("REVIEW", "REJECT")


def test_a_citation_that_points_nowhere(default: Assay) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED[:-1] + " [7].")
    assert outcome(v) == ("REVIEW", "citation_error")
    assert v.claims[0].citations == ("[7]",)


def test_a_citation_of_the_wrong_passage(default: Assay) -> None:
    right = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED[:-1] + " [1].")
    assert outcome(right) == ("ACCEPT", "none")
    wrong = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED[:-1] + " [2].")
    assert outcome(wrong) == ("REVIEW", "citation_error")


def test_an_unreadable_script_is_never_scored(any_assay: Assay) -> None:
    v = any_assay.check(query="q", context=CONTEXT, response="สะพานเปิดในปี พ.ศ. 2541 และยาว 340 เมตร")
    assert outcome(v) == ("REVIEW", "unsupported_language")
    assert v.scores["final"] is None
    assert v.scores["attribution"] is None


def test_a_japanese_answer_is_compared_with_a_japanese_context(default: Assay) -> None:
    text = "この橋は1998年に開通した。長さは340メートルである。"
    v = default.check(query="橋はいつ開通したか", context=[text], response="この橋は1998年に開通した。")
    assert v.scores["attribution"] is not None
    assert v.scores["attribution"] > 0.5
    assert [claim.text for claim in v.claims] == ["この橋は1998年に開通した。"]


def test_an_off_topic_answer_does_not_pass_however_grounded(default: Assay) -> None:
    v = default.check(query="Which vitamins do oranges contain?", context=CONTEXT, response=CONTEXT[0])
    assert outcome(v)[0] != "ACCEPT"


def test_leaving_out_facts_is_no_contradiction(default: Assay) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response="It was opened in 1998.")
    assert v.decision == "ACCEPT"


def test_greetings_are_shown_and_not_scored(default: Assay) -> None:
    plain = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED)
    polite = default.check(
        query=QUESTION, context=CONTEXT, response=f"Sure! {GROUNDED} Let me know if you have more questions."
    )
    assert polite.scores["attribution"] == plain.scores["attribution"]
    assert [claim.status.value for claim in polite.claims] == ["not_checkable", "supported", "not_checkable"]


def test_markdown_marks_do_not_hide_a_number(default: Assay) -> None:
    plain = default.check(query=QUESTION, context=CONTEXT, response="It is 999 metres long.")
    bold = default.check(query=QUESTION, context=CONTEXT, response="It is **999** metres long.")
    assert bold.scores["attribution"] == plain.scores["attribution"]
    assert bold.claims[0].facts == plain.claims[0].facts != ()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_irrelevant_passage_never_lowers_support(default: Assay, place: int) -> None:
    noise = "Penguins breed on sea ice and eat krill, squid and small fish in the southern winter."
    before = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED)
    context = list(CONTEXT)
    context.insert(place, noise)
    after = default.check(query=QUESTION, context=context, response=GROUNDED)
    assert (after.claims[0].support or 0) >= (before.claims[0].support or 1)
    assert after.decision == before.decision


@pytest.mark.parametrize(
    "response",
    [
        "I can't answer that: Bosch sells it at 7,900 euros.",
        "I don't know, 7,900 euros.",
        "Unfortunately, the context does not provide the price, as Kestrel was sued for price fixing in 2021.",
        "The documents do not mention it.\n\n```\nprice = 7900\n```",
        "The documents do not mention it. Could it be that it costs 7,900 euros?",
        "Hello! Its price of 7,900 euros is not stated in the documents.",
        f"The documents do not say that Kestrel killed 40 people. {GROUNDED}",
    ],
)
def test_a_fabrication_does_not_hide_in_a_refusal(default: Assay, response: str) -> None:
    v = default.check(query="What does it cost?", context=CONTEXT, response=response)
    assert v.decision != "ACCEPT"


def test_a_sentence_in_an_unreadable_script_among_good_ones_is_seen(default: Assay) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response=f"รับประกันสิบปี {GROUNDED}")
    assert outcome(v) == ("REVIEW", "unsupported_language")
    fine = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED.replace("long", "long (μ)"))
    assert fine.failure_type != "unsupported_language"


# --- conversations -----------------------------------------------------------------------------------


def test_history_tells_what_a_question_means_and_is_no_evidence(default: Assay) -> None:
    history = [
        {"role": "user", "content": "When does the bridge open in summer?"},
        {"role": "assistant", "content": "It opens at six and was painted green by Ada Lovelace."},
    ]
    context = ["In winter the bridge opens at eight in the morning."]
    answer = "In winter the bridge opens at eight."
    alone = default.check(query="and in winter?", context=context, response=answer)
    told = default.check(query="and in winter?", context=context, response=answer, history=history)
    assert told.scores["relevance"] != alone.scores["relevance"]
    made_up = "It was painted green by Ada Lovelace."
    v = default.check(query="Who painted it?", context=context, response=made_up, history=history)
    assert v.decision != "ACCEPT"


def test_a_profile_may_count_history_as_evidence(tmp_path: Path) -> None:
    file = tmp_path / "chat.yaml"
    file.write_text("extends: default\nname: chat\nhistory_as_evidence: true\n", "utf-8")
    history = [{"role": "assistant", "content": "The gate was painted green by Ada Lovelace."}]
    v = Assay(file).check(
        query="Who painted the gate?", response="The gate was painted green by Ada Lovelace.", history=history
    )
    assert v.decision == "ACCEPT"


# --- never raises, never NaN -------------------------------------------------------------------------

TEXT = st.text(st.characters(), max_size=120) | st.text("ab.1[] \n|#*-?!。\ud800\x00'\"`(),", max_size=80)


def assert_sound(v: Verdict) -> None:
    for value in v.scores.values():
        assert value is None or (math.isfinite(value) and 0.0 <= value <= 1.0 and value == unit(value))
    for name, value in v.scores.items():
        assert (value is None) == (name in v.unavailable)
    assert 0 <= v.confidence_pct <= 100
    assert json.loads(to_json(v.to_dict()))["decision"] == v.decision
    to_json(v.to_dict()).encode("utf-8")
    assert str(v)


@settings(max_examples=2000, deadline=None)
@given(query=TEXT, context=st.lists(TEXT, max_size=3), response=TEXT)
def test_no_text_makes_check_raise_or_leave_the_unit_interval(
    query: str, context: list[str], response: str
) -> None:
    v = Assay_default().check(query=query, context=context, response=response)
    assert_sound(v)
    for claim in v.claims:
        assert response[claim.start : claim.end] == claim.text
    if not response.strip():
        assert v.decision == "REJECT"
    elif v.decision == "ACCEPT":
        assert any(passage.strip() for passage in context) or v.scores["refusal"] == 1.0


@settings(max_examples=2000, deadline=None)
@given(query=TEXT, context=st.lists(TEXT, max_size=2), response=TEXT)
def test_the_same_of_the_article_over_words(query: str, context: list[str], response: str) -> None:
    assert_sound(Article_lexical().check(query=query, context=context, response=response))


def Assay_default(_made: list[Assay] = []) -> Assay:  # noqa: B006, N802 - one engine for all examples
    if not _made:
        _made.append(Assay("default"))
    return _made[0]


def Article_lexical(_made: list[Assay] = []) -> Assay:  # noqa: B006, N802
    if not _made:
        _made.append(Assay("article", embedder="lexical"))
    return _made[0]


@pytest.mark.parametrize("part", ["query", "context", "response"])
def test_a_part_that_is_too_large_is_a_review(default: Assay, part: str) -> None:
    parts = {"query": QUESTION, "context": CONTEXT[0], "response": GROUNDED} | {part: "x" * 5_500_000}
    v = default.check(**parts)  # type: ignore[arg-type]
    assert outcome(v) == ("REVIEW", "invalid_input")
    assert v.error is not None
    assert part in v.error.message


def test_a_callers_mistake_is_an_exception_that_names_the_field(default: Assay) -> None:
    with pytest.raises(InputError, match=r"context\[1\]: expected text or a passage, got int"):
        default.check(context=["a", 5], response="b")  # type: ignore[list-item]
    with pytest.raises(InputError, match="response: expected text, got NoneType"):
        default.check(response=None)  # type: ignore[arg-type]


# --- the same alone, in a batch, in any order, with any threads ---------------------------------------


def samples(count: int) -> list[Sample]:
    source = random.Random(5)
    words = (
        "bridge river 1998 council paid euros opened traffic lanes metres long town green 340 twelve".split()
    )

    def text(n: int) -> str:
        return " ".join(source.choices(words, k=n)).capitalize() + "."

    return [
        Sample(text(6), [text(30), text(25)], f"{text(9)} {text(7)}", id=f"row {i}") for i in range(count)
    ]


def row_bytes(v: Verdict) -> bytes:
    row = v.to_dict()
    assert isinstance(row["meta"], dict)
    row["meta"].pop("latency_ms")
    return to_json(row).encode()


def test_a_row_alone_and_among_63_others_in_any_order_with_any_threads(any_assay: Assay) -> None:
    rows = samples(64)
    alone = {
        s.id: row_bytes(Assay(any_assay.profile, embedder=any_assay.embedder).check(s)) for s in rows[:8]
    }
    for threads, seed in ((1, None), (2, None), (2, 3), (4, 9)):
        order = list(rows)
        if seed is not None:
            random.Random(seed).shuffle(order)
        verdicts = list(any_assay.check_many(order, threads=threads))
        assert [v.id for v in verdicts] == [s.id for s in order]
        together = {v.id: row_bytes(v) for v in verdicts}
        assert {row_id: together[row_id] for row_id in alone} == alone


def test_check_many_is_lazy(default: Assay) -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield Sample(QUESTION, CONTEXT, GROUNDED, id=str(taken))

    verdicts = default.check_many(endless(), threads=2)  # type: ignore[arg-type]
    assert next(verdicts).id == "1"
    assert taken <= 128
    verdicts.close()  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="threads"):
        next(default.check_many([], threads=0))


def test_acheck_gives_the_same_verdict(default: Assay) -> None:
    parts = {"query": QUESTION, "context": CONTEXT, "response": GROUNDED}
    assert row_bytes(asyncio.run(default.acheck(**parts))) == row_bytes(default.check(**parts))  # type: ignore[arg-type]


def test_each_distinct_text_is_embedded_once() -> None:
    class Counting(LexicalEmbedder):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []

        def embed(self, texts):  # type: ignore[no-untyped-def]
            self.seen += texts
            return super().embed(texts)

    from assay.models.cache import CachedEmbedder

    counting = Counting()
    assay = Assay("article", embedder=CachedEmbedder(counting))
    for _ in range(2):
        assay.check(query=QUESTION, context=CONTEXT, response=f"{GROUNDED} It cost money. It cost money.")
    assert len(counting.seen) == len(set(counting.seen)) == 5  # query, context, response, two sentences


# --- signals that fail -------------------------------------------------------------------------------


class Fixed(Signal):
    name = "attribution"

    def __init__(self, result: object) -> None:
        self.result = result

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:
        if isinstance(self.result, Exception):
            raise self.result
        return Measured(self.result)  # type: ignore[arg-type]


@pytest.mark.parametrize("result", [RuntimeError("weights are corrupt"), float("nan"), float("inf")])
def test_a_signal_that_fails_is_a_review_with_its_cause(
    monkeypatch: pytest.MonkeyPatch, result: object
) -> None:
    assay = Assay("article", embedder="lexical")
    monkeypatch.setattr(
        assay, "_signals", tuple(Fixed(result) if s.name == "attribution" else s for s in assay._signals)
    )
    v = assay.check(query=QUESTION, context=CONTEXT, response=GROUNDED)
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert v.scores["attribution"] is None
    assert "attribution" in v.reason
    assert v.unavailable["attribution"]


def test_a_signal_that_gives_something_else_is_a_review(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(Fixed):
        def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:
            return "yes"  # type: ignore[return-value]

        def texts(self, reading: Reading) -> list[str]:
            raise ValueError("no texts")

    assay = Assay("article", embedder="lexical")
    monkeypatch.setattr(
        assay, "_signals", tuple(Wrong(0) if s.name == "attribution" else s for s in assay._signals)
    )
    v = assay.check(query=QUESTION, context=CONTEXT, response=GROUNDED)
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert "gave str" in v.reason


def test_the_consistency_signal_takes_part_only_with_a_model() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return GROUNDED

    parts = {"query": QUESTION, "context": CONTEXT, "response": GROUNDED}
    without = Assay("article", embedder="lexical").check(**parts)  # type: ignore[arg-type]
    assert "consistency" not in without.scores
    v = Assay("article", embedder="lexical", llm=model).check(**parts)  # type: ignore[arg-type]
    assert v.scores["consistency"] == 1.0
    assert len(asked) == 3
    assert v.scores["final"] != without.scores["final"]


def test_a_model_that_fails_is_a_review() -> None:
    def model(prompt: str) -> str:
        raise TimeoutError("no answer within 5 s")

    v = Assay("article", embedder="lexical", llm=model).check(
        query=QUESTION, context=CONTEXT, response=GROUNDED
    )
    assert v.decision != "ACCEPT"
    assert "no answer within 5 s" in v.unavailable["consistency"]


class Odd(LexicalEmbedder):
    """An embedder that breaks its promise in the way it is told to."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def embed(self, texts):  # type: ignore[no-untyped-def]
        good = super().embed(texts)
        odd = {
            "raises": lambda: 1 / 0,
            "nan": lambda: good * float("nan"),
            "long": lambda: good * 1e30,
            "flat": good.ravel,
            "few": lambda: good[:1],
            "complex": lambda: good.astype(complex),
            "none": lambda: None,
        }
        return odd[self.kind]()


@pytest.mark.parametrize("kind", ["raises", "nan", "long", "flat", "few", "complex", "none"])
def test_an_embedder_that_breaks_its_promise_is_a_review(kind: str) -> None:
    v = Assay("article", embedder=Odd(kind)).check(
        query="Where?", context=["Acme is in Berlin."], response="Acme is in Berlin."
    )
    assert outcome(v) == ("REVIEW", "verifier_unavailable")
    assert v.unavailable["attribution"]
    assert "index" not in v.reason


def test_what_is_no_embedder_model_or_sample_is_refused(default: Assay) -> None:
    with pytest.raises(ModelError, match="object is no embedder"):
        Assay("article", embedder=object())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="llm: expected a function"):
        Assay("article", embedder="lexical", llm=5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected a Sample, got NoneType"):
        list(default.check_many([None]))  # type: ignore[list-item]


@pytest.mark.parametrize("invisible", ["\u200b", " \u200d\ufeff ", "\x00\x1b", "\u202e"])
def test_what_nobody_sees_is_neither_evidence_nor_an_answer(any_assay: Assay, invisible: str) -> None:
    assert any_assay.check(query="q", context=invisible, response=GROUNDED).failure_type == "no_evidence"
    assert any_assay.check(query="q", context=CONTEXT, response=invisible).failure_type == "empty_response"


@pytest.mark.parametrize("word", ["Yes.", "No.", "Yes"])
def test_a_bare_yes_or_no_says_nothing_checkable(default: Assay, word: str) -> None:
    v = default.check(query="Was the bridge opened in 1998?", context=CONTEXT, response=word)
    assert outcome(v) == ("REVIEW", "uncertain")
    assert "nothing that can be checked" in v.reason


def test_the_reason_of_a_citation_error_names_the_citation(default: Assay) -> None:
    v = default.check(query=QUESTION, context=CONTEXT, response=GROUNDED[:-1] + " [7].")
    assert "[7] points at 7: there are 2 passages" in v.reason


# --- hashes ------------------------------------------------------------------------------------------


def test_hashes_name_the_policy_and_the_scorers(tmp_path: Path) -> None:
    base = Assay("default")
    file = tmp_path / "mine.yaml"
    text = "extends: default\nname: mine\n"
    file.write_text(text, "utf-8")
    assert (Assay(file).policy_hash, Assay(file).scorer_hash) == (base.policy_hash, base.scorer_hash)
    assert Assay("article", embedder="lexical").scorer_hash != Assay("article", embedder="minilm").scorer_hash
    file.write_text(text + "disagreement_scale: 0.5\n", "utf-8")
    assert Assay(file).policy_hash != base.policy_hash
