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

COMMANDS: Final = (
    "ablate",
    "align",
    "annotate",
    "clean",
    "compare",
    "crawl",
    "evaluate",
    "explain",
    "features",
    "language",
    "models",
    "normalize",
    "sweep",
    "train",
)


class _Commands(click.Group):
    """Finds commands by name; importing all of them would cost every call of one."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"victor.cli.{name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="victor")
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
