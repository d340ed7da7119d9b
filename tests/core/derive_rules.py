"""Find out by trial how libxml2 builds a tree of HTML, and write it down as tables in C.

    python tests/core/derive_rules.py

writes `core/parsing/element_rules.h`: which start tag ends which open element, which end tag
reaches past what, what stands for itself, what holds raw text. Every rule is what
`lxml.etree.HTMLParser` does with a small page made for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from lxml import etree

from victor.page.parsing.tags import (
    CUSTOM,
    DEEPEST,
    DROPPED,
    LINE,
    NAMES,
    PAGE,
    UNKNOWN,
    VOID,
    tag_id,
)

VERSION: Final = (2, 14)
"""Version of libxml2 whose behaviour is written down."""
HEADER: Final = Path(__file__).parents[2] / "core" / "parsing" / "element_rules.h"
OTHER: Final = "x-y"
"""Stands for every name that is not in the tables."""

_OF_HTML: Final = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big "
    "blink blockquote body br button canvas caption center cite code col colgroup command content "
    "data datalist dd del details dfn dialog dir div dl dt element em embed fieldset figcaption "
    "figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe "
    "image img input ins isindex kbd keygen label layer legend li link listing main map mark "
    "marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes nolayer "
    "noscript object ol optgroup option output p param picture plaintext portal pre progress q rb "
    "rbc rp rt rtc ruby s samp script search section select server shadow slot small source spacer "
    "span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead "
    "time title tr track tt u ul var video wbr xml xmp"
).split()
"""Names of HTML of all times; those that no rule tells from others make no difference."""
ELEMENTS: Final = tuple(sorted({*_OF_HTML, *NAMES, *DROPPED} - {PAGE, UNKNOWN, CUSTOM, LINE}))

RAW: Final = ("NOT_RAW", "ESCAPABLE", "RAW", "SCRIPT", "PLAIN")
"""What an element holds: markup, text with references, text, a script, or all the rest."""


class Rules(NamedTuple):
    """What was found out.

    Attributes:
        closes: names of an open element and of a start tag that ends it.
        rank: of every name; an end tag does not reach past open elements of a higher rank.
        empty: names of elements that end where they begin.
        raw: row of `RAW` by name, for those that hold no markup.
        in_head: names that imply a head where nothing was before.
        no_body: names that do not imply a body.
    """

    closes: frozenset[tuple[str, str]]
    rank: Mapping[str, int]
    empty: frozenset[str]
    raw: Mapping[str, int]
    in_head: frozenset[str]
    no_body: frozenset[str]


# --- Trials ---------------------------------------------------------------------------------------

_Event = tuple[str, str]


class _Log:
    """Parser target that keeps all events: what, and the name or text."""

    def __init__(self) -> None:
        self.events: list[_Event] = []

    def start(self, name: str, attributes: object) -> None:
        self.events.append(("start", name))

    def end(self, name: str) -> None:
        self.events.append(("end", name))

    def comment(self, text: str) -> None:
        self.events.append(("comment", text))

    def data(self, text: str) -> None:
        self.events.append(("text", text))

    def close(self) -> None:
        pass


def _events(page: str) -> list[_Event]:
    log = _Log()
    with suppress(etree.LxmlError):
        etree.fromstring(page.encode(), etree.HTMLParser(target=log, encoding="utf-8"))
    return log.events


def _stacks(page: str) -> Iterator[list[tuple[int, str]]]:
    """At every comment of a page: number and name of the elements that are open."""
    stack: list[tuple[int, str]] = []
    for number, (kind, name) in enumerate(_events(page)):
        if kind == "start":
            stack.append((number, name))
        elif kind == "end":
            stack.pop()
        elif kind == "comment":
            yield list(stack)


_BEFORE: Final = (
    "<html><body>", "<html><head>", "<html>", "<html><head></head>", "", "<html><body/>",
)  # fmt: skip
"""What stands before an element on trial, till it can be there; the last makes room for a body."""


def _outlives(opened: tuple[str, ...], tag: str) -> bool | None:
    """Is the first of some open elements still open after a tag; None if they cannot be open.

    Args:
        opened: names, each one inside the one before.
        tag: what comes then.
    """
    for before in _BEFORE:
        starts = "".join(f"<{name}>" for name in opened)
        if any(f"<{name}>" in before for name in opened):
            continue  # Such a start tag would count for nothing, but make up for an end tag.
        stacks = list(_stacks(f"{before}{starts}<!---->{tag}<!---->"))
        if stacks and tuple(name for _, name in stacks[0][-len(opened) :]) == opened:
            return stacks[0][-len(opened)] in stacks[1] if len(stacks) > 1 else None
    return None


def _start_tag(name: str) -> str:
    """A tag after which markup goes on, whatever the element holds."""
    # One of html, head or body that counts for nothing would end what is open.
    return f"<{name}>" if name in ("html", "head", "body") else f"<{name}/>"


def _closes() -> frozenset[tuple[str, str]]:
    pairs = product(ELEMENTS, (*ELEMENTS, OTHER))
    return frozenset(
        (old, new) for old, new in pairs if _outlives((old,), _start_tag(new)) is False
    )


def _rank(closes: frozenset[tuple[str, str]]) -> dict[str, int]:
    """The lowest ranks that agree with what end tags do reach past."""
    names = (*ELEMENTS, OTHER)
    reaches: list[tuple[str, str, bool]] = []
    for outer in names:
        passes = _outlives((outer, OTHER), f"</{outer}>") is False
        for inner in names:
            closes_it = (outer, inner) in closes
            if inner == outer or (closes_it and not passes):
                continue
            between = (OTHER,) if closes_it else ()
            outlives = _outlives((outer, *between, inner), f"</{outer}>")
            if outlives is not None:
                reaches.append((outer, inner, not outlives))
    rank = dict.fromkeys(names, 0)
    changed = True
    while changed:
        changed = False
        for outer, inner, reached in reaches:
            lower, higher = (inner, outer) if reached else (outer, inner)
            least = rank[lower] + (not reached)
            changed |= rank[higher] < least
            rank[higher] = max(rank[higher], least)
    return rank


def _raw() -> dict[str, int]:
    """What elements hold, by name, for those that hold no markup."""
    raw = {}
    for name in ELEMENTS:
        inside = f"&amp;<b></b><!--<{name}></{name}>-->"
        texts = "".join(
            text
            for kind, text in _events(f"<html><body><{name}>{inside}</{name}>")
            if kind == "text"
        )
        if "<b>" not in texts:
            continue
        if texts.endswith(f"</{name}>"):
            raw[name] = RAW.index("PLAIN")
        elif f"</{name}>" in texts:
            raw[name] = RAW.index("SCRIPT")
        else:
            raw[name] = RAW.index("ESCAPABLE" if texts.startswith("&<") else "RAW")
    return raw


def derived() -> Rules:
    """All rules, by trial."""
    closes = _closes()
    first = {
        name: [found for kind, found in _events(f"<{name}>x") if kind == "start"]
        for name in ELEMENTS
        if name not in ("html", "head", "body")
    }
    return Rules(
        closes=closes,
        rank=_rank(closes),
        empty=frozenset(name for name in ELEMENTS if _is_empty(name)),
        raw=_raw(),
        in_head=frozenset(name for name, starts in first.items() if starts[:2] == ["html", "head"]),
        no_body=frozenset(name for name, starts in first.items() if starts[:2] == ["html", name]),
    )


def _is_empty(name: str) -> bool:
    events = _events(f"<html><{name}><!---->")  # a comment, or a text, between its tags is an event
    return events.index(("end", name)) == events.index(("start", name)) + 1


# --- Tables in C ----------------------------------------------------------------------------------

_NOTICE: Final = (
    "/* Written by tests/core/derive_rules.py: {what} */\n#ifndef {guard}\n#define {guard}\n\n"
)
_HASH_SLOTS: Final = 1024


def _identifier(name: str) -> str:
    return f"ELEMENT_{name.upper()}"


def _wrapped(items: Iterable[object], width: int = 100) -> str:
    """Items of a list in C on lines of a width."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(f" {item},") > width:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line]) + "\n"


