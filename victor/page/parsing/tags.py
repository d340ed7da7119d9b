"""The vocabulary of tags: a small integer per element name, and classes of names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

import numpy as np

from victor.base.arrays import Bools, Codes
from victor.base.errors import ConfigError, nearest
from victor.base.lazy import pattern

PAGE: Final = "#page"
"""Virtual element around every page, so that every block has a container."""
UNKNOWN: Final = "#unknown"
"""Every element name that HTML does not know."""
CUSTOM: Final = "#custom"
"""Every custom element, that is a name with a hyphen."""
LINE: Final = "#line"
"""Virtual void tag where a text of another line of the source begins, if blocks end with lines."""

DROPPED: Final = frozenset(
    "applet audio canvas datalist iframe noembed noframes param script style svg template "
    "textarea title video xmp".split()
)
"""Elements that vanish with their content before blocks are cut (never shown as page text)."""

READ_AS: Final = {"object": "div"}
"""Elements that count as another one: browsers show what stands in place of a plug-in."""
SHADOW_ROOT: Final = "shadow-root"
"""Name under which the parser reports a template that declares the shadow root of an element."""

DEEPEST: Final = 512
"""Elements that are open in one another at most, as in Chromium; compiled into the core.

The parser reports what is deeper as a sibling of the element around it.
"""

VOID: Final = frozenset(
    "area base basefont bgsound br col command embed frame hr img input keygen link meta source "
    "spacer track wbr".split()
) | {LINE}
"""Elements without content: points in the stream rather than intervals.

The parser lets some of them, such as ``<embed>``, hold what follows; nothing here does.
"""

SITEMAP_ROOTS: Final = frozenset({"urlset", "sitemapindex"})
"""The two root elements of the sitemap protocol (sitemaps.org)."""

HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")

INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em embed font i img ins kbd map mark "
    "nobr option output picture q rb rp rt rtc ruby s samp small source span strike strong sub sup "
    "time tt u var wbr area col".split()
)
"""Elements that do not end a block when only block-level tags split."""

BLOCK_LEVEL: Final = frozenset(
    "address article aside base basefont bgsound blockquote body button caption center colgroup "
    "dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 "
    "h3 h4 h5 h6 head header hgroup hr html input isindex keygen label layer legend li link "
    "listing main marquee menu meta meter nav noscript ol optgroup p pre progress search section "
    "select spacer summary table tbody td tfoot th thead track tr ul multicol math command".split()
)
"""Elements whose start and end always split."""

CLASS_2008: Final[dict[str, frozenset[str]]] = {
    "bold": frozenset({"b", "strong"}),
    "italic": frozenset({"i", "em"}),
    "header": frozenset(HEADINGS),
    "list": frozenset("dd dir dl dt menu li ol ul".split()),
    "form": frozenset("button input isindex label".split()),
    "inline": frozenset(
        "b strong i em a abbr acronym bdo big br cite code font img ins kbd noscript samp small "
        "span sub sup tt u var".split()
    ),
    "block": frozenset(
        "h1 h2 h3 h4 h5 h6 dd dir dl dt menu li ol ul button input isindex label address "
        "blockquote caption center dfn div layer hr legend noframes p pre q td th title "
        "marquee".split()
    ),
}
"""Tag classes of the original Victor (2008 configuration files)."""

_CLASS_NAME: Final = pattern(r"[a-z][a-z0-9-]*")

NAMES: Final[tuple[str, ...]] = (
    *(PAGE, UNKNOWN, CUSTOM, *sorted(INLINE | BLOCK_LEVEL)),
    LINE,
    "annotation",
)
"""Element name of every tag id; columns of bits have room for 128."""

IDS: Final[dict[str, int]] = {name: number for number, name in enumerate(NAMES)}
"""Tag id of every element name that is not dropped."""


def tag_id(name: str) -> int:
    """Id of an element name; unknown names and custom elements have an id of their own."""
    known = IDS.get(READ_AS.get(name, name))
    if known is not None:
        return known
    return IDS[CUSTOM] if "-" in name else IDS[UNKNOWN]


@cache
def member_mask(names: frozenset[str]) -> Bools:
    """(len(NAMES),) bool, read-only: which tag ids belong to a set of element names."""
    mask = np.zeros(len(NAMES), dtype=bool)
    mask[[IDS[name] for name in names if name in IDS]] = True
    mask.flags.writeable = False
    return mask


@cache
def roles_of(*roles: frozenset[str]) -> Codes:
    """(128,) uint8, read-only: a bit for each of some sets of element names, the first lowest."""
    bits = np.zeros(128, dtype=np.uint8)
    for number, names in enumerate(roles):
        bits[: len(NAMES)] |= member_mask(names).astype(np.uint8) << number
    bits.flags.writeable = False
    return bits


def classes(defaults: Collection[str], given: object, where: str) -> dict[str, frozenset[str]]:
    """Classes of elements by name: some of `CLASS_2008`, then others or other elements of these.

    Args:
        defaults: names of classes of 2008.
        given: name of a class to the names of its elements; None for none.
        where: what to name in messages.

    Raises:
        ConfigError: it is no table, a class has no plain name, or its elements are no list of
            known names.
    """
    if not isinstance(given, Mapping | None):
        raise ConfigError(f"{where}: want {{CLASS: [ELEMENT, ...]}}, got {given!r}")
    checked = {name: CLASS_2008[name] for name in defaults}
    for name, elements in (given or {}).items():
        if not _CLASS_NAME.fullmatch(str(name)):
            raise ConfigError(f"{where}: a class is named e.g. form, got {name!r}")
        if not (isinstance(elements, list | tuple) and elements):
            raise ConfigError(f"{where}: {name}: want element names, e.g. [form], got {elements!r}")
        for element in elements:
            if element not in IDS:
                guess = nearest(str(element), IDS)
                raise ConfigError(f"{where}: {name}: no element is named {element!r}{guess}")
        checked[name] = frozenset(elements)
    return checked


SPLITTING: Final = BLOCK_LEVEL | {PAGE, CUSTOM}
"""Tags that end a block when only block-level tags split."""

PARTING: Final = SPLITTING - {"math"}
"""Tags that part paragraphs. A formula is in the paragraph around it, though it is a block."""
