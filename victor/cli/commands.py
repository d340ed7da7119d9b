"""What a command is made of and what it tells: options, help with examples, complaints, progress.

Options are fields of a frozen value:

    class _Options(Cleaning):
        jobs: int = option("-j --jobs", "Processes.", AT_LEAST_1, 1)

    @command("victor clean page.html", takes=_Options)
    @click.argument("pages", nargs=-1)
    def clean_command(pages: tuple[str, ...], options: _Options) -> None: ...

So an option is written once, and a class that others extend is a group of options they share.

What a page says may hold control characters, marks that turn the direction of writing, words
without end: nothing of it may reach a terminal but printable characters.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, dataclass_transform

import click

from victor.base.errors import FEATURE_FAILED, hint

_Param = click.Parameter | None
_Context = click.Context | None
_LONGEST: Final = 200  # characters of a short help; click's own 45 end in three dots


def option(
    names: str,
    help: str,
    kind: click.ParamType | None = None,  # type: ignore[type-arg]  # older releases have no argument
    default: object = None,
    **more: Any,  # noqa: ANN401  (of click)
) -> Any:  # noqa: ANN401  (a field of any type)
    """A field of `Options`: a flag if it is a bool, repeatable if a tuple.

    Args:
        names: as they are typed, with spaces between; ``--links/--no-links`` is a switch.
        help: what it does, on one line; behind a colon at its end the choices of `kind` follow.
        kind: what its values are.
        default: its value where it is not given; the help shows it.
        more: as `click.option`.
    """
    if isinstance(kind, click.Choice) and help.endswith(":"):
        help = f"{help} {', '.join(kind.choices)}."
    shown = {"default": default, "show_default": True} if default is not None else {}
    written = {"help": help, "type": kind, "metavar": _metavar(kind), **shown, **more}
    return Written(names.split(), default, written)


def _metavar(kind: object) -> str | None:
    """What stands for a value in the help; None for what click writes."""
    if isinstance(kind, click.Path):
        return "DIR" if kind.name == "directory" else kind.name.upper()
    named = (click.Choice, "NAME"), ((click.IntRange, click.FloatRange), "N")
    return next((name for kinds, name in named if isinstance(kind, kinds)), None)


class Written(NamedTuple):
    """How an option is typed, and what it is if it is not."""

    names: Sequence[str]
    default: object
    written: Mapping[str, Any]  # what else click is told


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(option,))
class Options:
    """The options of a command as one value; its fields are made by `option`.

    No dataclass: to make one takes a millisecond, as long as to clean a small page.
    """

    def __init__(self, **values: Any) -> None:  # noqa: ANN401  (what is typed)
        self.__dict__.update(values)

    @classmethod
    def fields(cls) -> dict[str, tuple[str, Written]]:
        """The options and their types, first those of the class itself."""
        found: dict[str, tuple[str, Written]] = {}
        for owner in cls.__mro__:
            for name, kind in inspect.get_annotations(owner).items():
                found.setdefault(name, (kind, getattr(cls, name)))
        return found


def command(
    *examples: str,
    takes: type[Options] = Options,
    group: click.Group | None = None,
    first: str = "",
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of a function ``NAME_command``, which gets the value as `options`.

    Args:
        examples: lines to type, which the help shows.
        takes: the options; without any the function gets none.
        group: what it is a command of; None for the program.
        first: names of the options that most people need, in this order; the help lists the others
            under a heading of their own.
    """

    def make(function: Callable[..., None]) -> click.Command:
        maker: Any = click.command if group is None else group.command
        made: click.Command = maker(cls=Command, examples=examples, first=first)(
            _with(takes, function)
        )
        return made

    return make


def _with(options: type[Options], function: Callable[..., None]) -> Callable[..., None]:
    """The function with the options of a class added."""
    fields = options.fields()

    @wraps(function)
    def called(**given: Any) -> None:  # noqa: ANN401  (whatever the command takes)
        values = {name: given.pop(name) for name in fields}
        function(**given, **({"options": options(**values)} if fields else {}))

    for name, (kind, each) in reversed(fields.items()):
        written = dict(each.written)
        if kind.startswith("bool"):
            default = bool(each.default) if kind == "bool" else each.default
            written |= {"is_flag": True, "default": default}
        elif kind.startswith("tuple[") and "..." in kind:
            written["multiple"] = True
        called = click.option(name, *each.names, cls=_Option, **written)(called)
    return called


