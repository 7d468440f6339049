"""What a sentence says of a chip that is no figure: what runs on it, where it is rented, what it is good for.

    "TPUs are only available on Google Cloud."  -> (tpu, cloud_availability, gcp, only)
    "They can't run CUDA."  of TPUs             -> (tpu, framework_support, cuda), denied
    "The H100 was announced in March 2022."     -> (nvidia-h100, announcement_date, 2022-03)

A clause says so where it holds a subject, an object and a cue of one relation (relations.toml). A question says nothing, nor does
a supposition; a clause with words that nothing accounts for is read with a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims import polarity
from chipwise.claims.dates import dates_of_cell, find_dates
from chipwise.claims.model import Category
from chipwise.claims.topics import COMPARED, COORDINATES, PRONOUN
from chipwise.domain.cues import Cue, Lexicon
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Relation, Voice
from chipwise.text import ITEM_MARK, STOP_WORDS, WORD, Span, asks
from chipwise.values import dataclass

MOST_CHARACTERS = 4000  # of a sentence with its lead; what is longer is a wall of text
NOTHING = "none"  # the value whose words hold an object's name and mean something else
_REACH, _NEAR = 100, 80  # characters between a subject and its object, and between a cue and its object
_LIMITS_NEAR = 40  # characters between a word that denies and its object, half of it behind the object
_OF_THE_NEXT = ("no", "without", "lack", "lacks", "lacking")  # deny what stands behind them alone
_MARK = len(" and ")  # a clause is longer than what it begins with
_AFFIRMS, _DENIES = "affirms", "denies"  # what cues put
_PREPOSITIONS = ("for", "on", "with", "over", "via")
_LOOSE = 20  # characters within which any verb tells more than a preposition
_UNBOUND = 0.5  # confidence of what may be said of something else
# groups of words in phrases.toml
_WITHIN, _BEYOND, _SOME_OF, _OURS = "parts within", "beyond a thing", "some of a line", "the writer"
_RELATIVE = {"that", "which", "who", "whose"}
_STRAYS = 2  # words that nothing accounts for between a denial and what it denies
# "Use GPUs if: ..." lists cases to the end of the sentence, and a scale tells how large they are
_CASES = "workload_fit"
_IF = re.compile(r"\b(?:if|when|unless|for)\b[:\s]", re.I)
_LABELLED = re.compile(r"[\s\-*•]*(?P<label>[A-Za-z][A-Za-z \-]{2,40})\**:\**\s*(?P<rest>\S.{0,160})$", re.S)
_ANSWER = re.compile(r"(?P<no>no)\b(?=[.,!;—–]|\s-)|(?P<yes>yes)\b", re.I)
_SUPPORTED = re.compile(
    r"\s*(?:(?P<no>not supported|unsupported|none|no|n/a|not available|✗|✘)|(?P<yes>supported|yes|✓|✔))(?!\w)", re.I
)
_UNSURE = re.compile(r"\b(?:might|may|could|would|rumou?red|considering|approach\w*|talks|replac\w+)\b", re.I)
# the list or the exception behind it is of the same clause
_LEADS_ON = re.compile(r":\s|\s?—\s?|\sbecause\sof\b|\s[–-]\s|,?\sbut\s(?:also|not|no|on|in|at|by|through)\b")
_ALONE = re.compile(r"\b(?:only|solely|exclusively|entirely)\s(?:\w+\s)?(?:on|with|by|in|using|for)\s(?:the\s)?$", re.I)
_FOR_ONE = re.compile(r"(?i:for)\s(?:the\s)?[A-Z]")  # "TSMC makes it for NVIDIA"
_SOLE = re.compile(r"\b(?:only|sole)\s(?:\w+\s){0,2}(?:option|choice|place|way)\b", re.I)
_AS_RUN = re.compile(r"\bwithout\s[^.;:]{0,60}$", re.I)  # "fine-tuned on A100s without DeepSpeed" tells of the run
_THEY = re.compile(r"\b(?:they|it|these|those)\b", re.I)
_OPENING = re.compile(r"\W*(?:unlike|instead\sof|rather\sthan|compared\s(?:to|with))\s[^,]*,", re.I)
_RIVAL = re.compile(r"(?<!other\s)\b(?:than|versus|vs\.?|unlike|compared\s(?:to|with))\s(?:the\s|an?\s)?$", re.I)
_THAN = re.compile(r"\bthan\b", re.I)
_OF_ANOTHER = re.compile(r"\s?=\s?\d|-(?!compatible)[a-z]")  # "TP=2" is a setting, "a CUDA-based stack" another thing
_ALL_BUT = re.compile(
    r"\b(?:outside(?:\sof)?|other\sthan|apart\sfrom|except(?:\sfor)?|beyond|but)(?:\s(?:on|at|in|from|by|with))?\s(?:the\s)?$",
    re.I,
)
_LACKED = ("without ", "without a ", "without an ", "without the ", "per ", "each ", "every ")  # and "16 GB per GPU"
_SOMEBODYS = re.compile(
    r"\b(?:whose|its|their|these|those|this|our|Apple|Mac|M[1-9]|Arc|integrated|laptop|mobile|gaming|consumer)\s$", re.I
)
_DEGREES = (
    ("primarily", re.compile(r"\b(?:primarily|mainly|mostly|predominantly|chiefly|largely)\b", re.I)),
    ("especially", re.compile(r"\b(?:particularly|especially|specifically)\b", re.I)),
    ("limited", re.compile(r"\b(?:limited|partial(?:ly)?|experimental(?:ly)?)\b(?!\sto\b)", re.I)),
    ("nearly", re.compile(r"\b(?:nearly|almost)\b", re.I)),
    ("best", re.compile(r"\b(?:best|ideal|superior|obvious)\b", re.I)),
)  # fmt: skip
_LARGE = re.compile(r"\b(?:large(?:-scale)?|massive|huge|at\sscale|trillion\S*|frontier|foundation|millions)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of `text` with the products that it is about, which are named there unless `carried`."""

    text: str
    start: int
    end: int
    subjects: tuple[Mention, ...]
    others: tuple[Mention, ...]  # products that it sets beside them: "than an H100"
    carried: tuple[str, ...] = ()
    known: tuple[Span, ...] = ()  # whatever the domain knows, and figures
    things: tuple[Span, ...] = ()  # the products and terms among them


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
    item = ITEM_MARK.match(sentence)
    if above.rstrip().endswith(":") and (domain.find_entities(above) or not _IF.search(above)):
        bare = item.end() if item else 0
        text = f"{above.rstrip()} {sentence[bare:]}"
        by = len(text) - len(sentence)
        said = _find(domain, text, domain.find_entities(text), domain.find_terms(text), carried)
        told = [replace(c, start=c.start - by, end=c.end - by) for c in said if c.start - by >= bare]
    else:
        told = _find(domain, sentence, entities, terms, carried)
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
    listed = _objects(domain, cell_text, domain.find_terms(cell_text))
    for relation_id, more in _completed(domain, label, cell_text).items():
        listed.setdefault(relation_id, []).extend(more)
    answered = _objects(domain, row_label, domain.find_terms(row_label)) if answer else {}
    for relation in domain.relations.values():
        if domain.kind(subject) not in relation.subjects:
            continue
        if any(label == known or label.startswith((f"{known} ", f"{known},")) for known in relation.labels):
            for m in _apart(listed.get(relation.id, ())):
                denied = m.ids[0].startswith("!") or polarity.negation(cell_text, m.start) is not None
                told.append(_category(subject, relation, m, cell_start, not denied))
        elif answer and relation.id.endswith("_support"):
            for m in _apart(answered.get(relation.id, ())):
                at = Mention(answer.start(), answer.end(), m.ids)
                left = _unaccounted(row_label, 0, len(row_label), _accounted(domain, row_label))
                word = next((w for w in left if not domain.find_unit(w)), "")
                doubt = f"{word!r} beside it is not understood" if word else ""
                doubt = doubt or ("" if named else "its column names no product")
                told.append(replace(_category(subject, relation, at, cell_start, answer["no"] is None), doubt=doubt))
    return _once(told)


