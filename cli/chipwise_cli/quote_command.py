"""`chipwise quote`."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import click

from chipwise.errors import QuestionInvalid
from chipwise.text import one_line, plain
from chipwise_cli.display import Found, on_base, width
from chipwise_cli.excerpt import excerpt

if TYPE_CHECKING:
    from chipwise import KnowledgeBase

_NEAR = 0.6  # of a quote's words, in order: what is called close
_TAIL = 3  # words at its end that may be others in the source
_LONGEST = 20_000  # characters of a quote


@click.command(epilog='Example: chipwise quote "The H200 has 141 GB of HBM3e" aiwiki-h200')
@click.argument("text", metavar="QUOTE")
@click.argument("source", metavar="SOURCE")
@on_base
def command(base: KnowledgeBase, text: str, source: str) -> Found:
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
