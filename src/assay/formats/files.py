"""Files as bytes: opening what the user named, replacing a file in one step, one writer at a time."""

from __future__ import annotations

import gzip
import io
import os
import secrets
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from assay.errors import InputError

MAX_ROW_BYTES = 32 * 1024 * 1024
"""Largest row that is read, in bytes; a larger one becomes a row with an error."""
READ_ERRORS = (OSError, EOFError, zlib.error)
"""What reading may raise after a file was opened: a damaged disk, network or gzip stream."""
MAX_HEAD_BYTES = 1 << 18
"""How much of a first line is looked at to tell what a file is."""
_BLOCK = 1 << 16
WAIT_SECONDS = 10.0
"""How long a writer waits for another one."""


@dataclass(frozen=True, slots=True)
class Source:
    """An opened input.

    Attributes:
        name: The file's name for messages.
        suffix: Its lower-case suffix without ``.gz``; empty for standard input.
        path: The file, or None for standard input.
        stream: All of its bytes, unpacked, without a byte order mark.
        head: The first line that is not blank (at most `MAX_HEAD_BYTES`); it is still in ``stream``.
        packed: Whether the file is gzip.
    """

    name: str
    suffix: str
    path: Path | None
    stream: BufferedReader
    head: bytes
    packed: bool


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """Open a file, or standard input for ``-``, and look at its first line.

    Raises:
        InputError: It cannot be opened or read, or holds nothing but blanks.
    """
    name = os.fspath(path)
    with ExitStack() as stack:
        if name == "-":
            name, file, raw = "standard input", None, sys.stdin.buffer
        else:
            file = Path(name)
            raw = stack.enter_context(_open_file(file, name))
        try:
            start = _first_line(raw)
            packed = start.startswith(b"\x1f\x8b")
            if packed:
                raw = cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=_rejoin(start, raw))))
                start = _first_line(raw)
        except READ_ERRORS as error:
            raise InputError(f"the file cannot be read: {error}", file=name) from error
        if not start.strip():
            raise InputError("the file is empty", file=name)
        suffixes = [suffix.lower() for suffix in file.suffixes] if file else []
        if suffixes[-1:] == [".gz"]:
            suffixes.pop()
        yield Source(name, suffixes[-1] if suffixes else "", file, _rejoin(start, raw), start.strip(), packed)


def atomic_write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a whole file so that a reader sees the old content or the new, never a part.

    Text is written as UTF-8; a lone surrogate becomes its escape.

    Raises:
        InputError: The folder does not exist or cannot be written to.
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    with replacing(path) as stream:
        stream.write(data)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of ``path`` at the end, or of nothing if the block fails."""
    target = Path(path)
    if target.exists() and not target.is_file():
        # A device or a pipe (/dev/null, /dev/stdout) must be written to, not replaced.
        with open_for_writing(target, "wb") as stream:
            yield stream
        return
    target = target.resolve()
    # Named beside the target, as only a rename within one file system is atomic.
    partial = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        with open_for_writing(partial, "xb", shown=path) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o777)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def one_writer(path: str | os.PathLike[str], *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the right to replace ``path``, by a lock file beside it.

    The operating system holds the lock and lets go of it when its holder ends, however it ends: a lock that
    a killed process left behind cannot exist, so there is none to recognise and break. The empty file stays.

    Args:
        path: The file to be replaced.
        wait: Seconds to wait for another writer.

    Raises:
        InputError: Another process kept writing, or the folder cannot be written to.
    """
    from filelock import FileLock, Timeout  # costs more than all of the comparison

    target = Path(path).resolve()
    if not target.parent.is_dir():  # the lock would make it
        raise InputError("the folder to write to does not exist; make it first", file=os.fspath(path))
    lock = FileLock(target.with_name(f".{target.name}.lock"))
    try:
        lock.acquire(timeout=wait)
    except Timeout:
        raise InputError(
            f"another process has been writing this file for {wait:g} seconds; try again when it is done",
            file=os.fspath(path),
        ) from None
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", file=os.fspath(path)) from error
    try:
        yield
    finally:
        lock.release()


def open_for_writing(path: Path, mode: str, shown: str | os.PathLike[str] | None = None) -> BinaryIO:
    """Open a file for writing bytes; trouble is an `InputError` about ``shown`` (default: the path)."""
    name = os.fspath(shown or path)
    try:
        return cast(BinaryIO, path.open(mode))
    except FileNotFoundError as error:
        raise InputError("the folder to write to does not exist; make it first", file=name) from error
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", file=name) from error


def _open_file(path: Path, name: str) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise InputError("there is no such file", file=name) from error
    except IsADirectoryError as error:
        raise InputError("this is a folder; name a file in it", file=name) from error
    except PermissionError as error:
        # Windows refuses to open a folder with a permission error.
        what = "this is a folder; name a file in it" if path.is_dir() else "no permission to read the file"
        raise InputError(what, file=name) from error
    except (OSError, ValueError) as error:
        raise InputError(f"the file cannot be opened: {error}", file=name) from error


def _first_line(stream: BinaryIO) -> bytes:
    """Everything up to the end of the first line with content, without a byte order mark."""
    start = stream.readline(MAX_HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    while not start.strip():
        line = stream.readline(MAX_HEAD_BYTES)
        if not line:
            break
        start += line
    return start


def _rejoin(start: bytes, rest: BinaryIO) -> BufferedReader:
    return cast(BufferedReader, io.BufferedReader(_Rejoined(start, rest), _BLOCK))


class _Rejoined(io.RawIOBase):
    """A stream with the bytes that were read from it put back in front.

    It never closes the stream behind it: standard input is not ours to close.
    """

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = memoryview(start)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        # read1 hands on what a pipe has by now, so that a row is judged before the next one arrives.
        part = self._start[: len(target)] or self._rest.read1(len(target))  # type: ignore[attr-defined]
        self._start = self._start[len(target) :]
        target[: len(part)] = part
        return len(part)
