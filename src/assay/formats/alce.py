"""Rows of ALCE and trust-eval: a question, numbered documents, and an output that cites them."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.protocol import passages_of, row_id, text_of
from assay.sample import Passage, Sample


class Alce:
    """``question, docs[{title, text}], output``."""

    name = "alce"
    needs = (frozenset({"question", "docs", "output"}),)
    structured = frozenset({"docs"})

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row.

        The documents' own ids are dropped: ``[3]`` means the third document here, whatever its id.
        """
        return Sample(
            query=text_of(row, "question"),
            passages=[Passage(p.text, p.title) for p in passages_of(row.get("docs"), "docs")],
            response=text_of(row, "output"),
            id=row_id(row),
        )


FORMAT = Alce()
