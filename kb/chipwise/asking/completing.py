"""A question with what it leaves to those before it: their subject, their wording, what they count.

"And the B200?"             after "TDP of the H100?"               ->  "TDP of the B200?"
"which of the two is hotter" after "memory of the B200 and B300"   ->  "which is hotter, the B200 or the B300?"
"how fast is it?"           after "Is its memory GDDR6X?"          ->  "how fast is its memory?"
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.asking.howmany import counts_in, in_all
from chipwise.asking.kinds import FIGURE, POD, RANKING_WANTED, RANKS
from chipwise.asking.mentions import defines
from chipwise.domain.degrees import COMPARATIVE, SUPERLATIVE
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import HOLDER
from chipwise.numbers.spoken import SEVERAL
from chipwise.text import WORD, Span, blanked, content_words, words

_PRONOUN = re.compile(
    rf"\b(?:(?P<whose>its|their|(?:the|this|that) (?:{HOLDER})['’]s)|(?P<it>it|(?P<many>they|them|those|these)|(?:this|that|the|these|those) (?:chip|card|gpu|tpu|machine|system)s?|(?<=get )one|(?<=buy )one"
    r"|(?<=rent )one|(?<=in )one|(?<=\bdoes )(?:that|this)(?= \w)|(?<=\bwould )(?:that|this)(?= \w)))\b(?! (?:takes?|true|possible|better|worth|makes? sense|cost to|that|to|be (?:better|worth|possible|true|cheaper|wise|smart|enough|ok|fair|correct|right))\b)",
    re.I,
)
_WHAT_WAS_SAID = ("that", "this")
_TOGETHER = re.compile(r"\b(?:both|respectively|the two|which of)\b", re.I)
_HOLDERS_OF = rf"(?:(?:{HOLDER}|unit|box)(?:e?s)?\s+of\s+(?:the\s+)?)?"  # "2 racks of GB200 NVL72"
_COUNT = re.compile(rf"^(?:\d+|{SEVERAL})\s?[x×]?\s+{_HOLDERS_OF}", re.I)
_COUNT_BEFORE = re.compile(rf"(?<![\w.])(?:\d+|{SEVERAL})\s?[x×]?\s+{_HOLDERS_OF}$", re.I)
_ONE_OR_MORE = re.compile(rf"(?<![\w.,])(?:an?|one|\d[\d,]*|{SEVERAL})\s?[x×]?\s+$", re.I)
_OF_THEM = re.compile(
    r"\b(?P<count>\d[\d,]*) (?:of (?:them|those|these)|such (?:chip|card|gpu|tpu|machine|system)s?)\b", re.I
)
_RESULT = re.compile(r"\b(?:is|are|does|do|would|will) (?P<that>that|those|this|it|they)\b", re.I)
_POD_OF = re.compile(r"^(?:full|whole|entire|complete) | pod$", re.I)
_COMPARED = re.compile(r"^how (?:does|do|would) (?:it|that|this) (?:compare|stack up) (?:to|with|against) ", re.I)
BY_WHOM = r"by (?:whom|wh\w+ (?:company|firm|vendor))\W*$"
_BY_WHOM = re.compile(rf"^{BY_WHOM}", re.I)
_WHO_DOES = re.compile(r"who \w+\W*$", re.I)  # "who designs and who manufactures the Maia 100"
_WITH_WHAT = re.compile(
    r"^(?:in|over|via|through|using|with) (?P<what>(?:what|which)(?: kind of| sort of| type of)? [\w-]+(?: [\w-]+)?)\W*$",
    re.I,
)
_RENTED = r"(?:VM|virtual machine|instance|machine|SKU)(?: type)?"
_WHICH_MACHINE = re.compile(
    rf"^(?:(?:what|which)(?:['’]?s| is) (?:the )?(?:name of )?(?:the |that |their )?{_RENTED}(?:['’]s name)?(?: called| named)?"
    rf"|name of (?:the|that) {_RENTED}|(?:what|which) {_RENTED}(?: is (?:it|that))?)\W*$",
    re.I,
)
_SUCH_A_ONE = re.compile(rf"\bthe ({COMPARATIVE}|{SUPERLATIVE}) one\b", re.I)
_OF_THE_TWO = re.compile(r"\s*\bof (?:the two|both|these|those|them)\b|(?<=\bwhich) one\b", re.I)
_HOW_FAST = re.compile(r"\bhow fast is (?:it|that|this)\b", re.I)
_BANDWIDTH = re.compile(r"(?<!memory )\b(?<!HBM )bandwidth\b", re.I)
_WORKS = ("model", "benchmark", "workload", "technique")  # kinds of terms that figures are of as well as of chips
_THE_SAME = re.compile(r"\bthe same (?:cost|amount|price|setup|thing)\b|\bwould the same\b", re.I)  # as many, too
_WHICH = re.compile(r"which\b", re.I)
_HOW_MANY = re.compile(r"how (?:many|much)\b", re.I)
_BY_HOW_MUCH = re.compile(
    rf"\W*(?:and |so )?(?:by )?(?:how (?:much|many)|what)(?: (?:times|percent|factor|multiple|ratio))?(?: (?:{COMPARATIVE}))?\W*",
    re.I,
)
_BARE_NUMBER = re.compile(rf"(?<![\w.,$€£])(\d[\d,]*|{SEVERAL})\W*$", re.I)
_COUNTS = re.compile(
    r"how many(?: of (?:them|those|these))?(?= (?:do|does|did|would|will|should|must|are|can|could|to)\b)", re.I
)
_ASKS = frozenset(("when", "where", "who", "which", "why"))
_SET_AGAINST = re.compile(
    r"\b(?:than|over|versus|vs\.?|against|beats?|match(?:es)?|compared (?:to|with))\s+(?:the\s+|an?\s+)?$", re.I
)
# what is left of "and what about the B200?" without the name
_ELLIPTIC = frozenset(
    "and or but also so what about how many much for on of with in the a an one same instead then too as well would it be is do does s one ones version variant model form over by at comparison".split()
)


def stands_alone(piece: str, known: Sequence[str], domain: Domain) -> bool:
    """False for "and by how much?", which belongs to the question before."""
    if known and any(p.match(piece) for p in (_BY_WHOM, _WITH_WHAT, _WHICH_MACHINE)):
        return True
    if _TOGETHER.search(piece) and not (len(known) > 1 and _OF_THE_TWO.search(piece)):
        return False
    if products_named(piece, domain) or domain.find_terms(piece):
        return True
    if _BY_HOW_MUCH.fullmatch(piece):
        return False
    says = domain.find_metrics_asked(piece) or _PRONOUN.search(piece) or len(content_words(piece)) > 1
    return bool(known and says)


def products_named(text: str, domain: Domain) -> list[Mention]:
    """The chips and machines that a text names: "GPUs" are nobody's."""
    return [m for m in domain.find_entities(text) if any(domain.is_chip(i) or _is_sold(i, domain) for i in m.ids)]


