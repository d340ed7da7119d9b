"""The reference of the command line as Markdown, made from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click
from plain_text import escaped

from victor import cli


def markdown() -> list[str]:
    """Lines with a section for every command: usage, help as the terminal shows it, options."""
    return [*_command(cli.group, click.Context(cli.group, info_name="victor"), "## ")]


def paths() -> list[str]:
    """Every command as it is typed, groups before what they hold."""
    top = click.Context(cli.group, info_name="victor")
    return [context.command_path for _, context in _walk(cli.group, top)]


def _walk(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                yield from _walk(inner, click.Context(inner, info_name=name, parent=context))


def _command(top: click.Command, top_context: click.Context, mark: str) -> Iterator[str]:
    for command, context in _walk(top, top_context):
        depth = len(context.command_path.split()) - 2
        if depth >= 0:
            yield f"{mark[0] * (2 + depth)} {context.command_path}"
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        yield from ("", "```text", usage, "```", "")
        yield from _help(command.help or "")
        yield from _help(command.epilog or "")
        for param in command.get_params(context):
            record = param.get_help_record(context)
            if record is not None and record[1]:
                yield from (f"`{record[0]}`", f": {escaped(record[1])}", "")


def _help(text: str) -> Iterator[str]:
    """Paragraphs; what click leaves as it is (after a backspace, or indented) is shown so."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = paragraph.strip("\n").splitlines()
        typed = bool(lines) and lines[0].strip() == "\b"
        lines = lines[1:] if typed else lines
        if typed or (lines and all(line.startswith("  ") for line in lines)):
            yield from ("```text", *inspect.cleandoc("\n".join(lines)).splitlines(), "```", "")
        else:
            yield from (*map(escaped, lines), "")
