"""Write the named references of HTML, as Python's `html.entities` has them, for the compiled core.

    python core/parsing/write_entities.py FOLDER

writes `entities.h` into an existing folder. `setup.py` does so before it compiles.
"""

from __future__ import annotations

import sys
from html.entities import html5
from pathlib import Path
from typing import Final

_SLOTS: Final = 8192
"""More than three times as many as there are names."""
_HEADER: Final = """\
/* Written by core/parsing/write_entities.py: named references of the HTML standard. */
#include <stdint.h>

enum {{ N_ENTITIES = {count}, N_ENTITY_SLOTS = {slots}, LONGEST_ENTITY = {longest},
       LONGEST_UNENDED = {unended} /* of those that need no semicolon */ }};

/* All names one after the other, with the semicolon. */
static const char entity_names[] =
{names};

typedef struct {{
    uint16_t start; /* of the name */
    uint8_t length;
    uint32_t codes[2]; /* the second may be 0 for none */
}} Entity;

static const Entity entities[N_ENTITIES] = {{
{rows}
}};

/* By the hash of a name, or in a slot after it: its row and one; 0 for none. */
static const uint16_t entity_slots[N_ENTITY_SLOTS] = {{
{rows_of_slots}
}};
"""


def header() -> str:
    """The text of `entities.h`."""
    names = sorted(html5)
    slots = [0] * _SLOTS
    rows, start = [], 0
    for index, name in enumerate(names):
        slot = _slot(name)
        while slots[slot]:
            slot = (slot + 1) % _SLOTS
        slots[slot] = index + 1
        first, second = [*map(ord, html5[name]), 0][:2]
        rows.append(f"{{{start}, {len(name)}, {{{first}, {second}}}}},")
        start += len(name)
    return _HEADER.format(
        count=len(names),
        slots=_SLOTS,
        longest=max(map(len, names)),
        unended=max(len(name) for name in names if not name.endswith(";")),
        names="\n".join(f'"{name}"' for name in names),
        rows="\n".join(rows),
        rows_of_slots="\n".join(f"{slot}," for slot in slots),
    )


def _slot(name: str) -> int:
    """As `find_entity` in C: a hash of the bytes by Fowler, Noll and Vo."""
    value = 2166136261
    for code in name.encode():
        value = (value ^ code) * 16777619 & 0xFFFFFFFF
    return (value ^ value >> 15) % _SLOTS


if __name__ == "__main__":
    (Path(sys.argv[1]) / "entities.h").write_text(header(), encoding="utf-8")
