from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest

from assay.batch.conversations import MAX_TURNS
from assay.batch.kept import MAX_SENTENCES
from assay.batch.summary import MAX_SCORES, Summary, summarise, total
from assay.errors import InputError
from assay.verdict import Decision

from .verdicts import HOSTILE, hostile_file, verdict, write


def test_counts_shares_means_and_latency_by_hand(tmp_path: Path) -> None:
    file = write(
        tmp_path / "out.jsonl",
        verdict("a", "ACCEPT", final=0.9, meta={"latency_ms": 1.0}),
        verdict("b", "REVIEW", final=0.5, meta={"latency_ms": 2.0}),
        verdict("c", "REJECT", final=0.1, failure_type="hallucination", meta={"latency_ms": 4.0}),
        verdict("d", "REVIEW", final=None, meta={"latency_ms": 3.0}),
    )
    s = summarise(file)
    assert (s.rows, s.judged, s.not_judged) == (4, 4, 0)
    assert [s.decisions[d] for d in Decision] == [1, 2, 1]
    assert s.failures.to_dict() == {"weak_grounding": 2, "hallucination": 1, "none": 1}
    assert s.actions.to_dict() == {"retry_with_specific_prompt": 3, "serve_response": 1}
    final = s.scores["final"]
    assert (final.mean, final.n, final.unavailable) == (pytest.approx(0.5), 3, 1)
    assert final.bins[Decision.ACCEPT][18] == final.bins[Decision.REVIEW][10] == 1
    assert final.bins[Decision.REJECT][2] == 1
    assert s.scores["attribution"].n == 4
    assert s.latency.quantile(0.5) == pytest.approx(2.0, rel=0.005)
    assert s.latency.quantile(0.95) == s.latency.largest == 4.0
    assert [row.id for row in s.slowest.items] == ["c", "d", "b", "a"]
    assert s.share(Decision.ACCEPT).to_dict() == {
        "count": 1,
        "n": 4,
        "share": 0.25,
        "low": 0.045587,
        "high": 0.699358,
    }
    assert s.mixed == {}
    assert s.basis("profile") == "default"


def test_worst_rows_reject_first_then_lowest_final_then_id(tmp_path: Path) -> None:
    file = write(
        tmp_path / "out.jsonl",
        verdict("z", "REVIEW", final=0.0),
        verdict("n", "REJECT", final=None),
        verdict("c", "REJECT", final=0.4, sentences=["one", "two"], reason="why"),
        verdict("b", "REJECT", final=0.4),
        verdict("a", "ACCEPT", final=0.0),
        verdict("y", "REJECT", final=0.3),
    )
    assert [row.id for row in summarise(file).worst.items] == ["y", "b", "c", "n", "z"]
    assert [row.id for row in summarise(file, top=2).worst.items] == ["y", "b"]
    assert summarise(file, top=0).worst.items == []
    kept = summarise(file).worst.items[2]
    assert (kept.reason, kept.sentences, kept.line, kept.more_sentences) == ("why", ("one", "two"), 3, 0)


def test_rows_that_could_not_be_judged_are_in_no_mean(tmp_path: Path) -> None:
    error = {"type": "InputError", "message": "context: expected text"}
    rows = [verdict(f"e{i}", "REVIEW", final=None, error=error) for i in range(7)]
    s = summarise(write(tmp_path / "out.jsonl", verdict("a", final=0.6), *rows))
    assert (s.rows, s.judged, s.not_judged) == (8, 1, 7)
    assert (s.scores["final"].n, s.scores["final"].unavailable) == (1, 0)
    assert s.decisions[Decision.REVIEW] == 7
    assert [(e.id, e.line) for e in s.error_examples] == [(f"e{i}", i + 2) for i in range(5)]
    assert s.errors.to_dict() == {"InputError": 7}


def test_coverage_and_leak_by_hand(tmp_path: Path) -> None:
    rows = [verdict(label=label) for label in (1, 1, 1, 0)]
    rows += [verdict(decision="REJECT", label=0), verdict(decision="REVIEW", label=1)]
    rows += [verdict(), verdict(label=None), verdict(label=True)]
    s = summarise(write(tmp_path / "out.jsonl", *rows))
    assert (s.n_labelled, s.coverage.count, s.coverage.n) == (7, 5, 7)
    assert (s.leak.count, s.leak.n) == (1, 5)
    labels = s.to_dict()["labels"]
    assert labels["decisions"]["0"] == {"ACCEPT": 1, "REVIEW": 0, "REJECT": 1}
    assert labels["leak"]["share"] == 0.2


def test_without_labels_nothing_is_said_of_leak(tmp_path: Path) -> None:
    assert summarise(write(tmp_path / "out.jsonl", verdict())).to_dict()["labels"] is None


