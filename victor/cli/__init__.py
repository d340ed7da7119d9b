"""The command line: one thin module per command, loaded when the command is used.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 some pages
failed (counted by reason), 2 the call or a file it names is wrong.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

import click

from victor.cli.messages import complain
from victor.errors import VictorError

COMMANDS: Final = {
    "ablate": "What each feature module of a configuration is worth.",
    "align": "Label the blocks of pages by their gold text.",
    "annotate": "Label pages in the browser, and use what was labelled.",
    "clean": "Clean pages: files, folders, URLs or standard input.",
    "compare": "Blocks of pages on which two systems differ.",
    "corpus": "Make more annotated pages of those that there are.",
    "crawl": "Clean whole crawls: WARC, archives, JSONL, Parquet, folders.",
    "evaluate": "Score clean texts and blocks, with intervals by site.",
    "explain": "What spoke for and against the label of each block.",
    "features": "The columns of every block of a page.",
    "language": "Identify the language of text, and train profiles.",
    "models": "List the shipped models, or print the card of one.",
    "normalize": "Write any page as XHTML, or its text one sentence a line.",
    "sites": "Count the texts that are frequent on each site, for Kimatu.",
    "sweep": "Precision and recall over the threshold, and presets.",
    "train": "Train a model on annotated pages.",
}
"""Name to one line of help. It stands here so that `victor --help` imports no command."""


class _Commands(click.Group):
    """Finds commands by name; importing all of them would cost every call of one."""

    def list_commands(self, _: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"victor.cli.{name}").command
        return command

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version, and which path cleans pages: it explains why another machine is slower."""
    if wanted:
        import victor
        from victor import core

        click.echo(f"victor {victor.__version__} ({core.path_name()} path)")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version and exit.")  # fmt: skip
def group() -> None:
    """Turn web pages into clean text."""


def main() -> None:
    """Run the command line; what is wrong with the call is one line, without a traceback."""
    try:
        group(prog_name="victor")
    except VictorError as error:
        complain(str(error))
        sys.exit(2)
    except OSError as error:  # a file that an option names, a full disk
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        sys.exit(2)
