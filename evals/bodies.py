"""How much of a web page's body is kept, and how much of what surrounds it: ours beside trafilatura's.

    python evals/bodies.py [--pages]

The pages are our own, in 26 layouts (`tests/golden/pages`); what is body stands in them between <!--body--> and <!--/body-->.
Token F1: of the words in what is called body, as a bag, against those of the marked stretches; the mean over pages.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean

from lxml import html
from results import Tree, markdown

from chipwise.reading.html import read_html
from chipwise.text import words
from chipwise.types import Role

PAGES = Path(__file__).parent.parent / "tests" / "golden" / "pages"
BODY = re.compile(r"<!--body-->(.*?)<!--/body-->", re.DOTALL)
NOT_BODY = (Role.BOILERPLATE, Role.COMMENT, Role.BIO)


def marked(page: str) -> list[str]:
    """The words between the marks, as a browser would show them."""
    return [w for part in BODY.findall(page) for w in words(" ".join(html.fragment_fromstring(part, "div").itertext()))]


def ours(page: str) -> list[str]:
    """The words of the blocks that are neither furniture nor comments nor about the author."""
    parsed = read_html(page.encode(), "page.html")
    return [w for d in parsed.drafts if d.role not in NOT_BODY for w in words(parsed.text[d.start : d.end])]


def theirs(page: str) -> list[str]:
    """The words that trafilatura extracts, as it comes."""
    from trafilatura import extract

    return words(extract(page, include_comments=False) or "")


def scores(found: list[str], wanted: list[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of words as bags."""
    shared = (Counter(found) & Counter(wanted)).total()
    return shared / max(1, len(found)), shared / len(wanted), 2 * shared / (len(found) + len(wanted))


def measure(each: bool = False) -> Mapping[str, Tree]:
    """By system the means, with `each` also the F1 of every page."""
    pages = {path.stem: path.read_text("utf-8") for path in sorted(PAGES.glob("*.html"))}
    systems: dict[str, Callable[[str], list[str]]] = {"chipwise": ours, "trafilatura": theirs}
    found: dict[str, Tree] = {}
    for name, read in systems.items():
        by_page = {page: scores(read(text), marked(text)) for page, text in pages.items()}
        means = zip(("precision", "recall", "F1"), map(mean, zip(*by_page.values(), strict=True)), strict=True)
        found[name] = {**dict(means), **({page: s[2] for page, s in by_page.items()} if each else {})}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", action="store_true", help="every page's F1 too")
    print(markdown(measure(parser.parse_args().pages)))


if __name__ == "__main__":
    main()
