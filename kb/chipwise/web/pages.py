"""The pages of the site, by address."""

from __future__ import annotations

import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from starlette.datastructures import QueryParams

from chipwise.errors import SourceUnknown
from chipwise.reporting.findings import by_line, finding_article, quote
from chipwise.reporting.markup import Child, Element, el, table
from chipwise.reporting.opening import opening, sentence, sourced, with_citations, with_readings
from chipwise.reporting.page import document, policy, style
from chipwise.session import KnowledgeBase
from chipwise.text import counted, one_line, plain
from chipwise.types import Evidence, Finding

if TYPE_CHECKING:
    from chipwise.claims.model import Fact
    from chipwise.results import Step

Fields = Mapping[str, str | bytes]
STYLE = style() + Path(__file__).with_name("web.css").read_text("utf-8")
POLICY = policy(STYLE, "img-src 'self'; form-action 'self'")
_PARTS = Path(__file__).with_name("parts.xml")
_PLOTS = ("roofline", "price-performance")
_FILTERS = ("severity", "kind", "status", "chip", "metric")


@dataclass(frozen=True, slots=True)
class Page:
    """A title and what stands below it."""

    title: str
    main: Sequence[Child]

    def html(self, path: str) -> str:
        """The whole page; the link to `path` is marked as the one that is shown."""
        here = {path: "page"}
        links = (el("li", el("a", name, href=to, aria_current=here.get(to))) for to, (name, _) in PAGES.items())
        body = (
            el("a", "Skip to the content", class_="skip", href="#main"),
            el("header", el("strong", "chipwise"), el("nav", el("ul", links), aria_label="Pages")),
            el("main", el("h1", one_line(self.title)), self.main, id="main", tabindex="-1"),
        )
        return document(f"{one_line(self.title)} · chipwise", STYLE, body, POLICY)


Show = Callable[[KnowledgeBase, Fields], Page]


def ask(base: KnowledgeBase, fields: Fields) -> Page:
    """The question box, and the answer with its citations."""
    question, form = _text(fields, "q"), _part("ask", fields)
    if not question:
        return Page("Ask about AI accelerators", [form, _part("examples")])
    del form[1].attrib["autofocus"]
    answer = base.ask(question)
    if not answer.answered:
        near = answer.nearest
        closest = [el("h2", "What comes closest"), quote(near, _name(near))] if near is not None else []
        return Page("No answer", [form, notice(sentence(answer.reason)), *closest])
    cited = {str(c.n): [quote(c.evidence, _name(c.evidence))] for c in answer.citations}
    lines = [el("div", with_citations(line, cited)) for line in answer.text.split("\n") if line.strip()]
    doubt = notice("This may not answer the question.") if answer.status != "answered" else None
    hint = el("p", "Select a number to see the quote behind it.", class_="soft") if cited else None
    found = [_finding(base, finding) for finding in answer.disagreements]
    title = el("h2", "Where the sources disagree") if found else None
    return Page("Answer", [form, doubt, el("section", lines, class_="answer"), hint, title, *found])


def _name(evidence: Evidence) -> Iterator[Child]:
    """Who says it, with a link to the page that our digest is of."""
    if evidence.digest and evidence.origin.startswith("https://"):
        yield "our digest of "
        yield el("a", by_line(evidence), href=evidence.origin, rel="noreferrer noopener")
    else:
        yield by_line(evidence)


def compare(base: KnowledgeBase, fields: Fields) -> Page:
    """Chips side by side, like for like, with their plots."""
    words, dtype, form = _names(fields), _text(fields, "dtype"), _part("compare", fields)
    if not words:
        return Page("Compare chips", [form, _part("three")])
    found = base.compare(*words, dtype=dtype)
    names = [base.name(subject) for subject in found.subjects]
    rows = []
    for row in found.rows:
        cells = (_cell(number, row.unit, fact) for number, fact in zip(row.numbers, row.facts, strict=True))
        rows.append([f"{base.name(row.metric)}{f' ({row.words})' if row.words else ''}", *cells])
    shown = table("Select a figure to see its quote.", ("figure", *names), rows)
    notes = el("ul", (el("li", note) for note in found.notes), class_="soft small")
    return Page(", ".join(names), [form, shown, notes, *(_drawing(base, kind, words, dtype) for kind in _PLOTS)])


