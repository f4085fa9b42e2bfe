"""`assay models`: which embedders are here, and fetching one on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from assay.cli.console import out
from assay.models.fetch import fetch_minilm
from assay.models.registry import describe

models_app = typer.Typer(help="Models: what is on this machine, and fetching more.", no_args_is_help=True)


@models_app.command("list")
def list_models() -> None:
    """List embedders, whether they can be used here, and what to do if not."""
    console = out()
    for status in describe():
        state = "available" if status.available else "not available"
        console.print(Text(f"{status.name}: {status.tier} tier, {state}"))
        console.print(Text(f"  where        {status.where}"))
        if status.fingerprint:
            console.print(Text(f"  fingerprint  {status.fingerprint}"))
        if status.advice:
            console.print(Text(f"  to do        {status.advice}"))


@models_app.command("fetch")
def fetch(
    name: Annotated[str, typer.Argument(help="The model: minilm (all-MiniLM-L6-v2, Apache-2.0, 91 MB).")],
    to: Annotated[
        Path, typer.Option("--to", help="Folder to put it in; name it in ASSAY_MODELS afterwards.")
    ],
) -> None:
    """Download a model from the Hugging Face hub. The only command that uses the network."""
    if name != "minilm":
        raise typer.BadParameter("only minilm can be fetched", param_hint="NAME")
    typer.echo(str(fetch_minilm(to)))
