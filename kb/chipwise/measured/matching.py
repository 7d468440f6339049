"""What was measured of a model on a chip: "tokens/s of Llama 2 70B on 8 H100, MLPerf".

The rows that match best, grouped by benchmark, load and number of chips, each group with its range and the rows at
its ends; never a row of another model or chip. An MFU is worked out from a rate of training and the peak of its chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby, pairwise

from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.domain.names import Names
from chipwise.figures.format import number
from chipwise.figures.llms import find_in, find_model
from chipwise.measured.rows import RATES, Measurement, mfu
from chipwise.text import words
from chipwise.types import Evidence, Role

_METRICS = frozenset((*RATES, "time_to_train"))
_PLAIN = frozenset(("throughput", "samples_per_second"))
_LOOSE = frozenset(("benchmark_score", "speedup", "batch_size", "workload_fit"))  # ask for what is measured, not which
_TRAINING = frozenset(("training", "pre-training", "fine-tuning"))
_NAMED = "benchmark benchmark_version scenario engine engine_version format submitter".split()  # axes of names
_GROUPS = 6  # told in full
_SHORT = 3  # letters of a name that stands for several makers' models: GPT
_NEAR = 1.05  # ratio up to which a model has the size of "a 70B"


def matching(
    text: str, asked: Sequence[str], terms: Sequence[str], known: Sequence[Measurement], names: Names, domain: Domain
) -> tuple[str, list[Evidence]] | None:
    """The measured figures that a question asks for, as text in which "[2]" stands for the second quote.

    `asked` are the ids of the metrics that it asks for, `terms` those of the terms that it names.

    None where it asks for none, or no row is of its model and chip.
    """
    of_model, trained = _of_model(text, known), bool(_TRAINING & {*terms})
    chips = [_chips(ids, of_model, domain) for ids in _things(text, domain)]
    axes = dict(_axes(text, of_model, domain))
    named = {*asked, *(i for m in domain.find_metrics(text) for i in m.ids)}
    named -= set() if chips else {"peak_compute"}
    metrics = _metrics(named, axes, domain, trained=trained) - (set() if chips else {"mfu"})
    if not metrics or not all(chips) or _is_of_another_kind(text, of_model, domain):
        return None
    of_chip = [row for row in of_model if not chips or row.subject in set().union(*chips)]
    rows, lacking = _measuring(metrics, of_chip, trained=trained)
    for axis, value in axes.items():
        rows = [row for row in rows if row[axis].lower() == value.lower()] or rows
    unmet = [f"{a.replace('_', ' ')} {v}" for a, v in axes.items() if all(r[a].lower() != v.lower() for r in rows)]
    if unmet:
        lacking = f"No known run has {' and '.join(unmet)}; these come closest."
    groups = [list(group) for _, group in groupby(sorted(rows, key=_order), key=_group)]
    groups = _alike(groups, chips) if len(chips) > 1 else groups
    quotes: list[Evidence] = []
    told = [_sentence(group, metrics, names, quotes) for group in groups[:_GROUPS]]
    if more := len(rows) - sum(map(len, groups[:_GROUPS])):
        told.append(f"{more:,} more runs use other numbers of chips, formats or benchmarks.")
    return ("\n".join(filter(None, (lacking, *told))), quotes) if told else None


def _measuring(metrics: Set[str], rows: Sequence[Measurement], *, trained: bool) -> tuple[list[Measurement], str]:
    """Those of the rows that measure one of the metrics, of an MFU those that it follows from, or else times; and what is lacking."""
    if "mfu" in metrics:
        rated = [row for row in rows if row.metric == "throughput" and row.is_training and row["format"]]
        times = [row for row in rows if row.metric == "time_to_train"]
        return rated or times, "" if rated else "No MFU follows: of such training runs only times are known, no rates."
    found = [row for row in rows if row.metric in metrics]
    if "time_to_train" not in metrics:
        found = [row for row in found if row.is_training is trained] or found
    return found, ""


def _metrics(named: set[str], axes: dict[str, str], domain: Domain, *, trained: bool) -> Set[str]:
    """The measured metrics that a question asks for, "mfu" among them; all where it names a run's benchmark, engine or submitter, and no other metric."""
    if "mfu" in named:
        return {"mfu"}
    if "peak_compute" in named:  # no model has a peak: what is measured of it
        named |= {domain.metrics["peak_compute"].measured_as if trained else "throughput"}
    if named & _PLAIN:
        return _PLAIN
    return named & _METRICS or (
        _METRICS if axes.keys() & {"benchmark", "engine", "submitter"} and named <= _LOOSE else frozenset()
    )


