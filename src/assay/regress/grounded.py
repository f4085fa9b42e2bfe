"""``assert_grounded``: a test that fails with the sentences that no passage supports."""

from __future__ import annotations

from assay.engine import Assay
from assay.regress.defaults import defaults, failure, least_decision, worse
from assay.sample import Context, Sample
from assay.verdict import Verdict


def assert_grounded(
    response: str,
    context: Context,
    query: str = "",
    *,
    id: str | None = None,  # noqa: A002 - the contract's field name
    profile: str | None = None,
    min_decision: str | None = None,
    assay: Assay | None = None,
) -> Verdict:
    """Fail unless a response is grounded in its context.

    In a test, profile and least decision are those of ``@pytest.mark.assay(...)``; else ``default`` and
    ACCEPT.

    Args:
        response: The model's answer.
        context: The passages that it was given.
        query: The question.
        id: The case's name in a baseline; in a test the test's own name.
        profile: Profile to judge under.
        min_decision: ``ACCEPT``, or ``REVIEW`` to fail on REJECT only.
        assay: An engine to judge with, instead of a profile.

    Returns:
        The verdict.

    Raises:
        AssertionError: The decision is worse; the message holds the reason and the unsupported sentences.
        InputError: A part has the wrong type, or the decision is none.
    """
    __tracebackhide__ = True
    set_by_test = defaults()
    least = set_by_test.min_decision if min_decision is None else least_decision(min_decision)
    engine = assay or set_by_test.engine(profile)
    verdict = engine.check(Sample(query, context, response, id))
    set_by_test.settled.append(verdict)
    if worse(verdict.decision, least):
        raise AssertionError(failure(verdict, least))
    return verdict
