"""Names, quotations, denials and opposites of a claim against the passages."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from assay.signals.fact_check import MOST, Check, Finding
from assay.signals.fact_index import Facts, content_stem
from assay.text.dates import covered
from assay.text.names import Name, NameBook, same_name
from assay.text.negation import leans_to_denial, opposites
from assay.text.quantities import agree
from assay.text.quotations import find_quotations
from assay.text.words import STOPWORDS, stem

DENIED = 0.4
"""A claim may deny what stands where this share of the words beside its denial stands,"""
ALIKE = 0.9
"""if nothing is denied in any place that holds at least this much of what the best one does."""
UNDENIED = 0.4
"""A claim may say what a sentence denies that holds this share of its content words."""
OPPOSITE = 0.4
"""A sentence may say the opposite that holds this share of the other words, numbers and dates."""
BESIDE = 4
"""Words of one name stand within so many words of each other."""
APART = 4
"""A name is out of place where the words beside it never stand within so many words of it."""
DISPLACED = 0.15
"""Only in sentences with at least this share of the claim's content words."""
STRANGE = 0.4
"""A name is out of place where less than this share of the words beside it stands around its places,"""
AT_HOME = 0.7
"""if at least this share of them stands together elsewhere."""
_FEW_WORDS = 3
_OVER = 3
_NEAR_DENIAL = 3
_TITLE = 0.75
_LISTED = re.compile(r"(?:,|,? and|,? or| &) [A-Z]")
_LISTED_BEFORE = re.compile(r"(?:,|,? and|,? or|&) $")
_COLON = re.compile(r"(?: \([A-Z]+\))?[*_ ]{0,4}:|[*_]{2}:?")
_ACRONYM = re.compile(r"\(([A-Z]{3,8})\)")
_CLAUSE = re.compile(r"[,.:;()\n—]")


def check_quotations(check: Check) -> Iterator[Finding]:
    """Quotations that stand in no passage (nor in the question) word for word."""
    for quotation in find_quotations(check.text)[:MOST]:
        for piece in quotation.pieces:
            if piece not in check.asked and not any(piece in p.spoken for p in check.index.passages):
                yield check.missing("quotation", quotation.start, quotation.end)
                break


def check_names(check: Check) -> Iterator[Finding]:
    """Names of which a word stands nowhere, or that stand only far from the claim's words."""
    facts = check.facts
    words = [word for _, _, word in facts.words if word not in STOPWORDS]
    named = sum(len(name.words) for name in facts.names)
    title_case = len(words) > _FEW_WORDS and named > _TITLE * len(words)
    spelled = _spelled_out(check)
    for name in facts.names[:MOST]:
        if name.end <= spelled or max(map(len, name.words)) == 1 or _heads(check, name):
            continue
        if name.initial and (len(name.words) == 1 or title_case):
            continue
        lost = _lost_words(check, name)
        if title_case:
            continue
        if lost:
            yield _lost_name(check, name, lost)
        elif found := _mixed(check, name) or _displaced(check, name) or _strange(check, name):
            yield found


def _heads(check: Check, name: Name) -> bool:
    """Whether the name is a heading: the first words of the claim, with a colon behind."""
    return name.initial and _COLON.match(check.text, name.end) is not None


def _spelled_out(check: Check) -> int:
    """The end of what stands before an acronym in brackets that the context holds: its own long form."""
    held = [m.start() for m in _ACRONYM.finditer(check.text) if _held(check, m[1].lower())]
    return max(held, default=0)


def _held(check: Check, word: str) -> bool:
    return any(passage.names.holds(word) for passage in check.index.passages)


def _mixed(check: Check, name: Name) -> Finding | None:
    """Two words of the name that stand in the context, but never beside each other."""
    for first, second in pairwise(name.words):
        one, other = stem(first), stem(second)
        if one in check.question.stems and other in check.question.stems:
            continue
        postings = check.index.postings
        if one in postings and other in postings and not check.beside(one, other, BESIDE):
            for number in [*postings[one], *postings[other]]:
                for theirs in check.index.sentences[number][2].names:
                    if len(theirs.words) > 1 and {first, second} & set(theirs.words):
                        return check.contradicted(
                            "name", name.start, name.end, number, theirs.start, theirs.end
                        )
    return None


