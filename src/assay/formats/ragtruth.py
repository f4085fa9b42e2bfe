"""Rows of RAGTruth: ``response.jsonl`` with the ``source_info.jsonl`` beside it, or rows that carry both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from assay.errors import InputError
from assay.formats.files import open_source
from assay.formats.jsonl import jsonl_records
from assay.formats.protocol import row_id, text_of
from assay.sample import Sample

SOURCES = "source_info.jsonl"


class RagTruth:
    """``source_id, response, labels``, joined with ``source_id, task_type, source_info``.

    Args:
        sources: The lines of ``source_info.jsonl`` by ``source_id``.
    """

    name = "ragtruth"
    needs = (frozenset({"source_id", "response", "labels"}), frozenset({"source_info", "response"}))
    structured = frozenset({"labels", "source_info"})

    def __init__(self, sources: Mapping[str, object] | None = None) -> None:
        self._sources = sources or {}

    def for_file(self, path: Path | None, first: Mapping[str, object]) -> RagTruth:
        """Load the sources that belong to a file of responses (some 3,000; they are held in memory)."""
        if "source_info" in first:
            return self
        beside = path.with_name(SOURCES) if path else None
        if beside is None or not beside.is_file():
            raise InputError(
                f"RAGTruth's responses have no context of their own: put {SOURCES} into the same folder"
            )
        return RagTruth(_load(beside))

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row. The label is 1 if the annotators marked no span, else 0."""
        source = row.get("source_info")
        if source is None:
            key = str(row.get("source_id"))
            if key not in self._sources:
                raise InputError(f"{SOURCES} has no source {key!r}", field="source_id")
            source = self._sources[key]
        query, context = _read_source(source)
        labels = row.get("labels")
        if labels is not None and not isinstance(labels, list):
            raise InputError(f"expected a list, got {type(labels).__name__}", field="labels")
        return Sample(
            query=query,
            passages=context,
            response=text_of(row, "response"),
            id=row_id(row),
            label=None if labels is None else int(not labels),
        )


def _read_source(source: object) -> tuple[str, str]:
    """Query and context: QA has both, a summary only a text, data-to-text only an object."""
    if isinstance(source, str):
        return "", source
    if not isinstance(source, Mapping):
        raise InputError(f"expected text or an object, got {type(source).__name__}", field="source_info")
    if "question" in source and "passages" in source:
        return text_of(source, "question"), text_of(source, "passages")
    return "", json.dumps(source, ensure_ascii=False, indent=1)


def _load(path: Path) -> dict[str, object]:
    sources: dict[str, object] = {}
    with open_source(path) as opened:
        for record in jsonl_records(opened.stream):
            fields = record.fields or {}
            if "source_id" not in fields or "source_info" not in fields:
                trouble = record.trouble or "a source has 'source_id' and 'source_info'"
                raise InputError(trouble, file=str(path), line=record.line)
            sources[str(fields["source_id"])] = fields["source_info"]
    return sources


FORMAT = RagTruth()
