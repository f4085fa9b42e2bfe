"""A sample analysed once, for all signals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cached_property

from assay.errors import ModelError
from assay.models.protocol import ClaimReading, Embedder, Verifier, checked_vectors
from assay.models.similarity import cosine
from assay.sample import Passage, Sample
from assay.signals.facts import FactIndex, Finding, check_facts
from assay.signals.support import Corpus, Terms, index_passage, terms
from assay.text.citations import Citation, find_citations
from assay.text.claims import Segment, segment
from assay.text.printable import is_blank
from assay.text.refusals import Refusal, classify_refusal
from assay.text.scripts import main_script, script_counts
from assay.text.units import Unit, reading_units
from assay.text.words import content_words

MIN_FOREIGN_LETTERS = 4
NO_VERIFIER = "this signal needs a verifier, and the profile names none"
MIN_QUESTION_WORDS = 3
"""A follow-up with fewer content words than this is read together with the user turn before it."""

_SHARED_SCRIPTS: Mapping[str, str] = {"Hiragana": "Han", "Katakana": "Han"}


class Reading:
    """The texts of a sample and what was found in them; every part is computed at most once.

    Args:
        sample: What is judged.
        embedder: Where vectors come from.
        history_as_evidence: Whether earlier turns count as passages.
        verifier: What reads claims over passages, if the profile names one.
        llm: The application's model, a function from prompt to answer, for signals that ask it again.
    """

    def __init__(
        self,
        sample: Sample,
        embedder: Embedder,
        *,
        history_as_evidence: bool = False,
        verifier: Verifier | None = None,
        llm: Callable[[str], str] | None = None,
    ) -> None:
        self.sample = sample
        self.embedder = embedder
        self.history_as_evidence = history_as_evidence
        self.verifier = verifier
        self.llm = llm
        self._similarities: dict[tuple[str, str], float] = {}

    @property
    def response(self) -> str:
        """The response as given."""
        return self.sample.response

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The evidence: the sample's passages, then earlier turns if the profile counts them."""
        turns = self.sample.history if self.history_as_evidence else ()
        return (*self.sample.passages, *(Passage(turn.content, title=turn.role) for turn in turns))

    @cached_property
    def context(self) -> str:
        """All passages as one text, blank lines between them, without titles."""
        return "\n\n".join(passage.text for passage in self.passages)

    @cached_property
    def corpus(self) -> Corpus:
        """The passages indexed by their words."""
        return Corpus([index_passage(passage) for passage in self.passages])

    @cached_property
    def question(self) -> str:
        """What the query means: a short follow-up ("and in winter?") with the user turn before it."""
        query = self.sample.query
        if not query.strip() or len(content_words(query)) >= MIN_QUESTION_WORDS:
            return query
        before = next((t.content for t in reversed(self.sample.history) if t.role == "user"), None)
        return query if before is None else f"{before}\n{query}"

    @cached_property
    def blocker(self) -> str | None:
        """Why nothing can be measured against the context, or None."""
        if is_blank(self.response):
            return "the response is empty"
        if is_blank(self.context):
            return "no context was given"
        if self.unreadable:
            tier = self.embedder.tier if self.verifier is None else "verifier"
            return f"the {tier} tier cannot read {self.unreadable}"
        return None

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The response's claims and what stands between them."""
        return tuple(segment(self.response))

    @cached_property
    def _known(self) -> frozenset[str]:
        return self.corpus.found | frozenset(terms(self.question).content)

    def brings_something_new(self, said: Terms) -> bool:
        """Whether a text states a number or a name that neither the question nor the context holds.

        Such a text is a claim, whatever it looks like: a fabrication must not hide in a refusal, a question,
        a heading or a code block.
        """
        return any(key not in self._known for key, _ in (*said.numbers, *said.names))

    @cached_property
    def readings(self) -> tuple[ClaimReading | None, ...]:
        """What the verifier found about each segment; None for one that claims nothing.

        Raises:
            ModelError: There is no verifier, or it did not read every claim as numbers within 0..1.
        """
        claiming = [number for number, part in enumerate(self.segments) if self._claims(part)]
        spans = [(self.segments[number].start, self.segments[number].end) for number in claiming]
        readings: list[ClaimReading | None] = [None] * len(self.segments)
        readable = self.without_citations(0, len(self.response))
        for number, found in zip(claiming, self._read(readable, spans), strict=True):
            readings[number] = found
        return tuple(readings)

    @cached_property
    def answerable(self) -> float:
        """P(the passages answer the question) by the verifier.

        Raises:
            ModelError: There is no verifier, or it gave no number within 0..1.
        """
        if self.verifier is None:
            raise ModelError(NO_VERIFIER)
        found = float(self.verifier.answerable(self.question, self.passages))
        if not 0.0 <= found <= 1.0:
            raise ModelError(f"{self.verifier.name} gave {found}, which is no probability")
        return found

    def _read(self, response: str, spans: list[tuple[int, int]]) -> list[ClaimReading]:
        if self.verifier is None:
            raise ModelError(NO_VERIFIER)
        found = list(self.verifier.read(self.question, self.passages, response, spans)) if spans else []
        figures = [figure for one in found for figure in (one.support, one.contradiction)]
        if len(found) != len(spans) or not all(0.0 <= figure <= 1.0 for figure in figures):
            raise ModelError(
                f"{self.verifier.name} gave no numbers within 0..1 for each of {len(spans)} claims"
            )
        return found

    @cached_property
    def findings(self) -> tuple[tuple[Finding, ...], ...]:
        """What the exact checks found in each segment; nothing in one that claims nothing."""
        titles = [[Unit(p.title, 0, 0)] if p.title else [] for p in self.passages]
        units = [reading_units(passage.text) for passage in self.passages]
        index = FactIndex([[*title, *read] for title, read in zip(titles, units, strict=True)])
        return tuple(
            check_facts(self.without_citations(part.start, part.end), index, self.question)
            if self._claims(part)
            else ()
            for part in self.segments
        )

    def _claims(self, part: Segment) -> bool:
        said = terms(self.without_citations(part.start, part.end))
        return bool(said.content) and (part.checkable or self.brings_something_new(said))

    @cached_property
    def refusal(self) -> Refusal:
        """Whether the response refuses."""
        return classify_refusal(self.response)

    @cached_property
    def citations(self) -> tuple[Citation, ...]:
        """The response's citation markers."""
        return tuple(find_citations(self.response))

    @cached_property
    def _citation_starts(self) -> list[int]:
        return [citation.start for citation in self.citations]

    def cited_between(self, start: int, end: int) -> tuple[Citation, ...]:
        """The markers that begin in ``response[start:end]``."""
        starts = self._citation_starts
        return self.citations[bisect_left(starts, start) : bisect_left(starts, end)]

    def without_citations(self, start: int, end: int) -> str:
        """``response[start:end]`` with its markers as spaces: ``[3]`` is no number that a claim states."""
        pieces, position = [], start
        for citation in self.cited_between(start, end):
            stop = min(citation.end, end)
            pieces += [self.response[position : citation.start], " " * (stop - citation.start)]
            position = stop
        return "".join((*pieces, self.response[position:end]))

    @cached_property
    def unreadable(self) -> str | None:
        """What of the response this tier cannot compare with the context, in words, or None."""
        if self._all_ascii:
            return None
        in_context = {_shared(script) for script in script_counts(self.context)}
        for part in self.segments:
            problem = self._unreadable_part(self.response[part.start : part.end], in_context)
            if problem:
                return problem
        return None

    def _unreadable_part(self, text: str, in_context: set[str]) -> str | None:
        main = main_script(text)
        # A few letters of another script (a unit, a symbol) are no sentence in it.
        for script, letters in script_counts(text).items():
            if script != main and letters < MIN_FOREIGN_LETTERS:
                continue
            if self._scripts is not None and script not in self._scripts:
                return f"{script} script"
            if in_context and _shared(script) not in in_context:
                return f"{script} script against a context in {', '.join(sorted(in_context))} script"
        return None

    @property
    def _scripts(self) -> frozenset[str] | None:
        return self.embedder.scripts if self.verifier is None else self.verifier.scripts

    @property
    def _all_ascii(self) -> bool:
        """Plain ASCII is Latin script throughout: the common case, settled at once."""
        reads_latin = self._scripts is None or "Latin" in self._scripts
        return reads_latin and self.response.isascii() and self.context.isascii()

    def similarity(self, first: str, second: str) -> float:
        """Cosine of two texts' vectors, clamped to 0..1; 0 when either has nothing to compare."""
        pair = (first, second)
        if pair not in self._similarities:
            vectors = checked_vectors(self.embedder, pair)
            self._similarities[pair] = cosine(vectors[0], vectors[1])
        return self._similarities[pair]


def _shared(script: str) -> str:
    return _SHARED_SCRIPTS.get(script, script)
