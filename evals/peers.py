"""Other systems on the same texts and questions; runs in an environment of its own, which has no chipwise.

    python -m venv PEERS
    PEERS/bin/pip install -r evals/peers.txt
    PEERS/bin/python evals/peers.py rank BENCH --model FOLDER --cache DIR > rankings.json
    PEERS/bin/python evals/peers.py index FOLDER --model FOLDER
    PEERS/bin/python evals/peers.py ask FOLDER --model FOLDER --peer bm25s > seconds.json

Started by retrieval.py and growth.py; what they score and time is decided there.
Each peer is set up as its own documentation does it, with the same embedding
model where it takes one. Texts are given as "title text".
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # torch's threads would spin against any other process

DEPTH = 100  # results asked for
PACKAGES = ("bm25s", "PyStemmer", "sentence-transformers", "faiss-cpu", "txtai", "torch", "transformers", "numpy")
BM25S, DENSE, TXTAI = PEERS = ("bm25s", "sentence-transformers + FAISS", "txtai hybrid")
Search = Callable[[str, int], list[int]]  # positions of texts, best first
Matrix = npt.NDArray[np.float32]


def bm25s_search(texts: Sequence[str]) -> Search:
    """bm25s with English stop words and the Snowball stemmer, as its README sets it up."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)
    retriever = bm25s.BM25()
    retriever.index(tokens, show_progress=False)
    return _bm25s_asking(retriever, len(texts))


def _bm25s_asking(retriever: Any, total: int) -> Search:
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def search(question: str, count: int) -> list[int]:
        asked = bm25s.tokenize(question, stopwords="en", stemmer=stemmer, show_progress=False)
        rows, scores = retriever.retrieve(asked, k=min(count, total), show_progress=False)
        return [int(row) for row, score in zip(rows[0], scores[0], strict=True) if score > 0]

    return search


def dense_search(texts: Sequence[str], model: Path, cache: Path) -> Search:
    """sentence-transformers and an exact FAISS index."""
    encoder = _sentence_transformer(model)
    return _dense_asking(encoder, _flat(_vectors(encoder, texts, cache)))


def _sentence_transformer(model: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(model), device="cpu", local_files_only=True)


def _flat(vectors: Matrix) -> Any:
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    return index


def _dense_asking(encoder: Any, index: Any) -> Search:
    def search(question: str, count: int) -> list[int]:
        vector = encoder.encode([question], normalize_embeddings=True, show_progress_bar=False)
        _, rows = index.search(vector, min(count, index.ntotal))
        return [int(row) for row in rows[0] if row >= 0]

    return search


def _vectors(encoder: Any, texts: Sequence[str], cache: Path) -> Matrix:
    path = cache / f"peers-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}.npy"
    if not path.is_file():
        print(f"embedding {len(texts):,} texts for the peers, once", file=sys.stderr, flush=True)
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, encoder.encode(list(texts), normalize_embeddings=True, show_progress_bar=False))
    return np.asarray(np.load(path), dtype=np.float32)


def txtai_search(texts: Sequence[str], model: Path, cache: Path) -> Search:
    """The hybrid search of txtai: its own BM25 beside dense vectors, with the weights that it comes with."""
    from txtai import Embeddings

    folder = cache / f"txtai-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}"
    embeddings = Embeddings(path=str(model), hybrid=True, gpu=False)
    if (folder / "config.json").is_file() or (folder / "config").is_file():
        embeddings.load(str(folder))
    else:
        print(f"txtai indexes {len(texts):,} texts, once", file=sys.stderr, flush=True)
        embeddings.index((number, text, None) for number, text in enumerate(texts))
        embeddings.save(str(folder))
    return _txtai_asking(embeddings)


def _txtai_asking(embeddings: Any) -> Search:
    def search(question: str, count: int) -> list[int]:
        return [int(id_) for id_, _ in embeddings.search(question, count)]

    return search


def peers(texts: Sequence[str], model: Path, cache: Path) -> dict[str, Search]:
    """Every peer, ready to be asked."""
    return {
        BM25S: bm25s_search(texts),
        DENSE: dense_search(texts, model, cache),
        TXTAI: txtai_search(texts, model, cache),
    }


