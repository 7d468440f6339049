"""`chipwise facts`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise.figures.variants import covered
from chipwise.lookups.lookup import Asked, Found, find_facts, understand
from chipwise.lookups.phrasing import in_words, value_text
from chipwise.text import counted, one_line
from chipwise_cli.display import json_option, kb_option, knowledge_base, open_index, print_json, wrapped
from chipwise_cli.tables import Columns, cited, quote_lines

if TYPE_CHECKING:
    from chipwise.claims.model import Fact
    from chipwise.domain.names import Names

_OTHERS = 8  # names in a message


@click.command(epilog='Example: chipwise facts "h100 sxm" "memory bandwidth"')
@click.argument("words", nargs=-1, metavar="[SUBJECT] [METRIC]")
@click.option("--all", "deprecated", is_flag=True, help="Show deprecated facts, too, each with its reason.")
@click.option("--quotes", is_flag=True, help="Show the quote that each fact rests on.")
@json_option
@kb_option
def command(words: tuple[str, ...], deprecated: bool, quotes: bool, as_json: bool, kb: str | None) -> None:
    """List curated facts, each with where it stands.

    SUBJECT and METRIC are names as one says them: `facts h100`, `facts v5p
    memory`. A chip's facts include those of its variants. Exit code 1 means
    that there is no such fact.
    """
    with open_index(knowledge_base(kb)) as index:
        names = index.names
        asked = understand(names, words)
        if asked == Asked():
            _overview(names, index.store.count_facts(), as_json=as_json)
            return
        found = find_facts(index.store, names, asked, deprecated=deprecated)
        if as_json:
            from chipwise.lookreport import facts_value  # noqa: PLC0415

            print_json(facts_value(asked, found))
        elif found.facts:
            _print_facts(names, found, quotes=quotes)
        else:
            click.echo(wrapped(_nothing(names, asked, index.store.count_facts())))
    if not found.facts:
        click.get_current_context().exit(1)


def _overview(names: Names, counts: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        from chipwise.lookreport import fact_counts_value  # noqa: PLC0415

        print_json(fact_counts_value(names, counts))
        return
    size = max((len(names.name(i)) for i in counts), default=0)
    for id_, count in counts.items():
        click.echo(f"{count:>4}  {one_line(names.name(id_)):<{size}}  {one_line(id_)}".rstrip())
    click.echo(f"{counted(sum(counts.values()), 'fact')} about {counted(len(counts), 'subject')}")


def _nothing(names: Names, asked: Asked, counts: dict[str, int]) -> str:
    """Why there is none, and what there is instead."""
    about = " or ".join(names.name(s) for s in asked.subjects)
    what = ", ".join(names.name(i) for i in (*asked.metrics, *asked.values))
    said = f"no fact{f' about {about}' if about else ''}{f': {what}' if what else ''}"
    kin = dict.fromkeys(i for s in asked.subjects for i in covered(names, s, widely=True) if i in counts)
    others = [names.name(i) for i in kin]
    return one_line(f"{said}; there are others about {', '.join(others[:_OTHERS])}" if others else said)


def _print_facts(names: Names, found: Found, *, quotes: bool) -> None:
    several = len({fact.claim.subject for fact in found.facts}) > 1
    for number, (metric, group) in enumerate(itertools.groupby(found.facts, lambda fact: fact.claim.metric)):
        click.echo(("\n" if number else "") + click.style(one_line(names.name(metric)), bold=True))
        for subject, facts in itertools.groupby(group, lambda fact: fact.claim.subject):
            if several:
                click.echo(f"  {one_line(names.name(subject))}")
            _print_group(names, list(facts), quotes=quotes, indent="    " if several else "  ")
    if found.left_out:
        click.echo(f"\n{counted(found.left_out, 'deprecated fact')} left out; --all shows them")


def _print_group(names: Names, facts: Sequence[Fact], *, quotes: bool, indent: str) -> None:
    rows = [
        (
            one_line(value_text(f, names)),
            one_line(in_words(f.claim, names)),
            "  ".join(filter(None, (f.as_of, cited(f)))),
        )
        for f in facts
    ]
    columns = Columns.of(rows, indent)
    for fact, row in zip(facts, rows, strict=True):
        columns.print(*row)
        if fact.rank != "preferred":
            reason = one_line(f"{fact.rank}: {fact.reason}" if fact.reason else fact.rank)
            click.echo(wrapped(reason, columns.inner))
        if quotes:
            click.echo(quote_lines(fact, columns.inner))
