"""Sentences that state nothing about the world: greetings, offers, announcements, disclaimers."""

from __future__ import annotations

import re

from assay.text.patterns import LazyPattern
from assay.text.plain import MATERIAL, PERHAPS_MATERIAL

_LONGEST = 300


_EAGER = (
    r"sure(?: thing)?|certainly|of course|absolutely|definitely|ok(?:ay)?|great|good|perfect|alright"
    r"|all right"
    r"|got it|understood|no problem|no worries|my pleasure|with pleasure|happy to help|glad to help|right|wow"
)
_HELLO = (
    r"hello|hi|hey|greetings|welcome|good (?:morning|afternoon|evening|day)|dear (?:user|customer"
    r"|reader|friend)"
    r"|goodbye|bye|cheers|thanks?(?: you)?(?: (?:so|very) much| a lot)?"
    r"(?: for (?:your (?:\w+ )?(?:question|message|patience|interest|inquiry|query|feedback|request)"
    r"|the (?:question|clarification)|asking|reaching out|sharing(?: this| that)?))?"
    r"|you(?:'re| are) (?:very |most )?welcome|sorry"
    r"|i(?:'m| am) (?:so |very )?sorry(?: (?:about|for) (?:that|the \w+|any \w+))?"
    r"|i apologi[sz]e(?: for (?:the|any) (?:\w+ )?(?:confusion|inconvenience|error|mistake"
    r"|misunderstanding))?"
    r"|(?:my )?apologies(?: for (?:the|any) \w+)?|nice to meet you|have a (?:great|nice|good|lovely"
    r"|wonderful) \w+"
    r"|(?:best|kind|warm)(?: regards| wishes)|sincerely|take care|good luck|there|everyone|all|yes|yeah|yep"
    r"|(?:that(?:'s| is) )?(?:a )?(?:great|good|excellent|interesting|fantastic|wonderful) (?:question|point)"
    r"|what a (?:great|good|interesting) question|let's (?:begin|start|dive in|get started|take a look)"
    r"|i hope (?:this|that|it|these)(?: \w+){0,2} (?:helps?|is helpful|was helpful|clarifies|answers)"
    r"(?: (?:you|your question|things|a bit|clarify things|further|out))?|hope (?:this|that|it) helps"
)
_SEPARATOR = r"[\s,.!;:~—–-]{1,6}"
_GREETING = LazyPattern(rf"(?:(?:{_EAGER}|{_HELLO})(?:{_SEPARATOR}|$)){{1,4}}")
# These may be the answer to a yes-or-no question.
_YES = LazyPattern(
    r"\b(?:yes|yeah|yep|right|definitely|absolutely|good|great|perfect)\W*$|\b(?:yes|yeah|yep)\b",
)

