"""One file a signal, and the reading of a sample that they share."""

from assay.signals.base import Signal
from assay.signals.reading import Reading

__all__ = ["Reading", "Signal"]
