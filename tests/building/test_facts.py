"""The curated table: every row stands in its digest, and a row that does not is an error with file and line."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from chipwise.building.facts import read_facts
from chipwise.claims.model import Fact, Modality
from chipwise.corpus import digests_folder, facts_folder
from chipwise.domain.files import shipped_domain
from chipwise.domain.model import Domain
from chipwise.errors import DomainInvalid
from chipwise.reading import read_file

WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SCALES = ((1e6, "million"), (1e9, "billion"), (1e12, "trillion"))
KINDS = ("chip", "variant", "system", "slice")


@cache
def shipped() -> Domain:
    return shipped_domain()


@cache
def facts() -> tuple[Fact, ...]:
    return tuple(read_facts(facts_folder(), digests_folder(), shipped()))


def test_the_shipped_table_is_large_enough() -> None:
    domain = shipped()
    about = {f.claim.subject for f in facts() if f.claim.subject in domain.entities}
    assert len(facts()) >= 350
    assert sum(domain.entities[i].kind in KINDS for i in about) >= 40
    assert len({f.claim.source for f in facts()}) >= 30


def test_every_fact_stands_verbatim_in_the_digest_that_it_cites() -> None:
    sources = {f.claim.source for f in facts()}
    texts = {source: read_file(digests_folder() / f"{source}.md").text for source in sources}
    for fact in facts():
        claim, text = fact.claim, texts[fact.claim.source]
        assert text[claim.start : claim.end] == fact.citation.quote, fact.place
        assert claim.start <= claim.value_start < claim.value_end <= claim.end, fact.place
        assert fact.citation.line == text.count("\n", 0, claim.start) + 1, fact.place
        assert fact.citation.title, fact.place


def digits(number: str) -> set[str]:
    """How a number may be written: 13120 as "13,120" or "13.12", 8 as "eight", 1000000 as "one million"."""
    value = float(number)
    told = {number, f"{value:,.15g}", *(f"{value * 10.0**power:,.10g}" for power in (-3, 3)), spelled(value)}
    return told | {f"{form(value / scale)} {word}" for scale, word in SCALES for form in (spelled, "{:.10g}".format)}


def spelled(value: float) -> str:
    return WORDS[int(value)] if value in range(len(WORDS)) else f"{value:.10g}"


def written(fact: Fact) -> bool:
    """True when the quote has the figure: as a quantity, else each of its numbers in digits or words."""
    if (fact.claim.value_start, fact.claim.value_end) != (fact.claim.start, fact.claim.end):
        return True
    quote = fact.citation.quote.lower()
    numbers = fact.value.split("..")
    return all(any(re.search(rf"(?<![\d.,]){re.escape(d)}(?![\d])", quote) for d in digits(n)) for n in numbers)


def test_the_figure_of_every_fact_is_written_in_its_quote() -> None:
    assert [f.place for f in facts() if f.claim.quantity is not None and not written(f)] == []


def test_of_one_thing_there_is_one_preferred_figure() -> None:
    preferred: dict[object, list[str]] = {}
    for f in facts():
        c = f.claim
        if f.rank == "preferred" and c.quantity is not None:
            counted = f.unit if c.quantity.dimension == "count" else ""  # "CUDA cores" and "SMs" are two things
            key = (c.subject, c.metric, c.baseline, c.qualifiers, counted)
            preferred.setdefault(key, []).append(f.place)
    assert [places for places in preferred.values() if len(places) > 1] == []


def test_a_deprecated_fact_says_why_and_names_are_those_of_the_domain() -> None:
    domain = shipped()
    for f in facts():
        assert f.rank in ("preferred", "normal", "deprecated")
        assert f.reason or f.rank != "deprecated", f.place
        assert f.claim.subject in {*domain.entities, *domain.terms}, f.place
        assert f.claim.metric in domain.metrics, f.place
        if f.claim.quantity is not None:
            assert f.claim.quantity.dimension == domain.metrics[f.claim.metric].dimension, f.place


def units_named(text: str) -> set[str]:
    """The units of a chip that a text names: "matrix", "vector"."""
    found = (i.partition("=") for m in shipped().find_qualifiers(text) for i in m.ids)
    return {value for axis, _, value in found if axis == "engine"}


def sections(fact: Fact) -> list[str]:
    """What of a digest tells of which units a figure is: the section that is quoted, what stands before all, and lines with the figure."""
    text = read_file(digests_folder() / f"{fact.claim.source}.md").text
    start = text.rfind("\n## ", 0, fact.claim.start)
    quoted = text[max(start, 0) :].split("\n## ")[1 if start >= 0 else 0]
    figures = [fact.claim.quantity] if fact.claim.quantity is not None else []
    find = shipped().unit_table.find
    lines = [line for line in text.splitlines() if any(q.agrees_with(f) for q in find(line) for f in figures)]
    return [quoted, text.split("\n## ")[0], *lines]


def test_the_units_that_reach_a_peak_are_named_by_its_quote_or_its_digest() -> None:
    stated = [(f, f.claim.qualifier("engine")) for f in facts() if f.claim.qualifier("engine")]
    assert {engine for _, engine in stated} == {"matrix", "vector"}
    by_quote = {f.id for f, engine in stated if engine in units_named(f.citation.quote)}
    rest = [(f, engine) for f, engine in stated if f.id not in by_quote]
    assert [f.place for f, engine in rest if engine not in units_named("\n".join(sections(f)))] == []
    assert len(by_quote) > len(rest)


def test_a_quote_that_names_one_kind_of_units_for_its_figure_gives_the_row_that_kind() -> None:
    on_vector = [f for f in facts() if re.search(r"\bon its (?:ordinary )?vector units\b", f.citation.quote)]
    on_matrix = [f for f in facts() if re.search(r"TFLOPS[^,;]* on (?:its )?tensor cores\b", f.citation.quote)]
    assert {f.claim.qualifier("engine") for f in on_vector if f.claim.metric == "peak_compute"} == {"vector"}
    assert {f.claim.qualifier("engine") for f in on_matrix if f.claim.metric == "peak_compute"} == {"matrix"}
    assert len(on_vector) >= 60
    assert len(on_matrix) >= 10


# --- A table of two rows ---

COLUMNS = (
    "id subject metric value unit bound dtype sparsity engine direction aggregation count form_factor basis memory_kind workload"
    " benchmark price_terms provider power_basis capacity baseline modality as_of rank reason source quote"
).split()
QUOTE = "The H100 SXM has 80 GB of HBM3 and 3.35 TB/s."
DIGEST = f"---\nid: sheet\ntitle: A sheet\npublisher: Example Press\npublished: 2024-05\n---\n\n# A sheet\n\n{QUOTE}\n"
ROW = {
    "id": "a",
    "subject": "nvidia-h100-sxm",
    "metric": "memory_capacity",
    "value": "80",
    "unit": "GB",
    "modality": "specified",
    "rank": "preferred",
    "source": "sheet",
    "quote": QUOTE,
}


def csv_of(*rows: dict[str, str]) -> str:
    lines = [",".join('"{}"'.format(row.get(c, "").replace('"', '""')) for c in COLUMNS) for row in rows]
    return "\n".join([",".join(COLUMNS), *lines, ""])


def read(folder: Path, text: str | bytes, name: str = "t.csv") -> list[Fact]:
    (folder / "sheet.md").write_text(DIGEST)
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_facts(folder, folder, shipped())


def test_a_row_becomes_a_fact_with_its_claim_and_its_citation(tmp_path: Path) -> None:
    row = ROW | {"aggregation": "chip", "memory_kind": "hbm3", "as_of": "2024-05"}
    (fact,) = read(tmp_path, csv_of(row))
    c = fact.claim
    assert (c.subject, c.metric, c.modality) == ("nvidia-h100-sxm", "memory_capacity", Modality.SPECIFIED)
    assert dict(c.qualifiers) == {"aggregation": "chip", "memory_kind": "hbm3"}
    assert c.quantity is not None
    assert (c.quantity.low, c.quantity.high) == pytest.approx((80e9, 80e9))
    assert QUOTE[c.value_start - c.start : c.value_end - c.start] == "80 GB"
    assert (fact.place, fact.as_of, fact.rank) == ("t.csv:2", "2024-05", "preferred")
    cited = fact.citation
    assert (cited.title, cited.publisher, cited.published, cited.quote) == (
        "A sheet",
        "Example Press",
        "2024-05",
        QUOTE,
    )


@pytest.mark.parametrize(
    ("value", "bound", "low", "high"),
    [
        ("80", "", 80, 80),
        ("3.35", "", 3.35 - 0.005, 3.35 + 0.005),
        ("989", "", 989 - 0.5, 989 + 0.5),
        ("12..15", "", 12, 15),
        ("80", "about", 80 * 0.95, 80 * 1.05),
        ("80", "at most", float("-inf"), 80),
        ("80", "at least", 80, float("inf")),
    ],
)
def test_a_value_means_whatever_rounds_to_it_or_its_bound_allows(
    tmp_path: Path, value: str, bound: str, low: float, high: float
) -> None:
    (fact,) = read(tmp_path, csv_of(ROW | {"value": value, "bound": bound}))
    assert fact.claim.quantity is not None
    assert (fact.claim.quantity.low / 1e9, fact.claim.quantity.high / 1e9) == pytest.approx((low, high))


def test_a_category_has_no_quantity(tmp_path: Path) -> None:
    (fact,) = read(tmp_path, csv_of(ROW | {"metric": "memory_kind", "value": "hbm3", "unit": ""}))
    assert (fact.claim.quantity, fact.claim.object) == (None, "hbm3")


def test_rows_of_several_files_come_in_the_order_of_files_and_lines(tmp_path: Path) -> None:
    read(tmp_path, csv_of(ROW | {"id": "c"}), "b.csv")
    found = read(tmp_path, csv_of(ROW, ROW | {"id": "b"}), "a.csv")
    assert [(f.id, f.place) for f in found] == [("a", "a.csv:2"), ("b", "a.csv:3"), ("c", "b.csv:2")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "Not an id"}, "id: String should match"),
        ({"value": ""}, "value: String should have at least 1 character"),
        ({"quote": ""}, "quote: String should have at least 1 character"),
        ({"source": ""}, "source: String should have at least 1 character"),
        ({"rank": "best"}, "rank: Input should be"),
        ({"bound": "nearly"}, "bound: Input should be"),
        ({"modality": "dreamt"}, "modality: Input should be"),
        ({"count": "eight"}, "count: String should match"),
        ({"as_of": "May 2024"}, "as_of: String should match"),
        ({"subject": "nvidia-h1000"}, "'nvidia-h1000' is not a known entity or model"),
        ({"metric": "memory"}, "'memory' is not a known metric"),
        ({"baseline": "nvidia-h1000"}, "'nvidia-h1000' is not a known entity"),
        ({"unit": "gigs"}, "'gigs' is not a known unit"),
        ({"unit": "TB/s"}, "'TB/s' is not for memory_capacity"),
        ({"unit": ""}, "'' is not for memory_capacity"),
        ({"dtype": "bf17"}, "'bf17' is not a value of dtype"),
        ({"sparsity": "very"}, "'very' is not a value of sparsity"),
        ({"value": "eighty"}, "'eighty' is not a number"),
        ({"value": "..80"}, "'..80' is not a number"),
        ({"source": "leaflet"}, "no digest is called 'leaflet'"),
        ({"quote": "The H100 SXM has 81 GB."}, "the quote is not in sheet"),
        ({"quote": QUOTE.replace("80 GB", "80  GB")}, "the quote is not in sheet"),
        ({"rank": "deprecated"}, "a deprecated fact has no reason"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_that_cannot_stand_is_an_error_with_file_and_line(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    with pytest.raises(DomainInvalid) as raised:
        read(tmp_path, csv_of(ROW, ROW | {"id": "b"} | change))
    assert str(raised.value).startswith(f"{tmp_path / 't.csv'}:3: {message}")
    assert raised.value.hint


def test_a_range_has_two_ends(tmp_path: Path) -> None:
    with pytest.raises(DomainInvalid, match=r"t\.csv:2: '80\.\.' is not a number"):
        read(tmp_path, csv_of(ROW | {"value": "80.."}))


def test_a_fact_is_in_the_table_once(tmp_path: Path) -> None:
    with pytest.raises(DomainInvalid, match=r"t\.csv:3: 'a' is already at .*t\.csv:2") as raised:
        read(tmp_path, csv_of(ROW, ROW))
    assert raised.value.hint


@pytest.mark.parametrize(
    "text",
    [
        csv_of(ROW).replace('"80"', '"80" "'),
        csv_of(ROW).encode().replace(b"HBM3", b"HBM\xff"),
        csv_of(ROW) + "one,more\n",
        csv_of(ROW).replace("id,subject", "id,chip"),
        csv_of(ROW).rstrip("\n") + ",another column\n",
    ],
    ids=["a stray quotation mark", "no UTF-8", "a short row", "an unknown column", "a long row"],
)
def test_a_file_that_is_no_table_is_an_error_with_its_place(tmp_path: Path, text: str | bytes) -> None:
    with pytest.raises(DomainInvalid, match=r"t\.csv:\d+: ") as raised:
        read(tmp_path, text)
    assert raised.value.hint
