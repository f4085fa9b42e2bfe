"""Dates, years, weekdays and clock times in their usual English spellings; partial ones fit fuller ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.text.patterns import LazyPattern

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MONTHS = {name: index + 1 for names in (_MONTHS, _SHORT) for index, name in enumerate(names)} | {"sept": 9}
WEEKDAYS = {name: index for index, name in enumerate(_DAYS)}
WEEKDAYS |= {name: index for index, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
WEEKDAYS |= {"tues": 1, "thur": 3, "thurs": 3}
_MONTH_NAMES = [*(name.title() for name in _MONTHS), *(rf"{name.title()}\.?" for name in _SHORT), r"Sept\.?"]
_MONTH = f"(?:{'|'.join(_MONTH_NAMES)})(?![A-Za-z])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\d)(?![.,:]\d)"
_YEAR = r"(?:1[0-9]|20)\d\d(?!\d)"
_DATE = LazyPattern(
    r"(?<![\w.,:/-])(?P<y1>\d{4})-(?P<m1>\d\d?)-(?P<d1>\d\d?)(?!\d)",
    r"(?<![\w.,:/-])(?P<n1>\d\d?)[/.](?P<n2>\d\d?)[/.](?P<y2>\d{4}|\d\d)(?![\d/])",
    rf"\b(?P<M1>{_MONTH}) (?:the )?(?P<d2>{_DAY})(?:,? (?P<y3>{_YEAR}))?",
    rf"(?<![\w.,:/-])(?P<d3>{_DAY})(?: of)? (?P<M2>{_MONTH})(?:,? (?P<y4>{_YEAR}))?",
    rf"\b(?P<M3>{_MONTH}),? (?:of )?(?P<y5>{_YEAR})",
    rf"\b(?P<M4>{_MONTH})",
    rf"(?<![\w.,:/$€£#])(?P<y6>{_YEAR})(?:(?P<s>s)|[–/-]\d\d(?!\d))?(?![\w%°])(?![,.:]\d)",
    ignore_case=False,
)
_WEEKDAY = LazyPattern(
    r"\b(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?\b"
    r"(?:\.? ?(?:-|–|to|through|thru|until) ?(Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|Monday|Tuesday|Wednesday"
    r"|Thursday|Friday|Saturday|Sunday)s?\b)?",
    ignore_case=False,
)
_CLOCK = LazyPattern(
    r"(?<![\w.,:/])(?P<h>\d\d?)(?::(?P<m>\d\d?))?"
    r"(?: ?(?:-|–|to|until) ?(?P<h2>\d\d?)(?::(?P<m2>\d\d?))?)? ?(?P<ap>[ap](?:m\b|\.m\b\.?))",
    r"(?<![\w.,/])(?P<h3>[01]?\d|2[0-4]):(?P<m3>[0-5]?\d)(?::[0-5]\d)?(?![\d:])(?! ?[ap]\.?m\b)",
    r"\b(?P<w>noon|midday|midnight)\b",
    r"\b(?P<h4>\d\d?) o['’]clock",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Date:
    """A date or a part of one; what is not said is None. ``readings`` are (year, month, day) as far as known.

    ``weekdays`` holds 0 (Monday) to 6; ``decade`` says that the year names a decade ("1990s").
    """

    start: int
    end: int
    readings: tuple[tuple[int | None, int | None, int | None], ...] = ()
    weekdays: frozenset[int] = frozenset()
    decade: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: the minutes after midnight that the writing can stand for."""

    start: int
    end: int
    minutes: frozenset[int]


def find_dates(text: str) -> list[Date]:
    """Dates, months, years and weekdays of a text, in order of their kinds."""
    found = [date for match in _DATE.finditer(text) if (date := _date(match)) is not None]
    for match in _WEEKDAY.finditer(text):
        first = WEEKDAYS[match.group(1).lower()]
        last = WEEKDAYS[match.group(2).lower()] if match.group(2) else first
        days = frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
        found.append(Date(match.start(), match.end(), (), days))
    return found


