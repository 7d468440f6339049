"""Writes down the claims on figures of shipped documents that have none yet, or whose text is another now.

    python evals/authoring.py [--check]

They are proposed by reading and printed for review: what is written down is what we mean, whoever
proposed it, and the difference to what was there is in the version control. What is in doubt waits for somebody to settle it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from records import shipped

from chipwise.claims.authored import authored_claims, write_claims
from chipwise.claims.extract import extract
from chipwise.claims.model import Claim
from chipwise.corpus import claims_folder, shipped_documents
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document


def stale_documents() -> Iterator[Document]:
    """The shipped documents for which nothing holds that is written down, though their text has figures."""
    for path in shipped_documents():
        document = read_file(path)
        if authored_claims(document, split(document)) is None and proposed(document):
            yield document


def proposed(document: Document) -> list[Claim]:
    """The claims on figures as they are read, some in doubt."""
    claims = extract(split(document), shipped()[0], document.info.title)[1]
    return [c for c in claims if c.quantity is not None and c.metric and c.subject]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only name the documents")
    options = parser.parse_args()
    stale = list(stale_documents())
    for document in stale:
        print(document.info.id)
        if options.check:
            continue
        claims = proposed(document)
        write_claims(claims_folder() / f"{document.info.id}.jsonl", document, claims)
        for c in claims:
            print(
                f"  {document.text[c.value_start : c.value_end]!r}: {c.subject} {c.metric} {dict(c.qualifiers)} {c.doubt}"
            )
    sys.exit(bool(stale and options.check))


if __name__ == "__main__":
    main()
