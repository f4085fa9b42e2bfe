"""Labelled rows read into groups: one context, its windows, and the answers over it."""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from assay.models.windows import WINDOW_PIECES, passage_windows, stretches
from assay.sample import Passage
from assay.text.citations import find_citations
from assay.text.claims import segment
from training.batches import Answer, Group
from training.edits import any_edit, names_in

Row = dict[str, Any]

SOURCES: dict[str, tuple[int, float]] = {
    # file: (most rows, weight of a row in the loss)
    "ragtruth_qa.train": (9999, 1.5),
    "ragtruth_qa.extra": (9999, 1.5),
    "ragtruth_summary.train": (9999, 1.5),
    "ragtruth_data2text.train": (9999, 1.5),
    "expertqa_response.train": (9999, 0.7),
    "expertqa_claim.train": (9999, 0.7),
    "clapnq.dev": (9999, 1.0),
    "factcg_synthetic.doc": (9999, 0.8),
    "factcg_synthetic.musique": (700, 0.8),
    "factcheckgpt_stance.all": (2400, 0.7),
    "wice_claim_oraclechunks.train": (9999, 1.0),
    "wice_claim_fullevidence.train": (9999, 1.0),
    "wice_tokens.train": (9999, 1.0),
    "mnli.train": (17783, 0.5),
    "snli.dev": (6000, 0.4),
    "rte.train": (9999, 0.6),
    "scitail.dev": (9999, 0.5),
    "fever_symmetric.train": (9999, 0.8),
    "squad2.train": (7256, 0.5),
    "summedits.ectsum": (9999, 0.8),
    "summedits.podcast": (9999, 0.8),
    "summedits.sales_call": (9999, 0.8),
    "summedits.samsum": (9999, 0.8),
    "summac_val.frank": (9999, 0.8),
    "summac_val.factcc": (500, 0.6),
    "summac_val.cogensumm": (700, 0.8),
    "summac_val.polytope": (9999, 0.8),
    "summac_val.summeval": (700, 0.6),
    "summac_val.xsumfaith": (500, 0.6),
    "begin.cmu_dev": (9999, 0.5),
    "begin.wow_dev": (9999, 0.6),
}
SINGLE = ("nli", "citation", "dialogue")
MOST_WINDOWS = 6
MOST_ANSWERS = 10
DISTRACTED = 0.2
CONTRADICTS = {"contradiction": 1.0, "neutral": 0.0}


def held_out(context: str, dataset: str) -> bool:
    """Whether a context is kept from the network, for the risk model and the thresholds of training."""
    share = 15 if dataset.startswith("ragtruth") else 6
    return int(hashlib.sha256(context.encode()).hexdigest(), 16) % 100 < share


