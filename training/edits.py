"""Small edits that make a supported statement wrong: a number, a date, a name, a denial, an opposite, a swap.

Each edit gives the new text and the characters that are wrong now.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_NUMBER = re.compile(
    r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w:/-])"
)
_YEAR = re.compile(r"(?<![\w.,:/-])(?:1[5-9]|20)\d\d(?![\w,:/-])")
_DATE = re.compile(rf"\b(?:{'|'.join([*MONTHS, *DAYS])})\b")
_NAME = re.compile(r"(?<=[a-z,;:] )(?:[A-Z][a-z]+|[A-Z]{2,5})(?: (?:[A-Z][a-z]+|[A-Z]{2,5})){0,2}\b")
_AUXILIARY = re.compile(
    r"\b(is|was|are|were|can|could|will|would|has been|have been|should|may|might|does|did|do)\b(?! not|n't)"
)
_NOT = re.compile(r"\b(is|was|are|were|can|could|will|would|should|may|might|does|did|do) not\b|\bcannot\b")
_WORD_NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
_OPPOSITES = [
    pair.split("/")
    for pair in """increase/decrease increased/decreased increases/decreases rise/fall rose/fell higher/lower
    highest/lowest more/less most/least before/after earlier/later first/last north/south east/west
    northern/southern eastern/western open/closed opened/closed always/never larger/smaller largest/smallest
    won/lost win/lose accepted/rejected approved/denied allowed/forbidden above/below inside/outside
    minimum/maximum positive/negative male/female husband/wife son/daughter father/mother brother/sister
    best/worst good/bad easy/difficult cheap/expensive old/new young/old hot/cold long/short early/late
    buy/sell bought/sold import/export success/failure agree/disagree support/oppose supports/opposes
    supported/opposed included/excluded includes/excludes with/without left/right public/private
    guilty/innocent alive/dead safe/dangerous strong/weak many/few all/none begin/end began/ended""".split()
]
_OPPOSITE = {a: b for pair in _OPPOSITES for a, b in (pair, pair[::-1])}
_OPPOSITE_WORD = re.compile(r"\b(" + "|".join(sorted(_OPPOSITE, key=len, reverse=True)) + r")\b")


@dataclass(frozen=True, slots=True)
class Edit:
    """``text`` with characters ``start:end`` wrong. ``kind`` is one of `KINDS`."""

    kind: str
    text: str
    start: int
    end: int


def number(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """Another number of the same look."""
    found = [m for m in _NUMBER.finditer(text) if not _YEAR.fullmatch(m[0])]
    if not found:
        words = list(re.finditer(r"\b(" + "|".join(_WORD_NUMBERS) + r")\b", text))
        if not words:
            return None
        chosen = seed.choice(words)
        return _put("number", text, chosen, seed.choice([w for w in _WORD_NUMBERS if w != chosen[0]]))
    chosen = seed.choice(found)
    return _put("number", text, chosen, other_number(chosen[0], seed))


def other_number(written: str, seed: random.Random) -> str:
    """A different number written as this one is."""
    plain = written.replace(",", "")
    decimals = len(plain.partition(".")[2])
    value = float(plain)
    for _ in range(20):
        choice = seed.random()
        if choice < 0.4 and value >= 2:
            new = value * seed.choice([0.5, 1.5, 2, 3, 0.8, 1.2, 10])
        elif choice < 0.7:
            new = value + seed.choice([-3, -2, -1, 1, 2, 3, 5, 10]) * 10**-decimals
        else:
            digits = [i for i, c in enumerate(plain) if c.isdigit()]
            at = seed.choice(digits)
            new = float(plain[:at] + seed.choice("123456789") + plain[at + 1 :])
        if new < 0:
            continue
        made = f"{new:,.{decimals}f}" if "," in written else f"{new:.{decimals}f}"
        if made != written and float(made.replace(",", "")) != value:
            return made
    return str(int(value) + 7)


def date(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """Another year, month or weekday."""
    found = [*_YEAR.finditer(text), *_DATE.finditer(text)]
    if not found:
        return None
    chosen = seed.choice(found)
    if chosen[0].isdigit():
        return _put(
            "date",
            text,
            chosen,
            str(int(chosen[0]) + seed.choice([-20, -10, -5, -3, -2, -1, 1, 2, 3, 4, 10])),
        )
    pool = MONTHS if chosen[0] in MONTHS else DAYS
    return _put("date", text, chosen, seed.choice([name for name in pool if name != chosen[0]]))


def name(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """Another name, one of ``names``."""
    found = [m for m in _NAME.finditer(text) if m[0] not in MONTHS and m[0] not in DAYS]
    others = [other for other in names if other not in text]
    if not found or not others:
        return None
    chosen = seed.choice(found)
    alike = [n for n in others if n.count(" ") == chosen[0].count(" ") and n not in chosen[0]]
    return _put("name", text, chosen, seed.choice(alike or others))


def swap(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """Two names of the statement change places."""
    found = [m for m in _NAME.finditer(text) if m[0] not in MONTHS and m[0] not in DAYS]
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a[0] != b[0]]
    # "X and Y" means the same the other way round.
    pairs = [(a, b) for a, b in pairs if not re.fullmatch(r",? ?(and|or|,)? ?", text[a.end() : b.start()])]
    if not pairs:
        return None
    a, b = seed.choice(pairs)
    new = text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]
    return Edit("swap", new, a.start(), b.end())


def negation(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """A denial more or one less."""
    denied = list(_NOT.finditer(text))
    if denied and seed.random() < 0.8:
        chosen = seed.choice(denied)
        return _put("negation", text, chosen, "can" if chosen[0] == "cannot" else chosen[1])
    plain = list(_AUXILIARY.finditer(text))
    if not plain:
        return None
    chosen = seed.choice(plain[:2])
    first, _, rest = chosen[0].partition(" ")
    return _put("negation", text, chosen, f"{first} not {rest}".strip() if rest else f"{first} not")


def opposite(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """A word becomes its opposite."""
    found = list(_OPPOSITE_WORD.finditer(text))
    if not found:
        return None
    chosen = seed.choice(found)
    return _put("opposite", text, chosen, _OPPOSITE[chosen[0]])


def names_in(text: str) -> list[str]:
    """Capitalised names inside sentences, for `name` to choose from."""
    return list(dict.fromkeys(m[0] for m in _NAME.finditer(text)))


KINDS: dict[str, Callable[[str, Sequence[str], random.Random], Edit | None]] = {
    "number": number,
    "date": date,
    "name": name,
    "swap": swap,
    "negation": negation,
    "opposite": opposite,
}


def any_edit(text: str, names: Sequence[str], seed: random.Random) -> Edit | None:
    """The first edit that applies, in random order."""
    kinds = list(KINDS.values())
    seed.shuffle(kinds)
    return next((made for kind in kinds if (made := kind(text, names, seed)) is not None), None)


def _put(kind: str, text: str, match: re.Match[str], new: str) -> Edit:
    return Edit(
        kind, text[: match.start()] + new + text[match.end() :], match.start(), match.start() + len(new)
    )