def _of_model(text: str, known: Sequence[Measurement]) -> list[Measurement]:
    """The rows of the model that a text names: in full, else those of a family with few, else of the size of "a 70B"."""
    models = sorted({row.model for row in known})
    said, named = words(text), find_in(text)
    if named is not None:
        found = [model for model in models if find_model(model) == named[0]]
    else:
        found = [model for model in models if _within(words(model), said)]
        found = found or [m for m in models if len(words(m)[0]) > _SHORT and words(m)[0] in said]
    sizes = [float(w[:-1]) * 1e9 for w in said if w[-1:] == "b" and w[:-1].replace(".", "", 1).isdecimal()]
    if named is None and (sizes or not found):  # a family has models of several sizes
        sized = [(model, shape.parameters) for model in found or models if (shape := find_model(model)) is not None]
        found = [m for m, own in sized if any(max(own, size) <= _NEAR * min(own, size) for size in sizes)]
    return [row for row in known if row.model in found]


def _things(text: str, domain: Domain) -> list[tuple[str, ...]]:
    """The products that a text names, less those inside of a longer name: "MLPerf Inference v4.1" is about no TPU v4."""
    terms = [{*range(term.start, term.end)} for term in domain.find_terms(text)]
    free = [m for m in domain.find_entities(text) if not any({*range(m.start, m.end)} < term for term in terms)]
    for n, m in enumerate(free):  # "8 H100 PCIe" is no HGX H100 with something behind it
        counted = text[m.start : m.end].lstrip("0123456789x ")
        if len(counted) < m.end - m.start and (plain := domain.find_entities(text[m.end - len(counted) :])):
            free[n] = plain[0]
    return [m.ids for m in free if any(domain.is_chip(i) or domain.is_machine(i) for i in m.ids)]


def _is_of_another_kind(text: str, rows: Sequence[Measurement], domain: Domain) -> bool:
    """True where a text states a rate itself, or names a round of a benchmark that no row is of."""
    said = words(text)
    rounds = {row["benchmark_version"] for row in rows} - {""}
    another = any(w[:1] == "v" and w[1:].replace(".", "").isdigit() for w in said) and not any(
        _within(words(r), said) for r in rounds
    )
    model = find_in(text)
    start, end = model[1] if model is not None else (0, 0)  # "Llama 2 70B tokens per second" states no rate
    rates = (q for q in domain.unit_table.find_all(text) if q.dimension in ("token_rate", "compute_rate"))
    return any(not start < q.start < end for q in rates) or (another and "mlperf" in said)


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    return any(list(whole[n : n + len(part)]) == list(part) for n in range(len(whole) - len(part) + 1))


def _chips(ids: Sequence[str], rows: Sequence[Measurement], domain: Domain) -> set[str]:
    """The chips of rows that one name means: those that have it in their own names, as a GB200 is no B200."""
    chips = {domain.nearest_chip(i) if domain.is_machine(i) else i for i in ids}
    meant = {r.subject for r in rows if r.subject in chips or chips & {*domain.ancestors(r.subject)}}
    last = [words(domain.entities[chip].name)[-1:] for chip in chips]
    return {m for m in meant if any(_within(name, words(domain.entities[m].name)) for name in last)} or meant


def _axes(text: str, rows: Sequence[Measurement], domain: Domain) -> Iterator[tuple[str, str]]:
    """Values of axes that stand in a text, as rows write them, the number of chips that it counts, batch and two lengths in tokens."""
    said = words(text)
    for axis in _NAMED:
        values = sorted({row[axis] for row in rows} - {""}, key=len, reverse=True)
        named = next((value for value in values if _within(words(value), said)), "")
        if not named and axis == "benchmark":
            named = next((value for value in values if words(value)[0] in said), "")
        if named:
            yield axis, named
    counted = [(q.unit, f"{q.middle:.0f}") for q in domain.unit_table.find_all(text) if q.is_single]
    chips = [count for unit, count in counted if unit in domain.units and domain.units[unit].of == COUNTED_CHIPS]
    starts = {m.start for m in domain.find_entities(text) if domain.is_chip(m.ids[0])}
    chips += [f"{q.middle:.0f}" for q in domain.unit_table.find_all(text) if q.end + 1 in starts and not q.middle % 1]
    if chips:
        yield "chips", chips[0]
    loads = {(row["input_length"], row["output_length"]) for row in rows}
    if load := next((pair for pair in pairwise(count for _, count in counted) if pair in loads), None):
        yield from zip(("input_length", "output_length"), load, strict=True)
    batch = next((said[n + 1] for n, word in enumerate(said[:-1]) if word == "batch"), "")
    if any(row["batch"] == batch for row in rows if batch):
        yield "batch", batch