def _completed(domain: Domain, label: str, cell_text: str) -> dict[str, list[Mention]]:
    """What a cell and its label name together: "Air" under "Cooling"."""
    end = len(cell_text.rstrip())
    found = _objects(domain, f"{cell_text[:end]} {label}", ())
    across = {r: [m for m in named if m.start < end < m.end] for r, named in found.items()}
    return {r: [Mention(m.start, end, m.ids) for m in named] for r, named in across.items() if named}


def _category(subject: str, relation: Relation, m: Mention, by: int, true: bool) -> Category:
    return Category(subject, relation.id, m.ids[0].lstrip("!"), m.start + by, m.end + by, true)


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
    objects = _objects(domain, text, terms)
    things = tuple((m.start, m.end) for m in (*entities, *terms, *domain.find_values(text)))
    known, told = (*things, *_accounted(domain, text)) if objects else (), list[Category]()
    subjects = _subjects(domain, text, entities)
    others = [m for m in entities if COMPARED.search(text, max(0, m.start - 64), m.start)]
    for clause in _clauses(text, subjects, others, carried):
        nearest: dict[Span, list[tuple[int, list[Category]]]] = {}  # by object, with how far its cue stands
        for name, mentions in objects.items():
            relation = domain.relations[name]
            cases = name == _CASES and _IF.search(text, clause.start, clause.end) is not None
            whole = replace(clause, end=len(text) if cases else clause.end, known=known, things=things)
            parts = (any(e.start <= m.start and m.end < e.end for e in entities) for m in mentions)  # "AWS Trainium"
            free = [m for m, is_part in zip(mentions, parts, strict=True) if not is_part]
            own = [m for m in _apart(free) if clause.start <= m.start < whole.end]
            for m in own:
                said, distance = _said(domain, relation, whole, own, m)
                if said:
                    nearest.setdefault((m.start, m.end), []).append((distance, said))
        for found in nearest.values():
            least = min(distance for distance, _ in found)
            told += (c for distance, said in found if distance == least for c in said)
    return told


