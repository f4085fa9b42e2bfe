import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.citations import find_citations


def read(text):
    return [(c.marker, c.targets, c.style) for c in find_citations(text)]


@pytest.mark.parametrize(
    ("marker", "targets", "style"),
    [
        ("[1]", "1", "number"), ("[1,2]", "1 2", "number"), ("[1, 2]", "1 2", "number"), ("[1; 2]",
        "1 2", "number"),
        ("[1-3]", "1 2 3", "number"), ("[1–3]", "1 2 3", "number"), ("[1, 3-5]", "1 3 4 5", "number"),
        ("【1】", "1", "number"),
        ("【1†source】", "1", "number"), ("【4:0†a.pdf】", "4", "number"), ("(Doc 1)", "1", "label"),
        ("(Document 2)", "2", "label"),
        ("(Documents 1 and 3)", "1 3", "label"), ("(Docs 1, 2, and 4)", "1 2 4", "label"), ("[Doc 1]",
        "1", "label"),
        ("[document 3]", "3", "label"), ("(Source: 2)", "2", "label"), ("[Source 1]", "1", "label"),
        ("(passage 4)", "4", "label"),
        ("(see Doc 1)", "1", "label"), ("(Doc 1, Doc 3)", "1 3", "label"), ("(Document [1])", "1",
        "label"), ("[ref1]", "1", "label"),
        ("[^1]", "1", "footnote"), ("[^note]", "note", "footnote"), ("[id:abc-7]", "abc-7", "name"),
        ("[doc_12]", "doc_12", "name"),
        ("¹", "1", "superscript"), ("²³", "2 3", "superscript"), ("¹⁻³", "1 2 3", "superscript"),
        ("¹⁰", "10", "superscript"),
        ("[?]", "", "unknown"), ("[citation needed]", "", "unknown"), ("[x]", "", "unknown"), ("【】",
        "", "unknown"),
        ("[^N]", "", "unknown"), ("[1-900]", "", "unknown"), ("[3-1]", "", "unknown"), ("[1,,2]", "",
        "unknown"),
        ("(Source: the daily news)", "", "unknown"),
    ],
)  # fmt: skip
def test_markers(marker, targets, style):
    text = f"The tower is high {marker}." if style != "superscript" else f"The tower is high{marker}."
    assert read(text) == [(marker, tuple(targets.split()), style)]
    (citation,) = find_citations(text)
    assert text[citation.start : citation.end] == marker


@pytest.mark.parametrize(
    "text",
    [
        "In [2004] and (2004).", "[2004-2006]", "[2004, 2005]", "use arr[0] here", "foo_bar[1]",
        "x[3]", "a.items[2] = 1", "- [x] done",
        "- [ ] todo", "[x] done", "[text](url)", "[1](http://a.b)", "a [...] b", "a […] b", "[sic]",
        "(3)", "(1889)", "5 m²", "10⁶",
        "km²", "`a[1]`", "```\nx [1]\n```", "[1]: http://a.b", "【重要】", "[]", "[ ]", "",
        "(Smith, 2004)", "(Article 5)",
    ],
)  # fmt: skip
def test_what_is_no_citation(text):
    assert read(text) == []


def test_neighbours_and_attached_markers():
    assert [c.marker for c in find_citations("high.[1][2] Word[3] is. US¹ in 1889²")] == [
        "[1]",
        "[2]",
        "[3]",
        "¹",
        "²",
    ]
    assert read("(as [1] says)") == [("[1]", ("1",), "number")]


def test_fenced_answers_are_read():
    assert read("```markdown\nIt is [1].\n```") == [("[1]", ("1",), "number")]


PIECES = [
    "[",
    "]",
    "(",
    ")",
    "【",
    "】",
    "1",
    "12",
    "-",
    ",",
    " ",
    "Doc",
    "source",
    "^",
    "†",
    "²",
    "⁻",
    "?",
    "`",
    "```",
    "\n",
    "x",
    ":",
    "2004",
    "\ud800",
    "[",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=2), max_size=25).map("".join))
@settings(max_examples=2000, deadline=None)
def test_any_text_gives_exact_ordered_markers(text):
    last = 0
    for citation in find_citations(text):
        assert last <= citation.start < citation.end <= len(text)
        assert citation.marker == text[citation.start : citation.end]
        assert bool(citation.targets) == (citation.style != "unknown")
        assert len(citation.targets) <= 50
        last = citation.end


@pytest.mark.parametrize(
    "unit",
    ["[", "]", "(", "[1", "(a", "【", "¹", "[1]", "`", "```\n", "(Doc 1", "[1, ", "[^", "[1-", "(Doc 1 and "],
)
def test_long_input_is_read(unit):
    assert isinstance(find_citations((unit * 100_000)[:100_000]), list)
