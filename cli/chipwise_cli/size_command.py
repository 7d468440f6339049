"""`chipwise size`."""

from __future__ import annotations

from typing import Any

import click

from chipwise_cli.display import json_option, kb_option
from chipwise_cli.worksheet import show_worksheet

_POSITIVE = click.IntRange(min=1)


@click.command(epilog='Example: chipwise size "llama 3.1 70b" --context 8k --batch 16 --on H100')
@click.argument("model", nargs=-1, required=True)
@click.option("--context", default="", metavar="N", help="Tokens of each sequence, such as 8k; 8k by default.")
@click.option("--batch", type=_POSITIVE, default=1, metavar="N", help="Sequences at a time, 1 by default.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="NAME",
    help="Format of the weights; may be repeated. BF16, FP8 and INT4 by default.",
)
@click.option("--kv-format", default="bf16", metavar="NAME", help="Format of the KV cache, BF16 by default.")
@click.option("--train", default="", metavar="WAY", help="Size training instead of running: full, lora or qlora.")
@click.option("--rank", type=_POSITIVE, default=16, metavar="N", help="Rank of the LoRA adapters, 16 by default.")
@click.option(
    "--target",
    default="",
    metavar="WHAT",
    help="Matrices with LoRA adapters: qv (queries and values), attention or all; by default the range of these.",
)
@click.option("--seq", default="", metavar="N", help="Tokens of each training sequence, 4k by default.")
@click.option(
    "--micro-batch",
    type=_POSITIVE,
    default=1,
    metavar="N",
    help="Sequences that a chip takes in one step, 1 by default.",
)
@click.option(
    "--recompute",
    default="selective",
    metavar="HOW",
    help="Recomputation of activations: none, selective (the default) or full.",
)
@click.option("--optimizer", default="adamw", metavar="NAME", help="Optimizer: adamw (the default), adam8bit or sgd.")
@click.option(
    "--on", multiple=True, metavar="CHIP", help="Which chip; may be repeated. By default all that can be rented."
)
@click.option("--chips", type=_POSITIVE, metavar="N", help="Tell whether the model fits on this many chips.")
@click.option("--reserve", default="10%", metavar="SHARE", help="Memory of each chip to leave free, 10% by default.")
@json_option
@kb_option
def command(model: tuple[str, ...], as_json: bool, kb: str | None, **options: Any) -> None:
    """Work out a model's memory, and which chips hold it.

    MODEL is a name ("llama 3.1 70b") or a number of parameters (70B), from which less follows. Every line shows its
    arithmetic, and what is assumed is listed. Exit code 1 means that something that was asked for does not follow.
    """
    for name in ("formats", "kv_format", "train", "target", "recompute", "optimizer"):
        value = options[name]
        options[name] = tuple(v.lower() for v in value) if isinstance(value, tuple) else value.lower()
    show_worksheet(kb, lambda base: base.size(" ".join(model), **options), as_json=as_json)
