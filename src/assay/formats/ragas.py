"""Rows of ragas: ``SingleTurnSample``, and the columns of its versions before 0.2."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.protocol import passages_of, row_id, text_of
from assay.sample import Sample


class Ragas:
    """``user_input, retrieved_contexts, response``, or ``question, contexts, answer``."""

    name = "ragas"
    needs = (
        frozenset({"user_input", "retrieved_contexts", "response"}),
        frozenset({"question", "contexts", "answer"}),
    )
    structured = frozenset({"retrieved_contexts", "contexts"})

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row. Reference answers and contexts are not evidence and are left out."""
        old = "user_input" not in row and "question" in row
        query, contexts, response = (
            ("question", "contexts", "answer") if old else ("user_input", "retrieved_contexts", "response")
        )
        return Sample(
            query=text_of(row, query),
            passages=passages_of(row.get(contexts), contexts),
            response=text_of(row, response),
            id=row_id(row),
        )


FORMAT = Ragas()
