"""Numbers, dates and times of a claim against the passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from assay.signals.fact_check import MOST, Check, Finding
from assay.signals.fact_index import Facts
from assay.text.dates import Clock, Date, covered, fits
from assay.text.quantities import Quantity, agree

CONFLICT = 0.4
"""A sentence with this share of the claim's content words may contradict a number that stands nowhere."""
COUNTED = 0.1
"""The same, if it counts the same thing by name."""
MISCOUNTED = 0.25
"""One with this share may contradict a number that stands elsewhere, but counts something else there."""
ELSEWHERE = 0.6
"""One with this share may contradict a number that stands elsewhere in the context."""
OTHER_DATE = 0.3
"""One with this share may contradict a date that stands elsewhere."""
FAR = 0.6
"""Elsewhere means: where less than this share of the best sentence's words stands."""
FAR_DATE = 0.8
"""The same for dates."""
_MANY = 24
_COMPUTED = re.compile(
    r"\b(?:total(?:s|l?ing)?|combined|altogether|sum|difference|average[ds]?|averaging|in all|later|earlier"
    r"|apart|older|younger|increased? by|decreased? by|(?:rose|fell|grew|dropped) by|remaining|aged?"
    r"|at the age of|a further)\b",
    re.IGNORECASE,
)
_COUNTED = 12
_SHORT_ITEM = 6


def check_numbers(check: Check) -> Iterator[Finding]:
    """Findings on numbers, dates and clock times."""
    for quantity in check.facts.quantities[:MOST]:
        if not quantity.soft and (found := _quantity(check, quantity)) is not None:
            yield found
    for date in check.facts.dates[:MOST]:
        if (found := _date(check, date)) is not None:
            yield found
    for clock in check.facts.clocks[:MOST]:
        if (found := _clock(check, clock)) is not None:
            yield found


def _quantity(check: Check, claim: Quantity) -> Finding | None:
    if _numbers_next(check, claim) or any(agree(claim, other) for other in check.question.quantities[:MOST]):
        return None
    index = check.index
    holders = [(n, q) for n, (_, _, s) in enumerate(index.sentences) for q in s.quantities if agree(claim, q)]
    if not holders:
        return _absent(check, claim)
    return _misplaced(check, claim, holders)


def _numbers_next(check: Check, claim: Quantity) -> bool:
    """Whether it is the number of the next item of a list, left at the end of a short item: "Drugs 4."."""
    last = check.text[claim.end :].strip() == "." and claim.measure is None
    return last and claim.end - claim.start <= 2 and len(check.facts.words) <= _SHORT_ITEM


def _absent(check: Check, claim: Quantity) -> Finding | None:
    if not claim.dimension and not check.index.years.isdisjoint(claim.numbers):
        return None
    if _follows(check, claim):
        return None
    if found := _rival(check, claim, COUNTED, counted=True) or _rival(check, claim, CONFLICT):
        return found
    counted = claim.measure is None and claim.numbers[0] <= _COUNTED and claim.step == 1 and not claim.ordinal
    written = check.text[claim.start : claim.end]
    plausible = (counted and not written[:1].isdigit()) or _COMPUTED.search(check.text)
    return check.missing("number", claim.start, claim.end, "needs_arithmetic" if plausible else "missing")


def _rival(check: Check, claim: Quantity, least: float, counted: bool = False) -> Finding | None:
    """Another number for the same thing in a sentence with enough of the claim's words."""
    head = head_of(check.facts, check.text, claim)
    for number in check.ranked:
        if check.scores[number] < least:
            return None
        sentence, text = check.index.sentences[number][2], check.read(number)
        for other in sentence.quantities:
            if other.soft or other.ordinal != claim.ordinal or other.dimension != claim.dimension:
                continue
            same_thing = not head.isdisjoint(head_of(sentence, text, other))
            same_thing = same_thing or (claim.dimension != "" and not counted)
            if same_thing and not any(agree(own, other) for own in check.facts.quantities[:MOST]):
                return check.contradicted("number", claim.start, claim.end, number, other.start, other.end)
    return None


def head_of(facts: Facts, text: str, quantity: Quantity) -> frozenset[str]:
    """What a number counts: the words behind it, or the name before the colon in "stars: 4.5"."""
    if text[quantity.start - 2 : quantity.start] == ": ":
        return facts.tail(quantity.start - 2)
    return facts.head(quantity.end)


def _misplaced(check: Check, claim: Quantity, holders: list[tuple[int, Quantity]]) -> Finding | None:
    """The number stands in the context, but for something else, or far from the claim's words."""
    if not _counts_the_same(check, claim, holders):
        found = _rival(check, claim, MISCOUNTED, counted=not claim.dimension)
        if found is not None:
            return found
    if check.far(claim.start, claim.end, [n for n, _ in holders], FAR):
        return _rival(check, claim, ELSEWHERE)
    return None


def _counts_the_same(check: Check, claim: Quantity, holders: list[tuple[int, Quantity]]) -> bool:
    """Whether the number stands somewhere with the claim's unit, or with its noun if it has no unit."""
    if claim.dimension:
        return any(other.dimension == claim.dimension for _, other in holders)
    head = head_of(check.facts, check.text, claim)
    sentences = check.index.sentences
    same = (head_of(sentences[n][2], check.read(n), other) for n, other in holders)
    return not head or any(not head.isdisjoint(other) for other in same)


