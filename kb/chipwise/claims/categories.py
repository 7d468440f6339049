"""What a sentence says of a chip that is no figure: what runs on it, where it is rented, what it is good for.

    "TPUs are only available on Google Cloud."  -> (tpu, cloud_availability, gcp, only)
    "They can't run CUDA."  of TPUs             -> (tpu, framework_support, cuda), denied
    "The H100 was announced in March 2022."     -> (nvidia-h100, announcement_date, 2022-03)

The wordings are data (relations.toml). A question says nothing, nor does a supposition;
what no pattern fits is left out rather than guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from chipwise import patterns as re
from chipwise.claims import polarity
from chipwise.claims.around import unaccounted_in
from chipwise.claims.dates import dates_of_cell, find_dates
from chipwise.claims.patterns import Pattern, patterns
from chipwise.claims.saying import Category, Reading, said
from chipwise.claims.stretches import apart, mask
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Relation
from chipwise.text import ITEM_MARK, Span, asks

_SPARE = 4  # words beside what is affirmed that may say no more than that
_PLAIN = (  # stems of words that change nothing of what is said to run or to be had
    *("hold", "connect", "support", "nativ", "availab", "directly", "officially", "simpl", "special"),
    *("hardware", "actual", "really", "current", "whatsoever", "code", "program", "consist", "contain"),
)
_NOTHING = ("all", "box")  # "at all", "out of the box"
MOST_CHARACTERS = 4000  # of a sentence with its lead; what is longer is a wall of text
NOTHING = "none"  # the value whose words hold an object's name and mean something else
_IF = re.compile(r"\b(?:if|when|unless)\b", re.I)
_OF_ANOTHER = re.compile(r"\b(?:whose|its|their|these|those|this|our)\s$", re.I)
_SOMEBODYS = re.compile(
    r"\b(?:Apple|Mac(?:book)?|M[1-9](?:\s(?:Pro|Max|Ultra))?|Arc|Adreno|Mali|integrated|laptop|mobile|gaming|consumer)\s$",
    re.I,
)
_CORES = re.compile(r"\b(?:tensor|matrix)\b", re.I)
_LABELLED = re.compile(r"[\s\-*•]*(?P<label>[A-Za-z][A-Za-z \-]{2,40})\**:\**\s*(?P<rest>\S.{0,160})$", re.S)
_ANSWER = re.compile(r"(?P<no>no)\b(?=[.,!;—–]|\s-)|(?P<yes>yes)\b", re.I)
_SUPPORTED = re.compile(
    r"\s*(?:(?P<no>not supported|unsupported|none|no|n/a|not available|✗|✘)|(?P<yes>supported|yes|✓|✔))(?!\w)", re.I
)


def find_categories(
    domain: Domain,
    sentence: str,
    entities: Sequence[Mention],
    terms: Sequence[Mention],
    carried: tuple[str, ...],
    above: str,
) -> list[Category]:
    """What `sentence` says, in order of the words for it.

    `carried` are the subjects that "they" can mean, `above` the text that the sentence
    stands under: a lead ("Use GPUs if:"), a question ("Can I use TPUs on AWS?"), a heading.
    """
    if len(sentence) + len(above) > MOST_CHARACTERS:
        return []
    told: list[Category] = []
    item = ITEM_MARK.match(sentence)
    if above.rstrip().endswith(":") and (domain.find_entities(above) or not _IF.search(above)):
        bare = item.end() if item else 0
        text = f"{above.rstrip()} {sentence[bare:]}"
        by = len(text) - len(sentence)
        found = _find(domain, text, domain.find_entities(text), domain.find_terms(text), carried)
        told += [replace(c, start=c.start - by, end=c.end - by) for c in found if c.start - by >= bare]
    else:
        told += _find(domain, sentence, entities, terms, carried)
    told += find_dates(domain, sentence, entities, carried)
    labelled = _LABELLED.match(sentence)
    if labelled and not entities:
        label, rest, start = labelled["label"], labelled["rest"], labelled.start("rest")
        told += [c for subject in carried for c in categories_of_cell(domain, subject, label, rest, start)]
    answer = _ANSWER.match(sentence)
    if answer and asks(above):
        told += _answered(domain, above, answer)
    return _once(told)


def categories_of_cell(
    domain: Domain, subject: str, row_label: str, cell_text: str, cell_start: int, *, named: bool = True
) -> list[Category]:
    """What a table's cell says of `subject`: objects under a label ("Software stack"), or yes and no for one in it.

    Where the table has not `named` the subject, its columns may be of other things: "FP8 | vLLM: yes | tinygrad: no".
    """
    told = dates_of_cell(domain, subject, row_label, cell_text, cell_start)
    label = " ".join(row_label.lower().split()).strip(" :*|")
    answer = _SUPPORTED.match(cell_text)
    listed = _fitting(domain, cell_text, domain.find_terms(cell_text))
    for relation_id, more in _completed(domain, label, cell_text).items():
        listed.setdefault(relation_id, []).extend(more)
    answered = _fitting(domain, row_label, domain.find_terms(row_label)) if answer else {}
    for relation in domain.relations.values():
        if not _can_be_said_of(domain, relation, subject):
            continue
        if any(label == known or label.startswith((f"{known} ", f"{known},")) for known in relation.labels):
            for m in apart(listed.get(relation.id, ())):
                denied = m.ids[0].startswith("!") or polarity.negated(cell_text, m.start)
                told.append(_category(subject, relation, m, cell_start, not denied))
        elif answer and relation.id.endswith("_support"):
            for m in apart(answered.get(relation.id, ())):
                at = Mention(answer.start(), answer.end(), m.ids)
                said = _category(subject, relation, at, cell_start, answer["no"] is None)
                left = unaccounted_in(row_label, 0, len(row_label), _accounted(domain, row_label))
                word = next((w for w in left if not domain.find_unit(w)), "")
                doubt = f"what {word!r} beside it says is not understood" if word else ""
                if said.polarity is False and _CORES.search(row_label):
                    doubt = "it may be its tensor cores alone that have none"
                told.append(replace(said, doubt=doubt or ("" if named else "whose column it is in is not said")))
    return _once(told)


def _completed(domain: Domain, label: str, cell_text: str) -> dict[str, list[Mention]]:
    """What a cell and its label name together: "Air" under "Cooling"."""
    end = len(cell_text.rstrip())
    found = _fitting(domain, f"{cell_text[:end]} {label}", ())
    across = {r: [m for m in named if m.start < end < m.end] for r, named in found.items()}
    return {r: [Mention(m.start, end, m.ids) for m in named] for r, named in across.items() if named}


def _category(subject: str, relation: Relation, m: Mention, by: int, true: bool) -> Category:
    return Category(subject, relation.id, m.ids[0].lstrip("!"), m.start + by, m.end + by, true)


def _can_be_said_of(domain: Domain, relation: Relation, subject: str) -> bool:
    return domain.kind(subject) in relation.subjects


def _answered(domain: Domain, question: str, answer: re.Match[str]) -> list[Category]:
    """What "No." or "Yes." says: the question's statement, denied or affirmed, at that word."""
    asked = question[: question.rindex("?")].rstrip("?")
    found = _find(domain, asked, domain.find_entities(asked), domain.find_terms(asked), ())
    no = answer["no"] is not None
    if no and any(axis == "exclusive" for c in found for axis, _ in c.qualifiers):
        return []  # "Only on Google Cloud? No." tells nothing of Google Cloud
    return [replace(c, start=answer.start(), end=answer.end(), polarity=c.polarity is not no) for c in found]


