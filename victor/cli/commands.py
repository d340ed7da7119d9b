"""Commands with examples in their help, and option types that guess what a wrong name meant."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from victor.base.errors import hint

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
    """A command with examples.

    Args:
        args, more: what click's class takes.
        first: names of the options that most people need, in this order; the help lists the others
            under a heading of their own.
    """

    def __init__(self, *args: Any, first: Sequence[str] = (), **more: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **more)
        self.first = tuple(first)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in two parts."""
        options = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        parameters = {str(option.name): option for option in options}
        others = [name for name in parameters if name not in self.first]
        parts = ("Options", self.first), ("More options", others)
        for title, names in parts if self.first else [("Options", [*parameters])]:
            records = [parameters[name].get_help_record(ctx) for name in names]
            if rows := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Group(_WithExamples, click.Group):
    """Commands with examples, each listed with the whole of its short help."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; if there is none, say which may be meant."""
        name, names = args[0], self.list_commands(ctx)
        is_wrong = self.get_command(ctx, name) is None and not name.startswith("-")
        if is_wrong and not ctx.resilient_parsing:
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


class OneOf(click.Choice):  # type: ignore[type-arg]  # older releases of click take no argument
    """One of some names; a wrong one is answered with the nearest, and with all."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The name."""
        if value not in self.choices:
            guess = hint(str(value), self.choices)
            names = f" There are {', '.join(self.choices)}." if guess.endswith("?") else ""
            self.fail(f"there is no {value}{guess}{names}", param, ctx)
        return str(value)


class Folder(click.Path):
    """A folder to write to, which need not be there."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """The path."""
        if Path(value).is_file():
            self.fail(f"{value} is a file: name a folder, or write one file by > {value}",
                      param, ctx)  # fmt: skip
        return Path(value)


class Threshold(click.ParamType):  # type: ignore[type-arg]  # as above
    """A number from 0 to 1 or in per cent, a preset, or a precision such as ``p0.98``."""

    name = "number or preset"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | str:
        """The number if it is one."""
        percent = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)%", str(value))
        number = float(percent[1]) / 100 if percent else value
        try:
            return float(click.FloatRange(0, 1)(number, param, ctx))
        except click.BadParameter:
            if re.fullmatch(r"[a-z][\w.-]*", str(value)):
                return str(value)
            self.fail(
                f"{value!r} is no threshold: give a number from 0 to 1, such as 0.2, "
                "or precision, balanced, recall, p0.98", param, ctx,
            )  # fmt: skip
