"""The records of the domain files: plain values, one class per table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chipwise.values import dataclass

if TYPE_CHECKING:
    from typing import Annotated, Literal

    from chipwise.domain import columns as column


@dataclass(frozen=True, slots=True)
class Entity:
    """A chip, a family, a system: anything that a figure can be about.

    `parent` leads from a variant to its chip, from a chip to its family, from a system to its chip. `within`
    lists other variants that this one belongs to: the A100 SXM 80GB is an A100 SXM and an A100 80GB.
    `predecessor` is the product it succeeds. `chips` is how many it holds; `dies` how many dies a chip has,
    0 if unknown. `form_factor` belongs to a variant, spelled as in the qualifiers.
    """

    id: column.Id
    name: column.Some
    kind: Literal["line", "family", "chip", "variant", "system", "slice"]
    vendor: str = ""
    parent: column.EntityId = ""
    within: tuple[column.EntityId, ...] = ()
    predecessor: column.EntityId = ""
    chips: column.Chips = 1
    dies: column.Count = 0
    form_factor: column.FormFactor = ""
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Metric:
    """A quantity that sources state: its dimension, and the wording that signals it.

    - `default`: assumed for its dimension if no wording says otherwise. `nature` is how its figures arise: specified,
      measured, priced, estimated. `main` metrics summarize how two chips differ; a `pace` metric says which is faster. One
      of the axes in `turns_on` must be stated before a figure says much: the workload, the seller.
    - `implied_by`: a figure of such a dimension is of this metric if the wording says so: "hourly cost: $12".
    - `varies`: one chip has several values. `variants_within`: the most times that a chip's variants differ by. `scales`:
      N chips have N times the value of one. `single`: a category with one value per chip; `single_in_table`: only where the
      facts table gives one. A chip with another term of the kind can't have one of the `exclusive` terms.
    - `of_systems`: machines have it, chips don't; of `of_hosts`, a chip has a share. An `exact` value is never rounded;
      a bare number below `least` is of a larger unit. Values at most `names_within` times apart name one thing. A machine's
      figure may belong to `of_machines`, a measured one to `measured_as`, a multiple to `times_as`.
    - `keys`: names in data files; `bare`: unit of a small number; `dated` words tell an event. `general` ("faster") yields.
    - `counts`: kinds of things counted besides its unit's. `holders`: nouns for what holds so many chips. Vendors in `never_of` only rent out their products.
    """

    id: column.Id
    name: column.Some
    dimension: column.DimensionId
    unit: column.UnitId = ""
    cues: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    bare: str = ""
    questions: tuple[str, ...] = ()
    anti: tuple[str, ...] = ()
    dated: tuple[column.Cue, ...] = ()
    qualifiers: tuple[column.AxisId, ...] = ()
    bigger_is: str = "more"
    says: str = ""  # sentence template for a figure: "has {} of {kind}"
    default: bool = False
    main: bool = False
    pace: bool = False
    nature: Literal["specified", "measured", "priced", "estimated"] = "specified"
    implied_by: tuple[column.DimensionId, ...] = ()
    varies: bool = False
    variants_within: float = 1.5
    scales: bool = False
    single: bool = False
    exclusive: tuple[column.TermId, ...] = ()
    single_in_table: bool = False
    of_systems: bool = False
    of_hosts: bool = False
    names_within: float = 0.0
    exact: bool = False
    least: float = 0.0
    of_machines: column.MetricId = ""
    measured_as: column.MetricId = ""
    times_as: column.MetricId = ""
    counts: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    never_of: tuple[str, ...] = ()
    general: bool = False
    turns_on: column.TurnsOn = ()

    @property
    def is_fixed(self) -> bool:
        """True for what a chip has one specified figure of, whatever it is built into."""
        return self.nature == "specified" and not (self.varies or self.of_hosts or self.of_systems)


@dataclass(frozen=True, slots=True)
class Term:
    """Anything else with a name: a framework, a cloud, a technique, a company.

    Surfaces in `exact` count only in that case. `part_of` is the term whose service or product it is:
    anything that runs on SageMaker runs on AWS.
    """

    id: column.Id
    name: column.Some
    kind: str
    aliases: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    part_of: column.TermId = ""


@dataclass(frozen=True, slots=True)
class UnitForms:
    """A unit with its surface forms; `per` is the scope that those state ("chip")."""

    id: column.Some
    dimension: column.DimensionId
    scale: column.Positive
    forms: column.Texts
    case_sensitive: bool = True
    of: str = ""
    per: str = ""
    offset: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A surface that fits several entities and doesn't say which."""

    surface: str
    entities: column.Entities
    case_sensitive: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A kind of quantity, and the base unit that its figures are converted to."""

    id: column.Some
    base: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of comparability, on which two claims must agree. Terms of the kinds in `terms` are values too.

    A chip has only one of each family in `one_of`, given as prefixes of value names. For a run, `deeds` are
    the values that say what is done (training); a `vague` value yields to any other next to it and may
    describe the same run as a deed. Values listed as `alike` are interchangeable if the figures are equal. An
    axis `of` a "run" or an "offer" is stated under or next to one of its `labels`: as a number, or as words
    if `spelled`; with `several`, all names count. A `loose` axis goes without saying.
    """

    id: column.Id
    name: column.Some
    terms: tuple[column.KindOfTerm, ...] = ()
    one_of: tuple[str, ...] = ()
    deeds: tuple[column.TermId, ...] = ()
    vague: tuple[column.TermId, ...] = ()
    alike: tuple[str, ...] = ()
    of: Literal["", "run", "offer"] = ""
    labels: tuple[str, ...] = ()
    spelled: bool = False
    several: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """The axes that two figures must both state before they can contradict, for a metric or for all of one nature."""

    of: column.Some
    axes: Annotated[tuple[column.AxisId, ...], column.NOT_EMPTY]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A value of an axis, and the wording that states it; cues in `exact` count only in that case."""

    axis: column.AxisId
    id: column.Some
    cues: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """A category that sentences state about a chip ("runs PyTorch"), with the cues that state or deny it, and our `verb` for it.

    `id` is a metric's, `subjects` kinds of entities, `objects` kinds or ids of terms or values; rows with one of the `labels` list them.
    """

    id: column.MetricId
    subjects: Annotated[tuple[column.KindOfEntity, ...], column.NOT_EMPTY]
    objects: Annotated[tuple[column.Object, ...], column.NOT_EMPTY]
    cues: tuple[column.Cue, ...] = ()
    denied: tuple[column.Cue, ...] = ()
    labels: tuple[str, ...] = ()
    deniable: bool = True
    passing: bool = False
    verb: str = "has"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a relation that isn't a term ("sits idle"), or further words for a term.

    `opposite` lists ways to say the contrary.
    """

    id: column.Id
    name: column.Some
    words: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neutral:
    """Words that change nothing in a question answered in one way: "sum", "conversion"."""

    id: column.Some
    words: column.Words


@dataclass(frozen=True, slots=True)
class Operator:
    """Words that affect a query without naming anything: see operators.toml.

    `value` is the effect ("most", "at least"); `metrics` are those that the words imply or a verb goes with.
    """

    id: column.Some
    kind: column.OperatorKind
    words: column.Texts
    value: str = ""
    metrics: tuple[column.MetricId, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbered:
    """The meaning of a bare number after one of the patterns `before` or ahead of one `behind`: "head dim 128".

    `says` is how a sum prints it, with {} for the number; the `usual` value goes without saying: a batch of one.
    """

    id: column.Some
    says: column.Template
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    usual: float = 0.0


@dataclass(frozen=True, slots=True)
class Voice:
    """A class of cues for the voice of a statement ("estimate~", "had it"), and how much of the sentence they govern."""

    id: column.Some
    puts: column.Puts
    governs: Literal["complement", "clause", "rest", "sentence"]
    cues: Annotated[tuple[column.Cue, ...], column.NOT_EMPTY]
