from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from assay import plugins
from assay.errors import InputError, PluginError
from assay.formats import registry
from assay.formats.registry import BUILTIN, detect, format_names, get_format, unrecognised
from assay.sample import Sample

from .samples import FORMATS


class Mine:
    """As another package would write it."""

    name = "mine"
    needs = (frozenset({"frage", "antwort"}),)
    structured: frozenset[str] = frozenset()

    def to_sample(self, row: dict[str, str]) -> Sample:
        return Sample(query=row["frage"], response=row["antwort"])


class Narrower(Mine):
    name = "narrower"
    needs = (frozenset({"context", "response", "grade"}),)


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no licence")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        name: EntryPoint(name, f"{__name__}:{what}", registry.GROUP)
        for name, what in {
            "mine": "Mine",
            "narrower": "Narrower",
            "broken": "Broken",
            "gone": "Nothing",
            "odd": "FORMATS",
        }.items()
    }
    monkeypatch.setattr(plugins, "_entry_points", lambda group: points if group == registry.GROUP else {})


def test_names() -> None:
    assert set(format_names()) >= {"assay", "ragas", "deepeval", "alce", "ragchecker", "ragtruth"}
    for name in BUILTIN:
        assert get_format(name).name == name


@pytest.mark.parametrize("case", FORMATS)
def test_the_fields_tell_the_format(case: str) -> None:
    form = detect(FORMATS[case][0])
    assert form is not None
    assert form.name == case.split("-")[0]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ("id dataset task query context response label spans meta", "assay"),
        ("context response", "assay"),
        ("source_id response labels model split", "ragtruth"),
        ("input actual_output", "deepeval"),
        ("input actual_output context retrieval_context", "deepeval"),
        ("question answer contexts ground_truth", "ragas"),
        ("question docs output", "alce"),
        ("question answer", None),
        ("prompt completion", None),
        ("", None),
    ],
)
def test_detection(fields: str, name: str | None) -> None:
    form = detect(fields.split())
    assert (form and form.name) == name


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ("source_id response labels context", "assay and ragtruth"),
        ("query retrieved_context response context", "assay and ragchecker"),
    ],
)
def test_ambiguous_rows_are_refused(fields: str, names: str) -> None:
    with pytest.raises(InputError, match=f"fit the formats {names}.*--format.*--map"):
        detect(fields.split())


def test_the_error_for_unknown_rows_says_all() -> None:
    message = str(unrecognised(["prompt", "answer"], "f.jsonl"))
    for part in ("f.jsonl", "answer, prompt", "--map response=answer_text", "assay (context, response)"):
        assert part in message
    assert "ragas (response, retrieved_contexts, user_input or answer, contexts, question)" in message


@pytest.mark.usefixtures("installed")
def test_formats_of_other_packages() -> None:
    assert "mine" in format_names()
    form = detect(["frage", "antwort", "x"])
    assert form is not None
    assert form.to_sample({"frage": "q", "antwort": "a"}) == Sample(query="q", response="a")
    assert "mine (antwort, frage)" in str(unrecognised([], "f"))


@pytest.mark.usefixtures("installed")
def test_the_format_that_asks_for_more_is_meant() -> None:
    for fields, name in (("context response grade", "narrower"), ("context response", "assay")):
        form = detect(fields.split())
        assert form is not None
        assert form.name == name


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "says"), [("broken", "no licence"), ("gone", "failed to load"), ("odd", "lacks one of")]
)
def test_a_broken_package_is_named_when_asked_for(name: str, says: str) -> None:
    with pytest.raises(PluginError, match=says):
        get_format(name)
    assert detect(["context", "response"]) is get_format("assay")
