"""From one match of a pattern to what it says: of whom, whether affirmed or denied, and under what qualifiers.

"However, they're optimized primarily for TensorFlow."  of TPUs
    -> (tpu, framework_support, tensorflow), degree=primarily
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims import polarity
from chipwise.claims.patterns import Pattern
from chipwise.claims.stretches import OBJECT, PRONOUN, SUBJECT
from chipwise.domain.phrasebook import Mention
from chipwise.values import dataclass

_ASIDE = re.compile(
    r"\b(?:than|over|versus|vs\.?|against|compared (?:to|with)|relative to|unlike|like)\s(?:an?\s|the\s|its\s|some\s)?(?:(?-i:[A-Z])\w+\s)?$"
    r"|\bbetween\s(?:the\s)?(?:[\w.-]+\s){1,4}?and\s(?:the\s)?$",
    re.I,
)
_BETWEEN = re.compile(r"\bbetween\s(?:the\s)?$", re.I)
_AND_ANOTHER = re.compile(r"[\w.-]+(?:\s[\w.-]+){0,3}?\sand\s")
_JOINED = re.compile(r"\s?(?:,|/|&|,?\s(?:and|or)\b)\s?(?:the\s)?", re.I)
_UNSURE = re.compile(
    r"\b(?:might|may|could|would)\b(?!\s(?:be\s)?(?:the|a|offer|provide|choose|use|want|better))|\b(?:approach(?:ed|es)?|talks|negotiat\w+|considering"
    r"|rumou?red|replac(?:es?|ed|ing))\b",
    re.I,
)
_DIRECTLY = re.compile(r"\b(?:only|solely|exclusively)\s(?:the\s)?$", re.I)
_SOLE = re.compile(r"\b(?:only|sole)\s(?:\w+\s){0,2}(?:option|choice|place|way)\b", re.I)
_ONLY_ONE = re.compile(r"\b(?:is|are|was|were|remains?)\s(?:\w+ly\s)?(?:the|its|your)\s(?:only|sole)\s[a-z]", re.I)
_ALONE = re.compile(r"\b(?:only|solely|exclusively|entirely)\s(?:on|with|by|in|using|for)\s(?:the\s)?$", re.I)
# "nowhere but on Google Cloud", "not outside of AWS": what is denied is everything else
_BUT = re.compile(
    r"\b(?:outside(?:\sof)?|(?:except(?:\sfor)?|other\sthan|(?:nowhere|none|nobody|nothing|anywhere|any|no\s\w+)(?:\s\w+)?\sbut|apart\sfrom|elsewhere\sthan|besides)(?:\s(?:on|at|in|from|through|by|via|with))?"
    r"|beyond)\s(?:the\s)?$",
    re.I,
)
_NOT_ANY = re.compile(r"\b(?:not|no|none|nobody|nowhere|never|cannot|nothing)\b|n['’]t\b", re.I)
_MERELY = re.compile(
    r"\bno\s(?:\w+\s)?(?:need|reason|doubt|difference|problem|point|benefit|gain|loss|change|word|mention|better)\b",
    re.I,
)
_RIVAL = re.compile(
    r"\b(?:(?:speed-?up|gains?|advantages?|improvements?|benefits?|faster|better|more|less|\d+(?:\.\d+)?x|%)\s(?:over|than|of)|than|versus|vs\.?"
    r"|(?:compared|relative)\s(?:to|with))\s(?:the\s)?$",
    re.I,
)
_DEGREES = (
    ("primarily", re.compile(r"\b(?:primarily|mainly|mostly|predominantly|chiefly|largely)\b", re.I)),
    ("especially", re.compile(r"\b(?:particularly|especially|specifically)\b", re.I)),
    ("limited", re.compile(r"\b(?:limited|partial(?:ly)?|experimental(?:ly)?)\b(?!\sto\b)", re.I)),
    ("improving", re.compile(r"\b(?:improving|emerging|growing|becoming)\b", re.I)),
    ("nearly", re.compile(r"\b(?:nearly|almost)\b", re.I)),
    ("best", re.compile(r"\b(?:best|ideal|superior|obvious)\b", re.I)),
)
_LARGE = re.compile(
    r"\b(?:(?:very\s)?large(?:-scale)?|massive|huge|colossal|high-volume|at\sscale|trillion\S*|frontier|foundation|millions"
    r"|\d+B)\b",
    re.I,
)
_SMALL = re.compile(r"\b(?:small(?:-scale|er)?|single\s(?:server|node|chip|GPU))\b", re.I)
_GOVERNED = re.compile(r"\b(?:in|with|per|by|from|to|into|than)\s(?:the\s|an?\s|its\s|each\s|\d[\w-]*\s){0,3}$", re.I)
_ON_WHOM = re.compile(r"\s(?:on|for)\s(?:the\s|an?\s)?(.)")
_SET_TO = re.compile(r"\s?=\s?\d")  # the setting of a run: "TP=2"
# "Only support CUDA with cudaMallocAsync": what somebody did to a program, in a list of changes
_TO_DO = re.compile(r"\W*(?:(?:only|also|now)\s)?(?:support|add|allow|enable|require|offer|provide)\s", re.I)
_PURPOSE = re.compile(r"\s(?:just\s|only\s)?(?:to|because|in order to|as)\s", re.I)
_EXAMPLES = re.compile(r",?\s(?:like|such as|including)\s", re.I)
_SUBORDINATE = re.compile(r"\W*(?:while|whereas|although|though|if|when|unlike|compared)\b[^,]*,", re.I)
_CONTRAST = re.compile(r"[,;]\s(?:whereas|while|but|though|although)\s", re.I)
_WITHOUT = re.compile(r"\bwithout\s[^.;:]{0,60}$", re.I)
_OF_THE = re.compile(r"\bof\s(?:the\s|an?\s)?$", re.I)
_MARKS = (".", ";", ":", "!", "-", "–", "—")
AROUND = 30  # characters beside the words for an object that can tell its scale


@dataclass(frozen=True, slots=True)
class Category:
    """One thing said of `subject`; `[start, end)` are the words for `object` in the sentence.

    `qualifiers` are of exclusive (only: the object is all there is; subject: there is no other subject),
    degree, scale and condition, the last verbatim, and approx, what blurs a date. `doubt` is why it is not certain, or "".
    """

    subject: str
    relation: str
    object: str
    start: int
    end: int
    polarity: bool = True
    qualifiers: tuple[tuple[str, str], ...] = ()
    promised: bool = False  # of what is still to come
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as the patterns of one relation see it: its names masked, `places` leading back."""

    text: str
    carried: tuple[str, ...]
    subjects: tuple[Mention, ...]
    objects: tuple[Mention, ...]
    masked: str
    places: Sequence[int]


