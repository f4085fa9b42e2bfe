"""Cases to record, and answers that make them better or worse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay import Assay, Budget, RegressionReport, RegressionSuite

CONTEXT = ["The bridge over the Wipper was opened in 1998. It is 340 metres long and carries two lanes."]
QUERY = "When was the bridge over the Wipper opened?"
GOOD = "The bridge over the Wipper was opened in 1998."
MIXED = "The bridge over the Wipper was opened in 1998. Its architect Jane Doe won the Pritzker Prize."
BAD = "Paris is famous for its croissants, its museums and its 42 theatres."
DATE = "2026-11-30T12:00:00Z"


def row(id_: str, response: str = GOOD, **more: Any) -> dict[str, Any]:
    return {"id": id_, "query": QUERY, "context": CONTEXT, "response": response, **more}


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    lines = (line if isinstance(line, str) else json.dumps(line) for line in rows)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def compared(folder: Path, before: list[dict[str, Any]], after: list[Any], **budget: Any) -> RegressionReport:
    """Record ``before``, run ``after`` against it."""
    suite, assay = RegressionSuite(folder / "baseline.json"), Assay("lexical")
    suite.record(assay, before, date=DATE, overwrite=True)
    return suite.run(assay, after, budget=Budget(**budget), date=DATE)
