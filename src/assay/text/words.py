"""Words of a text in any script, their places, and the plain English matching of word forms."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from assay.text.patterns import LazyPattern

# Marks and joiners that belong to the letter before them; `\w` leaves them out, which would cut
# Devanagari, Thai or decomposed Latin words at every vowel sign. Dandas and digits stay outside.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3"
    "\u0816-\u082d\u0859-\u085b\u08d3-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09d7"
    "\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc-\u0acd\u0ae2\u0ae3\u0afa-\u0aff"
    "\u0b01-\u0b03\u0b3c-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c62\u0c63"
    "\u0c81-\u0c83\u0cbc-\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83"
    "\u0dca-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35"
    "\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u1059\u105e-\u106d\u1071-\u108d"
    "\u135d-\u135f\u1712-\u1715\u17b4-\u17d3\u17dd\u180b-\u180d\u1920-\u193b\u1ab0-\u1ace\u1b00-\u1b04"
    "\u1b34-\u1b44\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\ua66f\ua802-\ua827\ua880-\ua8c5\ua8e0-\ua8f1"
    "\ua926-\ua953\ua980-\ua9c0\uaa29-\uaa4d\uaa7b-\uaa7d\uaab0-\uaac1\uabe3-\uabed\ufb1e\ufe20-\ufe2f"
)
# Superscript digits are exponents or citation markers, never part of a word.
_SUPERSCRIPTS = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
_CJK = (
    "\u3005-\u3007\u3031-\u3035\u3040-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_SUPERSCRIPTS}{_CJK}]"
_UNIT = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
# A hyphen joins words, not the two ends of a range ("1990-2000"); separators join digits only.
_JOINER = r"(?:['’ʼ]|(?<!\d)[-‐‑]|[-‐‑](?!\d)|(?<=\d)[.,:٫٬](?=\d))"
_TOKEN = LazyPattern(rf"{_UNIT}(?:{_JOINER}{_UNIT})*|[{_CJK}]+", ignore_case=False)
_ASCII_TOKEN = re.compile(
    r"[a-z0-9]+(?:(?:'|(?<![0-9])-|-(?![0-9])|(?<=[0-9])[.,:](?=[0-9]))[a-z0-9]+)*", re.IGNORECASE
)
_ASCII_RUN = re.compile(r"[A-Za-z0-9]+(?:['\-.,:][A-Za-z0-9]+)*")
_IS_CJK = LazyPattern(rf"[{_CJK}]", ignore_case=False)
_CJK_UNIT = re.compile(r".[\u3099\u309a\uff9e\uff9f]*", re.DOTALL)  # a kana keeps its voicing marks
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "‐": "-", "‑": "-", "\u00ad": "", "\u200c": "", "\u200d": ""})
# One character for one, so that offsets hold; most English prose is ASCII after this, and then fast.
_TYPOGRAPHIC = (
    ("’", "'"),
    ("‘", " "),
    ("“", " "),
    ("”", " "),
    ("–", " "),
    ("—", " "),
    ("…", " "),
    ("•", " "),
    ("‑", "-"),
)

_ENGLISH_FUNCTION_WORDS = """
    a about above after again against all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down
    during each either etc even ever few for from further had hadn't has hasn't have haven't having he he'd
    he'll he's her here here's hers herself him himself his how how's however i i'd i'll i'm i've if in into
    is isn't it it'd it'll it's its itself just let's may me might more most must mustn't my myself neither
    no nor not of off on once only onto or other ought our ours ourselves out over own per same shall she
    she'd she'll she's should shouldn't so some such than that that's the their theirs them themselves then
    there there's these they they'd they'll they're they've this those though through thus to too under
    until up upon us very via was wasn't we we'd we'll we're we've were weren't what what's when where
    where's whether which while who who's whom whose why will with within without won't would wouldn't yet
    yes you you'd you'll you're you've your yours yourself yourselves
