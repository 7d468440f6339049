"""The learned claim reader: what it sees, what it makes of it, and that neither digits nor names decide."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from chipwise.claims.reader import ClaimReader, reader_of
from chipwise.claims.told import read_claims
from chipwise.claims.units import Unit, read_units
from chipwise.claims.windows import POSITIONS
from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.splitting import split
from chipwise.standalone import shipped_domain
from chipwise.types import Document

TEXT = """# Notes on the H200

The H200 has 141 GB of memory at 4.8 TB/s and draws up to 700 W. Its predecessor, the H100 SXM, had 80 GB.
A 70B model needs 140 GB in FP16, so one H200 holds it. We ran a batch of 32 on 8 of them.

| GPU | Memory (GB) | Rent (USD per hour) |
|---|---|---|
| A100 80GB | 80 | $1.79 |
| MI300X | 192 | $2.99 |
| Zorgon X900 | 96 | $0.99 |

```json
{"name": "L40S", "memory_gb": 48}
```
"""
# each by one of its kind, and with no two of them kin: the text says the same of others
RENAMED = {
    "H200": "B200",
    "H100 SXM": "A100 SXM",
    "A100 80GB": "RTX 4060 Ti 16GB",
    "MI300X": "MI250X",
    "L40S": "RTX 4090",
}


def read_document(text: str) -> Document:
    return read_bytes(text.encode(), name="notes.md", origin="notes.md", source_id="notes")


@cache
def reader() -> ClaimReader:
    return reader_of(shipped_domain())


def units_of(text: str) -> tuple[Document, list[Unit]]:
    document = read_document(text)
    return document, read_units(shipped_domain(), split(document), document.info.title)


def redraw(text: str, seed: int) -> str:
    """Other digits in every figure of an amount, of the same order of magnitude."""
    rng = random.Random(seed)  # noqa: S311

    def another(found: re.Match[str]) -> str:
        return "".join(str(rng.randint(1 if n == 0 else 0, 9)) if c.isdigit() else c for n, c in enumerate(found[0]))

    return re.sub(r"(?<![\w.$])[1-9][\d.]*(?=\s(?:GB|TB/s|W)\b| \|)|(?<=\$)[1-9][\d.]*", another, text)


def readings(text: str) -> list[tuple[str, str, str, str]]:
    """What is read of each figure, with the words that its subject is named by replaced by where they stand."""
    document = read_document(text)
    _, found = reader().read(split(document), document.info.title)
    order: dict[str, int] = {}
    return [
        (r.metric, r.reason, str(order.setdefault(r.subject, len(order))), r.scope)
        for r in sorted(found, key=lambda r: (r.unit, r.figure))
    ]


def test_every_figure_stands_where_it_says_in_the_source() -> None:
    document, units = units_of(TEXT)
    for unit in units:
        for figure, (start, end) in zip(unit.found.figures, unit.places, strict=True):
            assert document.text[start:end] == figure.surface


def test_an_alias_that_a_text_makes_stands_for_what_it_is_named_beside() -> None:
    _, units = units_of("Bidder A offers the MI325X, Bidder B the H200.\n\nBidder A asks for 300 W less.\n")
    (alias,) = (n for n in units[-1].found.names if n.kind == "alias")
    assert alias.ids == ("amd-mi325x",)


@pytest.mark.parametrize("below", ["", "\n## AMD MI300X\n\nThe MI300X has 192 GB of HBM3.\n"])
def test_a_heading_is_of_what_stands_below_it_and_never_of_the_figures_above(below: str) -> None:
    document = read_document(f"## NVIDIA H100 SXM\n\nThe H100 SXM has 80 GB of HBM3. It is rated at 700 W.\n{below}")
    units, found = reader().read(split(document), document.info.title)
    read = {units[r.unit].text[r.candidate.start : r.candidate.end]: r.subject for r in found if r.metric}
    assert (read["80 GB"], read["700 W"]) == ("nvidia-h100-sxm", "nvidia-h100-sxm")


def test_a_spelling_that_may_be_of_two_products_is_none() -> None:
    document = read_document("The L40s has 48 GB of memory.")
    _, (reading, *_) = reader().read(split(document), document.info.title)
    assert reading.subject == "?L40s"


def test_what_the_network_sees_has_no_digit_of_a_figure_and_no_name() -> None:
    _, units = units_of(TEXT)
    tokens = [
        reader().encoder.masker.tokenizer.id_to_token(int(i)) for w in reader().encoder.windows(units) for i in w.ids
    ]
    assert not {t for t in tokens if re.search(r"\d", t) and t not in ("##p", "fp", "##16")}
    assert not {"h", "200", "mi", "zo", "##rgo"} & set(tokens)


@pytest.mark.parametrize("seed", range(3))
def test_other_digits_of_the_same_order_of_magnitude_are_read_the_same(seed: int) -> None:
    changed = redraw(TEXT, seed)
    assert changed != TEXT
    assert readings(changed) == readings(TEXT)


def test_other_chips_in_the_same_places_are_read_the_same() -> None:
    names = re.compile("|".join(map(re.escape, sorted(RENAMED, key=len, reverse=True))))
    renamed = names.sub(lambda m: RENAMED[m[0]], TEXT)
    assert readings(renamed) == readings(TEXT)


def claims_of(text: str, *, least: float = 0.5) -> list[tuple[str, str, str]]:
    document = read_document(text)
    read = read_claims(reader(), shipped_domain(), split(document), document.info.title)
    found = [c for c in read if c.confidence >= least]
    return [(c.subject, c.metric, document.text[c.value_start : c.value_end]) for c in found]


def test_what_a_model_needs_and_what_a_run_was_set_to_are_no_claims() -> None:
    told = [surface for _, _, surface in claims_of(TEXT)]
    assert "141 GB" in told
    assert "140 GB" not in told
    assert "32" not in told


def test_a_text_of_numbers_makes_no_window_that_the_encoder_cannot_take() -> None:
    units = read_units(shipped_domain(), split(read_document("1" * 600_000)), "")
    assert 0 < max(len(window.ids) for window in reader().encoder.windows(units)) <= POSITIONS


def test_reading_twice_gives_the_same() -> None:
    document = read_document(TEXT)
    first, second = (read_claims(reader(), shipped_domain(), split(document)) for _ in range(2))
    assert first == second
    assert all(0 <= c.confidence <= 1 for c in first)


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("The L40S (no NVLink) has 48 GB of GDDR6.", True),
        ("The L40S comes without NVLink and draws 350 W.", True),
        ("The H100 does not have 96 GB of memory.", False),
    ],
)
def test_a_no_reaches_the_figure_of_its_own_part_of_the_sentence(text: str, affirmed: bool) -> None:
    document = read_document(text)
    (claim,) = read_claims(reader(), shipped_domain(), split(document), document.info.title)
    assert claim.polarity == affirmed


def test_another_domain_is_read_by_the_same_weights() -> None:
    first, second = reader(), reader_of(Domain.from_json(shipped_domain().to_json()))
    assert second.domain is not first.domain
    assert second._session is first._session
    assert second.read(split(read_document(TEXT))) == first.read(split(read_document(TEXT)))


def test_words_beside_a_figure_tell_differences_and_densities() -> None:
    text = (
        "The H100 PCIe draws 350 W less than the H100 SXM.\n\nThe H200 has 61 GB more memory than the H100.\n\n"
        "The FP16 peak of the MI300X without sparsity is 1,307 TFLOPS.\n\n"
        "A TPU v6e chip has 32 GB. NVLink on Hopper runs at 900 GB/s in each direction.\n"
    )
    document = read_document(text)
    found = read_claims(reader(), shipped_domain(), split(document), "")
    told = [(c.subject, c.metric, c.quantity.form, c.polarity) for c in found if c.quantity is not None]
    assert told == [
        ("nvidia-h100-pcie", "tdp", "difference", True),
        ("nvidia-h200", "memory_capacity", "difference", True),
        ("amd-mi300x", "peak_compute", "value", True),
        ("google-tpu-v6e", "memory_capacity", "value", True),
        ("nvidia-hopper", "interconnect_bandwidth", "value", True),
    ]


YARDSTICKS = """# Blackwell notes

