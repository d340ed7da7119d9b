"""A page as a browser shows it, but without anything that runs, loads, navigates or submits.

The page is written anew from its full record. Only known elements and attributes are kept; other
elements are renamed (``form`` becomes ``v-form``). So a browser's parser has no reason to move the
text of a block out of its marker. Elements that blocks leave out are not written, except for
styles. Styles and pictures stand as they are: `policy` lets a browser load nothing but files beside
the page, and a ``base`` element leads relative addresses there.

The content of ``<noscript>`` is shown, because it is part of the blocks and a browser without
scripts shows it. Sections that can be opened (``details``) are open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from victor.base.errors import PageError
from victor.page.decoding.decode import decode, utf8
from victor.page.markup.full_record import Item, Kind, markup_of
from victor.page.parsing.tags import BLOCK_LEVEL, INLINE, VOID
from victor.page.table.blocks import BlockTable
from victor.page.table.segment import read_pages
from victor.page.table.texts import block_texts

MARKER: Final = "v-b"
"""Element around the texts of a block; its attribute ``data-v`` is the number of the block."""
LARGEST_SHEET: Final = 4_000_000
"""Characters of the largest style sheet that is used: browsers show a page without it."""
_LINK: Final = re.compile(r":(?:any-)?link(?![\w\\-])")
_HELD: Final = re.compile(
    r"(?<![\w-])(position\s*+:\s*+)(?:fixed|(?:-webkit-)?sticky)(?=\s*+(?:[;}!]|\Z))", re.IGNORECASE
)
_IN_ITS_PLACE: Final = r"contain:layout;\1static"
"""What is within stays within: layout containment holds absolutely positioned boxes, too."""

_KEPT: Final = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col "
    "colgroup data dd del details dfn dialog dir div dl dt em fieldset figcaption figure font "
    "footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li main mark menu "
    "nav nobr ol p pre q rb rp rt rtc ruby s samp search section small span strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
"""Elements that a browser parses as containers of text and that do nothing."""
_SKELETON: Final = frozenset({"html", "head", "body"})
_FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Elements that a browser reopens wherever a block-level element has closed them."""
_MOST_FORMATTING: Final = 16
"""At most so many of these are written around a text: each may be reopened at every block."""
_DEEPEST: Final = 150
"""At most so many elements are written around a text. Browsers nest no deeper than 512, and a text
below that may leave its element; a cell without its row counts as up to four."""
_OURS: Final = "v-"
_CUSTOM: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")

_ATTRIBUTES: Final = frozenset(
    "abbr align alt axis bgcolor border cellpadding cellspacing char class clear color colspan "
    "compact datetime dir face headers height hidden hspace id lang noshade nowrap open reversed "
    "role rowspan rules scope size span start title valign vspace width".split()
)
"""Attributes of appearance or meaning; none of them loads anything."""
_ATTRIBUTES_OF: Final[Mapping[str, frozenset[str]]] = {
    "body": frozenset({"background", "text"}),
    "img": frozenset({"src"}),
    "input": frozenset({"checked", "placeholder", "value"}),
    "li": frozenset({"type", "value"}),
    "ol": frozenset({"type"}),
    **dict.fromkeys(("table", "td", "th"), frozenset({"background"})),
    "ul": frozenset({"type"}),
}
_FREE: Final = re.compile(r"(?:data|aria)-[a-z0-9_-]+")
"""Attributes that only style sheets of the page use."""
_LONGEST_FREE: Final = 200
_RESERVED: Final = frozenset({"data-v", "data-href"})
_LOADING: Final = frozenset({"src", "background"})
_INPUTS: Final = frozenset(
    "button checkbox color date email month number radio range reset search submit tel text time "
    "url week".split()
)
_LINKED: Final = re.compile(r"(?:https?|mailto|tel):|[^:]*(?:[/?#]|\Z)", re.IGNORECASE)
"""Addresses that can be kept as data on a disabled link."""
_DOCTYPE: Final = re.compile(r"""[\w\s./:+"'-]+""")
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\0": "\ufffd"}
)
_OUR_BLOCKS: Final = "v-form v-frameset v-layer v-multicol v-noscript v-optgroup"
_STYLE: Final = (
    f":where({_OUR_BLOCKS.replace(' ', ',')}){{display:block}}"
    ":where(a[data-href]){color:#00e;text-decoration:underline}"
    ":where(v-button,v-select){display:inline-block;border:1px solid #767676;border-radius:3px;"
    "padding:1px 6px;background:#efefef;color:#000;font-size:.833em}"
    ":where(v-select){max-height:6em;overflow:auto;vertical-align:top}"
    ":where(v-option){display:block}"
    "v-b{display:inline}"
)
"""How browsers show the elements that are renamed; any style of the page has precedence."""