def test_a_conversation_has_the_decision_of_its_worst_turn(tmp_path: Path) -> None:
    file = write(
        tmp_path / "out.jsonl",
        verdict("1", "ACCEPT", conversation="good"),
        verdict("2", "ACCEPT", conversation="bad"),
        verdict("3", "REVIEW", conversation="middle"),
        verdict("4", "REJECT", conversation="bad"),
        verdict("5", "ACCEPT", conversation="good"),
        verdict("6", "ACCEPT"),
        verdict("7", "ACCEPT", conversation="bad"),
    )
    c = summarise(file).conversations
    assert c.n == 3
    assert [c.counts[d] for d in Decision] == [1, 1, 1]
    assert [kept.name for kept in c.kept] == ["bad", "middle", "good"]
    assert [(t.id, t.decision.value) for t in c.kept[0].turns] == [
        ("2", "ACCEPT"),
        ("4", "REJECT"),
        ("7", "ACCEPT"),
    ]
    assert [kept.name for kept in summarise(file, top=1).conversations.kept] == ["bad"]


def test_kept_conversations_are_bounded_and_all_turns_counted(tmp_path: Path) -> None:
    rows = [verdict(str(i), conversation="long") for i in range(MAX_TURNS + 3)]
    kept = summarise(write(tmp_path / "out.jsonl", *rows)).conversations.kept[0]
    assert (len(kept.turns), kept.n) == (MAX_TURNS, MAX_TURNS + 3)


def test_more_than_one_way_of_judging_is_mixed(tmp_path: Path) -> None:
    file = write(tmp_path / "out.jsonl", verdict(), verdict(), verdict(meta={"policy_hash": "cccc"}))
    s = summarise(file)
    assert s.mixed == {"policy_hash": ["aaaa", "cccc"]}
    assert s.basis("policy_hash") == "mixed: aaaa, cccc"
    assert s.to_dict()["mixed"] == ["policy_hash"]


def test_a_partial_last_line_is_named_and_not_counted(tmp_path: Path) -> None:
    s = summarise(write(tmp_path / "out.jsonl", verdict(), tail='{"id": "half'))
    assert s.rows == 1
    assert s.partial[s.file].line == 2
    assert s.to_dict()["partial_last_lines"][0]["line"] == 2