def _group(row: Measurement) -> tuple[str, ...]:
    """What the rows of one sentence have in common."""
    own = ("model", "metric", "phase", "scenario", "format")
    return (row.source.file, row.subject, f"{row.chips:06}", *(row[axis] for axis in own))


def _alike(groups: Sequence[list[Measurement]], named: Sequence[set[str]]) -> list[list[Measurement]]:
    """The groups that every one of the things compared has with the same load, whatever the format, side by side; all where there is none."""
    sides: dict[tuple[str, ...], list[list[Measurement]]] = {}
    for group in groups:
        file, _, *rest = _group(group[0])[:-1]
        sides.setdefault((file, *rest), []).append(group)
    whole = [side for side in sides.values() if all(any(g[0].subject in chips for g in side) for chips in named)]
    return [group for side in whole for group in side] or list(groups)


def _order(row: Measurement) -> tuple[object, ...]:
    """Inference before training, newest first, then by what is run, and within a group by value."""
    return (row.is_training, -int(row["date"][:4]), -int(row["date"][5:7] or 0), *_group(row), row.value)


def _sentence(group: Sequence[Measurement], metrics: Iterable[str], names: Names, quotes: list[Evidence]) -> str:
    """One group in words: what, on how many of which chip, from how much to how much, and how it was run."""
    first, last = group[0], group[-1]
    differs = len({_load(row) for row in group}) > 1
    shown = []
    for row in [first] if first.value == last.value else [first, last]:
        found = mfu(row, names.name(row.subject)) if "mfu" in metrics else None  # none of a time
        quotes.append(evidence(row))
        text = f"{_value(row)}{f' ({_load(row)})' if differs and _load(row) else ''} [{len(quotes)}]"
        if found is not None:
            share, peak = found
            model = find_model(row.model)
            size = f"{model.active_parameters / 1e9:,.4g} billion" if model is not None else ""
            dense = f"{peak.tflops:,g} TFLOPS dense {peak.dtype.upper()}"
            text = f"MFU {share:.1%} (6 x {size} parameters x {text} / {dense})"
        shown.append(text)
    names_of = (("benchmark", "benchmark_version"), ("engine", "engine_version"))
    run = [next((" ".join(filter(None, (first[a], first[b]))) for a, b in names_of if first[a]), "")]
    run += [first["scenario"], first["phase"] if not first["benchmark"] else "", "" if differs else _load(first)]
    stated = "weights stated as " if first["format"] and first["benchmark"] else ""
    run += [stated + first["format"].upper(), f"{len(group)} runs" if len(group) > 1 else "", first["date"]]
    what = f"{first.model} on {first.chips:,} x {names.name(first.subject)}"
    return f"{what}: {' to '.join(shown)}; {', '.join(filter(None, run))}."


def _value(row: Measurement) -> str:
    """The figure to four digits, with its unit; the quote has all of them."""
    each = " per chip" if row.scope == "chip" and row.metric in RATES else ""
    return f"{number(row.value)} {row.unit}{each}"


def _load(row: Measurement) -> str:
    """The lengths and the batch of a run, as far as they are stated."""
    said = {"input_length": "{} tokens in", "output_length": "{} out", "batch": "batch {}"}
    return ", ".join(text.format(row[axis]) for axis, text in said.items() if row[axis])


def evidence(row: Measurement) -> Evidence:
    """The row as a quote, marked where its figure stands, with the address of what it was read from."""
    mark = row.text.index(row.text.split(row.unit)[0].rstrip(",").rpartition(",")[2])
    cited, ends = row.citation, (row.start, row.start + len(row.text))
    place = (f"{row.source.file}.csv", cited.title, cited.origin, cited.publisher, cited.published, (), Role.TABLE)
    marked = (mark, mark + len(row.text[mark:].partition(",")[0]))
    return Evidence(*place, row.text, *ends, line=row.line, page=None, passage="", mark=marked)
