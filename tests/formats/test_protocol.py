from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.formats.protocol import passages_of, row_id, text_of
from assay.sample import Passage


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"id": "a", "query_id": "b"}, "a"),
        ({"id": "", "query_id": 7}, "7"),
        ({"id": None, "qid": 3.0}, "3"),
        ({"id": True, "_id": "x"}, "x"),
        ({"id": 1.5}, None),
        ({"id": ["a"]}, None),
        ({"id": 0}, "0"),
        ({}, None),
    ],
)
def test_row_id(row: dict[str, object], expected: str | None) -> None:
    assert row_id(row) == expected


def test_text_of() -> None:
    assert text_of({"a": ""}, "a") == ""
    for row, says in (({}, "has no 'a'"), ({"a": None}, "got null"), ({"a": 5}, "got int")):
        with pytest.raises(InputError, match=says) as caught:
            text_of(row, "a")
        assert caught.value.field == "a"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ("", ()),
        ([], ()),
        ("a", (Passage("a"),)),
        (["a", ""], (Passage("a"), Passage(""))),
        ({"content": "a", "title": "T", "id": 4}, (Passage("a", "T", "4"),)),
        ([{"page_content": "a", "metadata": {}}], (Passage("a"),)),
        ([{"text": "a", "title": None, "doc_id": "d"}], (Passage("a", None, "d"),)),
        ([{"text": "a", "title": 5}], (Passage("a"),)),
    ],
)
def test_passages_of(value: object, expected: tuple[Passage, ...]) -> None:
    assert passages_of(value, "docs") == expected


@pytest.mark.parametrize(
    ("value", "field", "says"),
    [
        (5, "docs[0]", "got int"),
        (["a", None], "docs[1]", "got null"),
        ([["a"]], "docs[0]", "got list"),
        ([{"body": "a"}], "docs[0]", "none of text, content"),
        ([{"text": None}], "docs[0].text", "got null"),
    ],
)
def test_passages_that_are_none(value: object, field: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        passages_of(value, "docs")
    assert caught.value.field == field
