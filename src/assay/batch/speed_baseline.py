"""The article's formulas as published: every text embedded by itself with sentence-transformers.

It is the yardstick of ``assay bench speed``: the same scores have to come out, only later.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from statistics import median

import numpy as np

from assay.batch.speed import SLOW_CALLS, made_samples, time_calls
from assay.engine import Assay
from assay.errors import ModelError
from assay.models.places import find_minilm
from assay.models.registry import load_embedder
from assay.sample import Sample
from assay.signals.attribution import jaccard
from assay.text.published import ascii_words, punctuation_sentences

Embed = Callable[[str], np.ndarray]


def against_sentence_transformers(calls: int) -> dict[str, object]:
    """Time both ways on the same samples and compare their scores.

    Args:
        calls: Samples; at most 30 are used.

    Raises:
        ModelError: sentence-transformers or the model is not installed.
    """
    samples = made_samples(min(calls, SLOW_CALLS))
    embedder, missing = load_embedder("minilm")
    if missing is not None:
        raise ModelError(missing)
    encode = _encoder()
    assay = Assay("article", embedder=embedder)
    published_scores(encode, samples[0])
    assay.check(samples[0])
    theirs = time_calls(
        "sentence-transformers, each text by itself", lambda sample: published_scores(encode, sample), samples
    )
    ours = time_calls("assay, profile article", assay.check, samples)
    differences = []
    for sample in samples[:20]:
        scores = assay.check(sample).scores
        expected = published_scores(encode, sample)
        differences += [abs((scores[name] or 0.0) - value) for name, value in expected.items()]
    return {
        "published_p50_ms": theirs.p50_ms,
        "assay_p50_ms": ours.p50_ms,
        "times_faster": round(theirs.p50_ms / ours.p50_ms, 2),
        "largest_score_difference": round(max(differences), 6),
        "median_score_difference": round(median(differences), 6),
        "calls": len(samples),
    }


def published_scores(embed: Embed, sample: Sample) -> dict[str, float]:
    """Attribution, relevance and context quality by the published formulas, with no vector kept."""
    context, query, response = "\n\n".join(p.text for p in sample.passages), sample.query, sample.response
    sentences = [response[start:end] for start, end in punctuation_sentences(response)]

    def cosine(first: str, second: str) -> float:
        return float(np.clip(np.dot(embed(first), embed(second)), 0.0, 1.0))

    attribution = 0.60 * cosine(context, response) + 0.40 * jaccard(context, response)
    for sentence in sentences:
        cosine(context, sentence)  # the published low-confidence sentences
    best = max(cosine(query, sentence) for sentence in sentences)
    relevance = 0.45 * cosine(query, response) + 0.35 * best + 0.20 * jaccard(query, response)
    tokens, words = set(ascii_words(context)), set(ascii_words(response))
    quality = 0.50 * len(tokens & words) / len(words) + 0.50 * cosine(context, response)
    return {"attribution": attribution, "relevance": relevance, "context_quality": quality}


def _encoder() -> Embed:
    folder = find_minilm()
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ModelError("the baseline needs: pip install sentence-transformers") from error
    if folder is None:
        raise ModelError("the baseline needs all-MiniLM-L6-v2; see assay models list")
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    model = SentenceTransformer(str(folder), device="cpu")

    def embed(text: str) -> np.ndarray:
        return np.asarray(model.encode(text, normalize_embeddings=True, show_progress_bar=False), np.float64)

    return embed
