"""Types of options whose values have names: what is close to a wrong one, and completion."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from victor.errors import hint

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


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


class NamedFile(click.ParamType):  # type: ignore[type-arg]  # as above
    """The name of something that is shipped, or the path of a file.

    A name is looked up where it is used; this type completes it.
    """

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """What was given."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names, and the files of the shell."""
        from click.shell_completion import CompletionItem  # only a shell that completes asks

        # Files first: bash forgets what stands before them.
        return [CompletionItem(incomplete, type="file"), *_beginning(incomplete, self.shipped())]

    def shipped(self) -> Iterable[str]:
        """The names."""
        return ()


class ModelName(NamedFile):
    """A model."""

    def shipped(self) -> Iterable[str]:
        """Names of the shipped models."""
        from victor.labelers.load import model_names

        return model_names()


class ConfigName(NamedFile):
    """A configuration."""

    def shipped(self) -> Iterable[str]:
        """Names of the shipped configurations."""
        from victor.config.templates import CONFIGS, shipped

        return shipped(CONFIGS)


class Threshold(click.ParamType):  # type: ignore[type-arg]  # as above
    """A number from 0 to 1, or the name of a preset."""

    name = "number or preset"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | str:
        """The number if it is one."""
        try:
            return float(click.FloatRange(0, 1)(value, param, ctx))
        except click.BadParameter:
            if re.fullmatch(r"[a-z][\w-]*", str(value)):
                return str(value)
            raise

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The presets of the model that is chosen."""
        from victor.errors import VictorError
        from victor.labelers.load import load_model

        chosen = ctx.params.get("model")
        try:
            model = load_model(chosen if isinstance(chosen, str) else "default")
        except VictorError:  # that is said when the command runs
            return []
        return _beginning(incomplete, model.presets)


def _beginning(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