class _Option(click.Option):
    """An option whose help says ``--[no-]links`` of a switch, and does not say ``x>=1``."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        if record is None or not self.secondary_opts:
            return record
        return f"--[no-]{self.opts[0].removeprefix('--')}", record[1]

    def get_help_extra(self, ctx: click.Context) -> Any:  # noqa: ANN401  (of click)
        return {key: text for key, text in super().get_help_extra(ctx).items() if key != "range"}


class _WithExamples(click.Command):
    """What has examples, lines to type that stand verbatim below the options, and ``-h``."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **more: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **more)
        self.examples = tuple(examples)

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Names of the help, also of a command that is called without its group."""
        return ["-h", "--help"]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples where click writes the end of a help."""
        super().format_epilog(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


class Command(_WithExamples):
    """A command with examples; see `command`."""

    def __init__(self, *args: Any, first: str = "", **more: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **more)
        self.first = first.split()

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


class OneOf(click.Choice):  # type: ignore[type-arg]  # as above
    """One of some names; a wrong one is answered with the nearest, and with all."""

    def convert(self, value: object, param: _Param, ctx: _Context) -> str:
        """The name."""
        if value not in self.choices:
            guess = hint(str(value), self.choices)
            names = f" There are {', '.join(self.choices)}." if guess.endswith("?") else ""
            self.fail(f"there is no {value}{guess}{names}", param, ctx)
        return str(value)


class Threshold(click.ParamType):  # type: ignore[type-arg]  # as above
    """A number from 0 to 1 or in per cent, a preset, or a precision such as ``p0.98``."""

    name = "value"

    def convert(self, value: object, param: _Param, ctx: _Context) -> float | str:
        """The number if it is one."""
        percent = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)%", str(value))
        number = float(percent[1]) / 100 if percent else value
        try:
            return float(click.FloatRange(0, 1)(number, param, ctx))
        except click.BadParameter:
            if re.fullmatch(r"[a-z][\w.-]*", str(value)):
                return str(value)
            wanted = "a number from 0 to 1, such as 0.2, or precision, balanced, recall, p0.98"
            self.fail(f"{value!r} is no threshold: give {wanted}", param, ctx)


AT_LEAST_1: Final = click.IntRange(1)
PATH: Final = click.Path()
CORPUS: Final = click.Path(exists=True, file_okay=False, path_type=Path)  # a folder that is there
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)  # a file that is there
NEW_FILE: Final = click.Path(dir_okay=False, path_type=Path)
NEW_FOLDER: Final = click.Path(file_okay=False, path_type=Path)  # what is written


LABEL_COLOURS: Final = {"header": "yellow", "text": "green", "other": "red"}
"""Each also has its name beside it, for those who cannot tell the colours."""
_NARROWEST: Final = 40  # columns that are written for even where the terminal has fewer
_SPACED: Final = 4
"""Characters of a page, most of them perhaps white space, that are read for one that is shown."""


def complain(message: str) -> None:
    """Print a complaint on one line; further lines of the message become a list."""
    lines = [" ".join(line.split()) for line in message.splitlines() if line.strip()]
    rest = ": " + "; ".join(lines[1:]) if lines[1:] else ""
    click.echo(f"victor: {lines[0] if lines else 'failed'}{rest}", err=True)


def count(
    what: str, reasons: Counter[str], total: int, advice: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Print how many pages are of some kind, if any are, for which reasons, and what to try."""
    if reasons.total():
        counts = ", ".join(
            f"{reason} {n}{f' ({advice[reason]})' if reason in advice else ''}"
            for reason, n in reasons.most_common()
            if n
        )
        pages = "pages" if total != 1 else "page"
        plural, _, rest = what.partition(" ")
        verb = {"have": "has", "are": "is"}.get(plural, plural) if total == 1 else plural
        complain(f"{reasons.total()} of {total} {pages} {f'{verb} {rest}'.strip()}: {counts}")


def finish(failed: Counter[str], total: int) -> None:
    """Exit with status 1 if pages failed, after printing how many and why.

    If a feature module could measure none of them, the call is wrong, not a page: status 2.
    """
    if failed[FEATURE_FAILED] == total > 0:
        if total > 1:
            count("failed", failed, total)
        sys.exit(2)
    count("failed", failed, total)
    if failed.total():
        sys.exit(1)


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of items done; it moves a bar on a terminal."""
    if total == 1 or not sys.stderr.isatty():
        yield lambda _: None
        return
    with click.progressbar(length=total, label=title, file=sys.stderr) as bar:
        yield bar.update


def write(line: str = "") -> None:
    """Write a line; colours are for terminals, and what the encoding lacks becomes ``?``."""
    encoding = sys.stdout.encoding or "utf-8"
    line = line.rstrip().encode(encoding, "replace").decode(encoding)
    click.echo(line, color=False if os.environ.get("NO_COLOR") else None)


def write_text(
    text: str,
    *,
    start: str = "",
    indent: int = 0,
    lines: int | None = None,
    **style: Any,  # noqa: ANN401  (of click)
) -> None:
    """Write text over as many lines as it takes, or as it may take.

    Args:
        text: of a page or ours.
        start: what the first line begins with, of at most `indent` columns.
        indent: columns before every line.
        lines: most lines; the last of them ends in ``…`` if there is more. None for all.
        style: as `click.style`.
    """
    import shutil  # loads decompressors

    width = max(shutil.get_terminal_size().columns, _NARROWEST) - indent
    near = text if lines is None else text[: (lines + 1) * width * _SPACED]
    shown = textwrap.wrap(tame(near), width, max_lines=lines, placeholder=" …") or [""]
    room = " " * (indent - len(click.unstyle(start)))
    for number, line in enumerate(shown):
        before = " " * indent if number else start + room
        write(before + click.style(line, **style))


def write_record(record: object) -> None:
    """Write a line of JSON, in UTF-8; what cannot be printed is escaped, for it may be a page's."""
    import json  # few commands write records

    import msgspec

    line = msgspec.json.encode(record).decode()
    click.echo("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line).encode())


def tame(text: str, width: int | None = None) -> str:
    """The printable characters of a text, single spaces between; a longer one ends in ``…``."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if width is None or len(line) <= width else line[: width - 1] + "…"