def _is_sold(entity: str, domain: Domain) -> bool:
    """True for a machine by its name, with one chip or with several; not for "a pod"."""
    return domain.holds_several(entity) or (domain.is_machine(entity) and bool(domain.entities[entity].vendor))


def names_in(text: str, domain: Domain) -> list[str]:
    """The products that a text names, as it writes them, or a family of them; of one whose meaning is asked, that."""
    products = products_named(text, domain)
    if not products:
        products = [m for m in domain.find_entities(text) if all(domain.kind(i) == "family" for i in m.ids)]
    if not products:
        named = (*domain.find_entities(text), *domain.find_terms(text), *domain.find_metrics(text))
        products = [m for m in named if defines(text, [m])]
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    for m in products:  # "Trillium" and "TPU v6e" are one, "2 H100" and "4 H100" are not
        counted = _COUNT_BEFORE.search(text[: m.start])
        start = counted.start() if counted else m.start
        first.setdefault((text[start : m.start], m.ids), text[start : m.end])
    return list(dict.fromkeys(first.values()))


def complete(asked: str, before: str, known: Sequence[str], domain: Domain, *, of_all: bool = False) -> str:
    """A question with what it leaves to those before it: their wording, their subject; `of_all` where so many were spoken of."""
    asked = _with_topic(_with_term(asked, before, known, domain), before, domain)
    if len(known) == 1:  # "and of 128 of them"
        asked = _OF_THEM.sub(lambda m: f"{m['count']} {_COUNT.sub('', known[0])}", asked)
    pod = _RESULT.search(asked) if POD.search(before) and len(known) == 1 else None
    if pod:  # "how many exaflops is that" is of the pod whose chips were counted
        return f"{asked[: pod.start('that')]}a full {_POD_OF.sub('', known[0])} pod{asked[pod.end('that') :]}"
    own = products_named(asked, domain)
    replaced = said_of_another(asked, before, domain) if before else ""
    if replaced:
        return replaced
    pronoun = _PRONOUN.search(asked)
    compared = pronoun and len(known) == 1 and all(_SET_AGAINST.search(asked[: m.start]) for m in own)
    if (own and not compared) or not known:  # "how much faster than v5e is it" is asked of what was spoken of
        return asked
    spoken_of = of_all and (not pronoun or in_all(asked, domain) or pronoun[0].lower() in _WHAT_WAS_SAID)
    together = bool(spoken_of or _THE_SAME.search(asked))
    if not (pronoun and pronoun["many"]) and not together:  # "them" are the four of "4 L40S", and "it" is one
        known = [_COUNT.sub("", name) for name in known]
    counted = _COUNTS.match(asked) if len(known) == 1 else None
    if counted:
        return f"{asked[: counted.end()]} {known[0]}{asked[counted.end() :]}"
    whose = " and ".join(f"the {name}" for name in known)
    if pronoun:
        return asked[: pronoun.start()] + whose + ("'s" if pronoun["whose"] else "") + asked[pronoun.end() :]
    return f"{asked.rstrip('?!. ')} of {whose}?" if wants_subject(asked, domain) else asked


