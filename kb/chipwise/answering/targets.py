"""What a question for a sum wants: the variables that its words ask for, and how much of it each derivation accounts for.

    "How long would 8,960 v5p chips at 40% MFU take to train ..."  ->  time, by "how long"

Which words ask for which variable is data, described in equations.toml.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from chipwise import patterns as re
from chipwise.domain.formulas import Variable
from chipwise.domain.model import Domain
from chipwise.figures.derivation import Derivation
from chipwise.values import dataclass

_TOKEN = re.compile(r"\{[\w#-]+\}|[#$%&]|[^\W_]+(?:/[^\W_]+)*")
CHIP, MACHINE, FIGURE, METRIC = "{chip}", "{machine}", "{#}", "{metric}"
_WORDS_OF = {CHIP: "chip-word", MACHINE: "machine-word"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the question in lower case, or what stands for a name or a figure; `metrics` are those that its words name."""

    text: str
    metrics: tuple[str, ...] = ()
    start: int = 0  # where it stands


@dataclass(frozen=True, slots=True)
class Target:
    """A variable that a question asks for, by the tokens at `places`, and how likely it does, as learned from other questions."""

    variable: Variable
    places: frozenset[int]
    share: float = 0.0

    @property
    def length(self) -> int:
        """How many words ask for it: the more, the surer."""
        return len(self.places)


@dataclass(frozen=True)
class Plan:
    """One way to answer: a derivation, for the chip or provider `label` where there are several, and the words left over."""

    target: Target
    derivation: Derivation
    unused: tuple[str, ...]
    loose: int
    label: str = ""

    @property
    def rank(self) -> tuple[float, ...]:
        """Which of several plans is meant goes by this, the least first."""
        return (len(self.unused), self.loose, -self.target.length, self.derivation.cost)


def tokens_of(text: str, domain: Domain) -> list[Token]:
    """The words of a question whose figures are blanked as "#", its chips and machines each as one token."""
    metrics = domain.find_metrics_asked(text)
    spans = [(m.start, m.end, MACHINE if domain.holds_several(m.ids[0]) else CHIP) for m in domain.find_entities(text)]
    found: list[Token] = []
    at = 0
    for start, end, stands in [*spans, (len(text), len(text), "")]:
        for match in _TOKEN.finditer(text, at, start):
            of = tuple(i for m in metrics if m.start <= match.start() < m.end for i in m.ids)
            found.append(Token(FIGURE if match[0] == "#" else match[0].lower(), of, match.start()))
        if stands:
            found.append(Token(stands, start=start))
        at = max(at, end)
    return found


def targets(tokens: Sequence[Token], domain: Domain, kinds: Collection[str] = (), since: int = 0) -> list[Target]:
    """The variables that the words from `since` on ask for, those first that more words ask for; each by its longest phrase.

    `kinds` are those of the figures that are given: "at 1,008 GB/s" says "bandwidth" without the word.
    """
    found: list[Target] = []
    bases = {v.total: v.metric for v in domain.variables.values() if v.total}
    asking = [t if t.start >= since else Token("") for t in tokens]
    words = {t.text for t in asking}
    for variable in domain.variables.values():
        metric = variable.metric or bases.get(variable.id, "")
        asks = (
            phrase for phrase in variable.asks if _plain_words(phrase) <= words
        )  # most phrases have a word that is not there
        phrases = (_places(_parts(phrase), asking, metric, domain) for phrase in asks)
        longest = max(filter(None, phrases), key=len, default=frozenset())
        said = {t.text for t in tokens} | {f"{{{kind}}}" for kind in kinds} if variable.only_with else set()
        if longest and (not variable.only_with or not said.isdisjoint(variable.only_with)):
            found.append(Target(variable, longest))
    whole = [t for t in found if not any(_goes_on(t.places, other.places) for other in found)]
    return sorted(whole, key=lambda t: -t.length)


def _goes_on(places: frozenset[int], longer: frozenset[int]) -> bool:
    """True where one phrase begins as another does and ends sooner: "how many GPUs" of "how many GPU hours"."""
    run = range(min(longer), max(longer) + 1)
    return places < longer and len(run) == len(longer) and places == set(run[: len(places)])


@lru_cache(maxsize=2048)
def _parts(phrase: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(_TOKEN.findall(part)) for part in phrase.split(" & "))


@lru_cache(maxsize=2048)
def _plain_words(phrase: str) -> frozenset[str]:
    """The words of a phrase that stand for themselves."""
    return frozenset(word for part in _parts(phrase) for word in part if not word.startswith("{"))


def _places(parts: tuple[tuple[str, ...], ...], tokens: Sequence[Token], metric: str, domain: Domain) -> frozenset[int]:
    """Where all parts of a phrase stand, each somewhere; empty where one is missing."""
    places: set[int] = set()
    for part in parts:
        here = next((p for p in _runs(part, tokens, metric, domain) if places.isdisjoint(p)), None)
        if here is None:
            return frozenset()
        places.update(here)
        if METRIC in part:  # all words of "how much memory" name it
            places.update(_whole_metric(here, tokens, metric))
    return frozenset(places)


def _whole_metric(here: range, tokens: Sequence[Token], metric: str) -> Iterator[int]:
    for start, step in ((here.start, -1), (here.stop - 1, 1)):
        at = start
        while 0 <= at < len(tokens) and metric in tokens[at].metrics:
            yield at
            at += step


def _runs(part: tuple[str, ...], tokens: Sequence[Token], metric: str, domain: Domain) -> Iterator[range]:
    for start in range(len(tokens) - len(part) + 1):
        if all(_is(word, token, metric, domain) for word, token in zip(part, tokens[start:], strict=False)):
            yield range(start, start + len(part))


def _is(word: str, token: Token, metric: str, domain: Domain) -> bool:
    if not word.startswith("{") or word == token.text:
        return word == token.text
    if word == METRIC:
        return metric in token.metrics
    group = domain.words.get(_WORDS_OF.get(word, word[1:-1]))
    return group is not None and token.text in group.words