_I_WILL = (
    r"(?:i(?:'ll| will| can| could| would|'d| am|'m)(?: be)?(?: (?:also|always|just|gladly|more than"
    r"|very|so))*"
    r"(?: (?:happy|glad|able|here|pleased|delighted|willing|like|love|try|going))?(?: to)?"
    r" (?:help|assist|explain|provide|answer|elaborate|clarify|do my best|do so|share|walk you"
    r"|summari[sz]e|give you"
    r"|guide|break|go into|outline|describe|list|try))"
)
_OFFER = LazyPattern(
    r"(?:please )?(?:let me know|feel free|don't hesitate|do not hesitate|just (?:let me know|ask)"
    r"|reach out)\b.*",
    rf"(?:if you .{{1,120}}?,? )?(?:please |just )?(?:{_I_WILL}|let me know|feel free|don't hesitate|do "
    r"not hesitate)\b.*",
    r"(?:let me|allow me to) (?:help|explain|walk|break|summari[sz]e|elaborate|know|clarify|provide"
    r"|give|show|outline)\b.*",
    r"is there anything else\b.*|anything else\b.*",
    r"(?:please )?(?:provide|share|give|try|consider|ask|specify|clarify|rephrase|check|consult|refer"
    r"|contact|see|visit)"
    r" (?:me |us |with |to |rephrasing |providing |consulting |your |a |an |the |more |additional "
    r"|further |other )+.*",
    r"(?:could|can|would|will) you (?:please )?(?:provide|share|clarify|specify|rephrase|give|tell me"
    r"|elaborate|like)\b.*",
    r"(?:you (?:may|might|can|could|should)|i (?:would |'d )?(?:recommend|suggest)|it would be (?:best"
    r"|helpful)|i(?:'d| would)"
    r" (?:recommend|suggest|advise|encourage)) (?:\w+ )?(?:to |want to |wish to |need to |that you "
    r")?(?:\w+ )?"
    r"(?:consult|check|refer|contact|look|search|ask|try|verify|visit|provide|rephrase|review|explore|reach"
    r"|consulting|checking|contacting|searching|looking|reviewing|referring|providing|seek|seeking)\b.*",
)
_THINGS = (
    r"(?:summary|overview|answer|answers|list|steps?|breakdown|explanation|response|details|information"
    r"|points?|key points|"
    r"key facts|facts|results|findings|highlights|reasons|ways|examples|tips|options|features|benefits"
    r"|main points|comparison"
    r"|table|outline|timeline|instructions|guide|differences|similarities|things|some|what i found"
    r"|conclusion|analysis)"
)
_NUMBER = (
    r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|several|some|a few|the|a|an|your|my|main|key)"
)
_MATERIAL_ALONE = (
    r"(?:based (?:up)?on|according to|from|given|using|after reviewing|as per|per|in) "
    rf"[{MATERIAL}{PERHAPS_MATERIAL}]"
    r"(?: \(?\w+ \d+\)?)?"
)
_MATERIAL = rf"(?:{_MATERIAL_ALONE},? )"
_ANNOUNCE = LazyPattern(
    rf"(?:{_MATERIAL}|(?:sure|certainly|of course|absolutely|okay)[,!.] (?:{_MATERIAL})?)?(?:here(?:'s| "
    r"is| are)|below (?:is|are)"
    rf"|the following (?:is|are|provides|list)|(?:the )?(?:following|these) are|this is) (?:{_NUMBER} "
    rf"){{0,3}}(?:\w+ ){{0,2}}{_THINGS}"
    rf"(?: (?:of|for|from|about|on|to|that|based|regarding|you|i|with)\b[^.!?:\d]{{0,100}})?[:.!]?",
    rf"(?:{_MATERIAL})?(?:the )?(?:\w+ ){{0,2}}{_THINGS} (?:is|are) as follows",
    rf"(?:{_MATERIAL})?(?:i|we) (?:can (?:say|provide|conclude|tell you)|found|have found|will|'ll) "
    rf"(?:{_NUMBER} )?(?:the )?following",
    r"(?:in (?:summary|conclusion|short)|to (?:summari[sz]e|conclude|sum up)|overall|finally|answer"
    r"|summary|note|sources?|references)",
    _MATERIAL_ALONE,
)
_DISCLAIMER = LazyPattern(
    r"(?:please |do )?(?:note|keep in mind|be aware|remember)(?: that)?,? (?:i(?:'m| am)"
    r"|my (?:answer|response)"
    r"|this (?:answer|response|information|summary|is (?:not|only|just|based|a (?:general|brief)))"
    r"|the (?:above|information (?:above|provided)))\b.*",
    r"(?:as|being) an ai(?: (?:language )?model| assistant)?,? i\b.*",
    r"(?:i(?:'m| am)) (?:just |only )?an? (?:ai|language model|assistant|virtual assistant|chatbot)\b.*",
    r"(?:this|the (?:above|information)) (?:answer|response|information|summary|is)?\s?(?:is |should "
    r")?(?:not (?:be |constitute |"
    r"intended |meant |a |legal |medical |financial )|for (?:informational|general|educational))\b.*",
    r"(?:this|my) (?:answer|response|summary) is (?:based|drawn) (?:solely |only |entirely )?(?:up)?on "
    r"(?:the )?.{1,80}",
    r"(?:always |please )?consult (?:with )?(?:a|an|your) .{1,80}",
)
_SPEAKS_OF_MATERIAL = LazyPattern(
    r"(?:instead,? |rather,? |however,? )?(?:it|they|(?:all of |most of "
    rf")?[{MATERIAL}{PERHAPS_MATERIAL}]) (?:only |mainly |primarily |mostly |instead"
    r" |rather |simply |just |do |does |merely )*(?:discuss|focus|cover|mention|talk|describe|deal"
    r"|relate|pertain|contain"
    r"|provide|include|refer|concern|address|are about|is about|are related|is related)(?:s|es|ed)?\b.*"
)
_DIGIT = re.compile(r"\d")
_THAT = LazyPattern(r"\b(?:that|who|which|because)\b")
# A statement carried along: "Let me explain: the tower burnt down", "You can check that the tower fell".
_SMUGGLES = LazyPattern(
    r"\b(?:was|were|became|had|has|fact)\b|\bthat (?:the|a|an|he|she|it|they|these|those)\b|\w: "
    r"?\w+\W+\w+\W+\w"
)
_CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
# Nearly every statement fails this quick look and needs none of the patterns above.
_MAY_BE = LazyPattern(
    r"\W{0,10}(?:sure|certainly|of course|absolutely|definitely|ok|okay|great|good|perfect|alright|all "
    r"right|got it|understood"
    r"|no (?:problem|worries)|my|our|with pleasure|happy|glad|right|wow|hello|hi|hey|greetings|welcome"
    r"|dear|goodbye|bye|cheers|thanks?"
    r"|you|your|sorry|i|apologies|nice|have a|best|kind|warm|sincerely|take care|there|everyone|yes"
    r"|yeah|yep|that(?:'s|’s| is)|what a"
    r"|let|hope|please|feel|don['’]t|do not|reach|if|just|allow|is there|anything|provide|share|give"
    r"|try|consider|ask|specify"
    r"|clarify|rephrase|check|consult|refer|contact|see|visit|could|can|would|will|it would|here|below"
    r"|the (?:above|information)"
    r"|these|this|based|according|from|given|using|after|as|per|in|to|overall|finally|answer|summary"
    r"|note|sources?|references"
    r"|keep|be|remember|being|always)\b",
)