def _displaced(check: Check, name: Name) -> Finding | None:
    """A word right beside the name stands in the context right beside another name, never near this one."""
    keys = {stem(word) for word in name.words}
    if not keys.isdisjoint(check.question.stems) or not any(key in check.index.postings for key in keys):
        return None
    if _LISTED.match(check.text, name.end) or _LISTED_BEFORE.search(
        check.text[max(0, name.start - 8) : name.start]
    ):
        return None
    facts = check.facts
    beside = [_neighbour(facts, name.start, -1), _neighbour(facts, name.end, 1)]
    if any(check.beside(key, word, APART) for key in keys for word in beside if word):
        return None
    for word, step in zip(beside, (-1, 1), strict=True):
        for number in check.index.postings.get(word, ()) if word else ():
            sentence = check.index.sentences[number][2]
            if check.scores[number] < DISPLACED or not keys.isdisjoint(sentence.stems):
                continue
            for theirs in sentence.names:
                place = theirs.start if step < 0 else theirs.end
                if _another(check, theirs) and _neighbour(sentence, place, step) == word:
                    return check.contradicted("name", name.start, name.end, number, theirs.start, theirs.end)
    return None


def _another(check: Check, theirs: Name) -> bool:
    """Whether a name of the context is surely one, and none of the claim's."""
    if theirs.initial and len(theirs.words) == 1:
        return False
    return not any(same_name(mine, theirs) for mine in check.facts.names[:MOST])


def _neighbour(facts: Facts, place: int, step: int) -> str:
    """The stem of the content word right before or after a place, over function words; empty if none."""
    at = bisect_left(facts.words, (place, -1, "")) - (step < 0)
    for number in range(at, at + step * _OVER, step):
        if 0 <= number < len(facts.words) and (found := content_stem(facts.words[number][2])):
            return found
    return ""


def _strange(check: Check, name: Name) -> Finding | None:
    """The name stands in the context, but only far from the claim's words, which have another one near."""
    keys = {stem(word) for word in name.words}
    if not keys.isdisjoint(check.question.stems):
        return None
    holders = {n for key in keys for n in check.index.postings.get(key, ())}
    if not holders or not check.far(name.start, name.end, holders, STRANGE):
        return None
    windows = check.windows(check.local(name.start, name.end))
    best = max(windows, key=lambda n: (windows[n], -n))
    if windows[best] < AT_HOME:
        return None
    for number in sorted(range(best - 1, best + 2), key=lambda n: abs(n - best)):
        if number in windows:
            for other in check.index.sentences[number][2].names:
                if _another(check, other):
                    return check.contradicted("name", name.start, name.end, number, other.start, other.end)
    return None


def _lost_words(check: Check, name: Name) -> tuple[str, ...]:
    asked = {word for _, _, word in check.question.words}
    lost: tuple[str, ...] = name.words[1:] if name.initial else name.words
    for passage in check.index.passages:
        held = passage.names.holds_name(name)
        lost = tuple(word for word in lost if word in held and not _spelt(check, name, word, passage.names))
        if not lost:
            return ()
    return tuple(word for word in lost if word not in asked and stem(word) not in check.question.stems)


def _spelt(check: Check, name: Name, word: str, book: NameBook) -> bool:
    """Whether a word of the name is written as an acronym and the passage has its long form."""
    return book.spells(word) and word.upper() in check.text[name.start : name.end]


def _lost_name(check: Check, name: Name, lost: tuple[str, ...]) -> Finding:
    """A name that shares its last or first word with another one of the context is contradicted by it."""
    kept = set(name.words) - set(lost)
    if kept:
        for number in check.ranked:
            for other in check.index.sentences[number][2].names:
                if len(other.words) > 1 and kept & set(other.words):
                    return check.contradicted("name", name.start, name.end, number, other.start, other.end)
    return check.missing("name", name.start, name.end)


