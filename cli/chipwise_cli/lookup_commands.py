"""`chipwise facts`, `find`, `compare`, `claims`, `peak` and `explain`: what is known, looked up and not worked out."""

from __future__ import annotations

import itertools
import re
import string
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import chipwise
from chipwise.errors import SourceUnknown
from chipwise.text import counted, one_line
from chipwise_cli.ask_command import answered
from chipwise_cli.display import (
    Found,
    json_option,
    kb_option,
    knowledge_base,
    on_base,
    opened,
    print_json,
    say,
    working,
    wrapped,
)
from chipwise_cli.tables import cited, form_option, in_columns, print_rows, source_line, table

if TYPE_CHECKING:
    from chipwise import Claim, Fact, KnowledgeBase
    from chipwise.results import Code, Codes, Comparison, Echo, FactList, Listing, Match, Trace

_SHOWN = 10  # of each kind, without --all
_SOURCES = 6  # ids in a line
_NEGATIVE = re.compile(r"-[\d.]")
_NAMES = 8  # unknown names that are shown
_QUOTE = 240  # characters of a quote that are shown
_SHORTEST = 6  # characters of a fingerprint


@click.command(epilog='Example: chipwise facts "h100 sxm" "memory bandwidth"')
@click.argument("words", nargs=-1, metavar="[SUBJECT] [METRIC]")
@click.option("--all", "deprecated", is_flag=True, help="Also show deprecated facts, each with its reason.")
@click.option("--quotes", is_flag=True, help="Show the quote behind each fact.")
@form_option
@on_base
def facts(base: KnowledgeBase, words: tuple[str, ...], deprecated: bool, quotes: bool, form: str) -> Found:
    """List curated facts, each with its source.

    SUBJECT and METRIC are everyday names: `facts h100`, `facts v5p memory`. A chip's facts include those of
    its variants. Exit code 1 means that there is no such fact.
    """
    found = base.facts(*words, deprecated=deprecated) if words else None
    if found is None or not found.asked.names_anything:
        return _overview(base)
    return found, lambda: _print_facts(base, found, form, quotes=quotes), bool(found.facts)


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


def _print_facts(base: KnowledgeBase, found: FactList, form: str, *, quotes: bool) -> None:
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


@click.command(
    context_settings={"ignore_unknown_options": True},  # "-5" is a number
    epilog='Example: chipwise find "1979 TFLOPS"',
)
@click.argument("number", nargs=-1, required=True)
@click.option("--all", "everything", is_flag=True, help=f"List everything, not the first {_SHOWN} of each kind.")
@on_base
def find(base: KnowledgeBase, number: tuple[str, ...], everything: bool) -> Found:
    """Look up what a number could be.

    NUMBER may have a unit: `find 1979`, `find 95 GiB`. Facts that state it come first, then facts that yield it by known
    arithmetic (2:4 sparsity, both directions, bits per byte, chips per node), then what documents say. Exit code 1 means that
    nothing matches.
    """
    for word in number:
        if word.startswith("-") and not _NEGATIVE.match(word):
            raise click.NoSuchOption(word)
    found = base.find(" ".join(number))
    limit = len(found.stated) + len(found.derived) + len(found.echoes) if everything else _SHOWN
    return found, lambda: _print_trace(base, found, limit), not found.empty


def _print_trace(base: KnowledgeBase, found: Trace, limit: int) -> None:
    if found.empty:
        click.echo(f"no known figure is {found.number.text}")
        return
    parts = (
        ("Facts", [_stated(base, m) for m in found.stated]),
        ("By arithmetic", [(f"{_about(base, m)}, {m.arithmetic}", cited(m.fact)) for m in found.derived]),
        ("In documents", [_said(base, e) for e in found.echoes]),
    )
    for number, (title, entries) in enumerate(part for part in parts if part[1]):
        click.echo(("\n" if number else "") + click.style(title, bold=True))
        _print_entries(entries, limit)


