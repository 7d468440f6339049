"""A knowledge base on disk: its contents, and which generation of its index is current.

    DIR/knowledge.json          the added documents, the model, shipped corpus or not
    DIR/documents/ID/NAME       a copy of each added document: its original may move
    DIR/domain/*.toml           the user's own entities and metrics, if any
    DIR/index/seal.json         names the current generation; replaced last, in one rename
    DIR/index/g000007/          text.sqlite, vectors.faiss
    DIR/index/encoder-53aa5117/ the query encoder of one model

A build writes a new generation next to the old one. Until the seal names it, everything reads the
old one: a crash, a full disk or a kill -9 changes nothing. The old one stays until the next build,
because some reader may have it open.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field, replace
from pathlib import Path, PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any

from chipwise import corpus, files
from chipwise import patterns as re
from chipwise.corpus import digests_folder, domain_folder, facts_folder, shipped_documents
from chipwise.errors import ChipwiseError, KnowledgeBaseDamaged, KnowledgeBaseMissing, StorageFailed
from chipwise.files import FileState, file_times, locked, paths_in, read_text, storage_errors, write_atomically
from chipwise.index import schema
from chipwise.models import DEFAULT_MODEL
from chipwise.values import dataclass

if TYPE_CHECKING:
    from chipwise.index.store import Store

_FORMAT = 1  # of knowledge.json and seal.json
DOCUMENTS = "documents"  # the folder of the copies
_ID = re.compile(r"[a-z0-9-]+")  # a slug, see reading.files
TEXT = "text.sqlite"
VECTORS = "vectors.faiss"
CONTENTS_LOCK = ".contents.lock"
FACTS_NOTE = "facts"  # note in the store: the files that its facts were read from
DOMAIN_NOTE = "domain"  # note in the store: the compiled domain
_REBUILD = "run `chipwise build --fresh`"


@dataclass(frozen=True, slots=True)
class AddedDocument:
    """A document added by the user. `file` is our copy, below the folder; `size` and `modified` belong to its original."""

    id: str
    origin: str
    file: str
    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Contents:
    """The shipped corpus or none, the embedding model, and the added documents."""

    shipped: bool = True
    model: str = DEFAULT_MODEL
    documents: tuple[AddedDocument, ...] = ()


def checked_contents(data: Any) -> Contents:
    """Validate parsed JSON and return the contents. Raises ValueError, KeyError or TypeError."""
    if data["format"] != _FORMAT:
        raise ValueError(f"it has format {data['format']!r}; this chipwise reads {_FORMAT}")
    shipped, model, documents = data["shipped"], data["model"], data["documents"]
    if not (isinstance(shipped, bool) and isinstance(model, str) and isinstance(documents, list)):
        raise TypeError("`shipped` must be true or false, `model` a name, `documents` a list")
    model.encode()  # JSON may contain a lone surrogate, which can't be written
    return Contents(shipped, model, tuple(checked_document(d) for d in documents))


def checked_document(data: Any) -> AddedDocument:
    """Validate JSON or a row and return the document, whose file will be written. Raises ValueError, KeyError or TypeError."""
    document = AddedDocument(**data)
    texts: tuple[object, ...] = (document.id, document.origin, document.file)
    numbers: tuple[object, ...] = (document.size, document.modified)
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        raise TypeError("`id`, `origin` and `file` of a document must be text")
    document.id.encode()
    document.file.encode("utf-8", "surrogateescape")  # a file's name may not be UTF-8
    if not all(type(number) is int for number in numbers):
        raise TypeError("`size` and `modified` of a document must be whole numbers")
    if not _ID.fullmatch(document.id):
        raise ValueError(f"{document.id!r} is not an id: use lower-case letters, digits and hyphens")
    parts = PurePosixPath(document.file).parts
    if parts[:-1] != (DOCUMENTS, document.id) or parts[-1] == "..":
        raise ValueError(f"{document.file!r} is not a path of the form {DOCUMENTS}/{document.id}/NAME")
    return document


@dataclass(frozen=True, slots=True)
class WantedSource:
    """A document that belongs in the index.

    `id` is None if the file itself gives it; `origin` is shown if the file gives no URL.
    """

    path: Path
    origin: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """The current generation, its inputs and tools, and the expected state of its files.

    `files` maps a path below index/ to its size in bytes and its sha256. `stamp` identifies the inputs (see
    KnowledgeFolder.stamp), `recipe` everything that decides how a document becomes passages.
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
    format: int = _FORMAT


