"""`chipwise plan`: two commands, each with the options of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from chipwise_cli.display import json_option, kb_option
from chipwise_cli.worksheet import show_worksheet

_POSITIVE = click.IntRange(min=1)


def _text(name: str, metavar: str, told: str) -> Callable[[Any], Any]:
    """An option that takes a text, which the library reads; empty where it is not given."""
    return click.option(name, default="", metavar=metavar, help=told)


_price_option = _text("--price", "USD", "Price of a chip per hour; by default the lowest and the highest known.")
_pue_option = _text("--pue", "N", "Power of the facility per watt of the chips, such as 1.2.")
_kwh_price_option = _text("--kwh-price", "USD", "Price of a kilowatt-hour, such as 0.08.")


@click.group(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --chips 1024')
def command() -> None:
    """Plan a training run or a service: time, chips, cost, tokens.

    `chipwise plan train --help` and `chipwise plan serve --help` list what can be given.
    """


@command.command(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --days 30')
@click.argument("model", nargs=-1)
@_text("--tokens", "N", "Training tokens, such as 15T.")
@_text("--on", "CHIP", "Which chip.")
@_text("--chips", "N", "How many chips.")
@_text("--days", "N", "How long it may take.")
@_text("--chip-hours", "N", "Chips times hours, instead of both.")
@_text("--mfu", "SHARE", "Share of the peak in use; 35% to 50% by default.")
@_price_option
@_text("--cost", "USD", "Total cost, such as 5M.")
@_pue_option
@_kwh_price_option
@json_option
@kb_option
def train(model: tuple[str, ...], as_json: bool, kb: str | None, **options: Any) -> None:
    """Plan a training run: leave out what you want to know.

    MODEL is a name of the table of models or a number of parameters. Exit code 1
    means that nothing follows: what is missing is listed.
    """
    show_worksheet(kb, lambda base: base.plan("train", " ".join(model), **options), as_json=as_json)


@command.command(epilog='Example: chipwise plan serve "llama 3.1 70b" --on H200 --chips 8 --context 8k')
@click.argument("model", nargs=-1)
@_text("--on", "CHIP", "Which chip.")
@click.option("--chips", type=_POSITIVE, metavar="N", help="How many chips; by default the fewest that hold the model.")
@click.option(
    "--batch", type=_POSITIVE, metavar="N", help="Sequences at a time; with --chips, by default the largest that fits."
)
@_text("--context", "N", "Tokens of each sequence, such as 8k.")
@click.option("--format", default="bf16", metavar="NAME", help="Format of the weights, BF16 by default.")
@click.option("--kv-format", default="bf16", metavar="NAME", help="Format of the KV cache, BF16 by default.")
@click.option(
    "--utilization",
    default="100%",
    metavar="SHARE",
    help="Share of bandwidth and compute in use; by default all of it, which gives a ceiling.",
)
@_text("--rate", "N", "Tokens per second that you want, to get the chips or the utilization for it.")
@_price_option
@_text("--token-cost", "USD", "Cost of a million tokens, to get the price of a chip at which they cost that.")
@_pue_option
@_kwh_price_option
@click.option("--reserve", default="10%", metavar="SHARE", help="Memory of each chip to leave free, 10% by default.")
@json_option
@kb_option
def serve(model: tuple[str, ...], as_json: bool, kb: str | None, **options: Any) -> None:
    """Plan a service: tokens per second at most, and what they cost.

    MODEL is a name of the table of models. Exit code 1 means that something does
    not follow: what is missing is listed.
    """
    for name in ("format", "kv_format"):
        options[name] = options[name].lower()
    show_worksheet(kb, lambda base: base.plan("serve", " ".join(model), **options), as_json=as_json)