def _follows(check: Check, claim: Quantity) -> bool:
    """Whether the number is a sum, difference, share or count of numbers that stand near each other."""
    if claim.ordinal:
        return False
    if not _COMPUTED.search(check.text):
        return False
    for number in check.ranked[:4]:
        near = [q for s in check.around(number) for q in s.quantities if not q.soft][:_MANY]
        years = [r[0] for s in check.around(number) for d in s.dates for r in d.readings if r[0]][:_MANY]
        values = [q.values[0] for q in near if q.dimension == claim.dimension or not q.dimension]
        target = claim.values[0]
        slack = max(0.5 * claim.step * (claim.measure.factor if claim.measure else 1.0), 1e-9)
        if claim.relation:
            slack = max(slack, 0.1 * abs(target))
        if any(abs(made - target) <= slack for made in _made(values, claim.dimension)):
            return True
        spans = (abs(a - b) for a, b in combinations(years, 2))
        if claim.dimension in ("", "duration") and any(span == claim.numbers[0] for span in spans):
            return True
    return False


def _made(values: list[float], dimension: str) -> Iterator[float]:
    if len(values) > 1:
        yield sum(values)
        yield sum(values) / len(values)
    for a, b in combinations(values, 2):
        yield a + b
        yield abs(a - b)
        if dimension == "percent" and a and b:
            yield 100 * min(a, b) / max(a, b)
            yield 100 * abs(a - b) / a
            yield 100 * abs(a - b) / b
    if dimension == "percent":
        for value in values:
            yield 100 - value
    for three in islice(combinations(values, 3), 200):
        yield sum(three)


def _date(check: Check, claim: Date) -> Finding | None:
    if covered(claim, [*check.index.dates, *check.question.dates]):
        return _moved_date(check, claim)
    year = claim.readings[0][0] if claim.readings else None
    if year is not None and claim.readings[0][1:] == (None, None) and not claim.decade:
        stands = {n for q in check.question.quantities for n in q.numbers} | check.index.numbers
        if float(year) in stands or _year_follows(check, year):
            return None
    if not claim.readings and not check.index.dates:
        return check.missing("date", claim.start, claim.end)
    return _rival_date(check, claim, CONFLICT) or check.missing("date", claim.start, claim.end)


def _year_follows(check: Check, year: int) -> bool:
    """Decades ("the 1990s" holds 1994) and two-digit years ("2018-19")."""
    return any(
        other.decade and reading[0] is not None and reading[0] // 10 == year // 10
        for other in check.index.dates
        for reading in other.readings
    )


def _rival_date(check: Check, claim: Date, least: float) -> Finding | None:
    own = check.facts.dates[:MOST]
    for number in check.ranked:
        if check.scores[number] < least:
            return None
        for other in check.index.sentences[number][2].dates:
            if _comparable(claim, other) and not any(covered(other, [mine]) for mine in own):
                return check.contradicted("date", claim.start, claim.end, number, other.start, other.end)
    return None


def _comparable(one: Date, other: Date) -> bool:
    """Both name a year, both a month, or both a weekday, and they differ."""
    if one.weekdays and other.weekdays:
        return one.weekdays.isdisjoint(other.weekdays)
    for a in one.readings:
        for b in other.readings:
            if any(x is not None and y is not None for x, y in zip(a, b, strict=True)):
                return not fits(a, b, one.decade or other.decade)
    return False


def _moved_date(check: Check, claim: Date) -> Finding | None:
    """The date stands in the context, but only far from the claim's words, which have another one near."""
    if len(claim.weekdays) > 1:
        return _other_days(check, claim)
    holders = [n for n, (_, _, s) in enumerate(check.index.sentences) if _says_some(claim, s.dates)]
    if not holders or not check.far(claim.start, claim.end, holders, FAR_DATE):
        return None
    return _rival_date(check, claim, OTHER_DATE)


def _other_days(check: Check, claim: Date) -> Finding | None:
    """The context gives other days ("Monday to Friday"), and these ("Tuesday to Friday") nowhere."""
    if any(claim.weekdays == other.weekdays for other in check.index.dates):
        return None
    for number in check.ranked:
        if check.scores[number] < OTHER_DATE:
            return None
        for other in check.index.sentences[number][2].dates:
            if len(other.weekdays) > 1 and not any(
                other.weekdays == own.weekdays for own in check.facts.dates
            ):
                return check.contradicted("date", claim.start, claim.end, number, other.start, other.end)
    return None


def _says_some(claim: Date, dates: Iterable[Date]) -> bool:
    return any(covered(claim, [date]) or covered(date, [claim]) for date in dates)


def _clock(check: Check, claim: Clock) -> Finding | None:
    everywhere: list[Facts] = [check.question, *(s for _, _, s in check.index.sentences)]
    if any(claim.minutes & other.minutes for s in everywhere for other in s.clocks):
        return None
    hours = {float(minutes // 60) for minutes in claim.minutes if minutes % 60 == 0}
    hours |= {hour - 12 for hour in hours if hour > 12}
    if any(not hours.isdisjoint(q.numbers) for s in everywhere for q in s.quantities if not q.dimension):
        return None
    for number in check.ranked:
        if check.scores[number] < CONFLICT:
            break
        for other in check.index.sentences[number][2].clocks:
            if not any(other.minutes & own.minutes for own in check.facts.clocks[:MOST]):
                return check.contradicted("time", claim.start, claim.end, number, other.start, other.end)
    return check.missing("time", claim.start, claim.end)
