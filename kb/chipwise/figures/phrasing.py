"""Facts in words: a figure as its table writes it, and its qualifiers as one would say them.

    1979 TFLOPS, {dtype: bf16, sparsity: 2:4, aggregation: chip}  ->  "1,979 TFLOPS", "BF16, 2:4 sparsity, per chip"

What the names of subject and metric say already is not said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise.claims.model import Claim, Fact
from chipwise.domain.names import Names
from chipwise.text import grouped, words

# in the order of saying them; the number of chips is said with the scope
_ORDER = (
    "dtype sparsity engine direction capacity aggregation form_factor basis power_basis memory_kind benchmark workload"
    " price_terms provider as_of"
).split()
_TERMED = frozenset(("dtype", "memory_kind", "benchmark", "workload", "price_terms", "provider"))  # values are terms
_SAID = {
    ("sparsity", "2:4"): "2:4 sparsity",
    ("engine", "matrix"): "matrix units",
    ("engine", "vector"): "vector units",
    ("direction", "both"): "both directions",
    ("power_basis", "board"): "board power",
}


def value_text(fact: Fact, names: Names) -> str:
    """ "1,979 TFLOPS", "at most 262 W", "12 to 15 USD/hour", or a category's name."""
    quantity = fact.claim.quantity
    if quantity is None:
        return names.name(fact.value)
    low, _, high = fact.value.partition("..")
    number = f"{grouped(low)} to {grouped(high)}" if high else grouped(low)
    bound = "" if quantity.bound == "exact" else f"{quantity.bound} "
    return f"{bound}{number} {fact.unit}".rstrip()


def listed(items: Iterable[str], most: int | None = None) -> str:
    """ "A, B and C", each once; beyond `most` "A, B, and 3 more"."""
    each = list(dict.fromkeys(items))
    if most is not None and len(each) > most:
        return f"{', '.join(each[:most])}, and {len(each) - most} more"
    return f"{', '.join(each[:-1])} and {each[-1]}" if len(each) > 1 else "".join(each)


def in_words(claim: Claim, names: Names, *, less: str = "") -> str:
    """The qualifiers, "BF16, dense, per chip"; what the subject's, the metric's name or `less` says already is left out."""
    known = set(words(f"{names.metrics[claim.metric].name} {names.name(claim.subject)} {less}"))
    return ", ".join(phrase for phrase in dict.fromkeys(_phrases(claim, names)) if not set(words(phrase)) <= known)


def _phrases(claim: Claim, names: Names) -> Iterator[str]:
    stated = dict(claim.qualifiers)
    for axis in _ORDER:
        value = stated.get(axis, "")
        if axis == "aggregation":
            yield from _scope(value, stated.get("count", ""))
        elif value:
            yield phrase(axis, value, names)
    if claim.baseline:
        yield f"against {names.name(claim.baseline)}"
    if claim.modality.value in ("reported", "estimated", "hypothetical", "promised"):
        yield claim.modality.value


def _scope(aggregation: str, count: str) -> Iterator[str]:
    if aggregation:
        yield f"per {aggregation}" + (f" of {grouped(count)}" if count else "")
    elif count:
        yield f"{grouped(count)} chips"


def phrase(axis: str, value: str, names: Names) -> str:
    """One qualifier: "2:4 sparsity", "BF16"."""
    return _SAID.get((axis, value)) or (names.values.get(value, value) if axis in _TERMED else value)
