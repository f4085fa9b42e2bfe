import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.structured import json_values, readable_key

BUSINESS = """{
 "name": "Tinker's Burgers",
 "hours": {"Monday": "11:0-17:30", "Sunday": "0:0-0:0"},
 "attributes": {"BusinessParking": {"street": true, "lot": false}, "WiFi": null},
 "business_stars": 4.0,
 "reviews": [{"review_text": "Good."}, {"review_text": "He said \\"bad\\"."}]
}"""


def test_values_keep_path_meaning_and_place():
    values = {value.path: value for value in json_values(BUSINESS)}
    assert values["name",].text == "Tinker's Burgers"
    assert values["hours", "Monday"].text == "11 am to 5:30 pm"
    assert values["attributes", "Business Parking", "street"].text == "yes"
    assert values["attributes", "Business Parking", "lot"].text == "no"
    assert values["attributes", "Wi Fi"].text == "not given"
    assert values["business stars",].text == "4.0"
    second = values["reviews", "reviews 2", "review text"]
    assert second.text == 'He said "bad".'
    assert not second.exact
    for value in values.values():
        assert BUSINESS[value.start : value.end] != ""
        if value.exact:
            assert BUSINESS[value.start : value.end] == value.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "{",
        '{"a": 1',
        '{"a": 1]}',
        "[1, 2] and more",
        '{"a" 1} tail',
        "{1: 2}",
        "[" * 100_000,
        '{"a":' * 50_000,
        '["\\',
        '"alone"',
        "12",
        "{} {}",
        ",[",
    ],
)
def test_other_texts_are_no_documents(text):
    assert json_values(text) is None


def test_keys_read_as_words():
    assert readable_key("RestaurantsGoodForGroups") == "Restaurants Good For Groups"
    assert readable_key("review_date") == "review date"


scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def leaves(value):
    if isinstance(value, dict):
        return sum(leaves(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(leaves(inner) for inner in value)
    return 1


@given(st.lists(documents, max_size=4) | st.dictionaries(st.text(), documents, max_size=4), st.booleans())
def test_every_leaf_is_read_once(document, ascii_only):
    text = json.dumps(document, ensure_ascii=ascii_only, indent=1)
    values = json_values(text)
    assert values is not None
    assert len(values) == leaves(document)
    assert [v.start for v in values] == sorted(v.start for v in values)


@given(st.text())
def test_never_raises(text):
    json_values(text)
    json_values("{" + text)