def _cell(number: str, unit: str, fact: Fact | None) -> Child:
    return opening(f"{number} {unit}".strip(), sourced("", fact.citation), "cell") if fact is not None else "–"


def _drawing(base: KnowledgeBase, kind: str, chips: Sequence[str], dtype: str) -> Element | None:
    """A plot as a picture for a desk and for a phone; None where there is nothing to draw."""
    chart = base.plot(kind, *chips, dtype=dtype)
    if chart.is_empty:
        return None
    address = f"/plot.svg?{QueryParams(what=kind, chips=','.join(chips), dtype=dtype)}"
    narrow = el("source", media="(max-width: 47rem)", srcset=f"{address}&width=340")
    return el("section", el("picture", narrow, el("img", src=address, alt=f"{chart.title}: {', '.join(chips)}")))


def plot(base: KnowledgeBase, fields: Fields) -> str:
    """A plot as SVG."""
    chart = base.plot(_text(fields, "what"), *_names(fields), dtype=_text(fields, "dtype"))
    return base.as_svg(chart, 340 if fields.get("width") == "340" else 720)


def check(base: KnowledgeBase, fields: Fields) -> Page:
    """The draft with a mark on each figure that was read, which opens its reading and what speaks for or against it."""
    data, name = fields.get("file"), Path(_text(fields, "name")).name
    with tempfile.TemporaryDirectory(prefix="chipwise-") as folder:
        kind = ".md" if not name else Path(name).suffix if base.is_document(name) else ".unknown"
        path = Path(folder, f"draft{kind}")
        path.write_bytes(data if isinstance(data, bytes) and name else _text(fields, "text").encode("utf-8", "replace"))
        audit = base.check(path)
        audit, text = audit.surer_than(), base.source_text(str(path))
    counts = Counter(judgement.standing.value for judgement in audit.judgements)
    told = ", ".join(f"{count} {standing}" for standing, count in counts.most_common())
    read = f"{counted(len(audit.judgements), 'figure')} read: {told}. Select one to see how it was read."
    intro = el("p", read if counts else "No claim about hardware was read.")
    marked = el("div", with_readings(text, audit.judgements, _name), class_="draft")
    said = (replace(f, explanation=f.explanation.replace(str(path), name or "draft")) for f in audit.findings)
    return Page(name or "Your draft", [intro, marked, *(_finding(base, f) for f in said)])


def findings(base: KnowledgeBase, fields: Fields) -> Page:
    """The findings of the audit, with filters."""
    audit = base.audit().surer_than()
    every = audit.findings
    about = {f.fingerprint: _sides(base, f) for f in every}
    wanted = [_text(fields, name) for name in _FILTERS]
    kept = [f for f in every if all(w in ("", side) for w, side in zip(wanted, about[f.fingerprint], strict=True))]
    filters = []
    for name, want, there in zip(_FILTERS, wanted, zip(*about.values(), strict=True), strict=False):
        options = (el("option", v, value=v, selected="" if v == want else None) for v in sorted({*there} - {""}))
        filters.append(el("select", el("option", f"any {name}", value=""), options, name=name, aria_label=name))
    told = el("p", f"{len(kept)} of {counted(len(every), 'finding')}.", class_="soft")
    form = el("form", filters, el("button", "Show"), action="/findings", class_="line")
    return Page("Findings", [form, told, *(_finding(base, f, audit.reasons.get(f.fingerprint, "")) for f in kept)])


