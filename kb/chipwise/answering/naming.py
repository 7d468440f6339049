"""Who a question is about: names by longest match, names cut short, counted names, and names of nothing that is known.

"H100 SXM vs PCIe"     ->  nvidia-h100-sxm, nvidia-h100-pcie
"8xH100", "2x H200"    ->  8 of nvidia-h100, 2 of nvidia-h200
"RTX 6090", "M5 Ultra" ->  unknown, with what is known of the series
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.query import Unknown
from chipwise.domain.catalogue import series
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.figures.llms import SIZED_NAME
from chipwise.text import STOP_WORDS, WORD, Span, overlap
from chipwise.values import dataclass

_SHORT = 2  # digits that many words have behind them: "top 10"
_TIMES_BEFORE = re.compile(r"(?<![\w.])(?P<count>\d{1,5})\s?[x×]\s?$", re.I)
_DIGITS = re.compile(r"\d+")
# "M5", "MI390X", "Trainium9"; "355X"
_LIKE_A_NAME = re.compile(r"[A-Za-z]{1,12}\d{1,4}[A-Za-z]{0,2}|\d{2,4}[A-Z]{1,2}")
PLAIN_NUMERAL = re.compile(
    r"\d+(?:\.\d+)?(?:e\d+|[kmbt]|st|nd|rd|th|s|x|gb|tb|mb|w|kw|mw|nm|h|hz|ghz|mhz|way|d|bit|bits)?", re.I
)
_NUMBER_BEHIND = re.compile(r"[\s-]?[vV]?\d{1,2}(?![\w.%-]|\s?[xX×])")  # not the 2 of "NVIDIA 2x H100"
_WORD_BEHIND = re.compile(r" ([A-Za-z]{2,})\b")
_NUMBER_NAME = re.compile(r"(?<![\w.,-])(\d{4})s?\b(?![.,]\d)")
_SERIES = 4  # digits of a number that is a name by itself beside a word for chips: "a 4090"
_KNOWN = 5  # names of a series that an answer tells


@dataclass(frozen=True, slots=True)
class Named:
    """A name at `[start, end)`: the ids that it may mean, how many of it, what they are together; or what is unknown."""

    start: int
    end: int
    ids: tuple[str, ...] = ()
    count: int | None = None
    unit: str = ""
    unknown: Unknown | None = None


def names_in(text: str, domain: Domain, others: Sequence[Span] = ()) -> list[Named]:
    """All names of things in order, never overlapping; what is cut short or unknown stands outside of `others`, dates and models."""
    found = [_counted(text, m, domain) for m in domain.find_entities(text)]
    found = [_with_memory(text, n, domain) for n in found]
    beyond = [*_beyond(text, found, domain), *_models(text, domain)]
    found = [*(n for n in found if not _taken(beyond, n)), *beyond]
    for find in (_siblings, _short_names, _unknown_names):
        new = find(text, sorted(found, key=lambda n: n.start), domain)
        found += [n for n in new if not _taken(found, n) and not any(overlap((n.start, n.end), o) for o in others)]
    return sorted((_times(text, n) for n in found), key=lambda n: n.start)


def _taken(found: Iterable[Named], name: Named) -> bool:
    return any(overlap((n.start, n.end), (name.start, name.end)) for n in found)


def _counted(text: str, mention: Mention, domain: Domain) -> Named:
    """ "8-GPU HGX H100" is an alias of the board with eight of them; what a question counts are the chips."""
    said = text[mention.start : mention.end]
    (first, *_) = mention.ids
    if _counts_chips(first, said, domain):
        return Named(
            mention.start, mention.end, (domain.chip_of(first),), domain.entities[first].chips, _unit_in(said, domain)
        )
    return Named(mention.start, mention.end, mention.ids)


def _with_memory(text: str, name: Named, domain: Domain) -> Named:
    """ "A100 with 80 GB": what is made in several sizes is called by one."""
    for size in domain.unit_table.find(text[name.end :]) if text.startswith((" with ", " of "), name.end) else ():
        made = f"{text[name.start : name.end].removesuffix('s')} {text[name.end + size.start : name.end + size.end].replace(' ', '')}"
        whole = [m for m in domain.find_entities(made) if (m.start, m.end) == (0, len(made))]
        if whole and len(text[name.end :][: size.start].split()) == 1:
            return replace(name, end=name.end + size.end, ids=whole[0].ids)
    return name


def _times(text: str, name: Named) -> Named:
    """ "2x 4090" and "4 x L40S": with how many of it."""
    before = _TIMES_BEFORE.search(text[: name.start]) if name.ids and name.count is None else None
    return replace(name, start=before.start(), count=int(before["count"])) if before is not None else name


def _counts_chips(id_: str, said: str, domain: Domain) -> bool:
    """True where what is written counts the chips of something that is not called by that number: "8-GPU HGX H100"."""
    entity = domain.entities[id_]
    counted = domain.holds_several(id_) and str(entity.chips) in _DIGITS.findall(said) and bool(domain.chip_of(id_))
    named = domain.is_machine(id_) and not (domain.kind(id_) == "system" and str(entity.chips) not in entity.name)
    return counted and not named


def _unit_in(said: str, domain: Domain) -> str:
    """ "node" where a name says that it is one machine: "8-GPU H100 node"."""
    kinds = {o.value for o in domain.operators_in(said)}
    return "node" if kinds & {"system", "instance"} else ""


def _siblings(text: str, found: Sequence[Named], domain: Domain) -> Iterator[Named]:
    """A word that makes a name where it takes the place of one word of another name: "Gaudi 2 vs 3", "SXM and PCIe H100"."""
    for word in _free_words(text, found):
        for name in (n for n in found if n.ids):
            between = text[word.end() : name.start] if word.end() <= name.start else text[name.end : word.start()]
            form = between == " " and word.group().lower() in domain.form_factors and _sets_apart(text, domain)
            if not form and not _joins(between, domain):
                continue
            parts = WORD.findall(text[name.start : name.end])
            for place in reversed(range(len(parts))):
                like = parts[place].isdigit() == word.group().isdigit() or not parts[place][-1].isdigit()
                made = " ".join((*parts[:place], word.group(), *parts[place + 1 :]))
                whole = [m for m in domain.find_entities(made) if (m.start, m.end) == (0, len(made))]
                if whole and like and len(parts) > 1 and whole[0].ids != name.ids:
                    yield Named(word.start(), word.end(), whole[0].ids)
                    break


def _sets_apart(text: str, domain: Domain) -> bool:
    kinds = {o.kind for o in domain.operators_in(text)}
    return bool(kinds & {"relate", "versus"})


def _joins(between: str, domain: Domain) -> bool:
    """True for " vs ", ", " and " and ": no more than what joins two names."""
    bare = between.strip(" ,/&+.")
    if not bare:
        return bool(between.strip())
    joined = [
        domain.operators[i].kind
        for m in domain.find_operators(bare)
        if (m.start, m.end) == (0, len(bare))
        for i in m.ids
    ]
    return not {"or", "and", "versus", "than"}.isdisjoint(joined)


def _free_words(text: str, found: Sequence[Named]) -> Iterator[re.Match[str]]:
    for m in WORD.finditer(text):
        if text[: m.start()].endswith(".") and text[: m.start() - 1][-1:].isdigit():
            continue  # the "8T" of "14.8T"
        if m.group().lower() not in STOP_WORDS and not any(n.start < m.end() and m.start() < n.end for n in found):
            yield m


def _short_names(text: str, found: Sequence[Named], domain: Domain) -> Iterator[Named]:
    """Names cut short: "the 355X" beside kin or where nothing else is called so, "a 4090" beside words for chips or nothing to count.

    A "v3" without kin may be the third version of anything.
    """
    folded: dict[str, tuple[str, ...]] = {}
    for short, ids in domain.short_names.items():
        folded[short.lower()] = (*folded.get(short.lower(), ()), *ids)
    lines = {a for n in found for i in n.ids for a in domain.ancestors(i)[:3]}
    models = [(m.start, m.end) for m in domain.find_terms(text) if domain.terms[m.ids[0]].kind == "model"]
    for word in _free_words(text, found):
        if any(overlap(word.span(), span) for span in models):
            continue
        ids = folded.get(word.group().lower().removesuffix("s"), folded.get(word.group().lower(), ()))
        kin = tuple(i for i in ids if domain.entities[i].parent in lines)
        is_number = word.group().isdigit()
        if len(kin) == 1 and not is_number:
            yield Named(word.start(), word.end(), kin)
        elif len(ids) == 1 and (_is_no_count(text, word, domain) if is_number else _names_alone(text, word, domain)):
            yield Named(word.start(), word.end(), ids)


def _names_alone(text: str, word: re.Match[str], domain: Domain) -> bool:
    """True for "v5p" and "355X", not for "v3" or the "300x" of "300x faster"."""
    behind = [m for m in domain.find_operators(text[word.end() :]) if m.start == 1]
    compares = any(domain.operators[i].kind == "compare" for m in behind for i in m.ids)
    said = word.group()
    return said[-1].isalpha() and not (compares and said[:-1].isdigit() and said[-1] in "xX")


def _is_no_count(text: str, word: re.Match[str], domain: Domain) -> bool:
    """True for the "4090" of "a 4090" and "3090 GPU", not for that of "4090 cores" and "3090 GPUs"."""
    number = word.group().removesuffix("s")
    if len(number) != _SERIES or text[word.start() - 1 : word.start()] in tuple("$€£.,"):
        return False
    counted = domain.unit_table.find(text[word.start() : word.end() + 24])
    # of "5090s" the s stands for no seconds
    ends = (word.start() + q.end for q in counted if q.start == 0)
    plural = any(end > word.end() and text[end - 1] == "s" for end in ends)
    return not plural and not 1990 <= int(number) <= 2035  # noqa: PLR2004  # a year


def in_full(text: str, domain: Domain) -> str:
    """ "two 5090s" as "two RTX 5090s": numbers that are names by themselves, written as what they are called by."""
    named = [(m.start, m.end) for m in domain.find_entities(text)]
    for word in reversed([*_NUMBER_NAME.finditer(text)]):
        ids = domain.short_names.get(word[1], ())
        alone = len(ids) == 1 and not any(overlap(word.span(), span) for span in named)
        if alone and _is_no_count(text, word, domain):
            called = (domain.entities[ids[0]].name, *domain.entities[ids[0]].aliases)
            full = min((c for c in called if c.endswith(f" {word[1]}")), key=len, default=word[1])
            text = text[: word.start()] + full + text[word.start() + _SERIES :]
    return text


def _beyond(text: str, found: Sequence[Named], domain: Domain) -> Iterator[Named]:
    """ "Gaudi 7", "M5 Ultra": what stands behind the name of a line or a series makes another of it, which is not known."""
    for name in (n for n in found if n.ids and not domain.is_generic(n.ids[0])):
        called = text[name.start : name.end]
        number, word = _NUMBER_BEHIND.match(text, name.end), _WORD_BEHIND.match(text, name.end)
        if word is not None and _DIGITS.search(called):
            said = text[name.start : word.end()]
            alike = [
                i
                for i in domain.series.get(series(said), ())
                if domain.entities[i].name.lower().endswith(f" {word[1].lower()}")
            ]
            if alike and all(map(domain.is_chip, alike)) and not domain.find_qualifiers(word[1]):
                yield _unknown(text, name.start, word.end(), domain)
        elif number is not None and not _DIGITS.search(called):
            numbered = {series(f"{called} 1"), series(f"{called} 1").replace(" ", "")} & domain.series.keys()
            is_line = all(domain.is_many(i) and domain.entities[i].vendor for i in name.ids)
            counts = called.endswith("s") or any(m.start == 1 for m in domain.find_entities(text[number.end() :]))
            if (numbered or (is_line and not counts)) and not domain.find_unit(number[0].strip()):
                said = text[name.start : number.end()]
                known = _known(said.replace(" ", "") if numbered else said, domain)
                known = known or tuple(domain.members(name.ids[0])[:_KNOWN])
                yield Named(name.start, number.end(), unknown=Unknown(said, known))


def _models(text: str, domain: Domain) -> Iterator[Named]:
    """ "DeepSeek V4": a version behind the name of who makes models and no chips is of a model."""
    for maker in domain.find_terms(text):
        term, version = domain.terms[maker.ids[0]], _NUMBER_BEHIND.match(text, maker.end)
        if (
            version
            and "v" in version[0].lower()
            and term.kind in ("model", "company")
            and not domain.vendors_named(term.id)
        ):
            yield Named(maker.start, version.end(), unknown=Unknown(text[maker.start : version.end()]))


def _unknown_names(text: str, found: Sequence[Named], domain: Domain) -> Iterator[Named]:
    """Words that look like names and are none: "RTX 6090" where there is a 4090, "M5 Ultra", "H300"."""
    free = list(_free_words(text, found))
    known = [
        (m.start, m.end)
        for book in (domain.find_terms, domain.find_metrics_asked, domain.find_qualifiers)
        for m in book(text)
    ]
    known += [(q.start, q.end) for q in domain.unit_table.find(text)]
    known += [m.span() for m in SIZED_NAME.finditer(text)]
    at = 0
    while at < len(free):
        word, number = free[at], free[at + 1] if at + 1 < len(free) else None
        at += 1
        if any(overlap(word.span(), span) for span in known) or domain.find_operators(word.group()):
            continue
        after = text[word.end() : number.start()] if number else ""
        sized = number is not None and number.group()[-1] in "bB"  # a model of so many parameters
        if number and after in (" ", "-") and re.fullmatch(r"\d+[A-Za-z]{0,2}", number.group()) and not sized:
            digits = _DIGITS.findall(number.group())[0]
            if domain.numbers_names(word.group(), digits) or (
                len(digits) > _SHORT and word.group()[0].isupper() and not domain.find_unit(number.group())
            ):
                at += 1
                yield _unknown(text, word.start(), number.end(), domain)
                continue
        said = word.group()
        before = text[: word.start()].split(" ")[-2:][0]
        is_version = len(said) == _SHORT and said[0] in "vVxX" and not before[:1].isupper()  # of anything, as "x2" is
        plain = PLAIN_NUMERAL.fullmatch(said) or domain.find_unit(said)
        if _LIKE_A_NAME.fullmatch(said) and not plain and not is_version:
            last = number.group().lower() if number and after == " " and number.group().isalpha() else ""
            many = sum(called.split()[-1] == last for called in domain.series) > 1  # the "Ultra" of "M5 Ultra"
            longer = number if number and many else word
            at += longer is number
            yield _unknown(text, word.start(), longer.end(), domain)


def _unknown(text: str, start: int, end: int, domain: Domain) -> Named:
    said = text[start:end]
    return Named(start, end, unknown=Unknown(said, _known(said, domain)))


def _known(said: str, domain: Domain) -> tuple[str, ...]:
    """What is known of the series that a name looks to be of: those that are called so but for the digits."""
    alike = series(said)
    first = alike.split()[0]
    exact = [i for called, ids in domain.series.items() if called.endswith(alike) for i in ids]
    near = exact or [i for called, ids in domain.series.items() if first in called.split() for i in ids]
    near = list(dict.fromkeys(near))
    chips = [i for i in near if domain.kind(i) == "chip"]
    return tuple((chips or near)[-_KNOWN:])
