from __future__ import annotations

import copy
import pickle

import pytest

from assay.errors import AssayError, InputError, ModelError, PluginError, ProfileError

PLACES = [
    ({}, "", "wrong"),
    ({"file": "rows.jsonl"}, "rows.jsonl", "rows.jsonl: wrong"),
    ({"file": "rows.jsonl", "line": 7}, "rows.jsonl:7", "rows.jsonl:7: wrong"),
    ({"line": 7}, "line 7", "line 7: wrong"),
    ({"field": "context[2].text"}, "context[2].text", "context[2].text: wrong"),
    ({"line": 7, "field": "id"}, "line 7: id", "line 7: id: wrong"),
    (
        {"file": "rows.jsonl", "line": 7, "field": "context[2].text"},
        "rows.jsonl:7: context[2].text",
        "rows.jsonl:7: context[2].text: wrong",
    ),
]


@pytest.mark.parametrize("kind", [InputError, ProfileError])
@pytest.mark.parametrize(("where", "place", "text"), PLACES)
def test_the_place_comes_before_the_message(
    kind: type[InputError], where: dict[str, object], place: str, text: str
) -> None:
    error = kind("wrong", **where)
    assert error.place == place
    assert str(error) == text
    assert error.args == (text,)
    assert error.message == "wrong"


@pytest.mark.parametrize("kind", [InputError, ProfileError])
@pytest.mark.parametrize("where", [where for where, _, _ in PLACES])
def test_the_place_survives_copies_and_pickles(kind: type[InputError], where: dict[str, object]) -> None:
    error = kind("wrong", **where)
    pickled = [pickle.loads(pickle.dumps(error, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)]
    for same in (*pickled, copy.copy(error), copy.deepcopy(error)):
        assert type(same) is kind
        assert (same.message, same.file, same.line, same.field) == (
            error.message,
            error.file,
            error.line,
            error.field,
        )
        assert str(same) == str(error)


@pytest.mark.parametrize("kind", [ModelError, PluginError])
def test_errors_without_a_place_pickle_too(kind: type[AssayError]) -> None:
    same = pickle.loads(pickle.dumps(kind("not installed")))
    assert type(same) is kind
    assert str(same) == "not installed"


@pytest.mark.parametrize("kind", [InputError, ProfileError, ModelError, PluginError])
def test_one_except_catches_them_all(kind: type[AssayError]) -> None:
    assert issubclass(kind, AssayError)


def test_a_profile_error_is_an_input_error() -> None:
    assert issubclass(ProfileError, InputError)