def _find(
    domain: Domain, text: str, entities: Sequence[Mention], terms: Sequence[Mention], carried: tuple[str, ...]
) -> list[Category]:
    if asks(text):
        return []
    objects, named = _fitting(domain, text, terms), _named(domain, text, entities)
    lower = " ".join(text.replace("’", "'").lower().split())
    spans: list[Span] = []
    found: list[tuple[int, Category]] = []
    for relation_id, known in patterns(tuple(domain.relations.values())).items():
        own = objects.get(relation_id, [])
        likely = [p for p in known if (own or p.implied) and p.can_match(lower)]
        if not likely:
            continue
        reading = _read(domain, domain.relations[relation_id], text, named, own, carried)
        if reading.subjects or reading.carried:
            for pattern in likely:
                for match in pattern.find(reading.masked):
                    span = reading.places[match.start()], reading.places[match.end()]
                    for c in said(reading, pattern, match):
                        spans = spans or _accounted(domain, text)
                        doubt = _doubt(text, spans, c, span, pattern, firm=not domain.relations[relation_id].passing)
                        found.append((match.end() - match.start(), replace(c, doubt=doubt)))
    # of two that fit as tightly, "a poor choice for" tells more than "choice for"
    return [c for _, c in sorted(found, key=lambda item: (item[0], item[1].polarity))]


def _accounted(domain: Domain, text: str) -> list[Span]:
    """Where a sentence names anything that the domain knows, or gives a figure."""
    names = (*domain.find_entities(text), *domain.find_terms(text), *domain.find_metrics(text))
    told = [(m.start, m.end) for m in (*names, *domain.find_qualifiers(text), *domain.find_values(text))]
    return [*told, *((q.start, q.end) for q in domain.unit_table.find(text))]


