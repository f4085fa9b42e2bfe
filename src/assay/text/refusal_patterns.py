"""The English wordings of a refusal. Each group names its speaker: the documents, nobody, the model.

They are written for the form that `plain` gives: one character stands for the model's material.
"""

from __future__ import annotations

from assay.text.patterns import LazyPattern
from assay.text.plain import MATERIAL, PERHAPS_MATERIAL

_M = MATERIAL
_ANY_M = f"[{MATERIAL}{PERHAPS_MATERIAL}]"
_NOT = r"(?:(?:do|does|did|has|have|could|would)(?: not|n't)|never|cannot|can't)"
_TELL = (
    r"(?:mention|contain|provide|include|specify|state|say|discuss|address|cover|give|offer|answer|indicate"
    r"|describe|explain|identify|disclose|reveal|tell|list|have|detail|talk about|touch on|refer to|reference"
    r"|clarify|elaborate|speak|supply|define|name|appear to|seem to|help|note|report|present|show|confirm)"
)
_TELL_SURELY = r"(?:mention|specify|say|address|answer|discuss|provide|state|give|explain|indicate)"
_TOLD = (
    r"(?:mentioned|provided|specified|stated|included|available|given|discussed|addressed|found|covered"
    r"|described|listed|indicated|answered|contained|present|disclosed|explained|identified|detailed|defined"
    r"|referenced|clear|explicit|supported|in)"
)
_FACTS = (
    r"(?:information|info|details?|answers?|context|data|evidence|mention|content|knowledge|facts|material"
    r"|basis)"
)
_FIRM_FACTS = r"(?:information|info|details?|answers?|context|mention)"
_NO = (
    r"(?:no|not any|not enough|not sufficient|insufficient|n't any|n't enough|n't sufficient|little|limited"
    r"|inadequate)"
)
_ADVERBS = r"(?:\w{2,14} ){0,2}"
_DECIDED = (
    r"(?:determined|answered|found|established|ascertained|inferred|identified|verified|confirmed|concluded"
    r"|derived|deduced|known)"
)
_TO_ANSWER = (
    r"(?:to (?:\w+ly )?(?:answer|determine|provide|respond|give|say|address|identify|confirm|draw|form"
    r"|conclude|know|tell|verify|establish|help)|for (?:me|an answer|answering))"
)
_ABOUT = (
    r"(?:about|on|regarding|concerning|of|for|as to|related to|relating to|that|in|within|from|to|who|what"
    r"|when|where|why|how|whether)"
)
_CAN_DO = (
    r"(?:answer|determine|find|provide|help|assist|confirm|say|tell|verify|locate|give|offer|fulfil+|comply"
    r"|identify|respond|see|access|address|comment|make|do|generate|share|discuss|engage|support|complete"
    r"|infer|conclude|ascertain|establish|speculate|recall|know|specify|extract|retrieve|derive)"
)
_CANNOT = r"(?:cannot|can not|can't|could not|couldn't)"

BY_DOCUMENTS = LazyPattern(
    rf"{_ANY_M} (?:say|mention|contain|reveal|provide|indicate)s? nothing\b",
    rf"{_ANY_M},? (?:it is|it's|it remains) (?:unclear|unknown"
    r"|not (?:clear|possible|known|specified|stated|mentioned))\b",
    rf"\b(?:based on|from|in|given|according to) {_M},? [^.;]{{1,100}}? (?:is|are|was|were)(?: not|n't) "
    r"(?:\w+ly )?(?:specified|mentioned|stated|provided|given|available|clear|known)\b",
    rf"{_M},? (?:itself |themselves |alone )?(?:also |simply |only )?{_NOT} {_ADVERBS}{_TELL}\b",
    rf"{PERHAPS_MATERIAL} {_NOT} {_ADVERBS}{_TELL_SURELY}\b",
    rf"\b(?:none|neither|nothing) (?:of|in|from|within) {_ANY_M} {_ADVERBS}"
    r"(?:mentions?|contains?|provides?|answers?|address(?:es)?|states?|says?|includes?|discuss(?:es)?"
    r"|specif(?:y|ies)"
    r"|gives?|explains?|indicates?|describes?|covers?|suggests?|ha(?:s|ve)|is|are)\b",
    rf"\bno(?:ne)? {_ADVERBS}(?:{_M}|documents?|passages?|context) {_ADVERBS}"
    r"(?:mentions?|contains?|provides?|answers?|address(?:es)?|states?|says?|includes?)\b",
    rf"{_M} (?:\w+ly )?(?:fails? to|lacks?|omits?|(?:makes?|made) no mention|(?:is|are) silent)\b",
    rf"{_ANY_M} (?:\w+ly )?(?:contains?|provides?|has|have|offers?|includes?|gives?|holds?|contained"
    r"|provided|makes?)"
    rf" {_NO} {_ADVERBS}(?:{_FACTS}|references?)\b",
    rf"{_M} (?:is|are|was|were|seems?(?: to be)?) (?:\w+ly )?(?:insufficient|irrelevant|unrelated|unclear"
    r"|not (?:sufficient|relevant|clear|related|enough|helpful|specific))",
    rf"\b(?:not|nowhere|never|isn't|aren't|wasn't|weren't) {_ADVERBS}{_TOLD}(?: or \w{{2,14}})? {_ADVERBS}"
    rf"(?:in|by|within|from|anywhere in|based on) {_ANY_M}",
    r"\b(?:is|are|remains?) (?:unclear|unknown|unspecified|not (?:clear|known|possible|specified)) "
    rf"{_ADVERBS}"
    rf"(?:from|based on|in|given|according to) {_ANY_M}",
    rf"\b(?:cannot|can not|can't|could not|couldn't|not) be {_ADVERBS}{_DECIDED} (?:\w{{2,14}} ){{0,4}}"
    rf"(?:from|based on|with|using|given|in|by|within|on) {_ADVERBS}{_ANY_M}",
)
"""Wordings about the documents; they may stand anywhere in a sentence."""

