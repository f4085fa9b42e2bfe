from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from assay.batch.drift import Drift, compare, compare_files
from assay.batch.summary import summarise
from assay.verdict import Decision

from .verdicts import verdict, write

A, V, J = "ACCEPT", "REVIEW", "REJECT"


def drift_of(
    tmp_path: Path, before: list[dict[str, Any]], after: list[dict[str, Any]], top: int = 10
) -> Drift:
    one, two = write(tmp_path / "before.jsonl", *before), write(tmp_path / "after.jsonl", *after)
    return compare_files(one, two, summarise(one, top), summarise(two, top))


def rows(decisions: str, prefix: str = "r", **changes: Any) -> list[dict[str, Any]]:
    names = {"a": A, "v": V, "j": J}
    return [verdict(f"{prefix}{i}", names[letter], **changes) for i, letter in enumerate(decisions)]


def test_shares_before_and_after_by_hand(tmp_path: Path) -> None:
    drift = drift_of(tmp_path, rows("a" * 80 + "v" * 20), rows("a" * 60 + "v" * 40))
    accept, review, reject = drift.decisions
    assert (accept.before.count, accept.after.count) == (80, 60)
    assert accept.step == pytest.approx(-0.2)
    # z = 0.2 / sqrt(0.7 * 0.3 * 0.02) = 3.086, p = 0.002028; Holm over three lines: times 3.
    assert accept.p == pytest.approx(3 * 0.002028, rel=1e-3)
    assert accept.beyond_chance
    assert review.beyond_chance
    assert reject.p == 1.0
    assert not reject.beyond_chance
    assert "The share of ACCEPT fell from 80.0 % (n 100) to 60.0 % (n 100)" in drift.findings[0]
    assert {c.name: c.beyond_chance for c in drift.failures} == {"none": True, "weak_grounding": True}


def test_a_small_change_is_within_chance(tmp_path: Path) -> None:
    drift = drift_of(tmp_path, rows("aaaav"), rows("aaavv"))
    assert not any(change.beyond_chance for change in drift.decisions)
    assert drift.decisions[0].test == "Fisher's exact test"
    assert "within chance" in drift.findings[0]


def test_nothing_changed(tmp_path: Path) -> None:
    drift = drift_of(tmp_path, rows("aavj"), rows("aavj"))
    assert "stayed" in drift.findings[0]
    assert drift.differently == ()
    assert drift.pairs is not None
    assert (drift.pairs.n, drift.pairs.changed.count, drift.pairs.p) == (4, 0, 1.0)
    assert all(change.reading == "no visible drift" for change in drift.scores)
    assert drift.statements == drift.findings


def test_rows_are_matched_by_id_in_any_order(tmp_path: Path) -> None:
    before = [*rows("aaavvj"), verdict("gone", J), verdict(None, A)]
    after = [*reversed(rows("avjavj")), verdict("new", A), verdict(None, J)]
    pairs = drift_of(tmp_path, before, after).pairs
    assert pairs is not None
    assert (pairs.n, pairs.only_earlier, pairs.only_later, pairs.left_out) == (6, 1, 1, 0)
    moves = {(a.value, b.value): count for (a, b), count in pairs.moves.items() if count}
    assert moves == {(A, A): 1, (A, V): 1, (A, J): 1, (V, A): 1, (V, V): 1, (J, J): 1}
    assert (pairs.lost, pairs.gained, pairs.changed.count) == (2, 1, 3)
    changed = [(e.after.id, e.before.value, e.after.decision.value) for e in pairs.examples]
    assert changed == [("r2", A, J), ("r1", A, V), ("r3", V, A)]


def test_the_list_of_changed_rows_is_bounded(tmp_path: Path) -> None:
    pairs = drift_of(tmp_path, rows("a" * 30), rows("v" * 30), top=4).pairs
    assert pairs is not None
    assert pairs.changed.count == 30
    assert [e.after.id for e in pairs.examples] == ["r0", "r1", "r10", "r11"]


def test_paired_rows_show_what_shares_hide(tmp_path: Path) -> None:
    # 12 of 400 rows lose ACCEPT and none gains it: 53 % against 50 % is within chance for two samples,
    # but the same rows all moved one way: 2 * 0.5 ** 12.
    before = rows("a" * 212 + "v" * 188)
    after = rows("v" * 12 + "a" * 200 + "v" * 188)
    drift = drift_of(tmp_path, before, after)
    assert not drift.decisions[0].beyond_chance
    assert drift.pairs is not None
    assert drift.pairs.p == pytest.approx(2 * 0.5**12)
    assert drift.pairs.beyond_chance
    assert any("12 lost ACCEPT and 0 gained it: beyond chance" in said for said in drift.findings)


