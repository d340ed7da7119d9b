"""Metadata above a text, as YAML between two lines of dashes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from victor.page.plain_data import plain

if TYPE_CHECKING:
    from yaml import ScalarNode
    from yaml.representer import SafeRepresenter

_WIDEST: Final = 2**31
"""Texts are never broken into several lines."""


def front_matter(metadata: Mapping[str, Any]) -> str:
    """A block that YAML's safe loaders read back, in the order of the fields, and a blank line."""
    import yaml  # takes a while to load, and only who asks for metadata needs it

    class Dumper(yaml.SafeDumper):
        """Dumps texts with line ends and other controls as they are, escaped on one line."""

        def ignore_aliases(self, data: object) -> bool:
            """What occurs twice is written twice."""
            return True

    Dumper.add_representer(str, _text)
    written = yaml.dump(
        plain(metadata), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=_WIDEST
    )
    return f"---\n{written}---\n\n"


def _text(dumper: SafeRepresenter, text: str) -> ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)
