from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.cli.test_eval import write_rows


def test_quality_counts_decisions_and_leak(assay: Run, tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "labelled.jsonl", 20)
    done = assay("bench", "quality", rows, "--json", "figures.json", "--profile", "default")
    assert done.returncode == 0, done.stderr
    assert "labelled" in done.stdout
    (figures,) = json.loads((tmp_path / "figures.json").read_text("utf-8"))["profiles"]["default"]
    assert (figures["rows"], figures["ungrounded"]) == (20, 0.9)
    assert figures["decisions"]["ACCEPT"] == {"rows": 2, "ungrounded": 0}
    assert (figures["coverage"], figures["leak"]) == (0.1, 0.0)
    assert figures["auroc"]["attribution"] == 1.0


def test_speed_measures_and_names_the_machine(assay: Run, tmp_path: Path) -> None:
    done = assay("bench", "speed", "--calls", "5", "--json", "speed.json")
    assert done.returncode == 0, done.stderr
    figures = json.loads((tmp_path / "speed.json").read_text("utf-8"))
    assert figures["machine"]["cores"] >= 1
    assert figures["import_assay"]["heavy_modules"] == []
    names = [row["name"] for row in figures["latency"]]
    assert names[:2] == [
        "lexical over lexical, passages never seen",
        "lexical over lexical, passages seen before",
    ]
    assert all(row["p50_ms"] > 0 for row in figures["latency"])