def _hash(name: str, factors: tuple[int, int, int]) -> int:
    """As `element_slot` in C."""
    a, b, c = factors
    first, middle, last = ord(name[0]), ord(name[len(name) // 2]), ord(name[-1])
    return (len(name) + a * first + b * middle + c * last) % _HASH_SLOTS


def _factors() -> tuple[int, int, int]:
    """Factors by which every name has a slot of its own."""
    for factors in product(range(1, 64), range(1, 64), range(1, 64)):
        if len({_hash(name, factors) for name in ELEMENTS}) == len(ELEMENTS):
            return factors
    message = "no such factors; double the number of slots"
    raise ValueError(message)


def _tag(name: str) -> int:
    return -1 if name in DROPPED else tag_id(name)


def rules_header(rules: Rules) -> str:
    """The text of `core/parsing/element_rules.h`."""
    names = (*ELEMENTS, OTHER)
    factors = _factors()
    slots = [len(ELEMENTS)] * _HASH_SLOTS
    for number, name in enumerate(ELEMENTS):
        slots[_hash(name, factors)] = number
    rows = []
    for name in names:
        text = "" if name == OTHER else name
        flags = [name in rules.empty, name in VOID, name in rules.in_head, name in rules.no_body]
        raw = RAW[rules.raw.get(name, 0)]
        tag = tag_id(UNKNOWN) if name == OTHER else _tag(name)
        bits = ", ".join(str(int(flag)) for flag in flags)
        rows.append(f'    {{"{text}", {len(text)}, {tag}, {rules.rank[name]}, {bits}, {raw}}},')
    pairs = [
        f"[{_identifier(old)}][{'N_ELEMENTS' if new == OTHER else _identifier(new)}] = 1"
        for old, new in sorted(rules.closes)
    ]
    enum = _wrapped([*map(_identifier, ELEMENTS), "N_ELEMENTS"])
    return (
        _NOTICE.format(
            what="how libxml2 2.14 builds a tree, found by trial.", guard="VICTOR_ELEMENT_RULES_H"
        )
        + "#include <stdint.h>\n\n"
        + f"enum {{\n{enum}}};\n\n"
        + f"enum {{ {', '.join(RAW)} }};\n\n"
        + f"enum {{ TAG_PAGE = {tag_id(PAGE)}, TAG_UNKNOWN = {tag_id(UNKNOWN)}, "
        + f"TAG_CUSTOM = {tag_id(CUSTOM)}, N_RANKS = {max(rules.rank.values()) + 1},\n"
        + f"       DEEPEST = {DEEPEST} }};\n\n"
        + "typedef struct {\n"
        + "    char name[14];\n"
        + "    uint8_t length;\n"
        + "    int16_t tag;       /* id in parsing.tags, -1 for a dropped element */\n"
        + "    uint8_t rank;      /* an end tag does not reach past elements of a higher rank */\n"
        + "    uint8_t is_empty;  /* ends where it begins */\n"
        + "    uint8_t is_void;   /* has no end code in the stream of events */\n"
        + "    uint8_t is_of_head;     /* implies a head where nothing was before */\n"
        + "    uint8_t implies_no_body;\n"
        + "    uint8_t raw;       /* what it holds, see above */\n"
        + "} ElementRule;\n\n"
        + "/* The last row is that of every other name. */\n"
        + "static const ElementRule element_rules[N_ELEMENTS + 1] = {\n"
        + "\n".join(rows)
        + "\n};\n\n"
        + "/* Does a start tag end the innermost open element: by that element and by the tag. */\n"
        + "static const uint8_t start_closes[N_ELEMENTS + 1][N_ELEMENTS + 1] = {\n"
        + _wrapped(pairs)
        + "};\n\n"
        + "/* The only element that a name in lower case may be, by its slot. */\n"
        + f"enum {{ FIRST_FACTOR = {factors[0]}, MIDDLE_FACTOR = {factors[1]}, "
        + f"LAST_FACTOR = {factors[2]}, N_ELEMENT_SLOTS = {_HASH_SLOTS} }};\n"
        + f"static const uint8_t element_slots[N_ELEMENT_SLOTS] = {{\n{_wrapped(slots)}}};\n\n"
        + "#endif\n"
    )


def main() -> None:
    """Write the header."""
    HEADER.write_text(rules_header(derived()), encoding="utf-8")


if __name__ == "__main__":
    main()
