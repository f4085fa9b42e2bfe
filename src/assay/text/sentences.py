"""Sentence ends inside one block of text: Punkt for English stops, a table for the other scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import punkt

_ANY_SCRIPT = "。！？｡．؟۔।॥።፧፨։។៕။༎᠃᠉᙮෴꓿꛳꛷᱾᱿"
# Runs of stops with the quotes, brackets and emphasis marks that close behind them.
_STOP = re.compile(rf"(?P<stop>[.!?…‼⁇⁈⁉{_ANY_SCRIPT}]+)[\"'”’»›)\]}}）】」』〉》*_~`]*")
_NEEDS_NO_SPACE = frozenset(_ANY_SCRIPT)
_MORE_STOPS = re.compile(r"[.!?…]*[\"'”’»)*_]*")
_SPACE = re.compile(r"\s*")
_ALNUM = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBERING = re.compile(r"\W{0,4}(?:\d{1,3}|[a-zA-Z])[.)]\W{0,4}")
_OPENERS = " \t\n\r\"'“”‘’«‹([{（【「『*_~`#>-–—•¿¡"
_CAMEL = re.compile(r"[a-z]{1,3}[A-Z]")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]", re.IGNORECASE)

_TITLES_ETC = """
al approx ca capt cf col dir dr e.g eg ed eds fig figs fr ft gen gov hon i.e ie lt maj messrs mr mrs ms mt mx
nr pres prof rep rev sec sen sgt st trans viz vs vol
"""
_NEVER = frozenset(_TITLES_ETC.split())
_BEFORE_NUMBERS = frozenset(["no", "nos", "p", "pp", "ch", "chap", "art", "eq", "eqs", "para", "pt", "sect"])
_MAY_END = frozenset(["inc", "ltd", "co", "corp", "jr", "sr", "etc", "ph.d", "dept", "est", "ave", "bros"])
_COMMON_STARTERS = """
a additionally all also although an and another as at because both but by during each even every finally
first for from further furthermore he her his however i if in it its many meanwhile more moreover most next no
not on one other our overall second several she since so some such that the their then there therefore these
they this those thus to under until we what when where while who why with yet you your
"""
_STARTERS = frozenset(_COMMON_STARTERS.split())
_LONGEST = 40


@cache
def _model() -> punkt.PunktParameters:
    import punkt  # takes longer to import than the rest of this package

    return punkt.with_nonbreaking_prefixes(punkt.load_model("english"), "english")


@cache
def _asks_punkt() -> frozenset[str]:
    """Words after which Punkt may see no sentence end: abbreviations and first parts of collocations."""
    model = _model()
    return frozenset(model.abbrev_types) | {first for first, _ in model.collocations}


def _breaks(word: str, following: str) -> bool:
    """Whether a sentence ends between a word with a period and what follows, as Punkt decides it."""
    # An ordinary word that the model does not know always ends one, whatever follows.
    if word.isalpha() and len(word) > 1 and word.lower() not in _asks_punkt() and not following[:1].isdigit():
        return True
    return _punkt_breaks(f"{word}.", following)


@lru_cache(maxsize=8192)
def _punkt_breaks(word: str, following: str) -> bool:
    """Whether Punkt ends a sentence between two tokens; a pure function of the two, hence the cache."""
    import punkt

    tokens = [punkt.PunktToken(word), punkt.PunktToken(following)]
    return bool(next(iter(punkt.annotate_tokens(tokens, _model()))).sentbreak)


def sentence_spans(
    text: str, start: int = 0, end: int | None = None, citations: Mapping[int, int] | None = None
) -> list[tuple[int, int]]:
    """Sentences of ``text[start:end]``, a single block (a blank line in it is plain space).

    Spans are in order and only whitespace lies between them; together they hold everything else.

    Args:
        text: The text that all offsets count in.
        start: Where the block starts.
        end: Where it ends; the end of the text if not given.
        citations: Start and end of citation markers. One that follows a sentence's stop belongs to it.
    """
    end = len(text) if end is None else end
    while end > start and text[end - 1].isspace():
        end -= 1
    first = _skip_space(text, start, end)
    spans: list[tuple[int, int]] = []
    seen, has_words = first, False
    cites = citations or {}
    position = first
    while match := _STOP.search(text, position, end):
        position, cited = _after_citations(text, match.end(), end, cites)
        if position >= end:
            break
        if not has_words:  # remembered, so that a long run of stops is looked at once
            has_words = _ALNUM.search(text, seen, position) is not None
            seen = position
        if not has_words or not _ends(text, first, match, position, cited):
            continue
        spans.append((first, position))
        first = position = _skip_space(text, position, end)
        seen, has_words = first, False
    if first < end:
        spans.append((first, end))
    return _join_wordless_tail(text, spans)


def _skip_space(text: str, position: int, end: int) -> int:
    match = _SPACE.match(text, position, end)
    return match.end() if match else position


def _join_wordless_tail(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if len(spans) > 1 and not _ALNUM.search(text, *spans[-1]):
        (first, _), (_, last) = spans[-2:]
        spans[-2:] = [(first, last)]
    return spans


def _after_citations(text: str, position: int, end: int, cites: Mapping[int, int]) -> tuple[int, bool]:
    """Past the citation markers that follow a stop on the same line, and whether there were any."""
    cited = False
    while cites:
        at = position
        while at < min(end, position + 3) and text[at] in " \t":
            at += 1
        if at not in cites or cites[at] > end:
            break
        position, cited = cites[at], True
    if cited and (more := _MORE_STOPS.match(text, position, end)):
        position = more.end()
    return position, cited


def _ends(text: str, first: int, match: re.Match[str], position: int, cited: bool) -> bool:
    """Whether the sentence that began at `first` ends with this stop."""
    stop = match["stop"]
    if stop[-1] in _NEEDS_NO_SPACE:
        return not (stop == "．" and text[position].isdigit())
    if not text[position].isspace():
        return cited and (text[position].isupper() or not text[position].isascii())
    following = _next_token(text, position)
    if following[:1].islower() and not _CAMEL.match(following):
        return False
    if stop != ".":
        return True
    return _period_ends(text, first, match.start(), following, cited)


def _next_token(text: str, position: int) -> str:
    rest = text[position : position + 2 * _LONGEST].lstrip(_OPENERS)
    parts = rest.split(None, 1)
    return parts[0][:_LONGEST] if parts else ""


def _period_ends(text: str, first: int, at: int, following: str, cited: bool) -> bool:
    before = text[max(first, at - _LONGEST) : at].split()
    word = before[-1].lstrip(_OPENERS).rstrip("\"'”’)]*_`") if before and not text[at - 1].isspace() else ""
    lowered = word.lower()
    starts = following.strip("\"'”’,;:.!?*_").lower() in _STARTERS
    if lowered in _NEVER:
        # "He moved to Main St. The house ..." ends; "Dr. The" does not occur.
        return lowered in ("st", "ft", "mt") and starts
    if lowered in _BEFORE_NUMBERS and following[:1].isdigit():
        return False
    if _is_numbering(text, first, at):
        return False
    if len(word) == 1 and word.isalpha():
        return cited or starts or not _is_initial(word, before)
    if word and (lowered in _MAY_END or _DOTTED.fullmatch(word)):
        return starts or cited
    if not word or not following or lowered == "ok":
        return True
    return _breaks(word[-_LONGEST:], following)


def _is_initial(letter: str, before: list[str]) -> bool:
    """Whether a single letter abbreviates a name ("George W.") or a word ("Roe v."), and is no symbol."""
    if letter.islower():
        return letter == "v"
    return len(before) < 2 or before[-2].lstrip(_OPENERS)[:1].isupper()


def _is_numbering(text: str, first: int, at: int) -> bool:
    """Whether all of the sentence so far is a number such as "2.": then what it numbers still follows."""
    return at - first < 8 and _NUMBERING.fullmatch(text, first, at + 1) is not None
