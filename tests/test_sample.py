from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.sample import (
    MAX_CONTEXT_CHARS,
    MAX_QUERY_CHARS,
    MAX_RESPONSE_CHARS,
    Passage,
    Sample,
    Turn,
)

ANY_TEXT = st.text(st.characters(min_codepoint=0), max_size=30)  # surrogates and NUL included


def fault(**fields: object) -> InputError:
    with pytest.raises(InputError) as caught:
        Sample(**fields)
    return caught.value


class TestContext:
    @pytest.mark.parametrize(
        ("given_context", "passages"),
        [
            ("one text", (Passage("one text"),)),
            (["a", "b"], (Passage("a"), Passage("b"))),
            (("a",), (Passage("a"),)),
            ({"text": "a", "title": "T", "id": "7"}, (Passage("a", "T", "7"),)),
            ([{"text": "a"}, {"text": "b", "title": None}], (Passage("a"), Passage("b"))),
            (Passage("a", "T"), (Passage("a", "T"),)),
            ([Passage("a"), "b", {"text": "c"}], (Passage("a"), Passage("b"), Passage("c"))),
            ([{"text": "a", "id": 12}], (Passage("a", id="12"),)),
            ([{"text": "a", "score": 0.3}], (Passage("a"),)),
        ],
    )
    def test_takes_every_shape(self, given_context: object, passages: tuple[Passage, ...]) -> None:
        assert Sample("q", given_context, "r").passages == passages

    @pytest.mark.parametrize("nothing", ["", (), []])
    def test_nothing_is_no_passage(self, nothing: object) -> None:
        assert Sample("q", nothing, "r").passages == ()

    def test_an_empty_passage_keeps_its_number(self) -> None:
        assert Sample(passages=["a", "", "c"]).passages[2] == Passage("c")

    def test_order_is_kept(self) -> None:
        texts = [f"passage {i}" for i in range(50)]
        assert [p.text for p in Sample(passages=texts).passages] == texts


class TestWrongTypes:
    @pytest.mark.parametrize(
        ("context", "field"),
        [
            (None, "context"),
            (5, "context"),
            (b"bytes", "context"),
            ({"a", "b"}, "context"),
            ((text for text in "ab"), "context"),
            ({"title": "no text"}, "context"),
            ({"text": 5}, "context.text"),
            ([None], "context[0]"),
            (["a", 5], "context[1]"),
            (["a", ["nested"]], "context[1]"),
            (["a", b"b"], "context[1]"),
            (["a", "b", {"text": None}], "context[2].text"),
            (["a", "b", {"text": ["c"]}], "context[2].text"),
            ([{"text": "a", "title": 5}], "context[0].title"),
            ([{"text": "a", "id": 1.5}], "context[0].id"),
            ([{"text": "a", "id": True}], "context[0].id"),
            ([{}], "context[0]"),
            ([Passage(5)], "context[0].text"),
            (["a", Passage("b", title=5)], "context[1].title"),
            (["a", Passage("b", id=5)], "context[1].id"),
        ],
    )
    def test_of_the_context_name_the_place(self, context: object, field: str) -> None:
        error = fault(passages=context)
        assert error.field == field
        assert str(error).startswith(f"{field}: ")

    @pytest.mark.parametrize("field", ["query", "response"])
    @pytest.mark.parametrize("value", [None, 5, b"x", ["x"], {"text": "x"}])
    def test_of_a_text_name_the_field(self, field: str, value: object) -> None:
        error = fault(**{field: value})
        assert (error.field, error.message) == (field, f"expected text, got {type(value).__name__}")

    @pytest.mark.parametrize("field", ["id", "conversation"])
    @pytest.mark.parametrize("value", [5, b"x", ["x"]])
    def test_of_a_name_name_the_field(self, field: str, value: object) -> None:
        assert fault(**{field: value}).field == field

    @pytest.mark.parametrize(
        ("history", "field"),
        [
            (None, "history"),
            ("user: hi", "history"),
            (b"hi", "history"),
            ({"role": "user", "content": "hi"}, "history"),
            (["hi"], "history[0]"),
            ([{"role": "user"}], "history[0]"),
            ([{"role": "user", "content": "a"}, {"content": "b"}], "history[1]"),
            ([{"role": 5, "content": "a"}], "history[0].role"),
            ([{"role": "user", "content": None}], "history[0].content"),
            ([Turn("user", 5)], "history[0].content"),
            ([Turn(None, "a")], "history[0].role"),
        ],
    )
    def test_of_the_history_name_the_turn(self, history: object, field: str) -> None:
        assert fault(history=history).field == field

    def test_a_passage_without_text_says_what_it_has(self) -> None:
        assert "it has body, title" in str(fault(passages=[{"title": "T", "body": "B"}]))

    def test_many_foreign_fields_are_not_all_listed(self) -> None:
        message = str(fault(passages=[{f"field{i:02}" * 20: 1 for i in range(100)}]))
        assert message.endswith(", ...")
        assert len(message) < 700


class TestHistory:
    def test_takes_turns_and_mappings(self) -> None:
        sample = Sample(history=[Turn("user", "a"), {"role": "assistant", "content": "b", "name": "x"}])
        assert sample.history == (Turn("user", "a"), Turn("assistant", "b"))


class TestLabel:
    @pytest.mark.parametrize(("label", "kept"), [(None, None), (0, 0), (1, 1), (True, 1), (False, 0)])
    def test_is_kept_as_a_plain_number(self, label: int | None, kept: int | None) -> None:
        for sample in (
            Sample(label=label),
            Sample.from_row({"context": "c", "response": "r", "label": label}),
        ):
            assert sample.label == kept
            assert type(sample.label) is type(kept)

    @pytest.mark.parametrize("label", [2, -1, 0.5, 1.0, "1", "true", [1], float("nan")])
    def test_anything_else_is_refused(self, label: object) -> None:
        assert fault(label=label).field == "label"
        with pytest.raises(InputError, match=r"^label: a label is 0 \(unsupported\) or 1 \(supported\)"):
            Sample.from_row({"context": "c", "response": "r", "label": label})


