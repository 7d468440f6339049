"""`chipwise facts`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from chipwise.text import counted, one_line
from chipwise_cli.display import json_option, kb_option, knowledge_base, opened, print_json, wrapped
from chipwise_cli.tables import cited, form_option, in_columns, print_rows

if TYPE_CHECKING:
    from chipwise import Fact, KnowledgeBase
    from chipwise.results import FactList


@click.command(epilog='Example: chipwise facts "h100 sxm" "memory bandwidth"')
@click.argument("words", nargs=-1, metavar="[SUBJECT] [METRIC]")
@click.option("--all", "deprecated", is_flag=True, help="Also show deprecated facts, each with its reason.")
@click.option("--quotes", is_flag=True, help="Show the quote behind each fact.")
@form_option
@json_option
@kb_option
def command(words: tuple[str, ...], deprecated: bool, quotes: bool, form: str, as_json: bool, kb: str | None) -> None:
    """List curated facts, each with its source.

    SUBJECT and METRIC are names as one says them: `facts h100`, `facts v5p memory`. A chip's facts include those of
    its variants. Exit code 1 means that there is no such fact.
    """
    with opened(knowledge_base(kb)) as base:
        found = base.facts(*words, deprecated=deprecated) if words else None
        if found is None or not found.asked.names_anything:
            _overview(base, as_json=as_json)
            return
        if as_json:
            print_json(base.as_json(found))
        elif found.facts and form != "text":
            print_rows(_HEADER, [_row(base, fact) for fact in found.facts], form)
        elif found.facts:
            _print_facts(base, found, quotes=quotes)
        else:
            click.echo(wrapped(one_line(found.reason)))
    if not found.facts:
        click.get_current_context().exit(1)


_HEADER = ("subject", "metric", "value", "qualifiers", "as of", "rank", "source", "line", "quote")


def _row(base: KnowledgeBase, fact: Fact) -> list[str]:
    claim, at = fact.claim, fact.citation
    about = [base.name(claim.subject), base.name(claim.metric), base.value_text(fact), base.in_words(claim)]
    return [*about, fact.as_of, fact.rank, claim.source, str(at.line), at.quote]


def _overview(base: KnowledgeBase, *, as_json: bool) -> None:
    counts = base.fact_counts()
    names = {id_: base.name(id_) for id_ in counts}
    if as_json:
        subjects = [{"subject": id_, "name": names[id_], "facts": count} for id_, count in counts.items()]
        print_json({"schema": "chipwise.facts/1", "subjects": subjects})
        return
    size = max(map(len, names.values()), default=0)
    for id_, count in counts.items():
        click.echo(f"{count:>4}  {one_line(names[id_]):<{size}}  {one_line(id_)}".rstrip())
    click.echo(f"{counted(sum(counts.values()), 'fact')} about {counted(len(counts), 'subject')}")


def _print_facts(base: KnowledgeBase, found: FactList, *, quotes: bool) -> None:
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
