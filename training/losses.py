"""What the network is taught: tokens, claims, whole rows and questions."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import Answer
from training.network import Network, pooled

CLAIM_WEIGHT = 2.0
"""Unsupported claims are the rarer ones."""
TOKEN_WEIGHT = 4.0
TOKEN_SHARE = 0.5
CONTRADICTION_SHARE = 0.3


def claim_logits(
    network: Network, states: Tensor, answer: Answer, starts: list[int]
) -> tuple[Tensor, list[Tensor]]:
    """Logits (claims, 2) of an answer, and those of the tokens of each of its stretches."""
    claims, tokens = [], []
    for stretch, start in zip(answer.stretches, starts, strict=True):
        part = states[start : start + len(stretch.ids)]
        logits = network.token_head(part)
        tokens.append(logits)
        for _, first, end in stretch.claims:
            whole = network.claim_head(part[first:end].mean(0, keepdim=True))[0]
            claims.append(pooled(logits[first:end]) + whole)
    return torch.stack(claims), tokens


def answer_loss(network: Network, states: Tensor, answer: Answer, starts: list[int]) -> Tensor:
    """Loss of one answer; a question's or a row's is one figure, claims weigh as the root of their number."""
    if answer.kind == "question":
        part = states[starts[0] : starts[0] + len(answer.stretches[0].ids)]
        logit = network.answer_head(part.mean(0, keepdim=True))[0]
        return (
            answer.weight
            * functional.binary_cross_entropy_with_logits(logit, torch.tensor(answer.labels)).sum()
        )
    claims, tokens = claim_logits(network, states, answer, starts)
    if answer.kind == "row":
        row = pooled(claims, 4.0) if len(claims) > 1 else claims[0]
        target = torch.tensor(answer.labels[0])
        loss = functional.binary_cross_entropy_with_logits(row[0], target)
        if answer.contradicted[0] >= 0:
            told = torch.tensor(answer.contradicted[0])
            loss = loss + CONTRADICTION_SHARE * functional.binary_cross_entropy_with_logits(row[1], told)
        return answer.weight * loss
    labels = torch.tensor(answer.labels)
    loss = (
        functional.binary_cross_entropy_with_logits(
            claims[:, 0], labels, pos_weight=torch.tensor(CLAIM_WEIGHT), reduction="sum"
        )
        / len(labels) ** 0.5
    )
    known = torch.tensor(answer.contradicted) >= 0
    if known.any():
        told = torch.tensor(answer.contradicted)[known]
        loss = loss + CONTRADICTION_SHARE * functional.binary_cross_entropy_with_logits(
            claims[known, 1], told
        )
    if answer.tokens is not None:
        flat, marks = [], []
        for stretch, logits, labelled in zip(answer.stretches, tokens, answer.tokens, strict=True):
            first = stretch.claims[0][1]
            flat.append(logits[first:-1, 0])
            marks += labelled[first:-1]
        token_loss = functional.binary_cross_entropy_with_logits(
            torch.cat(flat), torch.tensor(marks), pos_weight=torch.tensor(TOKEN_WEIGHT)
        )
        loss = loss + TOKEN_SHARE * token_loss * len(labels) ** 0.5
    return answer.weight * loss