class TestFromRow:
    def test_reads_every_field(self) -> None:
        row = {
            "id": "r1",
            "query": "q",
            "context": ["a", {"text": "b", "title": "T", "id": "d2"}],
            "response": "r",
            "history": [{"role": "user", "content": "earlier"}],
            "conversation": "c1",
            "label": 1,
        }
        assert Sample.from_row(row) == Sample(
            "q",
            (Passage("a"), Passage("b", "T", "d2")),
            "r",
            "r1",
            (Turn("user", "earlier"),),
            conversation="c1",
            label=1,
        )

    def test_null_is_absent_where_a_field_is_optional(self) -> None:
        optional = dict.fromkeys(("id", "query", "history", "conversation", "label"))
        bare = {"context": None, "response": "r"}
        assert Sample.from_row(bare | optional) == Sample.from_row(bare) == Sample(response="r")

    @pytest.mark.parametrize("field", ["context", "response"])
    def test_a_required_field_that_is_absent_is_named(self, field: str) -> None:
        row = {"query": "q", "context": "c", "response": "r"}
        del row[field]
        with pytest.raises(InputError, match=f"^{field}: the row has no '{field}'; it has ") as caught:
            Sample.from_row(row)
        assert caught.value.field == field

    def test_a_null_response_is_no_response(self) -> None:
        with pytest.raises(InputError, match=r"^response: expected text, got NoneType$"):
            Sample.from_row({"context": "c", "response": None})

    def test_an_empty_row_says_so(self) -> None:
        with pytest.raises(InputError, match=r"it has no fields$"):
            Sample.from_row({})

    def test_numeric_ids_are_taken_as_their_digits(self) -> None:
        sample = Sample.from_row({"id": 7, "context": "c", "response": "r", "conversation": 0})
        assert (sample.id, sample.conversation) == ("7", "0")

    @pytest.mark.parametrize("identifier", [1.5, True, ["7"], {"n": 7}])
    def test_other_ids_are_refused(self, identifier: object) -> None:
        with pytest.raises(InputError, match=r"^id: "):
            Sample.from_row({"id": identifier, "context": "c", "response": "r"})

    def test_foreign_fields_are_ignored(self) -> None:
        row = {"context": "c", "response": "r"}
        assert Sample.from_row({**row, "model": "x", "latency": 5}) == Sample.from_row(row)


class TestExcess:
    @pytest.mark.parametrize(
        ("name", "limit"),
        [
            ("response", MAX_RESPONSE_CHARS),
            ("query", MAX_QUERY_CHARS),
            ("passages", MAX_CONTEXT_CHARS),
        ],
    )
    def test_starts_after_the_limit(self, name: str, limit: int) -> None:
        assert Sample(**{name: "x" * limit}).excess() is None
        said = Sample(**{name: "x" * (limit + 1)}).excess()
        part = "context" if name == "passages" else name
        assert said == (f"the {part} has {limit + 1:,} characters, more than the {limit:,} that are judged")

    def test_counts_all_passages_and_titles_together(self) -> None:
        half = "x" * (MAX_CONTEXT_CHARS // 2)
        assert Sample(passages=[half, half]).excess() is None
        said = Sample(passages=[half, Passage(half, title="t")]).excess()
        assert said is not None
        assert said.startswith("the context has")

    def test_counts_the_history(self) -> None:
        half = "x" * (MAX_CONTEXT_CHARS // 2 + 1)
        said = Sample(history=[Turn("user", half), Turn("assistant", half)]).excess()
        assert said is not None
        assert said.startswith("the history has")


class TestValue:
    def test_cannot_be_changed(self) -> None:
        sample = Sample("q", "c", "r")
        for field in dataclasses.fields(Sample):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(sample, field.name, "other")
        with pytest.raises(dataclasses.FrozenInstanceError):
            sample.passages[0].text = "other"

    def test_equal_parts_make_equal_samples_that_hash_alike(self) -> None:
        one, other = Sample("q", "c", "r"), Sample("q", [{"text": "c"}], "r")
        assert one == other
        assert len({one, other}) == 1
        assert one != Sample("q", "c", "other")

    @given(
        st.builds(
            Sample,
            ANY_TEXT,
            st.lists(st.builds(Passage, ANY_TEXT, st.none() | ANY_TEXT, st.none() | ANY_TEXT), max_size=3),
            ANY_TEXT,
            st.none() | ANY_TEXT,
            st.lists(st.builds(Turn, st.just("user"), ANY_TEXT), max_size=2),
            conversation=st.none() | ANY_TEXT,
            label=st.sampled_from([None, 0, 1]),
        )
    )
    def test_any_text_survives_copies_and_pickles(self, sample: Sample) -> None:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(sample, protocol)) == sample
        assert copy.copy(sample) == copy.deepcopy(sample) == sample

    @pytest.mark.parametrize("text", ["\ud800", "a\x00b", "\udfff\ud800", "\x1b[2J", "\u202e"])
    def test_hostile_text_is_kept_as_it_is(self, text: str) -> None:
        sample = Sample.from_row({"query": text, "context": [text], "response": text})
        assert sample.query == sample.response == sample.passages[0].text == text

    def test_a_conversation_and_a_label_are_given_by_name(self) -> None:
        with pytest.raises(TypeError):
            Sample("q", "c", "r", "id", (), "conversation")
