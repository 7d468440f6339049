"""`chipwise facts`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise.text import counted, one_line
from chipwise_cli.display import Found, on_base, wrapped
from chipwise_cli.tables import cited, form_option, in_columns, print_rows

if TYPE_CHECKING:
    from chipwise import Fact, KnowledgeBase
    from chipwise.results import FactList


@click.command(epilog='Example: chipwise facts "h100 sxm" "memory bandwidth"')
@click.argument("words", nargs=-1, metavar="[SUBJECT] [METRIC]")
@click.option("--all", "deprecated", is_flag=True, help="Also show deprecated facts, each with its reason.")
@click.option("--quotes", is_flag=True, help="Show the quote behind each fact.")
@form_option
@on_base
def command(base: KnowledgeBase, words: tuple[str, ...], deprecated: bool, quotes: bool, form: str) -> Found:
    """List curated facts, each with its source.

    SUBJECT and METRIC are everyday names: `facts h100`, `facts v5p memory`. A chip's facts include those of
    its variants. Exit code 1 means that there is no such fact.
    """
    found = base.facts(*words, deprecated=deprecated) if words else None
    if found is None or not found.asked.names_anything:
        return _overview(base)
    return found, lambda: _print(base, found, form, quotes=quotes), bool(found.facts)


_HEADER = ("subject", "metric", "value", "qualifiers", "as of", "rank", "source", "line", "quote")


def _row(base: KnowledgeBase, fact: Fact) -> list[str]:
    claim, at = fact.claim, fact.citation
    about = [base.name(claim.subject), base.name(claim.metric), base.value_text(fact), base.in_words(claim)]
    return [*about, fact.as_of, fact.rank, claim.source, str(at.line), at.quote]


def _overview(base: KnowledgeBase) -> Found:
    counts = base.fact_counts()
    subjects = [{"subject": id_, "name": base.name(id_), "facts": count} for id_, count in counts.items()]

    def show() -> None:
        size = max((len(base.name(id_)) for id_ in counts), default=0)
        for id_, count in counts.items():
            click.echo(f"{count:>4}  {one_line(base.name(id_)):<{size}}  {one_line(id_)}".rstrip())
        click.echo(f"{counted(sum(counts.values()), 'fact')} about {counted(len(counts), 'subject')}")

    return {"schema": "chipwise.facts/1", "subjects": subjects}, show, True


def _print(base: KnowledgeBase, found: FactList, form: str, *, quotes: bool) -> None:
    if not found.facts:
        click.echo(wrapped(one_line(found.reason)))
        return
    if form != "text":
        print_rows(_HEADER, [_row(base, fact) for fact in found.facts], form)
        return
    several = len({fact.claim.subject for fact in found.facts}) > 1
    for number, (metric, group) in enumerate(itertools.groupby(found.facts, lambda fact: fact.claim.metric)):
        click.echo(("\n" if number else "") + click.style(one_line(base.name(metric)), bold=True))
        for subject, facts in itertools.groupby(group, lambda fact: fact.claim.subject):
            if several:
                click.echo(f"  {one_line(base.name(subject))}")
            _print_group(base, list(facts), quotes=quotes, indent="    " if several else "  ")
    if found.left_out:
        click.echo(f"\n{counted(found.left_out, 'deprecated fact')} left out; --all shows them")


def _print_group(base: KnowledgeBase, facts: Sequence[Fact], *, quotes: bool, indent: str) -> None:
    rows = []
    for f in facts:
        words = (base.in_words(f.claim), "" if f.place else "added document", f.as_of, cited(f))
        rows.append((one_line(base.value_text(f)), one_line(" · ".join(filter(None, words)))))
    for fact, (lines, inner) in zip(facts, in_columns(rows, indent), strict=True):
        click.echo(lines)
        if fact.rank != "preferred":
            reason = one_line(f"{fact.rank}: {fact.reason}" if fact.reason else fact.rank)
            click.echo(wrapped(reason, inner))
        if quotes:
            click.echo(wrapped(f'"{one_line(fact.citation.quote)}"', inner))
