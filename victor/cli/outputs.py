"""What a command writes of a page, and where: the options of a form, files or standard output."""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple, TypeVar

import click

from victor.base.errors import ConfigError, OutputError, PageError
from victor.base.files import write_bytes
from victor.cli.inputs import Input
from victor.render.options import WITH_METADATA, Shown

_EXTENSIONS: Final = {
    "text": ".txt", "markdown": ".md", "html": ".html", "cleaneval": ".txt", "records": ".jsonl",
    "sentences": ".txt", "xhtml": ".xhtml", "native": ".txt", "article": ".html",
    "tei": ".xml", "json": ".json",
}  # fmt: skip
_SPACED: Final = {"text", "markdown", "sentences"}
"""Forms in which a blank line goes between two pages."""

_WHOLE: Final = {"article", "tei"}
"""Forms in which a page is a document, and two in a row are none."""

_OF_THE_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
"""Errors that no other name would help against."""

Write = Callable[[int, str], None]
"""Writes a rendered page, given its index among the inputs; a `PageError` if it has no place."""
Rows = Sequence[Mapping[str, Any]]
"""The dropped texts of one page, as `victor.kitten.passages.Removals.rows` gives them."""


class Rendered(NamedTuple):
    """A rendered page and the texts that rules of its form dropped, or why there is none."""

    text: str = ""
    reason: str = ""
    error: str | None = None
    dropped: Rows = ()


def write_page(write: Write, index: int, page: Rendered) -> PageError | None:
    """Write a page; its error, or why it cannot be written, None where it is."""
    if page.error is not None:
        return PageError(page.reason, page.error)
    try:
        write(index, page.text)
    except PageError as error:
        return error
    return None


def writer(inputs: Sequence[Input], folder: Path | None, form: str) -> Write:
    """A function that writes pages: into the folder, else to standard output, always in UTF-8.

    Raises:
        ConfigError: a file in the folder is itself one of the pages, or there is no folder for
            several documents that cannot stand in one file.
    """
    if folder is None:
        if form in _WHOLE and len(inputs) > 1:
            raise ConfigError(
                f"-f {form} writes one document a page; choose a folder with --output, or -f json"
            )
        return _Printer("\n" if form in _SPACED else "")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise OutputError(f"{folder} cannot be written; make it writable")
    paths = [folder / name for name in unique([i.stem for i in inputs], _EXTENSIONS[form])]
    sources = {Path(page.name).resolve() for page in inputs}
    for path in paths:
        if path.resolve() in sources:
            raise ConfigError(f"{path} is one of the pages; choose another folder for --output")
    return _Folder(paths)


class _Printer:
    def __init__(self, between: str) -> None:
        self._between = between
        self._before = ""

    def __call__(self, index: int, text: str) -> None:
        if text:
            click.echo((self._before + text.removesuffix("\n")).encode())
            self._before = self._between


class _Folder:
    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def __call__(self, index: int, text: str) -> None:
        try:
            write_bytes(self._paths[index], text.encode(), parents=True, lasting=False)
        except OutputError as error:
            if getattr(error.__cause__, "errno", None) in _OF_THE_DISK:
                raise
            raise PageError("not-written", str(error)) from None


def unique(stems: Sequence[str], extension: str = "") -> Iterator[str]:
    """Names of files that differ even where case does not matter, and from the folders of others.

    One that is taken gets a number.
    """
    taken = {str(above).casefold() for stem in stems for above in PurePath(stem).parents}
    last: Counter[str] = Counter()
    for stem in stems:
        name = stem + extension
        while name.casefold() in taken:
            last[stem] += 1
            name = f"{stem}-{last[stem] + 1}{extension}"
        taken.add(name.casefold())
        yield name


Command = TypeVar("Command", bound=Callable[..., Any])

OF_DOCUMENTS: Final = ("markdown", "article", "tei", "json")
"""The forms that show more than words."""
_SWITCHES: Final = {
    "links": "Keep link targets.",
    "images": "Show images.",
    "formatting": "Keep bold, italic and code.",
    "tables": "Write data tables as tables.",
}
NAMES: Final = (
    *Shown._fields, "posts", "bullets", "preclean", "with_metadata", "json_fields"
)  # fmt: skip
"""Names of the arguments that a command gets of these options."""


def switch_options(command: Command) -> Command:
    """Add the switches of `Shown`; the command gets them by its names, None if not given."""
    for switch, purpose in reversed(_SWITCHES.items()):
        option = click.option(f"--{switch}/--no-{switch}", default=None,
                              help=f"{purpose}  [default: --{switch}]")  # fmt: skip
        command = option(command)
    return command


def form_options(command: Command) -> Command:
    """Add the options; the command gets them as the arguments `NAMES`."""
    fields = click.option("--json-fields", metavar="NAMES",
                          help="Fields of -f json, with commas between: text, markdown, posts, "
                          "schema_org, blocks.  [default: text]")  # fmt: skip
    above = click.option("--with-metadata", is_flag=True, default=None,
                         help="Write metadata as YAML above the text.")  # fmt: skip
    bullets = click.option("--bullets", is_flag=True, default=None,
                           help="Write bullets and numbers in text.")  # fmt: skip
    preclean = click.option("--preclean", is_flag=True, default=None,
                            help="Remove scripts, styles and objects from -f html.")  # fmt: skip
    posts = click.option("--posts/--no-posts", default=None,
                         help="Begin each post of a thread with a rule, its author and day.  "
                         "[default: --posts in markdown and article]")  # fmt: skip
    return switch_options(posts(bullets(preclean(above(fields(command))))))


def form_settings(form: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of `victor.api.Result.render` from those of a command.

    Args:
        form: what is written.
        options: the arguments `NAMES`; None for what is not given.

    Raises:
        ConfigError: the form has no use for an option that is given.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if fields := given.pop("json_fields", None):
        from victor.render.json_page import checked_fields  # other forms do not need it

        _check("--json-fields", form, ("json",))
        given["fields"] = checked_fields([name.strip() for name in fields.split(",")])
    if "bullets" in given:
        _check("--bullets", form, ("text",))
    if "preclean" in given:
        _check("--preclean", form, ("html",))
    if form == "json":
        given.pop("with_metadata", None)  # it always has them
    if "with_metadata" in given:
        _check("--with-metadata", form, WITH_METADATA)
    for switch in (*Shown._fields, "posts"):
        if switch in given:
            written = f"--{'' if given[switch] else 'no-'}{switch.replace('_', '-')}"
            _check(written, form, OF_DOCUMENTS)
            if form == "json" and "markdown" not in given.get("fields", ()):
                raise ConfigError(f"{written} with -f json needs markdown among --json-fields")
    return given


def _check(option: str, form: str, forms: tuple[str, ...]) -> None:
    if form not in forms:
        raise ConfigError(f"-f {form} has no use for {option}, which is for {', '.join(forms)}")