def read_rows(folder: Path, name: str) -> list[Row]:
    """The rows of one file, each with the file's name as ``source``."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [{**json.loads(line), "source": name} for line in lines]


def training_rows(folder: Path, seed: random.Random) -> dict[tuple[str, str], list[Row]]:
    """Rows by source and context, held-out contexts left out."""
    grouped: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for name, (most, _) in SOURCES.items():
        rows = [row for row in read_rows(folder, name) if row["response"].strip() or name == "clapnq.dev"]
        rows = [
            row for row in rows if row["context"].strip() and not held_out(row["context"], row["dataset"])
        ]
        seed.shuffle(rows)
        for row in rows[:most]:
            grouped[name, row["context"]].append(row)
    return grouped


class Reader:
    """Rows to groups, with the changes that each epoch makes anew.

    Args:
        tokenizer: Without truncation and padding.
        seed: Every choice comes from it.
        synthetic: Edited and copied statements added a group, on average.
    """

    def __init__(self, tokenizer: Tokenizer, seed: random.Random, synthetic: float = 1.0) -> None:
        self.tokenizer = tokenizer
        self.seed = seed
        self.synthetic = synthetic
        self._passed: list[tuple[int, ...]] = []

    def epoch(self, grouped: dict[tuple[str, str], list[Row]]) -> Iterable[Group]:
        """All groups once; a context with many rows comes several times, with some of them each."""
        for (source, context), rows in grouped.items():
            order = list(rows)
            self.seed.shuffle(order)
            for first in range(0, len(order), MOST_ANSWERS):
                group = self.group(source, context, order[first : first + MOST_ANSWERS])
                if group.windows and group.answers:
                    yield group

    def group(self, source: str, context: str, rows: list[Row]) -> Group:
        """One context with the answers of some rows, and edited ones beside them."""
        size = WINDOW_PIECES if self.seed.random() < 0.6 else self.seed.randint(80, WINDOW_PIECES)
        windows = [w.ids for w in passage_windows(self.tokenizer, 0, Passage(context), size)]
        weight = SOURCES[source][1] if source in SOURCES else 1.0
        answers: list[Answer] = []
        for row in rows:
            answers += [answer for answer in self.answers(row, weight) if answer.stretches]
        answers += self._synthetic(source, context, rows, weight)
        windows = best_windows(windows, answers, MOST_WINDOWS * WINDOW_PIECES // size)
        return Group(self._among_others(windows), answers)

    def _among_others(self, windows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Now and then some windows of another context among them: they must change nothing."""
        mixed = list(windows)
        if self._passed and self.seed.random() < DISTRACTED:
            for _ in range(self.seed.randint(1, 3)):
                mixed.insert(self.seed.randint(0, len(mixed)), self.seed.choice(self._passed))
        self._passed = [*self._passed[-40:], *windows[:2]]
        return mixed

    def answers(self, row: Row, weight: float) -> list[Answer]:
        """What one row teaches."""
        query = row["query"] or ""
        found = []
        if row["source"] in ("squad2.train", "clapnq.dev"):
            unanswerable = float(
                not row["label"] if row["source"].startswith("squad") else not row["response"]
            )
            asked = stretches(self.tokenizer, "", query, [(0, len(query))])
            found.append(Answer(asked, "question", [unanswerable], [-1.0], None, weight, row["source"]))
            if not row["response"]:
                return found
        elif query and self.seed.random() < 0.25:
            query = ""
        found.append(self.labelled(row, query, row["response"], row["spans"], weight))
        return found

    def labelled(
        self, row: Row, query: str, response: str, spans: list[list[Any]] | None, weight: float
    ) -> Answer:
        """A response with its labels, by claim where spans are known."""
        readable = without_citations(response)
        if row["task"] in SINGLE or row["source"].startswith("squad"):
            claims = [(0, len(response))]
        else:
            claims = [(part.start, part.end) for part in segment(response)] or [(0, len(response))]
        read = stretches(self.tokenizer, query, readable, claims)
        kept = [number for stretch in read for number, _, _ in stretch.claims]
        if spans is None:
            contradicted = CONTRADICTS.get(str((row.get("meta") or {}).get("label_raw")), -1.0)
            return Answer(read, "row", [1.0 - row["label"]], [contradicted], None, weight, row["source"])
        wrong = [(span[0], span[1], str(span[2]) if len(span) > 2 else "") for span in spans]
        labels, contradicted_claims = [], []
        for number in kept:
            start, end = claims[number]
            inside = [
                kind
                for a, b, kind in wrong
                if a < end and start < b and readable[max(a, start) : min(b, end)].strip()
            ]
            labels.append(float(bool(inside)))
            known = [
                float("Conflict" in kind or kind == "edit")
                for kind in inside
                if "Conflict" in kind or "Baseless" in kind or kind == "edit"
            ]
            contradicted_claims.append(max(known) if known else -1.0)
        tokens = [
            [
                float(any(a < end and start < b for a, b, _ in wrong)) if end > start else 0.0
                for start, end in stretch.places
            ]
            for stretch in read
        ]
        return Answer(read, "claims", labels, contradicted_claims, tokens, weight, row["source"])

    def _synthetic(self, source: str, context: str, rows: list[Row], weight: float) -> list[Answer]:
        """Edited supported answers, and sentences of the context as they stand or edited."""
        if source.startswith(("squad", "snli", "scitail", "rte", "factcheck", "begin", "expertqa")):
            return []
        made: list[Answer] = []
        names = names_in(context)
        supported = [r for r in rows if r["label"] == 1 and len(r["response"]) > 30]
        wanted = self.synthetic * (0.25 if source.startswith(("mnli", "fever")) else 1.0)
        if supported and self.seed.random() < wanted:
            row = self.seed.choice(supported)
            if edited := any_edit(row["response"], names, self.seed):
                spans = [[edited.start, edited.end, "edit"]]
                query = row["query"] or ""
                made.append(self.labelled(row, query, edited.text, spans, 0.6 * weight))
        if context.lstrip()[:1] not in "{[" and self.seed.random() < 0.6 * wanted:
            sentences = [
                part
                for part in segment(context[:8000])
                if part.checkable and 30 < part.end - part.start < 300
            ]
            if sentences:
                first = self.seed.randrange(len(sentences))
                taken = sentences[first : first + self.seed.choice([1, 1, 2])]
                text = " ".join(context[part.start : part.end] for part in taken)
                spans = []
                if self.seed.random() < 0.65 and (edited := any_edit(text, names, self.seed)):
                    text, spans = edited.text, [[edited.start, edited.end, "edit"]]
                row = {"task": "summary", "source": "synthetic", "label": 1, "meta": None}
                made.append(self.labelled(row, "", text, spans, 0.5 * weight))
        return [answer for answer in made if answer.stretches]


def without_citations(text: str) -> str:
    """Citation markers as spaces, so that offsets hold and ``[3]`` is nothing that is claimed."""
    for citation in find_citations(text):
        text = text[: citation.start] + " " * (citation.end - citation.start) + text[citation.end :]
    return text


def best_windows(windows: list[tuple[int, ...]], answers: list[Answer], most: int) -> list[tuple[int, ...]]:
    """The windows that hold most of some answer's word pieces, in their order."""
    if len(windows) <= most:
        return windows
    wanted = [set(s.ids[s.first : -1]) for answer in answers for s in answer.stretches]
    if not wanted:
        return windows[:most]
    scores = [max(len(ids & set(window)) / max(1, len(ids)) for ids in wanted) for window in windows]
    chosen = sorted(sorted(range(len(windows)), key=lambda n: (-scores[n], n))[:most])
    return [windows[n] for n in chosen]
