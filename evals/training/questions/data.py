"""Questions with the passages that answer them and passages that do not, from our own labels and from SQuAD 2.0.

    written    corpus/questions/*.jsonl: sentences of our primers and digests; what is needed of posts; users*.jsonl by other people
    sets       evals/questions/*.jsonl: sentences of the listed sources that hold the gold
    squad      articles of the train split, and half of the articles beside the project; nothing of them is kept

What is written for passages is trained on; what people asked in public is not, nor are the sets, and SQuAD is split by article.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.training.questions.marked import part_of

from chipwise.answering import passages
from chipwise.answering.precedents import bare, passages_of
from chipwise.answering.reader import Reading
from chipwise.answering.searching import search
from chipwise.index.rows import StoredPassage
from chipwise.index.store import Store
from chipwise.opening import OpenIndex
from chipwise.text import content_words, sentences, words

NEGATIVES = 15  # passages kept for a question that do not answer it, the closest first
SAME_ANSWER = 0.5  # how `alike` another question is from which what answers it may answer this one; a cosine of 0.75
USERS = "users"  # how the files of what people asked in public begin
SETS = ("dev", "frozen", "holdout")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A passage read for a question, and which of its sentences answer."""

    reading: Reading
    answers: tuple[bool, ...]

    @classmethod
    def without(cls, reading: Reading) -> Labelled:
        """A passage that does not answer."""
        return cls(reading, (False,) * len(reading.sentences))


@dataclass(frozen=True, slots=True)
class Question:
    """`gold` are passages that answer, none where nothing does; `others` do not, the likeliest to be mistaken first."""

    id: str
    text: str
    origin: str  # written, sets or squad, or as generated: facts, terms or reasons
    part: str  # train, tune or report
    gold: tuple[Labelled, ...]
    others: tuple[Labelled, ...]
    kind: str = ""
    near: int = 0  # how many of `others`, the first, were labelled as not answering
    extra: dict[str, Any] = field(default_factory=dict)


def reading_of(stored: StoredPassage, titles: dict[str, str]) -> Reading:
    """A passage of the index as the reader gets it."""
    return passages.reading_of(stored, titles[stored.passage.source])


