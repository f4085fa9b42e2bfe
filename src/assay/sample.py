"""What is judged: a query, the passages given to the model, and the model's response."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.errors import InputError

MAX_RESPONSE_CHARS = 200_000
"""Longest response that is judged, in characters; a longer one becomes a REVIEW row."""
MAX_QUERY_CHARS = 50_000
"""Longest query that is judged, in characters."""
MAX_CONTEXT_CHARS = 5_000_000
"""Longest context (all passages together) that is judged, in characters."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of evidence given to the model.

    Attributes:
        text: The passage; evidence offsets count in this string.
        title: Its title, read as part of the evidence.
        id: The caller's name for it; a citation may use it in place of a number.
    """

    text: str
    title: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier turn of a conversation. ``role`` is ``user``, ``assistant``, ``system`` or ``tool``."""

    role: str
    content: str


Context = str | Passage | Mapping[str, object] | Sequence[str | Passage | Mapping[str, object]]
"""How a caller may give the context: one string, strings, or passages (also as mappings)."""


@dataclass(frozen=True, slots=True, init=False)
class Sample:
    """A query, its passages and a response, with what tells them apart.

    Args:
        query: The user's question; may be empty (a summary has none).
        passages: The context as one string, strings, or passages with titles and ids.
        response: The model's answer, exactly as the user would see it.
        id: The caller's name for the row.
        history: Earlier turns, oldest first. They tell what the query means; they are no evidence.
        conversation: Rows of one conversation share this name.
        label: 1 if the response is known to be fully supported, 0 if known not to be.

    Raises:
        InputError: A value has the wrong type; the message names the field.
    """

    query: str
    passages: tuple[Passage, ...]
    response: str
    id: str | None
    history: tuple[Turn, ...]
    conversation: str | None
    label: int | None

    def __init__(
        self,
        query: str = "",
        passages: Context = (),
        response: str = "",
        id: str | None = None,  # noqa: A002 - the contract's field name
        history: Sequence[Turn | Mapping[str, object]] = (),
        *,
        conversation: str | None = None,
        label: int | None = None,
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "query", _text(query, "query"))
        set_field(self, "passages", _passages(passages))
        set_field(self, "response", _text(response, "response"))
        set_field(self, "id", _optional_text(id, "id"))
        set_field(self, "history", _turns(history))
        set_field(self, "conversation", _optional_text(conversation, "conversation"))
        set_field(self, "label", _label(label))

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> Sample:
        """Read a row of Assay's own format (DESIGN: ``id, query, context, response, history, ...``).

        Fields that are not part of the format are ignored. ``query`` may be absent or null.

        Raises:
            InputError: ``response`` or ``context`` is absent, or a field has the wrong type.
        """
        for required in ("context", "response"):
            if required not in row:
                raise InputError(f"the row has no {required!r}; it has {_names(row)}", field=required)
        query, context, history = row.get("query"), row["context"], row.get("history")
        return cls(
            query="" if query is None else _text(query, "query"),
            passages=_passages(() if context is None else context),
            response=_text(row["response"], "response"),
            id=_identifier(row.get("id"), "id"),
            history=_turns(() if history is None else history),
            conversation=_identifier(row.get("conversation"), "conversation"),
            label=_label(row.get("label")),
        )

    def digest(self) -> str:
        """Hash of everything that can change its verdict: query, passages, response, history."""
        parts = [
            self.query,
            [[passage.text, passage.title, passage.id] for passage in self.passages],
            self.response,
            [[turn.role, turn.content] for turn in self.history],
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def excess(self) -> str | None:
        """Say which part is over its size limit, or None. Such a sample is not read further."""
        context_chars = sum(len(p.text) + len(p.title or "") for p in self.passages)
        for name, size, limit in (
            ("response", len(self.response), MAX_RESPONSE_CHARS),
            ("query", len(self.query), MAX_QUERY_CHARS),
            ("context", context_chars, MAX_CONTEXT_CHARS),
            ("history", sum(len(turn.content) for turn in self.history), MAX_CONTEXT_CHARS),
        ):
            if size > limit:
                return f"the {name} has {size:,} characters, more than the {limit:,} that are judged"
        return None


def _names(row: Mapping[str, object]) -> str:
    names = sorted(str(name)[:40] for name in row)
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "") if names else "no fields"


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"expected text, got {type(value).__name__}", field=field)
    return value


def _optional_text(value: object, field: str) -> str | None:
    return None if value is None else _text(value, field)


def _identifier(value: object, field: str) -> str | None:
    """Rows often number their ids; a number is taken as its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _optional_text(value, field)


def _label(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool | int) and value in (0, 1):
        return int(value)
    raise InputError(f"a label is 0 (unsupported) or 1 (supported), not {value!r}", field="label")


def _passages(context: object) -> tuple[Passage, ...]:
    if isinstance(context, str):
        return (Passage(context),) if context else ()
    if isinstance(context, Passage | Mapping):
        return (_passage(context, "context"),)
    if not isinstance(context, Sequence) or isinstance(context, bytes | bytearray):
        raise InputError(
            f"expected text, a list of texts, or a list of passages, got {type(context).__name__}",
            field="context",
        )
    return tuple(_passage(item, f"context[{i}]") for i, item in enumerate(context))


def _passage(item: object, field: str) -> Passage:
    if isinstance(item, Passage):
        _text(item.text, f"{field}.text")
        _optional_text(item.title, f"{field}.title")
        _optional_text(item.id, f"{field}.id")
        return item
    if isinstance(item, str):
        return Passage(item)
    if isinstance(item, Mapping):
        if "text" not in item:
            raise InputError(f"the passage has no 'text'; it has {_names(item)}", field=field)
        return Passage(
            text=_text(item["text"], f"{field}.text"),
            title=_optional_text(item.get("title"), f"{field}.title"),
            id=_identifier(item.get("id"), f"{field}.id"),
        )
    raise InputError(f"expected text or a passage, got {type(item).__name__}", field=field)


def _turns(history: object) -> tuple[Turn, ...]:
    if not isinstance(history, Sequence) or isinstance(history, str | bytes):
        raise InputError(f"expected a list of turns, got {type(history).__name__}", field="history")
    turns = []
    for i, item in enumerate(history):
        field = f"history[{i}]"
        if isinstance(item, Turn):
            role, content = item.role, item.content
        elif isinstance(item, Mapping) and "role" in item and "content" in item:
            role, content = item["role"], item["content"]
        else:
            raise InputError("a turn has 'role' and 'content', both text", field=field)
        turns.append(Turn(_text(role, f"{field}.role"), _text(content, f"{field}.content")))
    return tuple(turns)
