"""The reference of the command line as Markdown, made from the commands themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import click
from plain_text import escaped

from victor.cli import program

_SWITCH = re.compile(r"--\[no-\](\S+)")
Commanded: TypeAlias = tuple[click.Command, click.Context]
"""A command with its place below others."""


def markdown() -> list[str]:
    """Lines with a part for every group of commands, in it one for each command."""
    lines = []
    for title, names in program.GROUPS.items():
        lines += [f"## {title}", ""]
        for name in names:
            for command, context in _walk(*_inner(program.group, _top(), name)):
                lines += _command(command, context)
    return lines


def paths() -> list[str]:
    """Every command as it is typed, groups before what they hold."""
    return [context.command_path for _, context in _walk(program.group, _top())]


def _top() -> click.Context:
    return click.Context(program.group, info_name="victor")


def _inner(group: click.Group, context: click.Context, name: str) -> Commanded:
    """A command of a group."""
    command = group.get_command(context, name)
    assert command is not None, f"{context.command_path} lists {name} and has none"
    return command, click.Context(command, info_name=name, parent=context)


def _walk(command: click.Command, context: click.Context) -> Iterator[Commanded]:
    """A command and all that it holds."""
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from _walk(*_inner(command, context, name))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Usage, what it does, examples, options."""
    yield f"{'#' * (1 + len(context.command_path.split()))} {context.command_path}"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield from ("", "```text", usage, "```", "")
    yield from (*map(escaped, inspect.cleandoc(command.help or "").splitlines()), "")
    examples: Sequence[str] = getattr(command, "examples", ())
    if examples:
        yield from ("```sh", *examples, "```", "")
    for param in command.get_params(context):
        record = param.get_help_record(context)
        if record is not None and record[1]:
            names = _SWITCH.sub(r"--\1 / --no-\1", record[0])
            yield from (f"`{names}`", f": {escaped(record[1])}", "")
