"""An encoder that knows no language: equal words give close vectors, in microseconds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chipwise import encoder, knowledge
from chipwise.building import building, vectorising
from chipwise.building.embedding import Embedded
from chipwise.index.vectors import Vector, pack, unit
from chipwise.models import DEFAULT_MODEL, ModelFiles
from chipwise.text import Span, words

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

    def encode(self, text: str) -> Vector:
        return meaning(text)


def install(put: Callable[[Any, str, object], None] = setattr) -> FakeEncoder:
    """Puts the fakes in place of the model and of the shipped domain, for building and for asking."""
    fake = FakeEncoder(ModelFiles(DEFAULT_MODEL, Path(), "f" * 64))
    put(vectorising, "find_model", lambda name: ModelFiles(name, fake.files.folder, fake.files.sha256))
    put(vectorising, "_loaded", lambda *_: fake)
    put(encoder, "QueryEncoder", FakeQueryEncoder)
    put(knowledge, "domain_folder", lambda: DOMAIN)
    for module in (knowledge, building):  # the shipped facts are about what only the shipped domain knows
        put(module, "facts_folder", lambda: NO_FACTS)
    return fake
