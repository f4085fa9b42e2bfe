import json

from hypothesis import given
from hypothesis import strategies as st

from assay.text.units import reading_units


def test_prose_is_read_as_it_stands():
    text = "One sentence. Another one.\n\n- a list item"
    assert [u.text for u in reading_units(text)] == ["One sentence.", "Another one.", "a list item"]
    assert all(text[u.start : u.end] == u.text for u in reading_units(text))


def test_json_becomes_statements():
    text = json.dumps({"name": "Pia's", "parking": {"street": True, "lot": False}, "stars": 4.5}, indent=1)
    units = reading_units(text)
    assert [u.text for u in units] == ["name: Pia's.", "parking: street: yes, lot: no.", "stars: 4.5."]
    assert text[units[1].start : units[1].end].startswith("true")


def test_long_values_are_prose_with_places():
    review = "We came on a Monday and waited for a table. " * 4
    text = json.dumps({"reviews": [{"text": review, "stars": 2}]})
    units = reading_units(text)
    assert units[0].text == "reviews 1 text: We came on a Monday and waited for a table."
    assert text[units[0].start : units[0].end] == "We came on a Monday and waited for a table."
    assert units[-1].text == "reviews 1: stars: 2."


def test_rows_name_their_columns():
    text = "Ages:\n\n| Name | Age |\n|---|---|\n| Bob | 5 |\n| Al | 7 |\n\nThe end."
    units = reading_units(text)
    assert "Name: Bob, Age: 5." in [u.text for u in units]
    assert text[units[-2].start : units[-2].end].startswith("Al")


def test_a_row_of_other_width_stays():
    text = "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n"
    assert reading_units(text)[-1].text == "1 | 2 | 3"


@given(st.text() | st.text(alphabet='{}[]",:|\n ab1'))
def test_places_lie_in_the_text(text):
    for unit in reading_units(text):
        assert 0 <= unit.start <= unit.end <= len(text)
