"""`victor adapt`: a trained model and a few labelled pages to a better model for such pages."""

from __future__ import annotations

from pathlib import Path

import click

from victor.base.errors import ConfigError
from victor.cli.commands import Command
from victor.cli.corpora import analyzed
from victor.cli.messages import progress
from victor.cli.system_options import trust_code_option
from victor.evaluation.adapting import Adapted, adapted, total_steps
from victor.labelers.load import load_model
from victor.training import leaves


@click.command(
    name="adapt",
    cls=Command,
    examples=(
        "victor adapt corpus/ -o mine.victor",
        "victor clean -m mine.victor page.html",
    ),
)
@click.argument("corpora", nargs=-1, required=True, metavar="PAGES...",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("-m", "--model", "name", default="default", show_default=True,
              help="Model to start from: a shipped one or a file.")  # fmt: skip
@trust_code_option
def command(corpora: tuple[Path, ...], *, output: Path, name: str, trust_code: bool) -> None:
    """Adapt a model to 5 to 50 pages that you labelled; it takes seconds.

    Pages are left out in turn to choose how far to go. If your pages do not help, the model stays
    as it is.
    """
    if not output.parent.is_dir():
        raise ConfigError(f"there is no folder {output.parent} for the model; make it first")
    model = load_model(name)
    leaves.check(model)
    dataset, _ = analyzed(corpora, model.config, trust_code)
    with progress("adapting", total_steps(dataset)) as advance:
        outcome = adapted(model, dataset, progress=advance)
    outcome.model.save(output)
    click.echo(f"{_said(outcome, name)}: {output}", err=True)


def _said(outcome: Adapted, name: str) -> str:
    """What became of the model, in one line."""
    pages = outcome.model.card["adapted"]["pages"]
    if not outcome.steps:
        return (
            f"{name} stays as it is: your {pages} pages do not improve it on pages left out "
            f"({outcome.protocol}, expected word F {outcome.before:.3f}); label more where it errs"
        )
    return (
        f"adapted to {pages} pages: expected word F {outcome.before:.3f} -> {outcome.after:.3f} "
        f"on pages left out ({outcome.protocol})"
    )
