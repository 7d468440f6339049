"""What each code of a finding means: the pages of `chipwise explain`, read from `corpus/domain/codes.toml`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from chipwise.audit.model import SEVERITIES
from chipwise.corpus import domain_folder
from chipwise.errors import DomainInvalid, SourceUnknown
from chipwise.values import dataclass

NAME = "codes.toml"


@dataclass(frozen=True, slots=True)
class Code:
    """One page. `severity` is the usual one; `example` keeps its lines."""

    code: str
    title: str
    severity: str
    meaning: str
    example: str
    settle: str


@dataclass(frozen=True, slots=True)
class Codes:
    """Every page by its code, in the file's order, and what the families are called, by the codes' first digit."""

    pages: dict[str, Code]
    families: dict[str, str]

    def family(self, code: str) -> str:
        """What the family of a code is called ("Values")."""
        return self.families.get(code[2:3], "")

    def find(self, name: str) -> Code:
        """The page of a code, in any case. Raises SourceUnknown, naming the code that is closest."""
        wanted = name.strip().upper()
        if wanted in self.pages:
            return self.pages[wanted]
        from difflib import get_close_matches  # noqa: PLC0415

        close = get_close_matches(wanted, self.pages, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}? " if close else ""
        raise SourceUnknown(f"there is no code {name!r}", hint=f"{hint}`chipwise explain` lists all")


def read_codes(path: Path | None = None) -> Codes:
    """The pages in `path`, or the shipped ones. Raises DomainInvalid, naming the file and the code."""
    import tomllib  # noqa: PLC0415 (takes a tenth of a question, and most have no finding)

    path = path or domain_folder() / NAME
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:  # TOML's and Unicode's errors are ValueErrors
        raise DomainInvalid(f"{path}: {error}", hint="fix that file") from None
    families = {str(row.get("digit")): str(row.get("title", "")) for row in data.get("family", [])}
    pages: dict[str, Code] = {}
    for number, row in enumerate(data.get("code", []), start=1):
        page = _checked(row, f"{path}: code number {number}")
        if page.code in pages or page.code[2] not in families:
            why = "there twice" if page.code in pages else "of no [[family]]"
            raise DomainInvalid(f"{path}: {page.code} is {why}", hint="fix that entry")
        pages[page.code] = page
    return Codes(pages, families)


def _checked(row: Any, place: str) -> Code:
    names = {field.name for field in fields(Code)}
    if set(row) != names or not all(isinstance(value, str) and value.strip() for value in row.values()):
        raise DomainInvalid(f"{place} must have {', '.join(sorted(names))}, none empty", hint="fix that entry")
    page = Code(**{name: value.strip("\n") for name, value in row.items()})
    if not (page.code.startswith("CW") and page.code[2:].isdigit() and len(page.code) == len("CW101")):
        raise DomainInvalid(f"{place}: {page.code!r} is not a code", hint="a code is CW and three digits")
    if page.severity not in SEVERITIES:
        raise DomainInvalid(f"{place}: {page.severity!r} is not a severity", hint=f"one of {', '.join(SEVERITIES)}")
    return page
