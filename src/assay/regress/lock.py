"""One writer at a time.

The operating system holds the lock and lets go of it when its holder ends, however it ends: a lock that a
killed process left behind cannot exist, so there is none to recognise and break. The empty file stays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError

WAIT_SECONDS = 10.0


@contextmanager
def one_writer(path: str | os.PathLike[str], *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the right to replace ``path``, by a lock file beside it.

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
