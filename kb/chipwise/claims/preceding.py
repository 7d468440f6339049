"""Which name before a figure has it, with those that are joined to that name.

"The H100 and the A100 have 80 GB and 40 GB"                 one each
"Gaudi 3 keeps the split of Gaudi 2, and is made in 5 nm"    its subject, Gaudi 3
"the H100 beside an EPYC 9965 with 192 cores"                nobody that is known
"""

from __future__ import annotations

from collections.abc import Sequence

from chipwise import patterns as re
from chipwise.claims.baselines import has_what_is_multiplied, is_compared, is_left_behind
from chipwise.claims.naming import coordinated
from chipwise.claims.scene import TIMES, Scene, ids
from chipwise.claims.setting import Setting, all_or_common
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span, blanked

# what says of a name before it that a figure is its own
_HAS = re.compile(
    r"(?:['’]s)?(?:\s(?!and\b|or\b)\w+){0,2}\s(?:with|at|has|have|offers?|delivers?|draws?|provides?|is|reaches)\s"
    r"(?:[\w-]+\s){0,4}[~$]?|\s?[(:]\s?[~$]?",
    re.I,
)
_NO_THING = re.compile(r"\b(?:runs?|running|in|table|figure|rack|server|rfc)\s$", re.I)
# a verb phrase joined to what was said of the sentence's subject: "Gaudi 3 keeps the split of Gaudi 2, and is made in 5 nm"
_GOES_ON = re.compile(
    r"\band\s(?:also\s|still\s|now\s)?(?:is|was|has|had|offers|uses|comes|runs|costs|draws|delivers|reaches|provides|supports|carries|rents|needs|adds|gives)\b",
    re.I,
)
_RELATIVE = re.compile(r",\s(?:which|whose)\s", re.I)
_GOVERNED = re.compile(r"\b(?:of|by|for|in|at|on|with|from)\s(?:the\s|an?\s|its\s)?(?-i:[A-Z]\w+\s)?$", re.I)
_BEHIND = re.compile(
    r"(?:['’]s?\s(?:[\w-]+\s){0,3}|\s?\(|\s(?:with|at|and)\s(?:its\s|their\s|the\s)?|\s)(?:about\s|around\s|roughly\s|approximately\s|some\s|~)?[~$]?",
    re.I,
)
_AT = re.compile(r",?\sat\s(?:up\sto\s|about\s|around\s)?[~$]?", re.I)
BRACKETED = re.compile(
    r"\s\((?:\s|(?:and|of|at|an?|with)\s|[,;]\s)*[~$]?"
)  # before each figure of "the L40S (48 GB, 350 W)"


def named_before(s: Setting) -> tuple[str, ...] | None:
    """Who was named last before the figure.

    "76% more than the H100 with its 80 GB": what is compared with has a figure that
    stands right behind it, and a comparison belongs to neither side but the subject.
    """
    scene, quantity = s.scene, s.quantity
    named = [
        m
        for m in s.owners
        if m.start >= quantity.end or not is_compared(scene, m) or _has_right_behind(scene, m, quantity)
    ]
    if quantity.compares:
        named = [m for m in named if not is_compared(scene, m) and not is_left_behind(scene, m)] or named
    before = [m for m in named if m.end <= quantity.start and not _is_multiplied_before(scene, quantity, m)]
    before = _of_the_clause(s, before)
    if any(
        _is_unknown_owner(scene, quantity, name) for name in scene.unknown if not before or name[0] >= before[-1].end
    ):
        return ()  # "the H100 beside an EPYC 9965 with 192 cores"
    return _shared(s.domain, scene, quantity, named, before) if before else None


def _is_multiplied_before(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the L4 of "twice the bandwidth of the L4 at 600 GB/s", which are the other's."""
    if quantity.compares or not _AT.fullmatch(scene.text, mention.end, quantity.start):
        return False
    return any(has_what_is_multiplied(scene, q, mention) for q in scene.quantities if q.compares and q.unit == TIMES)


def _is_unknown_owner(scene: Scene, quantity: Quantity, name: Span) -> bool:
    """True where a figure is said of a name right before it: "an EPYC 9965 with 192 cores", no "runs Qwen3 and has 80 GB"."""
    between = scene.text[name[1] : quantity.start] if name[1] <= quantity.start else "."
    return bool(_HAS.fullmatch(between)) and not _NO_THING.search(scene.text[max(0, name[0] - 12) : name[0]])


def _of_the_clause(s: Setting, before: list[Mention]) -> list[Mention]:
    """The names before a figure up to whom its clause goes on about.

    "Gaudi 3 keeps the split of Gaudi 2, and is made in 5 nm" goes on about its subject,
    "the A100, which coverage of the H100 puts at 2 TB/s" about what stands before "which".
    """
    text, at = s.scene.text, s.quantity.start
    on = [m.end() for m in _GOES_ON.finditer(text, 0, at) if not _within_a_relative(text, m.start(), before)]
    if on and s.own and not any(m.start >= on[-1] for m in before):
        first = [m for m in before if m.end <= s.own[0].end]
        return first or before
    relative = [m.start() for m in _RELATIVE.finditer(text, 0, at)]
    inside = [m for m in before if relative and m.start >= relative[-1]]
    if inside and all(_GOVERNED.search(s.scene.before(m, 24)) for m in inside):
        return [m for m in before if m not in inside] or before
    return before


def _within_a_relative(text: str, at: int, before: Sequence[Mention]) -> bool:
    """True for the "and" of "the H100, which costs $8 and reaches 7,000 tokens/s": it goes on about the H100."""
    last = before[-1].end if before else 0
    return bool(_RELATIVE.search(text, last, at)) and "," not in text[at - 2 : at]


def _has_right_behind(scene: Scene, mention: Mention, quantity: Quantity) -> bool:
    """True for a name with its figure right behind it: "more than the H100 (80 GB, 700 W)", "than the H100's 80 GB"."""
    between = scene.text[mention.end : quantity.start]
    named = [(m.start, m.end) for m in (*scene.metrics, *scene.qualifiers)] + [
        (q.start, q.end) for q in scene.quantities
    ]
    inside = [(a - mention.end, b - mention.end) for a, b in named if mention.end <= a and b <= quantity.start]
    return bool(_BEHIND.fullmatch(between) or BRACKETED.fullmatch(blanked(between, inside)))


def _shared(
    domain: Domain, scene: Scene, quantity: Quantity, named: Sequence[Mention], before: Sequence[Mention]
) -> tuple[str, ...]:
    """The name before a figure with those coordinated to it: one each where there are as many figures."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if ids([mention]) and coordinated(scene, [mention], [group[0]]) == ids([mention, group[0]]):
            group.insert(0, mention)
    if any(len(m.ids) != 1 for m in group):
        return ()
    if len(group) == 1:
        return group[0].ids
    next_name = next((m.start for m in named if m.start > group[-1].end), len(scene.text))
    same = [q for q in scene.figures if q.dimension == quantity.dimension and group[-1].end <= q.start < next_name]
    # subtle: answering asks about quantities too that are no figures (a count, a difference); those are in no such list
    if len(same) == len(group) and quantity in same:
        return group[same.index(quantity)].ids
    return all_or_common(domain, ids(group), quantity) if len(same) == 1 else ()
