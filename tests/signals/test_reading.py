from __future__ import annotations

import pytest

from assay import Passage, Sample
from assay.models.lexical import LexicalEmbedder
from assay.models.minilm import MiniLMEmbedder
from assay.signals import Reading


def reading(sample: Sample, **options: bool) -> Reading:
    return Reading(sample, LexicalEmbedder(), **options)


HISTORY = [
    {"role": "user", "content": "When does the bridge open in summer?"},
    {"role": "assistant", "content": "At six."},
]


def test_a_short_follow_up_is_read_with_the_user_turn_before_it() -> None:
    assert reading(Sample("and in winter?", "x", "y", history=HISTORY)).question == (
        "When does the bridge open in summer?\nand in winter?"
    )
    full = "When does the railway station open in winter?"
    assert reading(Sample(full, "x", "y", history=HISTORY)).question == full
    assert reading(Sample("and in winter?", "x", "y")).question == "and in winter?"


def test_history_is_evidence_only_if_the_profile_says_so() -> None:
    sample = Sample("q", ["x"], "y", history=HISTORY)
    assert reading(sample).passages == (Passage("x"),)
    assert len(reading(sample, history_as_evidence=True).passages) == 3


@pytest.mark.parametrize(
    ("context", "response", "unreadable"),
    [
        ("The bridge.", "The bridge.", None),
        ("Le pont est ouvert.", "Ouvert à 8 h.", None),
        ("The bridge.", "Мост открыт.", "Cyrillic script against a context in Latin script"),
        ("Мост открыт.", "Мост открыт.", None),
        ("この橋は", "橋", None),
        ("The bridge.", "สะพานเปิด", "Thai script"),
        ("The bridge.", "The bridge. สะพานเปิด", "Thai script"),
        ("123", "The bridge.", None),
        ("The bridge.", "340", None),
    ],
)
def test_what_the_lexical_tier_can_compare(context: str, response: str, unreadable: str | None) -> None:
    assert reading(Sample("q", context, response)).unreadable == unreadable


def test_minilm_reads_latin_script() -> None:
    from assay.models.places import find_minilm

    folder = find_minilm()
    assert folder is not None
    embedder = MiniLMEmbedder(folder)
    assert Reading(Sample("q", "Мост открыт.", "Мост открыт."), embedder).unreadable == "Cyrillic script"
    assert Reading(Sample("q", "The bridge.", "The bridge."), embedder).unreadable is None
