"""One function a tool: arguments in, a typed result out. All of them only read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, Field

from chipwise import Audit, KnowledgeBase
from chipwise_cli.agents.models import Answer, Check, Comparison, Facts, Passages, Solution

LONGEST_QUESTION = 4_000  # characters
LONGEST_TEXT = 400_000  # of a text to check: a book's chapter; `chipwise check` takes longer ones

Question = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
Names = Annotated[list[str], Field(min_length=1, max_length=16)]
_FOR_PROGRAMS = {"schema", "start", "end", "column", "mark", "question"}  # fields that say nothing to an agent


class Tools:
    """The six tools on one knowledge base, which is opened with the first call."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    @property
    def all(self) -> tuple[Callable[..., BaseModel], ...]:
        """Every tool; its name is the function's, its description the docstring."""
        return self.ask, self.search, self.facts, self.compare, self.check_text, self.solve

    def _value(self, found: Any) -> Any:
        return _without(self._base.as_json(found))

    def ask(self, question: Question) -> Answer:
        """Answer a question about AI accelerators from curated facts and cited passages, or say that there is no answer.

        Figures, comparisons, counts, prices, arithmetic and explanations. Cite what it cites.
        """
        return Answer.model_validate(self._value(self._base.ask(question)))

    def search(self, text: Question, count: Annotated[int, Field(ge=1, le=20)] = 5) -> Passages:
        """Find the passages of the corpus that match a text best, without an answer."""
        hits = self._base.search(text, count)
        return Passages.model_validate({"query": text, "passages": [self._value(hit) for hit in hits]})

    def facts(self, names: Names, deprecated: bool = False) -> Facts:
        """List curated facts by names: of chips or systems, of metrics, of qualifiers. ["H100 SXM", "memory bandwidth"]."""
        return Facts.model_validate(self._value(self._base.facts(*names, deprecated=deprecated)))

    def compare(
        self,
        subjects: Annotated[list[str], Field(min_length=2, max_length=8)],
        metrics: Annotated[list[str], Field(max_length=16)] = [],  # noqa: B006  a default is shown to the agent
        dtype: str = "",
    ) -> Comparison:
        """Set chips side by side, like for like: all metrics that two of them share, or those named; `dtype` as "fp8"."""
        found = self._base.compare(*subjects, metrics=metrics, dtype=dtype)
        return Comparison.model_validate(self._value(found))

    def check_text(
        self,
        text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)],
        min_confidence: Annotated[float, Field(ge=0, le=1)] = Audit.SURE_ENOUGH,
    ) -> Check:
        """Judge each claim of a Markdown text against the knowledge base, the text itself, and arithmetic."""
        audit = self._base.check(text=text).surer_than(min_confidence)
        return Check.model_validate({"contradicted": audit.contradicts, **self._value(audit)})

    def solve(self, wanted: Question, given: dict[str, str | float], of: str = "") -> Solution:
        """Work out one quantity from others, with the facts of the chip `of` where something is missing.

        wanted "cost per million tokens", given {"token rate": "3800 tokens/s", "price": "2 USD/hour"}.
        """
        return Solution.model_validate(self._value(self._base.solve(wanted, given, of)))


def _without(value: Any) -> Any:
    if isinstance(value, list):
        return [_without(each) for each in value]
    return {k: _without(v) for k, v in value.items() if k not in _FOR_PROGRAMS} if isinstance(value, dict) else value
