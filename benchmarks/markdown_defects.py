"""Defects of Markdown, counted by rules, for Victor and other systems.

    python benchmarks/markdown_defects.py CORPUS... [--node-modules DIR] [--each 50] [--show DEFECT]

CORPUS is a folder of pages with their gold texts (`html/`, `gold.jsonl`). Of each, `--each` pages
that have a gold text are drawn, the same in every run. A cell of the table is the number of pages
with a defect, and of how many pages could have it. `DEFECTS` has the rules. What a page should
give are the elements of its own tree whose text lies in the gold text (`structure.gold`), and a
system is blamed for losing the form of a text only where it kept the text.

`structure.systems` says how systems are called. Where a system gives the title apart, the title
stands as a first heading before its Markdown, as a caller would write it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt
from peers.processes import MissingError
from structure.code import HEADINGS
from structure.gold import Gold, gold_of
from structure.items import items
from structure.rendered import document_of
from structure.scores import Score, score
from structure.systems import EXTENSIONS, NAMES, Page, run
from structure.walk import Document, parsed, words

from victor.page.decoding.decode import decode

_HEADLINE_SHARE: Final = 0.8
"""Share of the words of an `h1` that the title of the window has, if it is the headline."""
_LONG: Final = 10
"""Words from which a paragraph that stands twice is a repetition and no refrain."""
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_FENCED: Final = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$|`+[^`\n]+`+", re.MULTILINE | re.DOTALL)
_EMPTY_LINK: Final = re.compile(r"(?<!!)\[\s*\]\([^)]*\)")
_SEED: Final = 20261128

Found = tuple[bool, bool]
"""Could the page have the defect, and has it."""


@dataclass(frozen=True, eq=False)
class Source:
    """What a page is, made once for all systems."""

    page: Page
    gold: Gold
    headlines: tuple[tuple[str, ...], ...]
    vocabulary: frozenset[str]
    pairs: frozenset[str]


@dataclass(frozen=True, eq=False)
class Output:
    """What a system wrote of a page.

    Attributes:
        markdown: as written.
        extensions: what the system writes beside CommonMark.
        document: the Markdown as it renders.
        score: its items against those of the page.
    """

    markdown: str
    extensions: tuple[str, ...]
    document: Document
    score: Score


def source_of(page: Page) -> Source:
    """Gold, headline and words of a page."""
    root = parsed(page.markup)
    document = Document(root)
    pairs = zip(document.words, document.words[1:], strict=False)
    return Source(
        page,
        gold_of(page.markup, page.text),
        tuple(_headlines(root)),
        frozenset(document.words) | frozenset(words(page.markup)),
        frozenset(first + second for first, second in pairs),
    )


def _headlines(root: Any) -> Iterator[tuple[str, ...]]:
    """Words of each `h1` that the title of the window says: headline, or name of the site."""
    title = {word for node in root.iter("title") for word in words(node.text_content())}
    for node in root.iter("h1"):
        own = words(node.text_content())
        if len(own) > 1 and sum(word in title for word in own) >= _HEADLINE_SHARE * len(own):
            yield own


def output_of(source: Source, markdown: str, extensions: tuple[str, ...]) -> Output:
    """Rendered Markdown with its score."""
    document = document_of(markdown, extensions)
    scored = score(source.gold, items(document), document.words)
    return Output(markdown, extensions, document, scored)


def _no_headline(source: Source, output: Output) -> Found:
    """No heading has all words of the headline."""
    found = [
        Counter(words(output.document.text[start:end]))
        for node, (start, end) in output.document.extents.items()
        if node.tag in HEADINGS
    ]
    wanted = map(Counter, source.headlines)
    has = any(headline <= heading for headline in wanted for heading in found)
    return bool(source.headlines), not has


def _form_lost(*kinds: str) -> Callable[[Source, Output], Found]:
    """A text is kept that was of one of these kinds, and no longer is."""

    def lost(_: Source, output: Output) -> Found:
        counts = [output.score.counts[kind] for kind in kinds]
        return any(each.kept for each in counts), any(each.right < each.kept for each in counts)

    return lost


def _torn_table(_: Source, output: Output) -> Found:
    """A table of data is text without a table, or lacks cells."""
    tables = output.score.tables
    return tables["kept"] > 0, tables["flattened"] + tables["with holes"] > 0


def _needless_escape(_: Source, output: Output) -> Found:
    """A paragraph would render to the same if no sign of a kind in it were escaped."""
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    return True, any(
        render(paragraph.replace(f"\\{sign}", sign)) == render(paragraph)
        for paragraph in re.split(r"\n\s*\n", _FENCED.sub("", output.markdown))
        for sign in {*_ESCAPE.findall(paragraph)}
    )


def _glued(source: Source, output: Output) -> Found:
    """A word that the page does not have is made of two of its words, one after the other."""
    return True, any(
        word not in source.vocabulary and word in source.pairs for word in {*output.document.words}
    )


def _twice(source: Source, output: Output) -> Found:
    """A paragraph of ten words and more stands twice, and in the gold text once or never."""
    paragraphs = Counter(
        own
        for start, end in output.document.paragraphs.values()
        if len(own := words(output.document.text[start:end])) >= _LONG
    )
    gold = " ".join(source.gold.text)
    return True, any(
        times > 1 and gold.count(" ".join(own)) < times for own, times in paragraphs.items()
    )


def _link_without_text(_: Source, output: Output) -> Found:
    """A link shows nothing."""
    return True, bool(_EMPTY_LINK.search(_FENCED.sub("", output.markdown)))


def _no_text(source: Source, output: Output) -> Found:
    """Less than half of the words of the gold text are there."""
    gold = Counter(source.gold.text)
    common = gold & Counter(output.document.words)
    return bool(gold), common.total() < gold.total() / 2


def _boilerplate(source: Source, output: Output) -> Found:
    """More than a fifth of the words are none of the gold text or the headline."""
    own = Counter(output.document.words)
    extra = own - Counter(source.gold.text)
    for headline in source.headlines:
        extra -= Counter(headline)
    return bool(own), extra.total() > own.total() / 5


DEFECTS: Final[Mapping[str, Callable[[Source, Output], Found]]] = {
    "headline missing": _no_headline,
    "less than half of the text": _no_text,
    "a fifth or more is boilerplate": _boilerplate,
    "paragraph twice": _twice,
    "heading lost its level": _form_lost("heading"),
    "list item is no item, or at another depth": _form_lost("list item", "nested item"),
    "table torn or flattened": _torn_table,
    "code without its fence or line breaks": _form_lost("code"),
    "language of code lost": _form_lost("code language"),
    "words glued": _glued,
    "escape that changes nothing": _needless_escape,
    "link without text": _link_without_text,
}
"""Every defect with the rule that finds it."""


def count(sources: Sequence[Source], outputs: Sequence[Output]) -> dict[str, list[Found]]:
    """For each defect, whether each page could have it and has it."""
    pairs = list(zip(sources, outputs, strict=True))
    return {name: [rule(*pair) for pair in pairs] for name, rule in DEFECTS.items()}


def drawn(corpora: Sequence[Path], each: int) -> list[Page]:
    """Pages with a gold text, so many of each corpus."""
    pages = []
    for corpus in corpora:
        with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if words(row["text"])]
        rows.sort(key=lambda row: str(row["id"]))
        pages += [
            _page(corpus, row) for row in random.Random(_SEED).sample(rows, min(each, len(rows)))
        ]
    return pages


def _page(corpus: Path, row: Mapping[str, str]) -> Page:
    """A page; addresses of one that has none are made absolute by an invented one."""
    html = (corpus / "html" / f"{row['id']}.html").read_bytes()
    url = row.get("url") or "https://page.example/"
    return Page(f"{corpus.name}/{row['id']}", url, html, decode(html).text, row["text"])


def table(by_system: Mapping[str, Mapping[str, Sequence[Found]]]) -> str:
    """Rows of defects, columns of systems."""
    lines = [["pages with the defect", *by_system], ["---", *["--:"] * len(by_system)]]
    for defect in DEFECTS:
        cells = []
        for found in by_system.values():
            could = [has for can, has in found[defect] if can]
            cells.append(f"{sum(could)} of {len(could)}")
        lines.append([defect, *cells])
    totals = [
        f"{sum(can and has for found in each.values() for can, has in found)}"
        for each in by_system.values()
    ]
    lines.append(["all", *totals])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    arguments = _arguments(argv)
    pages = drawn(arguments.corpus, arguments.each)
    sources = [source_of(page) for page in pages]
    by_system = {}
    for name in arguments.systems:
        try:
            markdown = run(name, pages, arguments.node_modules, {}, titled=True)
        except MissingError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        outputs = [
            output_of(source, text, EXTENSIONS[name])
            for source, text in zip(sources, markdown, strict=True)
        ]
        by_system[name] = count(sources, outputs)
        for page, (can, has) in zip(pages, by_system[name].get(arguments.show, ()), strict=False):
            if can and has:
                print(f"{name}\t{page.id}", file=sys.stderr)
    print(f"{len(pages)} pages\n\n{table(by_system)}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("corpus", nargs="+", type=Path, metavar="CORPUS")
    add("--systems", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--each", type=int, default=50, metavar="N", help="pages of a corpus")
    add("--show", choices=DEFECTS, metavar="DEFECT", help="name the pages that have it")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
