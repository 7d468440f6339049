"""Why it is not certain that a text says what a claim of it says.

    "26.5 TFLOPS, 110 compute units and 64 GB per GCD ..."     a part is named, and the claim is of none
    "1,460 tokens/s" in the row "8 | 0.75 | FP32"               conditions stand beside it that the claim has lost
    "4.2 GHz" in the item "Ryzen 9 7950X3D" below "RTX 3090"    somebody else was named since

A claim accounts for the words around its figure: they name its subject, its metric, its unit or
a qualifier, or they say nothing ("has", "up to", "impressive"). Words that nothing accounts for
may change what the figure is of. Such a claim is kept, shown with its doubt, and never compared.
"""

from __future__ import annotations

from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.apart import set_apart
from chipwise.claims.around import (
    LONGEST,
    clause,
    is_in,
    is_right_at,
    named,
    segment,
    unaccounted_in,
)
from chipwise.claims.comparisons import says_half
from chipwise.claims.drawing import at_work, built_with, of_all_around
from chipwise.claims.headed import was_measured
from chipwise.claims.loosely import of_each_or_all, of_something_in_it, of_which_one, one_of_alternatives, right_at_chip
from chipwise.claims.misreadings import (
    bare_count,
    has_conditions,
    in_bits,
    is_of_some,
    is_queried,
    no_property,
    no_such_size,
    of_a_model,
    of_compared,
    of_its_own_kind,
    of_machine,
    of_more,
    of_nobody,
    of_something_bought,
    of_which_machine,
    paid_in_all,
    right_behind,
    unread,
)
from chipwise.claims.model import Claim, Modality
from chipwise.claims.naming import COORDINATES, names
from chipwise.claims.ofpart import of_a_part
from chipwise.claims.onlyone import is_single
from chipwise.claims.othersense import in_another_sense
from chipwise.claims.particular import of_a_particular
from chipwise.claims.reached import as_condition, as_configured, as_setting, reached_on_it, unmeasured
from chipwise.claims.rivals import beside_others, of_each_part, of_part, one_of_some, other_model
from chipwise.claims.running import NO_RUN, RUNS, without_run
from chipwise.claims.scene import Scene
from chipwise.claims.stretches import PRONOUN
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantities import Quantity
from chipwise.text import BULLET

MOST_FIGURES = 12  # in one sentence: a printout or an enumeration, in which neighbours are no owners
_SPARE = 3  # content words beside a measurement that say no more than that it was made
_TO_THE_CPU = re.compile(r"\bC2C\b|\bCPU[\s-](?:to[\s-])?GPU\b")
_CPU = re.compile(r"\b(?:CPUs?|Xeon|EPYC|Opteron|Threadripper|Ryzen|POWER\d+|Core\si\d)\b")
_LESS = re.compile(r"[\s-](?:cheaper|less expensive|lower\s(?:costs?|prices?|tco))\b", re.I)  # than something else
_PERIOD = re.compile(r"\s?(?:/|\b(?:per|an?|each|every)\s)(day|week|month|quarter|year)\b", re.I)
_PERIOD_LABEL = re.compile(r"[^:]{0,60}\bper\s(day|week|month|quarter|year)\W{0,4}:", re.I)
_AT = re.compile(r"\s(?:at|@)\s?~?$")
_BUDGET = re.compile(r"\+?\s(?:power\s)?(?:budget|envelope|limit|cap)\b", re.I)
_ITS = re.compile(r"\b(?:its|their)\b", re.I)
_CITES = re.compile(r"\W*(?:sources?|references?|citations?|further reading|see also)\s?:", re.I)
_ITEM = re.compile(rf"\s*{BULLET}\s+([^.:|]{{1,40}}):")
_NUMERAL = re.compile(r"(?<![\w.,-])\d[\d.,]*\w*")
# "section 4", "Tables 2.1 and 3", "[12]": where something else stands, and not what something was measured with
_REFERENCE = re.compile(
    r"(?:\b(?:sections?|sec\.?|chapters?|figures?|figs?\.?|tables?|pages?|pp?\.|footnotes?|notes?|equations?|eqs?\.?|appendix|appendices|annex|slides?"
    r"|listings?|exhibits?|paragraphs?|refs?\.?|references?)\s|§§?\s?)(?:[A-Z]\.?)?\d[\d.]*(?:(?:,\s|\s?[-–]\s?|\s(?:and|to|or)\s)\d[\d.]*)*|\[\d+(?:,\s?\d+)*\]",
    re.I,
)


