"""What somebody typed into the questions that it holds, each complete by itself.

    "How much memory has the H200, and what does it draw?"   ->  "How much memory has the H200", "what does the H200 draw"
    "TDP of the H100? And the B200?"                         ->  "TDP of the H100", "TDP of the B200"
    "Our hall has 1 MW. How many DGX H100 fit?"              ->  one question, and what is said beside it
    "Since the H100 has 96 GB, how many hold 1 TB?"          ->  one question, and a premise

A part that says nothing by itself ("and by how much?") stays with the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from chipwise import patterns as re
from chipwise.asking.completing import (
    BY_WHOM,
    complete,
    is_bare_count,
    names_in,
    of_the_two,
    products_named,
    said_of_another,
    stands_alone,
    wants_subject,
)
from chipwise.asking.framing import find_statement
from chipwise.asking.kinds import FIGURE
from chipwise.domain.degrees import COMPARATIVE, SUPERLATIVE
from chipwise.domain.model import Domain
from chipwise.text import asks, sentences
from chipwise.values import dataclass

_WH = r"(?:what(?:['’]?s)?|which|how|when|where|who|whose|why)\b"
_AUXILIARY = r"(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have)\b"
_LEAD = re.compile(
    r"^(?:(?:(?:and|but|or|so|also|plus|then|please|pls|well|hi|hey|hello|just wondering)\b|(?:ok(?:ay)?|now),)[\s,:]*)+",
    re.I,
)
_OPENS = re.compile(
    rf"(?:{_WH}|{_AUXILIARY}|(?:list|name|show|give|compare|rank|convert|explain|define|tell|calculate|put|find)\b)",
    re.I,
)
# between two questions of one sentence; a relative clause ("the H100, which has 80 GB") begins without an "and"
_JOINT = re.compile(
    rf"[;?]\s+(?=\S)|\.\s+(?={_OPENS.pattern})|(?:\s+[-–—]+|:)\s+(?={_WH}|{_AUXILIARY})"
    rf"|(?:,\s*|\s+)(?:and|but|or|plus|then)\s+(?:(?:also|then|if so|so),?\s+)?(?={_WH}|(?:on|in|at|for|from|with|over|via|through|using) (?:which|what|how)\b)(?!which (?:is|are|was|were|has|have)\b(?! (?:the )?(?:{COMPARATIVE}|{SUPERLATIVE})\b))|,\s*(?=(?:what|how|why)\b)"
    rf"|,?\s+and\s+(?={BY_WHOM})"
    r"|,\s+and\s+(?=(?:of|for|on|with)\s+(?:an?\s+)?\d[\d,]*\s+(?:\S+\s*){1,4}\?*$)"
    r"|,\s+and\s+(?=(?:on |at )?(?:spot|on[- ]demand|reserved|list)(?: price| instances?)?\W*$)"
    rf"|,\s+(?={_AUXILIARY} (?:it|they|that|this) )"
    rf"|(?:,\s*|\s+)(?:and|but|or)\s+(?={_AUXILIARY} (?:it|they|that|this|these|the|there|one|an?)\b)",
    re.I,
)
_PREMISE = re.compile(
    rf"^(?:since|given that|considering that|seeing(?: that)?|as|because|now that)\s+(?P<said>.+?),\s*(?P<asked>(?:{_WH}|{_AUXILIARY}).*)$",
    re.I,
)
# "or is it less?", which is told by what answers the question before
_THE_OTHER = re.compile(
    rf"[,;.?]?\s+or (?:is|are|was|were|does|do) (?:it|that|they|this)(?: (?:rather|actually|even))? (?:{COMPARATIVE}|the (?:same|opposite|reverse|other way(?: a?round)?))\W*$",
    re.I,
)
# "and what did not?", which a comparison tells with what did change
_THE_REST = re.compile(
    r"[,;.?]?\s+(?:and |but )?(?:what|which)(?: \w+)? (?:(?:did|has|have)(?: not|n['’]t)(?: chang\w+)?|(?:stay|remain|keep|kept|is|are|was|were)\w* (?:the same|unchanged|identical|alike))\W*$",
    re.I,
)
_GOES_ON = re.compile(
    rf"(?:both|not|{_AUXILIARY}|(?:support|cost|run|use|draw|come|need|offer|work|ship|sell)s?\b)", re.I
)
_HAS_BOTH = re.compile(
    r"^(?P<who>.{2,60}?\s(?:has|have|had|comes with|offers|supports|uses|got|carries|includes))\s(?P<one>[^,;]{3,60}?)\s(?:and|plus|as well as|along with)\s(?P<other>[^,;]{3,60})$",
    re.I,
)
# what somebody says, what only sets a scene, what only names two things
_NO_KEY_WORDS = re.compile(
    r"\b(?:i|we|our|my|(?<!in )(?<!the )us|me|you|your)\b|^(?:if|given|assuming|suppose|with|at|for|on|in|as|when|while)\b"
    r"|^[a-z]{2,}ing\s(?:an?|the|our|\d)|\b(?:is|are|was|has|have|makes?|gets?|runs?|costs|draws|serves?|reaches|delivers?|achieves?|sustains?|hits)\b",
    re.I,
)
_FOR_LONG = re.compile(r"\b(?:hours?|days?|weeks?|months?|years?)\b", re.I)


@dataclass(frozen=True, slots=True)
class Parts:
    """The `questions` of a text, its `context` (what is said and asks nothing), and the `premise` of "since ..., how ...".

    Questions `apart` have nothing to do with one another. `heads` has by the number of a question what it is without the part that says nothing by itself.
    """

    questions: tuple[str, ...]
    context: str = ""
    premise: str = ""
    heads: Mapping[int, str] = field(default_factory=dict)
    apart: bool = False


def part(text: str, domain: Domain) -> Parts:
    """The parts of a text; one question, the text itself, where it has no other or asks whether a statement is so."""
    statement = find_statement(text)
    if statement:
        halves = _each_stated(statement, domain)
        return Parts(halves or (text,), apart=bool(halves))
    text = _THE_REST.sub("?", _THE_OTHER.sub("?", text))
    premised = _PREMISE.match(text)
    if premised and not products_named(premised["said"], domain):  # "as of 2026", "since 2023" say when
        premised = None
    premise, rest = (premised["said"], premised["asked"]) if premised else ("", text)
    found = _sorted_out(_pieces(rest), premise, domain)
    if len(found.questions) == 1:  # what is said in the sentence of the only question belongs to it
        if found.context and not _tells(found.context, domain):
            return replace(found, context="")  # "I'm new to this: what is ...?"
        head = found.heads.get(0, "")
        found = _sorted_out((rest[start:end] for start, end in sentences(rest)), premise, domain)
        if head and not found.heads and found.questions[:1] and found.questions[0].startswith(head):
            found = replace(found, heads={0: head})
    parted = len(found.questions) > 1 or (found.questions and (found.context or premise or found.heads))
    return found if parted else Parts((text,))


def _each_stated(statement: str, domain: Domain) -> tuple[str, ...]:
    """A question for each half of "the RTX 4090 has NVLink and 48 GB of memory": a figure and something that has none."""
    found = _HAS_BOTH.match(statement)
    halves = (found["one"], found["other"]) if found else ()
    told = all(domain.find_terms(half) or domain.find_metrics(half) for half in halves)
    plain = (
        found
        and told
        and not any(map(_GOES_ON.match, halves))
        and names_in(found["who"], domain)
        and not any(names_in(half, domain) for half in halves)
    )
    figures = [FIGURE.search(half) is not None for half in halves]
    if found is None or not plain or figures[0] == figures[1]:
        return ()
    return tuple(f"Is it true that {found['who']} {half}?" for half in halves)


def _tells(said: str, domain: Domain) -> bool:
    """True for what names or counts something that a question may be about, or says for how long: "over a year, what does ..."."""
    named = domain.find_entities(said) or domain.find_terms(said) or domain.find_metrics(said)
    return bool(named) or (FIGURE.search(said) or _FOR_LONG.search(said)) is not None


def _sorted_out(pieces: Iterable[str], premise: str, domain: Domain) -> Parts:
    """The pieces as questions, each completed by those before, and as what is said beside them."""
    questions: list[str] = []
    context: list[str] = []
    heads: dict[int, str] = {}
    known = names_in(premise, domain)  # what a later "it" may stand for
    of_all = False  # "we lease 2 racks. How much memory is that?" asks of both
    for said in pieces:
        asked = _LEAD.sub("", said)
        if not _is_question(said, asked, domain):
            context.append(said)
            of_all = bool(names_in(asked, domain)) or of_all
        elif questions and not known and not products_named(asked, domain) and is_bare_count(questions[-1], domain):
            questions[-1] = f"{questions[-1].rstrip('?.,')} and {said}"  # "how many cores and how much SRAM has ..."
        elif questions and not (stands_alone(said, known, domain) or said_of_another(asked, questions[-1], domain)):
            heads.setdefault(len(questions) - 1, questions[-1])
            questions[-1] = f"{questions[-1].rstrip('?.,')}, {said}"
        else:
            if len(questions) == 1 and not known and wants_subject(questions[0], domain):
                questions[0] = complete(
                    questions[0], "", names_in(asked, domain), domain
                )  # "what memory and how much has the L40"
            before = questions[-1] if questions else ""
            others = [q for q in questions[:-1] if known and names_in(q, domain) == known]
            # "memory of the B300? Its TDP? What about the B200?" asks for both
            questions += [again for q in others if (again := said_of_another(asked, q, domain))]
            questions.append(of_the_two(asked, known) or complete(asked, before, known, domain, of_all=of_all))
            of_all = of_all and not names_in(asked, domain)
        known = names_in(asked, domain) or known
    return Parts(tuple(questions), " ".join(context), premise, heads)


def _is_question(said: str, asked: str, domain: Domain) -> bool:
    """True for what asks, and for key words: a metric of something, and nobody who says it."""
    if _OPENS.match(asked) or asks(said):
        return True
    if _NO_KEY_WORDS.search(asked) or not names_in(asked, domain):
        return False
    # "Llama 3 70B in BF16 on an H100: ..." asks for no peak
    formats = [m.end for m in domain.find_qualifiers(asked) if m.ids[0].startswith("dtype=")]
    return any(m.end not in formats for m in domain.find_metrics_asked(asked))


def _pieces(text: str) -> Iterator[str]:
    """The sentences, and the questions that are joined in one."""
    for start, end in sentences(text):
        at = start
        for joint in _JOINT.finditer(text, start, end):
            stop = joint.start() + 1 if joint[0][0] in "?;." else joint.start()
            yield text[at:stop].strip(" ;")
            at = joint.end()
        yield text[at:end].strip()
