"""The records of the domain files: plain values, one class a table."""

from __future__ import annotations

from chipwise.values import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """A chip, a family, a system: anything that a figure can be about.

    `parent` leads from a variant to its chip, from a chip to its family, from a
    system to the chip that it is made of; `within` are other variants of the chip that a variant is one of. `chips` is how many it holds, `dies` how many dies
    a chip has, 0 where that is not told. `form_factor` is a variant's, as the qualifiers call it.
    """

    id: str
    name: str
    kind: str
    vendor: str = ""
    parent: str = ""
    within: tuple[str, ...] = ()
    predecessor: str = ""
    chips: int = 1
    dies: int = 0
    form_factor: str = ""
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """A quantity that sources state: its dimension, and the wording that signals it.

    The `default` one of a dimension is meant where no wording tells. Of the axes in `turns_on` one has
    to be stated before a figure tells much: what was run, whose price it is. `nature` says how its
    figures come about (specified, measured, priced, estimated). A figure of a dimension in
    `implied_by` is one of this metric where its wording says so: "hourly cost: $12".
    What `varies` has several values for one chip; what `scales` is of N chips N times
    what it is of one; a `single` category has one value for a chip, one that is `single_in_table` where the curated table
    gives one, and a chip that has a term of the same kind has none of the `exclusive` ones besides. What machines have and
    chips have not is `of_systems`: said of a chip, it is some machine's with that chip; of what is `of_hosts` a chip has its
    share. Said of a machine, a figure may be one of `of_machines`. One of it that was measured is one of `measured_as`.
    A multiple of it is one of `times_as`. Data files call it by `keys`, and a small number without a unit is in `bare`.
    A `main` one tells what two chips differ in, and a `pace` which is the faster. Wordings in `dated` tell of an event.
    A comparison is of a `general` one ("faster") where its clause speaks of no other.
    A metric of dimension "count" `counts` other kinds of things than its unit does, too, and `holders` are the nouns for what has
    as many chips. Vendors in `never_of` rent what they make and do not sell it.
    """

    id: str
    name: str
    dimension: str
    unit: str = ""
    cues: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    bare: str = ""
    questions: tuple[str, ...] = ()
    anti: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ()
    bigger_is: str = "more"
    says: str = ""  # how a sentence tells a figure of it, with {} for that: "has {} of {kind}"
    default: bool = False
    main: bool = False
    pace: bool = False
    nature: str = "specified"
    implied_by: tuple[str, ...] = ()
    varies: bool = False
    scales: bool = False
    single: bool = False
    exclusive: tuple[str, ...] = ()
    single_in_table: bool = False
    of_systems: bool = False
    of_hosts: bool = False
    of_machines: str = ""
    measured_as: str = ""
    times_as: str = ""
    counts: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    never_of: tuple[str, ...] = ()
    general: bool = False
    turns_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """Anything else that has a name: a framework, a cloud, a technique, a company.

    Surfaces in `exact` count only in the case written there. `part_of` is the id of the
    term whose service or product it is: what runs on SageMaker runs on AWS.
    """

    id: str
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class UnitForms:
    """A unit with the ways that people write it; `per` is the scope that those state ("chip")."""

    id: str
    dimension: str
    scale: float
    forms: tuple[str, ...]
    case_sensitive: bool = True
    of: str = ""
    per: str = ""
    offset: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A surface that names one of several entities and does not tell which."""

    surface: str
    entities: tuple[str, ...]
    case_sensitive: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What kind of quantity a unit measures, and the unit that all are turned into."""

    id: str
    base: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of comparability: what two claims must agree on. Terms of the kinds in `terms` are values of it too.

    A chip has one thing only of the families in `one_of`, each the beginning of its values' names. Of a run, some
    values say what is done (`deeds`: training), others with what. What is `vague` of these yields to any other value
    beside it, and one of it may be of one run with a deed. Equal figures of two values that go `alike` are one figure:
    texts put the one for the other, or a chip has the same of both. What a "run" or an "offer" is `of` such an axis stands
    under or beside one of its `labels`: a number, or words where it is `spelled`; of a `several` one all names count. A `loose` one goes without saying.
    """

    id: str
    name: str
    terms: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    of: str = ""
    labels: tuple[str, ...] = ()
    spelled: bool = False
    several: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """The axes that two figures must both state before they can contradict, of a metric or of all of one nature."""

    of: str
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """One value of an axis, and the wording that states it; cues in `exact` count only in the case written there."""

    axis: str
    id: str
    cues: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A category that sentences state of a chip ("runs PyTorch"), with the patterns of wording that state it.

    `id` is a metric's; `subjects` are kinds of entities, `objects` kinds or ids of
    terms, or ids of values. Cells of table rows called as in `labels` list objects.
    What is `graded` is so more or less: a comparison says how much, and denies nothing. What is
    `passing` is so for a while and of a cause: who affirms it and who denies it can both be right.
    """

    id: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    deniable: bool = True
    graded: bool = False
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """What a relation can say that is no term ("sits idle"), or further words for a term.

    `opposite` are the ways to say the contrary.
    """

    id: str
    name: str
    words: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neutral:
    """The words that change nothing of a question which is answered in one way: "sum", "conversion"."""

    id: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """Words of a question that name nothing, and what they do to a query: see operators.toml.

    `value` is the effect ("most", "at least"), `metrics` are those that the words bring along or that a verb goes with.
    """

    id: str
    kind: str
    words: tuple[str, ...]
    value: str = ""
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbered:
    """What a bare number of a question counts where one of the patterns `before` ends at it or one of `behind` begins: "head dim 128".

    `says` is how a sum calls it, with {} for the number; the `usual` one goes without saying: a batch of one.
    """

    id: str
    says: str
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    usual: float = 0.0


@dataclass(frozen=True, slots=True)
class Voice:
    """A class of cues that tell how a text puts what it says ("estimate~", "had it"), and what of the sentence they govern."""

    id: str
    puts: str
    governs: str
    cues: tuple[str, ...]
