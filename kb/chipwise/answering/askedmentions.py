"""What a question's wording makes of the names in it, beyond what each is by itself.

"SXM and PCIe H100"            ->  two products, and no metric called PCIe
"how much faster in FP8"       ->  the metric that is compared by that word
"memory and bandwidth"         ->  two metrics asked for, each by itself
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from chipwise import patterns as re
from chipwise.domain.cues import Lexicon
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import ASKED, Metric, Voice
from chipwise.text import WORD, Span

_JOINS = re.compile(r"\b(?:and|or|vs|versus|than|against|to|with|from|plus|as well as)\b|[/,&+;]", re.I)
_LISTS = re.compile(r"[,&+]|\band\b")
_WHAT_IS = re.compile(r"^\W*(?:what(?:['’]s| is| are)|define|explain)\s+(?:an?\s|the\s)?(?P<what>[^?]+?)\W*$", re.I)


def asked_as(domain: Domain, asked: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions of metrics, where one that is asked for in so many words takes the place of what those say alone.

    "faster" is a speed-up, and a peak where a number format stands beside it, and a bandwidth beside memory.
    """
    found = list(mentions)
    for metric in domain.metrics.values():
        span = _asked_for(metric, asked) if metric.asked_as else None
        if span is None:
            continue
        meant = [m for m in found if m.start < span[1] and span[0] < m.end]
        found = [replace(m, ids=(metric.id,)) if m in meant else m for m in found]
        if not meant:
            found.append(Mention(*span, (metric.id,)))
    return sorted(found, key=lambda m: m.start)


def _asked_for(metric: Metric, asked: str) -> Span | None:
    """Where a question asks for a metric: what says so, and up to what has to stand beside that."""
    found: dict[str, list[Span]] = {part: [] for part in ASKED}
    for cue in _asked_lexicon(metric).find(asked):
        found[cue.puts].append((cue.start, cue.end))
    said = [span for span in found["as"] if not metric.asked_after or any(before < span for before in found["after"])]
    beside = found["with"] if metric.asked_with else said
    if found["never"] or not said or not beside:
        return None
    spans = (said[0], beside[0])
    return min(spans)[0], max(spans)[1]


@cache
def _asked_lexicon(metric: Metric) -> Lexicon:
    return Lexicon(Voice(part, part, "sentence", getattr(metric, f"asked_{part}")) for part in ASKED)


def forms_compared(domain: Domain, asked: str, subjects: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The variants of the one chip named whose form factors are joined: "H100 SXM or PCIe"; else none."""
    if len(subjects) != 1 or len(subjects[0]) != 1:
        return ()
    said = [(m.group().lower(), m.start(), m.end()) for m in WORD.finditer(asked)]
    forms = [(w, start, end) for w, start, end in said if w in domain.form_factors]
    pairs = pairwise(forms)
    if len(forms) < 2 or not all(_JOINS.search(asked[a[2] : b[1]]) for a, b in pairs):  # noqa: PLR2004
        return ()
    chip = domain.chip_of(subjects[0][0])
    # of several in one form the first that the domain lists, which is the widest
    made = {domain.entities[v].form_factor.lower(): v for v in reversed(domain.variants(chip))}
    variants = dict.fromkeys(made.get(form, "") for form, _, _ in forms)
    return tuple(variants) if len(variants) > 1 and all(variants) else ()


def is_form(domain: Domain, asked: str, mention: Mention) -> bool:
    """True for a name that is no more than a form factor."""
    return asked[mention.start : mention.end].lower() in domain.form_factors


def joined(asked: str, mentions: Sequence[Mention]) -> tuple[tuple[Mention, ...], ...]:
    """The mentions of each metric asked for by itself, where a question has several of them, joined by "and" or a comma."""
    parts: list[list[Mention]] = []
    alone = {m.ids for m in mentions if len(m.ids) == 1}
    for n, named in enumerate(mentions):
        mention = named
        if len(named.ids) > 1 and any((i,) in alone for i in named.ids):
            own = tuple(i for i in named.ids if (i,) not in alone)
            behind = asked[named.end : mentions[n + 1].start] if n + 1 < len(mentions) else ""
            if named.ids[0] not in own or not _JOINS.fullmatch(behind.strip()):
                continue  # the "when was" of "when was it announced and when released" is of both
            mention = replace(named, ids=own)  # the "HBM" of "HBM, bandwidth" is a capacity
        same = next((p for p in parts if p[0].ids[0] in mention.ids or mention.ids[0] in p[0].ids), None)
        if same is not None:
            same.append(mention)
        elif parts and not _JOINS.search(asked[parts[-1][-1].end : mention.start]):
            return ()
        else:
            parts.append([mention])
    return tuple(tuple(p) for p in parts) if len(parts) > 1 else ()


def split_at_commas(domain: Domain, asked: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """ "memory, bandwidth" and "memory & bandwidth" are two metrics, although the words of one are "memory bandwidth"."""
    for mention in mentions:
        mark = _LISTS.search(asked, mention.start, mention.end)
        if mark is None:
            yield mention
            continue
        for start, end in ((mention.start, mark.start()), (mark.start(), mention.end)):
            found = domain.find_metrics_asked(asked[start:end])
            yield from (replace(m, start=m.start + start, end=m.end + start) for m in found)


def without_kinds(domain: Domain, asked: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions less kinds of memory right before another metric: "GDDR6 bandwidth" asks for a bandwidth."""
    kinds = {t.id for t in domain.terms.values() if t.kind == "memory"}
    spans = {(m.start, m.end) for m in domain.find_terms(asked) if kinds.issuperset(m.ids)}
    following = {m.start - 1 for m in mentions}
    return [m for m in mentions if (m.start, m.end) not in spans or m.end not in following]


def defines(asked: str, mentions: Sequence[Mention]) -> bool:
    """True for "what is a TPU pod": nothing but a name is asked about."""
    match = _WHAT_IS.match(asked)
    return match is not None and any((m.start, m.end) == match.span("what") for m in mentions)
