"""What one reader hands on: a page or a damage that is made when its number is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from victor.sources.record import Damage, Record

Page: TypeAlias = Record | Damage
"""What has been read."""
Item: TypeAlias = Callable[[str, int], Page]
"""Makes the record or damage from the name of the input and its number there.

Readers yield these, so that items which are skipped are counted and never built. An item may
look into its reader: it has to be made before the reader goes on.
"""


def damage(reason: str, message: str, url: str | None = None) -> Item:
    """A place that gives no page."""
    return lambda source, number: Damage(source, number, reason, message, url)
