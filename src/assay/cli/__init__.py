"""The command line: arguments, calls and printing.

Exit codes: 0 done, 1 gate failed or ``--fail-on`` met, 2 usage, configuration or unreadable input, 3 finished
with rows that could not be judged.
"""

from assay.cli.app import app, main

__all__ = ["app", "main"]
