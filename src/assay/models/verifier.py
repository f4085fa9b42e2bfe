"""The bundled verifier: does each claim follow from the passages? On onnxruntime, without torch.

A small encoder (see the model card beside its weights). Every window of a passage is encoded alone and kept;
a response is read once over the windows that share most with it, its tokens attending to theirs.
"""

from __future__ import annotations

import math
import os
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from assay.models.protocol import ClaimReading
from assay.models.verifier_weights import BUNDLED, Floats, load_verifier
from assay.models.windows import CLS, SEP, Matches, Stretch, Window, passage_windows, stretches
from assay.sample import Passage

READ_WINDOWS = 6
"""Most windows that a stretch of a response is read over."""
SHARED = 0.34
"""Share of a claim's pieces that a window must hold to be read; a judgement of the window alone, so that a
passage on something else changes nothing."""
KEPT_BYTES = 96 * 1024 * 1024
"""Most memory for kept windows; one of 240 word pieces takes 1.5 MB."""
WEAK_TOKEN = 0.5
_SHARPNESS = 2.0

Halves = NDArray[np.float16]
_Kept = tuple[Halves, Halves]


class BundledVerifier:
    """Reads claims over passages. Thread-safe.

    Args:
        folder: Its files, by default those of the package.
        threads: Windows encoded side by side. Each run is single-threaded, so it cannot change a reading.
        kept_bytes: Most memory for kept windows.

    Raises:
        ModelError: The folder cannot be loaded.
    """

    name = "bundled"
    scripts = frozenset({"Latin"})

    def __init__(
        self, folder: Path = BUNDLED, threads: int | None = None, kept_bytes: int = KEPT_BYTES
    ) -> None:
        self.folder = Path(folder)
        self.threads = max(1, threads if threads is not None else min(4, os.cpu_count() or 1))
        self._kept_bytes = kept_bytes
        self._files = load_verifier(self.folder)
        self.fingerprint = self._files.fingerprint
        self._kept: OrderedDict[tuple[int, ...], _Kept] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._windows = lru_cache(maxsize=512)(self._cut)

    def __reduce__(self) -> tuple[type[BundledVerifier], tuple[Path, int, int]]:
        return type(self), (self.folder, self.threads, self._kept_bytes)

    def read(
        self, question: str, passages: Sequence[Passage], response: str, claims: Sequence[tuple[int, int]]
    ) -> list[ClaimReading]:
        """One reading a claim; a claim without a word, or without any passage, has no support.

        A claim that is a whole sentence of a passage, word for word, is supported.
        """
        found = [ClaimReading(0.0, 0.0)] * len(claims)
        windows = self._all_windows(passages)
        if not windows:
            return found
        copies = {
            self._stripped(window.ids[first:end]) for window in windows for first, end, _, _ in window.units
        }
        for stretch in stretches(self._files.tokenizer, question, response, claims):
            tokens, pooled, _ = self._run(stretch, windows)
            for (number, first, end), whole in zip(stretch.claims, pooled, strict=True):
                if self._stripped(stretch.ids[first:end]) in copies:
                    found[number] = ClaimReading(1.0, 0.0)
                    continue
                logits = _pooled(tokens[first:end]) + whole
                wrong = _sigmoid(float(logits[0]))
                marks = _weak(tokens[first:end, 0], stretch.places[first:end])
                found[number] = ClaimReading(1.0 - wrong, wrong * _sigmoid(float(logits[1])), marks)
        return found

    def answerable(self, question: str, passages: Sequence[Passage]) -> float:
        """P(the passages answer the question); 0 without a question or passages."""
        windows = self._all_windows(passages)
        read = stretches(self._files.tokenizer, "", question, [(0, len(question))])
        if not windows or not read:
            return 0.0
        whole = Stretch(read[0].ids, read[0].first, ((0, 0, len(read[0].ids)),), read[0].places)
        return 1.0 - _sigmoid(float(self._run(whole, windows)[2][0, 0]))

    def _run(self, stretch: Stretch, windows: Sequence[Window]) -> tuple[Floats, Floats, Floats]:
        """Token logits [n, 2], claim logits [c, 2], question logits [c, 1]."""
        chosen = best_windows(stretch, windows, self._files.common)
        kept = self._encoded(chosen)
        levels = Matches([window.ids for window in chosen]).levels(stretch.ids)
        tables = self._files.tables
        roles = [0] * stretch.first + [1] * (len(stretch.ids) - stretch.first)
        pool = np.zeros((len(stretch.claims), len(stretch.ids)), np.float32)
        for row, (_, first, end) in enumerate(stretch.claims):
            pool[row, first:end] = 1.0 / (end - first)
        inputs = {
            "raw": tables.raw(list(stretch.ids)),
            "added": tables.roles[roles] + tables.matches[levels],
            "keys": np.concatenate([keys for keys, _ in kept], axis=1),
            "values": np.concatenate([values for _, values in kept], axis=1),
            "pool": pool,
        }
        tokens, claims, question = self._files.response.run(["tokens", "claims", "question"], inputs)
        return tokens, claims, question

    def _stripped(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """A sentence without the punctuation at its ends, to be compared with another."""
        first, end = 0, len(ids)
        while first < end and ids[end - 1] in self._files.marks:
            end -= 1
        while first < end and ids[first] in self._files.marks:
            first += 1
        return ids[first:end]

    def _all_windows(self, passages: Sequence[Passage]) -> list[Window]:
        return [window for passage in passages for window in self._windows(passage)]

    def _cut(self, passage: Passage) -> tuple[Window, ...]:
        return tuple(passage_windows(self._files.tokenizer, 0, passage))

    def _encoded(self, windows: Sequence[Window]) -> list[_Kept]:
        missing: dict[tuple[int, ...], None] = {}
        found: dict[tuple[int, ...], _Kept] = {}
        with self._lock:
            for window in windows:
                if window.ids in self._kept:
                    self._kept.move_to_end(window.ids)
                    found[window.ids] = self._kept[window.ids]
                else:
                    missing[window.ids] = None
        if len(missing) > 1 and self.threads > 1:
            with ThreadPoolExecutor(min(self.threads, len(missing))) as pool:
                found |= zip(missing, pool.map(self._encode, missing), strict=True)
        else:
            found |= {ids: self._encode(ids) for ids in missing}
        with self._lock:
            for ids in missing:
                self._keep(ids, found[ids])
        return [found[window.ids] for window in windows]

    def _encode(self, ids: tuple[int, ...]) -> _Kept:
        raw = self._files.tables.raw([CLS, *ids, SEP])
        keys, values = self._files.context.run(["keys", "values"], {"raw": raw})
        return keys, values

    def _keep(self, ids: tuple[int, ...], kept: _Kept) -> None:
        if ids not in self._kept:
            self._kept[ids] = kept
            self._bytes += kept[0].nbytes + kept[1].nbytes
        while self._kept and self._bytes > self._kept_bytes:
            _, (keys, values) = self._kept.popitem(last=False)
            self._bytes -= keys.nbytes + values.nbytes


def best_windows(
    stretch: Stretch, windows: Sequence[Window], common: frozenset[int], most: int = READ_WINDOWS
) -> list[Window]:
    """The windows to read a stretch over, in their order.

    Those that hold enough of one of its claims; of more than ``most`` those that hold the most of the
    stretch, of equals the first. Where no window holds enough, the one that holds the most.

    Args:
        stretch: A part of a response, or a question.
        windows: All windows of all passages.
        common: Word pieces that say nothing about the subject.
        most: Most windows to read.
    """
    claims = [set(stretch.ids[first:end]) - common for _, first, end in stretch.claims]
    whole = set().union(*claims)
    held = [whole.intersection(window.ids) for window in windows]
    ranked = sorted(range(len(windows)), key=lambda n: (-len(held[n]), n))
    enough = [
        n for n in ranked if any(claim and len(claim & held[n]) >= SHARED * len(claim) for claim in claims)
    ]
    return [windows[n] for n in sorted(enough[:most] or ranked[:1])]


def _pooled(logits: Floats) -> Floats:
    """Soft maximum over the tokens, between mean and maximum (the same as in training)."""
    highest = logits.max(0)
    total = np.exp(_SHARPNESS * (logits - highest)).mean(0)
    pooled: Floats = highest + np.log(total) / np.float32(_SHARPNESS)
    return pooled


def _sigmoid(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(60.0, max(-60.0, logit))))


def _weak(logits: Floats, places: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Runs of tokens held for unsupported, as characters; neighbours are joined."""
    spans: list[list[int]] = []
    last = -2
    for position, (start, end) in enumerate(places):
        if _sigmoid(float(logits[position])) < WEAK_TOKEN:
            continue
        if spans and position == last + 1:
            spans[-1][1] = end
        else:
            spans.append([start, end])
        last = position
    return tuple((start, end) for start, end in spans)