def _clauses(
    text: str, subjects: Sequence[Mention], others: Sequence[Mention], carried: tuple[str, ...]
) -> Iterator[_Clause]:
    """The clauses of a sentence. One that names no product is about the one before it, the first about what was spoken of."""
    about: tuple[str, ...] = ()
    start = 0
    while start < len(text):
        end = _ends(text, start)
        while end < len(text) and (leads := _LEADS_ON.match(text, end - 1) or _LEADS_ON.match(text, end)):
            end = max(_ends(text, leads.end() - 1), end + 1)
        own = tuple(m for m in subjects if start <= m.start < end)
        yield _Clause(text, start, end, own, tuple(others), () if own else about or carried)
        about = tuple(m.ids[0] for m in own) or about
        start = end


def _ends(text: str, start: int) -> int:
    """Where the clause that begins at `start`, or with the mark there, is over."""
    past = start + _MARK if start else 0
    return len(text) if past >= len(text) else max(polarity.clause(text, past)[1], start + 1)


def _said(
    domain: Domain, relation: Relation, clause: _Clause, objects: Sequence[Mention], m: Mention
) -> tuple[list[Category], int]:
    """What the clause says of one object, of each subject beside it; and how far from the object the cue stands that says so."""
    text = clause.text
    whose, at = _whose(domain, relation, clause, m)
    cue = _cue(relation, clause, m, at, objects)
    if not whose or cue is None or _is_beside(domain, text, clause, m):
        return [], len(text)
    distance = _apart_by(m, cue) + _LOOSE * _is_loose(text, cue)
    # polarity is read at whatever comes last: "PyTorch does not run on [TPUs", "They run [JAX", "AWS does not [offer them"
    anchor = max(m.start, cue.start if at is None else at)
    meant = at is not None or _is_understood(text, clause, cue, min(cue.start, objects[0].start))
    if not (meant and _is_asserted(relation, clause, m, at, anchor)):
        return [], distance
    holds = _affirmed(relation, clause, objects, m, cue, anchor)
    first = at if at is not None and at <= m.start else 0  # "only slices have the links" limits who has them
    limit = max((end for _, end in polarity.denials(text, clause.start, objects[0].start)), default=objects[0].start)
    # "only slices made of full cubes have the links that close the torus" limits slices
    near = len([*_unaccounted(text, limit, objects[0].start, (*clause.known, (cue.start, cue.end)))]) <= _STRAYS
    only = bool(holds) and (
        (near and polarity.exclusive(text[first:], objects[0].start - first))
        or text.startswith(" alone", m.end)
        or _ALL_BUT.search(text, clause.start, m.start) is not None
    )
    own = text[clause.start : clause.end].lower().rpartition(" that ")[2].split()  # "we know that TPUs do not run it"
    if holds is None or ((only or not holds) and not domain.word_group(_OURS).isdisjoint(own)):
        return [], distance
    sole = holds and (
        _SOLE.search(text, clause.start, clause.end) or (m.start < anchor and _ALONE.search(text, m.end, anchor))
    )
    qualifiers = _qualifiers(relation, clause, m, cue, "subject" if sole else "only" if only else "")
    true, name = holds is not m.ids[0].startswith("!"), m.ids[0].lstrip("!")
    sure = _UNBOUND if _is_loosely_bound(domain, relation, clause, objects, m, at, cue) else 1.0
    return [Category(s, relation.id, name, m.start, m.end, true, qualifiers, "", sure) for s in whose], distance