def of_the_two(asked: str, known: Sequence[str]) -> str:
    """ "which of the two draws more" with their names; "" where nothing of the kind is asked."""
    if len(known) < 2 or not _OF_THE_TWO.search(asked):  # noqa: PLR2004
        return ""
    return f"{_OF_THE_TWO.sub('', asked).rstrip('?!. ')}, the {' or the '.join(known)}?"


def _with_term(asked: str, before: str, known: Sequence[str], domain: Domain) -> str:
    """With the notion or the metric that was spoken of: "which has the higher one" after a ridge point; "by whom" asks for a maker."""
    if len(known) == 1 and _BY_WHOM.match(asked):
        return f"who makes the {_COUNT.sub('', known[0])}?"
    if len(known) == 1 and _WHICH_MACHINE.match(asked):  # "what is the VM called?"
        clouds = [m for m in domain.find_terms(before) if any(domain.terms[i].kind == "cloud" for i in m.ids)]
        at = f"{before[clouds[0].start : clouds[0].end]} " if len(clouds) == 1 else ""
        return f"which {at}instance has the {_COUNT.sub('', known[0])}?"
    with_what = _WITH_WHAT.match(asked) if len(known) == 1 and not products_named(asked, domain) else None
    if with_what:  # "and over what links?"
        return f"{with_what['what']} has the {_COUNT.sub('', known[0])}?"
    compared = _COMPARED.search(asked) if len(known) == 1 else None
    compared = (
        None if compared and FIGURE.search(asked, compared.end()) else compared
    )  # "to 410 on an H100" is another sum
    metric = next(iter(domain.find_metrics_asked(before)), None) if compared else None
    if compared and metric:  # "how does it compare to an A100" is asked of what was told of it
        whose = _COUNT.sub("", known[0])
        return f"{before[metric.start : metric.end]} of the {whose} compared with {asked[compared.end() :]}"
    is_notion = len(known) == 1 and not products_named(known[0], domain)
    return _SUCH_A_ONE.sub(lambda m: f"the {m[1]} {known[0]}", asked) if is_notion else asked


def _with_topic(asked: str, before: str, domain: Domain) -> str:
    """With what was spoken of: after its memory "how fast is it" asks for that, after NVLink "the bandwidth" for the link's."""
    if domain.find_terms(asked):
        return asked
    memory = next((m for m in domain.find_metrics(before) if "memory_capacity" in m.ids), None)
    if memory and _HOW_FAST.search(asked) and not domain.find_entities(asked):
        return _HOW_FAST.sub("how fast is its memory", asked)
    links = [m for m in domain.find_terms(before) if any(domain.terms[i].kind == "interconnect" for i in m.ids)]
    links += [m for m in domain.find_metrics(before) if any(_is_of_links(i, domain) for i in m.ids)]
    bare = _BANDWIDTH.search(asked) if links else None
    return f"{asked[: bare.start()]}{before[links[0].start : links[0].end]} {asked[bare.start() :]}" if bare else asked


def _is_of_links(metric: str, domain: Domain) -> bool:
    """True for the kind of links that a chip has."""
    objects = domain.relations[metric].objects if metric in domain.relations else ()
    return any(o in domain.terms and domain.terms[o].kind == "interconnect" for o in objects)


