"""Where messages go: results to stdout, everything else to stderr."""

from __future__ import annotations

import os
import sys

from rich.console import Console

from assay.text.printable import printable

PIPE_WIDTH = 120


def out() -> Console:
    """The console for results; plain in a pipe, where nobody knows how wide the reader's window is."""
    in_pipe = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    width = PIPE_WIDTH if in_pipe else None
    return Console(file=sys.stdout, highlight=False, emoji=False, soft_wrap=True, width=width)


def err() -> Console:
    """The console for progress and messages."""
    return Console(file=sys.stderr, highlight=False, emoji=False, soft_wrap=True)


def say_error(message: str) -> None:
    """Print an error with everything hostile in it made visible."""
    print(f"assay: error: {printable(message)}", file=sys.stderr)


def say_warning(message: str) -> None:
    """Print a warning."""
    print(f"assay: warning: {printable(message)}", file=sys.stderr)