_THERE = (
    r"\bthere (?:is|are|was|were|does not seem to be|doesn't seem to be|appears? to be|seems? to be)"
    r"(?: currently| also| simply)? ?"
)
_FOUND_IN = rf"\b.{{0,160}}\b(?:in|within|by|from) {_ANY_M}"
IMPERSONAL = LazyPattern(
    rf"{_THERE}{_NO} {_ADVERBS}(?:information|info|details?|answers?|context) {_ADVERBS}(?:{_ABOUT}"
    rf"|{_TOLD})\b",
    rf"{_THERE}{_NO} {_ADVERBS}(?:information|info|details?|answers?|context)(?=\W{{0,9}}$)",
    rf"{_THERE}{_NO} {_ADVERBS}(?:mention|evidence|indication|data|references?|documents?|passages?"
    rf"|record){_FOUND_IN}",
    rf"{_THERE}{_NO} {_ADVERBS}(?:{_FACTS}|{_M}) {_ADVERBS}{_TO_ANSWER}\b",
    rf"{_THERE}no mention of [^,.;]{{1,80}}$",
    r"\bno (?:\w{2,12} )?(?:information|info|details?|mention|answers?|data|evidence) (?:is|was|are"
    r"|were|has been"
    rf"|could be|can be) (?:\w+ly )?{_TOLD}{_FOUND_IN}",
    r"\b(?:no|not enough|insufficient) (?:\w{2,12} )?(?:information|info|details?|context) (?:is|was"
    r"|are|were) (?:\w+ly )?"
    r"(?:provided|available|given|found|included|mentioned) (?:about|regarding|concerning|on|for|to "
    r"answer|to determine)\b",
    rf"\bthe (?:answer|question)(?: to (?:this|your|the|that) question)? (?:{_CANNOT} be|(?:is|was)(?: "
    r"not|n't))"
    rf" (?:\w+ly )?(?:{_DECIDED}|available|provided|given|stated|present|clear|mentioned|in|answerable)\b",
    rf"\b(?:this|that|it|your question|this question|such a question) {_CANNOT} be (?:\w+ly "
    r")?(?:determined|answered"
    r"|inferred)\b(?! (?:with|to|for|exactly|precisely|by))",
    rf"\b(?:it is|it's|it was|it isn't) (?:not |im)?possible to {_CAN_DO}{_FOUND_IN}",
    r"\b(?:it is|it's) (?:not |im)possible (?:for me )?to (?:\w+ly )?(?:answer|provide an answer|respond)\b",
    r"\b(?:that|this|it)(?: is|'s) (?:beyond|outside)(?: of)? (?:my|the scope of)\b",
    rf"\b(?:not enough|insufficient) {_ADVERBS}{_FACTS} {_FOUND_IN[2:]} {_TO_ANSWER}\b",
)
"""Wordings without a speaker."""

_SHORT_END = r"(?=\W{0,9}$)"
AT_START = LazyPattern(
    rf"no (?:\w{{2,14}} )?{_M}(?: (?:was |were |could be )?(?:found|available|provided))?{_SHORT_END}",
    rf"(?:there's )?{_NO} {_ADVERBS}(?:information|info|context|details|data|evidence|answer|results?"
    r"|mention|documents?)"
    rf"(?: (?:is|was|are|were|has been|could be|can be))?(?: {_TOLD})?(?: (?:in|within|by|from) "
    rf"{_ANY_M}|{_SHORT_END})",
    rf"no {_ADVERBS}{_FIRM_FACTS} (?:about|on|regarding|concerning) [^.,;]{{1,80}}{_SHORT_END}",
    rf"(?:{_NO}|there's not enough|there's no) {_ADVERBS}(?:{_FACTS}|{_M}) {_ADVERBS}{_TO_ANSWER}\b",
    rf"not {_ADVERBS}(?:mentioned|stated|specified|provided|found|given|available|answerable|enough"
    r"|sure|known"
    r"|addressed|covered|discussed|included|possible to answer)(?: (?:information|context"
    rf"|data))?{_SHORT_END}",
    rf"(?:unable|not able|impossible) to {_CAN_DO}\b",
    rf"(?:{_CANNOT}|don't|didn't|do not|did not) (?:\w+ly )?(?:{_CAN_DO}|have (?:the|any|enough"
    r"|sufficient|that|this))"
    rf"(?: (?:this|that|the|it|your|with|any|an|be|out|from|based)\b|{_SHORT_END})",
    rf"{_CANNOT} be (?:determined|answered|inferred){_SHORT_END}",
    r"(?:don't|do not) know\b",
    r"(?:this|the|your) question (?:is|seems) (?:unanswerable|not answerable|out of scope|beyond|outside)",
)
"""Wordings that count only where a sentence (or what is left after "Sorry, but") begins."""