def policy(assets: str = "'self'") -> str:
    """The `Content-Security-Policy` to send with a page and with the files beside it.

    Args:
        assets: where these files come from, as a source of such a policy.
    """
    return (
        f"default-src 'none'; style-src 'unsafe-inline' {assets}; img-src data: {assets}; "
        "form-action 'none'; base-uri 'self'; frame-ancestors 'self'; sandbox allow-same-origin"
    )


@dataclass(frozen=True, slots=True)
class SafePage:
    """A page to be shown."""

    markup: str  # the whole page; to be sent in UTF-8, with `policy`
    n_blocks: int  # number of its blocks
    texts: tuple[str, ...]  # (n_blocks,) their texts


def safe_page(page: bytes, asset_base: str) -> SafePage:
    """A page with its blocks marked, in linear time.

    Args:
        page: as it was saved, in any encoding.
        asset_base: address below which the files beside the page are served, without a slash at
            its end; empty if there are none.

    Returns:
        The page and its blocks, which are those of ``split: block``. All text of block i is in
        elements ``<v-b data-v="i">`` that contain nothing else.
    """
    markup = utf8(page)
    table = read_pages([markup])
    return SafePage(
        markup=safe_markup(table, markup, asset_base),
        n_blocks=len(table),
        texts=tuple(block_texts(table)),
    )


def safe_markup(table: BlockTable, markup: bytes, asset_base: str = "") -> str:
    """The whole page with the blocks of a table marked; see `safe_page`.

    Args:
        table: of this page alone.
        markup: the UTF-8 bytes that the page was read from.
        asset_base: as of `safe_page`.

    Raises:
        ConfigError: the table was not made from this markup.
    """
    full = markup_of(table, 0, markup)
    blocks = full.blocks(table, 0).tolist()
    writer = _Writer(asset_base)
    body = "".join(writer.body(full.items, blocks))
    return writer.page(body)


