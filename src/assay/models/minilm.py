"""all-MiniLM-L6-v2 on onnxruntime: the sentence embedder, without torch."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Literal

import numpy as np
import onnxruntime as ort
from tokenizers import Encoding, Tokenizer

from assay.errors import ModelError
from assay.models.bert_cache import Encoder, read_encoder
from assay.models.places import HOW_TO_GET, find_minilm, minilm_places
from assay.models.protocol import Vectors

__all__ = ["MiniLMEmbedder", "find_minilm", "open_minilm"]

_WINDOW_CHARS = 16_384
"""First part of a long text that is tokenised; far more than 256 word pieces of ordinary text."""


class MiniLMEmbedder:
    """Sentence vectors of a BERT-type encoder.

    Args:
        folder: The model as sentence-transformers publishes it (``config.json``, ``tokenizer.json``,
            ``model.safetensors``, ``1_Pooling/config.json``).
        threads: Texts that run side by side. Each run is single-threaded, so it cannot change a vector.

    Raises:
        ModelError: The folder lacks a file, or describes a model that is not read.
    """

    name = "minilm"
    tier: Literal["embedding"] = "embedding"
    scripts = frozenset({"Latin"})

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = Path(folder)
        self.threads = max(1, threads if threads is not None else min(4, os.cpu_count() or 1))
        encoder = read_encoder(self.folder)
        self.fingerprint = encoder.fingerprint
        self._dimension = encoder.config.hidden_size
        self._tokenizer = _tokenizer(self.folder / "tokenizer.json", encoder.pieces)
        self._session = _open_session(encoder)
        self._lock = Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._pool_owner = 0

    def __reduce__(self) -> tuple[type[MiniLMEmbedder], tuple[Path, int]]:
        return type(self), (self.folder, self.threads)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape ``(len(texts), dimension)``; a text beyond its window is read up to it."""
        if self.threads == 1 or len(texts) < 2:
            rows = [self._embed_one(text) for text in texts]
        else:
            rows = list(self._threads().map(self._embed_one, texts))
        return np.stack(rows) if rows else np.zeros((0, self._dimension))

    def characters_read(self, text: str) -> int:
        """How many leading characters of ``text`` the window of word pieces covers."""
        encoding = self._encode(text)
        if not encoding.overflowing:
            return len(text)
        return max(end for _, end in encoding.offsets)

    def _embed_one(self, text: str) -> Vectors:
        ids = np.array([self._encode(text).ids], dtype=np.int64)
        vector: Vectors = self._session.run(None, {"input_ids": ids})[0].astype(np.float64)
        # float32 leaves the length 1e-7 away from 1.
        vector /= np.sqrt(np.add.reduce(vector * vector))
        return vector

    def _encode(self, text: str) -> Encoding:
        """Tokenise no more of a long text than the window needs; the result is that of the whole."""
        size = _WINDOW_CHARS
        while size < len(text):
            part = _encodable(text[:size])
            encoding = self._tokenizer.encode(part)
            # Only the last word can be changed by the cut: the window must end before it begins.
            if encoding.overflowing and max(end for _, end in encoding.offsets) <= part.rfind(" "):
                return encoding
            size *= 4
        return self._tokenizer.encode(_encodable(text))

    def _threads(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None or self._pool_owner != os.getpid():  # threads do not survive a fork
                self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="minilm")
                self._pool_owner = os.getpid()
            return self._pool


def open_minilm(folder: Path | None = None, threads: int | None = None) -> MiniLMEmbedder:
    """Find the model on this machine and load it.

    Raises:
        ModelError: It is not there (the message says where it was looked for), or cannot be loaded.
    """
    found = find_minilm(folder)
    if found is None:
        raise ModelError(f"minilm was not found (looked in {', '.join(minilm_places(folder))}): {HOW_TO_GET}")
    return MiniLMEmbedder(found, threads)


def _encodable(text: str) -> str:
    """Lone surrogates have no UTF-8 form; one replacement character each keeps all offsets."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _tokenizer(path: Path, pieces: int) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the binding raises bare Exception
        raise ModelError(f"{path} cannot be read as a tokenizer: {error}") from error
    # The published file carries a padding and a truncation to 128 that the model was not meant to run with.
    tokenizer.no_padding()
    tokenizer.enable_truncation(pieces)
    return tokenizer


def _open_session(encoder: Encoder) -> ort.InferenceSession:
    graph = encoder.load_or_build()
    if isinstance(graph, Path):
        try:
            return _session(graph)
        except Exception:  # noqa: BLE001 - the runtime has no common base; the cached file is damaged
            graph = encoder.rebuild()
    try:
        return _session(graph)
    except Exception as error:
        raise ModelError(f"onnxruntime cannot load the graph of {encoder.folder}: {error}") from error


def _session(graph: Path | bytes) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False  # every text has its own length
    options.log_severity_level = 3
    source = graph if isinstance(graph, bytes) else str(graph)
    return ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])
