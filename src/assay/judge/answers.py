"""What the judge may answer, checked before anything is done with it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_REASON_CHARS = 300
MAX_ANSWER_CHARS = 100_000
_FENCE = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A<think>.*?</think>", re.DOTALL)
_UNPORTABLE = frozenset({"title", "minimum", "maximum", "description"})

Score = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class _Answer(BaseModel):
    # Strict: "0.9" is no number, true is no 1.
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Scores(_Answer):
    """Faithfulness and relevance of a response."""

    reason: str
    faithfulness: Score
    relevance: Score


class ClaimRuling(_Answer):
    """What the context says about one claim, by its number in the prompt."""

    claim: int
    reason: str
    verdict: Literal["supported", "unsupported", "contradicted"]


class Rulings(_Answer):
    """What the context says about every claim asked about."""

    claims: list[ClaimRuling]


Shape = type[Scores] | type[Rulings]


def schema_of(shape: Shape) -> dict[str, object]:
    """The JSON schema of an answer, in the subset that endpoints agree on (every field required)."""
    schema = shape.model_json_schema()
    definitions = schema.pop("$defs", {})
    cleaned = _portable(schema, definitions)
    return cleaned if isinstance(cleaned, dict) else {}


def parse(text: str, shape: Shape, claims: int) -> Scores | Rulings:
    """Read an answer: JSON alone, a fence or a thought around it is dropped.

    Args:
        text: What the model wrote.
        shape: What it should be.
        claims: How many claims were asked about.

    Raises:
        ValueError: It is something else; the message says what, without quoting the answer.
    """
    if len(text) > MAX_ANSWER_CHARS:
        raise ValueError("the answer is far too long")
    body = _THOUGHT.sub("", text.strip()).strip()
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    if not body:
        raise ValueError("the answer is empty")
    try:
        answer = shape.model_validate_json(body.encode("utf-8", "replace"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        said = "it is not one JSON object" if first["type"] == "json_invalid" else first["msg"]
        raise ValueError(f"{place}: {said}" if place else said) from None
    if isinstance(answer, Rulings):
        numbers = sorted(ruling.claim for ruling in answer.claims)
        if numbers != list(range(1, claims + 1)):
            raise ValueError(f"claims: one ruling for each of the claims 1 to {claims} is needed")
    return answer


def shown(reason: str) -> str:
    """A model's words on one line of readable length."""
    line = " ".join(reason.split())
    return line if len(line) <= MAX_REASON_CHARS else f"{line[: MAX_REASON_CHARS - 3].rstrip()}..."


def _portable(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_portable(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _portable(definitions[str(node["$ref"]).rpartition("/")[2]], definitions)
    cleaned: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            cleaned[key] = {name: _portable(field, definitions) for name, field in value.items()}
        elif key not in _UNPORTABLE or isinstance(value, dict):
            cleaned[key] = _portable(value, definitions)
    if cleaned.get("type") == "object":
        cleaned["additionalProperties"] = False
    return cleaned