def test_an_id_that_comes_twice_is_left_out(tmp_path: Path) -> None:
    before = [verdict("x", A), verdict("x", J), verdict("y", A), verdict("z", A)]
    after = [verdict("x", A), verdict("y", A), verdict("y", J), verdict("z", J)]
    pairs = drift_of(tmp_path, before, after).pairs
    assert pairs is not None
    assert (pairs.n, pairs.left_out, pairs.lost) == (1, 2, 1)


def test_files_without_a_common_id_are_not_paired(tmp_path: Path) -> None:
    drift = drift_of(tmp_path, rows("av", "x"), rows("av", "y"))
    assert drift.pairs is None
    assert drift.to_dict()["pairs"] is None


def test_other_ways_of_judging_are_stated_first(tmp_path: Path) -> None:
    after = rows("av", meta={"profile": "strict", "policy_hash": "cccc", "version": "0.2.0"})
    drift = drift_of(tmp_path, rows("av"), after)
    assert drift.differently == (
        "profile default -> strict",
        "version 0.1.0 -> 0.2.0",
        "policy_hash aaaa -> cccc",
    )
    assert drift.statements[0].startswith("These files were judged differently: profile default -> strict; ")


def scored(seed: int, n: int, mean: float) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [verdict(f"s{i}", final=min(1, max(0, round(rng.gauss(mean, 0.1), 4)))) for i in range(n)]


@pytest.mark.parametrize(
    ("mean", "n", "reading"),
    [
        (0.6, 500, "no visible drift"),
        (0.65, 500, "moderate"),
        (0.75, 500, "strong"),
        (0.6, 25, "no visible drift"),
    ],
)
def test_a_shift_of_a_score_has_its_reading(tmp_path: Path, mean: float, n: int, reading: str) -> None:
    drift = drift_of(tmp_path, scored(1, n, 0.6), scored(2, n, mean))
    final = drift.scores[0]
    assert final.name == "final"
    assert final.reading == reading
    assert (final.low is None) == (n < 30)


def test_noise_of_small_files_is_no_drift(tmp_path: Path) -> None:
    """A stability index alone calls two samples of 40 from the same source drifted."""
    final = drift_of(tmp_path, scored(3, 40, 0.5), scored(4, 40, 0.5)).scores[0]
    assert final.psi is not None
    assert final.psi > 0.1
    assert final.reading == "no visible drift"


def test_a_score_of_one_file_only(tmp_path: Path) -> None:
    drift = drift_of(
        tmp_path, [verdict(scores={"final": 0.5, "old": 0.4})], [verdict(scores={"final": None})]
    )
    assert {c.name: c.reading for c in drift.scores} == {
        "final": "not measured in both files",
        "old": "not measured in both files",
    }
    assert [c.change for c in drift.scores] == ["-", "-"]


def test_leak_and_rows_not_judged(tmp_path: Path) -> None:
    error = {"type": "E", "message": "m"}
    before = [verdict(f"l{i}", A, label=int(i >= 5)) for i in range(100)]
    after = [verdict(f"l{i}", A, label=int(i >= 40)) for i in range(100)] + [verdict("e", V, error=error)]
    quality = {change.name: change for change in drift_of(tmp_path, before, after).quality}
    leak = quality["leak among accepted"]
    assert (leak.before.count, leak.after.count, leak.after.n, leak.beyond_chance) == (5, 40, 100, True)
    assert quality["not judged"].after.count == 1
    assert leak.points.startswith("+35.0 points (")


def test_summaries_alone_can_be_compared(tmp_path: Path) -> None:
    one = summarise(write(tmp_path / "1.jsonl", verdict()))
    empty = summarise(write(tmp_path / "2.jsonl", tail="{"))
    drift = compare(one, empty)
    assert drift.decisions[0].p is None
    assert drift.decisions[0].reading == "no rows to compare"
    assert drift.decisions[0].points == "-"
    assert drift.to_dict()["decisions"][Decision.ACCEPT.value]["after"]["share"] is None