def doubt(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, *, others_since: bool, given: bool) -> str:
    """The first reason to doubt a claim of a sentence, in a few words, or "".

    `others_since` is true where the subject is what the text spoke of before, and something else was named since,
    `given` where the table of facts gives the subject such a figure: whose it may be besides is no question then.
    """
    if not claim.polarity:
        return "the sentence may deny it"
    if claim.modality is Modality.HYPOTHETICAL:
        return "it is put as a supposition"
    if len(scene.figures) > MOST_FIGURES or len(scene.text) > LONGEST:
        return "it stands among too many other figures"
    if _CITES.match(scene.text):
        return "it stands in a list of sources"
    if given:
        return (
            of_nobody(domain, quantity, claim, plural=_is_plural(scene, claim))
            or of_each_part(domain, scene, claim, clause(scene, quantity))  # the table gives what a die has, too
            or _of_something_else(domain, scene, quantity, claim)
            or _under_conditions(domain, scene, quantity, claim)
        )
    right_at = _is_said_of(domain, scene, quantity, claim)
    return (
        of_nobody(domain, quantity, claim, plural=_is_plural(scene, claim))
        or ("something else was named since" if others_since else "")
        or _of_another(domain, scene, quantity, claim)
        or ("" if right_at else of_machine(domain, scene, quantity, claim) or of_a_model(domain, scene, claim))
        or _of_part_or_all(domain, scene, quantity, claim, right_at=right_at)
        or _of_something_else(domain, scene, quantity, claim)
        or right_behind(domain, scene, quantity, claim)
        or _as_set(domain, scene, quantity, claim)
        or _under_conditions(domain, scene, quantity, claim)
        or _of_several(domain, quantity, claim)
        or _of_a_period(domain, scene, quantity, claim)
        or of_which_machine(domain, claim, scene.text, scene.entities)
        or _compares_nobody(domain, scene, quantity, claim)
    )


