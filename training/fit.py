"""Fit the risk model: ``python -m training.fit --data DATA [--verifier FOLDER]``.

On responses that the network never saw (`training.data.held_out`); prints its figures on dev/.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from assay.models.lexical import LexicalEmbedder
from assay.models.verifier import BundledVerifier
from assay.models.verifier_weights import BUNDLED
from assay.sample import Sample
from assay.signals.reading import Reading
from assay.signals.risk import figures
from training.data import SOURCES, Row, held_out, read_rows
from training.measure import DEV

RAGTRUTH_WEIGHT = 1.0
OTHER_WEIGHT = 0.25
MOST_OTHER = 25
DECAY = 1e-3
NAMES = ("worst", "second", "mean", "unworded", "unworded_mean", "wrong", "claims")
Array = NDArray[Any]


def main() -> None:
    """Read the arguments, fit, write ``risk.json``, print the figures on dev/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ASSAY_DATA", "../shared/data")))
    parser.add_argument("--verifier", type=Path, default=BUNDLED)
    parser.add_argument("--to", type=Path, default=Path("src/assay/signals/risk.json"))
    parser.add_argument("--dev-rows", type=int, default=300)
    options = parser.parse_args()
    verifier = BundledVerifier(options.verifier)
    rows, weights = held_rows(options.data / "train")
    x, y, kept = table(rows, verifier)
    fitted = fit(x, y, np.array(weights)[kept])
    text = json.dumps({"fitted_on": len(y), "weights": fitted}, indent=1)
    options.to.write_text(text + "\n", encoding="utf-8")
    print(text)
    pooled: list[tuple[Array, Array, Array]] = []
    for name in DEV:
        chosen = read_rows(options.data / "dev", name)
        random.Random(7).shuffle(chosen)
        x, y, _ = table(chosen[: options.dev_rows], verifier)
        risk = x @ np.array([fitted[key] for key in NAMES]) + fitted["intercept"]
        print(
            name,
            len(y),
            "worst",
            auroc(y, x[:, 0]),
            "words",
            auroc(y, x[:, 3]),
            "risk",
            auroc(y, risk),
            flush=True,
        )
        if name.startswith("ragtruth"):
            pooled.append((y, x[:, 0], risk))
    y, worst, risk = (np.concatenate(parts) for parts in zip(*pooled, strict=True))
    print("ragtruth", len(y), "worst", auroc(y, worst), "risk", auroc(y, risk), "leak", leaks(y, risk))


def held_rows(folder: Path) -> tuple[list[Row], list[float]]:
    """Rows over held-out contexts, and the weight of each."""
    rows, weights = [], []
    for name in SOURCES:
        found = [r for r in read_rows(folder, name) if r["context"].strip() and r["response"].strip()]
        found = [r for r in found if held_out(r["context"], r["dataset"]) and not name.startswith("squad")]
        random.Random(3).shuffle(found)
        own = name.startswith("ragtruth")
        found = found if own else found[:MOST_OTHER]
        rows += found
        weights += [RAGTRUTH_WEIGHT if own else OTHER_WEIGHT] * len(found)
    return rows, weights


def table(rows: Sequence[Row], verifier: BundledVerifier) -> tuple[Array, Array, list[int]]:
    """Figures of the rows that claim something, 1 for the ungrounded, and which rows they are."""
    embedder = LexicalEmbedder()
    x, y, kept = [], [], []
    for number, row in enumerate(rows):
        sample = Sample(row["query"] or "", row["context"], row["response"])
        found = figures(Reading(sample, embedder, verifier=verifier))
        if found is not None:
            x.append([found[name] for name in NAMES])
            y.append(1 - row["label"])
            kept.append(number)
    return np.array(x), np.array(y), kept


def fit(x: Array, y: Array, weights: Array) -> dict[str, float]:
    """Logistic regression with weights that are not negative (``claims`` is free)."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z = np.hstack([(x - mean) / spread, np.ones((len(x), 1))])

    def loss(w: Array) -> tuple[float, Array]:
        margin = z @ w
        p = 1 / (1 + np.exp(-margin))
        total = (weights * (np.logaddexp(0, margin) - y * margin)).sum() / weights.sum()
        slope = z.T @ (weights * (p - y)) / weights.sum()
        decay = np.append(w[:-1], 0.0)
        return total + DECAY * (decay**2).sum(), slope + 2 * DECAY * decay

    free = [(None, None) if name == "claims" else (0.0, None) for name in NAMES] + [(None, None)]
    w = minimize(loss, np.zeros(z.shape[1]), jac=True, bounds=free, method="L-BFGS-B").x
    slopes = w[:-1] / spread
    fitted: dict[str, float] = {name: round(float(s), 5) for name, s in zip(NAMES, slopes, strict=True)}
    return {**fitted, "intercept": round(float(w[-1] - (slopes * mean).sum()), 5)}


def auroc(y: Array, score: Array) -> float:
    """Rounded; 1 = ungrounded."""
    return round(float(roc_auc_score(y, score)), 3)


def leaks(y: Array, risk: Array) -> Mapping[int, float]:
    """Share of ungrounded among the safest part, in percent, by the share accepted."""
    order = np.argsort(risk, kind="stable")
    return {
        c: round(100 * float(y[order[: round(c * len(y) / 100)]].mean()), 1) for c in (20, 30, 40, 50, 60, 66)
    }


if __name__ == "__main__":
    main()