def test_a_whole_last_line_without_its_newline_is_a_row(tmp_path: Path) -> None:
    s = summarise(write(tmp_path / "out.jsonl", verdict("a"), tail=json.dumps(verdict("b"))))
    assert (s.rows, s.partial) == (2, {})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json", "not valid JSON"),
        ("[1, 2]", "a row is a JSON object"),
        ('{"id": "x", "context": "c", "response": "r"}', "no 'decision', it has context, id, response"),
        ('{"decision": "MAYBE"}', "decision: a decision is one of ACCEPT, REVIEW, REJECT, not 'MAYBE'"),
        ('{"decision": ["ACCEPT"]}', "a decision is one of"),
        ('{"decision": "ACCEPT", "scores": {"final": NaN}}', "NaN is not a JSON value"),
        ('{"decision": "ACCEPT", "scores": {"final": 1e999}}', "scores.final: the number is not finite"),
        ('{"decision": "ACCEPT", "scores": {"final": 1.5}}', "scores.final: a score is in 0..1, not 1.5"),
        ('{"decision": "ACCEPT", "scores": {"final": "0.5"}}', "scores.final: expected a number, got str"),
        ('{"decision": "ACCEPT", "scores": []}', "scores: expected an object, got list"),
        ('{"decision": "ACCEPT", "id": 1.5}', "id: expected text, got float"),
        ('{"decision": "ACCEPT", "label": 2}', "label: a label is 0"),
        ('{"decision": "ACCEPT", "meta": {"latency_ms": -1}}', "meta.latency_ms: a latency is not negative"),
        ('{"decision": "ACCEPT", "meta": {"tier": 3}}', "meta.tier: expected text, got int"),
        (
            '{"decision": "ACCEPT", "explanations": {"low_confidence_sentences": "x"}}',
            "expected a list of texts",
        ),
        ('{"decision": "ACCEPT", "error": "x"}', "error: expected an object"),
    ],
)
def test_a_bad_line_is_named_with_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(f"{json.dumps(verdict())}\n\n{line}\n{json.dumps(verdict())}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        summarise(file)
    assert str(caught.value).startswith(f"{file}:3: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["out.csv", "out.json", "out.parquet"])
def test_another_format_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a report reads JSONL"):
        summarise(write(tmp_path / name, verdict()))


def test_a_missing_and_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        summarise(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="empty"):
        summarise(write(tmp_path / "out.jsonl"))


def test_a_file_with_only_half_a_row_has_no_rows(tmp_path: Path) -> None:
    s = summarise(write(tmp_path / "out.jsonl", tail='{"id"'))
    assert (s.rows, s.judged, s.share(Decision.ACCEPT).value) == (0, 0, None)


def test_a_packed_file_and_one_that_was_cut(tmp_path: Path) -> None:
    plain = write(tmp_path / "out.jsonl", *(verdict(str(i), final=i / 500) for i in range(500)))
    packed = tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert summarise(packed).rows == 500
    packed.write_bytes(packed.read_bytes()[:-200])
    with pytest.raises(InputError, match="cannot be read further"):
        summarise(packed)


def test_rows_in_any_order_give_the_same_figures(tmp_path: Path) -> None:
    rows = [
        verdict(
            str(i), ("ACCEPT", "REVIEW", "REJECT")[i % 3], final=(i * 37 % 100) / 100, conversation=str(i % 4)
        )
        for i in range(40)
    ]
    first = summarise(write(tmp_path / "a.jsonl", *rows)).to_dict()
    second = summarise(write(tmp_path / "b.jsonl", *reversed(rows))).to_dict()
    for key in ("decisions", "failure_types", "scores", "latency_ms", "judged_by"):
        assert first[key] == second[key]
    assert [row["id"] for row in first["worst"]] == [row["id"] for row in second["worst"]]
    assert first["conversations"]["decisions"] == second["conversations"]["decisions"]


def test_a_total_is_the_summary_of_all_rows(tmp_path: Path) -> None:
    a = [verdict("a", "REJECT", final=0.2, label=0, conversation="c"), verdict("b", meta={"profile": "p2"})]
    b = [verdict("c", "REVIEW", final=0.1), verdict("d", final=0.7, label=1, conversation="c")]
    one, two = write(tmp_path / "1.jsonl", *a), write(tmp_path / "2.jsonl", *b, tail="{")
    whole = total([summarise(one), summarise(two)])
    joined = summarise(write(tmp_path / "3.jsonl", *a, *b)).to_dict()
    found = whole.to_dict()
    for key in (
        "rows",
        "decisions",
        "failure_types",
        "next_actions",
        "scores",
        "latency_ms",
        "labels",
        "mixed",
    ):
        assert found[key] == joined[key]
    assert [row.id for row in whole.worst.items] == ["a", "c"]
    assert whole.files == [str(one), str(two)]
    assert list(whole.partial) == [str(two)]
    # The same name in two files is two conversations.
    assert whole.conversations.n == 2
    assert [(c.name, c.file) for c in whole.conversations.kept] == [("c", str(one)), ("c", str(two))]


def test_hostile_names_do_not_grow_the_summary(tmp_path: Path) -> None:
    def row(i: int) -> dict[str, object]:
        return verdict(
            "x" * 10_000,
            "REJECT",
            scores={f"s{i}": 0.5},
            failure_type=f"f{i}",
            reason="y" * 10_000,
            sentences=["z" * 10_000] * 50,
            meta={"profile": f"p{i}"},
        )

    s = summarise(write(tmp_path / "out.jsonl", *(row(i) for i in range(200))))
    assert len(s.scores) == MAX_SCORES
    assert s.scores_left_out == 200 - MAX_SCORES
    assert sum(s.failures.counts.values()) == 200
    assert len(s.failures.counts) <= 65
    kept = s.worst.items[0]
    assert len(kept.reason) <= 600
    assert len(kept.sentences) == MAX_SENTENCES
    assert kept.more_sentences == 50 - MAX_SENTENCES
    assert len(json.dumps(s.to_dict())) < 200_000


def test_the_json_of_hostile_text_is_the_text(tmp_path: Path) -> None:
    found = summarise(hostile_file(tmp_path / "out.jsonl")).to_dict()
    assert found["worst"][0]["reason"] == HOSTILE
    json.dumps(found, allow_nan=False)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        file = tmp_path / f"{rows}.jsonl"
        with file.open("w", encoding="utf-8") as stream:
            for i in range(rows):
                decision = ("ACCEPT", "REVIEW", "REJECT")[i % 3]
                row = verdict(f"row-{i}", decision, final=i % 97 / 100, conversation=f"c-{i // 3}")
                stream.write(json.dumps(row) + "\n")
        summarise(write(tmp_path / "warm.jsonl", verdict(conversation="c")))
        tracemalloc.start()
        try:
            assert summarise(file).rows == rows
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small, large = peak(2_000), peak(20_000)
    # 6,000 more conversations of 9 bytes, sorted in a buffer of 16,384 names: well under a megabyte.
    assert large - small < 1_000_000
    assert large < 4_000_000


def test_a_new_summary_says_that_it_holds_nothing() -> None:
    s = Summary("x")
    assert (s.basis("profile"), s.leak.value, s.conversations.n) == ("(not given)", None, 0)
