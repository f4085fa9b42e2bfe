"""Signals by name: the built-in ones, and those of installed packages (group ``assay.signals``)."""

from __future__ import annotations

from collections.abc import Mapping

from assay.errors import PluginError, ProfileError
from assay.plugins import available, load_named
from assay.signals.base import Signal

GROUP = "assay.signals"
BUILTIN: Mapping[str, str] = {
    "answer": "assay.signals.inputs:Answer",
    "answerability": "assay.signals.refusal:Answerability",
    "attribution": "assay.signals.attribution:Attribution",
    "checkable": "assay.signals.inputs:Checkable",
    "citations": "assay.signals.citations:Citations",
    "consistency": "assay.signals.consistency:Consistency",
    "contradiction": "assay.signals.risk:Contradiction",
    "context_quality": "assay.signals.context_quality:ContextQuality",
    "disagreement": "assay.signals.disagreement:Disagreement",
    "evidence": "assay.signals.inputs:EvidenceGiven",
    "faithfulness": "assay.signals.faithfulness:Faithfulness",
    "legibility": "assay.signals.inputs:Legibility",
    "refusal": "assay.signals.refusal:RefusalSignal",
    "relevance": "assay.signals.relevance:Relevance",
    "risk": "assay.signals.risk:Risk",
    "specificity": "assay.signals.specificity:Specificity",
    "weakest_claim": "assay.signals.attribution:WeakestClaim",
}


def signal_names() -> list[str]:
    """All signals that a profile can name."""
    return available(GROUP, BUILTIN)


def make_signals(listed: Mapping[str, Mapping[str, object]], profile: str) -> tuple[Signal, ...]:
    """Build the signals of a profile, each after those it needs.

    Args:
        listed: Signal name to options, as in the profile.
        profile: The profile's name, for messages.

    Raises:
        ProfileError: An option that a signal does not take, a needed signal that is not listed, or signals
            that need each other.
        PluginError: An installed signal that cannot be loaded or is not a `Signal`.
    """
    made = {name: _make(name, options, profile) for name, options in listed.items()}
    for name, signal in made.items():
        for needed in signal.needs:
            if needed not in made:
                raise ProfileError(
                    f"signal {name!r} needs {needed!r}, which the profile does not list",
                    file=profile,
                    field=f"signals.{name}",
                )
    ordered: dict[str, Signal] = {}
    while len(ordered) < len(made):
        ready = [n for n, s in made.items() if n not in ordered and all(need in ordered for need in s.needs)]
        if not ready:
            cycle = ", ".join(sorted(set(made) - set(ordered)))
            raise ProfileError(f"these signals need each other: {cycle}", file=profile, field="signals")
        ordered |= {name: made[name] for name in ready}
    return tuple(ordered.values())


def _make(name: str, options: Mapping[str, object], profile: str) -> Signal:
    factory = load_named(GROUP, name, BUILTIN)
    if not callable(factory):
        raise PluginError(f"{name!r} of {GROUP} is a {type(factory).__name__}, not a class")
    try:
        signal = factory(**options)
    except (TypeError, ValueError) as error:
        raise ProfileError(str(error), file=profile, field=f"signals.{name}") from error
    if not isinstance(signal, Signal):
        raise PluginError(f"{name!r} of {GROUP} made a {type(signal).__name__}, not an assay.signals.Signal")
    if signal.name != name:
        raise PluginError(f"the entry point {name!r} of {GROUP} made the signal {signal.name!r}")
    return signal
