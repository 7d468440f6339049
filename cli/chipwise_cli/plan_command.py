"""`chipwise plan`: two commands, each with the options of its own."""

from __future__ import annotations

from typing import Any

import click

from chipwise_cli.display import json_option, kb_option
from chipwise_cli.worksheet import show_worksheet

_POSITIVE = click.IntRange(min=1)
_price_option = click.option(
    "--price",
    default="",
    metavar="USD",
    help="Price of a chip per hour; by default the lowest and the highest known.",
)
_pue_option = click.option(
    "--pue", default="", metavar="N", help="Power of the facility per watt of the chips, such as 1.2."
)
_kwh_price_option = click.option(
    "--kwh-price", default="", metavar="USD", help="Price of a kilowatt-hour, such as 0.08."
)


@click.group(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --chips 1024')
def command() -> None:
    """Plan a training run or a service: time, chips, cost, tokens.

    `chipwise plan train --help` and `chipwise plan serve --help` list what can be given.
    """


@command.command(epilog='Example: chipwise plan train "llama 3.1 8b" --tokens 15T --on H100 --days 30')
@click.argument("model", nargs=-1)
@click.option("--tokens", default="", metavar="N", help="Training tokens, such as 15T.")
@click.option("--on", default="", metavar="CHIP", help="Which chip.")
@click.option("--chips", default="", metavar="N", help="How many chips.")
@click.option("--days", default="", metavar="N", help="How long it may take.")
@click.option("--chip-hours", default="", metavar="N", help="Chips times hours, instead of both.")
@click.option("--mfu", default="", metavar="SHARE", help="Share of the peak in use; 35% to 50% by default.")
@_price_option
@click.option("--cost", default="", metavar="USD", help="Total cost, such as 5M.")
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
@click.option("--on", default="", metavar="CHIP", help="Which chip.")
@click.option("--chips", type=_POSITIVE, metavar="N", help="How many chips; by default the fewest that hold the model.")
@click.option(
    "--batch",
    type=_POSITIVE,
    metavar="N",
    help="Sequences at a time; with --chips, by default the largest that fits.",
)
@click.option("--context", default="", metavar="N", help="Tokens of each sequence, such as 8k.")
@click.option("--format", default="bf16", metavar="NAME", help="Format of the weights, BF16 by default.")
@click.option("--kv-format", default="bf16", metavar="NAME", help="Format of the KV cache, BF16 by default.")
@click.option(
    "--utilization",
    default="100%",
    metavar="SHARE",
    help="Share of bandwidth and compute in use; by default all of it, which gives a ceiling.",
)
@click.option(
    "--rate",
    default="",
    metavar="N",
    help="Tokens per second that you want, to get the chips or the utilization for it.",
)
@_price_option
@click.option(
    "--token-cost",
    default="",
    metavar="USD",
    help="Cost of a million tokens, to get the price of a chip at which they cost that.",
)
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
