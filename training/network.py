"""The verifier as it is trained: MiniLM in which the response looks at the context at every upper layer.

The context's windows pass through the encoder alone, so their states can be kept. The response passes through
the same layers; from layer ``FUSED`` on its tokens attend over their own states and over those that all
windows had at that layer, with the encoder's own projections. So a response reads the context as a
cross-encoder would, and a context is encoded once whatever is asked of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

LAYERS, HIDDEN, HEADS, WIDE = 6, 384, 12, 1536
SIZE = HIDDEN // HEADS
FUSED = 2
"""First layer (0-based) at which the response sees the context."""
HEAD = 192
OUTPUTS = 2
"""Logits of a token: unsupported, and contradicted given unsupported."""
HALF = torch.bfloat16


@dataclass(slots=True)
class Layout:
    """Where the tokens of a batch stand: rows of a padded table for attention, gathered from a flat list.

    Attributes:
        index: (rows, length) positions in the flat list; 0 where there is none.
        hidden: (rows, length), 0 where there is a token, else a large negative number.
        back: Of a list's first layout: for each token of the flat list its place in all padded tables, one
            after the other.
    """

    index: Tensor
    hidden: Tensor
    back: Tensor


@dataclass(slots=True)
class Batch:
    """Tokens of contexts and responses, flat, with the tables that attention needs.

    ``context_rows`` are windows of like length. ``response_rows`` are stretches; ``seen_rows`` holds, for the
    same stretches, the context tokens each may look at.
    """

    context_ids: Tensor
    context_positions: Tensor
    context_rows: list[Layout]
    response_ids: Tensor
    response_positions: Tensor
    response_roles: Tensor
    response_matches: Tensor
    response_rows: list[Layout]
    seen_rows: list[Layout]


class Layer(nn.Module):
    """One encoder layer with BERT's names."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.joined = nn.Linear(HIDDEN, HIDDEN)
        self.attended = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.inner, self.outer = nn.Linear(HIDDEN, WIDE), nn.Linear(WIDE, HIDDEN)
        self.output = nn.LayerNorm(HIDDEN, eps=1e-12)

    def finish(self, hidden: Tensor, mixed: Tensor, dropout: float) -> Tensor:
        """Everything after the attention; flat tokens in, flat tokens out."""
        hidden = _norm(self.attended, hidden + _linear(self.joined, mixed))
        inner = functional.gelu(_linear(self.inner, hidden))
        return _norm(self.output, hidden + _drop(_linear(self.outer, inner), dropout, self.training))