def _print_entries(entries: Sequence[tuple[str, str]], limit: int) -> None:
    for text, place in entries[:limit]:
        click.echo(wrapped(one_line(text), "    ", first="  "))
        if place:
            click.echo(click.style(wrapped(one_line(place), "    "), dim=True))
    if len(entries) > limit:
        click.echo(f"  and {len(entries) - limit} more; --all lists them")


def _about(base: KnowledgeBase, match: Match) -> str:
    claim, words = match.fact.claim, base.in_words(match.fact.claim)
    return f"{base.name(claim.subject)}, {base.name(claim.metric)}{f' ({words})' if words else ''}"


def _stated(base: KnowledgeBase, match: Match) -> tuple[str, str]:
    value = " ".join(filter(None, (base.value_text(match.fact), match.arithmetic)))
    beside = f"; {match.beside}" if match.beside else ""
    deprecated = f". Deprecated: {match.fact.reason}" if match.fact.rank == "deprecated" else ""
    return f"{value}: {_about(base, match)}{beside}{deprecated}", cited(match.fact)


def _said(base: KnowledgeBase, echo: Echo) -> tuple[str, str]:
    about = f"{base.name(echo.subject)}, " if echo.subject else ""
    metric = base.name(echo.metric) + ("" if echo.subject else " of no chip in particular")
    more = len(echo.sources) - _SOURCES
    sources = ", ".join(echo.sources[:_SOURCES]) + (f" and {more} more" if more > 0 else "")
    return f"{about}{metric}: {counted(echo.claims, 'claim')} in {sources}", ""


@click.command(epilog='Example: chipwise compare "h100 sxm" h200 --metric "memory bandwidth"')
@click.argument("subjects", nargs=-1, required=True, metavar="SUBJECT...")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Compare only this metric; may be repeated.")
@click.option("--dtype", metavar="NAME", default="", help="Compare only in this number format, such as bf16.")
@click.option("--all", "singles", is_flag=True, help="Keep rows in which only one chip has a figure.")
@click.option("--on", metavar="MODEL", default="", help="Compare measurements on this model instead.")
@form_option
@on_base
def compare(base: KnowledgeBase, subjects: tuple[str, ...], on: str, form: str, **options: Any) -> Found:
    """Compare chips like for like, in a table.

    SUBJECT is a chip or a system; give two or more, and put names of more than one word in quotation marks. Each row holds figures of one
    kind: never dense beside sparse, or a chip beside a node. Exit code 1 means that nothing can be compared.
    """
    if on:
        return answered(base, f"{' vs '.join(subjects)} on {on}: throughput")
    found = base.compare(*subjects, **options)
    return found, lambda: _print_comparison(base, found, form), not found.empty


def _print_comparison(base: KnowledgeBase, found: Comparison, form: str) -> None:
    if not found.rows:
        click.echo("nothing to compare: no metric has comparable figures for two of them")
        return
    sources: dict[str, Fact] = {}
    for row in found.rows:
        sources |= {f.claim.source: f for f in row.facts if f is not None and f.claim.source not in sources}
    numbers = {source: str(n) if form == "text" else source for n, source in enumerate(sources, start=1)}
    two = len(found.subjects) == 2  # noqa: PLR2004
    rows = []
    for row in found.rows:
        pairs = zip(row.facts, row.numbers, strict=True)
        cells = ["-" if f is None else f"{n} [{numbers[f.claim.source]}:{f.citation.line}]" for f, n in pairs]
        of = f" ({row.words})" if row.words else ""
        label = f"{base.name(row.metric)}{of}{f', {row.unit}' if row.unit else ''}"
        ratio = row.ratio or 0.0
        times = f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.3g}x" if ratio else ""  # noqa: PLR2004
        rows.append([*map(one_line, (label, *cells, *([times] if two else [])))])
    header = ["", *(one_line(base.name(s)) for s in found.subjects), *(["ratio"] if two else [])]
    if form != "text":
        print_rows(["figure", *header[1:]], rows, form)
        return
    click.echo(table(header, rows))
    _print_notes(base, found)
    click.echo("\nSources, in brackets with the line:")
    for source, number in numbers.items():
        click.echo(click.style(wrapped(source_line(sources[source]), " " * 5, first=f"{f'[{number}]':<4} "), dim=True))


