"""Rows of deepeval: ``LLMTestCase`` with snake-case or camel-case names."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.protocol import passages_of, row_id, text_of
from assay.sample import Sample


class DeepEval:
    """``input, actual_output, retrieval_context`` (or ``context``, where nothing was retrieved)."""

    name = "deepeval"
    needs = (frozenset({"input", "actual_output"}), frozenset({"input", "actualOutput"}))
    structured = frozenset({"retrieval_context", "retrievalContext", "context"})

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row. What was retrieved is the evidence; the ideal ``context`` only in its absence."""
        response = "actualOutput" if "actualOutput" in row else "actual_output"
        for evidence in ("retrieval_context", "retrievalContext", "context"):
            if row.get(evidence) is not None:
                break
        name = row.get("name")
        return Sample(
            query=text_of(row, "input"),
            passages=passages_of(row.get(evidence), evidence),
            response=text_of(row, response),
            id=row_id(row) or (name if isinstance(name, str) and name else None),
        )


FORMAT = DeepEval()