def may_be_small_talk(sentence: str) -> bool:
    """A quick look at how a sentence starts; False means that `small_talk` would find nothing."""
    return _MAY_BE.match(sentence) is not None or "follow" in sentence


def small_talk(sentence: str) -> str | None:
    """Why a sentence states nothing, or None when it may state something.

    The whole sentence must be small talk: "Hello, the tower is 900 m high." is none.

    Args:
        sentence: One sentence with straight apostrophes and without emphasis marks and citations.
    """
    core = sentence.strip(" \t\n\r!.:,;-–—\"'()👋😊🙂")
    if not core:
        return "no words"
    if len(core) > _LONGEST:
        return None
    if _GREETING.fullmatch(core):
        return None if _YES.search(core) else "pleasantry"
    if _SMUGGLES.search(core):
        return None
    if _ANNOUNCE.fullmatch(core):
        return "announcement"
    # A number or a name in the middle may be a statement in disguise.
    if _DIGIT.search(core) or _CAPITAL.search(core):
        return None
    if _OFFER.fullmatch(core):
        return "offer"
    return "disclaimer" if _DISCLAIMER.fullmatch(core) else None


def speaks_of_material(sentence: str) -> bool:
    """Whether a sentence only says what the documents are about ("They discuss the history of tea.")."""
    core = sentence.strip()[:_LONGEST]
    return not _DIGIT.search(core) and not _THAT.search(core) and _SPEAKS_OF_MATERIAL.match(core) is not None