def _of_another(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """Whose it may be besides: another product's that is named, one of several, one that is not named."""
    return (
        beside_others(domain, scene, quantity, claim)
        or other_model(domain, scene, quantity, claim)
        or of_which_one(domain, scene, quantity, claim)
        or one_of_alternatives(scene, quantity)
        or of_compared(scene, quantity, claim)
        or of_its_own_kind(domain, claim)
        or _label(domain, scene, quantity, claim)
        or _of_which_cloud(domain, scene, quantity, claim)
        or set_apart(domain, scene, quantity, claim)
    )


def _of_a_period(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What "Cost per H100 per year: $35,000" gives is no price that it is bought at."""
    sold = domain.metrics[claim.metric].rented_as and not quantity.compares
    start, end = clause(scene, quantity)
    told = _PERIOD.search(scene.text, start, end) or _PERIOD.match(scene.text, quantity.end) if sold else None
    label = _PERIOD_LABEL.match(scene.text) if sold else None
    told = told or label
    return f"it may be what a {told[1].lower()} costs" if told else ""


def _compares_nobody(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """A saving or a multiple whose sides are not named: "Use spot instances: 50% cheaper" below a card's name, "at 40% lower cost"."""
    against = claim.qualifier("price_terms") or (claim.baseline and not domain.is_generic(claim.baseline))
    two_sided = quantity.form == "discount" and _LESS.match(scene.text, quantity.end)
    told = (_tells_of(scene, claim) and not two_sided) or against or not quantity.compares
    return "" if told else "whom it compares is not said there"


def _tells_of(scene: Scene, claim: Claim) -> bool:
    """True where a sentence names the subject, or speaks of it: "It reached 45% MFU", "Its utilization stayed at 45%"."""
    named = any(claim.subject in m.ids for m in scene.entities)
    return named or bool(PRONOUN.match(scene.text) or _ITS.search(scene.text))


def _of_part_or_all(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, *, right_at: bool) -> str:
    """Of how much of it: a part, one of many, all together."""
    said = scene.text[slice(*segment(scene, quantity))]
    own = [m for m in scene.entities if names(domain, m, claim.subject)]
    built = built_with(scene, own) if domain.is_chip(claim.subject) else None
    return (
        of_part(domain, scene, claim, clause(scene, quantity))
        or one_of_some(domain, scene, quantity, claim)
        or of_something_in_it(domain, scene, quantity, claim)
        or of_each_or_all(domain, scene, quantity, claim)
        or right_at_chip(domain, scene, quantity, claim)
        or of_more(scene, quantity)
        or of_a_part(domain, scene, quantity, claim)
        or of_all_around(domain, quantity, claim, said, built, right_at=right_at)
        or ("of how many together is not said" if is_of_some(domain, claim) else "")
    )


def _of_something_else(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What it may measure instead: what is needed, taken, drawn, reached or paid for something."""
    said, before = scene.text[slice(*clause(scene, quantity))], scene.text[: quantity.start]
    return (
        bare_count(domain, scene, quantity, claim)
        or no_property(domain, quantity, claim, said, before)
        or at_work(domain, scene, quantity, claim)
        or no_such_size(domain, quantity, claim)
        or in_bits(domain, quantity, claim)
        or was_measured(domain, claim, said)
        or of_something_bought(domain, claim, quantity, said, before)
        or paid_in_all(domain, scene, quantity, claim)
        or in_another_sense(domain, scene, quantity, claim)
        or of_a_particular(domain, scene, quantity, claim)
        or reached_on_it(domain, scene, quantity, claim)
        or unmeasured(domain, scene, quantity, claim)
        or as_setting(scene, quantity)
        or _of_a_cpu(domain, scene, quantity, claim)
        or _of_a_link_to_it(domain, scene, quantity, claim)
    )


def _as_set(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The 250 W of "both RTX 3090 at 250 W", or of a "budget" of so much, which no word calls what the card is rated for."""
    if not domain.metrics[claim.metric].dimension == quantity.dimension == "power":
        return ""
    at = _AT.search(scene.text, 0, quantity.start)
    named = at is not None and not scene.metrics and any(m.end == at.start() for m in scene.entities)
    told = named or (at and "@" in at[0]) or _BUDGET.match(scene.text, quantity.end)
    return "it may be what it was set to" if told else ""


def _of_a_link_to_it(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The 900 GB/s of "NVLink-C2C", by which a chip reaches its CPU and no other chip."""
    linked = "direction" in domain.metrics[claim.metric].qualifiers
    return (
        "it may be of the link to the CPU"
        if linked and _TO_THE_CPU.search(scene.text, *segment(scene, quantity))
        else ""
    )


def _of_a_cpu(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """The clock of "Intel Xeon 6148 @ 2.4 GHz" in a sentence on a GPU."""
    told = _CPU.search(scene.text, *segment(scene, quantity)) if domain.metrics[claim.metric].of_chips else None
    return f"it may be of the machine's CPU ({told[0]})" if told else ""


def _under_conditions(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What it holds with, and the claim does not say: the run, a setting, the other side of a comparison."""
    return (
        (_conditions(domain, scene, quantity, claim) if has_conditions(domain, claim) else "")
        or is_queried(scene.text, quantity.end)
        or without_run(domain, quantity, claim)
        or says_half(domain, scene, quantity, claim)
        or _of_a_test(domain, scene, quantity, claim)
        or _measured_alone(domain, quantity, claim)
        or as_condition(domain, scene, quantity, claim)
        or as_configured(domain, quantity, claim, scene.text[slice(*clause(scene, quantity))])
    )


def _of_a_test(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a test of a product gave, where its sentence names neither the product nor what was run: "- Occupancy: 85 %"."""
    metric = domain.metrics[claim.metric]
    if quantity.compares or metric.nature != "measured" or "workload" not in metric.qualifiers:
        return ""
    stated = claim.qualifier("workload") or claim.qualifier("benchmark")
    told_of = _tells_of(scene, claim)
    checked = any(term.metric == metric.id for identity in domain.identities.values() for term in identity.terms)
    # what an identity checks says something without the one or the other
    enough = (told_of or stated) if checked else (told_of and stated)
    return "" if enough else NO_RUN


def _measured_alone(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """That a property was measured, and not by what: it may be what something reached, or the property after all."""
    run = claim.qualifier("workload") or claim.qualifier("benchmark")
    of_property = domain.metrics[claim.metric].nature == "specified" and not quantity.compares
    return NO_RUN if of_property and claim.modality is Modality.MEASURED and not run else ""


def _of_several(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """That a range of what each has one of is of several, or holds under conditions: "rack power (40-120 kW)"."""
    metric = domain.metrics[claim.metric]
    ranged = metric.nature == "specified" and is_single(metric) and quantity.form == "range"
    return "of which one, or when, is not said" if ranged else ""


def _of_which_cloud(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """That one price stands behind several clouds: "spot prices (AWS, GCP, Azure) are $2 to $4"."""
    if domain.metrics[claim.metric].nature != "priced" or quantity.compares:
        return ""
    start, end = clause(scene, quantity)
    clouds = [m for m in scene.qualifiers if _is_provider(m) and start <= m.start and m.end <= quantity.start]
    joined = (COORDINATES.fullmatch(scene.text, a.end, b.start) for a, b in pairwise(clouds))
    prices = sum(q.dimension == quantity.dimension and start <= q.start < end for q in scene.quantities)
    return "of which cloud is not said" if any(joined) and prices < len(clouds) else ""


def _is_provider(mention: Mention) -> bool:
    return all(i.startswith("provider=") for i in mention.ids)


def _is_said_of(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> bool:
    """True where the name of a chip stands right at a figure."""
    if domain.is_machine(claim.subject):
        return False
    return any(names(domain, m, claim.subject) and is_right_at(scene, quantity, m) for m in scene.entities)


def _is_plural(scene: Scene, claim: Claim) -> bool:
    """True where a sentence speaks of many: "GPUs hit 52%"; "the GPU" is one that it does not name."""
    return any(claim.subject in m.ids and scene.text[m.end - 1] == "s" for m in scene.entities)


def _label(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What an item is called that is a label and a figure: "- Idle: 150 W"."""
    label = _ITEM.match(scene.text)
    if label is None or label.end() > quantity.start:
        return ""
    known = [(a - label.start(1), b - label.start(1)) for a, b in named(scene)]
    left = unread(domain, claim, label[1], known)
    return f"{' '.join(left[:4])!r} before it is not understood" if left else ""


def _states(value: str, name: str) -> bool:
    """True for "llama-3-70b", which is a "llama-3"."""
    return value == name or value.startswith(f"{name}-")


def _conditions(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What a measurement was made with, as far as the sentence says so and the claim does not."""
    stated = {value for _, value in claim.qualifiers}
    for mention in () if quantity.compares else scene.terms:
        if any(domain.terms[i].kind in RUNS for i in mention.ids) and not any(
            _states(value, i) for value in stated for i in mention.ids
        ):
            return f"it may hold for {scene.text[mention.start : mention.end]!r} only"
    known = [*named(scene), *((m.start, m.end) for m in scene.terms)]
    known += [m.span() for m in _REFERENCE.finditer(scene.text)]
    if number := next((m for m in _NUMERAL.finditer(scene.text) if not is_in(m.span(), known)), None):
        return f"what {number[0]!r} beside it is of is not understood"
    start, end = clause(scene, quantity)
    left = [] if quantity.compares else list(unaccounted_in(scene.text, start, end, known))
    return f"conditions may stand beside it ({' '.join(left[:4])})" if len(left) > _SPARE else ""
