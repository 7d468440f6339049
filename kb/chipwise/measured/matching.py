"""What was measured of a model on a chip: "tokens/s of Llama 2 70B on 8 H100, MLPerf".

The rows that match best, grouped by benchmark, load and number of chips, each group with its range and with
the rows that it name_end and ends with; never a row of another model or chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.domain.names import Names
from chipwise.figures.amounts import number
from chipwise.figures.llms import find_in
from chipwise.measured.rows import RATES, Measurement, Wanted, select, unmet
from chipwise.text import words
from chipwise.types import Evidence, Role

_METRICS = (*RATES, "time_to_train")
_ANY = "benchmark_score"  # asks for whatever a benchmark measures
_PEAK = "peak_compute"
_TRAINING = frozenset(("training", "pre-training", "fine-tuning"))
_NAMED = tuple("benchmark benchmark_version scenario engine engine_version format submitter".split())  # axes of names
_GROUPS = 4  # told in full
_RATE_DIMENSIONS = ("token_rate", "compute_rate")
_SHORT = 3  # letters of a name that stands for several makers' models: GPT
_DIGITS, _FULL = 6, 1e6  # of a figure; larger ones are whole numbers


@dataclass(frozen=True, slots=True)
class Question:
    """A question's text with the metrics that it asks for and the terms that it names, as ids."""

    text: str
    metrics: tuple[str, ...]
    terms: tuple[str, ...]


def matching(
    question: Question, known: Sequence[Measurement], names: Names, domain: Domain
) -> tuple[str, list[Evidence]] | None:
    """The measured figures that a question asks for, as text in which "[2]" stands for the second quote.

    None where it asks for none, or no row is of its model and chip.
    """
    wanted = _wanted(question, known, domain)
    rows = select(known, wanted) if wanted is not None else []
    if wanted is None or not rows:
        return None
    groups = [list(group) for _, group in groupby(sorted(rows, key=_order), key=_group)]
    things = _things(question.text, domain)
    if len(things) > 1:
        groups = _alike(groups, [_chips(ids, rows, domain) for ids in things])
    quotes: list[Evidence] = []
    sentences = [_sentence(group, names, quotes) for group in groups[:_GROUPS]]
    more = len(rows) - sum(map(len, groups[:_GROUPS]))
    if more:
        sentences.append(f"{more:,} more runs are of other numbers of chips, formats or benchmarks.")
    lacking = [f"{axis.replace('_', ' ')} {value}" for axis, value in unmet(rows, wanted).items()]
    if lacking:
        sentences.insert(0, f"I know no run with {' and '.join(lacking)}; these come closest.")
    return "\n".join(sentences), quotes


def _wanted(question: Question, known: Sequence[Measurement], domain: Domain) -> Wanted | None:
    """The metrics, models, chips and axes that a question names; None where it names no measured metric or no model of a row."""
    metrics = _metrics(question, domain)
    models = _models(question.text, known) if metrics else ()
    rows = [row for row in known if row.model in models] if models else []
    named = [_chips(ids, rows, domain) for ids in _things(question.text, domain)]
    chips = {chip for each in named for chip in each}
    if not rows or not all(named) or _is_of_another_kind(question.text, rows, domain):
        return None
    rates = "throughput" in metrics and "time_to_train" not in metrics
    training = bool(_TRAINING & set(question.terms)) if rates else None
    return Wanted(metrics, models, frozenset(chips), training, dict(_axes(question.text, rows, domain)))


def _things(text: str, domain: Domain) -> list[tuple[str, ...]]:
    """The products that a text names, less those inside of another name: "MLPerf Inference v4.1" is about no TPU v4."""
    terms = [(term.start, term.end) for term in domain.find_terms(text)]
    return [
        m.ids for m in domain.find_entities(text) if not any(start < m.end and m.start < end for start, end in terms)
    ]


def _is_of_another_kind(text: str, rows: Sequence[Measurement], domain: Domain) -> bool:
    """True where a text asks for a ceiling, states a rate itself, or names a round of a benchmark that no row is of."""
    said = words(text)
    rounds = {row.benchmark_version for row in rows}
    benchmarks = {words(row.benchmark)[0] for row in rows if row.benchmark}
    other_round = any(w[:1] == "v" and w[1:2].isdigit() for w in said) and not any(
        _within(words(r), said) for r in rounds if r
    )
    ceiling = any("basis=peak" in mention.ids for mention in domain.find_qualifiers(text))
    model = find_in(text)
    start, end = (
        model[1] if model is not None else (0, 0)
    )  # "Llama 2 70B tokens per second" states no rate of 70 billion
    figures = domain.unit_table.find_all(text)
    rate = any(q.dimension in _RATE_DIMENSIONS and not start < q.start < end for q in figures)
    return ceiling or rate or (other_round and bool(benchmarks & set(said) or "mlperf" in said))


def _metrics(question: Question, domain: Domain) -> tuple[str, ...]:
    """The measured metrics that a question asks for; of a peak what is measured of it, as no model has a peak."""
    named = {*question.metrics, *(i for m in domain.find_metrics(question.text) for i in m.ids)}
    if _PEAK in named:
        named |= {domain.metrics[_PEAK].measured_as} if _TRAINING & set(question.terms) else {"throughput"}
    if named & {"throughput", "samples_per_second"}:
        return ("throughput", "samples_per_second")
    benchmark = any(domain.terms[term].kind == "benchmark" for term in question.terms)
    return (
        _METRICS
        if _ANY in named or (benchmark and not named)
        else tuple(metric for metric in _METRICS if metric in named)
    )


