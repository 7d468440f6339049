"""Builds the shipped corpus and packs it into corpus/prebuilt/, which a wheel carries and git ignores; a build of the wheel calls it.

python evals/prebuilt.py            brings it and corpus/vectors/, which git keeps, up to date; only new passages are embedded
python evals/prebuilt.py --check    says what it was made from that is other now; exit status 1 where anything is
python evals/prebuilt.py --fresh    makes it from nothing
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import multiprocessing
import os
import shutil
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import numpy as np

from chipwise.answering.precedents import CARRIED, write
from chipwise.building import prebuilt
from chipwise.building.building import Understood, build, understood
from chipwise.building.graphs import WEIGHTS_FILE
from chipwise.building.planning import recipe_of
from chipwise.building.vectorising import MODEL, shipped_vectors, vectors_folder, vectors_of
from chipwise.corpus import known_questions_folder, shipped_folder
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.encoder import QueryEncoder
from chipwise.errors import ChipwiseError
from chipwise.files import file_times, locked, write_atomically
from chipwise.index.store import open_store
from chipwise.index.vectors import Matrix, open_index, read_vectors
from chipwise.knowledge import TEXT, VECTORS, Contents, KnowledgeFolder, Seal
from chipwise.models import DEFAULT_MODEL, find_model
from chipwise.types import Document

NEIGHBORS = 12  # as many as an answer reads
SAME = 0.999  # of the neighbors, that rounded vectors must find; what differs are ties
MANY = 20  # documents that are worth the second in which processes start
KEPT = ("embeddings.position", "embeddings.token_type")  # small ones, which the query encoder has whole
WAIT = 600.0  # seconds for another process that packs

# what is in a store twice; a prebuilt one is shipped without
SLIM = """
DROP INDEX passage_by_vector;
DROP INDEX claim_by_subject;
DROP INDEX claim_by_source;
DROP INDEX claim_by_value;
DELETE FROM figure;
INSERT INTO word (word) VALUES ('delete-all');
"""

Progress = Callable[[str, int, int], None]


class PackingFailed(ChipwiseError):
    """What was built must not be shipped."""


def renew(progress: Progress = lambda *_: None, *, fresh: bool = False, keep_vectors: bool = False) -> Seal:
    """The manifest of corpus/prebuilt/, made again where anything that it was made from is other now, or `fresh`.

    With `keep_vectors`, corpus/vectors/ is brought up to date with it.
    Raises PackingFailed, and what `building.build` raises.
    """
    folder = prebuilt.prebuilt_folder()
    folder.mkdir(exist_ok=True)
    lock = Path(gettempdir()) / f"chipwise-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}.lock"
    with locked(lock, f"packing {folder}", timeout=WAIT), TemporaryDirectory() as temporary:
        before = prebuilt.read_manifest()
        if before is not None and not fresh and not stale_parts(before):
            return before
        readers, base = prebuilt.readers(), KnowledgeFolder(Path(temporary) / "kb")
        if not fresh and (unpacked := prebuilt.unpack(base, progress)):
            # subtle: documents that have not changed would be left alone, and be their own witness
            base.write_seal(replace(unpacked, recipe=""))
        report = build(base, progress, fresh=fresh, read=read_at_once)
        if report.unreadable:
            raise PackingFailed(f"not all documents can be read: {report.unreadable}")
        if keep_vectors:
            _keep_vectors(base, base.read_seal())
            from evals.training.questions.precedents import keep_vectors as keep_questions

            keep_questions(QueryEncoder(base.encoder_folder(base.read_seal())).encode)
        return _pack(base, base.read_seal(), folder, readers)


def carry_questions() -> Path:
    """Makes the database of known questions that a wheel has, in one rename; always anew, as it takes a second or two."""
    path = shipped_folder() / CARRIED
    partial = path.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    with closing(sqlite3.connect(partial)) as connection:
        write(connection, known_questions_folder())
        connection.execute("VACUUM")
    partial.replace(path)
    return path


def carry_weights() -> Path:
    """Writes the model's weights as a wheel has them."""
    path = prebuilt.prebuilt_folder() / "halved.safetensors"
    path.write_bytes(halved((find_model(DEFAULT_MODEL).folder / WEIGHTS_FILE).read_bytes()))
    return path


def halved(data: bytes) -> bytes:
    """A safetensors file with its large matrices in float16, which halves the wheel and moves a vector by no more than rounding does.

    What the graphs are filled with is the same bytes in either form, see `evals.training.graphs`.
    """
    (size,) = struct.unpack("<Q", data[:8])
    header, body, kept, at = json.loads(data[8 : 8 + size]), data[8 + size :], [], 0
    for name, told in header.items():
        if name == "__metadata__":
            continue
        own = body[slice(*told["data_offsets"])]
        if told["dtype"] == "F32" and len(told["shape"]) > 1 and not name.startswith(KEPT):
            own, told["dtype"] = np.frombuffer(own, "<f4").astype("<f2").tobytes(), "F16"
        told["data_offsets"], at = [at, at + len(own)], at + len(own)
        kept.append(own)
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 8)
    return struct.pack("<Q", len(written)) + written + b"".join(kept)


