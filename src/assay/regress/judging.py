"""Cases and their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assay.engine import Assay
from assay.errors import InputError
from assay.regress.cases import Case
from assay.regress.stored import StoredCase, stored_case
from assay.verdict import Tier, Verdict

Judged = tuple[Case, Verdict]


class UnjudgedError(InputError):
    """Cases that a baseline was to be made of, and that could not be judged."""


def judged(assay: Assay, cases: Iterable[Case]) -> Iterator[Judged]:
    """Every case with its verdict, in order; a row without a sample gets the REVIEW of its error."""
    for case in cases:
        if case.sample is None:
            error = case.error or InputError("the row is empty", file=case.file, line=case.line)
            yield case, assay.failed(error, id=case.id)
        else:
            yield case, assay.check(case.sample)


def trouble(case: Case, verdict: Verdict) -> str | None:
    """Why a case could not be judged, or None if it was."""
    if verdict.error is not None:
        return verdict.error.message
    if verdict.judge_failure is not None:
        return f"the judge did not answer: {verdict.judge_failure}"
    return "the row is empty" if case.sample is None else None


def stored_cases(verdicts: Iterable[Judged], *, text: bool) -> list[StoredCase]:
    """What a baseline keeps of judged cases; all of them, or none.

    Raises:
        UnjudgedError: A case could not be judged.
    """
    kept, unjudged = [], []
    for case, verdict in verdicts:
        cause = trouble(case, verdict)
        if case.sample is None or cause is not None:
            unjudged.append((case.id, cause))
        else:
            kept.append(stored_case(case, case.sample, verdict, text=text))
    if unjudged:
        raise _unjudged(unjudged)
    return kept


def common_measure(verdicts: Sequence[Judged]) -> dict[str, str]:
    """What all of the verdicts were judged by, as `assay.regress.baseline.measure_of` gives it.

    Raises:
        InputError: There are none, or they were judged by several.
    """
    # Whether a judge was asked differs from case to case; that there is one is in the scorer's hash.
    tiers = {v.meta.tier for _, v in verdicts}
    tier = min(tiers, key=list(Tier).index, default=Tier.LLM)
    found = {
        (
            v.meta.profile,
            str(tier if v.meta.used_llm_judge else v.meta.tier),
            v.meta.policy_hash,
            v.meta.scorer_hash,
        )
        for _, v in verdicts
    }
    if not found:
        raise InputError("there are no cases")
    if len(found) > 1:
        profiles = ", ".join(sorted({profile for profile, *_ in found}))
        raise InputError(
            f"a baseline is judged by one profile and scorer, these cases by several ({profiles})"
        )
    return dict(zip(("profile", "tier", "policy_hash", "scorer_hash"), found.pop(), strict=True))


def _unjudged(rows: Sequence[tuple[str, str | None]]) -> UnjudgedError:
    (name, cause), more = rows[0], len(rows) - 1
    others = f" (and {more} more)" if more else ""
    return UnjudgedError(f"case {name!r} could not be judged{others}, so nothing was written: {cause}")