class Network(nn.Module):
    """Token logits of responses over contexts, and whether a question can be answered.

    Args:
        dropout: After each feed-forward part.
    """

    def __init__(self, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout = dropout
        self.words = nn.Embedding(30522, HIDDEN)
        self.positions = nn.Embedding(512, HIDDEN)
        self.types = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        # Zero at first: the pretrained encoder knows neither.
        self.roles = nn.Embedding(2, HIDDEN)
        self.matches = nn.Embedding(5, HIDDEN)
        nn.init.zeros_(self.roles.weight)
        nn.init.zeros_(self.matches.weight)
        self.token_head = nn.Sequential(nn.Linear(HIDDEN, HEAD), nn.GELU(), nn.Linear(HEAD, OUTPUTS))
        self.claim_head = nn.Sequential(nn.Linear(HIDDEN, HEAD), nn.GELU(), nn.Linear(HEAD, OUTPUTS))
        self.answer_head = nn.Sequential(nn.Linear(HIDDEN, HEAD), nn.GELU(), nn.Linear(HEAD, 1))
        self.words.weight.requires_grad_(False)

    def load_minilm(self, folder: Path) -> None:
        """Start from all-MiniLM-L6-v2."""
        weights = load_file(folder / "model.safetensors")
        weights = {name.removeprefix("bert."): value.float() for name, value in weights.items()}
        own = {
            "words.weight": "embeddings.word_embeddings.weight",
            "positions.weight": "embeddings.position_embeddings.weight",
            "types.weight": "embeddings.token_type_embeddings.weight",
            "norm.weight": "embeddings.LayerNorm.weight",
            "norm.bias": "embeddings.LayerNorm.bias",
        }
        parts = {
            "query": "attention.self.query",
            "key": "attention.self.key",
            "value": "attention.self.value",
            "joined": "attention.output.dense",
            "attended": "attention.output.LayerNorm",
            "inner": "intermediate.dense",
            "outer": "output.dense",
            "output": "output.LayerNorm",
        }
        for layer in range(LAYERS):
            for mine, theirs in parts.items():
                for kind in ("weight", "bias"):
                    own[f"layers.{layer}.{mine}.{kind}"] = f"encoder.layer.{layer}.{theirs}.{kind}"
        missing, unexpected = self.load_state_dict(
            {mine: weights[theirs] for mine, theirs in own.items()}, strict=False
        )
        heads = ("roles", "matches", "token_head", "claim_head", "answer_head")
        wrong = [name for name in missing if not name.startswith(heads)] + list(unexpected)
        if wrong:
            raise ValueError(f"the weights in {folder} do not fit: {wrong}")

    def forward(self, batch: Batch) -> Tensor:
        """Final states (tokens, HIDDEN) of all response tokens, flat."""
        drop = self.dropout
        context = self._embed(batch.context_ids, batch.context_positions)
        response = self._embed(batch.response_ids, batch.response_positions)
        response = response + (self.roles(batch.response_roles) + self.matches(batch.response_matches)).to(
            HALF
        )
        for number, layer in enumerate(self.layers):
            key, value = _linear(layer.key, context), _linear(layer.value, context)
            own_key, own_value = _linear(layer.key, response), _linear(layer.value, response)
            mixed = _attend(
                _linear(layer.query, response),
                batch.response_rows,
                [(own_key, own_value, batch.response_rows)]
                + ([(key, value, batch.seen_rows)] if number >= FUSED else []),
            )
            if number < LAYERS - 1:  # the last layer's context states are not looked at
                alone = _attend(
                    _linear(layer.query, context), batch.context_rows, [(key, value, batch.context_rows)]
                )
                context = layer.finish(context, alone, drop)
            response = layer.finish(response, mixed, drop)
        return response

    def _embed(self, ids: Tensor, positions: Tensor) -> Tensor:
        raw = self.words(ids) + self.positions(positions) + self.types.weight[0]
        return _norm(self.norm, raw)


def pooled(logits: Tensor, sharpness: float = 2.0) -> Tensor:
    """Soft maximum over the first axis, between mean and maximum; one logit repeated gives itself."""
    return (torch.logsumexp(sharpness * logits, 0) - math.log(len(logits))) / sharpness


def _linear(layer: nn.Linear, x: Tensor) -> Tensor:
    return functional.linear(x, layer.weight.to(HALF), layer.bias.to(HALF))


def _norm(layer: nn.LayerNorm, x: Tensor) -> Tensor:
    return functional.layer_norm(x.float(), (HIDDEN,), layer.weight, layer.bias, layer.eps).to(HALF)


def _drop(x: Tensor, share: float, training: bool) -> Tensor:
    return functional.dropout(x, share) if training and share > 0 else x


def _attend(query: Tensor, rows: list[Layout], sources: list[tuple[Tensor, Tensor, list[Layout]]]) -> Tensor:
    """Attention of flat queries, bucket by bucket, over one or two sources of keys."""
    parts = []
    for bucket, row in enumerate(rows):
        keys = torch.cat([_heads(key, where[bucket]) for key, _, where in sources], 2)
        values = torch.cat([_heads(value, where[bucket]) for _, value, where in sources], 2)
        hidden = torch.cat([where[bucket].hidden for _, _, where in sources], 1)
        # Written out: torch's fused attention has a slow backward pass for these types on a CPU.
        scores = (_heads(query, row) * SIZE**-0.5) @ keys.transpose(2, 3)
        out = torch.softmax(scores + hidden[:, None, None, :], -1) @ values
        parts.append(out.transpose(1, 2).reshape(-1, HIDDEN))
    return torch.cat(parts).index_select(0, rows[0].back)


def _heads(flat: Tensor, row: Layout) -> Tensor:
    padded = flat.index_select(0, row.index.view(-1))
    return padded.view(*row.index.shape, HEADS, SIZE).transpose(1, 2)
