"""The one page that a command shows."""

from __future__ import annotations

from collections import Counter

from victor.api import Cleaner, Result
from victor.cli.inputs import Input, expand, source
from victor.cli.messages import complain, finish
from victor.errors import ConfigError


def cleaned(name: str, cleaner: Cleaner) -> tuple[Input, Result]:
    """A page by its name, and what a cleaner makes of it; a page that fails ends the command.

    Raises:
        ConfigError: there is no such page, or the name is that of several.
    """
    inputs = [*expand(name)]
    if len(inputs) > 1:
        raise ConfigError(f"{name} holds {len(inputs)} pages; name one of them")
    (result,) = cleaner.clean_many([source(inputs[0], cleaner.limits.bytes)])
    if result.error is not None:
        complain(f"{name}: {result.error}")
        finish(Counter([result.reason]), 1)
    return inputs[0], result
