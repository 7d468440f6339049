"""The documents of the knowledge base: `chipwise add`, `quote`, `search`, `show` and `sources`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import click

from chipwise.errors import QuestionInvalid, SourceUnknown
from chipwise.text import counted, one_line, plain
from chipwise_cli.display import (
    Found,
    complain,
    kb_option,
    knowledge_base,
    on_base,
    opened,
    remark,
    standard_input,
    width,
    wrapped,
)
from chipwise_cli.places import excerpt

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Hit, SourceInfo

_NEAR = 0.6  # of a quote's words, in order: what is called close
_TAIL = 3  # words at its end that may be others in the source
_LONGEST = 20_000  # characters of a quote


@click.command(epilog="Example: chipwise add datasheet.pdf notes/")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--name", metavar="NAME", default="stdin.md", show_default=True, help="Name and format of standard input."
)
@kb_option
def add(files: tuple[str, ...], name: str, kb: str | None) -> None:
    """Add documents to the knowledge base.

    FILE is Markdown, text, HTML, PDF, DOCX, data or code, a folder of such files, or - for standard input. A file that
    was added before is updated. Exit code 2 means that some files could not be read; the others are added.
    """
    base = knowledge_base(kb)
    reports = [base.add_stream(standard_input().buffer, name)] if "-" in files else []
    reports.append(base.add(*(file for file in files if file != "-")))
    added = [source for report in reports for source in report.added]
    sources = [*added, *(source for report in reports for source in report.replaced)]
    errors = [error for report in reports for _, error in report.refused]
    for error in errors:
        complain(str(error), error.hint)
    if sources:
        with opened(base):
            indexed = {info.id for info in base.sources()}
            counts = {source: base.count_passages(source) for source in sources}
            unknown = dict.fromkeys(n for source in sources if source in indexed for n in base.claims(source).unknown)
        for source, count in counts.items():
            passages = counted(count, "passage") if source in indexed else "not indexed yet"
            click.echo(f"{'added' if source in added else 'updated'} {source}: {passages}")
        if unknown:
            from chipwise_cli.lookup_commands import not_known  # noqa: PLC0415

            remark(not_known([*unknown]))
    if errors:
        click.get_current_context().exit(2)


@click.command(epilog='Example: chipwise search "optical circuit switch" -k 3')
@click.argument("text", nargs=-1, required=True)
@click.option(
    "-k", "-n", "count", metavar="N", type=click.IntRange(1, 200), default=10, help="Passages, 10 by default."
)
@on_base
def search(base: KnowledgeBase, text: tuple[str, ...], count: int) -> Found:
    """List the best matching passages, without an answer.

    Scores rank the passages of one search, 1 for the best. They can't be compared across searches, and don't say whether
    the best passage is relevant.
    """
    query = " ".join(text)
    hits = base.search(query, count)
    value = {"schema": "chipwise.search/1", "query": query, "passages": [base.as_json(hit) for hit in hits]}
    return value, lambda: _print_hits(hits), bool(hits)


def _print_hits(hits: Sequence[Hit]) -> None:
    for hit in hits:
        passage = hit.stored.passage
        role = "" if passage.role.speaks_for_the_source else f"  ({passage.role.value})"
        heading = f"  {one_line(' > '.join(passage.heading))}" if passage.heading else ""
        click.echo(f"{hit.score:.3f}  {click.style(one_line(passage.id), bold=True)}{heading}{role}")
        click.echo(wrapped(one_line(passage.text), "       "))
    if not hits:
        click.echo("No passage matches.")


@click.command(epilog="Example: chipwise show google-tpu-v5p-docs#3")
@click.argument("passage")
@click.option(
    "-C", "around", metavar="N", type=click.IntRange(0, 50), default=1, help="Passages on either side, 1 by default."
)
@kb_option
def show(passage: str, around: int, kb: str | None) -> None:
    """Print a passage in its context.

    PASSAGE is SOURCE#NUMBER as `ask` and `search` print it, or SOURCE alone for its whole text. Digests that only the
    facts table cites can be shown as well.
    """
    source, _, number = plain(passage).partition("#")
    with opened(knowledge_base(kb)) as base:
        info = base.find_source(source)
        text = "" if number else base.source_text(source)
        passages = base.passages(source)
    if not number:
        if info is None:
            remark(f"{source} is not a source in this knowledge base: the shipped facts table cites it")
        click.echo(plain(text))
        return
    if info is None:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    found = [p for p in passages if str(p.ordinal) == number]
    if not found:
        hint = f"its passages are 1 to {len(passages)}" if passages else f"it has none; see `chipwise show {source}`"
        raise SourceUnknown(f"{source} has no passage {number!r}", hint=hint)
    click.echo(f"{one_line(info.title)}  {one_line(info.origin)}")
    for shown in passages:
        if abs(shown.ordinal - found[0].ordinal) <= around:
            mark = ">" if shown.ordinal == found[0].ordinal else " "
            where = f"page {shown.page}" if shown.page else f"line {shown.line}"
            heading = " > ".join(shown.heading) or "(no heading)"
            click.echo(f"\n{one_line(shown.id)}  {one_line(heading)}  {where}, {shown.role.value}")
            whole = one_line(shown.text).startswith(one_line(shown.context))  # a table's later part lacks its header
            for line in plain(shown.text if whole else f"{shown.context}\n{shown.text}").splitlines():
                click.echo(f"{mark} {line}")


@click.command(epilog="Example: chipwise sources google-tpu-v5p-docs")
@click.argument("source", required=False)
@on_base
def sources(base: KnowledgeBase, source: str | None) -> Found:
    """List the sources, or show one in detail."""
    found = base.sources() if source is None else [base.find_source(plain(source))]
    known = [(info, base.count_passages(info.id)) for info in found if info is not None]
    if source is not None and not known:
        raise SourceUnknown(f"there is no source {source!r}", hint="`chipwise sources` lists them")
    values = [{**base.as_json(info), "passages": count} for info, count in known]
    show = (lambda: _print_sources(known)) if source is None else (lambda: _print_source(*known[0]))
    return {"schema": "chipwise.sources/1", "sources": values}, show, True


def _print_source(info: SourceInfo, passages: int) -> None:
    for name in ("id", "title", "publisher", "author", "published", "kind", "origin", "verified"):
        if getattr(info, name):
            click.echo(f"{name:<10} {one_line(getattr(info, name))}")
    if info.lineage:
        click.echo(f"repeats    {one_line(', '.join(info.lineage))}")
    click.echo(f"passages   {passages}")


def _print_sources(known: Sequence[tuple[SourceInfo, int]]) -> None:
    width = max((len(info.id) for info, _ in known), default=0)
    for info, count in known:
        by = ", ".join(filter(None, (info.publisher, info.published or "undated")))
        click.echo(f"{one_line(info.id):<{width}}  {count:>4}  {one_line(f'{info.title} ({by})')}")
    passages = sum(count for _, count in known)
    click.echo(f"{counted(len(known), 'source')}, {counted(passages, 'passage')}")


@click.command(epilog='Example: chipwise quote "The H200 has 141 GB of HBM3e" aiwiki-h200')
@click.argument("text", metavar="QUOTE")
@click.argument("source", metavar="SOURCE")
@on_base
def quote(base: KnowledgeBase, text: str, source: str) -> Found:
    """Check whether a source contains a quote, and where.

    SOURCE is a source as `sources` lists it, or the path of a file. Whitespace may differ. Exit code 1 means that the source
    does not contain the quote word for word; the closest passage is printed with the differences.
    """
    words = text[:_LONGEST].split()
    if not words:
        raise QuestionInvalid("the quote is empty", hint="give the words in quotation marks, then the source")
    original = base.source_text(plain(source))
    start, end, share = _closest(words, original)
    found, line = original[start:end], original.count("\n", 0, start) + 1
    status = "verbatim" if found.split() == words else "close" if share >= _NEAR else "not found"
    place = {"line": line, "start": start, "end": end, "quote": found} if status != "not found" else {}

    def show() -> None:
        if status == "not found":
            click.echo(one_line(f"not in {source}, nor anything close"))
            return
        where = one_line(f"{source}, line {line}")
        click.echo(f"verbatim in {where}" if status == "verbatim" else f"not verbatim in {where}; what stands there:")
        shown, carets = excerpt(original, start, end, max(width() - 4, 20))
        click.echo(f"  {shown}" if status == "verbatim" else f"  {shown}\n  {click.style(carets, fg='yellow')}")
        stands = found.split() if status == "close" else words
        for tag, a, b, c, d in SequenceMatcher(None, words, stands, autojunk=False).get_opcodes():
            if tag != "equal":
                was, now = " ".join(words[a:b]) or "(nothing)", " ".join(stands[c:d]) or "(nothing)"
                click.echo(one_line(f"  quoted: {was}; in the source: {now}"))

    return {"schema": "chipwise.quote/1", "status": status, "source": source, **place}, show, status == "verbatim"


def _closest(words: list[str], text: str) -> tuple[int, int, float]:
    """The span of as many words that has most of `words` in order, and the share that it has: windows around what is rarest."""
    places, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        places.append((at, at + len(word), word))
        at += len(word)
    where: dict[str, list[int]] = {}
    for number, (_, _, word) in enumerate(places):
        where.setdefault(word, []).append(number)
    rare = sorted((w for w in {*words} if w in where), key=lambda w: len(where[w]))[:4]
    starts = {max(number - words.index(word), 0) for word in rare for number in where[word][:50]}
    best = (0, 0, 0.0)
    for first in sorted(starts):
        window = [word for _, _, word in places[first : first + 2 * len(words)]]
        blocks = SequenceMatcher(None, words, window, autojunk=False).get_matching_blocks()
        share = sum(b.size for b in blocks) / len(words)
        if share > best[2]:
            last = blocks[-2]  # the quote's words behind it are others there: "HBM3" is "HBM3e"
            end = min(last.b + last.size + min(len(words) - last.a - last.size, _TAIL), len(window))
            best = places[first][0], places[first + end - 1][1], share
    return best
