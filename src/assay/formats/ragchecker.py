"""Rows of RAGChecker, one of ``{"results": [...]}``."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.protocol import passages_of, row_id, text_of
from assay.sample import Sample


class RagChecker:
    """``query_id, query, retrieved_context[{doc_id, text}], response``."""

    name = "ragchecker"
    needs = (frozenset({"query", "retrieved_context", "response"}),)
    structured = frozenset({"retrieved_context"})

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row."""
        return Sample(
            query=text_of(row, "query"),
            passages=passages_of(row.get("retrieved_context"), "retrieved_context"),
            response=text_of(row, "response"),
            id=row_id({"id": row.get("query_id", row.get("id"))}),
        )


FORMAT = RagChecker()
