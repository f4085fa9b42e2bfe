"""The engine: a sample goes in, a verdict comes out."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

from assay.errors import InputError, ModelError, ProfileError
from assay.judge import Judge, Session
from assay.judge.cascade import Ruling, settle
from assay.judge.report import spending_report
from assay.models.llm import ChatModel
from assay.models.protocol import Embedder, Verifier
from assay.models.registry import load_embedder
from assay.models.verifiers import named_verifier
from assay.policy.decide import FINAL, Outcome, decide, final_score
from assay.policy.load import load_profile
from assay.policy.profile import Profile
from assay.policy.reasons import WEAK, reason, why
from assay.sample import Context, Sample, Turn
from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.signals.registry import make_signals, signal_names
from assay.verdict import (
    Action,
    Decision,
    FailureType,
    HallucinationStatus,
    JSONValue,
    Measured,
    Measurement,
    Meta,
    RowError,
    Tier,
    Unavailable,
    Verdict,
)
from assay.version import __version__

BATCH_ROWS = 64
"""Samples handed to the threads at a time."""


class Assay:
    """Judges samples under one profile. Thread-safe; holds no state between samples but a bounded cache.

    Args:
        profile: Name of a built-in profile, path of a YAML file, or a loaded `Profile`.
        embedder: An embedder, or the registry names of embedders in order of preference; by default what
            the profile says.
        verifier: A verifier, or the registry name of one; by default what the profile says, if it says one.
        llm: The application's model (a function from prompt to answer) for the consistency signal; or the
            judge, to ask its model within the judge's budget and cache. Without it the signal is left out.
        judge: A language model for what the local signals cannot decide, as the profile's ``judge`` section
            says: ``openai:MODEL``, a chat model, a function from prompt to answer, or a `Judge` with a
            budget, a deadline and a cache. Without it no judge is ever called.
        models: A folder with the model's files, looked in first.

    Raises:
        InputError: ``llm`` or ``judge`` is no model, or they are two different judges.
        ProfileError: The profile cannot be used; with file, line and field. Or there is a judge, and the
            profile does not say when it is asked.
        ModelError: No embedder of the profile is available, the verifier cannot be loaded, or the judge's
            model cannot be used here.
        PluginError: A named signal, embedder or judge is not installed or cannot be loaded.

    Attributes:
        profile: The loaded profile.
        embedder: The embedder in use.
        verifier: The verifier in use, or None.
        tier: What a verdict rests on while no judge takes part.
        policy_hash: Hash of everything in the profile that can change a decision.
        scorer_hash: Hash of the signals, their options, the weights of embedder and verifier, and the judge's
            model and prompts if there is one.
        judge: The judge, or None.
        warning: A sentence when not the profile's first embedder is in use, else None.
    """

    def __init__(
        self,
        profile: str | Path | Profile = "default",
        *,
        embedder: Embedder | str | Sequence[str] | None = None,
        verifier: Verifier | str | None = None,
        llm: Callable[[str], str] | Judge | None = None,
        judge: Judge | ChatModel | Callable[[str], str] | str | None = None,
        models: str | Path | None = None,
    ) -> None:
        self.profile = profile if isinstance(profile, Profile) else load_profile(profile, signal_names())
        self.warning: str | None = None
        if embedder is None or isinstance(embedder, str | list | tuple):
            names = self.profile.embedder if embedder is None else embedder
            folder = None if models is None else Path(models)
            self.embedder, self.warning = load_embedder(names, folder=folder)
        elif isinstance(embedder, Embedder):
            self.embedder = embedder
        else:
            raise ModelError(
                f"a {type(embedder).__name__} is no embedder: see assay.models.protocol.Embedder"
            )
        self.verifier = self._verifier_for(verifier)
        self.tier = Tier(self.embedder.tier) if self.verifier is None else Tier.VERIFIER
        given: object = llm
        if given is not None and not (callable(given) or isinstance(given, Judge)):
            kind = type(given).__name__
            raise InputError(f"expected a function from prompt to answer, got {kind}", field="llm")
        self._llm = llm
        self.judge = self._judge_for(judge)
        if isinstance(llm, Judge) and self.judge not in (None, llm):
            raise InputError("a row has one judge: give the same one as judge and llm", field="llm")
        signals = make_signals(self.profile.signals, self.profile.name)
        self._signals = tuple(s for s in signals if llm is not None or not s.requires_llm)
        self.policy_hash = self.profile.policy_hash(judged=self.judge is not None)
        asked = self._asked()
        identity = None if asked is None else asked.identity
        self.scorer_hash = _scorer_hash(self._signals, self.profile, self.embedder, self.verifier, identity)

    def _verifier_for(self, verifier: object) -> Verifier | None:
        wanted = self.profile.verifier if verifier is None else verifier
        if wanted is None or isinstance(wanted, Verifier):
            return wanted
        if isinstance(wanted, str):
            return named_verifier(wanted)
        raise ModelError(f"a {type(wanted).__name__} is no verifier: see assay.models.protocol.Verifier")

    def _judge_for(self, judge: Judge | ChatModel | Callable[[str], str] | str | None) -> Judge | None:
        if judge is None:
            return None
        if self.profile.judge is None:
            problem = "the profile does not say when a judge is asked; give it a judge section"
            raise ProfileError(problem, file=self.profile.name, field="judge")
        return judge if isinstance(judge, Judge) else Judge(judge)

    def check(
        self,
        sample: Sample | None = None,
        /,
        *,
        query: str = "",
        context: Context = (),
        response: str = "",
        history: Sequence[Turn | Mapping[str, object]] = (),
        id: str | None = None,  # noqa: A002 - the contract's field name
    ) -> Verdict:
        """Judge one response.

        Give a `Sample`, or its parts by name. No text makes this raise: what cannot be judged is a REVIEW.

        Raises:
            InputError: A part has the wrong type; the message names it.
        """
        if sample is None:
            sample = Sample(query, context, response, id, history)
        return self._judge(sample)

    async def acheck(
        self,
        sample: Sample | None = None,
        /,
        *,
        query: str = "",
        context: Context = (),
        response: str = "",
        history: Sequence[Turn | Mapping[str, object]] = (),
        id: str | None = None,  # noqa: A002 - the contract's field name
    ) -> Verdict:
        """`check` in a worker thread, for callers in an event loop."""
        if sample is None:
            sample = Sample(query, context, response, id, history)
        import asyncio  # costs 50 ms of start-up that most callers do not need

        return await asyncio.to_thread(self._judge, sample)

    def check_many(self, samples: Iterable[Sample], *, threads: int = 1) -> Iterator[Verdict]:
        """Judge samples in order, lazily, with the verdicts that `check` gives each alone.

        Args:
            samples: Any number of samples; at most 64 are held at a time.
            threads: Samples judged at once.
        """
        if threads < 1:
            raise InputError(f"threads is at least 1, not {threads}", field="threads")
        if threads == 1:
            yield from map(self._judge, samples)
            return
        source = iter(samples)
        with ThreadPoolExecutor(threads, thread_name_prefix="assay") as pool:
            try:
                while batch := list(islice(source, BATCH_ROWS)):
                    yield from pool.map(self._judge, batch)
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                if (asked := self._asked()) is not None:
                    asked.interrupt()
                raise

    def failed(self, error: Exception, *, id: str | None, conversation: str | None = None) -> Verdict:  # noqa: A002
        """The REVIEW verdict of a row that could not be read or judged."""
        return self._unjudged(str(error), type(error).__name__, id, conversation, 0.0)

    def _judge(self, sample: Sample) -> Verdict:
        if not isinstance(sample, Sample):
            raise InputError(f"expected a Sample, got {type(sample).__name__}")
        started = time.perf_counter()
        if excess := sample.excess():
            return self._unjudged(excess, "TooLarge", sample.id, sample.conversation, started)
        session = self._session()
        llm = session.answer if session is not None and isinstance(self._llm, Judge) else self._llm
        reading = Reading(
            sample,
            self.embedder,
            history_as_evidence=self.profile.history_as_evidence,
            verifier=self.verifier,
            llm=None if isinstance(llm, Judge) else llm,
        )
        measured = self._measure(reading)
        measured[FINAL] = final_score(self.profile, measured)
        claims = next((m.claims for m in measured.values() if m.claims), ())
        ruling = Ruling(measured, decide(self.profile, measured), claims)
        if session is not None and self.judge is not None:
            ruling = settle(self.profile, reading, ruling, session, partial(self._remeasure, reading))
        return self._verdict(sample, reading, ruling, session, started)

    def _asked(self) -> Judge | None:
        asked = self.judge or self._llm
        return asked if isinstance(asked, Judge) else None

    def _session(self) -> Session | None:
        asked = self._asked()
        return None if asked is None else asked.session()

    def _verdict(
        self, sample: Sample, reading: Reading, ruling: Ruling, session: Session | None, started: float
    ) -> Verdict:
        outcome, measured = ruling.outcome, ruling.measured
        weak = tuple(c.text for c in ruling.claims if c.status in WEAK)
        said = reason(self.profile, outcome, measured, ruling.claims)
        report = ruling.report
        if report is None and session is not None and session.used:
            report = spending_report(session)
        return Verdict(
            id=sample.id,
            decision=outcome.decision,
            confidence_pct=outcome.confidence_pct,
            failure_type=outcome.failure_type,
            hallucination_status=outcome.hallucination_status,
            next_action=outcome.action,
            action_why=why(self.profile, outcome),
            scores={name: m.value if isinstance(m, Measured) else None for name, m in _ordered(measured)},
            reason=f"{ruling.note} {said}" if ruling.note else said,
            meta=self._meta(
                outcome, started, _read(reading), sample.digest(), used_judge=ruling.used, judge=report
            ),
            low_confidence_sentences=weak,
            unavailable={n: m.cause for n, m in _ordered(measured) if isinstance(m, Unavailable)},
            claims=ruling.claims,
            trace=outcome.trace,
            conversation=sample.conversation,
        )

    def _measure(self, reading: Reading) -> dict[str, Measurement]:
        if reading.blocker is None:
            # Only to have them side by side: what fails here fails again where a signal asks.
            with suppress(Exception):
                wanted = dict.fromkeys(text for signal in self._signals for text in signal.texts(reading))
                if wanted:
                    self.embedder.embed(list(wanted))
        measured: dict[str, Measurement] = {}
        for signal in self._signals:
            measured[signal.name] = _measured(signal, reading, measured)
        return measured

    def _remeasure(
        self, reading: Reading, measured: Mapping[str, Measurement], changed: frozenset[str]
    ) -> dict[str, Measurement]:
        """Measure again what needs one of the changed signals, directly or through others."""
        again, stale = dict(measured), set(changed)
        for signal in self._signals:
            if signal.name not in changed and stale.intersection(signal.needs):
                again[signal.name] = _measured(signal, reading, again)
                stale.add(signal.name)
        return again

    def _meta(
        self,
        outcome: Outcome,
        started: float,
        read: Mapping[str, int],
        input_hash: str | None,
        *,
        used_judge: bool = False,
        judge: Mapping[str, JSONValue] | None = None,
    ) -> Meta:
        return Meta(
            passed=outcome.decision is Decision.ACCEPT,
            used_llm_judge=used_judge,
            latency_ms=round((time.perf_counter() - started) * 1000, 3),
            profile=self.profile.name,
            tier=Tier.LLM if used_judge else self.tier,
            version=__version__,
            policy_hash=self.policy_hash,
            scorer_hash=self.scorer_hash,
            read=read,
            input_hash=input_hash,
            judge=judge,
        )

    def _unjudged(
        self, message: str, kind: str, row_id: str | None, conversation: str | None, started: float
    ) -> Verdict:
        outcome = Outcome(
            Decision.REVIEW,
            FailureType.INVALID_INPUT,
            Action.FIX_INPUT,
            HallucinationStatus.NONE,
            100,
            None,
            None,
            (),
        )
        return Verdict(
            id=row_id,
            decision=outcome.decision,
            confidence_pct=outcome.confidence_pct,
            failure_type=outcome.failure_type,
            hallucination_status=outcome.hallucination_status,
            next_action=outcome.action,
            action_why="A row that cannot be judged is never accepted",
            scores={FINAL: None},
            reason=f"This row could not be judged: {message}.",
            meta=self._meta(outcome, started or time.perf_counter(), {}, None),
            unavailable={FINAL: message},
            conversation=conversation,
            error=RowError(kind, message),
        )


def _measured(signal: Signal, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:
    try:
        got: object = signal.measure(reading, {n: measured[n] for n in signal.needs})
        if not isinstance(got, Measured | Unavailable):
            raise TypeError(f"it gave {type(got).__name__}, not Measured or Unavailable")
        return got
    except Exception as error:  # noqa: BLE001 - a signal that fails is unavailable, whoever wrote it
        return Unavailable(f"{type(error).__name__}: {error}")


def _ordered(measured: Mapping[str, Measurement]) -> list[tuple[str, Measurement]]:
    """The final score first, as in the contract, then the signals in the order they were measured."""
    return [(FINAL, measured[FINAL]), *((name, m) for name, m in measured.items() if name != FINAL)]


def _read(reading: Reading) -> dict[str, int]:
    """How much of the context the model's window took in; characters that were cut are not hidden."""
    read = {"passages": len(reading.passages), "context_characters": len(reading.context)}
    with suppress(Exception):  # an embedder that fails here has failed the signals before
        read["context_characters_read"] = int(reading.embedder.characters_read(reading.context))
    return read


def _scorer_hash(
    signals: Iterable[Signal],
    profile: Profile,
    embedder: Embedder,
    verifier: Verifier | None,
    judge: Mapping[str, str] | None,
) -> str:
    parts: dict[str, object] = {
        "embedder": embedder.fingerprint,
        "signals": [
            [s.name, f"{type(s).__module__}.{type(s).__qualname__}", s.version, profile.signals[s.name]]
            for s in signals
        ],
    }
    if verifier is not None:
        parts["verifier"] = verifier.fingerprint
    if judge is not None:
        parts["judge"] = dict(judge)
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