def said(reading: Reading, pattern: Pattern, match: re.Match[str]) -> Iterator[Category]:
    """What one match says: nothing where it is supposed, unsure, or of nobody that can be told."""
    groups = match.groupdict()
    text, places = reading.text, reading.places
    begin, end = places[match.start()], places[match.end()]
    objects = _objects(reading, match, pattern.implied)
    named = groups.get("s") is not None
    aside = named and match.start("s") == match.start() and _GOVERNED.search(text, max(0, begin - 60), begin)
    if aside and _compared(text, begin):
        return  # "more than an H100 with HBM3": that is the H100's
    subjects = _named(reading, match) if named and not aside else _understood(reading, match, pattern.bare)
    if (
        not objects
        or not subjects
        or _UNSURE.search(text, polarity.clause(text, begin)[0], end)
        or polarity.partly(text, begin)
        or polarity.partly(text, objects[0].start)
    ):
        return
    subject_at = places[match.start("s" if named else "them")] if named or groups.get("them") else begin
    forward = subject_at <= objects[0].start
    anchor = subject_at if pattern.open or not forward else objects[0].start
    if polarity.supposed(text, anchor):
        return
    for mention in objects:
        true = _affirmed(text, pattern, mention, subject_at, forward, (begin, end))
        if true is not None:
            qualifiers = _qualifiers(text, pattern, mention, objects[0], (begin, end), subject_at)
            limits = not true or "exclusive" in dict(qualifiers)
            if limits and polarity.of_the_writer(text, mention.start):
                continue
            name = mention.ids[0].lstrip("!")
            for subject in subjects:
                yield Category(subject, pattern.relation.id, name, mention.start, mention.end, true, qualifiers)


