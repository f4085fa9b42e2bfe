"""The bundled verifier's files: two graphs without weights, 8-bit weights, a tokenizer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

from assay.errors import ModelError
from assay.models.windows import CLS, SEP
from assay.text.words import STOPWORDS

FORMAT = 1
BUNDLED = Path(__file__).parent / "weights" / "verifier"
_FILES = ("verifier.json", "context.onnx", "response.onnx", "weights.npz", "tokenizer.json")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tables:
    """What is looked up before the graphs run. Rows of ``words`` are integers times ``scale``."""

    words: NDArray[np.int8]
    scale: Floats
    positions: Floats
    roles: Floats
    matches: Floats

    def raw(self, ids: list[int]) -> Floats:
        """Sum of word and position embeddings, float32 [n, hidden]."""
        found: Floats = self.words[ids].astype(np.float32) * self.scale[ids][:, None]
        return found + self.positions[: len(ids)]


@dataclass(frozen=True, slots=True)
class VerifierFiles:
    """A loaded folder. ``marks`` are the word pieces of punctuation, ``common`` those and function words."""

    tokenizer: Tokenizer
    marks: frozenset[int]
    common: frozenset[int]
    tables: Tables
    context: ort.InferenceSession
    response: ort.InferenceSession
    fingerprint: str


def load_verifier(folder: Path) -> VerifierFiles:
    """Read a folder as ``training/export.py`` writes it.

    Raises:
        ModelError: A file is missing, damaged, or of another format.
    """
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ModelError(f"{folder} is no verifier: it lacks {', '.join(missing)}")
    try:
        about = json.loads((folder / "verifier.json").read_text(encoding="utf-8"))
        if about.get("format") != FORMAT:
            raise ModelError(f"{folder} has format {about.get('format')!r}, this version reads {FORMAT}")
        with np.load(folder / "weights.npz", allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        constants = {
            name: ort.OrtValue.ortvalue_from_numpy(_constant(arrays, name))
            for names in about["constants"].values()
            for name in names
        }
        sessions = [
            _session(folder / f"{graph}.onnx", {name: constants[name] for name in about["constants"][graph]})
            for graph in ("context", "response")
        ]
    except ModelError:
        raise
    except Exception as error:  # numpy, tokenizers and onnxruntime have no common base
        raise ModelError(f"{folder} cannot be loaded as a verifier: {error}") from error
    tables = Tables(
        arrays["words|int"],
        arrays["words|scale"],
        arrays["positions"].astype(np.float32),
        arrays["roles"],
        arrays["matches"],
    )
    marks = frozenset(
        piece for token, piece in tokenizer.get_vocab().items() if not any(map(str.isalnum, token))
    )
    return VerifierFiles(
        tokenizer, marks, _common(tokenizer, marks), tables, sessions[0], sessions[1], _fingerprint(folder)
    )


def _common(tokenizer: Tokenizer, marks: frozenset[int]) -> frozenset[int]:
    words = tokenizer.encode(" ".join(sorted(STOPWORDS)), add_special_tokens=False).ids
    return frozenset({*marks, *words, CLS, SEP})


def _constant(arrays: dict[str, NDArray[Any]], name: str) -> Floats:
    if name in arrays:
        return np.ascontiguousarray(arrays[name], dtype=np.float32)
    return np.ascontiguousarray(arrays[f"{name}|int"].astype(np.float32) * arrays[f"{name}|scale"])


def _session(graph: Path, constants: dict[str, ort.OrtValue]) -> ort.InferenceSession:
    options = ort.SessionOptions()
    # One thread a run: how a sum is split over threads must not show in a verdict.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False  # every text has its own length
    options.log_severity_level = 3
    options.add_external_initializers(list(constants), list(constants.values()))
    return ort.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in _FILES:
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()