class KnowledgeFolder:
    """A folder with a knowledge base. Constructing it touches nothing on disk.

    Raises KnowledgeBaseMissing for a name that isn't UTF-8, which FAISS and the encoder's libraries can't open.
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
        self.contents_path, self.seal_path = folder / "knowledge.json", self.index_folder / "seal.json"

    @property
    def place(self) -> str:
        """The folder's path, for display."""
        return str(self.folder)

    def read_contents(self) -> Contents:
        """Read the contents; a new or empty folder holds only the shipped corpus."""
        try:
            return checked_contents(json.loads(read_text(self.contents_path)))
        except FileNotFoundError:
            return Contents()
        except NotADirectoryError:
            raise KnowledgeBaseMissing(
                f"{self.folder} is not a folder", hint="name a folder with --kb, or one that doesn't exist yet"
            ) from None
        except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
            raise KnowledgeBaseDamaged(
                f"{self.contents_path} cannot be read: {error}", hint="fix or remove that file"
            ) from None

    @contextmanager
    def editing(self) -> Iterator[Contents]:
        """Lock the contents and yield them as they are now; call `write_contents` inside.

        Raises KnowledgeBaseBusy if another process holds the lock for ten seconds. Read documents before, because
        that can take longer.
        """
        self.read_contents()  # fails for a non-folder before a lock is made in it
        with locked(self.folder / CONTENTS_LOCK, f"changing {self.folder}", timeout=10):
            yield self.read_contents()

    def write_contents(self, contents: Contents) -> None:
        """Replace the contents in one rename. Call it only while `editing`, or another process's change is lost."""
        write_atomically(self.contents_path, json.dumps({"format": _FORMAT, **asdict(contents)}, indent=1))

    def keep_document(self, contents: Contents, document: AddedDocument, data: bytes) -> None:
        """Add a document with its content, replacing one with the same id. Call it while `editing`."""
        write_atomically(self.folder / document.file, data)  # a full disk must not cost the existing copy
        others = tuple(d for d in contents.documents if d.id != document.id)
        self.write_contents(replace(contents, documents=(*others, document)))

    def drop_documents(self, contents: Contents, gone: Sequence[AddedDocument]) -> None:
        """Remove documents. Call it while `editing`."""
        kept = tuple(d for d in contents.documents if d not in gone)
        self.write_contents(replace(contents, documents=kept))
        for document in gone:
            shutil.rmtree(self.folder / DOCUMENTS / document.id, ignore_errors=True)

    def refuse_occupied(self) -> None:
        """Raise StorageFailed if the folder isn't empty."""
        with storage_errors(self.folder):
            occupied = self.folder.exists() and (
                not self.folder.is_dir() or any(path.name != CONTENTS_LOCK for path in self.folder.iterdir())
            )
        if occupied:
            raise StorageFailed(f"{self.folder} is not empty", hint="name a new or an empty folder with --kb")

    def wanted(self, contents: Contents) -> list[WantedSource]:
        """List every document that belongs in the index: the shipped ones, then the added ones."""
        documents = shipped_documents() if contents.shipped else []
        shipped = [WantedSource(path, f"corpus/{path.parent.name}/{path.name}") for path in documents]
        added = [WantedSource(self.folder / d.file, d.origin, d.id) for d in contents.documents]
        return shipped + added

    def read_source(self, source: WantedSource, before: FileState | None) -> tuple[bytes, FileState] | None:
        """Return a document's content and state; None if its file has size and time of the state `before`. Raises OSError."""
        if before is not None and file_times(source.path) == (before.size, before.modified):
            return None
        return files.read_with_state(source.path)

    def domain_folders(self) -> list[Path]:
        """The folders of the domain; later ones extend earlier ones."""
        return [domain_folder(), self.folder / "domain"]

    def fact_files(self) -> list[Path]:
        """List the facts table and the digests that it cites, which apply in every knowledge base."""
        return [Path(path) for path in _fact_paths()]

    def find_digest(self, source: str) -> Path | None:
        """Return the digest of that name that the facts table may cite, or None. It is a source only with the shipped corpus."""
        return next((path for path in self.fact_files() if path.suffix == ".md" and path.stem == source), None)

    def stamp(self, contents: Contents) -> str:
        """Return a checksum of the index's inputs: their paths, sizes and times, and the version of our own code.

        It takes one stat per input, which a question can afford; importing a library of digests would take longer.
        """
        ways = f"{schema.VERSION} {schema.EXTRACTION}"  # a new version of chipwise rebuilds an old index
        claims = corpus.claims_folder().stat().st_mtime_ns if corpus.claims_folder().is_dir() else 0
        lines = [f"{ways} {contents.model} {contents.shipped} {claims}"]
        # absolute paths, because a relative --kb may name the same folder from elsewhere
        lines += [f"{os.path.abspath(path)}\t{file_times(path)}" for path in self.inputs(contents)]  # noqa: PTH100
        text = "\n".join(lines).encode("utf-8", "surrogateescape")
        return f"{zlib.crc32(text):08x}-{len(text)}"

    def inputs(self, contents: Contents) -> list[str]:
        """List the input files of the index."""
        paths = corpus.document_paths() if contents.shipped else []
        paths += [str(path) for d in contents.documents for path in (self.folder / d.file, Path(d.origin))]
        paths += paths_in(corpus.question_reader_folder(), (".safetensors", ".json"))
        paths += [path for folder in self.domain_folders() for path in paths_in(folder, ".toml")]
        return list(dict.fromkeys(paths + _fact_paths()))  # a digest may be both shipped and cited

    def find_seal(self) -> Seal | None:
        """Return the seal, or None if nothing was built yet. Raises KnowledgeBaseDamaged if it is invalid."""
        try:
            data = json.loads(read_text(self.seal_path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, OSError, RecursionError) as error:
            raise KnowledgeBaseDamaged(f"{self.seal_path} cannot be read: {error}", hint=_REBUILD) from None
        return checked_seal(data, self.seal_path)

    def read_seal(self) -> Seal:
        """Return the seal after checking that its files exist and have the right size.

        Raises KnowledgeBaseMissing if nothing was built, KnowledgeBaseDamaged if a file is missing or
        truncated. Reads no content: `doctor` compares checksums.
        """
        seal = self.find_seal()
        if seal is None:
            raise KnowledgeBaseMissing(f"{self.folder} holds no index yet", hint="run `chipwise build`")
        for name, (size, _) in seal.files.items():
            path = self.index_folder / name
            times = file_times(path)
            if times is None or times[0] != size:
                problem = "is missing" if times is None else f"has {times[0]:,} bytes instead of {size:,}"
                raise KnowledgeBaseDamaged(f"{path} {problem}", hint=_REBUILD)
        return seal

    @contextmanager
    def reading(self, seal: Seal | None) -> Iterator[None]:
        """Turn any error caused by an altered sealed file into KnowledgeBaseDamaged.

        Altered bytes can raise errors of any kind, from SQLite, JSON, FAISS or our own code. If all checksums
        match, the error is a bug of ours and keeps its traceback.
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
        """Yield a message for each sealed file that differs from what was written. Reads all of them."""
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
        """Make a generation the current one, in one rename."""
        write_atomically(self.seal_path, json.dumps(asdict(seal), indent=1))

    def generation_folder(self, seal: Seal) -> Path:
        """The folder of the sealed text and vectors."""
        return self.index_folder / seal.generation

    def encoder_folder(self, seal: Seal) -> Path:
        """The folder of the sealed query encoder."""
        return self.index_folder / seal.encoder

    def open_sealed(self, seal: Seal) -> tuple[Seal, Store]:
        """Open the store of `seal`, or of a newer generation that has replaced it since."""
        from chipwise.index.store import open_store  # noqa: PLC0415

        try:
            return seal, open_store(self.generation_folder(seal) / TEXT)
        except KnowledgeBaseDamaged:
            newer = self.read_seal()
            if newer.generation == seal.generation:
                raise
            return newer, open_store(self.generation_folder(newer) / TEXT)

    def open_vectors(self, seal: Seal, store: Store) -> Any:
        """Open the vectors of the sealed passages, for `index.vectors` to search."""
        from chipwise.index.vectors import open_index  # noqa: PLC0415

        return open_index(self.generation_folder(seal) / VECTORS)

    def count_vectors(self, seal: Seal, store: Store) -> int:
        """Count the vectors: one per passage, if all is well."""
        return int(self.open_vectors(seal, store).ntotal)

    def bytes_on_disk(self) -> int:
        """Sum the sizes of all files, ignoring any that a build removes meanwhile."""
        paths = (Path(at, name) for at, _, names in os.walk(self.folder) for name in names)
        return sum(times[0] for path in paths if (times := file_times(path)) is not None)


def _fact_paths() -> list[str]:
    return paths_in(facts_folder(), ".csv") + paths_in(digests_folder(), ".md")


def checked_seal(data: Any, path: Path) -> Seal:
    """Validate JSON read from `path` and return the seal. Raises KnowledgeBaseDamaged."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        version = data.get("format") if isinstance(data, dict) else None
        raise KnowledgeBaseDamaged(f"{path} has format {version!r}; this chipwise reads {_FORMAT}", hint=_REBUILD)
    try:
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in data["files"].items()}
        seal = Seal(**{**data, "files": files})
        _check_kinds(seal)
        return seal
    except (TypeError, KeyError, ValueError, AttributeError, OverflowError) as error:
        raise KnowledgeBaseDamaged(f"{path} is not a valid seal: {error}", hint=_REBUILD) from None


def _check_kinds(seal: Seal) -> None:
    """Raise TypeError or ValueError for values that no build writes: names become paths, numbers and texts are shown."""
    names = [seal.generation, seal.encoder, seal.model_sha256]  # of folders, or parts of such names
    texts = [*names, seal.model, seal.kind, seal.recipe, seal.stamp, seal.built]
    texts += [*seal.files, *seal.versions.keys(), *seal.versions.values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a name is not text")
    for text in texts:
        text.encode()  # a lone surrogate can't be written
    if not all(name.isascii() and name.replace("-", "").isalnum() for name in names):
        raise ValueError("the name of a generation or an encoder is not a folder name")
    if any("\0" in name or PurePath(name).is_absolute() or ".." in PurePath(name).parts for name in seal.files):
        raise ValueError("a file is not a path below the index")
    if not all(type(number) is int and number >= 0 for number in (seal.dim, seal.sources, seal.passages)):
        raise TypeError("a count is not a number")
