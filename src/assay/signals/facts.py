"""Exact checks: numbers, dates, times, names, quotations and denials of a claim against the passages.

A finding is a sign, not a verdict. It names the words of the claim and, where there are some, the words of
the context that disagree. Its severity says how sure it is:

- ``contradicted``: near the claim's words the context states another value for the same thing;
- ``missing``: the value stands nowhere in the context (nor in the question);
- ``needs_arithmetic``: the number stands nowhere, but is of the kind that is computed (a total, a difference,
  a count); one that follows simply from the context's numbers is no finding at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.signals.fact_check import Check, Finding
from assay.signals.fact_index import FactIndex
from assay.signals.fact_numbers import check_numbers
from assay.signals.fact_words import check_denials, check_names, check_quotations
from assay.text.quotations import spoken

__all__ = ["FactIndex", "Finding", "check_facts"]


def check_facts(claim: str, passages: FactIndex | Sequence[str], question: str = "") -> tuple[Finding, ...]:
    """What a claim says that the passages do not, or say otherwise; in the order of the claim.

    Args:
        claim: One claim, citation markers blanked.
        passages: The passages, or their index where several claims are checked.
        question: What was asked. A number, date or name that stands there is not missing.
    """
    index = passages if isinstance(passages, FactIndex) else FactIndex(passages)
    said = spoken(claim)
    if not said or not index.sentences or any(said in passage.spoken for passage in index.passages):
        return ()
    check = Check(claim, index, question)
    found = [*check_numbers(check), *check_names(check), *check_quotations(check), *check_denials(check)]
    return tuple(sorted(found, key=lambda finding: (finding.start, finding.end)))
