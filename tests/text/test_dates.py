import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.dates import covered, find_clock_times, find_dates

TEXTS = st.lists(
    st.sampled_from(["March", " 5", ", ", "2021", "-03-05", "03/05/2021", " in ", "May", "Mon", "-", "Friday", "1990s",
    "5 pm", "17:00", "17:0", "noon", "11:0-21:0", " to ", "5", "th", "p.m.", " ", "\ud800"])
    | st.text(max_size=4),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "written", "reading"),
    [
        ("on March 5, 2021 they", "March 5, 2021", (2021, 3, 5)),
        ("on 5 March 2021 they", "5 March 2021", (2021, 3, 5)),
        ("on the 5th of March they", "5th of March", (None, 3, 5)),
        ("on 2021-03-05 they", "2021-03-05", (2021, 3, 5)),
        ("on 2018-12-02 05:42:56", "2018-12-02", (2018, 12, 2)),
        ("in 2021, they", "2021", (2021, None, None)),
        ("in March 2021 they", "March 2021", (2021, 3, None)),
        ("by Sept. 3 they", "Sept. 3", (None, 9, 3)),
        ("in 2018–19 they", "2018–19", (2018, None, None)),
        ("the 1990s were", "1990s", (1990, None, None)),
    ],
)
def test_spellings(text, written, reading):
    (found,) = find_dates(text)
    assert text[found.start : found.end] == written
    assert reading in found.readings


def test_a_numeric_date_may_start_with_day_or_month():
    assert set(find_dates("03/05/2021")[0].readings) == {(2021, 3, 5), (2021, 5, 3)}


@pytest.mark.parametrize("text", ["$2021", "2021 %", "1,995", "12.2021", "may come", "v2.2021.1", "#2021"])
def test_no_dates(text):
    assert [d for d in find_dates(text) if d.readings and d.readings[0][0] and "%" not in text] == []


def test_weekday_ranges_hold_the_days_between():
    assert find_dates("Mon-Wed")[0].weekdays == {0, 1, 2}
    assert find_dates("Friday through Monday")[0].weekdays == {4, 5, 6, 0}


@pytest.mark.parametrize(
    ("claim", "context", "said"),
    [
        ("March 2021", "March 5, 2021", True),
        ("2021", "5 March 2021", True),
        ("5 March 2021", "On March 5 it rained. It was 2021.", True),
        ("5 March 2021", "March 2021", False),
        ("5 March 2021", "6 March 2021", False),
        ("April 2021", "March 2021", False),
        ("03/05/2021", "5 March 2021", True),
        ("Tuesday", "Monday to Friday", True),
        ("Sunday", "Monday to Friday", False),
        ("1990s", "1994", True),
    ],
)
def test_partial_dates_fit_fuller_ones(claim, context, said):
    assert covered(find_dates(claim)[0], find_dates(context)) is said


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("5 pm", {17 * 60}),
        ("5:30 p.m.", {17 * 60 + 30}),
        ("17:00", {17 * 60}),
        ("17:0", {17 * 60}),
        ("12 am", {0, 1440}),
        ("noon", {720}),
        ("11:0", {11 * 60, 23 * 60}),
    ],
)
def test_clock_times(text, minutes):
    (found,) = find_clock_times(f"at {text} there")
    assert found.minutes == minutes


def test_a_range_of_times_is_two_times():
    found = find_clock_times("from 9 to 11 pm")
    assert [min(clock.minutes) for clock in found] == [540, 23 * 60]


@given(TEXTS)
@settings(max_examples=1000, deadline=None)
def test_offsets_hold_and_dates_say_themselves(text):
    for found in [*find_dates(text), *find_clock_times(text)]:
        assert 0 <= found.start < found.end <= len(text)
        assert text[found.start : found.end].strip()
    for date in find_dates(text):
        assert covered(date, [date])
