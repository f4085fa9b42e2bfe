from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError
from playwright.sync_api import Browser, sync_playwright

from assay.batch import html_report
from assay.batch.drift import compare_files
from assay.batch.html_report import render_html
from assay.batch.summary import summarise, total
from assay.text.printable import printable

from .verdicts import HOSTILE, hostile_file, verdict, write

CHROMIUM = Path("/usr/bin/chromium")
VOID = {"meta", "br", "link", "img", "input", "hr"}
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


class Page(HTMLParser):
    """Collects a page's elements and text; fails on a tag that is closed out of turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in <{tag}>"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    made = []
    for name, cycle in (
        ("before", ("ACCEPT", "ACCEPT", "REVIEW")),
        ("after", ("ACCEPT", "REVIEW", "REJECT")),
    ):
        rows = [
            verdict(
                f"row-{i}-{'long' * 30}",
                cycle[i % 3],
                final=(i * 7 % 100) / 100,
                reason="The response says 999 million; the context says 998 million." * 3,
                sentences=["x" * 300, "It carries 42,000 vehicles a day."],
                conversation=f"chat-{i // 3}",
                label=i % 2,
                failure_type="a_type_with_quite_a_long_name_that_has_no_space_in_it",
                meta={"latency_ms": 1.5 ** (i % 20), "policy_hash": name * 20},
                **({"error": {"type": "InputError", "message": "m" * 200}} if i == 4 else {}),
            )
            for i in range(60)
        ]
        made.append(write(tmp_path / f"{name}.jsonl", *rows, tail='{"id": "cut'))
    return made[0], made[1]


def comparison(two: tuple[Path, Path]) -> str:
    before, after = (summarise(file) for file in two)
    return render_html([before, after], drift=compare_files(*two, before, after))


def assert_inert(text: str) -> Page:
    page = Page(text)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "img", "link", "iframe", "object", "embed", "form", "base", "image", "use"}
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), f"<{tag} {name}>"
            assert name not in ("src", "srcset", "style", "background", "xlink:href", "action")
            if name == "href":
                assert value is not None
                assert re.fullmatch(r"#[a-z0-9]+", value)
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert "http://" not in text
    assert "https://" not in text
    policies = [a["content"] for t, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [POLICY]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)
    return page


def test_the_page_shows_the_figures(tmp_path: Path) -> None:
    file = write(
        tmp_path / "out.jsonl",
        *(verdict(f"a{i}", final=0.93, label=1, meta={"latency_ms": 2.0}) for i in range(7)),
        verdict("leaky", final=0.71, label=0, meta={"latency_ms": 9.0}),
        verdict("bad", "REJECT", final=0.12, reason="Says too much.", sentences=["It opened in 1931."]),
        verdict("so-so", "REVIEW", final=None, conversation="chat"),
    )
    page = assert_inert(render_html([summarise(file)]))
    assert page.words.startswith("Verdict report: out.jsonl")
    for shown in (
        "Of 10 responses, 8 may be served as they are (80.0 %).",
        "80.0 % (49.0 to 94.3 %; 8 of n 10)",
        "Leak 12.5 % (2.2 to 47.1 %; 1 of n 8)",
        "Coverage 100.0 % (67.6 to 100.0 %; 8 of n 8)",
        "Says too much.",
        "It opened in 1931.",
        "Next: retry_with_specific_prompt",
        "1 conversations",
        "profile default",
        "scorer hash bbbb",
        "0.90 to 0.95: 7 ACCEPT.",
    ):
        assert shown in page.words, shown


def test_the_numbers_of_a_plot_are_in_its_description_and_its_table(tmp_path: Path) -> None:
    rows = [verdict(f"a{i}", final=0.42) for i in range(3)] + [verdict("b", "REJECT", final=0.44)]
    text = render_html([summarise(write(tmp_path / "out.jsonl", *rows))])
    plot = text[text.index('aria-label="Histogram of final"') :]
    plot = plot[: plot.index("</figure>")]
    assert "0.40 to 0.45: 3 ACCEPT. 0.40 to 0.45: 1 REJECT." in plot
    rects = re.findall(
        r'<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="([\d.]+)">', plot
    )
    # One column: three quarters ACCEPT at the bottom, one quarter REJECT on top of it.
    assert rects == [("accept", "128.75", "29.50", "88.50"), ("reject", "128.75", "0.00", "29.50")]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", plot)
    assert cells == ["0.40 to 0.45", "3", "0", "1"]


def test_hostile_text_is_inert(tmp_path: Path) -> None:
    one = hostile_file(tmp_path / "1<script>alert(2)<script>.jsonl")
    two = hostile_file(tmp_path / "2.jsonl")
    summaries = [summarise(one), summarise(two)]
    drift = compare_files(one, two, *summaries)
    for text in (render_html(summaries, drift=drift), render_html(summaries, whole=total(summaries))):
        page = assert_inert(text)
        assert printable(HOSTILE) in page.words
        assert "{{7*7}}" in text
        assert "<script" not in text


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [verdict()],
        [verdict(meta={"latency_ms": 0.0})],
        [verdict(meta={"latency_ms": None})],
        [verdict(meta={"latency_ms": 1e12}), verdict(meta={"latency_ms": 0.0})],
        [verdict("e", "REVIEW", scores={"final": None}, error={"type": "E", "message": ""})],
        [{"decision": "REJECT"}],
    ],
)
def test_any_verdict_file_gives_a_page(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    summary = summarise(write(tmp_path / "out.jsonl", *rows, tail='{"cut'))
    page = assert_inert(render_html([summary]))
    assert "is incomplete and is not counted" in page.words
    file = Path(summary.file)
    assert_inert(render_html([summary, summary], drift=compare_files(file, file, summary, summary)))
    assert_inert(render_html([summary, summary], whole=total([summary, summary])))


def test_a_comparison_shows_what_changed(two: tuple[Path, Path]) -> None:
    page = assert_inert(comparison(two))
    for shown in (
        "before.jsonl compared with after.jsonl",
        "These files were judged differently:",
        "60 rows have the same id in both files.",
        "20 lost ACCEPT and 0 gained it: beyond chance",
        "No visible drift: stability index (PSI, 10 bins) below 0.10",
    ):
        assert shown in page.words, shown


def test_the_page_is_the_same_every_time(two: tuple[Path, Path]) -> None:
    assert comparison(two) == comparison(two)


def test_a_name_that_the_template_gets_wrong_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        html_report._environment().from_string("{{ nonsense }}").render()


def test_every_expression_is_made_inert() -> None:
    template = html_report._environment().from_string(
        '<p title="{{ x }}">{{ x }}{{ x|upper }}{{ x ~ 1 }}</p>'
    )
    shown = template.render(x=HOSTILE)
    assert "<script" not in shown.lower()
    assert "\u202e" not in shown
    assert Page(shown).elements[0][0] == "p"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.fail("no /usr/bin/chromium: install it with `apt-get install chromium`")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
        yield chromium
        chromium.close()


@pytest.mark.parametrize("width", [400, 1100])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["comparison", "hostile"])
def test_the_page_in_a_browser(
    browser: Browser, two: tuple[Path, Path], tmp_path: Path, width: int, scheme: Any, kind: str
) -> None:
    hostile = hostile_file(tmp_path / f"{'hostile' * 20}.jsonl")
    text = comparison(two) if kind == "comparison" else render_html([summarise(hostile)])
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert said == []
    assert asked == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Nothing is cut off at the right either, except inside a table that scrolls by itself.
    outside = """[...document.querySelectorAll('main *')].filter(e => !e.closest('.wide, svg')
        && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
    assert page.evaluate(outside) == []
    colours = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (ink < paper) == (scheme == "light")
    picture = page.screenshot(full_page=True)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000
    page.close()


def test_every_text_has_contrast(browser: Browser, two: tuple[Path, Path], tmp_path: Path) -> None:
    """WCAG AA: 4.5 to 1 between the labels and what they stand on, in both colour schemes."""
    file = tmp_path / "page.html"
    file.write_text(comparison(two), encoding="utf-8")
    pairs = [("on-accept", "accept"), ("on-review", "review"), ("on-reject", "reject")]
    pairs += [(name, "page") for name in ("ink", "soft", "accept-ink", "review-ink", "reject-ink")]
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(file.as_uri())
        for front, back in pairs:
            script = f"['--{front}', '--{back}'].map(n => getComputedStyle(document.documentElement).getPropertyValue(n))"
            light, dark = sorted(map(luminance, page.evaluate(script)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (scheme, front, back)
        page.close()


def luminance(colour: str) -> float:
    parts = [int(colour.strip()[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
