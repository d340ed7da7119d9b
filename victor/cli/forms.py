"""The options that say what a form shows beside the words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from victor.errors import ConfigError
from victor.render.tree.shown import Shown

Command = TypeVar("Command", bound=Callable[..., Any])

OF_DOCUMENTS: Final = ("markdown", "article", "xml", "tei", "json")
"""The forms that show more than words."""
_ABOVE: Final = ("text", "markdown")
"""The forms above which metadata can stand."""
_SWITCHES: Final = {
    "links": "Say where links lead, or not.",
    "images": "Show images, or not.",
    "formatting": "Show bold, italic, code and the like, or not.",
    "tables": "Show data tables as tables, or as lines of text.",
}
NAMES: Final = (*_SWITCHES, "bullets", "with_metadata", "json_fields")
"""Names of the arguments that a command gets of these options."""


def dates_option(command: Command) -> Command:
    """Add the option that lets another package look for dates; the argument is `find_dates`."""
    purpose = "Let htmldate look for a date that the page does not name."
    return click.option("--find-dates", is_flag=True, help=purpose)(command)


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
                          help="What -f json has beside address and metadata: some of text, "
                          "markdown, posts, offers, blocks, with commas between.  "
                          "[default: text]")  # fmt: skip
    above = click.option("--with-metadata", is_flag=True, default=None,
                         help="Metadata as YAML above text or Markdown.")  # fmt: skip
    bullets = click.option("--bullets", is_flag=True, default=None,
                           help="Bullets and numbers before the list items of text.")  # fmt: skip
    return switch_options(bullets(above(fields(command))))


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
    if "with_metadata" in given:
        _check("--with-metadata", form, _ABOVE)
    for switch in Shown._fields:
        if switch in given:
            written = f"--{switch}" if given[switch] else f"--no-{switch}"
            _check(written, form, OF_DOCUMENTS)
            if form == "json" and "markdown" not in given.get("fields", ()):
                raise ConfigError(f"{written} with -f json needs markdown among --json-fields")
    return given


def _check(option: str, form: str, forms: tuple[str, ...]) -> None:
    if form not in forms:
        raise ConfigError(f"-f {form} has no use for {option}, which is for {', '.join(forms)}")
