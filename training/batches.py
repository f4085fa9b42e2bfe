"""Groups of responses over one context each, packed into batches of about equal work."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch

from assay.models.windows import CLS, SEP, Matches, Stretch
from training.network import HALF, Batch, Layout

Item = TypeVar("Item")


@dataclass(slots=True)
class Answer:
    """One response (or question) to learn from.

    Attributes:
        stretches: Its word pieces.
        kind: ``claims`` (every claim is labelled), ``row`` (only the whole is), ``question``.
        labels: For ``claims`` 1 for an unsupported claim; for the others one figure (1 = unsupported, or
            1 = cannot be answered).
        contradicted: For each label 1, 0, or -1 where it is not known.
        tokens: For each stretch, 1 for the tokens of unsupported spans; None where spans are not known.
        weight: Weight in the loss.
    """

    stretches: list[Stretch]
    kind: str
    labels: list[float]
    contradicted: list[float]
    tokens: list[list[float]] | None
    weight: float
    name: str = ""


@dataclass(slots=True)
class Group:
    """A context and the answers over it. ``windows`` are word pieces without [CLS] and [SEP]."""

    windows: list[tuple[int, ...]]
    answers: list[Answer] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Tokens."""
        return sum(len(w) + 2 for w in self.windows) + sum(
            len(s.ids) for a in self.answers for s in a.stretches
        )


def packed(groups: Sequence[Group], tokens: int, seed: random.Random) -> Iterator[list[Group]]:
    """Batches of random groups with at most about ``tokens`` tokens each."""
    order = list(groups)
    seed.shuffle(order)
    batch: list[Group] = []
    total = 0
    for group in order:
        if batch and total + group.size > tokens:
            yield batch
            batch, total = [], 0
        batch.append(group)
        total += group.size
    if batch:
        yield batch


def collate(groups: Sequence[Group]) -> tuple[Batch, list[tuple[Answer, list[int]]]]:
    """Tensors of some groups, and for every answer where its stretches begin in the flat response."""
    context_ids: list[int] = []
    context_positions: list[int] = []
    windows: list[list[int]] = []
    response_ids: list[int] = []
    positions: list[int] = []
    roles: list[int] = []
    matches: list[int] = []
    stretches: list[tuple[list[int], list[int]]] = []
    answers: list[tuple[Answer, list[int]]] = []
    for group in groups:
        seen: list[int] = []
        for ids in group.windows:
            start = len(context_ids)
            context_ids += [CLS, *ids, SEP]
            context_positions += range(len(ids) + 2)
            windows.append(list(range(start, len(context_ids))))
            seen += windows[-1]
        found = Matches(group.windows)
        for answer in group.answers:
            starts = []
            for stretch in answer.stretches:
                start = len(response_ids)
                starts.append(start)
                response_ids += stretch.ids
                positions += range(len(stretch.ids))
                roles += [0] * stretch.first + [1] * (len(stretch.ids) - stretch.first)
                matches += found.levels(stretch.ids)
                stretches.append((list(range(start, len(response_ids))), seen))
            answers.append((answer, starts))
    context_rows = _layouts(_alike(windows, len))
    alike = _alike(stretches, lambda pair: len(pair[0]) + len(pair[1]))
    batch = Batch(
        context_ids=torch.tensor(context_ids),
        context_positions=torch.tensor(context_positions),
        context_rows=context_rows,
        response_ids=torch.tensor(response_ids),
        response_positions=torch.tensor(positions),
        response_roles=torch.tensor(roles),
        response_matches=torch.tensor(matches),
        response_rows=_layouts([[own for own, _ in rows] for rows in alike]),
        seen_rows=_layouts([[seen for _, seen in rows] for rows in alike]),
    )
    return batch, answers


def _alike(rows: list[Item], size: Callable[[Item], int]) -> list[list[Item]]:
    """Rows sorted by size and cut where padding would cost most."""
    ordered = sorted(rows, key=size)
    found: list[list[Item]] = []
    for row in ordered:
        if found and size(row) <= 1.35 * size(found[-1][0]) + 16:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _layouts(buckets: Sequence[Sequence[Sequence[int]]]) -> list[Layout]:
    """A padded table a bucket, and the way back from all of them to the flat list."""
    found, places, before = [], [], 0
    for rows in buckets:
        longest = max(len(row) for row in rows)
        index = torch.zeros(len(rows), longest, dtype=torch.long)
        hidden = torch.full((len(rows), longest), -1e4, dtype=HALF)
        for number, row in enumerate(rows):
            index[number, : len(row)] = torch.tensor(row, dtype=torch.long)
            hidden[number, : len(row)] = 0.0
            places.append((torch.tensor(row), torch.arange(len(row)) + before + number * longest))
        before += len(rows) * longest
        found.append(Layout(index, hidden, torch.empty(0, dtype=torch.long)))
    tokens = torch.cat([own for own, _ in places])
    back = torch.zeros(int(tokens.max()) + 1, dtype=torch.long)
    back[tokens] = torch.cat([padded for _, padded in places])
    found[0].back = back
    return found
