"""Limits that the weights of a model set: how fast memory can feed them, and whether it holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chipwise.claims import polarity
from chipwise.domain.model import Domain
from chipwise.figures.llms import find_in, read_models
from chipwise.figures.statement import RECORDS, Statement
from chipwise.numbers.quantity import Quantity

BILLION, _NEAR = 1e9, 0.1
_WORK = ("", "llm", "decode", "inference", "low-latency-serving")
Bits = Mapping[str, tuple[float, float]]  # of a weight, by format
Weights = tuple[str, float, float]  # what they are called, their bytes, and those that a token uses


def one_stream(domain: Domain, bits: Bits, s: Statement, quote: str, around: str) -> tuple[Weights, int]:
    """The weights that a rate of one sequence at a time reads, and on how many chips."""
    q, recorded = dict(s.claim.qualifiers), s.role in RECORDS
    term, _, size = q.get("model", "").partition(" ")
    text = f"{domain.terms[term].name} {size}" if recorded and term in domain.terms else quote
    form = q.get("dtype", "").replace("-", "_") if recorded else _format(domain, bits, text)
    runs = {q.get("batch", ""), q.get("concurrency", "")} - {""}
    told = runs <= {"1"} and (runs or form.startswith("q") or domain.find_phrase("one at a time", around))
    chips = s.count or (int(q["chips"]) if q.get("chips", "").isdigit() else 1)
    open_ = q.get("chips", str(chips)) != str(chips) or "speculation" in q or q.get("counts", "output") != "output"
    return (_weights(bits, text, form) if told and not open_ and q.get("phase", "") in _WORK else ("", 0, 0)), chips


def too_large(domain: Domain, bits: Bits, text: str, quantities: Sequence[Quantity]) -> tuple[Weights, Quantity] | None:
    """The weights of "Llama 3 70B in FP16 fits in 80 GB", and the memory; what denies, splits or offloads says no such thing."""
    sizes = [q for q in quantities if q.dimension == "information"]
    several = any(domain.counted(q.unit) == "chips" and q.middle > 1 for q in quantities)
    said = domain.find_phrase("holds it", text) and not domain.find_phrase("holds a part", text)
    if not said or len(sizes) != 1 or sizes[0].unit == "bit" or several or polarity.denials(text, 0, len(text)):
        return None
    return _weights(bits, text, _format(domain, bits, text)), sizes[0]


def _format(domain: Domain, bits: Bits, text: str) -> str:
    named = (i for m in (*domain.find_terms(text), *domain.find_qualifiers(text)) for i in m.ids)
    return "|".join(sorted({i.removeprefix("dtype=").replace("-", "_") for i in named} & {*bits}))


def _weights(bits: Bits, text: str, form: str) -> Weights:
    """Return the weights of the one model that a text names or gives the size of; assume 2 bits if no format is given."""
    each, found = bits.get(form or "q2_k"), find_in(text)
    words = (w.strip(".,:;()|*") for w in text.split())
    sizes = [float(w[:-1]) * BILLION for w in words if w[-1:] == "B" and w[:-1].replace(".", "", 1).isdigit()]
    again = found and find_in(f"{text[: found[1][0]]}, {text[found[1][1] :]}")
    near = [m for m in read_models() if len(sizes) == 1 and abs(m.parameters / sizes[0] - 1) < _NEAR]
    if each is None or again or not (found or near) or (not found and any(m.experts for m in near)):
        return "", 0, 0  # who knows what a token uses of it
    of = (found[0].parameters, found[0].active_parameters) if found else (sizes[0], sizes[0])
    name = found[0].name if found else f"A model of {sizes[0] / BILLION:g}B"
    return f"{name} in {form.upper() or '2 bits'}", of[0] * each[0] / 8, of[1] * each[0] / 8