def written(folder: Path, index: OpenIndex, writers: str = "") -> list[Question]:
    """Our own labels, of the files that begin with `writers`. A sentence that is not found any more is left out, and a question without any with it."""
    titles = {s.id: s.title for s in index.store.sources()}
    found = []
    for path in sorted(folder.glob(f"{writers}*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            record = json.loads(line)
            if not record["source"] or record["source"] in titles:  # none: it is outside of what is held here
                part = part_of_written(path.stem, record["q"])
                found += _written(f"{path.stem}-{number}", part, record, index, titles)
    return found


def part_of_written(writer: str, question: str) -> str:
    """What was written for passages is trained on, whatever document it is of; what people asked in public tunes, and three in ten of it are reported.

    A document whose questions were kept out would be met as what does not answer, and learned to be that.
    """
    if not writer.startswith(USERS):
        return "train"
    return "tune" if part_of(question) == "train" else "report"


def _written(
    id_: str, part: str, record: dict[str, Any], index: OpenIndex, titles: dict[str, str]
) -> Iterator[Question]:
    answering = bearing((record, *record.get("others", ())), index.store)
    if record["answer"] and not answering:
        return
    gold = [Labelled(reading_of(stored, titles), marked) for stored, marked in answering]
    seeming = {"source": record["source"], "answer": [record["near"]] if record.get("near") else []}
    near = [Labelled.without(reading_of(stored, titles)) for stored, _ in bearing([seeming], index.store)]
    others = [Labelled.without(reading_of(s, titles)) for s in found_for(record["q"], index, [s for s, _ in answering])]
    extra = {"source": record["source"], "why_not": record.get("why_not", "")}
    yield Question(
        id_, record["q"], "written", part, tuple(gold), (*near, *others), record.get("kind", ""), len(near), extra
    )


def bearing(answers: Iterable[dict[str, Any]], store: Store) -> list[tuple[StoredPassage, tuple[bool, ...]]]:
    """The passages with a sentence of one of the answers to a question, each once, and of each which sentences are."""
    said: dict[str, list[str]] = {}
    for answer in answers:
        said.setdefault(answer["source"], []).extend(answer["answer"])
    held = ((stored, own) for source, own in said.items() if own for stored in store.source_passages(source))
    marked = (
        (stored, tuple(_is_in(s, own) for s in passages.reading_of(stored, "").sentences)) for stored, own in held
    )
    return [(stored, marks) for stored, marks in marked if any(marks)]


def _is_in(sentence: str, answers: Sequence[str]) -> bool:
    own = bare(sentence)
    return any(own in bare(a) or bare(a) in own for a in answers) if own else False


def found_for(question: str, index: OpenIndex, gold: Sequence[StoredPassage] = ()) -> list[StoredPassage]:
    """What is found as at work and is not gold, less what answers a question that is much like it; more of it may answer all the same."""
    vector = index.encoder.encode(question)
    like = [p for p in index.precedents.nearest(vector) if p.alike >= SAME_ANSWER]
    answering = {stored.row for stored, _ in passages_of(like, index.store)} | {stored.row for stored in gold}
    hits = search(index.store, index.vectors, question, index.aim.at(vector), NEGATIVES + len(answering))
    return [hit.stored for hit in hits if hit.stored.row not in answering][:NEGATIVES]


def of_sets(folder: Path, index: OpenIndex, holds: Any) -> list[Question]:
    """Our question sets, each sentence labelled by whether it holds the gold; `holds` is evals' own test."""
    titles = {s.id: s.title for s in index.store.sources()}
    found = []
    for name in SETS:
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            part = "tune" if hashlib.sha256(record["id"].encode()).digest()[1] % 2 else "report"
            gold = list(_holding(record, index, titles, holds)) if record["answerable"] else []
            if gold or not record["answerable"]:
                found_others = found_for(record["question"], index)
                others = [Labelled.without(reading_of(stored, titles)) for stored in found_others]
                if gold:
                    others = [o for o in others if not holds(_text(o), record["gold"])]
                kind = record["category"]
                found.append(Question(record["id"], record["question"], "sets", part, tuple(gold), tuple(others), kind))
    return found


def _holding(record: dict[str, Any], index: OpenIndex, titles: dict[str, str], holds: Any) -> Iterator[Labelled]:
    asked = set(content_words(record["question"]))
    for source in record["sources"]:
        for stored in index.store.source_passages(source) if source in titles else ():
            reading = reading_of(stored, titles)
            if not holds(_text(Labelled.without(reading)), record["gold"]) or not asked & set(
                words(reading.above + _text(Labelled.without(reading)))
            ):
                continue
            marked = tuple(holds(s, record["gold"]) for s in reading.sentences)
            if any(marked):
                yield Labelled(reading, marked)


def _text(labelled: Labelled) -> str:
    return " ".join(labelled.reading.sentences)


def squad(paths: Sequence[Path], held_out: Sequence[str]) -> list[Question]:
    """Questions of SQuAD articles, each with its own paragraph and the closest others; those `held_out` are for the report."""
    found = []
    for path in paths:
        for article in json.loads(path.read_text("utf-8"))["data"]:
            title = article["title"].replace("_", " ")
            found += _of_article(title, article["paragraphs"], "report" if title in held_out else "train")
    return found


def _of_article(title: str, paragraphs: Sequence[dict[str, Any]], part: str) -> Iterator[Question]:
    texts = [p["context"] for p in paragraphs]
    spans = [sentences(t) for t in texts]
    readings = [Reading(title, tuple(t[s:e] for s, e in own)) for t, own in zip(texts, spans, strict=True)]
    bags = [Counter(content_words(t)) for t in texts]
    spread = Counter(word for bag in bags for word in bag)
    for at, paragraph in enumerate(paragraphs):
        for asked in paragraph["qas"]:
            text = asked["question"].strip()
            starts = [] if asked["is_impossible"] else [(a["answer_start"], len(a["text"])) for a in asked["answers"]]
            marked = tuple(any(s <= start < e for start, _ in starts) for s, e in spans[at])
            own = Labelled(readings[at], marked)
            bag = content_words(text)
            score = [sum(1 / spread[w] for w in bag if w in b) for b in bags]
            said = [asked["answers"][0]["text"].lower()] if starts else []
            order = sorted((n for n in range(len(texts)) if n != at), key=lambda n: -score[n])
            far = [n for n in order[:NEGATIVES] if not any(s in texts[n].lower() for s in said)]
            others = tuple(Labelled.without(readings[n]) for n in far)
            if any(marked):
                yield Question(asked["id"], text, "squad", part, (own,), others)
            else:
                yield Question(asked["id"], text, "squad", part, (), (own, *others))


_NAME = re.compile(r"(?<=\s)(?:[A-Z][\w’'-]*|\d[\d,.]*\d)(?:\s[A-Z][\w’'-]*)*")


def exchanged(questions: Sequence[Question], chance: random.Random) -> Iterator[Question]:
    """Questions with a name or number that their passage has exchanged for another question's, which it does not have: no answer.

    What the passage does not name it may answer by a rule, whatever is named.
    """
    named = [(q, _NAME.findall(q.text)) for q in questions if q.gold and q.part == "train"]
    pool = [name for _, names in named for name in names]
    for question, names in named:
        near = f"{question.gold[0].reading.above} {_text(question.gold[0])}".lower()
        said = [name for name in names if name.lower() in near]
        if not said:
            continue
        name = chance.choice(said)
        for other in (chance.choice(pool) for _ in range(20)):
            same_kind = other[0].isdigit() == name[0].isdigit()
            if same_kind and other.lower() not in near and other.lower() not in question.text.lower():
                text = question.text.replace(name, other, 1)
                own = tuple(Labelled.without(g.reading) for g in question.gold[:1])
                yield Question(f"{question.id}-x", text, question.origin, question.part, (), own, question.kind)
                break
