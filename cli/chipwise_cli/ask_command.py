"""`chipwise ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chipwise.text import one_line
from chipwise_cli.display import Found, laid_out, on_base, place, standard_input, within, wrapped

if TYPE_CHECKING:
    from chipwise import Answer, KnowledgeBase

_FEW = 5  # words in which English may do without little words
FOLDED = 5  # citations that are shown where nobody asks for all
STDIN_LIMIT = 1_000_000  # characters; far more than a question may have, so that the error can say so


def _text(_ctx: click.Context, _param: click.Parameter, words: tuple[str, ...]) -> str:
    return standard_input().read(STDIN_LIMIT) if words == ("-",) else " ".join(words)


@click.command(epilog='Example: chipwise ask "Which has more memory, the H100 or the H200?"')
@click.argument("question", nargs=-1, required=True, callback=_text)
@click.option("--sources", is_flag=True, help="Also list the sources that were consulted.")
@click.option("--quotes", is_flag=True, help="Show all citations with their quotes, not just the first five.")
@click.option("-k", "passages", metavar="N", type=click.IntRange(1, 200), help="Passages to read, 6 by default.")
@click.option("--llm", metavar="URL", help="Let the OpenAI-style chat endpoint at URL choose the sentences to quote.")
@click.option("--llm-model", metavar="NAME", default="", help="Model to use; by default the first one listed there.")
@on_base
def command(base: KnowledgeBase, question: str, **options: Any) -> Found:
    """Answer a question, with cited passages.

    Give - as the QUESTION to read it from standard input. Exit code 1 means no answer.
    """
    return answered(base, question, **options)


def answered(
    base: KnowledgeBase,
    text: str,
    passages: int | None = None,
    *,
    sources: bool = False,
    quotes: bool = False,
    llm: str | None = None,
    llm_model: str = "",
) -> Found:
    """The answer to a question, to be printed with its citations."""
    answer = base.ask(text, passages)
    if llm is not None:
        answer = base.choose(answer, llm, llm_model)
    consulted = [info for s in answer.consulted if sources and (info := base.find_source(s))]
    listed = {"sources": [base.as_json(info) for info in consulted]} if sources else {}

    def show() -> None:
        if answer.answered:
            _print(answer, whole=quotes)
        else:
            _print_refusal(answer, text)
        if consulted:
            click.echo("\nConsulted:")
        for info in consulted:
            by = ", ".join(filter(None, (info.publisher, info.title, info.published or "undated")))
            click.echo(wrapped(one_line(f"{info.id}: {by}"), "    ", first="  "))

    return base.as_json(answer) | listed, show, answer.answered


def _print(answer: Answer, *, whole: bool) -> None:
    """The text, each citation with its place, and what speaks against it."""
    click.echo(laid_out(answer.text))
    said = "".join(filter(str.isalnum, answer.text.lower()))
    introduced: dict[str, int] = {}  # a source is named in full once
    shown = answer.citations if whole else answer.citations[:FOLDED]
    for citation in shown:
        evidence = citation.evidence
        first = introduced.setdefault(evidence.source, citation.n)
        again = first != citation.n
        click.echo()
        where = f"as [{first}] · {within(evidence)}" if again else place(evidence)
        role = "" if evidence.role.speaks_for_the_source else f"({evidence.role.value}) "
        click.echo(wrapped(role + where.rstrip(" ·"), "    ", first=f"[{citation.n}] "))
        if whole or "".join(filter(str.isalnum, evidence.quote.lower())) not in said:
            click.echo(wrapped(f'"{one_line(evidence.quote)}"', "    "))
        reference = evidence.passage if again else f"{evidence.passage}  {evidence.origin}"
        click.echo(click.style(wrapped(one_line(reference), "    "), dim=True))
    if len(shown) < len(answer.citations):
        click.echo(f"\n{len(answer.citations) - len(shown)} more citations: --quotes shows them.")
    for finding in answer.disagreements:
        audit = f"`chipwise audit --all --source {finding.evidence[0].source}` tells why"
        why = audit if "\n" in finding.explanation else finding.explanation  # arithmetic takes many lines
        click.echo("\n" + wrapped(one_line(f"{finding.code} {finding.title} ({finding.verdict}: {why})")))


def _looks_english(question: str) -> bool:
    """False for a question of several words none of which is a little word of English, or with many letters of another script."""
    from chipwise.text import STOP_WORDS  # noqa: PLC0415

    words = [word.strip("?!.,;:()\"'¿¡«»") for word in question.lower().split()]
    letters = [c for c in question if c.isalpha()]
    foreign = sum(not c.isascii() for c in letters) > 0.3 * len(letters)
    return not foreign and (len(words) < _FEW or bool({w for w in words if len(w) > 1} & STOP_WORDS))


def _print_refusal(answer: Answer, text: str) -> None:
    """Why there is no answer, and the quote that comes closest."""
    click.echo(wrapped(f"No answer in the corpus: {one_line(answer.reason)}."))
    if not _looks_english(text):
        click.echo(wrapped("The question doesn't look English, and English is all that chipwise reads."))
    if (nearest := answer.nearest) is not None:
        click.echo("\nThe closest passage, which may not answer the question:\n")
        for line in (place(nearest), f'"{one_line(nearest.quote)}"'):
            click.echo(wrapped(line, "    ", first="    "))
        reference = wrapped(one_line(f"{nearest.passage}  {nearest.origin}"), "    ", first="    ")
        click.echo(click.style(reference, dim=True))
