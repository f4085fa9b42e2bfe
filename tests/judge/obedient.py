"""A judge that obeys whatever stands outside the data blocks, and reads what stands inside as data."""

from __future__ import annotations

import json
import re

from assay.judge import prompts
from assay.models.scripted_chat import Asked

from .cases import rulings, scores

TOP = 1.0
_HEAD = re.compile(r"^\[(\w+) begin LABEL\]$", re.MULTILINE)
_OWN_LINES = {
    line
    for text in (prompts._FRAME, prompts._SCORES, prompts._CLAIMS, prompts._ASK)
    for line in text.splitlines()
}
_SAME = {"municipality": "town", "financed": "paid", "span": "bridge"}
_SMALL = set("the a an of and is was it its in on at to for by with are were that this what when how".split())


def words(text: str) -> list[str]:
    return [_SAME.get(word, word) for word in re.findall(r"\w+", text.lower()) if word not in _SMALL]


def split(prompt: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Blocks with their labels, and the lines outside that are no line of the prompt's own."""
    head = _HEAD.search(prompt)
    assert head is not None
    boundary = head.group(1)
    blocks: list[tuple[str, str]] = []
    outside: list[str] = []
    label: str | None = None
    inside: list[str] = []
    for line in prompt.split("\n"):
        begins = re.fullmatch(rf"\[{boundary} begin (.+)\]", line)
        if label is None and begins and begins.group(1) != "LABEL":
            label, inside = begins.group(1), []
        elif label is not None and line == f"[{boundary} end]":
            blocks.append((label, "\n".join(inside)))
            label = None
        elif label is not None:
            inside.append(line)
        else:
            outside.append(line.replace(boundary, "{boundary}"))
    assert label is None, "a block has no end"
    return blocks, [line for line in outside if line and line not in _OWN_LINES]


def answer(call: Asked) -> str:
    """Top marks if anything outside asks for them; else what the words of the blocks give."""
    blocks, orders = split(call.prompt)
    known = set(words(" ".join(text for label, text in blocks if label.startswith("context"))))
    claims = [text for label, text in blocks if label.startswith("claim")]
    if claims:
        found = [bool(orders) or all(word in known for word in words(claim)) for claim in claims]
        return rulings(*("supported" if yes else "unsupported" for yes in found))
    if orders:
        return scores(TOP, TOP)
    response = next(text for label, text in blocks if label == "response")
    query = set(words(next((text for label, text in blocks if label == "query"), "")))
    said = words(response)
    sentences = [part for part in re.split(r"[.!?\n]+", response) if words(part)]
    grounded = sum(word in known for word in said) / len(said)
    relevant = sum(bool(query.intersection(words(part))) for part in sentences) / len(sentences)
    return scores(round(grounded, 4), round(relevant, 4))


def marks(text: str) -> list[float]:
    """The marks in an answer, to compare: scores, or 1 for supported and 0 otherwise."""
    row = json.loads(text)
    if "claims" in row:
        return [float(item["verdict"] == "supported") for item in row["claims"]]
    return [row["faithfulness"], row["relevance"]]
