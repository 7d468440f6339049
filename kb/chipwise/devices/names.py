"""A printed name, word by word: the product it names, and what it says of form factor, memory, number and slice.

"8x NVIDIA A100-SXM4-80GB"  ->  SXM, 80 GB, 8 of them, made by NVIDIA, and the core "a100": all words that say nothing else
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

_APART = str.maketrans(dict.fromkeys("-_/,()[]:;+\t\n®™", " "))
_UNITS = (["gb"], ["gib"])


class Label(NamedTuple):
    """What a name says. `core` is what is left of it, `words` are all but number and slice, `stated` is of form and memory."""

    core: str
    words: str
    makers: set[str]
    stated: dict[str, str]
    chips: int
    slice: str


def read_label(name: str, vocabulary: Mapping[str, Any]) -> Label:
    """A name by the words of corpus/devices/names.toml."""
    words, _, part = (side.split() for side in f" {' '.join(split_words(name))} ".partition(" mig "))
    chips, words = _number(words)
    makers, core, stated = set[str](), "", dict[str, str]()
    for place, word in enumerate(words):
        size = word.removesuffix("ib").removesuffix("b").removesuffix("g") if "g" in word else word
        if word in vocabulary["makers"]:
            makers = makers.intersection(vocabulary["makers"][word]) or set(vocabulary["makers"][word])
        elif word in vocabulary["form_factors"]:
            stated["form_factors"] = vocabulary["form_factors"][word]
        elif word in vocabulary["memory_kinds"]:
            stated["memory_kinds"] = word
        elif size.isdecimal() and (size != word or words[place + 1 : place + 2] in _UNITS):
            stated["memory"] = size
        elif word not in vocabulary["empty"] and not ([word] in _UNITS and "memory" in stated):
            core += vocabulary["same"].get(word, word)
    return Label(core, " ".join(words), makers, stated, chips, " ".join(part))


def split_words(name: str) -> list[str]:
    """The words of a name in lower case; a dot stays only inside of one ("1g.5gb")."""
    text = name.lower().replace("(r)", " ").replace("(tm)", " ").replace("pci-e", "pcie")
    return [word for part in text.translate(_APART).split() if (word := part.strip("."))]


def _number(words: list[str]) -> tuple[int, list[str]]:
    """How many of it, and its other words: "8x H100", "8 x H100", "8xH100", but not "7900 XT"."""
    number, _, rest = " ".join(words).replace(" x ", "x ", 1).partition("x")
    return (int(number), rest.split()) if number.isdecimal() and rest else (0, words)
