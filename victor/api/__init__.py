"""The Python face: clean pages one by one or in batches, load models.

The names load when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from victor.base import lazy

if TYPE_CHECKING:
    from victor.api.block import Block
    from victor.api.cleaner import Cleaner, CleanerSpec, clean, clean_many, fetch, load_cleaner
    from victor.api.result import Result

__all__ = [
    "Block",
    "Cleaner",
    "CleanerSpec",
    "Result",
    "clean",
    "clean_many",
    "fetch",
    "load_cleaner",
]

__getattr__, __dir__ = lazy.loader(
    __name__,
    {
        "victor.api.cleaner": "Cleaner CleanerSpec clean clean_many fetch load_cleaner",
        "victor.api.block": "Block",
        "victor.api.result": "Result",
    },
)
