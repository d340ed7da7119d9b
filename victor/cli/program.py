"""The program `victor`: its commands by group, and how a call ends."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

import click

import victor
from victor.base.errors import VictorError
from victor.cli.commands import Group, complain

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS: Final = {
    "Clean": {
        "clean": "Clean pages: files, folders, URLs or standard input.",
        "crawl": "Clean whole crawls: WARC, archives, JSONL, Parquet, folders.",
        "normalize": "Write any page as XHTML, or its text one sentence a line.",
    },
    "Look": {
        "demo": "A page with its blocks coloured, and a threshold to move.",
        "explain": "What spoke for and against the label of each block.",
        "compare": "Blocks of pages on which two labelers differ.",
        "features": "The columns of every block of a page.",
        "models": "List the shipped models, or print the card of one.",
    },
    "Annotate": {
        "annotate": "Label pages in the browser, and use what was labelled.",
        "align": "Label the blocks of pages by their gold text.",
        "corpus": "Labels without their pages: write them, and build corpora.",
    },
    "Learn and score": {
        "adapt": "Adapt a model to a few annotated pages.",
        "train": "Train a model on annotated pages.",
        "evaluate": "Score clean texts and blocks, with intervals by site.",
        "sweep": "Precision and recall over the threshold, and presets.",
        "ablate": "What each feature module of a configuration is worth.",
    },
    "Languages": {
        "language": "Identify the language of text, and train profiles.",
    },
}
"""Commands with one line of help each, as they are listed.

The lines stand here so that `victor --help` imports no command.
"""
COMMANDS: Final = {name: line for group in GROUPS.values() for name, line in group.items()}
_MODULES: Final = {
    "ablate": "evaluate", "adapt": "train", "align": "corpus", "compare": "explain",
    "demo": "explain", "features": "models", "normalize": "clean",
}  # fmt: skip
"""Where a command is that has no module of its name."""
_RARELY: Final = 200_000
"""Objects made between two looks for cycles; loading modules makes many, and all stay."""


class _Commands(Group):
    """Finds commands by name; importing all of them would cost every call of one."""

    def list_commands(self, _: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"victor.cli.{_MODULES.get(name, name)}")
        values = vars(module).values()
        return next(v for v in values if isinstance(v, click.Command) and v.name == name)

    def guess(self, name: str, names: Sequence[str]) -> str:
        is_page = "." in name or "/" in name
        return f"; to clean it: victor clean {name}" if is_page else super().guess(name, names)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and their lines; click would import all commands to ask for these."""
        from click.shell_completion import CompletionItem

        of_options = click.Command.shell_complete(self, ctx, incomplete)
        begun = [name for name in COMMANDS if name.startswith(incomplete)]
        return [*(CompletionItem(name, help=COMMANDS[name]) for name in begun), *of_options]


@click.group(
    cls=_Commands,
    examples=(
        "victor clean page.html",
        "victor clean pages/ -f markdown -o clean/",
        "victor crawl crawl.warc.gz -f parquet -o corpus/",
    ),
)
@click.version_option(victor.__version__, message="victor %(version)s")
def group() -> None:
    """Turn web pages into clean text."""


def run() -> None:
    """Run the command that the arguments of the process name, and end the process."""
    gc.set_threshold(_RARELY)
    atexit.register(gc.freeze)  # or Python looks through all that is left, and frees it, twice
    try:
        sys.exit(group.main(prog_name="victor", standalone_mode=False))
    except click.exceptions.NoArgsIsHelpError as error:  # it holds the help
        error.show()
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "victor"
        complain(f"{error.format_message()} (see {path} --help)")
    except (VictorError, click.ClickException) as error:
        complain(str(error))
    except click.Abort:  # Ctrl+C
        sys.exit(130)
    except OSError as error:  # a file that an option names, a full disk
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    sys.exit(2)
