"""What a signal is. Another package adds one by subclassing `Signal` and naming it in an entry point."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from assay.signals.reading import Reading
from assay.verdict import Measurement


class Signal(ABC):
    """One named number in 0..1 measured on a sample, or unavailable with a cause.

    A subclass sets ``name`` and implements `measure`. Its constructor's keyword arguments are the options
    that a profile may give. Instances hold no state between samples and are shared between threads.

    Attributes:
        name: The key in profiles and in the verdict's scores.
        version: Raised whenever the same sample may get another value; part of the scorer hash.
        needs: Signals that are measured before and handed over.
        requires_llm: The signal is left out unless the caller gave a language model.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    requires_llm: ClassVar[bool] = False

    @abstractmethod
    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:
        """Measure one sample.

        Args:
            reading: The sample, analysed once for all signals.
            measured: The values of the signals in ``needs``.

        Returns:
            `Measured` or `Unavailable`. An exception counts as unavailable with the exception as cause.
        """

    def texts(self, reading: Reading) -> Iterable[str]:
        """Texts whose vectors `measure` will ask for; all signals' texts are embedded in one go."""
        return ()


def one_of(option: str, value: str, allowed: tuple[str, ...]) -> str:
    """Check an option with named values.

    Raises:
        ValueError: ``value`` is none of them.
    """
    if value not in allowed:
        raise ValueError(f"{option} is one of {', '.join(allowed)}, not {value!r}")
    return value
