"""An encoder that knows no language: equal words give close vectors, in microseconds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any

import numpy as np

from chipwise import encoder, knowledge
from chipwise.answering import reader
from chipwise.answering.reader import Calibration, Reading, Scores
from chipwise.building import building, vectorising
from chipwise.building.embedding import Embedded
from chipwise.claims import extract
from chipwise.domain.model import Domain
from chipwise.index.vectors import Vector, pack, unit
from chipwise.models import DEFAULT_MODEL, ModelFiles
from chipwise.text import Span, content_words, words
from chipwise.types import Document

DIM = 32
DOMAIN = Path(__file__).parent / "domain"  # a dozen records: the shipped ones are hundreds
NO_FACTS = Path(__file__).parent / "no-facts"


def meaning(text: str) -> Vector:
    """A bag of words, each hashed to one of DIM places."""
    made = np.zeros(DIM, dtype=np.float32)
    for word in words(text):
        made[hashlib.sha256(word.encode("utf-8", "replace")).digest()[0] % DIM] += 1
    return unit(made)


class FakeEncoder:
    """Stands in for PassageEncoder; `embedded` holds every text that it was given."""

    dim = DIM

    def __init__(self, files: ModelFiles) -> None:
        self.files = files
        self.embedded: list[str] = []

    def encode(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Callable[[int], None] | None = None
    ) -> Embedded:
        self.embedded += texts
        vectors = np.array([meaning(text) for text in texts], dtype=np.float32).reshape(len(texts), DIM)
        meanings = [
            pack(np.array([meaning(text[slice(*span)]) for span in own], dtype=np.float32).reshape(len(own), DIM))
            for text, own in zip(texts, spans, strict=True)
        ]
        if progress is not None:
            progress(len(texts))
        return Embedded(vectors, meanings)

    def export(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "encoder.json").write_text(f'"{self.files.sha256}"')


class FakeQueryEncoder:
    """Stands in for the exported encoder."""

    def __init__(self, folder: Path) -> None:
        assert (folder / "encoder.json").is_file()

        def encode(word: str, *, add_special_tokens: bool) -> SimpleNamespace:
            return SimpleNamespace(tokens=[word] if not add_special_tokens else ["[CLS]", word])

        self.tokenizer = SimpleNamespace(encode=encode)  # it has each word whole

    def rest(self) -> None:
        """There is no memory to give back."""

    def encode(self, text: str) -> Vector:
        return meaning(text)


_UNDERSTOOD: dict[object, building.Understood] = {}
_DOMAIN: list[Any] = []  # the last, and what it consists of
_understood = building.understood


def understood_once(document: Document, domain: Domain) -> building.Understood:
    """What the building of an index reads in a document, read once in a process: tests index the same few again and again."""
    if not _DOMAIN or _DOMAIN[0] is not domain:
        _DOMAIN[:] = domain, domain.to_json()
    info = replace(document.info, origin=PurePath(document.info.origin).name)  # a test's own folder says nothing
    read = f"{info} {document.text} {_DOMAIN[1]} {extract.read_claims.__qualname__}"
    key = hashlib.sha256(read.encode("utf-8", "surrogatepass")).digest()
    if key not in _UNDERSTOOD:
        _UNDERSTOOD[key] = _understood(document, domain)
    return _UNDERSTOOD[key]


_ORDER = {"passage": 1.0, "sentence": 1.0, "states": 1.0, "comment": -2.0, "bio": -3.0, "boilerplate": -3.0}
_ANSWERS = {"passage": 1.0, "nameless": -20.0, "foreign": -20.0, "figure": -20.0, "opinion": -20.0}


class FakeReader:
    """Stands in for the reader: a sentence answers as far as it has the question's words, a passage as its best one."""

    calibration = Calibration({"reader": 1.0}, _ORDER, {}, _ANSWERS)

    def __init__(self, folder: Path, tokenizer: None) -> None:
        assert (folder / "encoder.json").is_file()

    def read(self, question: str, readings: Sequence[Reading]) -> list[Scores]:
        return [self._scores(set(content_words(question)), reading) for reading in readings]

    def _scores(self, asked: set[str], reading: Reading) -> Scores:
        above = 0.5 * len(asked & set(words(reading.above)))
        own = [len(asked & set(words(sentence))) for sentence in reading.sentences]
        logits = tuple(10 * (met + above * (met > 0)) / max(1, len(asked)) - 5 for met in own)
        return Scores(logits, max(logits, default=-5.0))


def install(put: Callable[[Any, str, object], None] = setattr) -> FakeEncoder:
    """Puts the fakes in place of the model and of the shipped domain, for building and for asking."""
    fake = FakeEncoder(ModelFiles(DEFAULT_MODEL, Path(), "f" * 64))
    put(vectorising, "find_model", lambda name: ModelFiles(name, fake.files.folder, fake.files.sha256))
    put(building, "understood", understood_once)
    put(vectorising, "_loaded", lambda *_: fake)
    put(vectorising, "is_current", lambda folder: True)
    put(encoder, "QueryEncoder", FakeQueryEncoder)
    put(reader, "Reader", FakeReader)
    put(knowledge, "domain_folder", lambda: DOMAIN)
    for module in (knowledge, building):  # the shipped facts are about what only the shipped domain knows
        put(module, "facts_folder", lambda: NO_FACTS)
    return fake
