"""Small edits of supported answers: is the changed claim marked, or the decision lowered?

    python -m benchmarks.edits DATA/dev/ragtruth_*.jsonl --profile verifier --each 500

Takes answers that people found fully supported, changes one number, date, name or denial (`training.edits`),
and judges both versions. ``marked`` is the share of edited answers whose changed claim is not supported any
more, or whose decision is lower than before; under ``unedited`` it is the share of claims not supported.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

from assay import Assay, Decision, Sample, Verdict
from assay.formats.rows import read_rows
from assay.verdict import ClaimStatus
from training.edits import KINDS, Edit, names_in

ORDER = list(Decision)
UNMARKED = (ClaimStatus.SUPPORTED, ClaimStatus.NOT_CHECKABLE)


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--profile", default="verifier")
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    assay = Assay(options.profile)
    samples = [row.sample for file in options.data for row in read_rows(file) if row.sample is not None]
    samples = [sample for sample in samples if sample.label == 1]
    before = [assay.check(sample) for sample in samples]
    claims = [claim for verdict in before for claim in verdict.claims if claim.support is not None]
    figures: dict[str, object] = {
        "profile": options.profile,
        "answers": len(samples),
        "unedited": {
            "claims": len(claims),
            "marked": share([claim.status not in UNMARKED for claim in claims]),
            "accepted": share([verdict.decision is Decision.ACCEPT for verdict in before]),
        },
    }
    for kind in KINDS:
        edits = list(made(kind, samples, random.Random(options.seed), options.each))
        found = [caught(assay, samples[number], edit, before[number]) for number, edit in edits]
        figures[kind] = {"edits": len(found), "marked": share(found)}
    print(json.dumps(figures, indent=1))


def made(kind: str, samples: list[Sample], seed: random.Random, most: int) -> Iterator[tuple[int, Edit]]:
    """Up to ``most`` edits of one kind, over the answers in turn; no edit comes twice."""
    seen: set[tuple[int, str]] = set()
    for _ in range(20):
        for number, sample in enumerate(samples):
            if len(seen) >= most:
                return
            edit = KINDS[kind](sample.response, names_in(sample.passages[0].text), seed)
            if edit is not None and (number, edit.text) not in seen:
                seen.add((number, edit.text))
                yield number, edit


def caught(assay: Assay, sample: Sample, edit: Edit, before: Verdict) -> bool:
    """Whether the edited claim is marked, or the decision fell."""
    after = assay.check(Sample(sample.query, sample.passages, edit.text))
    if ORDER.index(after.decision) > ORDER.index(before.decision):
        return True
    touched = [claim for claim in after.claims if claim.start < edit.end and edit.start < claim.end]
    return any(claim.status not in UNMARKED for claim in touched)


def share(values: list[bool]) -> float | None:
    """Rounded to a thousandth."""
    return round(sum(values) / len(values), 3) if values else None


if __name__ == "__main__":
    main()
