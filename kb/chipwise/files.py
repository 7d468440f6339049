"""Files of a knowledge base: their state, atomic replacement, locks, and disk errors.

It knows nothing of their contents, and loads neither SQLite nor the lock's library until
needed: a question that changes nothing needs no lock.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chipwise.errors import KnowledgeBaseBusy, StorageFailed
from chipwise.values import dataclass

# errors of the disk, the file system or its permissions; any other error is a bug of ours and keeps its traceback
_REFUSALS = frozenset(
    getattr(errno, name)
    for name in """ENOSPC EDQUOT EFBIG EIO EROFS EACCES EPERM EMFILE ENFILE ENOTDIR EISDIR EEXIST ENOTEMPTY
    ELOOP ENAMETOOLONG ENOLCK EBUSY ESTALE ETIMEDOUT ENODEV ENXIO""".split()
    if hasattr(errno, name)  # Windows has no quota
)
# kind -> the XDG variable, and its default folder
_XDG = {
    "config": ("XDG_CONFIG_HOME", "~/.config"),
    "data": ("XDG_DATA_HOME", "~/.local/share"),
    "state": ("XDG_STATE_HOME", "~/.local/state"),
}
_SQLITE_REFUSALS = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN")


@dataclass(frozen=True, slots=True)
class FileState:
    """The state by which to recognize an unchanged source file."""

    sha256: str
    size: int
    modified: int


def user_folder(kind: str) -> Path:
    """Return chipwise's folder for the user's "config", "data" or "state"."""
    if sys.platform == "linux":  # same result as platformdirs, whose import takes a tenth of a look-up
        variable, default = _XDG[kind]
        value = os.environ.get(variable, "")
        folder = Path(value if os.path.isabs(value) else os.path.expanduser(default))  # noqa: PTH111, PTH117
        if folder.is_absolute():
            return folder / "chipwise"
    import platformdirs  # noqa: PLC0415

    return Path(getattr(platformdirs, f"user_{kind}_dir")("chipwise", appauthor=False))


def file_times(path: Path | str) -> tuple[int, int] | None:
    """Return size and modification time in nanoseconds, or None if there is no regular file."""
    try:
        state = os.stat(path)  # noqa: PTH116 (a question asks this of some hundred, as text)
    except OSError:
        return None
    return (state.st_size, state.st_mtime_ns) if stat.S_ISREG(state.st_mode) else None


def paths_in(folder: Path, ending: str | tuple[str, ...]) -> list[str]:
    """List the files of a folder with such an ending, sorted by name; [] if there is no folder.

    Paths are text, because Path objects take several times as long, and every question checks some hundred files.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 (a path of each name is what is to be spared)
    except OSError:
        return []
    return [f"{folder}{os.sep}{name}" for name in sorted(names) if name.endswith(ending)]


def read_whole(path: Path) -> bytes:
    """Read one of our own files. Raises OSError, also for a pipe or a device, which may never end."""
    with open(path, "rb", opener=without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return file.read()


def without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe that has no writer, so that it can be told from a regular file."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: Path) -> str:
    """Read the text of one of our own files. Raises OSError, and ValueError for invalid UTF-8."""
    return read_whole(path).decode("utf-8").replace("\r\n", "\n")


def read_with_state(path: Path) -> tuple[bytes, FileState]:
    """Return a file's content and its state, for later comparison with `file_times`. Raises OSError."""
    import hashlib  # noqa: PLC0415 (no look-up needs it)

    # subtle: take the times first; taken afterwards, they could hide a change that wasn't read
    times = file_times(path)
    data = read_whole(path)
    return data, FileState(hashlib.sha256(data).hexdigest(), *(times or (len(data), 0)))


def make_folder(path: Path) -> None:
    """Create a folder with its parents. Raises StorageFailed."""
    try:
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)
    except FileNotFoundError as error:  # /proc and an automounter's folder answer so
        raise _storage_failed(path, error) from error


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write to a temporary file and rename it over `path`; on failure, the old file stays whole."""
    make_folder(path.parent)
    with storage_errors(path):
        # short, because `path` may already have the maximum length; random, because two containers share process ids
        beside = path.with_name(f".{os.urandom(4).hex()}.part")
        try:
            with beside.open("wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def locked(path: Path, doing: str, *, timeout: float) -> Iterator[None]:
    """Hold the lock file `path` while `doing` something that only one process may do at a time.

    Raises KnowledgeBaseBusy if another process keeps it for `timeout` seconds, and StorageFailed.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415

    make_folder(path.parent)
    lock = FileLock(path, timeout=timeout)
    with storage_errors(path.parent):
        try:
            lock.acquire()
        except Timeout:
            raise KnowledgeBaseBusy(
                f"another chipwise is {doing}", hint="wait until it has finished, then try again"
            ) from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn disk errors, from the system or from SQLite, into StorageFailed."""
    try:
        yield
    except Exception as error:
        if not _is_refusal(error):
            raise
        raise _storage_failed(path, error) from error


def _is_refusal(error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in _REFUSALS
    # only sqlite3's errors have this attribute; a check of their type would load SQLite
    return str(getattr(error, "sqlite_errorname", "")).startswith(_SQLITE_REFUSALS)


def _storage_failed(path: Path, error: Exception) -> StorageFailed:
    return StorageFailed(
        f"{path} cannot be written: {getattr(error, 'strerror', None) or error}",
        hint="free some space or permission there, or name another folder with --kb",
    )
