"""Numbers of a text with what they measure: separators, magnitudes, units, comparisons, rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from assay.text.number_words import find_number_words
from assay.text.patterns import LazyPattern
from assay.text.units_of_measure import Measure, currency_before, unit_after

Relation = Literal["", "more", "less", "about"]
APPROXIMATE = 0.1
"""A number called "about", "nearly" or "roughly" may be off by this share."""
BEYOND = 0.5
"""What is "more than" or "less than" a number may lie this share beyond it, to be what was meant."""
CONVERTED = 0.02
"""Two values in different units may differ by this share: converted figures are rounded."""

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_])(?<![0-9][.,:])(?<![A-Za-z][-‐‑])(?<![A-Za-z]\.)"
    r"(?:\d{1,3}(?:, \d{3}){0,3}, 000|"
    r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d{1,18}(?:\.\d{1,12})?|\.\d{1,12})"
    r"(?!\d)"
)
_MAGNITUDE = LazyPattern(
    r"[ \u00a0-]?(hundred|thousand|million|billion|trillion|mn|mln|bn|tn)(?![^\W\d_])",
    r"(k|b|t)(?![\w'’])",
    r"(m)(?![\w'’])",
)
_SIZES = {"hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "mln": 1e6, "m": 1e6}
_SIZES |= {"billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12, "t": 1e12}
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![^\W_])", re.IGNORECASE)
_FRACTION = re.compile(r"/(\d{1,3})(?![\d/])")
_MINUS = re.compile(r"(?<![\w.°])[-−]")
_MORE = (
    "more than|greater than|higher than|at least|over|above|exceeding|exceeds?|exceeded|minimum of"
    "|no less than|no fewer than|upwards of|longer than|older than|>|≥|>="
)
_LESS = (
    "less than|fewer than|lower than|at most|under|below|up to|maximum of|no more than|within|not more than"
    "|shorter than|younger than|<|≤|<="
)
_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|an estimated|estimated|circa"
    r"|c\.|~|≈|more or less|just over|just under|a little over"
)
_BEFORE = LazyPattern(rf"(?:(?P<about>{_ABOUT})|(?P<more>{_MORE})|(?P<less>{_LESS}))(?: (?:the|a|an))? ?$")
_BEHIND = LazyPattern(
    r" ?(?P<more>\+|or more\b|or above\b|or older\b|and up\b)",
    r" ?(?P<less>or less\b|or fewer\b|or under\b|or younger\b)",
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text.

    Attributes:
        start: Offset of its first character (a currency sign counts).
        end: Offset after its last character (unit and magnitude count).
        numbers: The number as written, magnitude applied; several where the writing is ambiguous.
        step: What one in the last written digit is worth ("1.3 million": 100,000).
        measure: Its unit, or None for a bare number.
        relation: "more", "less" or "about" if it is a bound or rounded, else empty.
        ordinal: Whether it counts a place ("third").
        soft: Whether the words often mean no number ("first", "one", "half").
    """

    start: int
    end: int
    numbers: tuple[float, ...]
    step: float
    measure: Measure | None = None
    relation: Relation = ""
    ordinal: bool = False
    soft: bool = False
    values: tuple[float, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        unit = self.measure or Measure("")
        values = tuple(number * unit.factor + unit.offset for number in self.numbers)
        object.__setattr__(self, "values", values)

    @property
    def dimension(self) -> str:
        """What it measures; empty for a bare number."""
        return self.measure.dimension if self.measure else ""


def find_quantities(text: str) -> list[Quantity]:
    """The numbers of a text in order, without overlap."""
    found: list[Quantity] = []
    for match in _NUMBER.finditer(text):
        if not found or match.start() >= found[-1].end:
            quantity = _in_digits(text, match)
            if not text[quantity.end : quantity.end + 1].isalpha():  # "2D" is no number
                found.append(quantity)
    held = {position for quantity in found for position in range(quantity.start, quantity.end)}
    for words in find_number_words(text):
        if words.start in held or words.end - 1 in held:
            continue
        unit = None if words.ordinal else unit_after(text, words.end)
        measure, end = unit or (None, words.end)
        relation = _relation(text, words.start, end)
        step = _step_of(words.value)
        numbers = (words.value,)
        found.append(
            Quantity(
                words.start, end, numbers, step, measure, relation, words.ordinal, words.soft and unit is None
            )
        )
    found.sort(key=lambda quantity: quantity.start)
    return _ranges(text, found)


def _in_digits(text: str, match: re.Match[str]) -> Quantity:
    written, start, end = match.group(), match.start(), match.end()
    numbers, step = _readings(written)
    fraction = _FRACTION.match(text, end)
    if fraction and int(fraction.group(1)) > 1 and numbers[0] < int(fraction.group(1)):
        numbers = (numbers[0] / int(fraction.group(1)), numbers[0])
        end = fraction.end()
    elif ordinal := _ORDINAL.match(text, end):
        return Quantity(start, ordinal.end(), numbers, step, ordinal=True)
    currency = currency_before(text, start)
    magnitude = _MAGNITUDE.match(text, end)
    if magnitude and not (magnitude.group(3) and currency is None):
        size = _SIZES[next(part for part in magnitude.groups() if part).lower()]
        numbers, step, end = tuple(number * size for number in numbers), step * size, magnitude.end()
    elif magnitude:
        numbers = (*numbers, *(number * 1e6 for number in numbers))
    measure: Measure | None
    if currency is not None:
        measure, start = currency
    else:
        measure, end = unit_after(text, end) or (None, end)
    if measure is not None and measure.dimension == "temperature" and _MINUS.match(text, start - 1, start):
        numbers, start = tuple(-number for number in numbers), start - 1
    return Quantity(start, end, numbers, step, measure, _relation(text, start, end))


def _readings(written: str) -> tuple[tuple[float, ...], float]:
    """The values that digits with separators can stand for, and the worth of the last digit."""
    plain = written.replace(",", "").replace(" ", "")
    if plain.count(".") > 1:
        return (float(plain.replace(".", "")),), 1.0
    value = float(plain)
    decimals = len(plain.partition(".")[2])
    if decimals == 3 and 1 <= value < 1000 and "," not in written and not plain.startswith("0"):
        return (value, value * 1000), 0.001
    return (value,), 10.0**-decimals


def _step_of(value: float) -> float:
    return 1.0 if value == int(value) else 0.01


def _relation(text: str, start: int, end: int) -> Relation:
    led = text[max(0, start - 22) : start]
    before = None if led[-2:-1].isdigit() else _BEFORE.search(led)
    if before is not None and (
        before.start() == 0 or not text[max(0, start - 22) + before.start() - 1].isalnum()
    ):
        return before.lastgroup  # type: ignore[return-value]
    behind = _BEHIND.match(text, end)
    return behind.lastgroup if behind is not None else ""  # type: ignore[return-value]


_RANGE = re.compile(r" ?(?:-|–|—|to|and|or) ?(?:[$€£¥₹])?", re.IGNORECASE)


def _ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """The first end of a range measures what the second does: "10-20 miles", "between 5 and 7 %"."""
    for index in range(len(found) - 1, 0, -1):
        first, second = found[index - 1], found[index]
        if first.measure is None and second.measure is not None and not first.ordinal:
            gap = text[first.end : second.start]
            if len(gap) < 8 and _RANGE.fullmatch(gap):
                found[index - 1] = Quantity(
                    first.start, first.end, first.numbers, first.step, second.measure, first.relation
                )
    return found


def agree(claim: Quantity, other: Quantity) -> bool:
    """Whether a claim's number says what the other does: equal, converted, rounded or within its bound."""
    if claim.measure is not None and other.measure is not None:
        if claim.dimension != other.dimension:
            return False
        scale = claim.measure.factor
        slack = 0.0 if claim.measure == other.measure else CONVERTED
        pairs = [(a, b) for a in claim.values for b in other.values]
    else:
        scale, slack = 1.0, 0.0
        pairs = [(a, b) for a in claim.numbers for b in other.numbers]
    return any(_near(a, b, claim, other, scale, slack) for a, b in pairs)


def _near(a: float, b: float, claim: Quantity, other: Quantity, scale: float, slack: float) -> bool:
    difference = abs(a - b)
    if difference <= 1e-9 * max(abs(a), abs(b)):
        return True
    if slack and difference <= max(slack * abs(b), 0.5 * claim.step * scale, 0.5 * other.step):
        return difference <= 0.2 * abs(b)
    if claim.step > other.step and not claim.ordinal:  # written with fewer digits than the other
        half = 0.5 * claim.step * scale
        if difference < half or (difference == half and abs(a) >= 10 * claim.step * scale):
            return True
    round_step = _round_step(claim) * scale
    if claim.relation == "about":
        return difference <= APPROXIMATE * abs(b)
    if _round_step(claim) > _round_step(other):  # a bound is rounder than what it bounds
        if claim.relation == "more":
            return a < b <= a + max(BEYOND * abs(a), round_step)
        if claim.relation == "less":
            return a > b >= a - max(BEYOND * abs(a), round_step)
    return _rounded(claim) and difference <= 0.5 * round_step


def _round_step(quantity: Quantity) -> float:
    """The worth of its last digit that is not zero: "12,000" has 1,000."""
    step, number = quantity.step, abs(quantity.numbers[0])
    while step * 10 <= number and abs(number / (step * 10) - round(number / (step * 10))) < 1e-9:
        step *= 10
    return step


def _rounded(quantity: Quantity) -> bool:
    """Whether a bare number looks rounded by itself: at least three zeros at its end."""
    return _round_step(quantity) >= 1000 * min(quantity.step, 1.0)
