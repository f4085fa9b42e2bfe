"""The `assay` command and its subcommands."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from assay.cli.bench import bench_app
from assay.cli.check import check
from assay.cli.console import say_error
from assay.cli.eval import evaluate
from assay.cli.gate import gate_app
from assay.cli.models import models_app
from assay.cli.profile import profile_app
from assay.cli.report import report
from assay.errors import AssayError
from assay.version import __version__

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="assay",
    help="Decides what an LLM application may ship: ACCEPT, REVIEW or REJECT, with reason and evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("check")(check)
app.command("eval")(evaluate)
app.command("report")(report)
app.add_typer(bench_app, name="bench")
app.add_typer(gate_app, name="gate")
app.add_typer(profile_app, name="profile")
app.add_typer(models_app, name="models")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; a caller's mistake is a message on stderr and exit code 2."""
    _use_utf8()
    try:
        app()
    except AssayError as error:
        say_error(str(error))
        sys.exit(EXIT_USAGE)
    except KeyboardInterrupt:
        say_error("interrupted")
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader went away (`assay ... | head`); point stdout elsewhere so that exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # a full disk, a folder that may not be written to
        say_error(f"{error.filename or 'writing the output'}: {error.strerror or error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_USAGE)


def _use_utf8() -> None:
    """Read and write UTF-8 whatever the locale says; what cannot be encoded is escaped, never a crash."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
