"""What is written down of the shipped documents stands in them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from chipwise.claims.authored import authored_claims, text_hash
from chipwise.claims.model import Claim
from chipwise.corpus import claims_folder, shipped_documents
from chipwise.domain.files import shipped_domain
from chipwise.numbers.quantity import halfway
from chipwise.numbers.spoken import SMALL
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document

from ..each import each
from ..shipped import document, passages


def written() -> set[str]:
    return {path.stem for path in claims_folder().glob("*.jsonl")}


def documents() -> list[Path]:
    return [path for path in shipped_documents() if path.stem in written()]


each_document = each("path", documents, name=lambda path: path.name)


@cache
def read(path: Path) -> tuple[Document, list[Claim]]:
    made = document(path)
    claims = authored_claims(made, passages(path))
    assert claims is not None, "it is of another text: python evals/authoring.py writes it anew"
    return made, claims


def test_what_is_written_down_is_of_shipped_documents() -> None:
    assert {path.stem for path in shipped_documents()} >= written()
    assert len(written()) > 250


@each_document
def test_a_claim_stands_where_it_says_and_is_of_what_is_known(path: Path) -> None:
    made, claims = read(path)
    domain = shipped_domain()
    parts = {p.ordinal: p for p in passages(path)}
    for c in claims:
        place = made.text[c.value_start : c.value_end]
        assert c.start <= c.value_start < c.value_end <= c.end, place
        assert parts[c.passage].start <= c.value_start < parts[c.passage].start + len(parts[c.passage].text)
        assert c.subject in {*domain.entities, *domain.terms}, place
        assert c.quantity is not None
        assert c.quantity.compares or domain.metrics[c.metric].dimension == c.quantity.dimension, place


def digits(number: float) -> str:
    """What tells a number from others, wherever its point stands."""
    return f"{number:.6g}".split("e")[0].replace(".", "").strip("0")


@each_document
def test_the_digits_of_a_claim_are_those_of_its_quote(path: Path) -> None:
    made, claims = read(path)
    units = shipped_domain().units
    for c in claims:
        quote = made.text[c.value_start : c.value_end]
        if not re.search(r"\d", quote) or c.quantity is None or c.quantity.form in ("change", "discount", "range"):
            continue  # "half", "a third"; what is 30 % less is 0.7 times as much
        scale = units[c.quantity.unit].scale
        ends = c.quantity.low, c.quantity.high, halfway(c.quantity.low, c.quantity.high)
        low, high, written = (digits(end / scale) for end in ends)
        stated = {digits(float(n.replace(",", "")))[:3] for n in re.findall(r"\d[\d,]*(?:\.\d+)?", quote)}
        stated |= {digits(SMALL[word]) for word in re.findall("[a-z]+", quote.lower()) if word in SMALL}
        assert written[:3] in stated or {low[:3], high[:3]} <= stated, (quote, written)


def test_of_another_text_nothing_is_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chip.md"
    path.write_text("# A chip\n\nThe H100 SXM has 80 GB of memory.\n")
    chip = read_file(path)
    monkeypatch.setattr("chipwise.claims.authored.claims_folder", lambda: tmp_path)
    assert authored_claims(chip, split(chip)) is None
    first = {"document": chip.info.id, "sha256": text_hash(chip.text)}
    (tmp_path / f"{chip.info.id}.jsonl").write_text(json.dumps(first) + "\n")
    assert authored_claims(chip, split(chip)) is not None
    path.write_text("# A chip\n\nThe H100 SXM has 96 GB of memory.\n")
    changed = read_file(path)
    assert text_hash(changed.text) != text_hash(chip.text)
    assert authored_claims(changed, split(changed)) is None
