"""The words of a text that nothing accounts for.

A word is accounted for where it names something that the domain knows, or where it says
nothing of what is meant ("has", "up to", "impressive").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from chipwise import patterns as re
from chipwise.text import STOP_WORDS, WORD, Span

# words that tell nothing of what something is said of: verbs of having and of changing, degrees, praise, what figures are said of in general
# ("tc" are tensor cores, "bw" is bandwidth: "FP16 TC: 312 TFLOPS")
LIGHT = frozenset(
    """has have having had offer offers offered offering deliver delivers delivered delivering provide provides provided providing feature features
    featuring comes came come ship ships shipped shipping carry carries carrying pack packs packed packing boast boasts equipped fitted include
    includes including included give gives giving given get gets got reach reaches reached reaching hit hits hitting achieve achieves achieved
    achieving attain attains sustain sustains sustained see sees saw rated listed list lists stated states state claim claims claimed say says said
    quote quotes quoted report reports reported measure measures measured observe observed record recorded run runs running ran use uses using used
    draw draws drew consume consumes cost costs costing rent rents make makes made bring brings increase increases increased raise raises raised go
    goes went stand stands sit sits equal equals amount amounts total totals totaling peak maximum max theoretical nominal typical average about
    around roughly approximately nearly almost some over just only well single new latest current flagship first next last generation high higher
    highest fast faster fastest large larger largest big bigger huge massive impressive full whole entire further also now currently still even often
    usually less more both together combined respectively fully counting counted summed same workload workloads identical figure figures number
    numbers value values spec specs specification specifications specified performance capacity compute computing memory bandwidth power price rate
    rates speed chip chips gpu gpus tpu tpus accelerator accelerators device devices card cards processor processors tensor core cores matrix data
    center centre datacenter hour hours year month second seconds against while whereas because thanks plus without within via through across toward
    towards alongside among amid despite near since though although unlike upon whether besides per each every example instance e.g i.e approx ca ai
    ml stay stays asks asked charges charged model models task tasks job jobs based overall better lower cheaper tc cut cuts cutting reduce reduces reduced reducing reduction save saves saved
    saving savings switch switching switched move moves moved moving replace replacing replaced improvement improvements improve improves improved
    improving sibling siblings gain gains boost boosts advantage edge lead ahead beat beats onto out off apart built matter matters enough alone analysts company we
    worth nobody everybody everyone somebody someone anybody anyone our bw instances start starts started starting available billed back set quarter fourth third end early late mid namely bit slower instead rather
    smaller newer older land lands landed landing end ends ended ending top tops topped arrive arrives arrived arriving sport sports sporting find finds
    live lives span spans house houses populate populates count counts remember recall officially nominally already paper case bought buy buys inside note reminder picked chose own either consumer""".split()
)
_YEAR = re.compile(r"20[12]\d")


def unaccounted(text: str, known: Sequence[Span]) -> Iterator[str]:
    """The words of a text that tell something and stand in none of the spans."""
    for match in WORD.finditer(text):
        word = match.group().lower()
        if (
            word not in STOP_WORDS
            and word not in LIGHT
            and not _YEAR.fullmatch(word)
            and not is_in(match.span(), known)
        ):
            yield match.group()


def unaccounted_in(text: str, start: int, end: int, known: Sequence[Span]) -> Iterator[str]:
    """The same for a part of a text."""
    yield from unaccounted(text[start:end], [(a - start, b - start) for a, b in known])


def is_in(span: Span, known: Iterable[Span]) -> bool:
    """True where a span shares a character with one of `known`."""
    return any(start < span[1] and span[0] < end for start, end in known)
