"""Facts by the names of what they are about: the curated ones, and what added documents say.

Names are found as in a question; a word that names nothing is an error. A claim that an added document makes without doubt
stands behind the curated facts, in the same form, and not where it says what they say.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field

from chipwise.claims.model import Citation, Claim, Fact
from chipwise.devices.table import chip
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown
from chipwise.figures.alike import agree, covered
from chipwise.index.store import Store
from chipwise.text import STOP_WORDS, WORD, blanked, plain
from chipwise.values import dataclass

_DIGITS = 9
_NEAR = 3  # names that an error proposes
_OTHERS = 8  # names that are told where there is no fact
_LOOSE = ("hypothetical", "promised", "estimated", "rumored")  # how a document says what is no plain statement
_TOO_LONG = 200  # characters: names are short, and what is longer is no name


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """Facts of a store with the claims of the sources `added`."""

    store: Store
    names: Names
    added: frozenset[str]

    def facts(self, about: Iterable[str] | None = None, metrics: Iterable[str] | None = None) -> list[Fact]:
        """Curated facts, then those of added documents: all, or those about some subjects, of some metrics."""
        subjects, wanted = (None if x is None else list(x) for x in (about, metrics))
        curated = self.store.facts(subjects, wanted)
        if not self.added or subjects is None:
            return curated
        said = self.store.claims_about(subjects, wanted if wanted is not None else self.names.metrics)
        own = [self._fact(c) for c in said if c.source in self.added and self._is_plain(c)]
        cited = {f.claim.source for f in curated}  # what the table cites was read for it
        own = [f for f in own if f.claim.source not in cited]
        held = [f for f in curated if self.store.holds(f)]
        return [*curated, *(f for f in own if not any(_restates(f, other) for other in held))]

    def holds(self, fact: Fact) -> bool:
        """True where a fact can be cited."""
        return self.store.holds(fact)

    def count_facts(self) -> dict[str, int]:
        """How many curated facts there are about each subject."""
        return self.store.count_facts()

    def _is_plain(self, claim: Claim) -> bool:
        """True for what a document says of a product as it is, without doubt, in a known unit, of a peak in a stated format."""
        plainly = not claim.doubt and claim.polarity and not claim.attribution and claim.modality.value not in _LOOSE
        metric = self.names.metrics[claim.metric]
        formats = "dtype" in metric.qualifiers and metric.nature == "specified" and not claim.qualifier("dtype")
        known = claim.quantity is None or (claim.quantity.unit in self.names.units and not formats)
        return plainly and known

    def _fact(self, claim: Claim) -> Fact:
        info, text = self.store.find_source(claim.source), self.store.source_text(claim.source)
        line = text.count("\n", 0, claim.start) + 1
        quote = text[claim.start : claim.end]
        told = ("", "", "", "") if info is None else (info.title, info.origin, info.publisher, info.published)
        q, unit = claim.quantity, "" if claim.quantity is None else claim.quantity.unit
        value = claim.object
        if q is not None:
            scale = self.names.units[q.unit].scale
            ends = (q.low, q.high) if q.form == "range" else (q.middle,)
            value = "..".join(f"{end / scale:.{_DIGITS}g}" for end in ends)
        place = Citation(*told, quote, line)
        id_ = f"{claim.source}#{claim.passage}:{claim.value_start}"
        return Fact(id_, claim, value, unit, "preferred", "", told[3], "", place)


def _restates(fact: Fact, other: Fact) -> bool:
    """True where a claim gives the figure of a fact of the same thing, on axes that do not differ."""
    a, b = fact.claim, other.claim
    stated = dict(b.qualifiers)
    alike = a.subject == b.subject and a.metric == b.metric and agree(fact, other)
    return alike and all(stated.get(axis, value) == value for axis, value in a.qualifiers)


@dataclass(frozen=True, slots=True)
class Selection:
    """The subjects, metrics and qualifier values that names stand for; `readings` has the subjects by name."""

    subjects: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    readings: tuple[tuple[str, ...], ...] = field(default=(), compare=False)

    @property
    def names_anything(self) -> bool:
        """False where there were no names."""
        return bool(self.subjects or self.metrics or self.values)


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts in the order of the domain's metrics, or the `reason` for none; `left_out` are deprecated and not `asked` for."""

    facts: tuple[Fact, ...]
    asked: Selection
    left_out: int = 0
    reason: str = ""

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def __getitem__(self, number: int) -> Fact:
        return self.facts[number]


