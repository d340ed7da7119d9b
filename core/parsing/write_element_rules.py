"""Write how elements nest, of which `element_rules.txt` has a line each, for the compiled core.

    python core/parsing/write_element_rules.py FOLDER

writes `element_rules.h` into an existing folder. `setup.py` does so before it compiles.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_RULES: Final = Path(__file__).with_name("element_rules.txt")
_SLOTS: Final = 1024
_FACTORS: Final = (4, 54, 20)
"""By which every name has a slot of its own."""
_FLAGS: Final = ("empty", "void", "of-head", "no-body")
_HEADER: Final = """\
/* Written by core/parsing/write_element_rules.py: how libxml2 2.14 builds a tree. */
#include <stdint.h>

enum {{
{elements}
N_ELEMENTS,
}};
enum {{ NOT_RAW, ESCAPABLE, RAW, SCRIPT, PLAIN }};
enum {{ TAG_PAGE = 0, TAG_UNKNOWN = 1, TAG_CUSTOM = 2, N_RANKS = 7, DEEPEST = 512 }};

typedef struct {{
    char name[14];
    uint8_t length;
    int16_t tag;      /* id in parsing.tags, -1 for a dropped element */
    uint8_t rank;     /* an end tag does not reach past elements of a higher rank */
    uint8_t is_empty; /* ends where it begins */
    uint8_t is_void;  /* has no end code in the stream of events */
    uint8_t is_of_head; /* implies a head where nothing was before */
    uint8_t implies_no_body;
    uint8_t raw;      /* what it holds, see above */
}} ElementRule;

/* The last row is that of every other name. */
static const ElementRule element_rules[N_ELEMENTS + 1] = {{
{rows}
{{"", 0, TAG_UNKNOWN, 0, 0, 0, 0, 0, NOT_RAW}},
}};

/* Does a start tag end the innermost open element: by that element and by the tag. */
static const uint8_t start_closes[N_ELEMENTS + 1][N_ELEMENTS + 1] = {{
{pairs}
}};

/* The only element that a name in lower case may be, by its slot. */
enum {{ FIRST_FACTOR = {factors[0]}, MIDDLE_FACTOR = {factors[1]}, LAST_FACTOR = {factors[2]},
       N_ELEMENT_SLOTS = {slots} }};
static const uint8_t element_slots[N_ELEMENT_SLOTS] = {{
{rows_of_slots}
}};
"""


def header() -> str:
    """The text of `element_rules.h`."""
    lines = _RULES.read_text(encoding="utf-8").splitlines()
    rules = [line.partition(">") for line in lines if not line.startswith("#")]
    about = [words.split() for words, _, _ in rules]
    names = [name for name, *_ in about]
    slots = {_slot(name): row for row, name in enumerate(names)}
    pairs = [
        (name, tag) for name, rule in zip(names, rules, strict=True) for tag in rule[2].split()
    ]
    return _HEADER.format(
        elements="\n".join(f"{_constant(name)}," for name in names),
        rows="\n".join(_row(*words) for words in about),
        pairs="\n".join(f"[{_constant(open_)}][{_constant(tag)}] = 1," for open_, tag in pairs),
        factors=_FACTORS,
        slots=_SLOTS,
        rows_of_slots="\n".join(f"{slots.get(slot, len(names))}," for slot in range(_SLOTS)),
    )


def _constant(name: str) -> str:
    return f"ELEMENT_{name.upper()}"


def _row(name: str, tag: str, *about: str) -> str:
    values = dict(word.split("=") for word in about if "=" in word)
    flags = ", ".join(str(int(flag in about)) for flag in _FLAGS)
    rank, raw = values.get("rank", 0), values.get("raw", "NOT_RAW")
    return f'{{"{name}", {len(name)}, {tag}, {rank}, {flags}, {raw}}},'


def _slot(name: str) -> int:
    """As `element_of` in C: by the length and three characters."""
    places = name[0], name[len(name) // 2], name[-1]
    return (len(name) + sum(f * ord(c) for f, c in zip(_FACTORS, places, strict=True))) % _SLOTS


if __name__ == "__main__":
    (Path(sys.argv[1]) / "element_rules.h").write_text(header(), encoding="utf-8")
