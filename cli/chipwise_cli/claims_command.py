"""`chipwise claims`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json, wrapped
from chipwise_cli.text import counted, one_line

if TYPE_CHECKING:
    from chipwise import Claim, KnowledgeBase
    from chipwise.results import Listing

_NAMES = 8  # unknown names that are shown
LEFT = {  # why a figure is in no claim: the same of several
    "no chip that is known is named": "of no chip that is known",
    "what it measures is not said": "of which nothing tells what they measure",
    "what it compares, or with what, is not said": "that compare, it is not told what or with what",
    "it is what something needs": "that something needs",
    "it is what something uses": "that something uses",
    "it is of the machine around the chips": "of the machine around the chips",
    "it is a setting under which something was run": "that are settings of a run",
    "it is a total or a step of arithmetic": "that are totals or steps of arithmetic",
    "it is of something else than hardware": "of something other than hardware",
    "it is only pointed at": "that are only referred to",
    "it is an example": "that are examples",
    "it is a setting, a need, a difference or a step of arithmetic": "that are settings, needs, differences or steps of arithmetic",
}
_QUOTE = 240  # characters of a quote that are shown


@click.command(epilog="Example: chipwise claims google-tpu-v5p-docs --metric memory")
@click.argument("source")
@click.option("--subject", metavar="NAME", help="Only claims about this chip and its variants.")
@click.option("--metric", metavar="NAME", help="Only claims about this metric.")
@json_option
@kb_option
def command(source: str, subject: str | None, metric: str | None, as_json: bool, kb: str | None) -> None:
    """List what was understood of a document.

    SOURCE is a source as `sources` lists it, or the path of a file, which is
    read and not stored. Exit code 1 means that no claim was found.
    """
    with opened(knowledge_base(kb)) as base:
        listing = base.claims(source, subject or "", metric or "")
        if as_json:
            print_json(base.as_json(listing))
        else:
            click.echo(one_line(f"{listing.source}: {listing.title}"))
            for claim in listing.claims:
                _print(base, listing, claim)
            among_all = f"{len(listing.claims):,} of " if listing.others else ""
            click.echo(f"\n{among_all}{counted(len(listing.claims) + listing.others, 'claim')}")
            if listing.left:
                click.echo(wrapped(one_line(_left_out(listing)), "  ", first=""))
    if not listing.claims:
        click.get_current_context().exit(1)


def _left_out(listing: Listing) -> str:
    """ "3 figures left out: 2 of no chip that is known, ...; not known: Zorgon X900 (...)"."""
    counts = listing.reasons_left()
    kinds = ", ".join(f"{counts[why]} {words}" for why, words in LEFT.items() if counts[why])
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
    said = [base.in_words(claim)]
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
