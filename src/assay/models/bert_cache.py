"""The exported graph of an encoder, made once and kept in the cache folder."""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from assay.errors import ModelError
from assay.models.bert_config import BertConfig, max_pieces, read_config
from assay.models.bert_onnx import EXPORTER_VERSION, build_onnx
from assay.models.places import cache_dir, is_file


@dataclass(frozen=True, slots=True)
class Encoder:
    """A sentence encoder's folder, checked and hashed, not yet loaded.

    Attributes:
        folder: Where it lies.
        config: Its sizes.
        pieces: Word pieces of a text that it reads, [CLS] and [SEP] included.
        graph_digest: Hex SHA-256 over all that the graph is made from: weights, sizes, exporter version.
        fingerprint: Hex SHA-256 over that, the tokenizer and ``pieces``: all that can change a vector.
    """

    folder: Path
    config: BertConfig
    pieces: int
    graph_digest: str
    fingerprint: str

    @property
    def cached_path(self) -> Path:
        """Where its graph is kept, whether or not it is there yet."""
        return cache_dir() / f"bert-{self.graph_digest[:32]}.onnx"

    def load_or_build(self) -> Path | bytes:
        """The cached graph's path; when it must be built first and cannot be kept, its bytes.

        Raises:
            ModelError: The extra ``minilm`` is not installed, or the weights do not match the sizes.
        """
        return self.cached_path if is_file(self.cached_path) else self.rebuild()

    def rebuild(self) -> Path | bytes:
        """Like `load_or_build`, but a cached graph is replaced."""
        graph = build_onnx(self.folder, self.config)
        return self.cached_path if _keep(self.cached_path, graph) else graph


def read_encoder(folder: Path) -> Encoder:
    """Check and hash a folder.

    Raises:
        ModelError: A file cannot be read, or describes a model that is not read.
    """
    config = read_config(folder)
    pieces = max_pieces(folder, config)
    weights, tokenizer = _digest(folder / "model.safetensors"), _digest(folder / "tokenizer.json")
    graph = hashlib.sha256(f"{EXPORTER_VERSION} {config.canonical()} {weights}".encode()).hexdigest()
    fingerprint = hashlib.sha256(f"{graph} {tokenizer} {pieces}".encode()).hexdigest()
    return Encoder(folder, config, pieces, graph, fingerprint)


def can_build() -> bool:
    """Whether the extra that builds graphs is installed."""
    return all(find_spec(name) is not None for name in ("onnx", "safetensors"))


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error}") from error


def _keep(path: Path, graph: bytes) -> bool:
    """Write whole or not at all: another process may be reading, or writing the same graph."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(graph)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError:  # a read-only home, a full disk: the graph is used from memory
        return False
    return True
