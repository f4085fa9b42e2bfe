"""One small number a name, for millions of names: 9 bytes each instead of a string and a dictionary entry."""

from __future__ import annotations

import hashlib
from array import array

import numpy as np
import numpy.typing as npt

AMBIGUOUS = 255
"""What a name that must be unique maps to once it was seen twice."""
_BUFFER = 1 << 14


def digest(name: str) -> int:
    """64 bits of a hash. Among 10 million names, two share them with a chance of 3 in a million."""
    data = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


class NameMap:
    """Names to numbers 0..254: the largest one that was put for the name.

    Args:
        unique: Whether each name should come once; one that comes again maps to `AMBIGUOUS`.
    """

    def __init__(self, *, unique: bool = False) -> None:
        self._unique = unique
        self._keys: npt.NDArray[np.uint64] = np.empty(0, np.uint64)
        self._values: npt.NDArray[np.uint8] = np.empty(0, np.uint8)
        self._new_keys = array("Q")
        self._new_values = array("B")

    def put(self, name: str, value: int) -> None:
        """Note a value of a name."""
        self._new_keys.append(digest(name))
        self._new_values.append(value)
        # In steps of a quarter of what is held, so that sorting costs a constant number of passes a row.
        if len(self._new_keys) >= max(_BUFFER, len(self._keys) // 4):
            self._settle()

    def __len__(self) -> int:
        self._settle()
        return len(self._keys)

    def find(self, name: str) -> int | None:
        """The value of a name, or None."""
        self._settle()
        key = np.uint64(digest(name))
        at = int(np.searchsorted(self._keys, key))
        if at < len(self._keys) and self._keys[at] == key:
            return int(self._values[at])
        return None

    def common(self, other: NameMap) -> tuple[int, int]:
        """How many names both have, and how many of those are ambiguous in either."""
        self._settle()
        other._settle()
        _, mine, theirs = np.intersect1d(self._keys, other._keys, assume_unique=True, return_indices=True)
        doubtful = (self._values[mine] == AMBIGUOUS) | (other._values[theirs] == AMBIGUOUS)
        return len(mine), int(np.count_nonzero(doubtful))

    def counts(self) -> dict[int, int]:
        """How many names have which value."""
        self._settle()
        values, counts = np.unique(self._values, return_counts=True)
        return dict(zip(map(int, values), map(int, counts), strict=True))

    def _settle(self) -> None:
        if not self._new_keys:
            return
        keys = np.concatenate([self._keys, np.frombuffer(self._new_keys, np.uint64)])
        values = np.concatenate([self._values, np.frombuffer(self._new_values, np.uint8)])
        order = np.argsort(keys, kind="stable")
        keys, values = keys[order], values[order]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        self._keys, self._values = keys[starts], np.maximum.reduceat(values, starts)
        if self._unique:
            sizes = np.diff(np.concatenate([starts, [len(keys)]]))
            self._values[sizes > 1] = AMBIGUOUS
        self._new_keys, self._new_values = array("Q"), array("B")
