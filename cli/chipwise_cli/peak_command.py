"""`chipwise peak`."""

from __future__ import annotations

import click

from chipwise.text import one_line
from chipwise_cli.display import json_option, print_json, wrapped


@click.command(epilog='Example: chipwise peak "NVIDIA H100 80GB HBM3" --dtype fp8')
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--dtype", metavar="NAME", default="bf16", show_default=True, help="Number format.")
@click.option("--sparse", is_flag=True, help="With structured sparsity; dense by default.")
@click.option("--here", is_flag=True, help="Look up the devices of this machine, using their driver tools.")
@click.option(
    "--export", "form", type=click.Choice(["python", "json", "csv"]), help="Print all peaks with their sources."
)
@json_option
def command(name: str | None, dtype: str, sparse: bool, here: bool, form: str | None, as_json: bool) -> None:
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
