"""Real files of every container, and one row of every format with the sample it must become."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

Rows = list[dict[str, object]]
CONTAINERS = ("jsonl", "json", "wrapped.json", "pretty.json", "jsonl.gz", "csv", "tsv", "parquet")

# name of the case: row, (query, [(text, title, id)], response, id, label)
FORMATS: dict[str, tuple[dict[str, object], tuple[object, ...]]] = {
    "assay": (
        {"id": "a1", "query": "Wer?", "context": ["Eins 🙂", "Zwei"], "response": "Ich.", "label": 1},
        ("Wer?", [("Eins 🙂", None, None), ("Zwei", None, None)], "Ich.", "a1", 1),
    ),
    "ragas": (
        {"user_input": "Q?", "retrieved_contexts": ["c1", "c2"], "response": "R", "reference": "gold"},
        ("Q?", [("c1", None, None), ("c2", None, None)], "R", "1", None),
    ),
    "ragas-0.1": (
        {"question": "Q?", "contexts": ["c1"], "answer": "R", "ground_truth": "gold"},
        ("Q?", [("c1", None, None)], "R", "1", None),
    ),
    "deepeval": (
        {
            "name": "case 7",
            "input": "Q?",
            "actual_output": "R",
            "context": ["ideal"],
            "retrieval_context": ["plain", {"context": "rich", "source": "a.md"}],
        },
        ("Q?", [("plain", None, None), ("rich", "a.md", None)], "R", "case 7", None),
    ),
    "deepeval-camel": (
        {"input": "Q?", "actualOutput": "R", "retrievalContext": ["c"]},
        ("Q?", [("c", None, None)], "R", "1", None),
    ),
    "alce": (
        {
            "sample_id": "s9",
            "question": "Q?",
            "answers": [["x"]],
            "docs": [{"id": "77", "title": "T", "text": "<b>d</b>"}, {"title": "", "text": "e"}],
            "output": "R [1][2].",
        },
        ("Q?", [("<b>d</b>", "T", None), ("e", None, None)], "R [1][2].", "s9", None),
    ),
    "ragchecker": (
        {
            "query_id": "000",
            "query": "Q?",
            "gt_answer": "g",
            "response": "R",
            "retrieved_context": [{"doc_id": "d1", "text": "c"}],
        },
        ("Q?", [("c", None, "d1")], "R", "000", None),
    ),
    "ragtruth": (
        {
            "id": "5",
            "source_id": "11",
            "response": "R",
            "labels": [{"start": 0, "end": 1, "text": "R"}],
            "source_info": {"question": "Q?", "passages": "passage 1:c"},
        },
        ("Q?", [("passage 1:c", None, None)], "R", "5", 0),
    ),
}


def write_rows(folder: Path, container: str, rows: Rows) -> Path:
    """A file as other tools write it."""
    path = folder / f"rows.{container}"
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    texts: dict[str, Callable[[], str]] = {
        "jsonl": lambda: lines,
        "json": lambda: json.dumps(rows),
        "wrapped.json": lambda: json.dumps({"meta": {"by": "x"}, "data": rows, "n": 1}),
        "pretty.json": lambda: json.dumps({"results": rows}, indent=2),
    }
    if container in texts:
        path.write_text(texts[container](), encoding="utf-8")
    elif container == "jsonl.gz":
        path.write_bytes(gzip.compress(lines.encode()))
    elif container == "parquet":
        pq.write_table(pa.table({name: [_cell(row.get(name)) for row in rows] for name in rows[0]}), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter="\t" if container == "tsv" else ",")
            writer.writerow(rows[0])
            writer.writerows([[_cell(value) for value in row.values()] for row in rows])
    return path


def _cell(value: object) -> object:
    simple = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return json.dumps(value) if isinstance(value, dict | list) and not simple else value
