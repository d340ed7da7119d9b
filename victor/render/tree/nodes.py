"""The tree of a page: blocks, the inline content in them, and the numbers of notes and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntFlag
from functools import reduce
from itertools import groupby
from operator import and_
from typing import Final, NamedTuple

from msgspec import Struct

from victor.page.allowance import Allowance


class Mark(IntFlag):
    """How text is set."""

    PLAIN = 0
    STRONG = 1
    EMPHASIS = 2
    DELETED = 4
    SUBSCRIPT = 8
    SUPERSCRIPT = 16
    CODE = 32


class Text(Struct, frozen=True, gc=False):
    """A run of text."""

    text: str  # white space is single spaces
    marks: int = 0  # value of the `Mark` that it is set in
    link: int = -1  # number of the link around it in `Tree.links`, -1 for none

    @property
    def is_plain(self) -> bool:
        """Is it set as other text is, and no link."""
        return not self.marks and self.link < 0


class Break(NamedTuple):
    """The end of a line within a paragraph."""


class Picture(NamedTuple):
    """An image."""

    source: str  # absolute address
    alternative: str  # text for those who do not see it
    title: str = ""  # shown beside the pointer, "" for none
    link: int = -1  # as of `Text`


class Embed(NamedTuple):
    """A video, a piece of music or a post of another site."""

    address: str  # of the page that shows it, or of the file
    title: str = ""  # as the page gives it, "" for none


class Math(NamedTuple):
    """A formula."""

    tex: str  # without dollar signs
    display: bool = False  # on a line of its own


class NoteMark(NamedTuple):
    """A reference to a note, by its label."""

    label: str


Thing = Picture | Embed | Math | NoteMark
Inline = Text | Break | Thing


class Paragraph(Struct):
    """Running text, or a heading."""

    inlines: list[Inline]
    level: int = 0  # of a heading, 1 to 6; 0 for text
    number: int = -1  # on the page, as `victor.page.verdict.paragraphs` has it; -1 for images alone


class Code(Struct):
    """Preformatted text."""

    text: str  # its lines
    language: str = ""  # lower case, "" if not declared
    number: int = -1  # as of `Paragraph`


class Rule(Struct):
    """A thematic break."""


class Item(Struct):
    """An item of a list."""

    children: list[Block] = []  # its blocks
    number: int = 1  # of an item of an ordered list
    is_done: bool | None = None  # of a task; None if it is none


class List(Struct):
    """A list, ordered or not."""

    is_ordered: bool
    children: list[Item] = []


class Definition(Struct):
    """A term of a definition list, or what defines it."""

    is_term: bool
    children: list[Block] = []


class Definitions(Struct):
    """A definition list."""

    children: list[Definition] = []


class Quote(Struct):
    """A block quote, or a callout: a note, a warning and the like in a frame."""

    children: list[Block] = []  # its blocks
    kind: str = ""  # of a callout, lower case; "" for a quote


class Note(Struct):
    """The text of a footnote."""

    label: str
    children: list[Block] = []


class Cell(Struct):
    """A cell of a data table."""

    column: int  # from 0, with all spans expanded
    is_header: bool  # a ``<th>``
    columns: int  # that it spans, as declared
    rows: int  # likewise
    children: list[Block] = []


class Row(Struct):
    """A row of a data table."""

    children: list[Cell] = []


class Caption(Struct):
    """The caption of a data table."""

    children: list[Block] = []


class Table(Struct):
    """A data table; its caption, if it has one, is the first of its children."""

    children: list[Row | Caption] = []

    @property
    def caption(self) -> list[Block]:
        """The blocks of its caption."""
        captions = (child for child in self.children if isinstance(child, Caption))
        return [block for caption in captions for block in caption.children]

    @property
    def rows(self) -> list[Row]:
        """Its rows."""
        return [child for child in self.children if isinstance(child, Row)]


Block = Paragraph | Code | Rule | List | Definitions | Quote | Note | Table
Parent = Item | List | Definition | Definitions | Quote | Note | Cell | Row | Caption | Table


class Tree(Struct):
    """The kept part of a page."""

    children: list[Block]  # in order
    links: list[str]  # absolute addresses, which texts refer to by number: two to one stay two
    title: str  # of the page, if it is to be shown above the text
    may_have_math: bool  # may there be formulas in it
    allowance: Allowance  # what a form may take


_LEAVES: Final = (Paragraph, Code)


def leaves(children: list[Block]) -> Iterator[Paragraph | Code]:
    """All paragraphs and code of some blocks in order."""
    pending: list[object] = [*reversed(children)]
    while pending:
        node = pending.pop()
        if isinstance(node, _LEAVES):
            yield node
        else:
            pending += reversed(getattr(node, "children", ()))


def note_numbers(children: Sequence[Block]) -> dict[str, int]:
    """Numbers from 1 of the notes that some blocks hold, by label."""
    pending: list[object] = [*reversed(children)]
    numbers: dict[str, int] = {}
    while pending:
        node = pending.pop()
        if isinstance(node, Note):
            numbers.setdefault(node.label, len(numbers) + 1)
        pending += reversed(getattr(node, "children", ()))
    return numbers


def counts_down(items: Sequence[Item]) -> bool:
    """Do the numbers of some items go down by one from item to item."""
    numbers = [item.number for item in items]
    return len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] - len(numbers), -1)]


def odd_numbers(items: Sequence[Item], step: int) -> list[int | None]:
    """The number of each item that does not follow on the item before it, None for the others."""
    expected = items[0].number
    odd: list[int | None] = []
    for item in items:
        odd.append(None if item.number == expected else item.number)
        expected = item.number + step
    return odd


# Operations on plain numbers are many times as fast as those on flags.
CODE: Final = Mark.CODE.value
STRONG: Final = Mark.STRONG.value


def merged(inlines: Sequence[Inline]) -> list[Inline]:
    """Adjacent texts of the same kind as one; code is one whatever is marked in it."""
    last = None
    for inline in inlines:
        kind = _kind(inline)
        if kind is not None and kind == last:
            break
        last = kind
    else:  # as in nearly all paragraphs
        return [*inlines]
    merged: list[Inline] = []
    for _, group in groupby(inlines, _kind):
        alike = [*group]
        texts = [each for each in alike if isinstance(each, Text)]
        merged += alike if len(texts) < 2 else [_as_one(texts)]
    return merged


def _as_one(texts: Sequence[Text]) -> Text:
    marks = reduce(and_, [each.marks for each in texts])
    return Text("".join([each.text for each in texts]), marks, texts[0].link)


def _kind(inline: Inline) -> tuple[int, int] | None:
    """What texts have in common that can be one; None for all else."""
    if not isinstance(inline, Text):
        return None
    return CODE if inline.marks & CODE else inline.marks, inline.link
