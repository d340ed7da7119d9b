"""Output formats: each module here renders one page of a verdict as a string.

The format ``sentences`` has a package of its own, `victor.kitten`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final, Protocol, cast

from victor.base.errors import ConfigError
from victor.page.verdict.verdict import Verdict

RENDERERS: Final[dict[str, str]] = {
    "text": "victor.render.text",
    "markdown": "victor.render.markdown",
    "html": "victor.render.html",
    "article": "victor.render.article",
    "tei": "victor.render.tei",
    "json": "victor.render.json_page",
    "cleaneval": "victor.render.cleaneval",
    "records": "victor.render.records",
    "native": "victor.render.native",
    "sentences": "victor.kitten.sentences",
}
"""Module of every output format.

Each has a function ``render``; one that needs an optional package also has ``check``, which raises
ConfigError if the package is missing.
"""


class Render(Protocol):
    """Renders the kept blocks of one page; a format ignores metadata it has no use for.

    Metadata that some format reads: ``url``, ``id``, ``markup`` (the page as UTF-8 bytes),
    ``metadata`` (a function that gives what is known of the page). What a form may take is the
    `victor.page.allowance.Allowance` of the table, which its loops ask.
    """

    def __call__(self, verdict: Verdict, page: int, **metadata: object) -> str:
        """The page as one string."""
        ...


def renderer(name: str) -> Render:
    """The ``render`` function of a format.

    Raises:
        ConfigError: there is no such format, or it needs a package that is not installed.
    """
    if name not in RENDERERS:
        raise ConfigError(f"no output format {name!r}; choose one of {', '.join(RENDERERS)}")
    module = import_module(RENDERERS[name])
    if hasattr(module, "check"):
        module.check()
    return cast(Render, module.render)
