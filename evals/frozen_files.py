"""The files of the frozen state: one compact line for each record, packed where a file would be large."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "frozen"
PLAIN = 1_000_000  # bytes; a larger file is packed


def is_written(folder: Path, name: str) -> bool:
    return any(path.exists() for path in _paths(folder, name))


def read(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The records of NAME.jsonl, or of NAME.jsonl.gz."""
    plain, packed = _paths(folder, name)
    data = gzip.decompress(packed.read_bytes()) if packed.exists() else plain.read_bytes()
    for line in data.decode().split("\n")[:-1]:
        yield json.loads(line)


def write(folder: Path, name: str, records: Sequence[Mapping[str, Any]]) -> None:
    """The same records make the same bytes."""
    lines = [json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records]
    data = "".join(lines).encode()
    plain, packed = _paths(folder, name)
    folder.mkdir(exist_ok=True)
    if len(data) > PLAIN:
        packed.write_bytes(gzip.compress(data, mtime=0))
        plain.unlink(missing_ok=True)
    else:
        plain.write_bytes(data)
        packed.unlink(missing_ok=True)


def _paths(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
