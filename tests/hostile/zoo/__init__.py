"""The zoo: inputs that were made to break something, all written by code.

`ALL` has them by name. An input is as large as its maker is asked to make it: up to 20 or 105 MB,
and a few kilobytes for the test suite. `systems` says what is done with each, `judge` what may come
of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hostile.zoo import (
    addresses,
    amounts,
    baits,
    binaries,
    characters,
    documents,
    encodings,
    formats,
    heads,
    raw_text,
    scripts,
    tables,
    truncations,
    xml_documents,
)
from hostile.zoo.inputs import Input

GROUPS: Final = tuple(
    module.GROUP
    for module in (
        amounts, baits, scripts, encodings, binaries, formats, xml_documents, truncations,
        raw_text, tables, characters, documents, heads, addresses,
    )
)  # fmt: skip
ALL: Final[Mapping[str, Input]] = {entry.name: entry for group in GROUPS for entry in group}