def _models(text: str, rows: Sequence[Measurement]) -> tuple[str, ...]:
    """The models of rows that a text names: one in full, else those of a family with few."""
    known = sorted({row.model for row in rows})
    named = find_in(text)
    if named is not None:
        return (named[0].name,) if named[0].name in known else ()
    said = words(text)
    whole = tuple(model for model in known if _within(words(model), said))
    return whole or tuple(model for model in known if len(words(model)[0]) > _SHORT and words(model)[0] in said)


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    return any(list(whole[n : n + len(part)]) == list(part) for n in range(len(whole) - len(part) + 1))


def _chips(ids: Sequence[str], rows: Sequence[Measurement], domain: Domain) -> set[str]:
    """The chips of rows that one name means: those that have it in their own names, as a GB200 is no B200."""
    chips = {domain.nearest_chip(i) if domain.is_machine(i) else i for i in ids}
    meant = {r.subject for r in rows if r.subject in chips or chips & set(domain.ancestors(r.subject))}
    spelled = {
        m
        for m in meant
        if any(_within(words(domain.entities[c].name)[-1:], words(domain.entities[m].name)) for c in chips)
    }
    return spelled or meant


def _axes(text: str, rows: Iterable[Measurement], domain: Domain) -> Iterator[tuple[str, str]]:
    """Values of axes that stand in a text, as rows write them, the number of chips that it counts, and two lengths in tokens."""
    said = words(text)
    rows = list(rows)
    for axis in _NAMED:
        values = sorted({str(getattr(row, axis)) for row in rows} - {""}, key=len, reverse=True)
        named = next((value for value in values if _within(words(value), said)), "")
        if not named and axis == "benchmark":
            named = next((value for value in values if words(value)[0] in said), "")
        if named:
            yield axis, named
    counted = [(q.unit, f"{q.middle:.0f}") for q in domain.unit_table.find_all(text) if q.is_single]
    chips = [count for unit, count in counted if unit in domain.units and domain.units[unit].of == COUNTED_CHIPS]
    if chips:
        yield "chips", chips[0]
    loads = {(row.input_length, row.output_length) for row in rows}
    numbers = [count for _, count in counted]
    load = next((pair for pair in pairwise(numbers) if pair in loads), None)  # read, then written
    if load is not None:
        yield from zip(("input_length", "output_length"), load, strict=True)


def _group(row: Measurement) -> tuple[str, ...]:
    """What the rows of one sentence have in common."""
    return (row.source.file, row.subject, f"{row.chips:06}", row.model, row.metric, row.phase, row.scenario, row.format)


def _alike(groups: Sequence[list[Measurement]], named: Sequence[set[str]]) -> list[list[Measurement]]:
    """The groups that every one of the things compared has with the same load, side by side; all where there is none."""
    sides: dict[tuple[str, ...], list[list[Measurement]]] = {}
    for group in groups:
        file, _, *rest = _group(group[0])
        sides.setdefault((file, *rest), []).append(group)
    whole = [side for side in sides.values() if all(any(g[0].subject in chips for g in side) for chips in named)]
    return [group for side in whole for group in side] or list(groups)


def _order(row: Measurement) -> tuple[object, ...]:
    """Inference before training, newest first, then by what is run, and within a group by value."""
    return (row.is_training, -int(row.date[:4]), -int(row.date[5:7] or 0), *_group(row), row.value)


def _sentence(group: Sequence[Measurement], names: Names, quotes: list[Evidence]) -> str:
    """One group in words: what, on how many of which chip, from how much to how much, and how it was run."""
    first, last = group[0], group[-1]
    ends = [first] if first.value == last.value else [first, last]
    differs = len({_load(row) for row in group}) > 1
    shown = []
    for row in ends:
        quotes.append(evidence(row))
        shown.append(f"{_value(row)}{f' ({_load(row)})' if differs and _load(row) else ''} [{len(quotes)}]")
    run = [f"{first.benchmark} {first.benchmark_version}".strip() or f"{first.engine} {first.engine_version}".strip()]
    run += [first.scenario, first.phase if not first.benchmark else "", "" if differs else _load(first)]
    stated = first.format.upper()
    run += [
        f"weights stated as {stated}" if stated and first.benchmark else stated,
        f"{len(group)} runs" if len(group) > 1 else "",
        first.date,
    ]
    what = f"{first.model} on {first.chips:,} x {names.name(first.subject)}"
    return f"{what}: {' to '.join(shown)}; {', '.join(filter(None, run))}."


def _value(row: Measurement) -> str:
    """The figure with its unit: as the row writes it, or rounded and called so."""
    written = number(row.value, _DIGITS)
    exact = float(written.replace(",", "")) == row.value if row.value < _FULL else True
    each = " per chip" if row.scope == "chip" and row.metric in RATES else ""
    return f"{'' if exact else 'about '}{written} {row.unit}{each}"


def _load(row: Measurement) -> str:
    """The lengths and the batch of a run, as far as they are stated."""
    lengths = [
        f"{row.input_length} tokens in" if row.input_length else "",
        f"{row.output_length} out" if row.output_length else "",
    ]
    return ", ".join(filter(None, (*lengths, f"batch {row.batch}" if row.batch else "")))


def evidence(row: Measurement) -> Evidence:
    """The row as a quote, marked where its figure stands, with the address of what it was read from."""
    source = row.source
    path = row.origin.partition("#")[0]
    mark = row.text.index(row.text.split(row.unit)[0].rstrip(",").rpartition(",")[2])
    return Evidence(
        source=f"{source.file}.csv",
        title=source.title,
        origin=f"{source.origin}/blob/{source.commit}/{path}",
        publisher=source.publisher,
        published=source.published,
        heading=(),
        role=Role.TABLE,
        quote=row.text,
        start=row.start,
        end=row.start + len(row.text),
        line=row.line,
        page=None,
        passage="",
        mark=(mark, mark + len(row.text[mark:].partition(",")[0])),
    )
