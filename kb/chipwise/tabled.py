"""Answers that the facts table gives outright: a look-up, a comparison, a ranking, when every slot of the question is filled.

    "How much memory does an H200 have?"  ->  "NVIDIA H200: memory capacity 141 GB (per chip). [1]"

Each figure stands in the quote that it is cited with. A question that says more than
slots ("with NVLink disabled") is left to the passages, and so is a fact whose source
the knowledge base does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.alike import FIXED, Key, best_fact, kind, values, worth
from chipwise.audit.evidence import fact_evidence as quoted
from chipwise.claims.model import Fact
from chipwise.composing import LEAST, OPPOSITE, Citation
from chipwise.domain import Domain
from chipwise.lookup import covered
from chipwise.names import Names
from chipwise.phrasing import in_words, value_text
from chipwise.question import Kind, Question
from chipwise.rows import StoredPassage
from chipwise.store import Store
from chipwise.text import blanked, one_line, words
from chipwise.types import Evidence

MOST = 3  # figures of one subject, chips of a ranking
_KINDS = (Kind.LOOKUP, Kind.OPEN, Kind.COMPARISON, Kind.LIST)
# Words that fill no slot and change nothing: what a figure is of in any case, and how a question is put.
_NEUTRAL = frozenset(
    """chip chips gpu gpus tpu tpus card cards accelerator accelerators spec specs specification specifications sheet
    datasheet rated official value figure figures number amount total come comes ship ships single one per each equipped
    carry carries hold holds offer offers provide provides rating full speed size times ratio factor numbers module modules version versions pls plz gimme hi hello
    hey thanks""".split()
)
_ALWAYS_SAID = ("dtype", "sparsity", "direction", "price_terms", "provider")  # no metric is called by these alone
_PACE = frozenset(("performance", "throughput"))  # in one number format it is the peak that is meant
_HABIT = frozenset(("bf16", "on-demand"))  # of figures that compare equally well
_RANKS = frozenset(
    """most least highest lowest largest smallest biggest fastest slowest cheapest fewest
    more less higher lower larger smaller bigger faster slower cheaper fewer""".split()
)
_MANY = re.compile(r"\b(?:\d+\s?x|node|server|rack|pod|slice|cluster|instance|total|all)\b", re.I)


def answer_from_table(
    question: Question, store: Store, domain: Domain, names: Names
) -> tuple[str, list[Citation], list[Fact]] | None:
    """The answer's text, its citations and the facts that it is made of; None where the table does not simply give it."""
    if not _is_plain(question, domain):
        return None
    metric = question.metrics[0]
    wanted = _stated(question, domain)
    if question.wants_ranking:
        return _rank(question, store, domain, names, metric, wanted)
    pools = [_pool(store, names, ids[0], metric, wanted, question.unit) for ids in question.subjects]
    if not all(pools):
        return None
    if len(pools) == 1:
        return _list(question, store, names, pools[0])
    return _compare(
        question, store, domain, names, [_own(pool, ids[0]) for pool, ids in zip(pools, question.subjects, strict=True)]
    )


def _is_plain(question: Question, domain: Domain) -> bool:
    """True when names, one metric and qualifiers are all that the question says."""
    # "how much memory for Llama 3" asks for what a model needs, not for what a chip has
    works = any(domain.terms[t].kind in ("model", "benchmark", "workload", "technique") for t in question.terms)
    known = question.kind in _KINDS and question.metrics and question.subjects and not question.years and not works
    named = {w for m in domain.find_entities(question.text) for w in words(question.text[m.start : m.end])}
    modified = question.modifier and question.modifier not in named | _RANKS
    if not known or any(len(ids) != 1 for ids in question.subjects) or modified or _speaks_of_many(question, domain):
        return False
    lines = all(domain.entities[ids[0]].kind in ("line", "family") for ids in question.subjects)
    if lines != question.wants_ranking or (len(question.subjects) > 1 and question.kind is not Kind.COMPARISON):
        return False
    metric = domain.metrics[question.metrics[0]]
    if question.unit and domain.units[question.unit].dimension == "count" != metric.dimension:
        return False  # "how many HBM stacks" is not answered by their bytes
    qualified = {
        w for m in domain.find_qualifiers(question.text) for w in question.text[m.start : m.end].lower().split()
    }
    neutral = _NEUTRAL | _RANKS | (_PACE if "dtype" in _stated(question, domain) else frozenset())
    rest = {w for w in question.free_words if w not in neutral and w not in qualified}
    ranks_text = question.wants_ranking and metric.dimension == "text"
    return metric.dimension != "ratio" and not ranks_text and metric.nature != "measured" and not rest


def _speaks_of_many(question: Question, domain: Domain) -> bool:
    """True for a figure of several chips; a metric that is called by it, as "pod size" is, says nothing of that."""
    called = len(question.metrics) == 1 and _MANY.search(domain.metrics[question.metrics[0]].name)
    spans = [(m.start, m.end) for m in domain.find_metrics_asked(question.text)] if called else []
    text = blanked(question.text, spans)
    return _MANY.search(text) is not None


