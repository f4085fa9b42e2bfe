"""Which sentences say something that can be checked. When in doubt a sentence is checkable."""

from __future__ import annotations

import re

from assay.text.patterns import LazyPattern
from assay.text.plain import plain
from assay.text.refusals import find_refusal, may_refuse
from assay.text.smalltalk import may_be_small_talk, small_talk
from assay.text.words import words

_ALNUM = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"\d")
_QUESTION_END = re.compile(r"[?？؟][\s\"'”’»)\]*_]{0,8}$")
_LOADED = LazyPattern(
    r"\b(?:did you know|believe (?:that|it)|that the|do you know that|you know that|is(?:n't| not) it "
    r"true|it true that|are you "
    r"aware|remember (?:when|that)"
    r"|who (?:knew|would have)|right\?|correct\?|is(?:n't| not) (?:it|he|she|that)\?|(?:wo|do|does|did"
    r"|was|were|are)n't (?:\w+ )?(?:\w+)\?)",
)
_ASIDE = re.compile(r", (?:who|which|whose)\b|[.!;] \w")
_OFFERS = LazyPattern(
    r"(?:so |and |now,? |by the way,? |also,? )?(?:would you (?:like|prefer|want)|do you (?:want|need"
    r"|have any|have more|have other)"
    r"|(?:is there|are there) (?:anything|something|any other|any specific)|(?:can|could|may|shall"
    r"|should|how (?:can|may|could)) i "
    r"|(?:can|could|would|will) you (?:please |kindly )?(?:\w+ )|what (?:else|would you|do you|can i)"
    r"|which \w+ (?:would|do) you|anything else"
    r"|want me to|need (?:more|any|help)|does (?:this|that) help|how(?: else)? can)",
)
_ASKS = LazyPattern(r"(?:so |and |but |then |now |well,? )?(?:who|whom|whose|what|where|when|which|how)\b")
_ASKS_YES_NO = LazyPattern(
    r"(?:so |and |but )?(?:why|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|may"
    r"|might|shall)\b",
)
_NAME = re.compile(r"(?<=[\w,;] )[A-ZÀ-ÞΑ-ΩА-Я]\w")
_STATES = LazyPattern(
    r"\b(?:is|are|was|were|has|have|had|did|does|will|won|built|born|died|became|can|cannot|must"
    r"|causes?|caused|killed"
    r"|invented|discovered|founded|contains?|costs?|lives?|lived|makes?|made)\b|n['’]t\b",
)
_STOP_END = re.compile(r"[.!。！]\W{0,6}$")
_NUMBERED = LazyPattern(
    r"\W{0,4}(?:(?:step|part|phase|section|chapter|stage|day|option|method|tip|point"
    r"|question)\s)?\d{1,3}(?:\.\d{1,2}){0,3}\W{1,3}",
)
_WH_TITLE = LazyPattern(r"\W{0,4}(?:how|why|what|when|where|who|which)\b")
_SHORT_QUESTION = 8


def is_checkable(sentence: str) -> tuple[bool, str]:
    """Whether a sentence says something that can be checked, and why not.

    Args:
        sentence: One sentence, list item or table row as it stands in the response.

    Returns:
        ``(True, "")``, or False with "no words", "question", "refusal" or a kind of small talk
        ("pleasantry", "offer", "announcement", "disclaimer").
    """
    if not _ALNUM.search(sentence):
        return False, "no words"
    if len(sentence) > 2000:
        return True, ""
    asks = _QUESTION_END.search(sentence[-40:]) is not None
    if not (asks or may_refuse(sentence) or may_be_small_talk(sentence)):
        return True, ""
    clean = plain(sentence)[0].strip()
    if not _ALNUM.search(clean):
        return True, ""  # nothing but citations: a dangling one must not go unseen
    why: str | None
    if asks or _QUESTION_END.search(clean[-40:]):
        why = "question" if _only_asks(clean) else None
    else:
        why = small_talk(clean) or _refusal(sentence)
    return (True, "") if why is None else (False, why)


def _refusal(sentence: str) -> str | None:
    found = find_refusal(sentence)
    return "refusal" if found is not None and not found.rest else None


def _only_asks(clean: str) -> bool:
    """Whether a question asserts nothing on the way: no number, no "Did you know that", no named claim."""
    if _DIGIT.search(clean) or _LOADED.search(clean) or _ASIDE.search(clean):
        return False
    if _OFFERS.match(clean) or _ASKS.match(clean):
        return not _several_statements(clean)
    named = _NAME.search(clean) is not None
    return not named and (_ASKS_YES_NO.match(clean) is not None or len(words(clean)) <= _SHORT_QUESTION)


def _several_statements(clean: str) -> bool:
    return len(clean) > 200 or clean.count(",") > 2


def states_something(title: str) -> bool:
    """Whether a heading is a statement in disguise ("The tower is 900 m high", "Population: 999 million")."""
    title = title[:300]
    if numbered := _NUMBERED.match(title):
        title = title[numbered.end() :]
    count = len(words(title))
    if ":" in title and _DIGIT.search(title.partition(":")[2]):
        return True
    if count < 4 or _WH_TITLE.match(title):
        return False
    return _STOP_END.search(title) is not None or _STATES.search(title) is not None
