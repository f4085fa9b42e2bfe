import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.edits import KINDS, any_edit, names_in, other_number

TEXT = (
    "In March 2021 the mayor of Berlin met Angela Merkel, who was the first woman to lead the party, and paid "
    "1,250 euros for 12 chairs that did not arrive before Friday."
)
NAMES = ["Paris", "Emmanuel Macron", "Rome"]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_changes_the_marked_characters_alone(kind):
    for number in range(30):
        made = KINDS[kind](TEXT, NAMES, random.Random(number))
        assert made is not None
        assert made.kind == kind
        assert made.text != TEXT
        tail = len(made.text) - made.end
        assert made.text[: made.start] == TEXT[: made.start]
        assert made.text[made.end :] == TEXT[len(TEXT) - tail :]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_to_change_is_no_edit(kind):
    assert KINDS[kind]("he said so", NAMES, random.Random(0)) is None


@given(st.sampled_from(["1,250", "12", "3.5", "0", "7", "1,000,000.25", "0.01"]), st.integers())
def test_another_number_has_another_value(written, seed):
    made = other_number(written, random.Random(seed))
    assert float(made.replace(",", "")) != float(written.replace(",", ""))


@given(st.text(), st.integers())
def test_any_text(text, seed):
    made = any_edit(text, names_in(text), random.Random(seed))
    assert made is None or 0 <= made.start <= made.end <= len(made.text)
