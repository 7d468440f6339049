"""What is said to fit where there is less room, and weights of a model that do not come to parameters times bits (CW407).

    "The weights take 140 GB, so they fit into the 128 GB of a v5e-8."   140 GB > 128 GB
    "The 810 GB fit into four MI300X."                                   810 GB > 4 x 192 GB
    "405B parameters in INT4 are 101 GB"                                 405 billion x 4 bits / 8 bits/byte = 202.5 GB

Room that no figure of the text gives is taken from the facts table, the most that any variant has. More than the weights
may be needed, less may not: only a figure that is too small for them is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.lines import Line
from chipwise.audit.steps import number
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.types import Finding

_MEMORY = "memory_capacity"
_STORED = "information"
_ROOM = 1.02  # times: "80 GB" may be 81.5 as somebody counts them
_LEAST = 0.9  # of what weights take: GiB for GB, and a little
_NOT_THIS = 0.1  # of it: so little is something else's
_FITS = re.compile(
    r"(?:[^.;:()]{0,60}?\b(?:so|which|and|thus|therefore|that|it|they)\b)?[^.;:()]{0,40}?\b(?:fits?|sits?|goes|go)\s"
    r"(?:(?:easily|comfortably|just|still|neatly|well|right|also|nicely)\s){0,2}(?:in|into|on|onto|within)\s"
    r"(?:(?:the|an?|one|its|their|a single|each|just)\s){0,2}[~$]?",
    re.I,
)
_HELD_BY = re.compile(r",\swhich\s(?:the\s)?[~]?", re.I)
_HOLD = re.compile(
    r"(?:\sof\s(?:[\w.-]+\s){1,4}|\s)(?:(?:can|still|easily|will|do|does|just)\s){0,2}(?:holds?|fits?|accommodates?|stores?)\b",
    re.I,
)
# what makes it fit after all, or says that it does not
_UNLESS = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|barely|hardly|only|if|when|once|after|unless|until|before|without|quanti[sz]\w+|compress\w+|offload\w*"
    r"|split|shard\w*|spread|across|both|each|per|part|some|half|less|too|almost|nearly|would|could|but|instead)\b|n['’]t\b",
    re.I,
)
_MANY = re.compile(rf"(?P<n>\d{{1,4}}|{NUMBER_WORD})(?:\s?[x×])?\s(?:[A-Z]\w+\s)?$", re.I)
_PARAMETERS = re.compile(
    r"(?<![\w.,×x])(\d{1,4}(?:\.\d{1,2})?)\s?(?:B|billion)(?:[\s-](?:parameters?|params?|model|weights|LLM))*\b"
)
_BITS = re.compile(r"(\d{1,2})$")
# between a model's size, its format and what they come to
_IN_FORMAT = re.compile(
    r"(?:\s(?:model|parameters?|weights|LLM)|\s?[(,])*\s?(?:(?:in|at|with|using|quanti[sz]ed to|stored (?:in|as))\s)?(?:the\s)?",
    re.I,
)
_COME_TO = re.compile(
    r"(?:\s(?:precision|weights|format|model|alone))*\s?(?:\)|,)?\s?(?:(?:needs?|takes?|requires?|is|are|weighs?|occup(?:y|ies)|comes?\sto|amounts?\sto|means|makes?|(?:it|they|the weights)\s(?:needs?|takes?|is|are))\s|[=≈→:(]\s?)"
    r"(?:(?:about|around|roughly|some|only|just|approximately|at\sleast)\s)*[~≈]?",
    re.I,
)
_BITS_PER_BYTE, _BILLION = 8, 1e9
_WIDEST = 64  # bits of one number; a bus has more


def find_what_does_not_fit(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each figure that is said to fit where it does not, or that is too small for the weights that it is of."""
    for line in lines:
        if _STORED not in line.dimensions or not line.is_its_own:
            continue
        for q in (q for q in line.scene.quantities if q.dimension == _STORED and q.form == "value" and q.count == 1):
            found = _too_large(book, line, q) or _too_small(book, line, q)
            if found is not None:
                yield found


