"""A count, what one has and what all have, in neighbouring sentences: whether the words say that these make a sum.

"8 GPUs with 80 GB each, 760 GB in total"              a sum, though a wrong one
"8 GPUs with 80 GB each run a model of 405 GB"         none: the 405 GB are a thing's
"two racks of 8 GPUs with 80 GB each, 1,280 GB in all" none: there is more to multiply
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from chipwise import patterns as re
from chipwise.audit.countings import has_in_all, is_of_a_machine, is_on_other_terms
from chipwise.audit.lines import Line, Place, counted
from chipwise.audit.wholes import IS_MADE_OF, LINKS, is_a_sum, is_of_a, is_of_a_thing, is_of_all, is_of_one, says_per
from chipwise.numbers.numerals import NUMBER_WORD, numeral_at
from chipwise.text import content_words
from chipwise.types import Role

_TIMES = re.compile(r"(?:\s[\w-]+){0,3}?\s(?:of|with|at|having)\s(?:about\s)?$", re.I)
_NUMERAL = re.compile(rf"(?<![\w.,$€£-])(?:\d[\d,]*|{NUMBER_WORD})(?=\s)", re.I)
_THINGS = re.compile(r"\s(?:[\w-]+\s)?[a-z-]*[a-z]{2}(?<!s)s\b", re.I)
# "8 GPUs with 80 GB each, 640 GB in total", "which makes 640 GB", "they have 640 GB", "with eight GPUs, it has 640 GB"
_APPOSED = re.compile(r"[^,;:(.]{0,40}[,:(—–-]\s?(?:[a-z]+\s){0,2}[~$]?", re.I)
_RESULTS = re.compile(
    r"(?:^|[\s,])(?:makes?|making|give|gives|giving|com(?:es|ing)\sto|amount(?:s|ing)?\sto|add(?:s|ed|ing)?\sup|sums?(?:\sup)?\sto|for\s(?:a|an)\s(?:\w+\s)?total"
    r"|total(?:s|ing|ling)|th(?:ey|em|ese|ose)|equals?)\b|=|≈",
    re.I,
)
# in a sentence of its own, only what reaches back: "The whole build comes to $320,000" is of more than the GPUs
_BACK_AT_THEM = re.compile(r"\bth(?:ey|em|ese|ose)\b|^\W*(?:that|this|which|together|added\sup|combined)\b", re.I)
_WITH_THEM = re.compile(r"\W*(?:with|using|from|through|thanks\sto)\b", re.I)
_ADDED = re.compile(r"\b(?:and|plus|with|besides|alongside)\s(?:an?|the|its|some|more|other)\s(?!total)", re.I)
_ITS = re.compile(r"\b(?:its|their|they|them|these|those)\b", re.I)
_ROW = re.compile(r"\s*[-*|•]\s?")


@dataclass(frozen=True, slots=True)
class Sum:
    """`count` times `one` should be `all`."""

    all: Place
    one: Place
    count: Place
    beside: tuple[Line, ...] = ()


def is_total(found: Sum) -> bool:
    """True where the words say that one figure is of all and the other of one."""
    (line, whole), (other, one), (_, count) = found.all, found.one, found.count
    text, beside = line.scene.text, other.scene.text
    if is_of_all(line, whole):
        return not is_of_one(line, whole) or is_of_one(other, one)
    each = is_of_one(other, one)
    if found.count[0] is line and has_in_all(line, count, whole):
        one_chip = (each or is_of_a(other, one)) and not is_of_a_machine(other, one)
        return bool(one_chip) and not (says_per(line, whole) or is_on_other_terms(line, whole))
    linked = LINKS.search(beside[: one.start]) or (other is not line and IS_MADE_OF.match(beside))
    # "With eight GPUs of 80 GB each, the node offers 640 GB"
    opens = other is line and one.end <= whole.start and count.end <= one.start
    return bool(each and (linked or (opens and _TIMES.fullmatch(text[count.end : one.start]))))


def is_of_these(found: Sum) -> bool:
    """False where the total may be of more, or of something else, than the things counted."""
    (line, whole), (other, one), (_, count) = found.all, found.one, found.count
    if (
        _counts_others(line, found.count[0])
        or _is_of_others(found)
        or (_counts_more(found) and not _is_product(found))
        or is_of_a_thing(line, whole)
        or (not is_of_one(other, one) and is_a_sum(other, one))
    ):
        return False
    if _is_linked(found):
        return True
    # a whole has more parts than those counted, but never less than they have
    exceeds = whole.middle > count.low * one.middle
    return whole.dimension == one.dimension and not exceeds and (other is line or _reaches_back(line, other))


def _is_of_others(found: Sum) -> bool:
    """True where the text gives the two figures to two chips: the 192 GB of an MI300X make no 640 GB of H100s."""
    chips = {line.statement(q).chip for line, q in (found.all, found.one)}
    return sum(found.all[0].book.domain.kind(chip) == "chip" for chip in chips) > 1


def _counts_others(line: Line, counting: Line) -> bool:
    """True where a sentence beside the total counts in another product: the two of a GB200 are none of "a whole DGX H100"."""
    if counting is line:
        return False
    domain = line.book.domain
    here, there = ({i for m in x.scene.entities for i in m.ids if domain.is_specific(i)} for x in (line, counting))
    return bool(here and there) and not any(domain.are_kin(a, b) for a in here for b in there)


def _reaches_back(line: Line, other: Line) -> bool:
    return any(_ITS.search(x.text) for x in (line, other))


def _counts_more(found: Sum) -> bool:
    """True for "8 nodes with 8 GPUs each" and "two racks": there is more to multiply than the chips."""
    for line in found.beside:
        taken = [(q.start, q.end) for of, q in counted([line]) if of is line]
        taken += [(q.start, q.end) for q in line.written if q.dimension != "count"]
        for m in _NUMERAL.finditer(line.text):
            numeral = numeral_at(line.text, m.start())
            if (
                numeral is not None
                and numeral.value > 1
                and not any(a <= m.start() < b for a, b in taken)
                and _THINGS.match(line.text, numeral.end)
            ):
                return True
    return False


def _is_product(found: Sum) -> bool:
    """True for the 128 of "Sixteen servers with 8 GPUs each: 128 GPUs, or 89.6 kW": what else is counted makes it up."""
    line, count = found.count
    numerals = [numeral_at(line.text, m.start()) for m in _NUMERAL.finditer(line.text, 0, count.start)]
    values = [n.value for n in numerals if n is not None]
    return has_in_all(line, count, found.all[1]) and any(a * b == count.low for a, b in pairwise(values))


def _is_linked(found: Sum) -> bool:
    """True where the text itself says that the one figure comes from the other."""
    (line, whole), (other, one), (_, count) = found.all, found.one, found.count
    text, first = line.scene.text, min(whole.start, one.start)
    if found.count[0] is line and has_in_all(line, found.count[1], whole):
        return True
    if other is not line:
        joined = LINKS.search(text[: whole.start]) or LINKS.search(other.scene.text[: one.start])
        made_of = IS_MADE_OF.match(text) or IS_MADE_OF.match(other.scene.text)
        return bool(joined or made_of or _BACK_AT_THEM.search(text[: whole.start]) or _are_rows(line, other))
    if whole.start < one.start:
        return bool(LINKS.search(text[: one.start]) or IS_MADE_OF.match(text, whole.end))
    between = text[one.end : whole.start]
    if _ADDED.search(between):
        return False
    if whole.dimension == one.dimension and (_APPOSED.fullmatch(between) or _WITH_THEM.match(text[:first])):
        return True
    return bool(LINKS.search(text[: whole.start]) or _RESULTS.search(text[count.start : whole.start]))


def _are_rows(line: Line, other: Line) -> bool:
    """True for rows of one table or list whose labels share a word: "Memory of each", "Memory in total"."""
    if line.passage is not other.passage and line.passage.role is not other.passage.role:
        return False
    if line.passage.role is not Role.TABLE and not (_is_row(line) and _is_row(other)):
        return False
    return bool(set(content_words(line.text)) & set(content_words(other.text)))


def _is_row(line: Line) -> bool:
    return bool(_ROW.match(line.text) or ":" in line.text)
