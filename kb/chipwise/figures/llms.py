"""The table of well-known language models: their shapes, for sizing memory and compute.

It reads `corpus/models/models.csv` and finds a model by any name that people type. Bytes are counted elsewhere.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

from chipwise import patterns as re
from chipwise.claims.model import Citation
from chipwise.corpus import shipped_folder
from chipwise.errors import DomainInvalid, NameUnknown
from chipwise.text import Span
from chipwise.types import Evidence, Role
from chipwise.values import dataclass

_TABLE = Path("models", "models.csv")
_ENDINGS = ("instruct", "chat", "base", "it", "hf")  # variants of a model that have its shape
_MAKERS = ("meta",)  # "Meta-Llama-3-8B" is Llama 3 8B
SIZED_NAME = re.compile(
    r"(?<![\w.-])[A-Za-z][A-Za-z0-9.]*(?:-[A-Za-z0-9.]+)?-(?P<size>\d+(?:\.\d+)?)[bB](?![\w.-])"
)  # of a model, known or not, that tells how large it is: "llama-70b"
_NAME_WORD = re.compile(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*")
_SIZE = re.compile(r"\d+(?:\.\d+)?b")
_LONGEST = 5  # words of a name
_NEAR = 3  # names to suggest for one that is unknown


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """One row of the table. Counts are 0 and texts empty where they do not apply.

    `parameters` is what the published weights hold, all modules together where no note says otherwise;
    `active_parameters` is what one token uses. `kv_heads` are those that share a key and a value. In an MLA
    layer the cache holds a latent of `kv_lora_rank` and `qk_rope_head_dim` values for each token instead.
    `sliding_layers` of the layers keep the last `sliding_window` tokens only. `kv_layers` have a cache that
    grows with the context: fewer than `layers` in a hybrid. `dense_layers` of a mixture of experts have an MLP of `intermediate`.
    """

    id: str
    name: str
    other_names: tuple[str, ...]
    maker: str
    released: str
    parameters: int
    active_parameters: int
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    attention: str
    kv_lora_rank: int
    q_lora_rank: int
    qk_nope_head_dim: int
    qk_rope_head_dim: int
    v_head_dim: int
    sliding_window: int
    sliding_layers: int
    kv_layers: int
    mlp: str
    intermediate: int
    dense_layers: int
    experts: int
    experts_active: int
    expert_intermediate: int
    shared_experts: int
    vocabulary: int
    tied_embeddings: bool
    vision_parameters: int
    context: int
    weight_format: str
    source: str
    verified: str
    note: str

    @property
    def cached_per_layer(self) -> int:
        """Values that one layer with a cache keeps for each token."""
        if self.attention == "mla":
            return self.kv_lora_rank + self.qk_rope_head_dim
        return 2 * self.kv_heads * self.head_dim

    @property
    def is_plain(self) -> bool:
        """True where each layer caches a key and a value of every KV head for every token: no latent, no window."""
        return self.attention != "mla" and not self.sliding_layers

    def cached(self, tokens: int) -> int:
        """Values in the KV cache of one sequence of that many tokens; a window holds no more than its length."""
        windowed = self.sliding_layers * min(tokens, self.sliding_window)
        return self.cached_per_layer * ((self.kv_layers - self.sliding_layers) * tokens + windowed)


def row_evidence(model: LanguageModel) -> Evidence:
    """The row of a model as a quote, without what it was read from, which is its origin."""
    text = (shipped_folder() / _TABLE).read_text("utf-8")
    start = text.index(f"\n{model.id},") + 1
    quote = text[start : text.index(model.source, start)].rstrip(',"')
    by = ("our table of language models", model.source, "", model.verified, (), Role.DATA)
    at = (start, start + len(quote), text.count("\n", 0, start) + 1)
    return Evidence(_TABLE.name, *by, quote, *at, page=None, passage="")


def row_citation(model: LanguageModel) -> tuple[str, Citation]:
    """The table of models, and the row of one in it as a citation."""
    row = row_evidence(model)
    return row.source, Citation(row.title, row.origin, row.publisher, row.published, row.quote, row.line)


@cache
def read_models(table: Path | None = None) -> tuple[LanguageModel, ...]:
    """All models, in the order of the table.

    Raises DomainInvalid with file and line for a column that is missing or too many, and a count that is none.
    """
    path = table or shipped_folder() / _TABLE
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        columns = [field.name for field in fields(LanguageModel)]
        if rows.fieldnames is None or list(rows.fieldnames) != columns:
            raise DomainInvalid(f"{path}:1: not the columns of a model", hint=f"the columns are {','.join(columns)}")
        return tuple(_model(row, f"{path}:{rows.line_num}") for row in rows)


def find_model(name: str) -> LanguageModel | None:
    """The model of that name or id, however it is spelled: "Llama 3.1 70B", "llama-3.1-70b", "meta-llama/Llama-3.1-70B-Instruct"."""
    return _by_key().get(_key(name))


def named_model(name: str) -> LanguageModel:
    """The model of that name; raises NameUnknown with near ones for a name that no model has."""
    if model := find_model(name):
        return model
    from difflib import get_close_matches  # noqa: PLC0415

    close = get_close_matches(_key(name), _by_key(), n=_NEAR, cutoff=0.6)
    near = list(dict.fromkeys(_by_key()[key].name for key in close))
    hint = f"did you mean {' or '.join(near)}?" if near else "give its number of parameters instead, such as 70B"
    raise NameUnknown(f"no model in the table is called {name!r}", hint=hint)


def advice(parameters: float) -> str:
    """Advise naming a model where a shape is needed: the nearest in size, of those as near the newest first."""
    near = sorted(read_models(), key=lambda m: m.released, reverse=True)
    near.sort(key=lambda m: round(abs(math.log(m.parameters / parameters)), 1))
    return f"name a model, such as {' or '.join(m.name for m in near[:_NEAR])}"


def find_in(text: str) -> tuple[LanguageModel, Span] | None:
    """The model that a text names, by its longest name, and where; None where it names none."""
    spans = [m.span() for m in _NAME_WORD.finditer(text)]
    for length in range(min(_LONGEST, len(spans)), 0, -1):
        for first in range(len(spans) - length + 1):
            start, end = spans[first][0], spans[first + length - 1][1]
            if any(c.isalpha() for c in text[start:end]) and (model := find_model(text[start:end])):
                return model, (start, end)
    return None


@cache
def _by_key() -> Mapping[str, LanguageModel]:
    return {_key(name): model for model in read_models() for name in names(model)}


def names(model: LanguageModel) -> Iterator[str]:
    """All names of a model, its id first."""
    yield from (model.id, model.name, *model.other_names)


def _key(name: str) -> str:
    """A name without what is spelled freely: case, spaces and hyphens, the organisation before a slash, the variant after the size, the size before or behind."""
    words = name.rpartition("/")[2].casefold().translate(str.maketrans("-_:", "   ")).split()
    while len(words) > 1 and words[-1] in _ENDINGS:
        words.pop()
    while len(words) > 1 and words[0] in _MAKERS:
        words.pop(0)
    if len(words) > 1 and _SIZE.fullmatch(words[0]):  # "a 70B Llama 2"
        words.append(words.pop(0))
    return "".join(words)


def _model(row: dict[str, str], place: str) -> LanguageModel:
    """A row as a model; `place` is its file and line."""
    values: dict[str, object] = {}
    for field in fields(LanguageModel):
        text = row[field.name]
        try:
            values[field.name] = _READ.get(str(field.type), str)(text)
        except (ValueError, TypeError, KeyError):
            raise DomainInvalid(f"{place}: {field.name}: {text!r} is not {field.type}", hint="fix that cell") from None
    return LanguageModel(**values)  # type: ignore[arg-type] # each by the type of its field, above


_READ: dict[str, Callable[[str], object]] = {
    "int": lambda text: int(text) if text else 0,
    "bool": lambda text: {"yes": True, "no": False}[text],
    "tuple[str, ...]": lambda text: tuple(text.split("|")) if text else (),
}
