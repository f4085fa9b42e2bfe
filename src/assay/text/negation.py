"""Words that deny, and pairs of opposites."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text.patterns import LazyPattern
from assay.text.words import stem

_DENIAL = LazyPattern(
    r"\b(?:not(?! only| just| necessarily)|never|no longer|cannot|neither|nor|none|nobody|nothing"
    r"|without|no(?! doubt)|false)\b(?!\.\s*\d)",
    r"\b\w{2,6}n['’]t\b(?! miss| forget| hesitate)",
)
_WEAK = LazyPattern(
    r"\b(?:fail(?:s|ed|ing)? to|refus\w+|declin\w+|den(?:y|ies|ied|ying)|unable|lack\w*|absen\w+|hardly"
    r"|barely|rarely|seldom|few|little|stopped"
    r"|unlikely|unclear|unknown|reject\w*|prevent\w*|avoid\w*|instead of"
    r"|rather than|except|un(?!der|it|til|ion|iv|iq|cle)\w{4,}"
    r"|in(?:ability|sufficient|complete|correct|valid|capable)\w*"
    r"|im(?:possible|proper)\w*|dis(?!c|t|h|pl)\w{4,}|non-?\w{4,}|\w+less)\b"
)
_PAIRS = """increase/decrease increased/decreased increases/decreases increasing/decreasing rise/fall
    rose/fell risen/fallen rising/falling higher/lower high/low highest/lowest most/least
    first/last north/south east/west northern/southern eastern/western northeast/southwest open/closed
    opened/closed always/never larger/smaller large/small big/small largest/smallest won/lost win/lose
    accepted/rejected approved/denied approved/rejected allowed/forbidden allowed/prohibited above/below
    inside/outside indoor/outdoor minimum/maximum positive/negative male/female
    son/daughter father/mother brother/sister best/worst better/worse good/bad
    easy/difficult cheap/expensive young/old hot/cold warm/cool long/short early/late
    buy/sell bought/sold import/export success/failure succeed/fail agree/disagree support/oppose
    supports/opposes supported/opposed included/excluded includes/excludes with/without left/right
    public/private guilty/innocent alive/dead safe/dangerous strong/weak many/few all/none begin/end
    began/ended start/end started/ended starts/ends upper/lower up/down true/false legal/illegal
    possible/impossible gain/loss gained/lost profit/loss heavy/light fast/slow faster/slower full/empty
    wide/narrow deep/shallow major/minor majority/minority hired/fired present/absent arrival/departure
    arrived/departed enter/exit acquit/convict acquitted/convicted victory/defeat add/remove added/removed
    urban/rural domestic/foreign"""
_OPPOSITES: dict[str, frozenset[str]] = {}
for _pair in _PAIRS.split():
    _a, _b = (stem(word) for word in _pair.split("/"))
    _OPPOSITES[_a] = _OPPOSITES.get(_a, frozenset()) | {_b}
    _OPPOSITES[_b] = _OPPOSITES.get(_b, frozenset()) | {_a}


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies, and where it stands."""

    start: int
    end: int


def find_denials(text: str) -> list[Denial]:
    """The words that turn a statement round, in order."""
    return [Denial(match.start(), match.end()) for match in _DENIAL.finditer(text)]


def leans_to_denial(text: str) -> bool:
    """Whether a text holds words that can deny without "not": "failed to", "unable", "hardly", "only"."""
    return _WEAK.search(text) is not None


def opposites(word_stem: str) -> frozenset[str]:
    """The stems of the words that say the opposite of a word."""
    return _OPPOSITES.get(word_stem, frozenset())