def check_denials(check: Check) -> Iterator[Finding]:
    """A denial more or less than in the sentence with the same words, and words that say the opposite."""
    if len(check.facts.stems) >= _FEW_WORDS:
        found = None
        if check.facts.denials:
            found = _denied(check)
        elif check.best >= UNDENIED:
            found = _undenied(check, check.ranked[0])
        if found is not None:
            yield found
            return
    if not check.facts.denials:
        yield from _opposite(check)


def _denied(check: Check) -> Finding | None:
    """The claim denies what no sentence near its words denies."""
    facts = check.facts
    denial = facts.denials[0]
    if check.text[: denial.start].endswith((" or ", " if ")):
        return None
    windows = check.windows(check.local(denial.start, denial.end))
    best = max(windows.values(), default=0.0)
    if best < DENIED:
        return None
    alike = [number for number, share in windows.items() if share >= ALIKE * best]
    for number in alike:
        for near in check.around(number):
            text = check.read(number)[near.start : near.end]
            if near.denials or leans_to_denial(text):
                return None
    chosen = max(alike, key=lambda n: (check.scores[n], -n))
    sentence = check.index.sentences[chosen][2]
    follows = _next_stem(facts, check.text, denial.end)
    place = (sentence.start, sentence.end)
    if follows is not None and follows in sentence.stems:
        place = _word_at(sentence, follows)
    return check.contradicted("negation", denial.start, denial.end, chosen, *place)


def _undenied(check: Check, best: int) -> Finding | None:
    """The claim says plainly what the sentence with its words denies."""
    facts, sentence = check.facts, check.index.sentences[best][2]
    if leans_to_denial(check.text):
        return None
    for denial in sentence.denials:
        follows = _next_stem(sentence, check.read(best), denial.end)
        if follows is not None and follows in facts.stems and not _said_plainly(check, best, follows):
            start, end = _word_at(facts, follows)
            place = _word_at(sentence, follows)
            return check.contradicted("negation", start, end, best, denial.start, max(denial.end, place[1]))
    return None


def _said_plainly(check: Check, best: int, word: str) -> bool:
    """Whether a neighbouring sentence says the word without denying."""
    sentence = check.index.sentences[best][2]
    return any(word in near.stems and not near.denials for near in check.around(best) if near is not sentence)


def _next_stem(facts: Facts, text: str, position: int) -> str | None:
    """The stem of the next content word, at most a few words on and in the same clause."""
    following = [span for span in facts.words if span[0] >= position][:_NEAR_DENIAL]
    for start, _, word in following:
        if _CLAUSE.search(text, position, start):
            return None
        if word not in STOPWORDS:
            return stem(word)
    return None


def _word_at(facts: Facts, word_stem: str) -> tuple[int, int]:
    return next((start, end) for start, end, word in facts.words if stem(word) == word_stem)


def _opposite(check: Check) -> Iterator[Finding]:
    """A word of the claim of which a sentence with the claim's other words and numbers says the opposite."""
    facts = check.facts
    for start, end, word in facts.words:
        key = stem(word)
        for against in opposites(key):
            for number in check.index.postings.get(against, ()):
                sentence = check.index.sentences[number][2]
                if sentence.denials or against in facts.stems or not _alike(check, number, key):
                    continue
                if not any(key in near.stems for near in check.around(number)):
                    yield check.contradicted("opposite", start, end, number, *_word_at(sentence, against))
                    return


def _alike(check: Check, number: int, key: str) -> bool:
    """Whether a sentence holds most of the claim's words but one, numbers and dates counted as words."""
    facts, sentence = check.facts, check.index.sentences[number][2]
    others = facts.stems - {key}
    held = len(others & sentence.stems)
    held += sum(any(agree(mine, q) for q in sentence.quantities) for mine in facts.quantities[:MOST])
    held += sum(covered(date, sentence.dates) for date in facts.dates[:MOST])
    size = len(others) + len(facts.quantities[:MOST]) + len(facts.dates[:MOST])
    return held >= _FEW_WORDS - 1 and held >= OPPOSITE * size