def _is_loosely_bound(
    domain: Domain, relation: Relation, clause: _Clause, objects: Sequence[Mention], m: Mention, at: int | None, cue: Cue
) -> bool:  # fmt: skip
    """True where an object or a subject is a part of what the clause is about, not that itself.

    "the torch.cuda API", "HBM bandwidth", a word in quotation marks; "code with CUDA kernels needs work for TPUs"; "more than the
    bandwidth of an L40S, NVLink and MIG"; "GPUs before Ampere"; "jobs beyond 256 chips".
    """
    text, within = clause.text, [*clause.things, *((c.start, c.end) for c in _cues(relation).find(clause.text))]
    head = WORD.match(text, m.end + 1) if text[m.end : m.end + 1] == " " else None
    modifies = head is not None and any(_unaccounted(text, head.start(), head.end(), within))
    if modifies or text[m.start - 1 : m.start] in (".", "_") or text.count('"', 0, m.start) % 2:
        return True
    several = domain.metrics[relation.id].single and len({o.ids for o in objects}) > 1  # "between HBM3 and HBM3e"
    without = cue.puts == _DENIES and text[cue.start : cue.end].lower() == "without"
    if at is None:  # of what was spoken of before: "they" or "it" says so, and "FP8 is a family of formats" does not
        return without or several or (not _THEY.search(text, clause.start, cue.end) and m.start - clause.start <= _MARK)
    subject, before = next(s for s in clause.subjects if s.start == at), _word_before(text, at)
    behind = text[subject.end :].lower().split(maxsplit=1)[:1]
    some = domain.is_many(subject.ids[0]) and not domain.word_group(_SOME_OF).isdisjoint(behind)
    part = before in domain.word_group(_BEYOND) or (before == "of" and any(s.end < at for s in clause.subjects))
    inner = m.start < at and not domain.word_group(_WITHIN).isdisjoint(
        text[clause.start : m.start].lower().split()[-3:]
    )
    return bool(without or several or some or part or inner)


def _word_before(text: str, at: int) -> str:
    """The word before a name, without an article and a count: "beyond" of "beyond 256 TPU v6e chips"."""
    words = (w for w in reversed(text[:at].lower().split()) if w not in ("the", "a", "an") and not w[:1].isdigit())
    return next(words, "")


def _is_understood(text: str, clause: _Clause, cue: Cue, until: int) -> bool:
    """True where a clause that names no product goes on about the last one; "The compiler supports JAX" and "Missing FP8" do not."""
    they = PRONOUN.match(text, clause.start) or _THEY.search(text, clause.start, until)
    return they is not None or (cue.puts != _DENIES and len(text[clause.start : until].split()) <= 1)


def _is_asserted(relation: Relation, clause: _Clause, m: Mention, at: int | None, anchor: int) -> bool:
    """False for what is supposed, or said of some alone. The cases of "Use GPUs if" are no supposition."""
    text = clause.text
    cases = relation.id == _CASES and _IF.search(text, clause.start, m.start) is not None
    places = {at or clause.start} if cases else {m.start, anchor}
    return not (any(polarity.supposed(text, p) for p in places) or polarity.partly(text, m.start))


def _affirmed(
    relation: Relation, clause: _Clause, objects: Sequence[Mention], m: Mention, cue: Cue, anchor: int
) -> bool | None:
    """Whether the clause affirms or denies the object; None where what it denies is something else."""
    text, denies = clause.text, cue.puts == _DENIES
    negation = (cue.start, cue.end) if denies else polarity.negation(text, anchor)
    if _ALL_BUT.search(text, clause.start, m.start):  # "no cloud other than AWS"; not "on clouds other than AWS"
        return True if negation or polarity.denials(text, clause.start, m.start) else None
    if negation is None:
        return True
    as_run = not denies and _AS_RUN.search(text, clause.start, m.start)
    bound = (denies and m.end <= cue.start) or _binds(relation, clause, negation, objects, m)
    return False if bound and not as_run and relation.deniable else None