def _stated(question: Question, domain: Domain) -> dict[str, str]:
    """The qualifiers that the question names: "in FP8", "with sparsity", "on demand"."""
    metric = domain.find_metrics_asked(question.text)
    # "TDP" and "HBM bandwidth" name a metric, and state no basis and no kind of memory
    axes = set(domain.metrics[question.metrics[0]].qualifiers) - {"as_of"}
    found: dict[str, str] = {}
    entities = domain.find_entities(question.text)
    for m in domain.find_qualifiers(question.text):
        if any(e.start <= m.start and m.end <= e.end for e in entities):
            continue  # the SXM of "H100 SXM" asks nothing of the H200
        axis, _, value = m.ids[0].partition("=")
        if axis == "form_factor" and len(question.subjects) > 1:
            continue  # it names one of the products compared
        named = axis not in _ALWAYS_SAID and any(m.start < n.end and n.start < m.end for n in metric)
        if axis in axes and not named:
            found[axis] = value
    return found


def _pool(store: Store, names: Names, subject: str, metric: str, wanted: dict[str, str], unit: str = "") -> list[Fact]:
    """The standing facts of a chip and its variants under the qualifiers that are asked for, cited from this knowledge base.

    A `unit` that counts things of one kind ("SMs") leaves out counts of any other ("CUDA cores").
    """
    found = store.facts(covered(names, subject), [metric])
    standing = [f for f in found if f.rank != "deprecated" and store.find_source(f.claim.source) is not None]
    if unit and names.units[unit].dimension == "count" and unit != names.metrics[metric].unit:
        standing = [f for f in standing if f.unit == unit]
    return [f for f in standing if all(f.claim.qualifier(axis) == value for axis, value in wanted.items())]


def _own(pool: Sequence[Fact], subject: str) -> Sequence[Fact]:
    """The facts of a chip itself where there are preferred ones: the GPU of a GB200 is a B200 with less memory.

    A price on other terms than its own ones is still a variant's to give.
    """
    own = [f for f in pool if f.claim.subject == subject and f.rank == "preferred"]
    terms = {f.claim.qualifier("price_terms") for f in own}
    return [f for f in pool if f in own or f.claim.qualifier("price_terms") not in terms] if own else pool


def _list(
    question: Question, store: Store, names: Names, pool: Sequence[Fact]
) -> tuple[str, list[Citation], list[Fact]] | None:
    """The preferred figures, one of each kind; too many kinds are no look-up."""
    subject = question.subjects[0][0]
    preferred = [
        f for f in pool if f.rank == "preferred" and f.claim.qualifier("aggregation") in ("", "chip", "node", "pod")
    ]
    own = [f for f in preferred if f.claim.subject == subject] or preferred
    chosen: dict[Key, Fact] = {}
    for fact in sorted(sorted(own, key=lambda f: f.as_of, reverse=True), key=_usual):
        chosen.setdefault((fact.claim.subject, *kind(fact, names), fact.value), fact)
    facts = list(chosen.values())[:MOST]
    if not facts:
        return None
    citations = [Citation(n, fact_evidence(store, fact)) for n, fact in enumerate(facts, start=1)]
    return " ".join(_sentence(f, names, c.n) for f, c in zip(facts, citations, strict=True)), citations, facts


def _usual(fact: Fact) -> tuple[bool, ...]:
    """What is meant when nothing is said goes first: of one chip, dense, BF16, on demand."""
    c = fact.claim
    return (
        c.qualifier("aggregation") not in ("", "chip"),
        c.qualifier("sparsity") == "2:4",
        c.qualifier("dtype") != "bf16",
        c.qualifier("price_terms") not in ("", "on-demand"),
    )


def _compare(
    question: Question, store: Store, domain: Domain, names: Names, pools: Sequence[Sequence[Fact]]
) -> tuple[str, list[Citation], list[Fact]] | None:
    """One figure for each thing, all under the same qualifiers, and what one is of the other."""
    keys = {values(f, FIXED) for pool in pools for f in pool}
    kinds = {kind(f, names) for pool in pools for f in pool}
    rows: list[tuple[tuple[int, ...], list[Fact]]] = []
    for kind_ in sorted(kinds):
        alike = [[f for f in pool if kind(f, names) == kind_] for pool in pools]
        for key in sorted(keys):
            found = [best_fact(ids[0], row, key) for ids, row in zip(question.subjects, alike, strict=True)]
            whole = [f for f in found if f is not None]
            if len(whole) == len(found):
                rows.append(((*worth(alike, key), bool(_HABIT.intersection(kind_))), whole))
    if not rows:
        return None
    facts = max(rows, key=lambda row: row[0])[1]
    citations = [Citation(n, fact_evidence(store, fact)) for n, fact in enumerate(facts, start=1)]
    sentences = [_sentence(f, names, c.n) for f, c in zip(facts, citations, strict=True)]
    lead = _ratio(question, domain, names, facts)
    return " ".join([*([lead] if lead else []), *sentences]), citations, facts


