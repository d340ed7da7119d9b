"""What a page says, by other means than the core: what its tests compare it with."""

import re
from contextlib import suppress
from html.entities import html5

from lxml import etree

from victor.page.parsing.characters import LINE_BREAK
from victor.page.parsing.events import (
    BUNDLE_BASE,
    CLOSE,
    OPEN_WITH_ATTRIBUTES,
    TAG_BASE,
    is_tex,
)
from victor.page.parsing.tags import DROPPED, NAMES, PAGE, SHADOW_ROOT, UNKNOWN, VOID, tag_id

PARSES_AS_THE_CORE = etree.LIBXML_VERSION >= (2, 14)
"""Has lxml a libxml2 whose rules are those of the core."""
_MAY_BE_LISTINGS = frozenset("code div listing pre samp span table td tt".split())
_LAST_TAG = TAG_BASE + 3 * len(NAMES)


def named(name):
    """The name of an element here: where lines make code of it, and what is TeX, is left open."""
    name = NAMES[tag_id(name)]
    if name in _MAY_BE_LISTINGS:
        return "box"
    return UNKNOWN if name == "annotation" else name


def _joined(items):
    """The items of a page, its texts that stand beside each other as one."""
    joined = []
    for item in items:
        if item and isinstance(item, str) and joined and isinstance(joined[-1], str):
            joined[-1] += item
        elif item:
            joined.append(item)
    return joined


def items(events):
    """The pages of `Events`: of each its characters and its tags: name, is it an end, bundle."""
    pages = []
    codes = iter(events.codes.tolist())
    for code in codes:
        if not TAG_BASE <= code < _LAST_TAG:
            pages[-1].append(chr(code))
            continue
        number, kind = divmod(code - TAG_BASE, 3)
        if NAMES[number] == PAGE and kind != CLOSE:
            pages.append([])
        bundle = kind == OPEN_WITH_ATTRIBUTES and events.bundles[next(codes) - BUNDLE_BASE]
        pages[-1].append((NAMES[number], kind == CLOSE, bundle or None))
    return pages


def recorded(events):
    """The same without the root, with texts in one piece and names as here."""
    pages = (page[1:-1] for page in items(events))
    return [
        _joined(item if isinstance(item, str) else (named(item[0]), *item[1:]) for item in page)
        for page in pages
    ]


class _Heard:
    """A target of lxml's parser that keeps what is not dropped."""

    def __init__(self, attributes, alt_text):
        self.attributes, self.alt_text = attributes, alt_text
        self.items, self.open, self.n_dropped = [], [], 0

    def data(self, text):
        if not self.n_dropped:
            self.items.append(text)

    def start(self, name, attributes):
        if name == "template" and attributes.keys() & {"shadowrootmode", "shadowroot"}:
            name = SHADOW_ROOT
        if name in DROPPED and (self.n_dropped or not is_tex(name, attributes)):
            self.n_dropped += 1
            self.open.append(None)
            return
        is_formula = name in DROPPED or name == "annotation"
        name = "annotation" if is_formula else name
        self.open.append(name)
        if self.n_dropped:
            return
        bundle = tuple(map(attributes.get, self.attributes))
        is_plain = is_formula or name == "br" or (name == "img" and self.alt_text)
        is_bundled = not is_plain and any(value is not None for value in bundle)
        self.items.append((named(name), False, bundle if is_bundled else None))
        if name == "br":
            self.items.append(chr(LINE_BREAK))
        if name == "img" and self.alt_text:
            self.items += [attributes.get("alt", ""), ("img", True, None)]

    def end(self, _):
        name = self.open.pop()
        if name is None:
            self.n_dropped -= 1
        elif not self.n_dropped and name not in VOID and name != "img":
            self.items.append((named(name), True, None))

    def close(self):
        return self.items


def heard(page, *, attributes, alt_text=False):
    """The same of one page as lxml parses it; of at most `DEEPEST` elements in one another."""
    target = _Heard(attributes, alt_text)
    parser = etree.HTMLParser(target=target, huge_tree=True, encoding="utf-8")
    with suppress(etree.LxmlError):  # what came before an error stands
        etree.fromstring(with_breaks(page), parser)
    return _joined(target.items)


def with_breaks(page):
    """A page with ``<br>`` for ``</br>``, as the core and browsers read it and lxml does not."""
    return re.sub(rb"</(br(?=[ \t\n\f\r/>]))", rb"<\1", page, flags=re.IGNORECASE)


_REFERENCES = re.compile(r"&([A-Za-z0-9]++(?:;|(?!=)))")


def unescaped_value(value):
    """A value with named references resolved; one without ``;`` ends before none of ``=a-z0-9``."""
    return _REFERENCES.sub(lambda found: html5.get(found[1], found[0]), value)