class _Writer:
    """Writes one page; the parser closes every element that it opens."""

    def __init__(self, asset_base: str) -> None:
        self._asset_base = asset_base
        self._doctype = self._html = self._body = ""
        self._styles: list[str] = []
        self._characters_of_styles = self._n_left_out = 0
        self._css: list[str] | None = None
        self._dropped = 0
        self._ends: list[str] = []
        self._depth = self._formatting = 0

    def page(self, body: str) -> str:
        """The whole page around its body, which has to be written first."""
        note = _left_out(self._n_left_out) if self._n_left_out else ""
        base = f'<base href="{_escaped(self._asset_base)}/">' if self._asset_base else ""
        return (
            f"{self._doctype}<html{self._html}><head><meta charset=utf-8>{base}"
            f"<style>{_STYLE}{note}</style>"
            f"{''.join(self._styles)}</head><body{self._body}>{body}</body></html>"
        )

    def body(self, items: Sequence[Item], blocks: Sequence[int]) -> Iterator[str]:
        """The body, in parts; collects the styles and the attributes of html and body elements."""
        texts: list[str] = []
        current = -1
        for item, block in zip(items, blocks, strict=True):
            if item.dropped:
                self._drop(item)
            elif item.kind is Kind.TEXT:
                if block != current:
                    yield _marked(texts, current)
                    texts, current = [], block
                texts.append(item.text)
            elif tag := self._tag(item):
                yield _marked(texts, current)
                texts = []
                yield tag
        yield _marked(texts, current)

    def _tag(self, item: Item) -> str:
        """A tag as written; empty if it is not."""
        match item.kind:
            case Kind.START:
                return self._void(item) if item.text in VOID else self._start(item)
            case Kind.END:
                return self._end()
            case Kind.DOCTYPE if not self._ends and _DOCTYPE.fullmatch(item.text):
                self._doctype = f"<!DOCTYPE {item.text}>"
        return ""

    def _start(self, item: Item) -> str:
        name = item.text
        if name in _SKELETON:
            self._note_attributes(item)
        is_formatting = name in _FORMATTING
        too_many = self._depth >= _DEEPEST or (
            is_formatting and self._formatting >= _MOST_FORMATTING
        )
        if name in _SKELETON or too_many:
            self._ends.append("")
            return ""
        written = _element(name)
        self._ends.append(written)
        self._depth += 1
        self._formatting += is_formatting
        return f"<{written}{self._attributes(item)}>"

    def _end(self) -> str:
        name = self._ends.pop()
        if not name:
            return ""
        self._depth -= 1
        self._formatting -= name in _FORMATTING
        return f"</{name}>"

    def _void(self, item: Item) -> str:
        if item.text == "link":
            self._note_link(item.attributes)
        kind = item.attributes.get("type", "text").lower()
        if item.text not in _KEPT or (item.text == "input" and kind not in _INPUTS):
            return ""
        return f"<{item.text}{self._attributes(item)}>"

    def _attributes(self, item: Item) -> str:
        """The attributes of an element, each with a space before it."""
        name, attributes = item.text, item.attributes
        extra = _ATTRIBUTES_OF.get(name, frozenset())
        values = ((key, self._value(key, attributes[key], extra)) for key in attributes)
        written = "".join(
            f' {key}="{_escaped(value)}"' for key, value in values if value is not None
        )
        if name == "a" and "href" in attributes:
            written += f' data-href="{_escaped(_address(attributes["href"]))}"'
        elif name == "input":
            written += f' type="{attributes.get("type", "text").lower()}" disabled'
        elif name == "details":
            written += " open"
        return written

    def _value(self, key: str, value: str, extra: frozenset[str]) -> str | None:
        """The value that an attribute is written with, None if it is not written."""
        if key in _LOADING and not (value.startswith("data:image/") or self._beside(value)):
            return None
        if key in _ATTRIBUTES or key in extra:
            return value
        if key == "style":
            return _still(value)
        is_free = _FREE.fullmatch(key) and key not in _RESERVED and len(value) <= _LONGEST_FREE
        return value if is_free else None

    def _beside(self, reference: str) -> str:
        """The reference, empty if no file beside the page can be meant."""
        return _address(reference) if self._asset_base else ""

    def _note_attributes(self, item: Item) -> None:
        """Keep the attributes of the first html and body elements that have any."""
        if item.text == "html":
            self._html = self._html or self._attributes(item)
        elif item.text == "body":
            self._body = self._body or self._attributes(item)

    def _note_link(self, attributes: Mapping[str, str]) -> None:
        """Keep the link to a style sheet beside the page; of any other, that there was one."""
        kinds = attributes.get("rel", "").lower().split()
        if "stylesheet" not in kinds or "alternate" in kinds:
            return
        href = self._beside(attributes.get("href", ""))
        media = _escaped(attributes.get("media", "all"))
        written = f' href="{_escaped(href)}" media="{media}"' if href else ""  # else one is missing
        self._styles.append(f"<link rel=stylesheet{written}>")

    def _drop(self, item: Item) -> None:
        """Write nothing of a dropped element but the style sheet in it, if any."""
        if item.kind is Kind.TEXT and self._css is not None:
            self._css.append(item.text)
        elif item.kind is Kind.START and item.text not in VOID:
            self._dropped += 1
            if item.text == "style" and self._dropped == 1:
                self._css = []
                media = _escaped(item.attributes.get("media", "all"))
                is_css = item.attributes.get("type", "").lower() in ("", "text/css")
                self._styles.append(f'<style media="{media if is_css else "not all"}">')
        elif item.kind is Kind.END:
            self._dropped -= 1
            if self._css is not None and not self._dropped:
                self._styles.append(f"{self._style_sheet(''.join(self._css))}</style>")
                self._css = None

    def _style_sheet(self, css: str) -> str:
        """The content of a style element, empty if it and those before it are too large."""
        self._characters_of_styles += len(css)
        if self._characters_of_styles > LARGEST_SHEET:
            self._n_left_out += 1
            return ""
        return _still(css)


