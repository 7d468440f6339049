"""`chipwise claims`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chipwise.claims.model import Claim, Modality
from chipwise.claims.running import not_stated
from chipwise.errors import NameUnknown
from chipwise.figures.variants import covered
from chipwise.lookups.listing import Listing, among, read_listing, stored_listing, unknown_source
from chipwise.lookups.lookup import Asked, understand
from chipwise.lookups.phrasing import in_words
from chipwise.text import counted, grouped, one_line, plain
from chipwise_cli.display import json_option, kb_option, knowledge_base, open_index, print_json, wrapped

if TYPE_CHECKING:
    from chipwise.domain.model import Domain
    from chipwise.domain.names import Names
    from chipwise.opening import OpenIndex

_NAMES = 8  # unknown names that are shown
_QUOTE = 240  # characters of a quote that are shown


@click.command(epilog="Example: chipwise claims google-tpu-v5p-docs --metric memory")
@click.argument("source")
@click.option("--subject", metavar="NAME", help="Claims about this chip alone, with its variants.")
@click.option("--metric", metavar="NAME", help="Claims of this metric alone.")
@json_option
@kb_option
def command(source: str, subject: str | None, metric: str | None, as_json: bool, kb: str | None) -> None:
    """List what was understood of a document.

    SOURCE is a source as `sources` lists it, or the path of a file, which is
    read and not stored. Exit code 1 means that no claim was found.
    """
    with open_index(knowledge_base(kb)) as index:
        names = index.names
        asked = _asked(names, subject, metric)
        listing = _listing(index, source)
        about = [i for s in asked.subjects for i in covered(names, s, widely=True)]
        claims = among(listing.claims, about, asked.metrics)
        if as_json:
            from chipwise.lookreport import claims_value  # noqa: PLC0415

            print_json(claims_value(listing, claims, index.domain))
        else:
            click.echo(one_line(f"{listing.source}: {listing.title}"))
            for claim in claims:
                _print(names, listing, claim, index.domain)
            among_all = "" if len(claims) == len(listing.claims) else f"{len(claims):,} of "
            click.echo(f"\n{among_all}{counted(len(listing.claims), 'claim')}")
            if listing.left:
                click.echo(wrapped(one_line(_left_out(listing)), "  ", first=""))
    if not claims:
        click.get_current_context().exit(1)


def _left_out(listing: Listing) -> str:
    """ "3 figures left out: 2 of no chip that is known, ...; not known: Zorgon X900 (...)"."""
    from collections import Counter  # noqa: PLC0415

    from chipwise.claims.leftover import Left, why_left  # noqa: PLC0415

    said = {
        Left.SUBJECT: "of no chip that is known",
        Left.METRIC: "of which nothing tells what they measure",
        Left.COMPARISON: "that compare, it is not told what or with what",
        Left.ASIDE: "that are settings, needs, differences or steps of arithmetic",
    }
    counts = Counter(why_left(claim, listing.quote(claim)) for claim in listing.left)
    kinds = ", ".join(f"{counts[why]} {words}" for why, words in said.items() if counts[why])
    total = sum(counts.values())
    named = ", ".join(listing.unknown[:_NAMES]) + (", …" if len(listing.unknown) > _NAMES else "")
    adding = "an [[entity]] in domain/entities.toml of the knowledge base makes a chip known"
    unknown = f"; names that are not known: {named} ({adding})" if named else ""
    return f"{counted(total, 'figure')} left out: {kinds}{unknown}"


def _asked(names: Names, subject: str | None, metric: str | None) -> Asked:
    subjects = understand(names, (subject,)).subjects if subject else ()
    metrics = understand(names, (metric,)).metrics if metric else ()
    if (subject and not subjects) or (metric and not metrics):
        wanted = f"subject {subject!r}" if subject and not subjects else f"metric {metric!r}"
        raise NameUnknown(f"there is no {wanted}", hint="`chipwise facts` lists subjects and, for each, its metrics")
    return Asked(subjects, metrics)


def _listing(index: OpenIndex, source: str) -> Listing:
    stored = stored_listing(index.store, plain(source))
    if stored is not None:
        return stored
    path = Path(source).expanduser()
    if not path.is_file():
        raise unknown_source(index.store, plain(source))
    return read_listing(path, index.domain, index.store.facts())


def _print(names: Names, listing: Listing, claim: Claim, domain: Domain) -> None:
    subject = names.name(claim.subject) if claim.subject else "no subject"
    value = " ".join(filter(None, (listing.written(claim), _meaning(names, claim))))
    head = " · ".join((f"line {listing.line(claim)}", subject, names.name(claim.metric), value))
    click.echo("\n" + click.style(wrapped(one_line(head), "    ", first=""), bold=True))
    slots = "; ".join(_slots(names, claim, domain))
    if slots:
        click.echo(wrapped(one_line(slots), "    "))
    quote = textwrap.shorten(one_line(listing.quote(claim)), _QUOTE, placeholder=" ...")
    click.echo(click.style(wrapped(f'"{quote}"', "    "), dim=True))


def _meaning(names: Names, claim: Claim) -> str:
    """What a figure was taken for where its words do not say so plainly; the name of a category."""
    q = claim.quantity
    if q is None:
        said = names.name(claim.object)
        return f"({said if claim.polarity else f'not {said}'})"
    told = [] if q.bound == "exact" else [q.bound]
    told += [] if q.form == "value" else [f"a {q.form}"]
    told += [f"{grouped(str(q.count))} times"] if q.count > 1 else []
    return f"({', '.join(told)})" if told else ""


def _slots(names: Names, claim: Claim, domain: Domain) -> list[str]:
    """What is known besides subject, metric and value; "specified" and "asserted by the source" go without saying."""
    said = [in_words(claim, names)]
    if claim.modality is not Modality.SPECIFIED and claim.modality.value not in said[0].split(", "):
        said.append(claim.modality.value)
    if claim.attribution:
        said.append(f"according to {claim.attribution}")
    if not claim.polarity:
        said.append("denied")
    if open_axes := not_stated(domain, claim):
        said.append(f"not stated: {' or '.join(domain.axes[axis].name for axis in open_axes)}")
    if claim.doubt:
        said.append(f"not sure: {claim.doubt}")
    return [part for part in said if part]