def _is_all_but(text: str, mention: Mention) -> bool:
    return _BUT.search(text, max(0, mention.start - 40), mention.start) is not None


def _affirmed(
    text: str, pattern: Pattern, mention: Mention, subject_at: int, forward: bool, span: tuple[int, int]
) -> bool | None:
    """True, False, or None where a denial there denies something else."""
    begin, end = span
    if _is_all_but(text, mention):
        return True if _NOT_ANY.search(text[: mention.start]) or _NOT_ANY.search(text[mention.end :]) else None
    needless = pattern.denies and _MERELY.search(text, min(subject_at, mention.start, begin), mention.start)
    if (
        needless
        or _RIVAL.search(text, max(0, mention.start - 40), mention.start)
        or _spares(text, pattern, mention, subject_at)
    ):
        return None
    at = subject_at if pattern.open or not forward else mention.start
    negated = pattern.denies or polarity.negated(text, at)
    if negated and not pattern.relation.deniable:
        # "Google didn't build TPUs to compete": who denies the purpose grants that they were built
        return True if _PURPOSE.match(text, max(mention.end, end)) else None
    # "fine-tuning on A100s without DeepSpeed": how it was run, and not what they lack; "not harder" is not "easy"
    as_run = not pattern.denies and _WITHOUT.search(text[: mention.start])
    if negated and (as_run or mention.ids[0].startswith("!")):
        return None
    return negated is mention.ids[0].startswith("!")


def _spares(text: str, pattern: Pattern, mention: Mention, subject_at: int) -> bool:
    """ "Use TPUs if you don't need debugging" says nothing of debugging."""
    if pattern.denies or not pattern.open or mention.start <= subject_at:
        return False
    return polarity.negated(text, mention.start) and not polarity.negated(text, subject_at)


def _objects(reading: Reading, match: re.Match[str], implied: str) -> list[Mention]:
    found = [reading.objects[ord(c) - OBJECT] for c in match.groupdict().get("o") or "" if ord(c) >= OBJECT]
    found = [m for m in found if not _SET_TO.match(reading.text, m.end)]
    if match.groupdict().get("x") is not None:
        start, end = match.span("x")
        stands = ord(match["x"][0]) - OBJECT  # "train" can be a name too
        mention = reading.objects[stands] if stands >= 0 else None
        if mention is None or mention.ids == (implied,):
            last = reading.places[end]
            found.append(Mention(reading.places[start], last, (implied,)))
    return found


def _named(reading: Reading, match: re.Match[str]) -> list[str]:
    start = match.start("s")
    heads = _EXAMPLES.split(match["s"], maxsplit=1)[0]
    named = [(reading.places[n], ord(c) - SUBJECT) for n, c in enumerate(heads, start) if SUBJECT <= ord(c) < OBJECT]
    if _compared(reading.text, named[0][0]) or reading.text[: named[0][0]].endswith("per "):
        return []
    return [reading.subjects[i].ids[0] for place, i in named if not _compared(reading.text, place)]


def _compared(text: str, at: int) -> bool:
    between = _BETWEEN.search(text, max(0, at - 24), at) is not None and _AND_ANOTHER.match(text, at) is not None
    return between or _ASIDE.search(text, max(0, at - 24), at) is not None


