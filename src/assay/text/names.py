"""Names of an English text, and the short forms under which the same name stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from assay.text.words import STOPWORDS, stem

_TOKEN = re.compile(
    r"(?<![\w°])(?:(?:[A-Z]\.){2,}|[A-Z]\.[A-Z](?!\w)|[A-Z](?![\w'’.])\.?|[^\W\d_][\w]*(?:['’&-][\w]+)*)"
)
_LINKS = frozenset(
    ["of", "de", "van", "von", "der", "da", "di", "du", "la", "le", "al", "bin", "del", "the", "and", "&"]
)
_INITIAL = re.compile(r"(?:^|[.!?:;•*\n\"“‘(|>-])[\s\"'“‘*_()#>-]*$")
_NOT_NAMES = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "i'll",
        "i'd",
        "ok",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "sir",
        "st",
        "jr",
        "sr",
        "inc",
        "ltd",
        "co",
        "corp",
        "llc",
        "am",
        "pm",
        "ad",
        "bc",
        "no",
        "yes",
        "step",
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
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "mondays",
        "tuesdays",
        "wednesdays",
        "thursdays",
        "fridays",
        "saturdays",
        "sundays",
        "christmas",
        "passage",
        "json",
        "passages",
        "bce",
        "ce",
    ]
)
_STATES = """AL alabama|AK alaska|AZ arizona|AR arkansas|CA california|CO colorado|CT connecticut|DE delaware
FL florida|GA georgia|HI hawaii|ID idaho|IL illinois|IN indiana|IA iowa|KS kansas|KY kentucky|LA louisiana
ME maine|MD maryland|MA massachusetts|MI michigan|MN minnesota|MS mississippi|MO missouri|MT montana
NE nebraska|NV nevada|NH new hampshire|NJ new jersey|NM new mexico|NY new york|NC north carolina
ND north dakota|OH ohio|OK oklahoma|OR oregon|PA pennsylvania|RI rhode island|SC south carolina
SD south dakota|TN tennessee|TX texas|UT utah|VT vermont|VA virginia|WA washington|WV west virginia
WI wisconsin|WY wyoming"""
_ALIASES = """us usa america american americans united states
uk britain british united kingdom england english|france french|netherlands dutch holland
spain spanish|germany german germans|greece greek greeks|denmark danish|switzerland swiss
ireland irish|wales welsh|scotland scottish|china chinese|poland polish|turkey turkish
sweden swedish|finland finnish|iraq iraqi|philippines filipino|thailand thai|cyprus cypriot
eu european union|un united nations|la los angeles|nyc new york city
covid coronavirus sars-cov-2 covid-19 ncov|sf san francisco
dc district columbia washington|facebook fb|television tv|islamic isis isil state daesh
president potus|wifi wi-fi|nsa national security agency|xbox one|doctor dr|robert bob
william bill|james jim|michael mike|thomas tom|joseph joe|richard dick|edward ed
christopher chris|daniel dan|matthew matt|benjamin ben|samuel sam|alexander alex|anthony tony
steven steve|catherine kate|elizabeth liz|jennifer jen|margaret maggie|nicholas nick|david dave
timothy tim|ronald ron"""


def _aliases() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    groups = [group for line in (*_STATES.split("\n"), *_ALIASES.split("\n")) for group in line.split("|")]
    for group in groups:
        members = group.lower().split()
        for member in members:
            table.setdefault(member, set()).update(members)
    return {word: frozenset(members - {word}) for word, members in table.items()}


_ALIAS = _aliases()


_LONGEST = 40
_ACRONYM = 3
_LEAST_STEM = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name: its words, compared in lower case. An initial one begins a sentence and may be no name."""

    start: int
    end: int
    words: tuple[str, ...]
    initial: bool

    @property
    def initials(self) -> str:
        """The first letters, as an acronym has them."""
        return "".join(word[0] for word in self.words)


def find_names(text: str) -> list[Name]:
    """Runs of capitalised words, also those at the beginning of sentences."""
    names: list[Name] = []
    run: list[tuple[int, int, str]] = []
    links: list[tuple[int, int, str]] = []
    for match in _TOKEN.finditer(text):
        word, start = match.group(), match.start()
        last = (links or run)[-1][1] if run else -1
        joined = run and start - last == 1 and text[last] == " "
        if run and not joined:
            names += _name(text, run)
            run, links = [], []
        if word[0].isupper() and (word.lower() not in STOPWORDS or word in ("US", "WHO")):
            run += [*links, (start, match.end(), word)]
            links = []
        elif run and word in _LINKS and not links and word not in ("the", "and"):
            links = [(start, match.end(), word)]
        elif run:
            names += _name(text, run)
            run, links = [], []
    return names + (_name(text, run) if run else [])