def _date(match: re.Match[str]) -> Date | None:
    g = match.groupdict()
    start, end = match.span()
    if g["n1"]:
        a, b, year = int(g["n1"]), int(g["n2"]), int(g["y2"])
        year += 0 if year > 99 else (2000 if year < 50 else 1900)
        pairs = {(a, b), (b, a)}
        readings = tuple(
            (year, month, day) for month, day in sorted(pairs) if 1 <= month <= 12 and 1 <= day <= 31
        )
        return Date(start, end, readings) if readings else None
    month_name = g["M1"] or g["M2"] or g["M3"] or g["M4"]
    month = MONTHS[month_name.rstrip(".").lower()] if month_name else int(g["m1"]) if g["m1"] else None
    day_written = g["d1"] or g["d2"] or g["d3"]
    day = int(re.sub(r"\D", "", day_written)) if day_written else None
    year_written = g["y1"] or g["y3"] or g["y4"] or g["y5"] or g["y6"]
    year_read = int(year_written) if year_written else None
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Date(start, end, ((year_read, month, day),), decade=bool(g["s"]))


def find_clock_times(text: str) -> list[Clock]:
    """Times of day: "5 pm", "5:30 p.m.", "17:00", "17:0", "noon"."""
    found: list[Clock] = []
    for match in _CLOCK.finditer(text):
        g = match.groupdict()
        start, end = match.span()
        if g["w"]:
            found.append(Clock(start, end, frozenset({720} if g["w"].lower() != "midnight" else {0, 1440})))
        elif g["ap"]:
            found += _with_half(match)
        elif g["h3"]:
            found.append(Clock(start, end, _both(int(g["h3"]), int(g["m3"]))))
        elif int(g["h4"]) <= 12:
            found.append(Clock(start, end, _both(int(g["h4"]), 0)))
    return found


def _both(hour: int, minute: int) -> frozenset[int]:
    """A time without am or pm can be either half of the day when its hour is at most 12."""
    at = hour * 60 + minute
    return frozenset({at, (at + 720) % 1440} if 1 <= hour <= 12 else {at % 1440, at})


def _with_half(match: re.Match[str]) -> list[Clock]:
    later = match["ap"][0].lower() == "p"
    hours = [(match.start("h"), match["h"], match["m"]), (match.start("h2"), match["h2"], match["m2"])]
    written = [(at, int(hour), int(minute or 0)) for at, hour, minute in hours if hour]
    if any(hour > 24 or minute > 59 for _, hour, minute in written):
        return []
    found: list[Clock] = []
    for index, (at, hour, minute) in enumerate(written):
        last = index == len(written) - 1
        end = match.end() if last else max(match.end("h"), match.end("m"))
        exact = hour * 60 + minute if hour > 12 else (hour % 12 + 12 * later) * 60 + minute
        minutes = {exact, 1440} if exact == 0 else {exact}
        found.append(Clock(at, end, frozenset(minutes) if last else _both(hour, minute)))
    return found


def covered(date: Date, others: Iterable[Date]) -> bool:
    """Whether the dates that fit a date say all of it together: "5 March" and "in 2021", "5 March 2021"."""
    days = date.weekdays
    spoken: dict[tuple[int | None, int | None, int | None], list[bool]] = {
        r: [f is None for f in r] for r in date.readings
    }
    for other in others:
        days = days - other.weekdays
        for reading, said in spoken.items():
            for theirs in other.readings:
                if fits(reading, theirs, date.decade or other.decade):
                    for index, field in enumerate(theirs):
                        said[index] = said[index] or field is not None
    return not days and (not spoken or any(all(said) for said in spoken.values()))


def fits(
    one: tuple[int | None, int | None, int | None],
    other: tuple[int | None, int | None, int | None],
    decade: bool,
) -> bool:
    """Whether two dates agree in all that both say, and both say something of the same kind."""
    shared = False
    for index, (a, b) in enumerate(zip(one, other, strict=True)):
        if a is None or b is None:
            continue
        if a != b and not (decade and index == 0 and a // 10 == b // 10):
            return False
        shared = True
    return shared
