"""The page: nothing of a document becomes markup, nothing is fetched, and everything is there."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from chipwise import KnowledgeBase, __version__
from chipwise.knowledge import KnowledgeFolder
from chipwise.reporting.findings import readable
from chipwise.reporting.markup import as_html, as_svg, el
from chipwise.results import Report, Strips

from .conftest import EVIL_NAME, EVIL_TITLE
from .drawings import parsed

# every element that the page is made of: none of them runs or fetches anything
TAGS = set(
    """html head meta title style body a header h1 h2 h3 p nav ul li main section article div span code figure figcaption
    blockquote mark pre strong details summary table caption thead tbody tr th td q footer
    svg desc rect g text line path polyline""".split()
)
VOID = {"meta"}


class Page(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, attribute: str) -> list[str]:
        return [v for _, attributes in self.elements if (v := attributes.get(attribute)) is not None]


@pytest.fixture(scope="package")
def read(page: str) -> Page:
    return Page(page)


def test_the_documents_are_as_hostile_as_the_tests_say(report: Report) -> None:
    info = next(info for info in report.sources if info.title == EVIL_TITLE)
    assert info.publisher.startswith('"><svg')
    assert any("alert(6)" in e.quote for f in report.audit.findings for e in f.evidence if e.source == info.id)
    assert "onerror" in EVIL_NAME


def test_what_documents_say_becomes_no_markup(read: Page) -> None:
    assert {tag for tag, _ in read.elements} <= TAGS
    assert read.open == [], "every element is closed"
    assert not [name for _, attributes in read.elements for name in attributes if name.startswith("on")]
    words = "".join(read.words)
    assert EVIL_TITLE in words, "it is there to read"
    assert "alert(6)" in words
    assert "looked at <i>twice</i>" in words


def test_nothing_is_named_that_a_browser_would_fetch(read: Page) -> None:
    names = {name for _, attributes in read.elements for name in attributes}
    assert (
        names & {"src", "srcset", "style", "data", "action", "formaction", "poster", "background", "xlink:href"}
        == set()
    )
    assert "url(" not in "".join(read.words)
    assert "@import" not in "".join(read.words)


def test_links_stay_on_the_page_or_lead_to_shipped_sources(read: Page, report: Report) -> None:
    ids = read.values("id")
    assert report.links
    assert len(ids) == len(set(ids))
    for tag, attributes in read.elements:
        target = attributes.get("href")
        if target is None:
            continue
        assert tag == "a"
        if target.startswith("#"):
            assert target[1:] in ids
        else:
            assert target in report.links.values()
            assert target.startswith("https://")
            assert attributes["rel"] == "noreferrer noopener"


def test_the_address_of_a_users_document_is_no_link(read: Page, report: Report) -> None:
    assert {"https://example.com/plain", "javascript:alert(4)"} & set(read.values("href")) == set()
    assert "https://example.com/plain" in "".join(read.words)


def test_the_policy_lets_the_pages_own_style_through_and_nothing_else(page: str, read: Page) -> None:
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = (a["content"] for t, a in read.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert page.count("<style") == 1
    first = page.index("Content-Security-Policy")
    assert first < page.index("<title"), "it holds before anything else is read"


def test_a_contradiction_has_both_quotes_its_arithmetic_and_its_severity(page: str, report: Report) -> None:
    found = [f for f in report.audit.findings if f.verdict == "contradiction"]
    assert found
    for finding in found:
        article = page.partition(f'id="f-{finding.fingerprint}"')[2].partition("</article>")[0]
        words = "".join(Page(f"<div><p {article}").words)
        assert article.count("<figure>") == len(finding.evidence) >= 2
        assert all(readable(e.quote[slice(*(e.mark or (0, 9)))]) in words for e in finding.evidence)
        assert finding.explanation in words
        assert f">{finding.severity}</span>" in article
        assert article.count("<mark>") == len(finding.evidence)


def test_what_was_judged_stands_behind_what_is_open(page: str, report: Report) -> None:
    judged = page.partition('<details id="judged">')[2].partition("</details></section>")[0]
    (known,) = [f for f in report.audit.findings if f.status != "open"]
    assert f'id="f-{known.fingerprint}"' in judged
    assert "confirmed 20" in judged


def test_the_summary_counts_open_findings_by_chip_and_severity(page: str, report: Report) -> None:
    summary = page.partition('<section id="summary">')[2].partition("</section>")[0]
    still = [f for f in report.audit.findings if f.status == "open"]
    assert f"{len(still)} open finding" in summary
    numbers = [int(word) for word in Page(summary).words if word.isdecimal()]
    assert sum(numbers) == len(still)
    assert f"chipwise {__version__}, index of 20" in summary


def test_the_table_of_chips_has_a_figure_of_each_kind(report: Report) -> None:
    h100 = next(row for row in report.chips if row.name == "NVIDIA H100")
    written = [figure[0] if figure else None for figure in h100.figures]
    assert written[:3] == ["80 GB", "3.35 TB/s", "989 TFLOPS"]
    assert written[-1] is None or written[-1].startswith("from $")


def test_chips_that_are_named_limit_findings_too(folder: KnowledgeFolder) -> None:
    with KnowledgeBase(folder.folder) as kb:
        every, some = kb.report().audit.findings, kb.report("h200").audit.findings
        assert {f.subject for f in some} == {"nvidia-h200"}
        assert len(some) < len(every)


def test_the_report_and_a_plot_have_the_findings_that_the_audit_lists(folder: KnowledgeFolder) -> None:
    with KnowledgeBase(folder.folder) as kb:
        every, sure = kb.audit().findings, kb.audit().surer_than().findings
        assert {f.fingerprint for f in every} > {f.fingerprint for f in sure} > set(), "some are left out, and some not"
        report, plot = kb.report(), kb.plot("memory capacity")
        assert report.audit.findings == sure
        assert isinstance(plot, Strips)
        bands = [band for strips in (*report.strips, plot) for band in strips.bands]
        told = {fingerprint for band in bands for mark in band.marks for fingerprint in mark.against}
        assert set() < told <= {f.fingerprint for f in sure}
    worst = sum(f.verdict == "contradiction" for f in sure)
    summary = KnowledgeBase.as_html(report).partition('<section id="summary">')[2].partition("</section>")[0]
    assert f"{len(sure)} open findings, {worst} of them contradictions; 0 judged." in summary


def test_a_finding_says_what_it_is_about_and_its_index_leads_to_it(page: str, report: Report) -> None:
    index = page.partition('class="index"')[2].partition("</details>")[0]
    for finding in report.audit.findings:
        assert f'href="#f-{finding.fingerprint}">' in index
        assert not finding.title.startswith("CW")


def test_quotes_are_read_without_markdown() -> None:
    assert readable("| **H200** | 141 GB |") == "H200  ·  141 GB  · "
    assert readable("- [The H200](https://example.com) has `141 GB`") == "The H200 has 141 GB"
    assert readable(" of memory |", ends=True) == " of memory"


def test_a_page_is_the_same_each_time(folder: KnowledgeFolder) -> None:
    with KnowledgeBase(folder.folder) as first, KnowledgeBase(folder.folder) as second:
        assert first.as_html(first.report("h100")) == second.as_html(second.report("h100"))


def test_a_page_of_nothing_says_so(report: Report) -> None:
    empty = replace(report.audit, findings=(), reasons={}, sources=0, claims=0, pairs=0)
    page = KnowledgeBase.as_html(replace(report, audit=empty, chips=(), strips=(), charts=(), sources=()))
    assert "No findings." in page
    assert "No source speaks of a chip." in page


EVIL = "<script>&\"'\x00\x1b\ufffe\ud800"
SHOWN = "<script>&\"'\ufffd\ufffd\ufffd\ufffd"


def test_words_and_attributes_are_read_back_from_html_as_they_were() -> None:
    read = Page(as_html(el("p", EVIL, el("b", EVIL), EVIL, title=EVIL)))
    assert read.elements == [("p", {"title": SHOWN}), ("b", {})]
    assert "".join(read.words) == SHOWN * 3


def test_words_and_attributes_are_read_back_from_svg_as_they_were() -> None:
    root = parsed(as_svg(el("text", EVIL, title=EVIL)))
    assert (root.text, root.get("title")) == (SHOWN, SHOWN)


def test_a_number_of_a_drawing_has_one_decimal_at_most() -> None:
    assert as_html(el("line", x1=1.25, x2=2, y1=0.04, stroke_width=3.0)) == (
        '<line x1="1.2" x2="2" y1="0" stroke-width="3"></line>'
    )
