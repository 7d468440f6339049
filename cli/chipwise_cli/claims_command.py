"""`chipwise claims`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from chipwise.text import counted, one_line
from chipwise_cli.display import Found, on_base, wrapped

if TYPE_CHECKING:
    from chipwise import Claim, KnowledgeBase
    from chipwise.results import Listing

_NAMES = 8  # unknown names that are shown
_QUOTE = 240  # characters of a quote that are shown


@click.command(epilog="Example: chipwise claims google-tpu-v5p-docs --metric memory")
@click.argument("source")
@click.option("--subject", metavar="NAME", help="Only claims about this chip and its variants.")
@click.option("--metric", metavar="NAME", help="Only claims about this metric.")
@on_base
def command(base: KnowledgeBase, source: str, subject: str | None, metric: str | None) -> Found:
    """List the claims that were read in a document.

    SOURCE is a source as `sources` lists it, or the path of a file, which is not stored. Exit code 1 means that there is
    no claim.
    """
    listing = base.claims(source, subject or "", metric or "")
    return listing, lambda: _print_listing(base, listing), bool(listing.claims)


def _print_listing(base: KnowledgeBase, listing: Listing) -> None:
    click.echo(one_line(f"{listing.source}: {listing.title}"))
    for claim in listing.claims:
        _print(base, listing, claim)
    among_all = f"{len(listing.claims):,} of " if listing.others else ""
    click.echo(f"\n{among_all}{counted(len(listing.claims) + listing.others, 'claim')}")
    if listing.left:
        click.echo(wrapped(one_line(_left_out(listing)), "  ", first=""))


def _left_out(listing: Listing) -> str:
    """ "3 figures left out: 2 (no chip that is known is named), ...; names that are not known: Zorgon X900 (...)"."""
    counts = listing.reasons_left()
    kinds = ", ".join(f"{count} ({why})" for why, count in counts.most_common())
    named = ", ".join(listing.unknown[:_NAMES]) + (", …" if len(listing.unknown) > _NAMES else "")
    adding = "an [[entity]] in domain/entities.toml of the knowledge base makes a chip known"
    unknown = f"; names that are not known: {named} ({adding})" if named else ""
    return f"{counted(counts.total(), 'figure')} left out: {kinds}{unknown}"


def _print(base: KnowledgeBase, listing: Listing, claim: Claim) -> None:
    subject = base.name(claim.subject) if claim.subject else "no subject"
    value = " ".join(filter(None, (listing.written(claim), _meaning(base, claim))))
    head = " · ".join((f"line {listing.line(claim)}", subject, base.name(claim.metric), value))
    click.echo("\n" + click.style(wrapped(one_line(head), "    ", first=""), bold=True))
    slots = "; ".join(_slots(base, claim))
    if slots:
        click.echo(wrapped(one_line(slots), "    "))
    quote = textwrap.shorten(one_line(listing.quote(claim)), _QUOTE, placeholder=" ...")
    click.echo(click.style(wrapped(f'"{quote}"', "    "), dim=True))


def _meaning(base: KnowledgeBase, claim: Claim) -> str:
    """What a figure was taken for where its words do not say so plainly; the name of a category."""
    q = claim.quantity
    if q is None:
        said = base.name(claim.object)
        return f"({said if claim.polarity else f'not {said}'})"
    told = [] if q.bound == "exact" else [q.bound]
    told += [] if q.form == "value" else [f"a {q.form}"]
    told += [f"{q.count:,} times"] if q.count > 1 else []
    return f"({', '.join(told)})" if told else ""


def _slots(base: KnowledgeBase, claim: Claim) -> list[str]:
    """What is known besides subject, metric and value; "specified" and "asserted by the source" go without saying."""
    said = [base.in_words(claim), *base.conditions(claim)]
    if claim.modality.value != "specified" and claim.modality.value not in said[0].split(", "):
        said.append(claim.modality.value)
    if claim.attribution:
        said.append(f"according to {claim.attribution}")
    if not claim.polarity:
        said.append("denied")
    if open_axes := base.not_stated(claim):
        said.append(f"not stated: {' or '.join(open_axes)}")
    if claim.doubt:
        said.append(f"not sure: {claim.doubt}")
    return [part for part in said if part]