def _keep_vectors(base: KnowledgeFolder, seal: Seal) -> None:
    """Writes a file for each document whose passages are not those that it has."""
    folder = vectors_folder()
    folder.mkdir(exist_ok=True)
    before, known = shipped_vectors(seal.model_sha256), vectors_of(base, seal)
    connection = sqlite3.connect(base.generation_folder(seal) / TEXT)
    documents: dict[str, list[bytes]] = {}
    for source, digest in connection.execute("SELECT source, sha256 FROM passage ORDER BY id"):
        documents.setdefault(source, []).append(digest)
    connection.close()
    for path in folder.glob("*.npz"):
        if path.stem not in documents:
            path.unlink()
    for source, rows in documents.items():
        path = folder / f"{source}.npz"
        if path.is_file() and all(digest in before for digest in rows):
            continue
        meanings = [known[digest][1] for digest in rows]
        np.savez(
            path,
            digests=np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1),
            vectors=np.stack([known[digest][0] for digest in rows]).astype(np.float16),
            meanings=np.frombuffer(b"".join(meanings), np.int8),
            ends=np.cumsum([len(meaning) for meaning in meanings]),
        )
    (folder / MODEL).write_text(f"{seal.model_sha256}\n", "utf-8")


def read_at_once(documents: Sequence[Document], domain: Domain) -> Iterator[Understood]:
    """What `building.read_each` gives, by a process for each core: reading is Python's own work."""
    if len(documents) < MANY:
        yield from (understood(document, domain) for document in documents)
        return
    # subtle: a forked process would inherit the locks of onnxruntime's threads, and wait for them
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8), context, _start, (domain.to_json(),)) as pool:
        yield from pool.map(_understood, documents, chunksize=4)


_DOMAIN: list[Domain] = []  # of a process that reads


def _start(domain: str) -> None:
    _DOMAIN.append(Domain.from_json(domain))


def _understood(document: Document) -> Understood:
    return understood(document, _DOMAIN[0])


def stale_parts(manifest: Seal) -> set[str]:
    """What is other than when it was packed, and the files beside it that are not the ones meant."""
    base = KnowledgeFolder(Path("none"))
    stale = {name for name in manifest.files if prebuilt.packed(manifest, name) is None}
    if manifest.stamp != prebuilt.readers():
        stale.add("code")
    if manifest.recipe != recipe_of(read_domain(*base.domain_folders()), base.fact_files()):
        stale.add("domain, facts or claims")
    if (text := prebuilt.packed(manifest, prebuilt.PACKED_TEXT)) is not None:
        with TemporaryDirectory() as folder:
            prebuilt.write_store(path := Path(folder) / TEXT, lzma.decompress(text))
            with open_store(path) as store:
                states = store.file_states()
        wanted = base.wanted(Contents())
        known = [(states.get(source.path.stem), file_times(source.path)) for source in wanted]
        if len(states) != len(wanted) or any(s is None or (s.size, s.modified) != times for s, times in known):
            stale.add("documents")
    return stale


def _pack(base: KnowledgeFolder, seal: Seal, folder: Path, readers: str) -> Seal:
    vectors = read_vectors(open_index(base.generation_folder(seal) / VECTORS))
    _check_rounding(vectors)
    packed = {
        prebuilt.PACKED_TEXT: _packed_store(base.generation_folder(seal) / TEXT),
        prebuilt.PACKED_VECTORS: vectors.astype("<f2").tobytes(),
    }
    for name, data in packed.items():
        (folder / name).write_bytes(data)
    files = {name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in packed.items()}
    manifest = replace(seal, stamp=readers, files=files)
    # in one rename, after the files that it vouches for
    write_atomically(folder / prebuilt.MANIFEST, json.dumps(asdict(manifest), indent=1) + "\n")
    return manifest


def _packed_store(path: Path) -> bytes:
    """The store without what `schema.COMPLETE` makes again, and without the times of this machine's files."""
    slim = path.with_name("slim.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("VACUUM INTO ?", (str(slim),))
    connection.close()
    with sqlite3.connect(slim) as connection:
        connection.executescript(SLIM)
        connection.execute("UPDATE source SET bytes = 0, modified = 0")
        connection.commit()
        connection.execute("VACUUM")
    connection.close()
    return lzma.compress(slim.read_bytes(), preset=6)


def _check_rounding(vectors: Matrix) -> None:
    """Raises PackingFailed where float16 finds other passages: each passage in turn asks for its neighbors."""
    rounded = vectors.astype(np.float16).astype(np.float32)
    exact, found = (np.argsort(-(own @ own.T), axis=1)[:, :NEIGHBORS] for own in (vectors, rounded))
    share = np.mean([len(set(a) & set(b)) / NEIGHBORS for a, b in zip(exact, found, strict=True)])
    if share < SAME:
        raise PackingFailed(f"rounded vectors find {share:.4f} of the same neighbors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    if options.check:
        manifest = prebuilt.read_manifest()
        stale = sorted(stale_parts(manifest)) if manifest else ["everything"]
        print(f"stale: {', '.join(stale)}" if stale else "up to date")
        sys.exit(bool(stale))
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from chipwise_cli.display import progress  # which a build of the wheel does without

    if options.fresh:
        shutil.rmtree(vectors_folder(), ignore_errors=True)
    with progress() as report:
        manifest = renew(report, fresh=options.fresh, keep_vectors=True)
    print(f"{manifest.passages} passages of {manifest.sources} sources")


if __name__ == "__main__":
    main()
