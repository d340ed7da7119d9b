"""Output formats: each module here renders one page of a verdict as a string.

One format has a package of its own, `victor.kitten`, as it is more than a form.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, Protocol, cast

from victor.errors import ConfigError
from victor.page.verdict import Verdict

RENDERERS: Final[dict[str, str]] = {
    "text": "victor.render.text",
    "markdown": "victor.render.markdown",
    "html": "victor.render.html",
    "cleaneval": "victor.render.cleaneval",
    "records": "victor.render.records",
    "native": "victor.render.native",
    "sentences": "victor.kitten.sentences",
}
"""Module of every output format."""


class Render(Protocol):
    """Renders the kept blocks of one page; a format ignores metadata it has no use for.

    Metadata that some format reads: ``url``, ``id``, ``markup`` (the page as UTF-8 bytes).
    """

    def __call__(self, verdict: Verdict, page: int, **metadata: object) -> str:
        """The page as one string."""
        ...


def renderer(name: str) -> Render:
    """The ``render`` function of a format.

    Raises:
        ConfigError: there is no such format.
    """
    if name not in RENDERERS:
        raise ConfigError(f"no output format {name!r}; choose one of {', '.join(RENDERERS)}")
    return cast(Render, import_module(RENDERERS[name]).render)
