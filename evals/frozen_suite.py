"""The cases of the generated suite, kept with the frozen state: they are drawn from the facts, so that each new fact draws others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from audit_pages import Case, Page
from audit_suite import make_cases
from frozen_files import FOLDER, is_written, read, write

NAME = "suite"


def read_suite() -> Iterator[tuple[str, Case]]:
    """The kept cases by their ids, "suite/tune/scope/07"; they are drawn now where none are kept."""
    if not is_written(FOLDER, NAME):
        write(FOLDER, NAME, [asdict(case) for case in make_cases()])
    numbers: Counter[str] = Counter()
    for record in read(FOLDER, NAME):
        pages = tuple(Page(page["text"], tuple((a, b) for a, b in page["marks"])) for page in record["pages"])
        case = Case(**{**record, "pages": pages, "codes": tuple(record["codes"])})
        family = f"suite/{case.split}/{case.family.replace(' ', '-')}"
        numbers[family] += 1
        yield f"{family}/{numbers[family]:02}", case
