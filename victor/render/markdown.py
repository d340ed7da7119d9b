"""Markdown: CommonMark with tables, deletions, tasks and footnotes of GitHub, and formulas in $."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from victor.render.forms import Page
from victor.render.inline_markdown import Writer
from victor.render.tree import nodes

_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})")
_LINE_START: Final = re.compile(
    r"^(?:(?=[-+*](?:\s|$)|[-=:|](?:[-=:|]|[^\S\n])*+$|#{1,6}(?:\s|$)|>|:\s)|(\d{1,9}(?=[.)](?:\s|$))|\[\^\w+\](?=:)))",
    re.MULTILINE,
)
_DESTINATION: Final = re.compile(
    r"""\S++(?=[^\S\n]*+(?:\n|\Z|\n?[^\S\n]*+(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'"""
    r"""|\((?:[^()\\]|\\.)*+\))[^\S\n]*+(?:\n|\Z)))""",
    re.DOTALL,
)
"""A word that a reader takes for the address of a link, with a title or without."""
_NOT_ON_A_LINE: Final = (nodes.Table, nodes.Definitions)
_SPACE: Final = "&#32;"  # a space to the reader, and a word like others to the grammar
_PADDED: Final = 100
"""Places in a table for each cell; where there are more, rows end with their last cells. Readers
fill the rows, and one wide row among thousands would make as many empty cells in all of them."""


def render(page: Page) -> str:
    """The kept blocks of a page as Markdown, ended by a newline; empty if there are none."""
    return write(page.tree)


def write(source: nodes.Tree) -> str:
    """A document as Markdown."""
    has_math = source.may_have_math and any(
        isinstance(leaf, nodes.Paragraph) and nodes.Math in map(type, leaf.inlines)
        for leaf in nodes.leaves(source.children)
    )
    blocks = Blocks(Writer(source.links, source.allowance, has_formulas=has_math))
    title = [f"# {blocks.writer.heading(source.title)}"] if source.title else []
    text = Blocks.joined([*title, *blocks.of(source.children)])
    return text + "\n" if text else ""


class Blocks:
    """Writes blocks; each as text without indentation, which its container adds."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    @staticmethod
    def joined(texts: Sequence[str]) -> str:
        """Texts with a blank line between."""
        return "\n\n".join(text for text in texts if text)

    def of(self, children: Sequence[nodes.Block]) -> list[str]:
        """Some blocks; two lists in a row have different marks, else they would be one."""
        texts: list[str] = []
        before: nodes.Block | None = None
        sign = 0
        for node in children:
            if isinstance(node, nodes.Paragraph):
                texts.append(self._paragraph(node))
            elif isinstance(node, nodes.List):
                follows = isinstance(before, nodes.List) and node.is_ordered == before.is_ordered
                runs = _runs(node)
                sign = sign + 1 if follows else 0
                is_loose = any(map(_is_loose, node.children))
                texts += [
                    self._run(run, sign + n, is_loose=is_loose, is_ordered=node.is_ordered)
                    for n, run in enumerate(runs)
                ]
                sign += len(runs) - 1
            elif isinstance(node, nodes.Code) and not node.text:
                continue
            else:
                if isinstance(before, nodes.Definitions) and _looks_defined(node):
                    texts.append(_SPACE)
                texts.append(self._block(node))
            before = node
        return texts

    def _block(
        self,
        node: nodes.Code | nodes.Rule | nodes.Quote | nodes.Definitions | nodes.Note | nodes.Table,
    ) -> str:
        match node:
            case nodes.Code():
                return self._fenced(node)
            case nodes.Rule():
                return "---"
            case nodes.Quote():
                return _prefixed(self._quoted(node), "> ", ">")
            case nodes.Definitions():
                return self._definitions(node)
            case nodes.Note():
                text = self.joined(self.of(node.children))
                return f"[^{node.label}]: {_indented(_with_plain_words(text), 4)}"
            case nodes.Table():
                return self._table(node)

    def _paragraph(self, node: nodes.Paragraph) -> str:
        if node.level:
            text = _with_plain_end(self.writer.line(node.inlines, is_heading=True))
            return f"{'#' * node.level} {text}" if text else ""
        return _with_plain_starts(self.writer.text(node.inlines))

    def _fenced(self, node: nodes.Code) -> str:
        longest = max(map(len, _FENCE.findall(node.text)), default=2)
        fence = "`" * (longest + 1)
        return f"{fence}{node.language}\n{node.text}\n{fence}"

    def _run(
        self, items: Sequence[nodes.Item], sign: int, *, is_loose: bool, is_ordered: bool
    ) -> str:
        """Some items of a list whose numbers follow on one another."""
        texts: list[str] = []
        for item in items:
            number, end = (max(item.number, 0), ".)") if is_ordered else ("", "-*")
            mark = f"{number}{end[sign % 2]} "
            texts.append(mark + _indented(self._item(item, is_loose=is_loose), len(mark)))
        return ("\n\n" if is_loose else "\n").join(texts)

    def _item(self, item: nodes.Item, *, is_loose: bool) -> str:
        texts = [text for text in self.of(item.children) if text]
        task = {None: "", False: "[ ] ", True: "[x] "}[item.is_done]
        return task + ("\n\n" if is_loose else "\n").join(texts)

    def _quoted(self, node: nodes.Quote) -> str:
        body = self.joined(self.of(node.children))
        if not node.kind:
            return body
        first = node.children[0]
        is_text = isinstance(first, nodes.Paragraph) and not first.level
        return f"[!{node.kind}]\n{body}" if is_text else self.joined([f"[!{node.kind}]", body])

    def _definitions(self, node: nodes.Definitions) -> str:
        """Terms on lines of their own, each definition after a colon."""
        groups: list[list[nodes.Definition]] = [[]]
        for definition in node.children:
            if definition.is_term and groups[-1] and not groups[-1][-1].is_term:
                groups.append([])
            groups[-1].append(definition)
        return self.joined([self._group(group) for group in groups])

    def _group(self, group: Sequence[nodes.Definition]) -> str:
        """Some terms and what defines them.

        A term is a single line, and all but the last are paragraphs before it; without one, no
        reader takes the rest for definitions.
        """
        terms = [node for each in group if each.is_term for node in each.children]
        bodies = [each.children[0] for each in group if not each.is_term and each.children]
        if (
            not terms
            or any(isinstance(node, nodes.Code) for node in bodies)
            or not all(isinstance(node, nodes.Paragraph) and not node.level for node in terms)
        ):
            return self.joined([self.joined(self.of(each.children)) for each in group])
        texts = [self.joined(self.of(each.children)) for each in group if not each.is_term]
        definitions = [f":   {_indented(text, 4)}" for text in texts if text]
        return "\n".join([self.joined([*map(self._term, terms)]), *definitions])

    def _term(self, node: nodes.Block) -> str:
        assert isinstance(node, nodes.Paragraph), "terms are paragraphs"
        return _with_plain_starts(self.writer.line(node.inlines))

    def _table(self, node: nodes.Table) -> str:
        width = max(cell.column for row in node.rows for cell in row.children) + 1
        lines: list[str] = []
        is_ragged = width * len(node.rows) > _PADDED * sum(len(r.children) for r in node.rows)
        for number, row in enumerate(node.rows):
            last = max((cell.column for cell in row.children), default=0)
            texts = [""] * (last + 1 if is_ragged and number else width)
            for cell in row.children:
                texts[cell.column] = self._cell(cell)
            lines.append(f"| {' | '.join(texts)} |")
        lines.insert(1, "|" + " --- |" * width)
        captions = [
            self.joined(self.of(part.children))
            for part in node.children
            if isinstance(part, nodes.Caption)
        ]
        return self.joined([*captions, "\n".join(lines)])

    def _cell(self, cell: nodes.Cell) -> str:
        lines = [line for node in cell.children for line in self._cell_lines(node, "")]
        return "<br>".join(line for line in lines if line).replace("\n", " ")

    def _cell_lines(self, node: nodes.Block, mark: str) -> list[str]:
        """Lines of a block in a cell, which can hold inline content only."""
        match node:
            case nodes.Paragraph():
                text = self.writer.line(node.inlines, in_cell=True)
                return [mark + text if text else ""]
            case nodes.Code():
                lines = [self.writer.code(line, in_cell=True) for line in node.text.split("\n")]
                return ["<br>".join(filter(None, lines))]
            case nodes.Rule():
                return []
            case nodes.List():
                return [
                    line
                    for item in node.children
                    for line in self._item_lines(
                        item, f"{item.number}. " if node.is_ordered else "- "
                    )
                ]
            case nodes.Table():
                children: list[nodes.Block] = [
                    block for row in node.rows for cell in row.children for block in cell.children
                ]
            case nodes.Definitions():
                children = [block for each in node.children for block in each.children]
            case nodes.Quote() | nodes.Note():
                children = node.children
        return [line for child in children for line in self._cell_lines(child, mark)]

    def _item_lines(self, item: nodes.Item, mark: str) -> list[str]:
        return [
            line
            for position, child in enumerate(item.children)
            for line in self._cell_lines(child, mark if not position else "")
        ]


def _looks_defined(node: nodes.Block) -> bool:
    """Is the fence of code a term to a reader who is at a list of definitions."""
    return isinstance(node, nodes.Code) and node.text.lstrip()[:1] in (":", "~")


def _with_plain_starts(text: str) -> str:
    """Text with a backslash wherever a line begins as a block of another kind does."""
    if "\n" in text:
        return _LINE_START.sub(r"\1\\", text)
    match = _LINE_START.match(text)  # a search would try every character
    return f"{match[0]}\\{text[match.end() :]}" if match else text


def _with_plain_words(text: str) -> str:
    """Text of a note that is no address and title of a link, where notes are unknown."""
    if text.startswith("```"):  # code would be text there
        return f"{_SPACE} {_SPACE}\n\n{text}"
    match = _DESTINATION.match(text)
    return f"{match[0]} {_SPACE}{text[match.end() :]}" if match else text


def _with_plain_end(text: str) -> str:
    """Text of a heading with a backslash before every number sign at its end."""
    start = text.rstrip("#")
    return start + "\\#" * (len(text) - len(start))


def _runs(node: nodes.List) -> list[list[nodes.Item]]:
    """Items of a list, parted where a number does not follow on the one before it."""
    if not node.is_ordered:
        return [node.children]
    numbers = nodes.odd_numbers(node.children, 1)
    starts = [row for row, number in enumerate(numbers) if row == 0 or number is not None]
    return [node.children[start:end] for start, end in pairwise([*starts, len(numbers)])]


def _is_loose(item: nodes.Item) -> bool:
    """Does an item hold more than a line of text and lists that can follow on a line of text."""
    first, *rest = item.children
    if isinstance(first, _NOT_ON_A_LINE):
        return True
    if isinstance(first, nodes.List) and len(_runs(first)) > 1:
        return True
    return not all(
        isinstance(node, nodes.List) and all(run[0].number == 1 for run in _runs(node))
        for node in rest
    )


def _indented(text: str, columns: int) -> str:
    """All lines but the first moved to the right, empty ones left empty."""
    return _prefixed(text, " " * columns, "").removeprefix(" " * columns)


def _prefixed(text: str, prefix: str, empty: str) -> str:
    if "\n" not in text:
        return prefix + text if text else empty
    return "\n".join(prefix + line if line else empty for line in text.split("\n"))
