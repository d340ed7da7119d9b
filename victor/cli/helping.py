"""What `--help` shows beside usage and options: examples, and short helps that are whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import click

from victor.errors import hint

_LONGEST: Final = 200
"""Characters of a short help; click's own 45 end in three dots."""


class _WithExamples(click.Command):
    """What has examples.

    Args:
        args, more: what click's class takes.
        examples: lines to type, shown verbatim below the options.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), **more: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **more)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples where click writes the end of a help."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Command(_WithExamples):
    """A command with examples."""


class Group(_WithExamples, click.Group):
    """Commands with examples, each listed with the whole of its short help."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; if there is none, say which may be meant."""
        name, names = args[0], self.list_commands(ctx)
        if name not in names and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"there is no command {name}{self.guess(name, names)}")
        return super().resolve_command(ctx, args)

    def guess(self, name: str, names: Sequence[str]) -> str:
        """What may be meant by a name that is none of these, for the end of a message."""
        return hint(name, names)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line or two for every command."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, each.get_short_help_str(_LONGEST)) for name, each in commands if each]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