def _sides(base: KnowledgeBase, finding: Finding) -> tuple[str, ...]:
    chip, metric = (base.name(id_) if id_ else "" for id_ in (finding.subject, finding.metric))
    return finding.severity, finding.verdict, finding.status, chip, metric


def _finding(base: KnowledgeBase, finding: Finding, reason: str = "") -> Element:
    return finding_article(finding, base.codes().pages.get(finding.code), reason, _name)


def learn(base: KnowledgeBase, fields: Fields) -> Page:
    """The steps of the course with how far one has come, or one of them with its options."""
    steps, results = base.learn().steps, base.learning_progress().results
    if not fields.get("step"):
        items = (el("li", _link("/learn", s.title, step=s.id), f" {results.get(s.id, '')}") for s in steps)
        intro = el("p", "Each step is about a figure that is easily misread. Guess before you look.")
        return Page("Learn to read accelerator figures", [intro, el("ol", items, class_="steps")])
    step, place = _step(steps, fields)
    buttons = (el("button", f"{o.letter}  {o.text}", name="guess", value=o.letter) for o in step.options)
    form = el("form", el("input", type="hidden", name="step", value=step.id), buttons, method="post", class_="options")
    return Page(step.title, [place, el("p", step.scene), el("p", el("strong", step.question)), form])


def guess(base: KnowledgeBase, fields: Fields) -> Page:
    """The right answer and why, below a guess, which is noted as progress."""
    steps = base.learn().steps
    step, place = _step(steps, fields)
    right = fields.get("guess") == step.right
    base.learning_progress().note(step.id, "right" if right else "wrong")
    cited = {str(c.n): list(sourced(f"{c.text}: {c.what}", c.citation)) for c in step.citations}
    shown = partial(with_citations, cited=cited)
    others = [(el("dt", o.text), el("dd", shown(o.trap))) for o in step.options if o.letter != step.right]
    said = f"{'Right' if right else 'No'}: it is {step.answer.text}."
    after = [_link("/learn", f"Next: {s.title}", step=s.id) for before, s in pairwise(steps) if before.id == step.id]
    parts: list[Child] = [place, el("p", step.question), notice(said), el("p", shown(step.why))]
    parts += [el("ul", (el("li", shown(line)) for line in step.sums)), el("dl", *others)]
    parts += [el("p", el("strong", "Remember: "), shown(step.rule)), *(after or [_link("/learn", "All steps")])]
    return Page(step.title, parts)


def _step(steps: Sequence[Step], fields: Fields) -> tuple[Step, Element]:
    for number, step in enumerate(steps, start=1):
        if step.id == fields.get("step"):
            return step, el("p", f"Step {number} of {len(steps)}", class_="soft")
    raise SourceUnknown("there is no such step", hint="the page Learn lists them")


def _part(id_: str, fields: Fields = MappingProxyType({})) -> Element:
    """A part of parts.xml with what was sent in its fields."""
    part = next(p for p in ET.parse(_PARTS).getroot() if p.get("id") == id_)  # noqa: S314 (of our own making)
    for field in part.iter("input"):
        field.set("value", plain(_text(fields, field.get("name", ""))))
    return part


def _link(path: str, words: str, **fields: str) -> Element:
    return el("a", words, href=f"{path}{'?' if fields else ''}{QueryParams(**fields)}")


def notice(words: str) -> Element:
    """A sentence that stands out."""
    return el("p", words, class_="notice", role="status")


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _names(fields: Fields) -> list[str]:
    return [name for part in _text(fields, "chips").split(",") if (name := part.strip())]


# by address: what its link says, and what it shows
PAGES: dict[str, tuple[str, Show]] = {
    "/": ("Ask", ask),
    "/compare": ("Compare", compare),
    "/check": ("Check a draft", lambda *_: Page("Check a draft", [_part("draft")])),
    "/findings": ("Findings", findings),
    "/learn": ("Learn", learn),
}
