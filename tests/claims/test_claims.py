"""What sentences and tables say, as claims. More cases need no Python: a line in golden/claims.jsonl each.

    {"text": Markdown, "claims": [claim…], "not": [claim…], "name": "note.md"}

A claim is {"subject", "metric", "value", "qualifiers", "baseline", "modality", "attribution",
"bound", "form", "polarity", "sure"}, of which any may be left out: what is written must hold of one and the
same claim of the text. `value` is the figure as the text has it, `qualifiers` those that must be
there beside others, `polarity` false where the text denies it, `sure` true where the claim has no doubt. No claim with a figure may be as
one of "not" says; {} there stands for any figure at all. `name` is the file's, where it is no
Markdown. A learned reader reads them, so that what holds is a share of them: of the half that it was not trained on.
"""

from __future__ import annotations

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from chipwise.claims.model import Modality
from chipwise.claims.scene import MOST_FIGURES, read_scene
from chipwise.numbers.quantities import Unit, UnitTable

from ..each import each, key
from .texts import claims_of, document, shipped

TEXTS, CLAIMS = 0.5, 0.65  # shares that are read rightly, at least
GOLDEN = Path(__file__).parents[1] / "golden"
KEYS = {
    "subject",
    "metric",
    "value",
    "qualifiers",
    "baseline",
    "modality",
    "attribution",
    "bound",
    "form",
    "polarity",
    "sure",
}
BOUNDS = {"exact", "about", "at most", "at least"}
FORMS = {"value", "range", "multiple", "share", "change", "discount"}

Said = dict[str, Any]


@cache
def rows(name: str) -> list[Said]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


@cache
def said(text: str, name: str = "note.md") -> list[Said]:
    """The claims of a document, as the golden files write them; a category has no bound."""
    made = document(text, name)
    return [
        {
            "subject": claim.subject,
            "metric": claim.metric,
            "value": made.text[claim.value_start : claim.value_end],
            "qualifiers": dict(claim.qualifiers),
            "baseline": claim.baseline,
            "modality": claim.modality.value,
            "attribution": claim.attribution,
            "polarity": claim.polarity,
            "sure": not claim.doubt,
            **({} if claim.quantity is None else {"bound": claim.quantity.bound, "form": claim.quantity.form}),
        }
        for claim in claims_of(made, unplaced=True)
    ]


def fits(wanted: Said, found: Said) -> bool:
    """True when everything that is written of a claim holds of `found`."""
    stated = wanted.get("qualifiers", {}).items()
    rest = {key: value for key, value in wanted.items() if key != "qualifiers"}
    return stated <= found["qualifiers"].items() and rest.items() <= found.items()


def lacking(case: Said) -> list[Said]:
    found = said(case["text"], case.get("name", "note.md"))
    return [wanted for wanted in case["claims"] if not any(fits(wanted, claim) for claim in found)]


def invented(case: Said) -> list[Said]:
    figures = [claim for claim in said(case["text"], case.get("name", "note.md")) if "bound" in claim]
    return [claim for claim in figures if any(fits(unwanted, claim) for unwanted in case.get("not", []))]


def test_most_texts_that_the_reader_was_not_trained_on_make_their_claims() -> None:
    blind = [
        case for case in rows("claims.jsonl") if zlib.crc32(case["text"].encode()) % 2
    ]  # the others are trained on
    right = [case for case in blind if not lacking(case) and not invented(case)]
    wanted = [claim for case in blind for claim in case["claims"]]
    read = len(wanted) - sum(len(lacking(case)) for case in blind)
    assert len(right) / len(blind) >= TEXTS
    assert read / len(wanted) >= CLAIMS


@each("case", lambda: rows("claims.jsonl"), name=key("text"))
def test_a_case_is_written_in_the_words_of_the_domain(case: Said) -> None:
    domain = shipped()
    assert set(case) <= {"text", "claims", "not", "name", "reason"}
    for claim in (*case["claims"], *case.get("not", [])):
        assert set(claim) <= KEYS
        assert {claim.get("subject", ""), claim.get("baseline", "")} <= {*domain.entities, *domain.terms, ""}
        assert claim.get("metric", "speedup") in domain.metrics
        assert set(claim.get("qualifiers", {})) <= set(domain.axes)
        assert claim.get("modality", "priced") in set(Modality)
        assert claim.get("bound", "exact") in BOUNDS
        assert claim.get("form", "value") in FORMS
        assert claim.get("polarity", True) in (True, False)
        assert claim.get("value", "") in case["text"]


def test_there_are_enough_cases_and_each_is_there_once() -> None:
    texts = [row["text"] for row in rows("claims.jsonl")]
    assert len(texts) >= 70
    assert len(set(texts)) == len(texts)


def test_a_slot_that_the_text_leaves_open_is_empty_and_no_default() -> None:
    (claim,) = said("The H100 has 80 GB of memory.")
    assert claim["qualifiers"] == {}
    assert (claim["baseline"], claim["attribution"]) == ("", "")


def test_the_interval_is_in_base_units_whatever_the_text_writes() -> None:
    gb, gib = Unit("GB", "information", 1e9), Unit("GiB", "information", 2.0**30)
    table = UnitTable([("GB", True, gb), ("GiB", True, gib)])
    decimal, binary = (table.find(text)[0] for text in ("95 GB", "95 GiB"))
    assert decimal.low == pytest.approx(95e9)
    assert binary.low == pytest.approx(95 * 2**30)


def test_of_a_wall_of_figures_the_names_are_read_as_far_as_the_figures() -> None:
    scene = read_scene(shipped(), "The H100 has 80 GB, " * 500)
    assert len(scene.quantities) == MOST_FIGURES
    assert len(scene.entities) == MOST_FIGURES + 1
