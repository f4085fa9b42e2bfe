"""Speed on this machine: latency of one call, throughput, import time, memory."""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles

from assay.engine import Assay
from assay.models.registry import load_embedder
from assay.sample import Passage, Sample
from assay.version import __version__

PASSAGES = 5
PASSAGE_WORDS = 100
SLOW_CALLS = 30
_VOCABULARY = [
    "river",
    "bridge",
    "council",
    "water",
    "season",
    "budget",
    "report",
    "engine",
    "signal",
    "market",
    "garden",
    "winter",
    "summer",
    "village",
    "north",
    "builds",
    "opens",
    "carries",
    "measures",
    "repairs",
    "plans",
    "moves",
    "holds",
    "the",
    "a",
    "of",
    "in",
    "and",
    "for",
    "near",
    "under",
    "after",
    "before",
    "new",
    "old",
    "large",
    "small",
    "first",
    "second",
    "annual",
    "local",
    "public",
    "early",
    "late",
    "12",
    "40",
    "1998",
    "2021",
    "3.5",
    "percent",
    "million",
    "metres",
]


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds a call."""

    name: str
    calls: int
    p50_ms: float
    p95_ms: float


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "assay": __version__,
    }


def made_samples(count: int, seed: int = 7) -> list[Sample]:
    """Samples of five 100-word passages and a four-sentence answer; every text is different."""
    source = random.Random(seed)  # noqa: S311 - made text, not a secret
    return [_sample(source, number) for number in range(count)]


def time_calls(name: str, call: Callable[[Sample], object], samples: Sequence[Sample]) -> Latency:
    """Time a call on each sample once, one after the other."""
    times = []
    for sample in samples:
        started = time.perf_counter()
        call(sample)
        times.append(1000 * (time.perf_counter() - started))
    p95 = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return Latency(name, len(times), round(median(times), 3), round(p95, 3))


def profile_latency(profile: str, embedder: str, samples: Sequence[Sample]) -> list[Latency]:
    """Latency of a profile with passages never seen (cold) and seen before (warm cache)."""
    assay = Assay(profile, embedder=embedder)
    for sample in made_samples(3, seed=1):
        assay.check(sample)
    cold = time_calls(f"{profile} over {embedder}, passages never seen", assay.check, samples)
    answers = [
        Sample(s.query, s.passages, _text(random.Random(i), 4, 12))  # noqa: S311
        for i, s in enumerate(samples)
    ]
    warm = time_calls(f"{profile} over {embedder}, passages seen before", assay.check, answers)
    return [cold, warm]


def import_seconds(runs: int = 7) -> tuple[float, list[str]]:
    """Median seconds that ``import assay`` adds to the start of Python, and heavy modules that it loads."""
    code = "import assay, sys; print([m for m in ('torch', 'transformers', 'numpy') if m in sys.modules])"
    bare = median(_run("pass")[0] for _ in range(runs))
    timed = [_run(code) for _ in range(runs)]
    heavy = [name for name in ("torch", "transformers", "numpy") if repr(name) in timed[0][1]]
    return round(max(0.0, median(seconds for seconds, _ in timed) - bare), 4), heavy


def rows_per_second(profile: str, embedder: str, samples: Sequence[Sample], threads: int) -> float:
    """Throughput of `Assay.check_many`."""
    assay = Assay(profile, embedder=embedder)
    assay.check(samples[0])
    started = time.perf_counter()
    count = sum(1 for _ in assay.check_many(samples[1:], threads=threads))
    return round(count / (time.perf_counter() - started), 1)


def measure_speed(calls: int) -> dict[str, object]:
    """All figures of this package; MiniLM's only where it is installed.

    Args:
        calls: Samples a figure; at most `SLOW_CALLS` where a call takes a tenth of a second.
    """
    samples = made_samples(calls)
    latencies = profile_latency("lexical", "lexical", samples)
    throughput = {"lexical": rows_per_second("lexical", "lexical", samples, 1)}
    seconds, heavy = import_seconds()
    result: dict[str, object] = {
        "machine": machine(),
        "sample": f"{PASSAGES} passages of {PASSAGE_WORDS} words, an answer of 4 sentences",
        "import_assay": {"seconds": seconds, "heavy_modules": heavy},
    }
    _, missing = load_embedder(("minilm", "lexical"))
    if missing is None:
        latencies += profile_latency("article", "minilm", samples[:SLOW_CALLS])
        rate = rows_per_second("article", "minilm", samples[:SLOW_CALLS], 2)
        throughput["article over minilm, 2 threads"] = rate
    else:
        result["left_out"] = missing
    result["latency"] = [asdict(latency) for latency in latencies]
    result["rows_per_second"] = throughput
    return result


def _run(code: str) -> tuple[float, str]:
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603
    return time.perf_counter() - started, done.stdout


def _sample(source: random.Random, number: int) -> Sample:
    passages = [Passage(_text(source, 7, PASSAGE_WORDS // 7), id=f"p{number}-{i}") for i in range(PASSAGES)]
    borrowed = ". ".join(passage.text.split(". ")[i] for i, passage in enumerate(passages[:3]))
    return Sample(_text(source, 1, 8), passages, f"{borrowed}. {_text(source, 1, 12)}", id=str(number))


def _text(source: random.Random, sentences: int, words: int) -> str:
    made = (" ".join(source.choices(_VOCABULARY, k=words)).capitalize() for _ in range(sentences))
    return ". ".join(made) + "."


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:  # noqa: PTH123
            return next(line.partition(":")[2].strip() for line in stream if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()