def _print_notes(base: KnowledgeBase, found: Comparison) -> None:
    notes = list(found.notes)
    for row in found.rows:
        kind = row.words.split(", ")[0]
        about = f"{base.name(row.metric)}{f', {kind}' if kind else ''}"
        notes += [f"{base.name(note.subject)}: {about}: {note.text}" for note in row.notes]
    if found.single:
        notes.append(f"{counted(found.single, 'row')} left out because only one subject has a figure; --all shows them")
    if notes:
        click.echo()
    for line in dict.fromkeys(notes):
        click.echo(wrapped(one_line(line), "  ", first="- "))


@click.command(epilog="Example: chipwise claims google-tpu-v5p-docs --metric memory")
@click.argument("source")
@click.option("--subject", metavar="NAME", help="Only claims about this chip and its variants.")
@click.option("--metric", metavar="NAME", help="Only claims about this metric.")
@on_base
def claims(base: KnowledgeBase, source: str, subject: str | None, metric: str | None) -> Found:
    """List the claims that were read in a document.

    SOURCE is a source as `sources` lists it, or the path of a file, which is not stored. Exit code 1 means that there is
    no claim.
    """
    listing = base.claims(source, subject or "", metric or "")
    return listing, lambda: _print_listing(base, listing), bool(listing.claims)


def _print_listing(base: KnowledgeBase, listing: Listing) -> None:
    click.echo(one_line(f"{listing.source}: {listing.title}"))
    for claim in listing.claims:
        _print_claim(base, listing, claim)
    among_all = f"{len(listing.claims):,} of " if listing.others else ""
    click.echo(f"\n{among_all}{counted(len(listing.claims) + listing.others, 'claim')}")
    if listing.left:
        click.echo(wrapped(one_line(_left_out(listing)), "  ", first=""))


def _left_out(listing: Listing) -> str:
    """ "3 figures left out: 2 (no chip that is known is named), ...; names that are not known: Zorgon X900 (...)"."""
    counts = listing.reasons_left()
    kinds = ", ".join(f"{count} ({why})" for why, count in counts.most_common())
    unknown = f"; {not_known(listing.unknown)}" if listing.unknown else ""
    return f"{counted(counts.total(), 'figure')} left out: {kinds}{unknown}"


def not_known(names: Sequence[str]) -> str:
    """Name what isn't known, and say what makes it so."""
    named = ", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")
    adding = "an [[entity]] in domain/entities.toml of the knowledge base makes a chip known"
    return f"names that are not known: {named} ({adding})"


def _print_claim(base: KnowledgeBase, listing: Listing, claim: Claim) -> None:
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
    """Tell how a figure is meant (a bound, a ratio, so many times), or name the category."""
    q = claim.quantity
    if q is None:
        said = base.name(claim.object)
        return f"({said if claim.polarity else f'not {said}'})"
    told = [] if q.bound == "exact" else [q.bound]
    told += [] if q.form == "value" else [f"a {q.form}"]
    told += [f"{q.count:,} times"] if q.count > 1 else []
    return f"({', '.join(told)})" if told else ""


def _slots(base: KnowledgeBase, claim: Claim) -> list[str]:
    """List what is known besides subject, metric and value; "specified" and "asserted by the source" go without saying."""
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