The B200 is NVIDIA's data center GPU.

• 192GB HBM3e with 8,000 GB/s (8 TB/s) bandwidth - 2.4x the memory and bandwidth of the H100 in a single GPU

Trillium delivers 918 TFLOPS BF16 per chip, 4.7x v5e, and 32 GB of HBM at 1,640 GB/s, 2x the v5e's 819 GB/s.
"""


def test_a_chip_named_as_the_yardstick_has_only_the_figure_right_behind_its_name() -> None:
    document = read_bytes(YARDSTICKS.encode(), name="a.md", origin="/a.md")
    passages = split(document)
    domain = shipped_domain()
    found = read_claims(reader_of(domain), domain, passages, document.info.title)
    assert [
        (c.subject, c.quantity.middle)
        for c in found
        if c.metric == "memory_bandwidth" and c.quantity and not c.quantity.compares
    ] == [
        ("nvidia-b200", 8e12),
        ("nvidia-b200", 8e12),
        ("google-tpu-v6e", 1640e9),
        ("google-tpu-v5e", 819e9),
    ]


def test_what_brackets_say_beside_a_figure_is_said_of_no_other() -> None:
    text = (
        "The Gaudi 3 reaches 1,835 TFLOPS in BF16.\n\n"
        "The A100 offers 9.7 TFLOPS FP64 and 312 TFLOPS FP16 (624 TFLOPS with sparsity).\n\n## H100 SXM\n\n- BF16: 989 TFLOPS\n"
    )
    found = read_claims(reader(), shipped_domain(), split(read_document(text)), "")
    peaks = [(c.quantity.middle, c.qualifier("sparsity")) for c in found if c.metric == "peak_compute" and c.quantity]
    assert peaks == [(1835e12, ""), (9.7e12, ""), (312e12, ""), (624e12, "2:4"), (989e12, "")]
