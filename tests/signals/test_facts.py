from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.signals.facts import FactIndex, check_facts

CONTEXT = [
    "The company Acme was founded on 5 March 2001 by Barack Stone in Berlin. It has 1,250 employees in 14 offices.",
    "Sales rose by 15 % in 2019, to $3.2 million. The factory in Lyon was not closed. "
    'Stone said: "We will never leave the city of Berlin."',
    "The shop opens at 17:00 and closes at 21:30. Men earned 40 euros and women earned 50 euros. The lake is 8 km long.",
]
PIECES = st.sampled_from(
    [
        *" ".join(CONTEXT).split(),
        "12",
        "7 %",
        "$9",
        "Peter",
        "Rome",
        "April",
        "not",
        '"',
        "10 pm",
        "in total",
        "\n",
        "more than",
    ]
)
CLAIMS = st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=30)


def kinds(claim, context=CONTEXT, question=""):
    return [(f.kind, f.severity, f.claim) for f in check_facts(claim, context, question)]


@pytest.mark.parametrize(
    "claim",
    [
        "Acme has more than 1,200 employees.",
        "Acme was founded in March 2001.",
        "Acme, founded 2001-03-05, is from Berlin.",
        "In total Acme has 1250 employees in fourteen offices.",
        "Sales rose by 15 percent in 2019.",
        "Sales were about 3 million dollars.",
        "The shop opens at 5 pm and closes at 9:30 p.m.",
        "The factory in Lyon wasn't closed.",
        "Stone said, “We will never leave the city of Berlin.”",
        "Women and men together earned a total of 90 euros.",
        "Women earned 10 euros more than men, a difference of 10 euros.",
        "The lake is about 5 miles long.",
        "Mr. Stone founded Acme.",
        "",
        "...",
    ],
)
def test_what_the_context_says_is_no_finding(claim):
    assert kinds(claim) == []


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Acme has 1,350 employees.", ("number", "contradicted", "1,350")),
        ("Sales rose by 20 % in 2019.", ("number", "contradicted", "20 %")),
        ("Acme was founded on 5 April 2001.", ("date", "contradicted", "5 April 2001")),
        ("Sales rose by 15 % in 2018.", ("date", "contradicted", "2018")),
        ("The shop opens at 6 pm.", ("time", "contradicted", "6 pm")),
        ("The company was founded by Barack Miller.", ("name", "contradicted", "Barack Miller")),
        ("The company has an office in Madrid.", ("name", "missing", "Madrid")),
        ("The bridge costs 77 dollars.", ("number", "missing", "77 dollars")),
        ("A total of 77 people came.", ("number", "needs_arithmetic", "77")),
        ("The factory in Lyon was closed.", ("negation", "contradicted", "closed")),
        ("The company Acme was not founded by Barack Stone in Berlin.", ("negation", "contradicted", "not")),
        (
            "Stone said: “We will always stay here in Berlin.”",
            ("quotation", "missing", "We will always stay here in Berlin."),
        ),
        ("Sales fell by 15 % in 2019.", ("opposite", "contradicted", "fell")),
    ],
)
def test_what_the_context_does_not_say(claim, expected):
    assert expected in kinds(claim)


def test_a_finding_names_both_texts_and_places():
    claim = "Sales rose by 20 % in 2019."
    (found,) = check_facts(claim, CONTEXT)
    assert found.sentence == 'the claim says "20 %", the context says "15 %" (passage 2)'
    assert claim[found.start : found.end] == "20 %"
    assert found.passage == 1
    assert CONTEXT[1][found.context_start : found.context_end] == "15 %"


def test_a_number_of_the_question_is_not_missing():
    assert kinds("There are 77 ways.", question="Are there 77 ways to Madrid?") == []
    assert kinds("There is a way to Madrid.", question="Are there 77 ways to Madrid?") == []


def test_a_number_in_the_right_place_counts_not_one_elsewhere():
    context = ["Acme has 30 offices in Europe. " + "It rained for long. " * 5 + "The zoo keeps 12 lions."]
    assert kinds("Acme has 12 offices in Europe.", context) == [("number", "contradicted", "12")]


def test_numbering_and_citations_are_no_facts():
    assert kinds("7. Acme is a company in Berlin [9] (passage 8).") == []
    assert kinds("Offices in Berlin 4.") == []
    assert kinds("**Key Figures:** the company is in Berlin.") == []


def test_short_forms_of_names():
    context = [
        "The angiotensin-converting enzyme is described by the Office of Strange Long Names in the U.S. in 2020."
    ]
    assert kinds("They described ACE in the United States, says the OSLN.", context) == []
    assert kinds("It was said by people at the Office of Strange Long Places in Texas.", context) == [
        ("name", "contradicted", "Office of Strange Long Places"),
        ("name", "missing", "Texas"),
    ]


def test_a_name_in_the_place_of_another():
    context = [
        "Ann Lee directed the film. "
        + "It rained for a long time. " * 4
        + "Years later Tom Fox painted the old church."
    ]
    assert [f.context for f in check_facts("They say that Ann Lee painted the old church.", context)] == [
        "Tom Fox"
    ]


@dataclass
class Piece:
    text: str
    start: int
    end: int


def test_passages_may_be_given_as_they_are_read():
    source = '{"stars": 4.5, "reviews": 120}'
    index = FactIndex([[Piece("stars: 4.5, reviews: 120.", 1, len(source) - 1)]])
    assert kinds("It has 4.5 stars and 120 reviews.", index) == []
    (found,) = check_facts("It has 3.5 stars.", index)
    assert (found.context, found.context_start, found.context_end) == ("4.5", 1, len(source) - 1)


def test_no_passages_no_findings():
    assert check_facts("It costs 5 dollars.", []) == ()


@given(CLAIMS, st.lists(CLAIMS, max_size=3), CLAIMS)
@settings(max_examples=400, deadline=None)
def test_offsets_slice_back(claim, passages, question):
    for found in check_facts(claim, passages, question):
        assert claim[found.start : found.end] == found.claim
        assert found.claim
        if found.passage is not None:
            assert passages[found.passage][found.context_start : found.context_end] == found.context
            assert found.context


@given(CLAIMS, st.lists(CLAIMS, min_size=1, max_size=3), CLAIMS, st.integers(0, 3))
@settings(max_examples=400, deadline=None)
def test_another_passage_never_makes_anything_missing(claim, passages, more, place):
    def missing(context):
        return {(f.kind, f.start, f.end) for f in check_facts(claim, context) if f.severity == "missing"}

    if FactIndex(passages).sentences:
        assert missing([*passages[:place], more, *passages[place:]]) <= missing(passages)


@given(st.lists(CLAIMS, max_size=3), st.sampled_from([s for p in CONTEXT for s in p.split(". ")]) | CLAIMS)
@settings(max_examples=300, deadline=None)
def test_a_claim_that_stands_in_a_passage_has_no_finding(passages, claim):
    assert check_facts(claim, [*passages, f"Before that. {claim}\n\nAnd more."]) == ()
    assert check_facts(claim, [*passages, claim]) == ()
