"""What each TOML file of the domain may hold, table by table, with the values that may be left out.

The fields' meanings stand in `records`, which these rows become.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from chipwise.domain.kinship import MACHINES


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Named(_Record):
    id: str = Field(min_length=1, pattern=r"^[A-Za-z0-9$€£%/^²·._-]+$")
    name: str = Field(min_length=1)


class _Entity(_Named):
    kind: str = Field(pattern="^(line|family|chip|variant|system|slice)$")
    vendor: str = ""
    parent: str = ""
    within: list[str] = []
    predecessor: str = ""
    chips: int = Field(default=1, ge=1)
    dies: int = Field(default=0, ge=0)
    form_factor: str = ""
    aliases: list[str] = []
    ambiguous: bool = False

    @field_validator("chips")
    @classmethod
    def _machines_hold_chips(cls, chips: int, info: ValidationInfo) -> int:
        if chips > 1 and info.data.get("kind") not in MACHINES:
            raise ValueError("only a system or a slice holds several")
        return chips

    @field_validator("form_factor")
    @classmethod
    def _variants_have_forms(cls, form: str, info: ValidationInfo) -> str:
        if form and info.data.get("kind") != "variant":
            raise ValueError("only a variant has one")
        return form


class _Metric(_Named):
    dimension: str
    unit: str = ""
    cues: list[str] = []
    questions: list[str] = []
    asked_as: list[str] = []
    asked_with: list[str] = []
    asked_after: list[str] = []
    asked_never: list[str] = []
    anti: list[str] = []
    dated: list[str] = []
    qualifiers: list[str] = []
    bigger_is: str = "more"
    says: str = ""
    default: bool = False
    main: bool = False
    pace: bool = False
    plain: list[str] = []
    plain_least: float = Field(default=0.0, ge=0.0)
    each_least: float = Field(default=0.0, ge=0.0)
    told_by: list[str] = []
    also: list[str] = []
    varies: bool = False
    scales: bool = False
    single: bool = False
    exclusive: list[str] = []
    single_in_table: bool = False
    of_systems: bool = False
    of_hosts: bool = False
    of_chips: bool = False
    of_machines: str = ""
    vague: list[str] = []
    least: float = Field(default=0.0, ge=0.0)
    most: float = float("inf")
    most_of_one: float = float("inf")
    of_two: list[str] = []
    general: bool = False
    nature: str = Field(default="specified", pattern="^(specified|measured|priced|estimated)$")
    about: list[str] = []
    implied_by: list[str] = []
    measured_as: str = ""
    share_as: str = ""
    times_as: str = ""
    never_in: list[str] = []
    each: str = ""
    counts: list[str] = []
    holders: list[str] = []
    rented_as: str = ""
    never_of: list[str] = []
    hosted_by: list[str] = []
    of_training: bool = False
    of_runs: bool = False
    turns_on: list[str] = []
    inverse: str = ""
    inverse_cues: list[str] = []

    @field_validator("turns_on")
    @classmethod
    def _turns_on_qualifiers(cls, axes: list[str], info: ValidationInfo) -> list[str]:
        if not set(axes) <= set(info.data.get("qualifiers", ())):
            raise ValueError("only what is among the qualifiers can decide")
        return axes


class _Term(_Named):
    kind: str
    aliases: list[str] = []
    exact: list[str] = []
    part_of: str = ""


class _Unit(_Record):
    id: str = Field(min_length=1)
    dimension: str
    scale: float = Field(gt=0)
    forms: list[str] = Field(min_length=1)
    case_sensitive: bool = True
    of: str = ""
    per: str = ""
    offset: float = 0.0
    note: str = ""


class _Dimension(_Record):
    id: str
    base: str


class _Ambiguous(_Record):
    surface: str
    entities: list[str] = Field(min_length=2)
    case_sensitive: bool = False
    note: str = ""


class _Axis(_Named):
    terms: list[str] = []
    one_of: list[str] = []
    deeds: list[str] = []
    vague: list[str] = []
    alike: list[str] = []


class _Qualifier(_Record):
    axis: str
    id: str = Field(min_length=1)
    cues: list[str] = []
    exact: list[str] = []


class _Relation(_Record):
    id: str = Field(min_length=1)
    subjects: list[str] = Field(min_length=1)
    objects: list[str] = Field(min_length=1)
    patterns: list[str] = []
    denied: list[str] = []
    labels: list[str] = []
    deniable: bool = True
    graded: bool = False
    passing: bool = False


class _Explanation(_Record):
    id: str = Field(min_length=1)
    axis: str = ""
    factors: list[float] = Field(min_length=1)
    dimensions: list[str] = []
    more: str = ""
    less: str = ""
    stated: bool = False
    same_digits: bool = False
    supposed: bool = False
    both_ways: bool = False
    written: str = ""
    where: str = ""
    among: list[str] = []
    never: dict[str, str] = {}
    says: str


class _IdentityTerm(_Record):
    symbol: str = Field(pattern=r"^[a-z]+$")
    metric: str
    qualifiers: dict[str, str] = {}
    facts: bool = False
    per_chip: bool = False
    any_of_dimension: bool = False


class _Identity(_Record):
    id: str = Field(min_length=1)
    code: str = Field(pattern=r"^CW\d{3}$")
    left: str
    right: str
    says: str
    tolerance: float = Field(default=0.1, ge=0)
    beside: bool = False
    terms: list[_IdentityTerm] = Field(min_length=1)


class _Variable(_Named):
    dimension: str
    kinds: list[str] = []
    of: str = Field(default="", pattern="^(chip|all)?$")
    total: str = ""
    whole: str = Field(default="up", pattern="^(up|down)$")
    end: bool = False
    metric: str = ""
    axes: dict[str, str] = {}
    model: str = ""
    values: dict[str, float] = {}
    units: list[str] = []
    noun: str = ""
    digits: int = Field(default=4, ge=2, le=6)
    least: float = Field(default=0.0, ge=0)
    better: str = Field(default="more", pattern="^(more|less)$")
    each_of: str = ""
    note: str = ""
    names: list[str] = []
    asks: list[str] = []
    words: list[str] = []
    only_with: list[str] = []


class _Equation(_Record):
    id: str = Field(min_length=1)
    left: str
    powers: dict[str, int] = Field(min_length=1)
    says: str
    factor: float = Field(default=1.0, gt=0)
    adds: bool = False
    shows: str = ""
    bound: str = Field(default="", pattern="^(at most)?$")
    round: dict[str, str] = {}
    in_units: dict[str, str] = {}
    source: str = ""
    quote: str = ""
    same: list[str] = []
    tolerance: float = Field(default=0.1, ge=0)
    cost: float = Field(default=1.0, gt=0)
    ends: list[str] | None = None
    never_with: list[str] = []
    never_for: list[str] = []


class _Convention(_Record):
    id: str = Field(min_length=1)
    variable: str
    low: float
    high: float
    says: str
    words: list[str] = []
    source: str = ""
    quote: str = ""
    cost: float = Field(default=2.0, ge=0)


class _Duration(_Record):
    id: str = Field(min_length=1)
    seconds: float = Field(gt=0)
    says: str
    words: list[str] = Field(min_length=1)


class _Words(_Record):
    id: str = Field(min_length=1)
    words: list[str] = Field(min_length=1)


class _Numbered(_Record):
    id: str = Field(min_length=1)
    says: str = Field(pattern=r"\{\}")
    before: list[str] = []
    behind: list[str] = []
    usual: float = 0.0


class _Value(_Named):
    words: list[str] = []
    opposite: list[str] = []


class _Voice(_Record):
    id: str = Field(min_length=1)
    puts: str = Field(pattern="^(hypothetical|promised|estimated|reported|measured|reckoned|doubted|speech|plain)$")
    governs: str = Field(pattern="^(complement|clause|rest|sentence)$")
    cues: list[str] = Field(min_length=1)


class _Operator(_Record):
    id: str = Field(min_length=1)
    kind: str = Field(
        pattern="^(question|opener|states|compare|rank|top|place|relate|bound|multiple|not|except|or|and|versus|than|with|kind|group|each|number|relative|both|verb|hint|present|refuse|filler)$"
    )
    value: str = ""
    metrics: list[str] = []
    words: list[str] = Field(min_length=1)


class _Neutral(_Record):
    id: str = Field(min_length=1)
    words: list[str] = Field(min_length=1)

    @field_validator("words")
    @classmethod
    def _each_once(cls, words: list[str]) -> list[str]:
        twice = sorted({w for w in words if words.count(w) > 1 or w != w.lower() or not w.strip()})
        if twice:
            raise ValueError(f"twice, or not in lower case: {', '.join(twice)}")
        return words


SCHEMAS: dict[str, dict[str, type[BaseModel]]] = {
    "entities.toml": {"entity": _Entity, "ambiguous": _Ambiguous},
    "metrics.toml": {"metric": _Metric},
    "units.toml": {"unit": _Unit, "dimension": _Dimension},
    "units_general.toml": {"unit": _Unit, "dimension": _Dimension},
    "terms.toml": {"term": _Term},
    "qualifiers.toml": {"axis": _Axis, "qualifier": _Qualifier},
    "relations.toml": {"relation": _Relation, "value": _Value},
    "explanations.toml": {"explanation": _Explanation},
    "identities.toml": {"identity": _Identity},
    "equations.toml": {
        "variable": _Variable,
        "equation": _Equation,
        "convention": _Convention,
        "duration": _Duration,
        "numbered": _Numbered,
        "words": _Words,
    },
    "voice.toml": {"voice": _Voice},
    "neutral.toml": {"neutral": _Neutral},
    "operators.toml": {"operator": _Operator},
}
