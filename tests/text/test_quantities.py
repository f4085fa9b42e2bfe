import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.quantities import agree, find_quantities

TEXTS = st.lists(
    st.sampled_from(["1,250,000", "1.250.000", "$", "€ ", "3", "5k", " million", "%", " percent", "twenty-five", " ",
    "a dozen", "10-20", " miles", "°C", "-", "–", "more than ", "about ", ".", ",", "3rd", "1/2", "half", "one", " and ",
    "USD ", "\ud800", "²", "٣"])
    | st.text(max_size=4),
    max_size=14,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "written", "number", "dimension"),
    [
        ("It has 1,250,000 users.", "1,250,000", 1_250_000, ""),
        ("It has 1.250.000 users.", "1.250.000", 1_250_000, ""),
        ("some 1.25 million users", "1.25 million", 1_250_000, ""),
        ("a 5k run", "5k", 5000, ""),
        ("some 15, 000 people", "15, 000", 15_000, ""),
        ("3bn people", "3bn", 3e9, ""),
        ("20% of it", "20%", 20, "percent"),
        ("20 per cent of it", "20 per cent", 20, "percent"),
        ("twenty percent", "twenty percent", 20, "percent"),
        ("it cost $1.5 million", "$1.5 million", 1.5e6, "money $"),
        ("it cost US$5m", "US$5m", 5e6, "money $"),
        ("€3,000 a year", "€3,000", 3000, "money €"),
        ("USD 40 each", "USD 40", 40, "money $"),
        ("40 dollars each", "40 dollars", 40, "money $"),
        ("a 3-ounce cup", "3-ounce", 3, "mass"),
        ("60 mph", "60 mph", 60, "speed"),
        ("145°F inside", "145°F", 145, "temperature"),
        ("at -5 °C", "-5 °C", -5, "temperature"),
        ("64 GB of memory", "64 GB", 64, "data"),
        ("twenty-five cats", "twenty-five", 25, ""),
        ("two hundred and six bones", "two hundred and six", 206, ""),
        ("a dozen eggs", "a dozen", 12, ""),
        ("two weeks later", "two weeks", 2, "duration"),
        ("3/4 of them", "3/4", 0.75, ""),
    ],
)
def test_a_number_is_read_with_its_unit(text, written, number, dimension):
    (found,) = [q for q in find_quantities(text) if not q.soft]
    assert text[found.start : found.end] == written
    assert found.numbers[0] == pytest.approx(number)
    assert found.dimension == dimension


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("more than 80", "more"),
        ("at least 80", "more"),
        ("over 80", "more"),
        ("80 or more", "more"),
        ("80+", "more"),
        ("up to 80", "less"),
        ("under 80", "less"),
        ("fewer than 80", "less"),
        ("about 80", "about"),
        ("nearly 80", "about"),
        ("exactly 80", ""),
        ("turnover 80", ""),
    ],
)
def test_comparisons(text, relation):
    assert find_quantities(text)[0].relation == relation


def test_both_ends_of_a_range_have_the_unit():
    for text in ("10-20 miles", "between 10 and 20 miles", "10 to 20 miles"):
        assert [(q.numbers, q.dimension) for q in find_quantities(text)] == [
            ((10,), "length"),
            ((20,), "length"),
        ]


def test_ambiguous_separators_keep_both_readings():
    (found,) = find_quantities("1.250 items")
    assert found.numbers == (1.25, 1250)


def test_words_that_are_seldom_numbers_are_soft():
    assert all(
        q.soft for q in find_quantities("First, one of them took half; the second was a quarter, both fine")
    )
    assert not find_quantities("the fifth try")[0].soft
    assert find_quantities("the fifth try")[0].ordinal


@pytest.mark.parametrize("text", ["COVID-19", "B12", "word2vec", "F-16", "MP3", "none", "2D", "3rdly"])
def test_no_number_inside_words(text):
    assert find_quantities(text) == []


@pytest.mark.parametrize(
    ("claim", "context", "same"),
    [
        ("1.25 million", "1,250,000", True),
        ("1.3 million", "1,250,000", True),
        ("1.4 million", "1,250,000", False),
        ("1,253,000", "1.25 million", False),
        ("twenty-five", "25", True),
        ("20 %", "20 percent", True),
        ("20 %", "$20", False),
        ("20 %", "20", True),
        ("5 miles", "8 km", True),
        ("5 miles", "5 km", False),
        ("5 miles", "12 km", False),
        ("32 °F", "0 °C", True),
        ("two weeks", "14 days", True),
        ("one year", "12 months", True),
        ("more than 80", "85", True),
        ("more than 80", "80", True),
        ("more than 80", "150", False),
        ("more than 40", "85", False),
        ("more than 80", "75", False),
        ("up to 80", "75", True),
        ("up to 409", "400", False),
        ("about 20", "19", True),
        ("about 20", "15", False),
        ("20", "19", False),
        ("20", "19.6", True),
        ("4", "3.5", False),
        ("12,000", "11,987", True),
        ("12,000", "11,000", False),
        ("4.0", "4", True),
        ("5 cm", "50 mm", True),
        ("3rd", "third", True),
        ("1,250", "1.250", True),
    ],
)
def test_agreement(claim, context, same):
    (one,), (other,) = find_quantities(claim), find_quantities(context)
    assert agree(one, other) is same


@given(TEXTS)
@settings(max_examples=1000, deadline=None)
def test_offsets_hold_and_numbers_agree_with_themselves(text):
    last = 0
    for found in find_quantities(text):
        assert last <= found.start < found.end <= len(text)
        assert agree(found, found)
        last = found.start