def _name(text: str, run: list[tuple[int, int, str]]) -> list[Name]:
    kept = [(start, end, form(word)) for start, end, word in run]
    while kept and kept[0][2] in _NOT_NAMES:
        kept.pop(0)
    while kept and kept[-1][2] in _NOT_NAMES:
        kept.pop()
    if not kept:
        return []
    start, end = kept[0][0], kept[-1][1]
    if text[end - 2 : end] in ("'s", "’s"):
        end -= 2
    before = text[max(0, start - 24) : start]
    initial = not before.strip() or _INITIAL.search(before) is not None
    words = tuple(word for _, _, word in kept if word not in _LINKS)
    return [Name(start, end, words, initial)] if words else []


def form(word: str) -> str:
    """How a word of a name is compared: lower case, no dots, no possessive."""
    return _form(word[:-1] if word[-1:] == "s" and len(word) > 2 and word[:-1].isupper() else word)


@lru_cache(maxsize=16_384)
def _form(word: str) -> str:
    word = word.replace("’", "'").lower()
    if word.endswith("'s"):
        word = word[:-2]
    return word.replace(".", "")


def _similar(one: str, other: str) -> bool:
    """Most of the beginning in common: "Russian" for "Russia", "Mohammad" for "Mohammed"."""
    longest = max(len(one), len(other))
    return _LEAST_STEM + 3 <= longest <= _LONGEST and one[: longest - 3] == other[: longest - 3]


def same_name(one: Name, other: Name) -> bool:
    """Whether two names may name the same: a common word, "Yemen" and "Yemeni", "EAS" and its long form."""
    if one.initials == "".join(other.words) or other.initials == "".join(one.words):
        return True
    return any(
        a == b or _similar(a, b) or b in _ALIAS.get(a, ()) or (min(len(a), len(b)) < 4 and a[:1] == b[:1])
        for a in one.words
        for b in other.words
    )


class NameBook:
    """The words and acronyms of a text, to look names up in.

    Args:
        words: The words of the text, also as stems.
        names: The names of the text.
        initials: The first letters of its words in order, for acronyms of words that are no names.
    """

    def __init__(self, words: Iterable[str], names: Iterable[Name], initials: str = "") -> None:
        self.initials = initials
        self.words = frozenset(words)
        names = tuple(names)
        self.acronyms = frozenset(
            name.initials[first : first + size]
            for name in names
            if 2 <= len(name.words) <= 8
            for first in range(len(name.words) - 1)
            for size in range(2, len(name.words) - first + 1)
        )
        self.written = frozenset(word for name in names for word in name.words)
        self._alike: dict[str, list[str]] = {}
        for word in self.written:
            if len(word) >= 4:
                self._alike.setdefault(word[:4], []).append(word)

    def holds(self, word: str) -> bool:
        """Whether a name's word stands in the text in the same or in a short or long form."""
        if word in self.words or stem(word) in self.words or word in self.written:
            return True
        if not _ALIAS.get(word, frozenset()).isdisjoint(self.words) or (
            2 <= len(word) <= 6 and word in self.acronyms
        ):
            return True
        parts = [part for part in word.split("-") if part and not part.isdigit()]
        if "-" in word and parts and all(part in self.words or stem(part) in self.words for part in parts):
            return True
        if any(
            word[:cut] in self.words and word[cut:] in self.words for cut in range(2, min(len(word), 12) - 1)
        ):
            return True  # "WiFi" for "Wi Fi"
        return any(_similar(word, other) for other in self._alike.get(word[:4], ()))

    def spells(self, acronym: str) -> bool:
        """Whether neighbouring words begin with the letters of an acronym."""
        return len(acronym) >= _ACRONYM and acronym in self.initials

    def holds_name(self, name: Name) -> tuple[str, ...]:
        """The words of a name that stand nowhere; none if its acronym stands there."""
        if len(name.words) > 1 and name.initials in self.written:
            return ()
        return tuple(word for word in name.words if not self.holds(word))
