"""The guidelines that the tool shows: its own, or those of a file in Markdown, as harmless HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from victor.base.errors import ConfigError
from victor.base.files import package_folder

if TYPE_CHECKING:
    from markdown_it.token import Token

OURS: Final = package_folder("victor.annotate") / "front" / "guidelines.md"
_TOP: Final = 4
"""Level of the largest heading in a text, below those of the help."""
_LOWEST: Final = 6
_LINKED: Final = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


def guidelines(file: Path | None = None) -> str:
    """Guidelines as HTML without anything that runs, loads or submits.

    Args:
        file: in Markdown; None for the short ones that come with the tool.

    Raises:
        ConfigError: the file cannot be read, or is not in UTF-8.
    """
    file = file or OURS
    try:
        return rendered(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 ({error.reason}); write it in UTF-8") from None


def rendered(markdown: str) -> str:
    """Markdown (CommonMark and tables) as HTML.

    Tags in it are text, pictures become links, links lead to http, https and mail addresses only
    and open a new tab. No element has a style of its own, which the policy of the tool forbids.
    """
    from markdown_it import MarkdownIt  # of an extra

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: bool(_LINKED.match(url))  # type: ignore[method-assign]
    tokens = parser.parse(markdown)
    _make_harmless(tokens)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _make_harmless(tokens: Sequence[Token]) -> None:
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    shift = _TOP - min(levels, default=_TOP)
    for token in tokens:
        token.attrs.pop("style", None)  # of aligned cells
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + shift, _LOWEST)}"
        for inline in token.children or ():
            if inline.type == "link_open":
                inline.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