def _ratio(question: Question, domain: Domain, names: Names, facts: Sequence[Fact]) -> str:
    """What one of two is of the other: "More memory capacity: NVIDIA H200, 141 GB / 80 GB = 1.76 times the NVIDIA H100.".

    The one asked for goes first: of "which has less" the one with less.
    """
    metric = domain.metrics[question.metrics[0]]
    first, second = facts[0].claim.quantity, facts[1].claim.quantity
    if len(facts) != 2 or first is None or second is None or not metric.bigger_is:  # noqa: PLR2004
        return ""
    high, low = (0, 1) if first.low >= second.low else (1, 0)
    big, small = (facts[n].claim.quantity for n in (high, low))
    if big is None or small is None or big.low <= small.high or small.low <= 0 or "range" in (big.form, small.form):
        return ""
    times = (big.low + big.high) / (small.low + small.high)
    how, one, other = metric.bigger_is, high, low
    if LEAST.search(question.text) and metric.bigger_is in OPPOSITE:
        how, one, other, times = OPPOSITE[metric.bigger_is], low, high, 1 / times
    subjects = [domain.entities[question.subjects[n][0]].name for n in (one, other)]
    steps = f"{_figure(facts[one], names)} [{one + 1}] / {_figure(facts[other], names)} [{other + 1}] = {times:.3g}"
    return f"{how[0].upper()}{how[1:]} {metric.name}: {subjects[0]}, {steps} times the {subjects[1]}."


def _rank(
    question: Question, store: Store, domain: Domain, names: Names, metric: str, wanted: dict[str, str]
) -> tuple[str, list[Citation], list[Fact]] | None:
    """The chips of a line with the most (or least) of something, each under the same qualifiers."""
    line = question.subjects[0][0]
    chips = [e.id for e in domain.entities.values() if e.kind == "chip" and line in domain.ancestors(e.id)]
    pools = [_pool(store, names, chip, metric, {"aggregation": "chip", **wanted}, question.unit) for chip in chips]
    pools = [[f for f in pool if f.rank == "preferred"] for pool in pools]
    keys = sorted({(kind(f, names), values(f, FIXED)) for pool in pools for f in pool})
    if not keys:
        return None
    row_kind, key = max(
        keys, key=lambda k: sum(any((kind(f, names), values(f, FIXED)) == k for f in pool) for pool in pools)
    )
    found = [
        best_fact(chip, [f for f in pool if kind(f, names) == row_kind], key)
        for chip, pool in zip(chips, pools, strict=True)
    ]
    least = bool(LEAST.search(question.text))
    facts = sorted((f for f in found if f is not None), key=_middle, reverse=not least)[:MOST]
    if len(facts) < 2:  # noqa: PLR2004
        return None
    citations = [Citation(n, fact_evidence(store, fact)) for n, fact in enumerate(facts, start=1)]
    sentences = [_sentence(f, names, c.n) for f, c in zip(facts, citations, strict=True)]
    lead = f"Of {sum(f is not None for f in found)} with a figure of the same kind:"
    return " ".join([lead, *sentences]), citations, facts


def _middle(fact: Fact) -> float:
    quantity = fact.claim.quantity
    return 0.0 if quantity is None else (quantity.low + quantity.high) / 2


def _sentence(fact: Fact, names: Names, n: int) -> str:
    said = in_words(fact.claim, names)
    metric = names.metrics[fact.claim.metric].name
    return f"{names.name(fact.claim.subject)}: {metric} {_figure(fact, names)}{f' ({said})' if said else ''}. [{n}]"


def _figure(fact: Fact, names: Names) -> str:
    """The figure as its quote writes it ("58 billion transistors"); as the table does where that is not found in it."""
    claim, quote = fact.claim, fact.citation.quote
    written = one_line(quote[claim.value_start - claim.start : claim.value_end - claim.start])
    bound = claim.quantity.bound if claim.quantity is not None else "exact"
    return written if len(written) < len(quote) and bound == "exact" else value_text(fact, names)


def fact_evidence(store: Store, fact: Fact) -> Evidence:
    """The quote that a fact cites, in the passage of this knowledge base that holds it."""
    cited = quoted(fact)
    passage = next((p.passage for p in _passages(store, fact)), None)
    return cited if passage is None else replace(cited, heading=passage.heading, role=passage.role, passage=passage.id)


def _passages(store: Store, fact: Fact) -> Iterator[StoredPassage]:
    start = fact.claim.start
    return (p for p in store.source_passages(fact.claim.source) if p.passage.start <= start < p.passage.end)