def select(names: Names, words: Sequence[str]) -> Selection:
    """What the words of a look-up name. Raises NameUnknown for a word that names nothing."""
    readings: list[tuple[str, ...]] = []
    metrics: list[str] = []
    rest: list[str] = []
    for word in words:
        if word in names.metrics:
            metrics.append(word)
        elif id_ := word if word in names.entities else _printed(names, plain(word)):
            readings.append((id_,))
        else:
            rest.append(plain(word)[:_TOO_LONG])
    entities = names.find_entities(" ".join(rest))
    text_left = blanked("\n".join(rest), ((m.start, m.end) for m in entities))
    measures = names.find_metrics(text_left)
    readings += [m.ids for m in entities]
    metrics += [i for m in measures for i in m.ids]
    values = _values(names, blanked(text_left, ((m.start, m.end) for m in measures)))
    subjects = dict.fromkeys(i for ids in readings for i in ids)
    return Selection(tuple(subjects), tuple(dict.fromkeys(metrics)), values, tuple(dict.fromkeys(readings)))


def _printed(names: Names, name: str) -> str:
    """The id of what a driver or a cloud calls so, where the domain has no such name: "Tesla V100-PCIE-32GB"."""
    if not any(m.end - m.start == len(name) for m in names.find_entities(name)):
        with suppress(NameUnknown):
            device = chip(name)
            return next((i for i in (device.machine, device.id) if i in names.entities and not device.slice), "")
    return ""


def _values(names: Names, text: str) -> tuple[str, ...]:
    """What is left once entities and metrics are taken out: values ("FP8", "dense"), or unknown, as one name what stands together."""
    by_name = {word.lower(): id_ for id_, name in names.values.items() for word in (id_, name)}
    values: dict[str, None] = {}
    for part in text.replace("  ", "\n").split("\n"):
        strange = []
        for word in part.split():
            bare = word.strip(".,;?!\"'()").lower()
            if bare in by_name:
                values[by_name[bare]] = None
            elif any(m.group().lower() not in STOP_WORDS for m in WORD.finditer(word)) or not WORD.search(word):
                strange.append(word)
        if strange:
            raise unknown(names, " ".join(strange))
    return tuple(values)


def unknown(names: Names, word: str, known: Mapping[str, Sequence[str]] | None = None) -> NameUnknown:
    """The error for a name that the domain does not know, with those that come near."""
    close = near(names, word, known)
    hint = f"did you mean {' or '.join(close)}?" if close else "`chipwise facts` lists everything that has facts"
    return NameUnknown(f"nothing is called {word!r}", hint=hint)


def near(names: Names, word: str, known: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """Names that `word` may be a misspelling of, nearest first: of all that the domain knows, or of `known`, ids by name."""
    import difflib  # noqa: PLC0415

    surfaces = dict(names.surfaces()) if known is None else known
    text = " ".join(m.group().lower() for m in WORD.finditer(word))
    close = difflib.get_close_matches(text, surfaces, n=9, cutoff=0.6)
    return list(dict.fromkeys(names.name(i) for phrase in close for i in surfaces[phrase][:1]))[:_NEAR]


def find_facts(known: KnownFacts, names: Names, asked: Selection, *, deprecated: bool = False) -> FactList:
    """The facts asked for, by metric; deprecated ones only when wanted, or where there are no others."""
    about = [i for s in asked.subjects for i in covered(names, s, widely=bool(asked.metrics))]
    # the TDP of a DGX is the power of a machine
    metrics = [m for id_ in asked.metrics for m in (id_, names.metrics[id_].of_machines) if m]
    machines = any(names.kind(i) == "system" for i in about)
    facts = known.facts(about if asked.subjects else None, (metrics if machines else asked.metrics) or None)
    stated = [f for f in facts if set(asked.values) <= {value for _, value in f.claim.qualifiers}]
    curated = [f for f in stated if f.place]
    stated = [*curated, *(f for f in stated if not f.place and not any(_restates(f, other) for other in curated))]
    standing = [f for f in stated if f.rank != "deprecated"]
    shown = stated if deprecated or not standing else standing
    order = {metric: number for number, metric in enumerate(names.metrics)}
    places = {subject: number for number, subject in enumerate(dict.fromkeys(about))}

    def key(fact: Fact) -> tuple[int, int, bool]:
        claim = fact.claim
        return order.get(claim.metric, len(order)), places.get(claim.subject, 0), fact.rank == "deprecated"

    reason = "" if shown else _nothing(names, asked, known.count_facts())
    return FactList(tuple(sorted(shown, key=key)), asked, len(stated) - len(shown), reason)


def _nothing(names: Names, asked: Selection, known: Container[str]) -> str:
    """Why there is no fact, and what there is instead among what is `known`."""
    about = " or ".join(names.name(s) for s in asked.subjects)
    what = ", ".join(names.name(i) for i in (*asked.metrics, *asked.values))
    said = f"no fact{f' about {about}' if about else ''}{f': {what}' if what else ''}"
    kin = dict.fromkeys(i for s in asked.subjects for i in covered(names, s, widely=True) if i in known)
    others = ", ".join([names.name(i) for i in kin][:_OTHERS])
    return f"{said}; there are others about {others}" if others else said