def _binds(relation: Relation, clause: _Clause, negation: Span, objects: Sequence[Mention], m: Mention) -> bool:
    """True where a negation denies `m` or the cue for it: "no speed-up in FP8" and "cannot grow beyond a torus" deny something else."""
    text, end = clause.text, negation[1]
    cues = [(c.start, c.end) for c in _cues(relation).find(text)]

    def strays(until: int) -> int:
        return sum(1 for _ in _unaccounted(text, end, until, [*clause.things, *cues]))

    behind = [start for start, _ in (*cues, (m.start, m.end)) if end <= start]
    if text[slice(*negation)].lower().split()[-1] not in _OF_THE_NEXT:
        if text[end:].lower().split(maxsplit=1)[:1] in (["the"], ["a"], ["an"]):
            return False  # "FP8 on an MI300X is not the same format as FP8 on an H100"
        return strays(min(behind, default=clause.end)) <= 1 and strays(m.start) <= _STRAYS
    if m.start < end:  # "JAX has no support here", "AWS has no TPUs"
        return any(strays(start) == 0 for start in (*behind, *(s.start for s in clause.subjects if end <= s.start)))
    *listed, _ = text[end : m.start].split(",")
    ends = [end + sum(len(one) + 1 for one in listed[: n + 1]) for n in range(len(listed))]
    named = all(any(a <= o.start < b for o in objects) for a, b in pairwise((end, *ends)))
    return named and strays(m.start) <= 1 and _RELATIVE.isdisjoint(text[end : m.start].lower().split())


def _qualifiers(
    relation: Relation, clause: _Clause, m: Mention, cue: Cue, exclusive: str
) -> tuple[tuple[str, str], ...]:
    """How far it holds: exclusive of what, to what degree, at which scale, under which condition."""
    text, behind = clause.text, max(m.end, cue.end)
    around = text[clause.start : behind]
    found = [("exclusive", exclusive)] if exclusive else []
    found += [("degree", name) for name, words in _DEGREES if words.search(around)][:1]
    if relation.id == _CASES:
        return (*found, ("scale", "large")) if _LARGE.search(around) else tuple(found)
    condition = polarity.condition(text, behind)
    return (*found, ("condition", condition)) if condition and not _FOR_ONE.match(condition) else tuple(found)


def _whose(domain: Domain, relation: Relation, clause: _Clause, m: Mention) -> tuple[tuple[str, ...], int | None]:
    """The subjects nearest to an object, those before it first, with all coordinated to it; and where they stand."""
    fits = [s for s in clause.subjects if domain.kind(s.ids[0]) in relation.subjects]
    fits = [s for s in fits if s.end <= m.start or m.end <= s.start]
    before = [s for s in fits if s.end <= m.start]
    if not fits:
        return tuple(i for i in clause.carried if domain.kind(i) in relation.subjects), None
    nearest = before[-1] if before else fits[0]
    low, high = sorted((nearest.end, m.start) if before else (m.end, nearest.start))
    if high - low > _REACH or _THAN.search(clause.text, low, high) or any(low <= s.start < high for s in clause.others):
        return (), None
    group = _coordinated(clause.text, fits, nearest)
    return tuple(s.ids[0] for s in group), group[0].start


def _coordinated(text: str, subjects: Sequence[Mention], one: Mention) -> list[Mention]:
    """The run of subjects that "and", "or" or a comma joins to `one`."""
    runs: list[list[Mention]] = [[subjects[0]]]
    for a, b in pairwise(subjects):
        if COORDINATES.fullmatch(text[a.end : b.start]):
            runs[-1].append(b)
        else:
            runs.append([b])
    return next(run for run in runs if one in run)


def _cue(relation: Relation, clause: _Clause, m: Mention, at: int | None, objects: Sequence[Mention]) -> Cue | None:
    """The cue of the relation nearest to an object in its clause. One that denies has no other object between."""
    begin = max(clause.start, min(m.start, m.start if at is None else at) - _REACH)
    every = (c for c in _cues(relation).find(clause.text) if begin <= c.start and c.end <= clause.end)
    found = [c for c in every if c.end <= m.start or m.end <= c.start]
    low = max((o.end for o in objects if o.end <= m.start), default=0)
    high = min((o.start for o in objects if o.start >= m.end), default=clause.end)
    denying = [c for c in found if c.puts == _DENIES and low <= c.start and _reaches(clause.text, c, m, high)]
    nearest = min(denying or (c for c in found if c.puts == _AFFIRMS), key=lambda c: _apart_by(m, c), default=None)
    if nearest is None:
        return None
    return nearest if _apart_by(m, nearest) <= (_LOOSE if _is_loose(clause.text, nearest) else _NEAR) else None


