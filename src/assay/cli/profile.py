"""`assay profile`: which profiles there are, what they say, how they decide."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from assay.cli.console import out
from assay.cli.explain import condition_text, gate_table, judge_text
from assay.policy.load import builtin_names, load_profile, profile_text
from assay.policy.profile import Profile
from assay.signals.registry import make_signals, signal_names

profile_app = typer.Typer(help="Profiles: signals, weights, thresholds and gates.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="PROFILE", help="Built-in name or path of a YAML file.")]


@profile_app.command("list")
def list_profiles() -> None:
    """List the built-in profiles."""
    table = Table()
    for column in ("profile", "embedder", "gates", "description"):
        table.add_column(column, overflow="fold")
    for name in builtin_names():
        profile = load_profile(name, signal_names())
        embedders = " or ".join(profile.embedder)
        table.add_row(name, embedders, str(len(profile.gates)), profile.description)
    out().print(table)


@profile_app.command("show")
def show(profile: Name) -> None:
    """Print a profile's YAML: redirect it to a file, change it, and pass the file as --profile."""
    _loaded(profile)
    typer.echo(profile_text(profile)[0], nl=False)


@profile_app.command("explain")
def explain(profile: Name) -> None:
    """Print a profile's gates, weights and rules as tables."""
    loaded = _loaded(profile)
    console = out()
    console.print(gate_table(loaded))
    weights = ", ".join(f"{name} {weight:g}" for name, weight in loaded.final.weights.items())
    console.print(f"final = weighted mean of {weights} (weights of signals that do not apply are shared out)")
    for adjustment in loaded.final.adjust:
        factor = f" x {adjustment.multiply:g}" if adjustment.multiply is not None else ""
        ceiling = f" at most {adjustment.at_most:g}" if adjustment.at_most is not None else ""
        console.print(f"final{factor}{ceiling} if {condition_text(adjustment.when)}")
    for rule in loaded.hallucination_status:
        console.print(f"hallucination {rule.status.value} if {condition_text(rule.when)}")
    if loaded.judge is not None:
        console.print(judge_text(loaded.judge))
    console.print(f"embedder: {' or '.join(loaded.embedder)}; policy hash {loaded.policy_hash()}")


def _loaded(name: str) -> Profile:
    """Load and check it as far as the engine would."""
    profile = load_profile(name, signal_names())
    make_signals(profile.signals, profile.name)
    return profile