@click.command(epilog='Example: chipwise peak "NVIDIA H100 80GB HBM3" --dtype fp8')
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--dtype", metavar="NAME", default="bf16", show_default=True, help="Number format.")
@click.option("--sparse", is_flag=True, help="Give the peak with structured sparsity; the default is the dense peak.")
@click.option("--here", is_flag=True, help="Look up the devices of this machine, using their driver tools.")
@click.option(
    "--export", "form", type=click.Choice(["python", "json", "csv"]), help="Print all peaks with their sources."
)
@json_option
def peak(name: str | None, dtype: str, sparse: bool, here: bool, form: str | None, as_json: bool) -> None:
    """Look up a chip's peak by its name in drivers and clouds.

    NAME is what nvidia-smi, torch.cuda.get_device_name, rocm-smi, JAX or lspci
    prints, or an instance type. An ambiguous name is an error that lists the products.
    """
    from chipwise import devices_here, export_peaks, peak  # noqa: PLC0415

    if sum((name is not None, here, form is not None)) != 1:
        raise click.UsageError("Give one of NAME, --here and --export.")
    if form is not None:
        click.echo(export_peaks(form), nl=form != "csv")
        return
    figures = [peak(each, dtype, sparse=sparse) for each in (devices_here() if here else [name or ""])]
    if as_json:
        records = [f._asdict() | {"chip": f.chip._asdict(), "source": f.source._asdict()} for f in figures]
        print_json({"schema": "chipwise.peak/1", "peaks": records})
        return
    for figure in dict.fromkeys(figures):
        number, source = max(figure.chip.chips, figures.count(figure)), figure.source
        together = f" ({number} of them: {number * figure.tflops:,.10g} T{figure.unit})" if number > 1 else ""
        click.echo(one_line(f"{figure}{together}"))
        power, cited = figure.chip.tdp and f"{figure.chip.tdp} TDP", (source.title, figure.date, source.origin)
        for line in filter(None, (power, *figure.notes, f'"{source.quote}"', ", ".join(filter(None, cited)))):
            click.echo(wrapped(one_line(line), "  "))


@click.command(epilog="Example: chipwise explain CW401")
@click.argument("code", required=False)
@kb_option
def explain(code: str | None, kb: str | None) -> None:
    """Explain what a code like CW701 means, and how to settle it.

    CODE may also be the fingerprint of an `audit` finding; the finding is then shown too. Without CODE, all codes are listed.
    """
    codes = chipwise.KnowledgeBase.codes()
    if code is None:
        _list_codes(codes)
        return
    is_fingerprint = len(code) >= _SHORTEST and set(code) <= {*string.hexdigits}
    _print_code(codes.find(_show_finding(code.lower(), kb) if is_fingerprint else code))


def _show_finding(fingerprint: str, kb: str | None) -> str:
    """Shows a finding of the audit; its code. Raises SourceUnknown."""
    from chipwise_cli.findings_display import finding_lines  # noqa: PLC0415

    with opened(knowledge_base(kb)) as base, working("comparing what the sources say"):
        audit = base.audit(everything=True)
    found = next((f for f in audit.findings if f.fingerprint.startswith(fingerprint)), None)
    if found is None:
        hint = "a finding of `check` is explained by its code: `chipwise explain CW701`"
        raise SourceUnknown(f"no finding of the audit has the fingerprint {fingerprint}", hint=hint)
    say("\n".join(finding_lines(found, audit.reasons.get(found.fingerprint, ""))) + "\n")
    return found.code


def _list_codes(codes: Codes) -> None:
    family = ""
    for page in codes.pages.values():
        if codes.family(page.code) != family:
            say(("\n" if family else "") + click.style(codes.family(page.code), bold=True))
            family = codes.family(page.code)
        say(f"  {page.code}  {page.severity:<6}  {page.title}")


def _print_code(page: Code) -> None:
    say(f"{click.style(f'{page.code} {page.title}', bold=True)} (severity: usually {page.severity})")
    _paragraphs(page.meaning)
    say(f"\n{click.style('Example', bold=True)}\n{textwrap.indent(page.example.rstrip(), '    ')}")
    say(f"\n{click.style('To settle it', bold=True)}")
    _paragraphs(page.settle, gap=False)


def _paragraphs(text: str, *, gap: bool = True) -> None:
    for number, part in enumerate(text.split("\n\n")):
        say(("\n" if gap or number else "") + wrapped(" ".join(part.split())))
