"""AUROC of the network's claims on dev rows, set by set; 1 = unsupported."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer

from assay.models.windows import WINDOW_PIECES, passage_windows, stretches
from assay.sample import Passage
from training.batches import Answer, Group, collate
from training.data import MOST_WINDOWS, Reader, Row, best_windows, read_rows
from training.losses import claim_logits
from training.network import Network

DEV = (
    "ragtruth_qa.dev ragtruth_summary.dev ragtruth_data2text.dev expertqa_claim.dev expertqa_response.dev "
    "wice_claim_oraclechunks.dev wice_claim_fullevidence.dev qags.cnndm qags.xsum attributionbench.dev "
    "healthver.dev mtrag_human.dev begin.tc_dev mnli.dev squad2.dev"
).split()


def dev_groups(folder: Path, tokenizer: Tokenizer, most: int = 300) -> dict[str, list[tuple[Row, Group]]]:
    """Up to ``most`` rows of every dev file as groups of one answer (and its question)."""
    reader = Reader(tokenizer, random.Random(1), synthetic=0.0)
    found = {}
    for name in DEV:
        rows = read_rows(folder, name)
        random.Random(7).shuffle(rows)
        found[name] = [(row, dev_group(reader, row)) for row in rows[:most]]
    return found


def dev_group(reader: Reader, row: Row) -> Group:
    """One row, its best windows, its question always read."""
    windows = [w.ids for w in passage_windows(reader.tokenizer, 0, Passage(row["context"]), WINDOW_PIECES)]
    query = row["query"] or ""
    answer = reader.labelled(row, query, row["response"], None, 1.0)
    answers = [answer]
    if query:
        asked = stretches(reader.tokenizer, "", query[-1000:], [(0, len(query[-1000:]))])
        answers.append(Answer(asked, "question", [0.0], [-1.0], None, 1.0))
    return Group(best_windows(windows, [answer], MOST_WINDOWS), answers)


@torch.inference_mode()
def row_scores(network: Network, groups: list[Group], tokens: int = 6000) -> list[tuple[list[float], float]]:
    """For every group: the claims' logits "unsupported", and the question's "cannot be answered"."""
    network.eval()
    results: list[tuple[list[float], float]] = [([], 0.0)] * len(groups)
    order = sorted(range(len(groups)), key=lambda n: groups[n].size)
    batch: list[int] = []
    total = 0
    for place, number in enumerate(order):
        batch.append(number)
        total += groups[number].size
        last = place + 1 == len(order)
        if total > tokens or last:
            tensors, answers = collate([groups[n] for n in batch])
            states = network(tensors).float()
            at = 0
            for n in batch:
                claims: list[float] = []
                asked = 0.0
                for answer, starts in answers[at : at + len(groups[n].answers)]:
                    if answer.kind == "question":
                        if answer.stretches:
                            part = states[starts[0] : starts[0] + len(answer.stretches[0].ids)]
                            asked = float(network.answer_head(part.mean(0, keepdim=True)))
                    elif answer.stretches:
                        claims = claim_logits(network, states, answer, starts)[0][:, 0].tolist()
                at += len(groups[n].answers)
                results[n] = (claims, asked)
            batch, total = [], 0
    network.train()
    return results


def report(network: Network, dev: dict[str, list[tuple[Row, Group]]]) -> dict[str, float]:
    """AUROC of the worst claim by file; the three RAGTruth files together; squad2 also by its question."""
    figures: dict[str, float] = {}
    labels: list[int] = []
    worst: list[float] = []
    for name, pairs in dev.items():
        scores = row_scores(network, [group for _, group in pairs])
        y = np.array([1 - row["label"] for row, _ in pairs])
        s = np.array([max(claims) if claims else -9.0 for claims, _ in scores])
        figures[name] = round(float(roc_auc_score(y, s)), 3)
        if name.startswith("ragtruth"):
            labels += y.tolist()
            worst += s.tolist()
        if name == "squad2.dev":
            figures["answerable"] = round(float(roc_auc_score(y, [asked for _, asked in scores])), 3)
    figures["ragtruth"] = round(float(roc_auc_score(labels, worst)), 3)
    order = np.argsort(worst)
    for share in (0.3, 0.5, 0.66):
        leak = np.array(labels)[order[: int(share * len(order))]].mean()
        figures[f"leak {share}"] = round(100 * float(leak), 1)
    return figures
