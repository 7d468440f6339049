"""What is said to fit where there is less room, and weights of a model that do not come to parameters times bits (CW407).

    "The weights take 140 GB, so they fit into the 128 GB of a v5e-8."   140 GB > 128 GB
    "The 810 GB fit into four MI300X."                                   810 GB > 4 x 192 GB
    "405B parameters in INT4 are 101 GB"                                 405 billion x 4 bits / 8 bits/byte = 202.5 GB

Room that no figure of the text gives is taken from the facts table, the most that any variant has. More than the weights
may be needed, less may not: only a figure that is too small for them is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement, made_of
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.lines import Line
from chipwise.audit.steps import number
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span
from chipwise.types import Finding, Role

_MEMORY = "memory_capacity"
_STORED = "information"
_ROOM = 1.02  # times: "80 GB" may be 81.5 as somebody counts them
_LEAST = 0.9  # of what weights take: GiB for GB, and a little
_NOT_THIS = 0.1  # of it: so little is something else's
_FITS = re.compile(
    r"(?:[^.;:()]{0,60}?\b(?:so|which|and|thus|therefore|that|it|they)\b)?[^.;:()]{0,40}?\b(?:fits?|sits?|goes|go)\s"
    r"(?:(?:easily|comfortably|just|still|neatly|well|right|also|nicely)\s){0,2}(?:in|into|on|onto|within)\s"
    r"(?:(?:the|an?|one|its|their|single|lone|just)\s){0,3}[~$]?",
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
    r"(?:\s(?:precision|weights|format|model|alone))*\s?(?:\)|,)?\s?(?:(?:needs?|takes?|requires?|has|have|is|are|weighs?|occup(?:y|ies)|comes?\sto|amounts?\sto|means|makes?|(?:it|they|the weights)\s(?:needs?|takes?|is|are))\s|[=≈→:(]\s?)"
    r"(?:(?:about|around|roughly|some|only|just|approximately|at\sleast)\s)*[~≈]?",
    re.I,
)
_BITS_PER_BYTE, _BILLION, _GB = 8, 1e9, 1e9
_FIT = re.compile(r"\b(?:fits?|sits?|goes?)\b", re.I)
_WIDEST = 64  # bits of one number; a bus has more


def find_what_does_not_fit(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each thing that is said to fit where it does not, or that is too small for the weights that it is of."""
    for line in lines:
        if not (_FIT.search(line.text) or _STORED in line.dimensions) or not line.is_its_own:
            continue
        stored = [q for q in line.scene.quantities if q.dimension == _STORED and q.form == "value" and q.count == 1]
        for what in (*stored, *_weights(line)):
            found = _too_large(book, line, what) or (_too_small(book, line, what) if what in stored else None)
            if found is not None:
                yield found


def _weights(line: Line) -> Iterator[Quantity]:
    """What models take that a sentence tells by their parameters and format: "405B in BF16" are 810 GB."""
    for model, (_, end), bits in _models(line):
        taken = _taken(model, bits)
        yield Quantity(model.start(), end, _STORED, "GB", taken, taken)


def _models(line: Line) -> Iterator[tuple[re.Match[str], Span, int]]:
    """Each model that a sentence names by its parameters, where the format right behind it stands, and its bits."""
    for model in _PARAMETERS.finditer(line.scene.text):
        for start, end, bits in _formats(line):
            if model.end() <= start and _IN_FORMAT.fullmatch(line.scene.text, model.end(), start):
                yield model, (start, end), bits


def _too_large(book: Casebook, line: Line, what: Quantity) -> Finding | None:
    text = line.scene.text
    if _UNLESS.search(text, what.end):
        return None
    for room in line.scene.quantities:
        if room.dimension != _STORED or room.start <= what.end:
            continue
        fits = _FITS.fullmatch(text, what.end, room.start)
        held = _HELD_BY.fullmatch(text, what.end, room.start) and _HOLD.match(text, room.end)
        # of a row's several sizes ("~18GB | ~34GB | Fits in 24GB (Q4)") another one may be meant
        others = (q for q in line.scene.quantities if q.dimension == _STORED and q is not what and q is not room)
        of_others = line.passage.role is Role.TABLE and any(q.low <= room.high for q in others)
        if (fits or held) and what.low > room.high * _ROOM and not of_others:
            there = line.statement(room)
            return _larger(book, line, what, there, figure(book, there))
    for m in line.names:
        fits = _FITS.match(text, what.end, m.start) if m.start > what.end else None
        if fits and (found := _in_chips(book, line, what, m, fits.end())):
            return found
    return None


def _in_chips(book: Casebook, line: Line, what: Quantity, named: Mention, since: int) -> Finding | None:
    """For "fits into four MI300X" and "fits on one DGX H100", of which the table tells what each chip has."""
    text, domain = line.scene.text, book.domain
    told = _MANY.fullmatch(text[since : named.start])
    if len(named.ids) != 1 or (text[since : named.start].strip() and told is None):
        return None
    numeral = numeral_at(text, since) if told else None
    chip, inside = made_of(domain, named.ids[0])
    count = (int(numeral.value) if numeral is not None else 1) * inside
    facts = [f for f in book.facts.get((chip, _MEMORY), ()) if f.asserted and f.count in (1, None)]
    most = max(facts, key=lambda f: f.high, default=None)
    if not domain.is_specific(named.ids[0]) or most is None or what.low <= count * most.high * _ROOM:
        return None
    name_, has = name(book, chip), figure(book, most)
    made = f"{count} {name_} ({count} x {has})" if count > 1 else f"one {name_} ({has})"
    return _larger(book, line, what, most, made)


def _larger(book: Casebook, line: Line, what: Quantity, room: Statement, made: str) -> Finding:
    said = line.statement(what)
    written = figure(book, said)
    size = "" if what in line.scene.quantities else f", which are {number(what.low / _GB)} GB,"
    lines = f"{written}{size} > {made}   [{place(book, said)}, {place(book, room)}]"
    help_ = "see of which model or format the figure is, or over how many chips it is spread"
    return draft(
        book, "CW407", "contradiction", "medium", f"{written} does not fit into {made}", lines, (said, room), help=help_
    )


def _too_small(book: Casebook, line: Line, what: Quantity) -> Finding | None:
    """For weights that are said to take less than their parameters have bits."""
    text, unit = line.scene.text, book.domain.units.get(what.unit)
    for model, (start, end), bits in _models(line):
        taken = _taken(model, bits)
        said = end <= what.start and _COME_TO.fullmatch(text, end, what.start)
        if said and _NOT_THIS * taken < what.high < _LEAST * taken:
            made = taken / unit.scale if unit is not None else taken
            return _lighter(book, line.statement(what), model[1], (text[start:end], bits), made)
    return None


def _taken(model: re.Match[str], bits: int) -> float:
    """The bytes that the parameters of a model take."""
    return float(model[1]) * _BILLION * bits / _BITS_PER_BYTE


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