"""
STOPWORDS: frozenset[str] = frozenset(_ENGLISH_FUNCTION_WORDS.split())
"""English function words. Number words and negated meanings that matter are compared elsewhere."""

_DOUBLED = re.compile(r"([bdgmnprtl])\1$")
_VOWEL = re.compile(r"[aeiouy]")
_SHORT = re.compile(r"[^aeiouy]+[aeiouy][^aeiouywx]")
_SILENT_E = re.compile(r"[^aeiouy]{2}e$|.{4}[^aeiouy]e$")
_SIBILANT_ES = re.compile(r"(?:ss|sh|ch|x)es$")


def _form(token: str) -> str:
    """How a token is compared: compatibility forms unified, case folded, typographic marks made plain."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", token).casefold())
    return "".join(folded.translate(_PLAIN).split())


def word_spans(text: str) -> list[tuple[int, int, str]]:
    """Words with their places: ``(start, end, form)``, offsets into the text as given.

    The form is what `words` returns. Chinese and Japanese characters give overlapping pairs.
    """
    plain = _plain(text)
    if plain.isascii():
        return _ascii_spans(plain)
    spans: list[tuple[int, int, str]] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token.isascii():
            spans.append((match.start(), match.end(), token.lower()))
        elif _IS_CJK.match(token):
            spans += [(a, b, form) for a, b in _pairs(match.start(), token) if (form := _form(text[a:b]))]
        elif form := _form(token):
            spans.append((match.start(), match.end(), form))
    return spans


def _ascii_spans(text: str) -> list[tuple[int, int, str]]:
    """Tokens of ASCII text: nearly all are plain runs; only joined ones need the exact rules of joining."""
    spans = []
    for run in _ASCII_RUN.finditer(text):
        token = run.group()
        if token.isalnum():
            spans.append((run.start(), run.end(), token.lower()))
        else:
            inside = _ASCII_TOKEN.finditer(text, run.start(), run.end())
            spans += [(m.start(), m.end(), m.group().lower()) for m in inside]
    return spans


def _plain(text: str) -> str:
    """The same text, character for character, with the typographic marks of English prose made ASCII."""
    if not text.isascii():
        for mark, plain in _TYPOGRAPHIC:
            text = text.replace(mark, plain)
    return text


def _pairs(offset: int, run: str) -> list[tuple[int, int]]:
    units = [(m.start() + offset, m.end() + offset) for m in _CJK_UNIT.finditer(run)]
    return [(a[0], b[1]) for a, b in pairwise(units)] or units


def words(text: str) -> list[str]:
    """The words of a text, case-folded, in order.

    Hyphenated words, contractions and numbers such as ``3.5``, ``1,000`` and ``12:30`` are one word each;
    markdown marks are not part of words. Chinese and Japanese text gives character pairs (a lone
    character stands for itself). Scripts without spaces (Thai, Lao, Khmer, Burmese) give their runs.
    """
    plain = _plain(text)
    if plain.isascii():
        found: list[str] = []
        for run in _ASCII_RUN.findall(plain.lower()):
            if run.isalnum():
                found.append(run)
            else:
                found += _ASCII_TOKEN.findall(run)
        return found
    return [form for _, _, form in word_spans(text)]


def content_words(text: str) -> list[str]:
    """The words that are not English function words, in order, repetitions kept."""
    return [word for word in words(text) if word not in STOPWORDS]


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A key under which the plural and verb endings of an English word coincide.

    Light on purpose: "decays" and "decay", "combined" and "combine" meet, "university" and "universe" do
    not. The key is for comparing only; it need not be a word.

    Args:
        word: A word as `words` gives it. Others, also non-English ones, come back nearly unchanged.
    """
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_ending(word)
    if len(word) > 4 and _DOUBLED.search(word):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and _SILENT_E.search(word) else word


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if _SIBILANT_ES.search(word):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and not word.endswith("eed"):
            return _verb(word, word[: -len(ending)])
    return word


def _verb(word: str, base: str) -> str:
    """The verb behind "-ed" or "-ing", or the word itself where that is no ending ("string", "red")."""
    if len(base) < 2 or not _VOWEL.search(base):
        return word
    if len(base) > 3 and _DOUBLED.search(base):
        return base[:-1] if base[-1] != "l" else base
    if len(base) == 2:
        return base + "e" if base[0] in "aeiou" or base[1] == "i" else base
    return base + "e" if _SHORT.fullmatch(base) else base
