"""The kinds of verdict, on the article's five cases and a few more. Run by `make demo`."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay import Assay, Sample, Verdict

HERE = Path(__file__).parent
COLOURS = {"ACCEPT": "bold green", "REVIEW": "bold yellow", "REJECT": "bold red"}
BRIDGE = (
    "The bridge over the Wipper was opened in 1998. It is 340 metres long and carries two lanes of traffic.",
    "The town council paid 12 million euros for the bridge.",
)
OPENED = "When was the bridge over the Wipper opened?"
MORE = {
    "grounded answer": Sample(OPENED, BRIDGE, "The bridge over the Wipper was opened in 1998 [1]."),
    "one made-up sentence": Sample(
        OPENED, BRIDGE, "The bridge over the Wipper was opened in 1998. Its architect Jane Doe won a prize."
    ),
    "wrong citation": Sample(OPENED, BRIDGE, "The bridge over the Wipper was opened in 1998 [2]."),
    "honest refusal": Sample(
        "Who won the 1930 chess olympiad?", BRIDGE, "The documents do not contain this information."
    ),
    "needless refusal": Sample(OPENED, BRIDGE, "I'm sorry, I cannot answer this from the documents."),
    "no context": Sample(OPENED, (), "It was opened in 1998."),
    "unreadable script": Sample(OPENED, BRIDGE, "สะพานเปิดในปี 1998"),
}


def main() -> None:
    """Judge every case and print what a reader needs: the decision, why, and what to do."""
    console = Console(highlight=False)
    assay = Assay()
    cases = json.loads((HERE / "article_cases.json").read_text("utf-8"))
    samples = {case["id"]: Sample(case["query"], case["context"], case["response"]) for case in cases} | MORE
    verdicts = {name: assay.check(sample) for name, sample in samples.items()}
    for name, verdict in verdicts.items():
        show(console, name, samples[name], verdict)
    overview(console, verdicts)
    tier, profile = next(iter(verdicts.values())).meta.tier, assay.profile.name
    console.print(f"Profile {profile}, {tier} tier: shared words, no model, no network.")
    console.print('Try your own:  .venv/bin/assay check --query "..." --context @doc.txt --response "..."')


def show(console: Console, name: str, sample: Sample, verdict: Verdict) -> None:
    """One case as a short paragraph."""
    console.print(
        Text.assemble((f" {verdict.decision} ", f"{COLOURS[verdict.decision]} reverse"), f"  {name}")
    )
    lines = Table.grid(padding=(0, 2, 0, 0))
    for label, text in (
        ("question", sample.query),
        ("response", sample.response),
        ("reason", verdict.reason),
        ("next", f"{verdict.next_action}: {verdict.action_why}"),
    ):
        lines.add_row(Text(f"  {label}", "dim"), Text(text))
    console.print(lines)
    console.print()


def overview(console: Console, verdicts: dict[str, Verdict]) -> None:
    """All cases in one table."""
    table = Table(title="All of them")
    for column in ("case", "decision", "failure type", "final", "attribution", "ms"):
        table.add_column(column)
    for name, verdict in verdicts.items():
        scores = (verdict.scores.get("final"), verdict.scores.get("attribution"))
        figures = ("-" if score is None else f"{score:.3f}" for score in scores)
        decision = Text(verdict.decision, COLOURS[verdict.decision])
        table.add_row(name, decision, verdict.failure_type, *figures, f"{verdict.meta.latency_ms:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
