"""Numbers written in words: "twenty-five", "a dozen", "two hundred and six", "third", "half"."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text.patterns import LazyPattern

_ONES_IN_ORDER = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
_TENS_IN_ORDER = """twenty thirty forty fifty sixty seventy eighty ninety"""
_ORDINALS_IN_ORDER = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
_ONES = {word: value for value, word in enumerate(_ONES_IN_ORDER.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_IN_ORDER.split(), 2)}
_ORDINALS = {word: value for value, word in enumerate(_ORDINALS_IN_ORDER.split(), 1)}
MAGNITUDES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS |= {"thirtieth": 30, "fortieth": 40, "fiftieth": 50, "hundredth": 100}
_GROUPS = {
    "dozen": 12.0,
    "half": 0.5,
    "halves": 0.5,
    "quarter": 0.25,
    "couple": 2.0,
    "pair": 2.0,
    "twice": 2.0,
}
_GROUPS |= {
    "double": 2.0,
    "triple": 3.0,
    "both": 2.0,
    "thrice": 3.0,
    "doubled": 2.0,
    "tripled": 3.0,
    "score": 20.0,
}
_SOFT_ORDINALS = 3
_PLAIN = {**_ONES, **_TENS}
_ANY = "|".join(sorted({*_PLAIN, *MAGNITUDES, *_ORDINALS}, key=len, reverse=True))
_WORDS = LazyPattern(
    rf"(?<![\w-])(?:an? (?=hundred|thousand|million|billion|trillion))?(?:{_ANY})"
    rf"(?:(?:[ -]| and )(?:{_ANY}))*(?![\w])",
    rf"(?<![\w])(?:(?:half )?a )?(?:{'|'.join(_GROUPS)})(?![\w-])",
)


@dataclass(frozen=True, slots=True)
class NumberWords:
    """A number in words. A soft one ("first", "one", "half") often means no number at all."""

    start: int
    end: int
    value: float
    ordinal: bool
    soft: bool


def find_number_words(text: str) -> list[NumberWords]:
    """The numbers written in words, in order."""
    found: list[NumberWords] = []
    for match in _WORDS.finditer(text):
        written = match.group().lower()
        group = written.split()[-1]
        if group in _GROUPS:
            value = 6.0 if written.startswith("half a") and group == "dozen" else _GROUPS[group]
            soft = group != "dozen"
            found.append(NumberWords(match.start(), match.end(), value, False, soft))
        else:
            found += _runs(written, match.start())
    return found


def _runs(written: str, offset: int) -> list[NumberWords]:
    """The numbers in a run of number words; "two three" and "five and six" are two."""
    found: list[NumberWords] = []
    total, current, ordinal = 0.0, 0.0, False
    start, end, last = -1, 0, ""
    position = 0
    for word in written.replace("-", " ").split(" "):
        at, position = position, position + len(word) + 1
        if word in ("and", "a", "an", ""):
            continue
        if start >= 0 and not _continues(last, word):
            found.append(_number(offset + start, offset + end, total + current, ordinal, last))
            total, current, ordinal, start = 0.0, 0.0, False, -1
        if word in MAGNITUDES:
            size = MAGNITUDES[word]
            current = max(current, 1) * size
            if size > 100:
                total, current = total + current, 0.0
        else:
            ordinal = word in _ORDINALS
            current += _ORDINALS[word] if ordinal else _PLAIN[word]
        start, end, last = at if start < 0 else start, at + len(word), word
    if start >= 0:
        found.append(_number(offset + start, offset + end, total + current, ordinal, last))
    return found


def _continues(last: str, word: str) -> bool:
    small = _PLAIN.get(word, _ORDINALS.get(word, 0))
    if word in MAGNITUDES:
        return last not in _ORDINALS
    if last in MAGNITUDES:
        return True
    return last in _TENS and 0 < small < 10


def _number(start: int, end: int, value: float, ordinal: bool, last: str) -> NumberWords:
    soft = value == 1 or (ordinal and value <= _SOFT_ORDINALS)
    soft = soft or (last in MAGNITUDES and value == MAGNITUDES[last])
    return NumberWords(start, end, value, ordinal, soft)
