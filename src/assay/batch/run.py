"""Judging many rows: in this process, or in several, with the same verdicts in the same order."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.resource_tracker import ensure_running

from assay.engine import Assay
from assay.errors import InputError
from assay.formats.rows import Row
from assay.judge import Judge
from assay.policy.profile import Profile
from assay.verdict import JSONValue, Verdict

CHUNK_ROWS = 64
CHUNKS_AHEAD = 4
"""Chunks in flight a worker; bounds memory however long the input is."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker process needs to build the same `Assay`; the parts of its constructor."""

    profile: str | Profile
    embedder: tuple[str, ...] | None = None
    models: str | None = None
    judge: Judge | None = None
    consistency: bool = False

    def build(self) -> Assay:
        """Make the engine; see `Assay` for the errors.

        Raises:
            InputError: Consistency is wanted without a judge, or of a profile that does not measure it.
        """
        if self.consistency and self.judge is None:
            raise InputError("--consistency asks the judge's model; give --judge, too")
        llm = self.judge if self.consistency else None
        assay = Assay(self.profile, embedder=self.embedder, models=self.models, judge=self.judge, llm=llm)
        if self.consistency and "consistency" not in assay.profile.signals:
            raise InputError(f"the profile {assay.profile.name!r} does not measure consistency")
        return assay


def judge_row(assay: Assay, row: Row) -> Verdict:
    """The verdict of one row; a row that could not be read gets the REVIEW verdict of its error."""
    if row.sample is None:
        error = row.error or InputError("the row is empty", line=row.line)
        return assay.failed(error, id=row.id)
    return assay.check(row.sample)


def judge_rows(
    rows: Iterable[Row], setup: Setup, *, workers: int = 1, assay: Assay | None = None
) -> Iterator[dict[str, JSONValue]]:
    """Judge rows lazily, in order.

    Args:
        rows: The rows of a file.
        setup: How to build the engine.
        workers: Processes; 1 judges in this one. With a judge they are threads: rows then wait for its
            answers, and all share one budget.
        assay: An engine already built from ``setup``, for ``workers=1``.

    Yields:
        One output row for every input row, as `Verdict.to_dict` gives it, plus the row's label if known.
    """
    if workers < 1:
        raise InputError(f"--workers is at least 1, not {workers}")
    if workers == 1:
        engine = assay or setup.build()
        for row in rows:
            yield _output(engine, row)
        return
    if setup.judge is not None:
        yield from _in_threads(rows, assay or setup.build(), workers)
    else:
        yield from _in_processes(rows, setup, workers)


def _output(assay: Assay, row: Row) -> dict[str, JSONValue]:
    output = judge_row(assay, row).to_dict()
    if row.sample is not None and row.sample.label is not None:
        output["label"] = row.sample.label
    return output


def _in_threads(rows: Iterable[Row], engine: Assay, workers: int) -> Iterator[dict[str, JSONValue]]:
    source = iter(rows)
    with ThreadPoolExecutor(workers, thread_name_prefix="assay") as pool:
        pending: deque[Future[dict[str, JSONValue]]] = deque()
        try:
            while True:
                for row in islice(source, workers * CHUNKS_AHEAD - len(pending)):
                    pending.append(pool.submit(_output, engine, row))
                if not pending:
                    return
                yield pending.popleft().result()
        except (KeyboardInterrupt, GeneratorExit):  # nobody reads what the rows under way would become
            pool.shutdown(wait=False, cancel_futures=True)
            if engine.judge is not None:
                engine.judge.interrupt()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_processes(rows: Iterable[Row], setup: Setup, workers: int) -> Iterator[dict[str, JSONValue]]:
    source = iter(rows)
    # spawn: a forked onnxruntime session or thread pool would hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(setup,)) as pool:
        pending: deque[Future[list[dict[str, JSONValue]]]] = deque()
        try:
            while True:
                while len(pending) < workers * CHUNKS_AHEAD and (chunk := list(islice(source, CHUNK_ROWS))):
                    light = [_light(row) for row in chunk]
                    with _interrupts_held():
                        pending.append(pool.submit(_judge_chunk, light))
                if not pending:
                    return
                yield from pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while workers start: they inherit the block, so that only this process acts on it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ensure_running()  # it would lift the block when it starts by itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _light(row: Row) -> Row:
    """A row without its raw fields, which the judge does not need and a pipe would copy."""
    return Row(row.number, row.line, row.id, row.sample, row.error)


_engine: Assay | None = None


def _start(setup: Setup) -> None:
    global _engine
    _engine = setup.build()


def _judge_chunk(rows: list[Row]) -> list[dict[str, JSONValue]]:
    if _engine is None:
        raise RuntimeError("the worker was not started")
    return [_output(_engine, row) for row in rows]
