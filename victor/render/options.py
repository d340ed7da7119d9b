"""The options of forms as users write them, and as the functions that render take them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from victor.base.errors import ConfigError

_GIVEN: Final = frozenset({"url", "markup", "metadata", "found", "outline"})
"""What the result of a page gives by itself."""
_FOR_READERS: Final = frozenset({"markdown", "article"})
"""Forms that show the headline and tell posts apart unless told otherwise."""
WITH_METADATA: Final = ("text", "markdown")
"""Forms above which metadata can stand (`victor.render.front_matter`)."""


class Options(NamedTuple):
    """Options of a form, checked.

    Attributes:
        given: for the function that renders.
        headline: is the headline to be shown.
        posts: are posts to be told apart.
        with_metadata: are metadata to be written above the text.
    """

    given: dict[str, Any]
    headline: bool
    posts: bool
    with_metadata: bool


def checked(
    form: str,
    render: Callable[..., str],
    options: Mapping[str, Any],
    *,
    headline: bool = False,
) -> Options:
    """The options of a form.

    Args:
        form: its name.
        render: its function; its keywords are options, and where it has ``shown``, the switches of
            `Shown` are.
        options: as the user wrote them; what is not there is as the form has it.
        headline: do forms show the headline that do not by themselves.

    Raises:
        ConfigError: the form has no such option, or a switch is neither true nor false.
    """
    names = _names(render)
    switches = {*Shown._fields} if "shown" in names else set()
    flags = switches | ({"headline"} & names) | ({"posts"} if "outline" in names else set())
    flags |= {"with_metadata"} if form in WITH_METADATA else set()
    for name, value in options.items():
        if name not in (names | flags) - _GIVEN:
            raise ConfigError(_unknown(form, name, sorted((names | flags) - _GIVEN)))
        if name in flags and not isinstance(value, bool):
            raise ConfigError(f"{name} is a switch, true or false, not {value!r}")
    given = {name: value for name, value in options.items() if name not in flags}
    if chosen := {name: options[name] for name in options if name in switches}:
        given["shown"] = (given.get("shown") or Shown())._replace(**chosen)
    by_default = form in _FOR_READERS or "markdown" in (given.get("fields") or ())
    return Options(
        given,
        headline="headline" in names and options.get("headline", headline or by_default),
        posts="outline" in names and options.get("posts", by_default),
        with_metadata=options.get("with_metadata", False),
    )


@lru_cache(maxsize=64)  # every page asks, and the answer takes as long as its text
def _names(render: Callable[..., str]) -> frozenset[str]:
    """Names of the keywords of a function."""
    parameters = inspect.signature(render).parameters.values()
    return frozenset(each.name for each in parameters if each.kind is each.KEYWORD_ONLY)


def _unknown(form: str, name: str, names: list[str]) -> str:
    known = f"it has {', '.join(names)}" if names else "it has none"
    return f"the form {form} has no option {name!r}; {known}"


class Shown(NamedTuple):
    """Switches of the forms that are made from a document.

    Attributes:
        links: where links lead.
        images: images.
        formatting: bold, italic, code, deleted, raised and lowered text.
        tables: data tables as tables; else as lines of text.
    """

    links: bool = True
    images: bool = True
    formatting: bool = True
    tables: bool = True