def wants_subject(asked: str, domain: Domain) -> bool:
    """True for a figure of something that is not said: "what's the rack power"."""
    if _WHO_DOES.match(asked):
        return True
    works = any(domain.terms[i].kind in _WORKS for m in domain.find_terms(asked) for i in m.ids)
    if works or RANKING_WANTED.search(asked) or RANKS.search(asked):
        return False
    metrics = [domain.metrics[i] for m in domain.find_metrics_asked(asked) for i in m.ids]
    looked_up = [m for m in metrics if m.nature in ("specified", "priced")]
    which = _WHICH.match(asked)
    return any(which or m.dimension != "text" for m in looked_up) or is_bare_count(asked, domain)


def is_bare_count(asked: str, domain: Domain) -> bool:
    """True for "how many GPUs" and no word more than what is counted."""
    return bool(_HOW_MANY.match(asked)) and len(content_words(asked)) <= 2 and not domain.find_terms(asked)  # noqa: PLR2004


def said_of_another(asked: str, before: str, domain: Domain) -> str:
    """The question before with what alone is said now in the place of its like; "" where more is said, or nothing like it was.

    "and the B200?" is another product, "and in FP8?" another format, "of the SXM one?" another form, "and 800 Gb/s?" another figure, "with 256?" another count.
    """
    defined = defines(asked, domain.find_entities(asked))  # "and what is Ironwood?"
    for spans_in in () if defined else (_lines, _values, _quantities, _counts):
        own = spans_in(asked, domain)
        if not own:
            continue
        if not set(words(blanked(asked, [span for _, span in own]))) <= _ELLIPTIC | _asked_by(before):
            return ""
        kinds = {kind for kind, _ in own}
        like = [(kind, span) for kind, span in spans_in(before, domain) if kind in kinds]
        if kinds == {"price_terms"} and not like:  # "and with a 3 year commitment?" after a price
            priced = any(domain.metrics[i].nature == "priced" for m in domain.find_metrics_asked(before) for i in m.ids)
            return f"{before.rstrip('?. ')} {asked}" if priced and not _asked_by(before) & {"why"} else ""
        if kinds - {kind for kind, _ in like}:  # "the pod's total BF16 peak" after the chips of the pod
            return ""
        old = sorted(span for _, span in like)
        between = set(words(blanked(before, old)[old[0][0] : old[-1][1]])) if old else set()
        if old and between <= _ELLIPTIC | {"that"}:
            new = asked[own[0][1][0] : own[-1][1][1]]
            return before[: old[0][0]] + new + before[old[-1][1] :]
        return ""
    return ""


_Kinds = list[tuple[str, Span]]


def _asked_by(before: str) -> frozenset[str]:
    """The word that a question is asked with, said again: "when the H100" after "when was the B200 announced"."""
    return _ASKS & set(words(before)[:3])


def _lines(text: str, domain: Domain) -> _Kinds:
    """Products and the lines of makers: "Gaudi" is one, and "GPUs" are nobody's."""
    made = (m for m in domain.find_entities(text) if any(domain.entities[i].vendor for i in m.ids))
    before = [(_ONE_OR_MORE.search(text[: m.start]), m) for m in made]
    return [("product", (found.start() if found else m.start, m.end)) for found, m in before]


def _values(text: str, domain: Domain) -> _Kinds:
    found = [(m.ids[0].partition("=")[0], (m.start, m.end)) for m in domain.find_qualifiers(text)]
    forms = [("form_factor", m.span()) for m in WORD.finditer(text) if m.group().lower() in domain.form_factors]
    return sorted({*found, *forms}, key=lambda value: value[1])


def _quantities(text: str, domain: Domain) -> _Kinds:
    return [(q.dimension, (q.start, q.end)) for q in domain.unit_table.find_all(text) if q.unit]


def _counts(text: str, domain: Domain) -> _Kinds:
    """How many products there are: what counts one that is named, or a bare number with nothing behind."""
    counts = (m.span for m in counts_in(text, domain) if m.count > 1)
    # of "8xH100" and "8x H100" the new count takes the place of "8" and of "8x"
    counted = [
        (start, len(text[:end].rstrip() if text[end - 1] == " " else text[:end].rstrip("x×"))) for start, end in counts
    ]
    bare = _BARE_NUMBER.search(text)
    return [("count", span) for span in (counted or ([bare.span(1)] if bare else []))]
