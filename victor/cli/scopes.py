"""The options that say which parts of pages are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from victor.api import Cleaner
from victor.cli.decisions import AnySpec
from victor.cli.names import OneOf
from victor.config import SCOPES

Command = TypeVar("Command", bound=Callable[..., Any])

_SWITCHES: Final = (
    ("headline", "the headline"),
    ("captions", "captions of pictures"),
    ("comments", "comments of readers"),
)


def scope_options(command: Command) -> Command:
    """Add the options; the command gets them as `name`, `headline`, `captions`, `comments`."""
    for switch, part in reversed(_SWITCHES):
        option = click.option(
            f"--{switch}/--no-{switch}",
            default=None,
            help=f"Keep {part}, or not, whatever the scope.",
        )
        command = option(command)
    scope = click.option(
        "--scope",
        type=OneOf(SCOPES),
        help="main: what the labeler keeps. article: that with the headline, without comments and "
        "teasers after the text. full: with headline, bylines, captions, comments.  "
        "[default: main]",
    )
    return scope(command)


def with_scope(
    spec: AnySpec, cleaner: Cleaner, options: dict[str, str | bool | None]
) -> tuple[AnySpec, Cleaner]:
    """A specification and its cleaner with the parts that the options of a command name.

    Args:
        spec: what cleans.
        cleaner: of this specification; its scope is what the options change.
        options: `scope`, `headline`, `captions` and `comments`; None for what is not given.
    """
    changes = {"name" if key == "scope" else key: value for key, value in options.items()}
    given = {key: value for key, value in changes.items() if value is not None}
    if not given:
        return spec, cleaner
    spec = replace(spec, scope=cleaner.scope.replace(**given))
    return spec, spec.cleaner_of(cleaner.labeler)