def _doubt(text: str, spans: Sequence[Span], said: Category, span: Span, pattern: Pattern, *, firm: bool) -> str:
    """The words of its clause that nothing accounts for, where they are many: they may make something else of it.

    A denial turns on each, where it is `firm`, and an "only" on fewer than what is affirmed: "It is possible to run
    JAX on a computer without a GPU".
    """
    begin = max(polarity.clause(text, min(span[0], said.start))[0], text.rfind(";", 0, said.start) + 1)
    end = polarity.clause(text, max(span[1], said.end))[1]
    known = [(first, last) for first, last in spans if first < end and begin < last]
    known += polarity.denials(text, begin, end)
    stems = tuple(stem for stems in pattern.stems for stem in stems if len(stem) > 3)  # noqa: PLR2004 ("us" begins anything)
    words = (w.lower() for w in unaccounted_in(text, begin, end, known))
    left = [w for w in words if not (w.startswith((*stems, *_PLAIN)) or w in _NOTHING or w[0].isdigit())]
    limits = not said.polarity or "exclusive" in dict(said.qualifiers)
    if pattern.open and not limits:
        return ""  # "Use TPUs if: ...": a list of cases
    excused = said.polarity or not firm or "condition" in dict(said.qualifiers)  # which opposes nothing flatly
    spare = _SPARE if not limits else int(excused)
    return f"what {left[0]!r} beside it says is not understood" if len(left) > spare else ""


def _once(told: Sequence[Category]) -> list[Category]:
    """Each statement once, in reading order; where two wordings differ on polarity, the tighter one's."""
    kept: dict[tuple[str, str, str], Category] = {}
    for c in told:
        kept.setdefault((c.subject, c.relation, c.object), c)
    return sorted(kept.values(), key=lambda c: (c.start, c.relation, c.subject))


@lru_cache(maxsize=4)
def _relations_to(relations: tuple[Relation, ...]) -> dict[str, tuple[str, ...]]:
    """By what can be an object, the kind or the id of it: the relations that it can be one of."""
    found: dict[str, tuple[str, ...]] = {}
    for relation in relations:
        for name in relation.objects:
            found[name] = (*found.get(name, ()), relation.id)
    return found


def _fitting(domain: Domain, text: str, terms: Sequence[Mention]) -> dict[str, list[Mention]]:
    """By relation, the mentions that can be its object, each with the one id that can."""
    values = domain.find_values(text)
    if not values and not terms:
        return {}
    relations_to = _relations_to(tuple(domain.relations.values()))
    other = [m for m in values if m.ids == (NOTHING,)]
    found: dict[str, list[Mention]] = {}
    for mention in (*values, *terms):
        if any(m.start <= mention.start and mention.end <= m.end for m in other):
            continue
        fits: dict[str, list[str]] = {}
        for name in mention.ids:
            bare = name.lstrip("!")
            term = domain.terms.get(bare)
            kinds = relations_to.get(term.kind, ()) if term else ()
            for relation in dict.fromkeys((*relations_to.get(bare, ()), *kinds)):
                fits.setdefault(relation, []).append(name)
        for relation, ids in fits.items():
            if len(ids) == 1:
                found.setdefault(relation, []).append(Mention(mention.start, mention.end, (ids[0],)))
    return found


def _read(
    domain: Domain,
    relation: Relation,
    text: str,
    named: Sequence[Mention],
    objects: Sequence[Mention],
    carried: tuple[str, ...],
) -> Reading:
    subjects = [m for m in named if _can_be_said_of(domain, relation, m.ids[0])]
    names = apart([*subjects, *objects])
    chosen = tuple(m for m in names if m in subjects), tuple(m for m in names if m not in subjects)
    masked, places = mask(text, *chosen)
    fitting = tuple(c for c in carried if _can_be_said_of(domain, relation, c))
    return Reading(text, fitting, *chosen, masked, places)


def _is_named_by(domain: Domain, line: str, named: Sequence[Mention]) -> bool:
    """True for "the GPU" where an H100 was named: it is that one."""
    return any(m.ids[0] != line and line in domain.ancestors(m.ids[0]) for m in named)


def _named(domain: Domain, text: str, entities: Sequence[Mention]) -> list[Mention]:
    """Mentions of one entity each: "H100 GPUs" is the H100, "Trainium" the line where it may be that or a chip."""
    named: list[Mention] = []
    for mention in entities:
        lines = [i for i in mention.ids if domain.kind(i) == "line"]
        ids = mention.ids if len(mention.ids) == 1 else tuple(lines[:1])
        if (
            ids == ("accelerator",)
            or not ids
            or (lines and _OF_ANOTHER.search(text, max(0, mention.start - 8), mention.start))
        ):
            continue
        if lines and _SOMEBODYS.search(text, max(0, mention.start - 16), mention.start):
            continue  # "Mac GPU", "the M1 GPU": of a make that the domain does not know
        if lines and text[: mention.start].lower().endswith("the ") and _is_named_by(domain, ids[0], named):
            continue
        last = named[-1] if named else None
        if last and not text[last.end : mention.start].strip() and ids[0] in domain.ancestors(last.ids[0]):
            named[-1] = Mention(last.start, mention.end, last.ids)
        else:
            named.append(Mention(mention.start, mention.end, ids))
    return named
