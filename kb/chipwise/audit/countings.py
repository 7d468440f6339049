"""Which count stands right before a figure that is of so many, and of what the figure of one is.

    "Each has 192 GB. Eight of them give you 1,536 GB."       eight
    "Sixteen servers with 8 GPUs each: 128 GPUs, or 89.6 kW"  128, whatever else is counted
    "A node costs $32 an hour; 16 GPUs cost $64"              16, but the $32 are of several chips themselves

Looks at the words between, and knows no arithmetic.
"""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.audit.lines import Line, Place, counted
from chipwise.numbers.quantity import Quantity

# from a count to what is of so many: "eight of them 1,128 GB", "the 8-chip slice costs $9.60", "128 GPUs, or 89.6 kW"
_HAVE_IN_ALL = re.compile(
    r"(?:\sof\s(?:them|these|those))?(?:,?(?:\sin\sone|\s(?!(?:each|every|per|one|of|with|at|having)\b)[\w’'-]+){0,7}?,?"
    r"(?:\s(?:therefore|thus|then|so|hence|together|now))?\s(?:costs?|rents?\s(?:for|at)|has|have|holds?|offers?|comes?\sto|is|are|takes?|draws?|needs?|means?|makes?"
    r"|delivers?|peaks?\sat|reach(?:es)?|gives?(?:\syou)?|provides?|pulls?)(?:\s(?:an?|the|your)\s(?:[\w-]+\s){1,4}of)?(?:\s(?:about|around|roughly|up\sto|some|only|just))?)?\s[$~]?"
    r"|\s?(?:[,:=]|,\sor|\()\s?(?:or\s|that\sis\s|i\.e\.\s)?(?:about\s)?[$~]?",
    re.I,
)
_TERMS = re.compile(
    r"\b(?:commit\w*|reserv\w+|spot|preemptible|discount\w*|savings?|contracts?|one-year|three-year|\d-year)\b", re.I
)
_MACHINES = frozenset(f"aggregation={scope}" for scope in ("node", "rack", "pod", "slice", "cluster", "group"))
_BREAK = re.compile(r"[,;:|()]|\.\s|\s(?:and|or|but|while|plus)\s", re.I)


def count_of(line: Line, whole: Quantity) -> list[Place]:
    """The count whose total a sentence gives right behind it: "128 GPUs, or 89.6 kW", whatever else is counted there."""
    return [place for place in counted([line]) if has_in_all(line, place[1], whole)][-1:]


def has_in_all(line: Line, count: Quantity, whole: Quantity) -> bool:
    """True where a figure is said of the things that a count right before it counts: "eight of them have 640 GB"."""
    between = any(count.end <= q.start < whole.start for q in line.scene.figures)
    return not between and count.end <= whole.start and bool(_HAVE_IN_ALL.fullmatch(line.text, count.end, whole.start))


def is_of_a_machine(line: Line, one: Quantity) -> bool:
    """True for "a node costs $32" and "an 8-GPU box has 640 GB", which are of several chips themselves."""
    domain = line.book.domain
    start = max((m.end() for m in _BREAK.finditer(line.scene.text, 0, one.start)), default=0)
    scopes = (m for m in line.scene.qualifiers if _MACHINES & set(m.ids))
    systems = (m for m in line.scene.entities if any(domain.is_machine(i) for i in m.ids))
    named = any(start <= m.start < one.start for m in (*scopes, *systems))
    return named or bool(count_of(line, one))


def is_on_other_terms(line: Line, whole: Quantity) -> bool:
    """True for "eight chips cost $7.20 with a commitment", where the price of one is another."""
    return whole.dimension.startswith("price") and bool(_TERMS.search(clause(line, whole)))


def clause(line: Line, q: Quantity) -> str:
    """The words around a figure, as far as the next break on either side."""
    text = line.scene.text
    start = max((m.end() for m in _BREAK.finditer(text, 0, q.start)), default=0)
    after = _BREAK.search(text, q.end)
    return text[start : after.start() if after else len(text)]
