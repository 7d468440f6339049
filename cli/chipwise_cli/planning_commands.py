"""`chipwise size` and `chipwise plan`: worksheets, with their arithmetic, what is missing, assumed and cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from chipwise.errors import QuestionInvalid
from chipwise.text import one_line
from chipwise_cli.display import Found, on_base, wrapped
from chipwise_cli.tables import table

if TYPE_CHECKING:
    from chipwise import KnowledgeBase
    from chipwise.results import Fit, Worksheet

_POSITIVE = click.IntRange(min=1)


def _text(name: str, metavar: str, told: str, *, default: str = "") -> Callable[[Any], Any]:
    """An option that takes a text, which the library reads; empty where it is not given."""
    return click.option(name, default=default, metavar=metavar, help=told)


_price_option = _text("--price", "USD", "Price of a chip per hour; by default the lowest and highest known.")
_pue_option = _text("--pue", "N", "Facility power per watt of chip power, such as 1.2.")
_kwh_price_option = _text("--kwh-price", "USD", "Price of a kilowatt-hour, such as 0.08.")


@click.group(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --chips 1024')
def plan() -> None:
    """Plan a training run or a service: time, chips, cost, tokens.

    `chipwise plan train --help` and `chipwise plan serve --help` list the options.
    """


@plan.command(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --days 30')
@click.argument("model", nargs=-1)
@_text("--tokens", "N", "Training tokens, such as 15T.")
@_text("--on", "CHIP", "The chip.")
@_text("--chips", "N", "Number of chips.")
@_text("--days", "N", "Days that it may take.")
@_text("--chip-hours", "N", "Chips times hours, instead of --chips and --days.")
@_text("--mfu", "SHARE", "Share of the peak that is achieved (MFU); 35% to 50% by default.")
@_price_option
@_text("--cost", "USD", "Total cost, such as 5M.")
@_pue_option
@_kwh_price_option
@on_base
def train(base: KnowledgeBase, model: tuple[str, ...], **options: Any) -> Found:
    """Plan a training run, and calculate whatever you don't give.

    MODEL is a known model's name or a number of parameters. Exit code 1 means that
    nothing can be worked out; what is missing is listed.
    """
    return _worked_out(base.plan("train", " ".join(model), **options))


@plan.command(epilog='Example: chipwise plan serve "llama 3.1 70b" --on H200 --chips 8 --context 8k')
@click.argument("model", nargs=-1)
@_text("--on", "CHIP", "The chip.")
@click.option("--chips", type=_POSITIVE, metavar="N", help="Number of chips; by default the fewest that fit.")
@click.option(
    "--batch", type=_POSITIVE, metavar="N", help="Sequences at a time; with --chips, by default the largest that fits."
)
@_text("--context", "N", "Tokens of each sequence, such as 8k.")
@click.option("--format", default="bf16", metavar="NAME", help="Format of the weights, BF16 by default.")
@click.option("--kv-format", default="bf16", metavar="NAME", help="Format of the KV cache, BF16 by default.")
@click.option("--utilization", default="100%", metavar="SHARE", help="Share of bandwidth and compute in use.")
@_text("--rate", "N", "Tokens per second that you want; gives the chips or the utilization needed.")
@_price_option
@_text("--token-cost", "USD", "What a million tokens may cost; gives the chip price that allows it.")
@_pue_option
@_kwh_price_option
@click.option("--reserve", default="10%", metavar="SHARE", help="Part of each chip's memory left free; default 10%.")
@on_base
def serve(base: KnowledgeBase, model: tuple[str, ...], **options: Any) -> Found:
    """Plan a service: its token rate, chips and cost.

    MODEL is a known model's name. Exit code 1 means that something can't be worked
    out; what is missing is listed.
    """
    for name in ("format", "kv_format"):
        options[name] = options[name].lower()
    return _worked_out(base.plan("serve", " ".join(model), **options))


_FEWEST = 10_000  # parameters; who writes fewer means billions


@click.command(epilog='Example: chipwise size "llama 3.1 70b" --context 8k --batch 16 --on H100')
@click.argument("model", nargs=-1, required=True)
@click.option("--context", default="", metavar="N", help="Tokens of each sequence, such as 8k; 8k by default.")
@click.option("--batch", type=_POSITIVE, default=1, metavar="N", help="Sequences at a time, 1 by default.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME",
    help="Weight format; may be repeated. Default BF16, FP8, INT4.",
)
@click.option("--kv-format", default="bf16", metavar="NAME", help="Format of the KV cache, BF16 by default.")
@click.option("--train", default="", metavar="WAY", help="Size training instead of inference: full, lora or qlora.")
@click.option("--rank", type=_POSITIVE, default=16, metavar="N", help="Rank of the LoRA adapters, 16 by default.")
@click.option("--target", default="", metavar="WHAT", help="Layers that get LoRA adapters: qv, attention or all.")
@click.option("--seq", default="", metavar="N", help="Tokens of each training sequence, 4k by default.")
@click.option("--micro-batch", type=_POSITIVE, default=1, metavar="N", help="Sequences per chip and step; default 1.")
@_text("--recompute", "HOW", "Activations to recompute: none, selective (the default) or full.", default="selective")
@click.option("--optimizer", default="adamw", metavar="NAME", help="Optimizer: adamw (the default), adam8bit or sgd.")
@click.option("--on", multiple=True, metavar="CHIP", help="Chip to size for; may be repeated. Default: all rentable.")
@click.option("--chips", type=_POSITIVE, metavar="N", help="Report whether the model fits on this many chips.")
@click.option("--reserve", default="10%", metavar="SHARE", help="Part of each chip's memory left free; default 10%.")
@on_base
def size(base: KnowledgeBase, model: tuple[str, ...], **options: Any) -> Found:
    """Calculate how much memory a model needs, and which chips hold it.

    MODEL is a name ("llama 3.1 70b"), or a number of parameters (70B), which gives the weights only. Every
    line shows its arithmetic, and assumptions are listed. Exit code 1 means that something you asked for can't be worked out.
    """
    if len(model) == 1 and model[0].replace(".", "", 1).isdigit() and float(model[0]) < _FEWEST:
        hint = f'chipwise size {model[0]}B; or name a model, such as "llama 3.1 70b"'
        raise QuestionInvalid(f"a model of {model[0]} parameters is too small: did you mean {model[0]}B?", hint=hint)
    for name in ("formats", "kv_format", "train", "target", "recompute", "optimizer"):
        value = options[name]
        options[name] = tuple(v.lower() for v in value) if isinstance(value, tuple) else value.lower()
    return _worked_out(base.size(" ".join(model), **options))


def _worked_out(found: Worksheet) -> Found:
    return found, lambda: _print(found), found.follows


def _print(found: Worksheet) -> None:
    """All of it; a number in brackets stands for one of the quotes at the end."""
    click.echo(click.style(wrapped(one_line(found.title)), bold=True))
    for line in found.answers:
        click.echo(wrapped(one_line(f"{line.name}: {line.text}"), "    ", first="  "))
    if found.answers:
        click.echo(f"\n{click.style('Arithmetic', bold=True)}")
    for line in found.lines:
        click.echo(wrapped(one_line(line.says), "    ", first="  "))
    if found.fits:
        click.echo(f"\n{click.style('Chips needed', bold=True)}\n{_fits(found.fits)}")
    for heading, lines in (("Missing", found.missing), ("To know", found.notes), ("Assumed", found.assumptions)):
        if lines:
            click.echo(f"\n{click.style(heading, bold=True)}")
        for text in lines:
            click.echo(wrapped(one_line(text), "  ", first="- "))
    if found.references:
        click.echo()
    for reference in found.references:
        cited = reference.citation
        where = ", ".join(filter(None, (cited.publisher, cited.title, cited.published)))
        said = f'"{cited.quote}"' if cited.quote else cited.origin
        text = one_line(f"{reference.source}:{cited.line}: {where}: {said}")
        click.echo(click.style(wrapped(text, " " * 5, first=f"{f'[{reference.n}]':<4} "), dim=True))


def _fits(fits: Sequence[Fit]) -> str:
    """A row for each chip, a column for each thing that is to fit."""
    of = list(dict.fromkeys(fit.of for fit in fits))
    rows: dict[str, list[str]] = {}
    for fit in fits:
        rows.setdefault(fit.chip, [fit.name, fit.memory]).append(_count(fit))
    header = ["chip", "memory", *of]
    whole = [[one_line(cell) for cell in row] for row in rows.values()]
    return table(header, whole)


def _count(fit: Fit) -> str:
    """ "3, so 4"; "at least 2" where the most is not known, or no number of them does without dividing all of it."""
    pairs = (fit.least, fit.offered)
    least, offered = (f"at least {a:,}" if b is None else f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in pairs)
    return least if least == offered else f"{least}, so {offered}"
