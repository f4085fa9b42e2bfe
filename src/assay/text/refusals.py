"""Whether a response refuses to answer: refused, answered, or undetermined, with the deciding words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.text.blocks import scan_blocks
from assay.text.hedges import find_hedges
from assay.text.patterns import LazyPattern
from assay.text.plain import MATERIAL, PERHAPS_MATERIAL, plain
from assay.text.refusal_patterns import (
    AT_START,
    BY_DOCUMENTS,
    BY_SPEAKER,
    DOUBTFUL,
    IMPERSONAL,
    LABELS,
)
from assay.text.scripts import main_script
from assay.text.sentences import sentence_spans
from assay.text.smalltalk import small_talk, speaks_of_material
from assay.text.words import STOPWORDS, words


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a response stands to answering.

    Attributes:
        state: "refused", "answered" or "undetermined".
        matches: Spans ``(start, end)`` of the wording that decided; empty if nothing spoke of refusing.
        language: The language whose wordings were looked for, or None if the text is in none of them.
        partial: Whether words of refusal and words of an answer stand side by side.
    """

    state: str
    matches: tuple[tuple[int, int], ...] = ()
    language: str | None = "en"
    partial: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A refusal inside a sentence and what else the sentence says."""

    start: int
    end: int
    rest: str


# Nothing below can match without one of these words or "n't". Most answers have none and end here.
_TRIGGER_WORDS = """
beyond cannot decline dont dunno fail fails idk impossible inadequate insufficient irrelevant lack lacks
limited little n/a na need neither never no none not nothing nowhere omit omits outside refuse scope
silent unable unanswerable unaware uncertain unclear undetermined unfamiliar unknown unrelated
unspecified unsure
"""
_TRIGGERS = frozenset(_TRIGGER_WORDS.split())
_EMPHASIS = re.compile(r"[*_`~]+")  # "does **not**", and also "does **n**ot"
_TRIGGER_TOKEN = re.compile(r"[a-z/]+")
_OPENING = LazyPattern(
    r"(?:(?:oh|hmm|well|hello|hi|sure|ok|okay|answer|response|a|note)\b[,.:!—–-]{1,2} ?"
    r"|(?:i(?:'m| am) )?(?:very |so |truly |really )?sorry(?: (?:about|for) (?:that|the \w{2,20}|any "
    r"\w{2,20}))?"
    r"|i (?:sincerely )?apologi[sz]e(?: for (?:the|any) \w{2,20})?|(?:my )?apologies|i regret(?: to "
    r"(?:say|inform you))?"
    r"|i(?:'m| am) afraid|unfortunately|regrettably|sadly|honestly|to be honest|however|therefore|thus"
    r"|so|but|and|also"
    r"|additionally|furthermore|moreover|as a result|as such|hence|at this time|currently|in (?:short"
    r"|summary|conclusion)"
    r"|overall|frankly|as an? (?:ai|language model|llm|assistant)(?: \w{2,12}){0,3}?(?=,| i )"
    r"|(?:based (?:solely |only |purely )?(?:up)?on|according to|from|given|in|within|using|with|per"
    r"|(?:after|upon|having) (?:carefully |thoroughly )?(?:review|search|read|examin|check|analy[sz]"
    r"|look)\w{1,5}(?: \w{2,9})?)"
    rf" (?:only )?[{MATERIAL}{PERHAPS_MATERIAL}](?: alone)?"
    r")(?:[,.:;!—–-]| -)? ?(?:(?:but|that|and|because|as)\b,? ?)?",
)
_CLAUSE_END = LazyPattern(
    r"(?:[,;:(—–]|\b(?:but|however|so|and|therefore|unfortunately|sorry|that|because|since|as|yet|or"
    r"|afraid|thus|hence"
    r"|currently|say|though|while|although|apologies|model|assistant|honestly|well|which))\s*$",
)
_REPORTED = LazyPattern(
    r"\b(?:he|she|they|who|said|says|told|asked|replied|wrote|sang|sings?|song|lyrics?|titled|called"
    r"|claimed|admitted|stated"
    r"|whispered|declared|answered|quotes?|phrases?|means)\b",
)
_CONTRAST_BEFORE = LazyPattern(r"(?:\b(?:but|however|although|though|yet|while)\b,?|[;—–])\s*$")
_CONCESSION = LazyPattern(r"(?:while|although|though|even though|whereas)\b")
_CONTRAST_AFTER = LazyPattern(
    r"(?:[,;.:—–-]\s*|\s)(?:but|however|although|though|yet|nevertheless|instead|nonetheless)\b,?\s*"
    r"|;\s*|\s[—–]\s"
    r"|,\s*(?=(?:maybe|perhaps|possibly|probably|i (?:think|guess|believe)|which|who|whose|where)\b)"
    r"|,?\s+and\s+(?=(?:the|it|he|she|they|this|we|in)\b)|,?\s+(?:because|since)\s+(?=(?:the|it|he|she"
    r"|they)\b)|[.!?][\"')\]]{0,3}\s+",
)
# "We do not know what dark matter is" speaks of mankind.
_WE_THE_MODEL = LazyPattern(
    rf"[{MATERIAL}{PERHAPS_MATERIAL}]|\b(?:answer|information|your|question|help|know\W*$)"
)
_HEDGED = LazyPattern(r"\b(?:i (?:think|guess|believe|suppose)|likely|seems?|may|not sure)\b")
_NEUTRAL_REST = LazyPattern(
    r"(?:please|feel free|let me|if you|you (?:can|may|might|could|should)|i(?:'d| would)? (?:recommend"
    r"|suggest|advise|hope)"
    r"|i(?:'m| am|'ll| will| can|'d| would| could)(?: be)? (?:here|happy|glad|help|try|assist|able to "
    r"help|still|offer|love|like)"
    r"|thank|sorry|that(?:'s| is) (?:all|beyond)|the (?:question|answer) )",
)
_WRAPPING = " \t\n\r\"'“”.!…,;:()[]*_`<>-–—"
_OTHER_LANGUAGES = """
das der dem den des ein eine und ist nicht ich wir sie auf mit fur für von zu im wird wurde auch nach bei
aus weiß les une et est pas je ne du au aux dans pour que qui sur elle nous vous ce cette sont été sais
peux el los las una y del por con para lo como puedo sé sobre información está son fue gli uno di che non
è per sono della nel questo não sei uma os dos em são foi het een niet van ik op te jag och att det som
inte på og ikke på nie jest się że
"""
_FOREIGN = frozenset(_OTHER_LANGUAGES.split()) - STOPWORDS
_QUOTATION = re.compile(r'\s*"[^"]*"\s+\w+ \w')  # somebody else's words, with who said them behind
_LONGEST = 700
_LONGEST_ASIDE = 350
_ANSWER_WORDS = 4
_HEDGED_WORDS = 12


def classify_refusal(text: str) -> Refusal:
    """Say whether a response answers or refuses, from its English wording.

    A response that refuses one thing and answers another ("The documents do not say X, but Y ...") is
    "answered" and partial; if the answer is short and hedged, or the language has no wordings here, the
    state is "undetermined".
    """
    language = _language(text)
    if language is None:
        return Refusal("undetermined", language=None)
    if not _has_trigger(text) and len(text) > 40:
        return Refusal("answered")
    core = plain(text[:200])[0].strip(_WRAPPING) if len(text) <= 200 else ""
    if len(text) <= 200 and (not core or DOUBTFUL.fullmatch(core)):
        return Refusal("undetermined")
    matches: list[tuple[int, int]] = []
    answers: list[str] = []
    for start, end in _sentences(text):
        found = find_refusal(text[start:end])
        if found is None:
            answers.append(plain(text[start:end])[0])
            continue
        matches.append((start + found.start, start + found.end))
        answers.append(found.rest)
    if not matches:
        return Refusal("answered")
    return _weigh(tuple(matches), answers)


def _weigh(matches: tuple[tuple[int, int], ...], answers: list[str]) -> Refusal:
    said = " ".join(answer for answer in answers if not _says_nothing(answer))
    count = len(words(said))
    if count == 0:
        return Refusal("refused", matches)
    hedged = count < _HEDGED_WORDS and (bool(find_hedges(said)) or _HEDGED.search(said) is not None)
    state = "undetermined" if count < _ANSWER_WORDS or hedged else "answered"
    return Refusal(state, matches, partial=True)


def _sentences(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for block in scan_blocks(text):
        if block.kind != "code":
            spans += sentence_spans(text, block.start, block.end)
    return spans or [(0, len(text))]


def _says_nothing(sentence: str) -> bool:
    """Whether a plain sentence adds nothing to a refusal."""
    clean = sentence.strip()
    if not clean or clean.endswith("?"):
        return True
    clean = clean[_openings(clean) :]
    if len(clean) > _LONGEST_ASIDE:
        return False
    if small_talk(clean) is not None or speaks_of_material(clean):
        return True
    if any(char.isdigit() for char in clean):
        return False
    if _NEUTRAL_REST.match(clean) is not None:
        return True
    again = _match(clean, 0)
    return again is not None and not _rest(clean, 0, *again)


def may_refuse(sentence: str) -> bool:
    """A quick look for the words that every refusal has; False means that there is none."""
    return _has_trigger(sentence[:_LONGEST])


def _has_trigger(text: str) -> bool:
    lowered = text.lower()
    if "n't" in lowered or "n’t" in lowered or "n‘t" in lowered or "nʼt" in lowered:
        return True
    return not _TRIGGERS.isdisjoint(_TRIGGER_TOKEN.findall(_EMPHASIS.sub("", lowered)))


def find_refusal(sentence: str) -> _Found | None:
    """The wording of a refusal in one sentence, with the part of the sentence that still answers."""
    if not may_refuse(sentence):
        return None
    clean, offsets = plain(sentence[:_LONGEST])
    if LABELS.fullmatch(clean.strip(_WRAPPING)):
        return _Found(0, len(sentence), "")
    if _QUOTATION.match(clean):
        return None
    opening = _openings(clean)
    span = _match(clean, opening)
    if span is None:
        return None
    start, end = span
    rest = _rest(clean, opening, start, end)
    if len(sentence) > _LONGEST:
        rest += sentence[_LONGEST:]
    return _Found(offsets[start], offsets[end - 1] + 1, rest)


def _openings(clean: str) -> int:
    """Where the phrases end that may come before anything ("I'm sorry, but based on the context, ...")."""
    position = len(clean) - len(clean.lstrip(_WRAPPING))
    for _ in range(5):
        match = _OPENING.match(clean, position)
        if match is None or (match.end() < len(clean) and clean[match.end() - 1].isalnum()):
            break
        position = match.end()
    return position


def _match(clean: str, opening: int) -> tuple[int, int] | None:
    if match := AT_START.match(clean, opening):
        return match.span()
    for pattern in (BY_DOCUMENTS, IMPERSONAL):
        match = pattern.search(clean)
        if match and not _is_quoted(clean, match.start()):
            return match.span()
    for match in BY_SPEAKER.finditer(clean):
        if match.group()[:2].lower() == "we" and not _WE_THE_MODEL.search(clean, match.start()):
            continue
        if match.start() and clean[match.start() - 1].isalnum():
            continue
        before = clean[: match.start()]
        if match.start() <= opening:
            return match.span()
        if (
            _CLAUSE_END.search(before)
            and not _REPORTED.search(before)
            and not _is_quoted(clean, match.start())
        ):
            return match.span()
    return None


def _is_quoted(clean: str, position: int) -> bool:
    """Inside quotation marks that do not hold the whole sentence."""
    return clean.count('"', 0, position) % 2 == 1 and not clean.startswith('"')


def _rest(clean: str, opening: int, start: int, end: int) -> str:
    parts = []
    before = clean[opening:start]
    if contrast_before := _CONTRAST_BEFORE.search(before):
        parts.append(before[: contrast_before.start()])
    contrast = _CONTRAST_AFTER.search(clean, end)
    if contrast is None and _CONCESSION.match(clean, opening):
        comma = clean.find(",", end)
        if comma >= 0:
            parts.append(clean[comma + 1 :])
    elif contrast is not None:
        parts.append(clean[contrast.end() :])
    return " ".join(part.strip() for part in parts if not _says_nothing(part))


def _language(text: str) -> str | None:
    script = main_script(text)
    if script is None:
        return "en"
    if script != "Latin":
        return None
    sample = words(text[:800])
    foreign = sum(word in _FOREIGN for word in sample)
    return None if foreign >= 2 and foreign > sum(word in STOPWORDS for word in sample) else "en"
