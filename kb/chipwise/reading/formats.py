"""Which files are cells or code, by the suffix of their name, and which formats nobody here reads."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

DELIMITED: Final = {".csv": ",;\t|", ".tsv": "\t"}
YAML: Final = frozenset((".yaml", ".yml"))
# by suffix, whose words and comments a file has
LANGUAGES: Final = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    ".rs": "rust",
    ".toml": "toml",
    ".json": "json",
    **dict.fromkeys(".go .ts .tsx .js .mjs .jsx .java .kt .swift .cs .scala .dart .zig".split(), ""),
    **dict.fromkeys(".c .h .cc .cpp .cxx .hpp .hh .cu .cuh .hip .cl .metal".split(), ""),
}
STRUCTURED: Final = frozenset((*DELIMITED, *YAML, *LANGUAGES))
# what may hold constants too, and no reader of ours knows
UNREAD: Final = frozenset(
    ".ipynb .rb .lua .sh .bash .ps1 .php .pl .r .jl .m .xlsx .xls .ods .parquet .arrow .feather .sqlite .db .xml .proto .sql .ini .cfg .hcl .tf"
    " .hs .ml .ex .exs .erl .clj .vb .f90 .asm .wasm .pkl .npy .npz .h5 .pt .safetensors .gguf .zip .gz .tar .png .jpg .jpeg .svg".split()
)


def is_structured(name: str) -> bool:
    """True for a file that holds cells or code, and no prose."""
    return PurePath(name).suffix.lower() in STRUCTURED