_I = r"\b(?:i|we)"
_KNOWLEDGE = (
    r"(?:access|information|info|details?|answers?|context|data|knowledge|evidence|idea|clue|mention"
    r"|documents?|references?"
    r"|ability|clear|enough|sufficient|any|that|specific|the (?:necessary|required|answer|information"
    r"|specific)|real-time)"
)
BY_SPEAKER = LazyPattern(
    rf"{_I}(?:(?: really| honestly| simply| just| still| currently)? (?:do not|don't)| dont) (?:\w+ly "
    r")?know\b",
    rf"{_I}(?: also| currently| simply| just| really)? (?:do not|don't|did not|didn't) (?:\w+ly "
    r"|currently |seem to )?"
    rf"(?:have|possess|see|find) {_ADVERBS}(?:{_KNOWLEDGE}\b|{_ANY_M})",
    rf"{_I}(?:'m| am|'re| are| was| were)(?: \w+ly| still| also)? (?:unable|not able|n't able|not in a "
    r"position"
    r"|not equipped|not allowed|not permitted) to\b",
    rf"{_I} (?:\w+ly )?(?:wasn't|weren't|aren't) able to {_CAN_DO}\b",
    rf"{_I} (?:\w+ly |still |also )?(?:{_CANNOT}|won't|will not|wouldn't|am not going to) (?:\w+ly "
    rf")?{_CAN_DO}\b",
    rf"{_I} (?:didn't|did not|haven't|have not|don't|do not) (?:\w+ly )?"
    r"(?:find|found|locate|come across|been given|been provided|received)\b",
    rf"{_I} (?:found no|find no|see no|saw no|have no|had no|lack) (?:(?:\w+ ){{0,2}}{_FACTS}|idea|way)\b",
    rf"{_I}(?:'m| am|'re| are) (?:not|un)(?: ?\w+ly)? ?(?:sure|certain|aware|familiar)\b",
    r"\b(?:my|our) (?:knowledge|training(?: data)?|sources?|search|database)(?: base| results)?"
    r" (?:do(?:es)?|did)(?: not|n't)\b",
    r"\b(?:my|our) search (?:returned|found|yielded|gave) (?:no|nothing)\b",
    rf"{_I} must (?:decline|refuse)|{_I} (?:have to |must )?(?:respectfully )?decline to\b",
    rf"{_I} (?:have|had) no (?:\w+ )?(?:idea|clue|information|knowledge|way|access|answer|data|details"
    r"|record)\b",
    rf"{_I}(?:'d| would)? need (?:more|additional|further) (?:information|context|details)\b",
)
"""What the model says of itself; only where a clause begins, so that reported speech does not count."""

LABELS = LazyPattern(
    r"(?:answer: ?)?(?:idk|i dk|dunno|n/?a|unanswerable|not answerable|no answer(?: found| available| "
    r"possible)?|no idea|no clue"
    r"|not found|not applicable|no information|unclear from (?:the )?(?:context|text|documents?)|answer "
    r"not found"
    r"|cannot answer|can't answer|insufficient (?:information|context|data|evidence)"
    r"|not enough (?:information|info|context|data|evidence)"
    r"|(?:no|not) relevant (?:information|documents?|results?|context|passages?)(?: found| available)?"
    r"|no results?(?: found)?"
    r"|cannot be determined|can't be determined|undetermined|cannot determine"
    r"|(?:information|answer) (?:is )?not (?:found|available|provided)|i have no answer|out of scope|no "
    r"comment|unsure|not sure"
    r"|no data|(?:the )?answer is (?:unanswerable|unknown|not (?:found|available|provided|given))"
    rf"|(?:unknown|unclear|unanswerable|not (?:stated|given)) (?:based on|from|in|given) {_ANY_M})"
)
"""Whole answers that are nothing but a refusal."""

DOUBTFUL = LazyPattern(
    r"(?:answer: ?)?(?:unknown|none|nothing|unclear|maybe|perhaps|not clear|not really|possibly)|\W+"
)
"""Whole answers that may be a refusal or an answer."""
