"""Train the verifier: ``python -m training.train --data DATA --minilm FOLDER --out OUT``.

Checkpoints every few minutes; the same command goes on from the last one.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from training.batches import Group, collate, packed
from training.data import Reader, training_rows
from training.losses import answer_loss
from training.measure import dev_groups, report
from training.network import Network

DECAY = 0.998
"""Of the running mean of the weights, which is what ships."""
WARM_UP = 100
OVERSAMPLED = {
    "ragtruth_qa.train": 2,
    "ragtruth_qa.extra": 2,
    "ragtruth_summary.train": 2,
    "ragtruth_data2text.train": 2,
}


def main() -> None:
    """Read the arguments, train, write ``OUT/verifier.pt``."""
    options = arguments()
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(options.minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    network, mean = start(options.minilm, options.start)
    optimiser = make_optimiser(network, options.rate)
    done = resume(options.out, network, mean, optimiser)
    grouped = training_rows(options.data / "train", random.Random(options.seed))
    if options.only:
        grouped = {key: rows for key, rows in grouped.items() if key[0] in options.only.split(",")}
    dev = dev_groups(options.data / "dev", tokenizer, options.dev_rows)
    epoch = done // max(1, options.steps_per_epoch)
    step, began, losses = done, time.time(), []
    while step < options.steps:
        seed = random.Random(1000 * options.seed + epoch)
        groups = list(Reader(tokenizer, seed, options.synthetic).epoch(grouped))
        for name, times in OVERSAMPLED.items():
            again = {key: rows for key, rows in grouped.items() if key[0] == name}
            for _ in range(times):
                groups += Reader(tokenizer, seed, options.synthetic).epoch(again)
        batches = list(packed(groups, options.tokens, seed))
        total = sum(group.size for group in groups)
        print(f"epoch {epoch}: {len(groups)} groups, {total:,} tokens, {len(batches)} steps", flush=True)
        epoch += 1
        for batch in batches:
            if step >= options.steps:
                break
            losses.append(learn(network, optimiser, batch, rate_at(step, options)))
            step += 1
            blend(mean, network, min(DECAY, (step + 1) / (step + 20)))
            if step % 50 == 0:
                pace = (time.time() - began) / (step - done)
                print(f"{step} loss {sum(losses[-50:]) / 50:.4f} {pace:.2f} s a step", flush=True)
            if step % options.every == 0 or step == options.steps:
                save(options.out, network, mean, optimiser, step)
                print(step, json.dumps(report(mean, dev)), flush=True)
    torch.save(mean.state_dict(), options.out / "verifier.pt")


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ASSAY_DATA", "../shared/data")))
    parser.add_argument("--minilm", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, default=Path("out/training"))
    parser.add_argument("--start", type=Path, help="weights to start from instead (a verifier.pt)")
    parser.add_argument("--steps", type=int, default=4500)
    parser.add_argument("--steps-per-epoch", type=int, default=1300)
    parser.add_argument("--tokens", type=int, default=4500, help="of one batch")
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--every", type=int, default=400)
    parser.add_argument("--dev-rows", type=int, default=300)
    parser.add_argument("--synthetic", type=float, default=1.0)
    parser.add_argument("--only", default="", help="files to train on, comma-separated, for experiments")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def start(minilm: Path, weights: Path | None) -> tuple[Network, Network]:
    """The network and the running mean of its weights."""
    network = Network()
    network.load_minilm(minilm)
    if weights is not None:
        network.load_state_dict(torch.load(weights, weights_only=True))
    return network, copy.deepcopy(network)


def make_optimiser(network: Network, rate: float) -> torch.optim.AdamW:
    """Ten times the encoder's rate for what is not pretrained; no decay for biases and norms."""
    fresh = ("roles", "matches", "token_head", "claim_head", "answer_head")
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, value in network.named_parameters():
        if value.requires_grad:
            groups.setdefault((name.startswith(fresh), value.ndim > 1), []).append(value)
    return torch.optim.AdamW(
        [
            {
                "params": values,
                "lr": rate * (10 if new else 1),
                "scale": 10 if new else 1,
                "weight_decay": 0.01 * wide,
            }
            for (new, wide), values in groups.items()
        ],
        betas=(0.9, 0.98),
    )


def rate_at(step: int, options: argparse.Namespace) -> float:
    """Linear warm-up, then linear to nothing."""
    return float(options.rate * min(1.0, (step + 1) / WARM_UP) * max(0.01, 1 - step / options.steps))


def learn(network: Network, optimiser: torch.optim.AdamW, groups: list[Group], rate: float) -> float:
    """One step; the mean loss of an answer."""
    network.train()
    batch, answers = collate(groups)
    states = network(batch).float()
    total = torch.stack([answer_loss(network, states, answer, starts) for answer, starts in answers]).sum()
    loss = total / sum(answer.weight for answer, _ in answers)
    loss.backward()
    nn.utils.clip_grad_norm_([p for p in network.parameters() if p.requires_grad], 1.0)
    for group in optimiser.param_groups:
        group["lr"] = rate * group["scale"]
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return float(loss.detach())


@torch.no_grad()
def blend(mean: Network, network: Network, keep: float) -> None:
    """Move the running mean a little towards the weights."""
    for kept, value in zip(mean.parameters(), network.parameters(), strict=True):
        if value.requires_grad:
            kept.lerp_(value, 1 - keep)


def save(out: Path, network: Network, mean: Network, optimiser: torch.optim.AdamW, step: int) -> None:
    """Replace the checkpoint."""
    state = {
        "step": step,
        "network": network.state_dict(),
        "mean": mean.state_dict(),
        "optimiser": optimiser.state_dict(),
    }
    torch.save(state, out / "checkpoint.tmp")
    (out / "checkpoint.tmp").replace(out / "checkpoint.pt")


def resume(out: Path, network: Network, mean: Network, optimiser: torch.optim.AdamW) -> int:
    """Load the checkpoint if there is one; the number of steps done."""
    path = out / "checkpoint.pt"
    if not path.is_file():
        return 0
    state = torch.load(path, weights_only=True)
    network.load_state_dict(state["network"])
    mean.load_state_dict(state["mean"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


if __name__ == "__main__":
    main()