def _too_large(book: Casebook, line: Line, what: Quantity) -> Finding | None:
    text = line.scene.text
    for room in line.scene.quantities:
        if room.dimension != _STORED or room.start <= what.end or _UNLESS.search(text, what.end):
            continue
        fits = _FITS.fullmatch(text, what.end, room.start)
        held = _HELD_BY.fullmatch(text, what.end, room.start) and _HOLD.match(text, room.end)
        if (fits or held) and what.low > room.high * _ROOM:
            there = line.statement(room)
            return _larger(book, line.statement(what), there, figure(book, there))
    for m in line.names:
        fits = _FITS.match(text, what.end, m.start) if m.start > what.end else None
        if fits and not _UNLESS.search(text, what.end) and (found := _in_chips(book, line, what, m, fits.end())):
            return found
    return None


def _in_chips(book: Casebook, line: Line, what: Quantity, chips: Mention, since: int) -> Finding | None:
    """For "fits into four MI300X", of which the table tells what each has."""
    between, text = line.scene.text[since : chips.start], line.scene.text
    told = _MANY.fullmatch(between) if between.strip() else None
    if len(chips.ids) != 1 or not book.domain.is_chip(chips.ids[0]) or (between.strip() and told is None):
        return None
    numeral = numeral_at(text, since) if told else None
    count = int(numeral.value) if numeral is not None else 1
    facts = [
        f
        for f in book.facts.get((book.domain.chip_of(chips.ids[0]) or chips.ids[0], _MEMORY), ())
        if f.asserted and f.count in (1, None)
    ]
    most = max(facts, key=lambda f: f.high, default=None)
    if most is None or what.low <= count * most.high * _ROOM:
        return None
    chip, has = name(book, most.claim.subject), figure(book, most)
    made = f"{count} {chip} ({count} x {has})" if count > 1 else f"one {chip} ({has})"
    return _larger(book, line.statement(what), most, made)


def _larger(book: Casebook, what: Statement, room: Statement, made: str) -> Finding:
    said = figure(book, what)
    lines = f"{said} > {made}   [{place(book, what)}, {place(book, room)}]"
    help_ = "see of which model or format the figure is, or over how many chips it is spread"
    title = f"{said} does not fit into {made}"
    return draft(book, "CW407", "contradiction", "medium", title, lines, (what, room), help=help_)


def _too_small(book: Casebook, line: Line, what: Quantity) -> Finding | None:
    """For weights that are said to take less than their parameters have bits."""
    text, unit = line.scene.text, book.domain.units.get(what.unit)
    for model in _PARAMETERS.finditer(text, 0, what.start):
        for start, end, bits in _formats(line):
            if not (model.end() <= start and end <= what.start and _IN_FORMAT.fullmatch(text, model.end(), start)):
                continue
            taken = float(model[1]) * _BILLION * bits / _BITS_PER_BYTE
            if _COME_TO.fullmatch(text, end, what.start) and _NOT_THIS * taken < what.high < _LEAST * taken:
                made = taken / unit.scale if unit is not None else taken
                return _lighter(book, line.statement(what), model[1], (text[start:end], bits), made)
    return None


def _formats(line: Line) -> Iterator[tuple[int, int, int]]:
    """Where a sentence names a number format, or says "4 bits", and how many bits a number has in it."""
    for m in line.scene.qualifiers:
        bits = _BITS.search(m.ids[0]) if m.ids[0].startswith("dtype=") else None
        if bits is not None:
            yield m.start, m.end, int(bits[1])
    for q in line.scene.quantities:
        if q.unit == "bit" and 1 <= q.middle * _BITS_PER_BYTE <= _WIDEST:
            yield q.start, q.end, round(q.middle * _BITS_PER_BYTE)


def _lighter(book: Casebook, what: Statement, billions: str, written: tuple[str, int], made: float) -> Finding:
    said, unit = figure(book, what), what.claim.quantity.unit if what.claim.quantity is not None else ""
    named, bits = written
    comes_to = f"{number(made)} {unit}"
    steps = f"{billions} billion x {bits} bits / {_BITS_PER_BYTE} bits/byte = {comes_to}"
    lines = f"{steps}\nclaimed: {said}   [{place(book, what)}]"
    title = f"{billions} billion parameters in {named} are {comes_to}, not {said}"
    help_ = "see in which format the weights take so little"
    return draft(book, "CW407", "contradiction", "medium", title, lines, (what,), help=help_)
