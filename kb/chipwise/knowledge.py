"""A knowledge base on disk: what belongs to it, and which index is the good one.

    DIR/knowledge.json          the documents that were added, the model, shipped corpus or not
    DIR/documents/ID/NAME       a copy of each added document: its original may move
    DIR/domain/*.toml           entities and metrics of the user's own, where there are any
    DIR/index/seal.json         names the good generation; replaced last, in one rename
    DIR/index/g000007/          text.sqlite, vectors.faiss
    DIR/index/encoder-53aa5117/ the query encoder of one model

A build writes a new generation beside the old one. Until the seal names it,
everything reads the old one: a crash, a full disk or a kill -9 changes nothing.
The old one stays until the build after that: some reader may have it open.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from chipwise.contents import DOCUMENTS, FORMAT, AddedDocument, Contents, checked_contents, with_documents
from chipwise.corpus import (
    claims_folder,
    digests_folder,
    document_paths,
    domain_folder,
    facts_folder,
    question_reader_folder,
    shipped_documents,
)
from chipwise.errors import ChipwiseError, KnowledgeBaseDamaged, KnowledgeBaseMissing, StorageFailed
from chipwise.files import file_times, locked, paths_in, read_text, storage_errors, write_atomically
from chipwise.index import schema
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.index.store import Store

TEXT = "text.sqlite"
VECTORS = "vectors.faiss"
CONTENTS_LOCK = ".contents.lock"
FACTS_NOTE = "facts"  # the store's note of what its facts were read from
DOMAIN_NOTE = "domain"  # the store's note that holds the compiled domain
_REBUILD = "run `chipwise build --fresh`"


@dataclass(frozen=True, slots=True)
class WantedSource:
    """A document that the index should hold.

    `id` is None where the file itself says it; `origin` is shown where the file names no URL.
    """

    path: Path
    origin: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """Which generation is good, what it was made from and with, and how its files must look.

    `files` maps a path below index/ to its size in bytes and its sha256; `stamp` is that of the inputs (see
    KnowledgeFolder.stamp), `recipe` of everything that decides how a document becomes passages.
    """

    generation: str
    encoder: str
    model: str
    model_sha256: str
    dim: int
    sources: int
    passages: int
    kind: str
    recipe: str
    stamp: str
    built: str
    versions: dict[str, str] = field(default_factory=dict)
    files: dict[str, tuple[int, str]] = field(default_factory=dict)
    format: int = FORMAT


class KnowledgeFolder:
    """One folder. Constructing it touches nothing on disk.

    Raises KnowledgeBaseMissing for a name that is no UTF-8: FAISS and the encoder's libraries open no such path.
    """

    shared = False  # True where other machines build the index as well

    def __init__(self, folder: Path) -> None:
        try:
            str(folder).encode()
        except UnicodeEncodeError:
            raise KnowledgeBaseMissing(
                f"the name of the folder {str(folder)!r} is not UTF-8", hint="name another folder with --kb"
            ) from None
        self.folder = folder
        self.index_folder = folder / "index"

    @property
    def place(self) -> str:
        """What to call it."""
        return str(self.folder)

    @property
    def contents_path(self) -> Path:
        """The file that `read_contents` reads."""
        return self.folder / "knowledge.json"

    @property
    def seal_path(self) -> Path:
        """The file that `read_seal` reads."""
        return self.index_folder / "seal.json"

    def read_contents(self) -> Contents:
        """What belongs to it; a folder that is new or empty holds the shipped corpus alone."""
        try:
            return checked_contents(json.loads(read_text(self.contents_path)))
        except FileNotFoundError:
            return Contents()
        except NotADirectoryError:
            raise KnowledgeBaseMissing(
                f"{self.folder} is no folder", hint="name a folder with --kb, or one that does not exist yet"
            ) from None
        except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
            raise KnowledgeBaseDamaged(
                f"{self.contents_path} cannot be read: {error}", hint="mend or remove that file"
            ) from None

    @contextmanager
    def editing(self) -> Iterator[Contents]:
        """The contents as they are now, while no other process changes them; `write_contents` goes inside.

        Raises KnowledgeBaseBusy when another does so for ten seconds: reading a
        document, which can take longer, goes before.
        """
        self.read_contents()  # a folder that is none is told before a lock is made in it
        with locked(self.folder / CONTENTS_LOCK, f"changing {self.folder}", timeout=10):
            yield self.read_contents()

    def write_contents(self, contents: Contents) -> None:
        """Replaces what belongs to it, in one rename; only while `editing`, or another's change is lost."""
        write_atomically(self.contents_path, json.dumps({"format": FORMAT, **asdict(contents)}, indent=1))

    def keep_document(self, contents: Contents, document: AddedDocument, data: bytes) -> None:
        """Adds a document with its content, or puts it in place of the one with its id; while `editing`."""
        write_atomically(self.folder / document.file, data)  # a full disk must not cost the copy that is there
        others = tuple(d for d in contents.documents if d.id != document.id)
        self.write_contents(with_documents(contents, (*others, document)))

    def drop_documents(self, contents: Contents, gone: Sequence[AddedDocument]) -> None:
        """Takes documents out; while `editing`."""
        self.write_contents(with_documents(contents, tuple(d for d in contents.documents if d not in gone)))
        for document in gone:
            shutil.rmtree(self.folder / DOCUMENTS / document.id, ignore_errors=True)

    def refuse_occupied(self) -> None:
        """Raises StorageFailed when it holds one already, or anything else."""
        with storage_errors(self.folder):
            occupied = self.folder.exists() and (
                not self.folder.is_dir() or any(path.name != CONTENTS_LOCK for path in self.folder.iterdir())
            )
        if occupied:
            raise StorageFailed(f"{self.folder} is not empty", hint="name a new or an empty folder with --kb")

    def wanted(self, contents: Contents) -> list[WantedSource]:
        """Every document that the index should hold: the shipped ones, then the added."""
        documents = shipped_documents() if contents.shipped else []
        shipped = [WantedSource(path, f"corpus/{path.parent.name}/{path.name}") for path in documents]
        added = [WantedSource(self.folder / d.file, d.origin, d.id) for d in contents.documents]
        return shipped + added

    def domain_folders(self) -> list[Path]:
        """Where the domain is read from; later ones add to earlier ones."""
        return [domain_folder(), self.folder / "domain"]

    def fact_files(self) -> list[Path]:
        """The facts table and the digests that it cites: what it says holds in every knowledge base."""
        return [Path(path) for path in self._fact_paths()]

    def _fact_paths(self) -> list[str]:
        return paths_in(facts_folder(), ".csv") + paths_in(digests_folder(), ".md")

    def find_digest(self, source: str) -> Path | None:
        """The digest of that name that the facts table may cite; where the shipped sources are left out, no source."""
        return next((path for path in self.fact_files() if path.suffix == ".md" and path.stem == source), None)

    def stamp(self, contents: Contents) -> str:
        """A checksum of what the index is made from: all inputs' paths, sizes and times, and our own ways with them.

        One stat for each input, so that a question can afford it; a library of digests takes longer to load than that.
        """
        ways = f"{schema.VERSION} {schema.EXTRACTION}"  # an index of an older chipwise is brought up to date
        claims = claims_folder().stat().st_mtime_ns if claims_folder().is_dir() else 0
        lines = [f"{ways} {contents.model} {contents.shipped} {claims}"]
        # a folder that is named from elsewhere is the same folder
        lines += [f"{os.path.abspath(path)}\t{file_times(path)}" for path in self.inputs(contents)]  # noqa: PTH100
        text = "\n".join(lines).encode("utf-8", "surrogateescape")
        return f"{zlib.crc32(text):08x}-{len(text)}"

    def inputs(self, contents: Contents) -> list[str]:
        """The files that the index is made from."""
        paths = document_paths() if contents.shipped else []
        paths += [str(path) for d in contents.documents for path in (self.folder / d.file, Path(d.origin))]
        paths += paths_in(question_reader_folder(), (".safetensors", ".json"))
        paths += [path for folder in self.domain_folders() for path in paths_in(folder, ".toml")]
        return list(dict.fromkeys(paths + self._fact_paths()))  # a digest that is shipped and cited is one file

    def find_seal(self) -> Seal | None:
        """The seal, or None where nothing was built yet. Raises KnowledgeBaseDamaged for one that is no seal."""
        try:
            data = json.loads(read_text(self.seal_path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, OSError, RecursionError) as error:
            raise KnowledgeBaseDamaged(f"{self.seal_path} cannot be read: {error}", hint=_REBUILD) from None
        return checked_seal(data, self.seal_path)

    def read_seal(self) -> Seal:
        """The seal of an index whose files are there and whole, by name and size.

        Raises KnowledgeBaseMissing when nothing was built, KnowledgeBaseDamaged
        when a file is gone or was cut. Reads no content: `doctor` compares checksums.
        """
        seal = self.find_seal()
        if seal is None:
            raise KnowledgeBaseMissing(f"{self.folder} holds no index yet", hint="run `chipwise build`")
        for name, (size, _) in seal.files.items():
            path = self.index_folder / name
            found = file_times(path)
            if found is None or found[0] != size:
                what = "is missing" if found is None else f"has {found[0]:,} bytes instead of {size:,}"
                raise KnowledgeBaseDamaged(f"{path} {what}", hint=_REBUILD)
        return seal

    @contextmanager
    def reading(self, seal: Seal | None) -> Iterator[None]:
        """Turns whatever a sealed file that was altered leads to into KnowledgeBaseDamaged.

        Bytes that are not those written give errors of any kind, from SQLite, JSON, FAISS or our own code. Where all
        files have their checksums the error is a mistake of ours and keeps its traceback.
        """
        try:
            yield
        except ChipwiseError:
            raise
        except Exception as error:
            broken = None if seal is None else next(self.altered(seal), None)
            if broken is None:
                raise
            raise KnowledgeBaseDamaged(broken, hint=_REBUILD) from error

    def altered(self, seal: Seal) -> Iterator[str]:
        """What is wrong with each sealed file that is not as it was written, read whole."""
        import hashlib  # noqa: PLC0415 (no question needs it)

        for name, (_, expected) in seal.files.items():
            path = self.index_folder / name
            try:
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                yield f"{path} cannot be read: {error.strerror}"
                continue
            if digest != expected:
                yield f"{path} was altered after it was written"

    def write_seal(self, seal: Seal) -> None:
        """Makes a generation the good one, in one rename."""
        write_atomically(self.seal_path, json.dumps(asdict(seal), indent=1))

    def generation_folder(self, seal: Seal) -> Path:
        """Where the sealed text and vectors are."""
        return self.index_folder / seal.generation

    def encoder_folder(self, seal: Seal) -> Path:
        """Where the sealed query encoder is."""
        return self.index_folder / seal.encoder

    def open_sealed(self, seal: Seal) -> tuple[Seal, Store]:
        """The store of `seal`, or of the generation that took its place since that was read."""
        from chipwise.index.store import open_store  # noqa: PLC0415

        try:
            return seal, open_store(self.generation_folder(seal) / TEXT)
        except KnowledgeBaseDamaged:
            newer = self.read_seal()
            if newer.generation == seal.generation:
                raise
            return newer, open_store(self.generation_folder(newer) / TEXT)

    def open_vectors(self, seal: Seal, store: Store) -> Any:
        """The vectors of the sealed passages, for `index.vectors` to search."""
        from chipwise.index.vectors import open_index  # noqa: PLC0415

        return open_index(self.generation_folder(seal) / VECTORS)

    def count_vectors(self, seal: Seal, store: Store) -> int:
        """How many vectors there are: one for each passage where all is well."""
        return int(self.open_vectors(seal, store).ntotal)

    def bytes_on_disk(self) -> int:
        """The sizes of all files; what a build removes meanwhile counts nothing."""
        paths = (Path(at, name) for at, _, names in os.walk(self.folder) for name in names)
        return sum(times[0] for path in paths if (times := file_times(path)) is not None)


def checked_seal(data: Any, path: Path) -> Seal:
    """The seal that parsed JSON stands for. Raises KnowledgeBaseDamaged for any other value, read from `path`."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else None
        raise KnowledgeBaseDamaged(f"{path} has format {found!r}, this chipwise reads {FORMAT}", hint=_REBUILD)
    try:
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in data["files"].items()}
        seal = Seal(**{**data, "files": files})
        _check_kinds(seal)
        return seal
    except (TypeError, KeyError, ValueError, AttributeError, OverflowError) as error:
        raise KnowledgeBaseDamaged(f"{path} is no seal of an index: {error}", hint=_REBUILD) from None


def _check_kinds(seal: Seal) -> None:
    """Raises TypeError or ValueError for a value that no build writes: names lead to files, numbers and texts are shown."""
    names = [seal.generation, seal.encoder, seal.model_sha256]  # of folders, or parts of such names
    texts = [*names, seal.model, seal.kind, seal.recipe, seal.stamp, seal.built]
    texts += [*seal.files, *seal.versions.keys(), *seal.versions.values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a name in it is no text")
    for text in texts:
        text.encode()  # a lone surrogate can be written nowhere
    if not all(name.isascii() and name.replace("-", "").isalnum() for name in names):
        raise ValueError("a generation or an encoder is no name of a folder")
    if any("\0" in name or PurePath(name).is_absolute() or ".." in PurePath(name).parts for name in seal.files):
        raise ValueError("a file of it is no path below it")
    if not all(type(number) is int and number >= 0 for number in (seal.dim, seal.sources, seal.passages)):
        raise TypeError("a number in it is none")