def style_sheet(content: bytes) -> str:
    """A style sheet beside a page as it is sent with it; one that is too large becomes a note.

    Args:
        content: as it was saved, in any encoding.
    """
    return _still(decode(content).text) if len(content) <= LARGEST_SHEET else _left_out(1)


def _still(css: str) -> str:
    """Styles of a page in which nothing stays over the text while the page scrolls.

    Links that are disabled look as links. No end tag is left that would end a style element.
    """
    css = _HELD.sub(_IN_ITS_PLACE, _LINK.sub("[data-href]", css))
    return css.replace("</", "<\\/")


def _left_out(count: int) -> str:
    """The style of a note above a page that tells of style sheets that are too large."""
    said = f"Victor left out {count} of the page's style sheets: larger than {LARGEST_SHEET} bytes"
    return f'html::before{{content:"{said}";display:block;padding:4px;background:#ffd;color:#000}}'


def _element(name: str) -> str:
    """The name that an element is written with."""
    if name in _KEPT:
        return name
    if name in INLINE or name in BLOCK_LEVEL:
        return _OURS + name
    is_custom = _CUSTOM.fullmatch(name) and not name.startswith(_OURS)
    return name if is_custom else f"{_OURS}unknown"


def _marked(texts: Sequence[str], block: int) -> str:
    """Texts as part of a block, -1 for no block; white space is not marked."""
    text = "".join(texts)
    escaped = text.translate(_ESCAPES)
    if block < 0 or not text or text.isspace():
        return escaped
    return f'<{MARKER} data-v="{block}">{escaped}</{MARKER}>'


def _address(reference: str) -> str:
    """The target of a link, empty if it is not the address of a page."""
    return reference if _LINKED.match(reference.strip()) else ""


def _escaped(value: str) -> str:
    return value.translate(_ESCAPES)


# --- Files beside a saved page: style sheets and pictures, but no documents -----------------------

MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".png": "image/png",
    ".gif": "image/gif",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".ico": "image/x-icon",
    ".svg": "image/svg+xml",
}
LARGEST: Final = 20_000_000  # bytes of the largest file that is served


def asset(page_file: Path, path: str) -> tuple[bytes, str]:
    """A file beside a saved page, and its media type; it has to be sent with the policy of pages.

    A style sheet has to pass `victor.page.safe_page.style_sheet`.

    Args:
        page_file: the saved page.
        path: relative to the folder of the page, as in a URL with its escapes undone.

    Raises:
        PageError: ``no-asset``: there is no such file in the folder of the page or below it, its
            type is not served, or it is too large.
    """
    media_type = MEDIA_TYPES.get(Path(path).suffix.lower())
    file = _inside(page_file, path) if media_type else None
    if file is None or media_type is None:
        raise PageError("no-asset", f"{path!r} is not a style sheet or picture beside {page_file}")
    try:
        return file.read_bytes(), media_type
    except OSError as error:
        raise PageError("no-asset", f"{file} cannot be read: {error.strerror}") from None


def _inside(page_file: Path, path: str) -> Path | None:
    """The file of a path, unless it or a link leads out of the folder of the page."""
    try:
        folder = page_file.parent.resolve(strict=True)
        file = (folder / path).resolve(strict=True)
        is_served = file.is_file() and file.stat().st_size <= LARGEST
    except (OSError, ValueError, RuntimeError):
        return None
    return file if is_served and file.is_relative_to(folder) else None