def versions() -> dict[str, str]:
    """Of everything that a peer's figures depend on."""
    return {name: importlib.metadata.version(name) for name in PACKAGES}


def rank(bench: Path, names: Sequence[str], model: Path, cache: Path) -> dict[str, Any]:
    """By collection and peer, for every question the ids found, best first."""
    from benchmarks import COLLECTIONS

    found: dict[str, Any] = {}
    for name in names:
        collection = COLLECTIONS[name](bench)
        texts = [f"{text.title} {text.text}" for text in collection.texts]
        found[name] = {}
        for peer, search in peers(texts, model, cache).items():
            found[name][peer] = {
                id_: [collection.texts[row].id for row in search(question, DEPTH)]
                for id_, question in collection.questions.items()
            }
    return {"versions": versions(), "collections": found}


def write_indexes(folder: Path, model: Path) -> dict[str, float]:
    """Every peer's index of texts.json and vectors.npy in `folder`; the seconds that each took, without encoding."""
    import bm25s
    import faiss
    import Stemmer
    from txtai import Embeddings

    texts = json.loads((folder / "texts.json").read_text("utf-8"))
    vectors = np.load(folder / "vectors.npy")
    took: dict[str, float] = {}
    started = time.perf_counter()
    tokens = bm25s.tokenize(texts, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
    retriever = bm25s.BM25()
    retriever.index(tokens, show_progress=False)
    retriever.save(folder / BM25S)
    took[BM25S] = time.perf_counter() - started
    started = time.perf_counter()
    faiss.write_index(_flat(vectors), str(folder / "flat.faiss"))
    took[DENSE] = time.perf_counter() - started
    given = iter(vectors)
    started = time.perf_counter()
    embeddings = Embeddings(
        {"method": "external", "transform": lambda batch: np.array([next(given) for _ in batch]), "hybrid": True}
    )
    embeddings.index((number, text, None) for number, text in enumerate(texts))
    for name in ("method", "transform"):  # questions are encoded by the model itself, as ever
        embeddings.config.pop(name)
    embeddings.config["path"] = str(model)
    embeddings.save(str(folder / "txtai"))
    took[TXTAI] = time.perf_counter() - started
    return took


def ask(folder: Path, peer: str, model: Path, *, once: bool = False) -> dict[str, float]:
    """Loads a peer's index and asks questions.json: milliseconds, p50 and p95, once warm; or only the first of them."""
    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    search = _opened(folder, peer, model)
    search(questions[0], DEPTH)
    took = [] if not once else [0.0]
    for question in questions if not once else ():
        started = time.perf_counter()
        search(question, DEPTH)
        took.append(1000 * (time.perf_counter() - started))
    took.sort()
    return {"p50": took[len(took) // 2], "p95": took[len(took) * 95 // 100]}


def _opened(folder: Path, peer: str, model: Path) -> Search:
    if peer == BM25S:
        import bm25s

        retriever = bm25s.BM25.load(folder / BM25S)
        return _bm25s_asking(retriever, retriever.scores["num_docs"])
    if peer == DENSE:
        import faiss

        return _dense_asking(_sentence_transformer(model), faiss.read_index(str(folder / "flat.faiss")))
    from txtai import Embeddings

    embeddings = Embeddings()
    embeddings.load(str(folder / "txtai"))
    return _txtai_asking(embeddings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("rank", "index", "ask"))
    parser.add_argument("folder", type=Path, help="of the benchmarks for `rank`, otherwise where an index is or goes")
    parser.add_argument("--model", type=Path, required=True, help="folder of the sentence-transformers model")
    parser.add_argument("--cache", type=Path, help="keeps what `rank` embeds for the next run")
    parser.add_argument("--collections", default="scifact,squad")
    parser.add_argument("--peer", choices=PEERS)
    parser.add_argument("--once", action="store_true", help="`ask` one question and leave")
    options = parser.parse_args()
    if options.what == "rank":
        found = rank(options.folder, options.collections.split(","), options.model, options.cache)
    elif options.what == "index":
        found = write_indexes(options.folder, options.model)
    else:
        found = ask(options.folder, options.peer, options.model, once=options.once)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