def _is_loose(text: str, cue: Cue) -> bool:
    """True for a preposition."""
    return text[cue.start : cue.end].lower() in _PREPOSITIONS


def _apart_by(m: Mention, cue: Cue) -> int:
    """The characters between an object and a cue."""
    return max(m.start - cue.end, cue.start - m.end)


@lru_cache(maxsize=64)
def _cues(relation: Relation) -> Lexicon:
    """The words that state a relation, those of table labels among them, and those that deny it."""
    affirming = Voice(relation.id, _AFFIRMS, "clause", (*relation.cues, *map(str.lower, relation.labels)))
    return Lexicon((affirming, Voice(relation.id, _DENIES, "clause", relation.denied)))


def _reaches(text: str, cue: Cue, m: Mention, until: int) -> bool:
    """True for "lacks support for JAX" and "JAX is unsupported"; in "ICI helps without Y" the denial is of Y."""
    if cue.end <= m.start:  # "No: TPUs are only on Google Cloud" is an answer
        return m.start - cue.end <= _LIMITS_NEAR and text[cue.end] not in ":,"
    forward = text[cue.start : cue.end].lower() in _OF_THE_NEXT
    return not forward and cue.start <= min(until, m.end + _LIMITS_NEAR // 2)


def _is_beside(domain: Domain, text: str, clause: _Clause, m: Mention) -> bool:
    """True for what is compared with, a setting, or a guess: "than CUDA", "TP=2", "may run JAX"."""
    return bool(
        _RIVAL.search(text, max(0, m.start - 40), m.start)
        or _OF_ANOTHER.match(text, m.end)
        or _UNSURE.search(text, clause.start, clause.end)
        or domain.find_phrase("needless", text[clause.start : m.start])
    )


def _accounted(domain: Domain, text: str) -> list[Span]:
    """Where a sentence names anything that the domain knows, or gives a figure."""
    names = (*domain.find_entities(text), *domain.find_terms(text), *domain.find_metrics(text))
    told = [(m.start, m.end) for m in (*names, *domain.find_qualifiers(text), *domain.find_values(text))]
    return [*told, *((q.start, q.end) for q in domain.unit_table.find(text))]


def _unaccounted(text: str, start: int, end: int, known: Sequence[Span]) -> Iterator[str]:
    """The words of a stretch that tell something and stand in none of the spans."""
    for m in WORD.finditer(text, start, end):
        plain = m[0].lower() in STOP_WORDS or m[0].isdigit() or len(m[0]) == 1
        if not plain and not any(a < m.end() and m.start() < b for a, b in known):
            yield m[0]


def _once(told: Sequence[Category]) -> list[Category]:
    """Each statement once, in reading order."""
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


def _objects(domain: Domain, text: str, terms: Sequence[Mention]) -> dict[str, list[Mention]]:
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


def _subjects(domain: Domain, text: str, entities: Sequence[Mention]) -> list[Mention]:
    """Mentions of one product each that a clause may be about: "H100 GPUs" is the H100, and one after "than" is none."""
    named, opening = list[Mention](), _OPENING.match(text)
    for mention in entities:
        if opening and mention.start < opening.end():
            continue
        lines = [i for i in mention.ids if domain.kind(i) == "line"]
        ids = mention.ids if len(mention.ids) == 1 else tuple(lines[:1])
        before = max(0, mention.start - 64)
        # "2.4x the HBM of the H100"
        times = any(q.compares for q in domain.unit_table.find(text[before : mention.start]))
        if not ids or ids == ("accelerator",) or times or COMPARED.search(text, before, mention.start):
            continue
        if text[before : mention.start].lower().endswith(_LACKED):
            continue  # "on a computer without a TPU" is about the computer
        if lines and _SOMEBODYS.search(text, before, mention.start):
            continue  # "its GPUs", "Mac GPU": of somebody or of a make that the domain does not know
        last = named[-1] if named else None
        if last and lines and ids[0] in domain.ancestors(last.ids[0]):
            if not text[last.end : mention.start].strip():
                named[-1] = Mention(last.start, mention.end, last.ids)
            if not text[last.end : mention.start].strip() or text[: mention.start].lower().endswith("the "):
                continue  # "the GPU", where an H100 was named, is that one
        named.append(Mention(mention.start, mention.end, ids))
    return named


def _apart(mentions: Sequence[Mention]) -> list[Mention]:
    """Those of `mentions` that overlap none better: the longest wins, then the first given."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: m.start - m.end):
        if all(k.end <= mention.start or mention.end <= k.start for k in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)
