"""Assay's own rows, also with labels: ``id, query, context, response, history, conversation, label``."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.protocol import row_id
from assay.sample import Sample

_LABELS: Mapping[object, int | None] = {"0": 0, "1": 1, "false": 0, "true": 1, "0.0": 0, "1.0": 1, "": None}


class AssayRows:
    """``{"id", "query", "context": str | [str | {"text", "title", "id"}], "response", ...}``."""

    name = "assay"
    needs = (frozenset({"context", "response"}),)
    structured = frozenset({"context", "history"})

    def to_sample(self, row: Mapping[str, object]) -> Sample:
        """Read one row; a label may also be text (``0``, ``1``, ``true``, ``false``), as tables have it."""
        label, own = row.get("label"), row_id(row)
        changed: dict[str, object] = {} if own is None else {"id": own}
        if isinstance(label, str | float):
            changed["label"] = _LABELS.get(str(label).strip().lower(), label)
        return Sample.from_row({**row, **changed} if changed else row)


FORMAT = AssayRows()