def _understood(reading: Reading, match: re.Match[str], bare: bool) -> list[str]:
    """Whom a missing subject means: the sentence's own first one, or for "they" and at the very start who is carried."""
    at = reading.places[match.start()]
    later = _ON_WHOM.match(reading.masked, match.end())
    if later and SUBJECT <= ord(later[1]) < OBJECT:
        return [reading.subjects[ord(later[1]) - SUBJECT].ids[0]]
    before = _spoken_of(reading, at)
    if before:
        joined = before[:1]
        for a, b in pairwise(before):
            if not _JOINED.fullmatch(reading.text[a.end : b.start]):
                break
            joined.append(b)
        return [m.ids[0] for m in joined]
    pronoun = match.groupdict().get("pronoun") or match.groupdict().get("them")
    if bare and pronoun is None:
        return []
    begin, end = polarity.clause(reading.text, at)
    here = (m for m in reading.subjects if begin <= m.start < end)
    if pronoun is None and any(not _compared(reading.text, m.start) for m in here):
        return []  # "Add FP8 support for AMD and NVIDIA GPUs" is of those
    if pronoun is None and _TO_DO.match(reading.text, at):
        return []
    opens = not reading.text[:at].strip(" -*•") or match.group().lstrip()[:1] in _MARKS
    return list(reading.carried) if opens or pronoun or PRONOUN.match(reading.text) else []


def _spoken_of(reading: Reading, at: int) -> list[Mention]:
    """The subjects that a sentence names before `at` in its main clause, and sets nothing else beside."""
    before = [m for m in reading.subjects if m.end <= at and not _compared(reading.text, m.start)]
    if PRONOUN.match(reading.text):  # "It lacks the features of the A100"
        before = [m for m in before if not _OF_THE.search(reading.text, 0, m.start)]
    opening = _SUBORDINATE.match(reading.text)
    if opening:
        before = [m for m in before if m.start >= opening.end()] or before
    # "whereas its sibling X stays at 1,000 W and is air-cooled"
    for contrast in _CONTRAST.finditer(reading.text, 0, at):
        before = [m for m in before if m.start >= contrast.end()] or before
    return before


def _qualifiers(
    text: str, pattern: Pattern, mention: Mention, first: Mention, span: tuple[int, int], subject_at: int
) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    begin, end = polarity.clause(text, mention.start)
    if _is_all_but(text, first) or (subject_at > first.start and _ONLY_ONE.search(text, first.end, subject_at)):
        found.append(("exclusive", "only"))
    elif _SOLE.search(text, *span) or (subject_at > first.start and _ALONE.search(text, first.end, subject_at)):
        found.append(("exclusive", "subject"))
    elif _only(text, first, mention, subject_at) and not polarity.negated(text, mention.start):
        found.append(("exclusive", "only"))
    around = text[min(begin, span[0]) : mention.end if mention.start > subject_at else max(mention.end, span[1])]
    found += [("degree", name) for name, words in _DEGREES if words.search(around)][:1]
    near = text[max(begin, mention.start - AROUND) : min(end, mention.end + AROUND)]
    if pattern.relation.id == "workload_fit" and (_LARGE.search(near) or _SMALL.search(near)):
        found.append(("scale", "large" if _LARGE.search(near) else "small"))
    if not pattern.open and pattern.relation.deniable and mention.end > subject_at:
        words = polarity.condition(text, max(mention.end, span[1]))
        if words and (
            not words.lower().startswith("for ")
            or text.startswith(words, span[1] + 1)
            or text.lstrip().startswith(words)
        ):
            found.append(("condition", words))
    return tuple(found)


def _only(text: str, first: Mention, mention: Mention, subject_at: int) -> bool:
    """ "Runs on AWS only" limits the object; "only TPUs run it" and "programs that only use JAX run on TPUs" do not."""
    if subject_at > first.start:
        return _DIRECTLY.search(text, 0, first.start) is not None
    told = polarity.exclusive(text[subject_at:], first.start - subject_at) or polarity.exclusive(text, mention.end)
    return told or text.startswith(" alone", mention.end)
