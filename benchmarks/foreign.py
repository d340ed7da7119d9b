"""How Victor and other systems do on the tests of Defuddle.

    python benchmarks/foreign.py FOLDER [--node-modules DIR] [--systems victor trafilatura]
    python benchmarks/foreign.py FOLDER --systems victor --show formula

FOLDER is a copy of that project's repository, or of its folder with tests: `fixtures/NAME.html` and
`expected/NAME.md`. Expected files are its own output, so that its own row tells nothing. Expected
and every system's Markdown are rendered by markdown-it-py and read the same way: words, or
ideographs (precision, recall, F; mean of the pages), and items by kind (recall % (precision %), all
pages together). Headings, items, rows, quotes and emphasis are compared by their words, links by
words and address, images by address, code by its lines, formulas by their TeX without white space,
notes by nine tenths of their words. docs/reports/benchmarks.md has the table.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from peers.processes import MissingError
from structure.items import items
from structure.rendered import document_of
from structure.scores import word_f
from structure.systems import EXTENSIONS, NAMES, Page, option, run
from structure.walk import Document, words

from victor.page.decoding.decode import decode

KINDS: Final = {
    "heading": "heading", "list item": "item", "table row": "row", "code": "code",
    "inline code": "inline code", "bold": "bold", "italic": "italic", "quote": "quote",
    "link": "link", "image": "image", "formula": "formula", "note": "note",
}  # fmt: skip
"""The compared kinds, and what they are called in tables."""
_LIKE: Final = 0.9
"""Share of the words that a note must have in common with the expected."""
_IDEOGRAPHS: Final = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_ADDRESS: Final = re.compile(r'<!--\s*\{"url":\s*"([^"]+)"')
_FRONT: Final = re.compile(r"\A```json\n.*?\n```\n", re.DOTALL)
_NOTES: Final = "section[contains(concat(' ', @class, ' '), ' footnotes ')]"
_FORMULAS: Final = "//*[contains(concat(' ', @class, ' '), ' math ')]"


class Figures(NamedTuple):
    """One output of one page.

    Attributes:
        precision: share of its words that are expected.
        recall: share of the expected words that it has.
        f: word F.
        right: items of each kind that output and expected document share.
        wanted: expected items of each kind.
        given: items of each kind that the output has.
        missed: expected items that it lacks.
    """

    precision: float
    recall: float
    f: float
    right: Counter[str]
    wanted: Counter[str]
    given: Counter[str]
    missed: list[tuple[str, Hashable]]


class Case(NamedTuple):
    """A page, and the document that is expected of it."""

    page: Page
    document: Document


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    arguments = _arguments(argv)
    chosen = [*_cases(arguments.folder)]
    if not chosen:
        raise SystemExit(f"{arguments.folder} has no tests: name the folder of the repository")
    scores = {}
    for name in arguments.systems:
        pages, options = [case.page for case in chosen], dict(arguments.option)
        try:
            texts = run(name, pages, arguments.node_modules, options)
        except MissingError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        extensions = tuple(dict.fromkeys((*EXTENSIONS["defuddle"], *EXTENSIONS[name])))
        scores[name] = [
            figures(case.document, document_of(text, extensions))
            for case, text in zip(chosen, texts, strict=True)
        ]
    print("\n".join(_table(scores)))
    if arguments.show is not None:
        _show(arguments.show, chosen, next(iter(scores.values())))


def _cases(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("tests/expected/*.md")):
        page = folder / "tests" / "fixtures" / f"{path.stem}.html"
        if page.exists():
            html = page.read_bytes()
            markup = decode(html).text
            match = _ADDRESS.search(markup[:1000])
            url = match[1] if match else "https://" + path.stem.partition("--")[2]
            expected = _FRONT.sub("", path.read_text(encoding="utf-8"))
            document = document_of(expected, EXTENSIONS["defuddle"])
            yield Case(Page(path.stem, url, html, markup, ""), document)


def _table(scores: dict[str, list[Figures]]) -> Iterator[str]:
    """Table of words and items: a row for each system."""
    yield f"| | P | R | F | {' | '.join(KINDS.values())} |"
    yield "|---|" + "--:|" * (3 + len(KINDS))
    for name, pages in scores.items():
        means = [
            mean(getattr(page, value) for page in pages) for value in ("precision", "recall", "f")
        ]
        right, wanted, given = (
            sum((getattr(page, value) for page in pages), Counter())
            for value in ("right", "wanted", "given")
        )
        cells = [_cell(right[kind], wanted[kind], given[kind]) for kind in KINDS]
        yield (" | ".join([f"| {name}", *(f"{value:.3f}" for value in means), *cells]) + " |")
    counts = sum((page.wanted for page in next(iter(scores.values()))), Counter())
    yield " | ".join(["| expected", "", "", "", *(str(counts[kind]) for kind in KINDS)]) + " |"


def _cell(right: int, wanted: int, given: int) -> str:
    """Recall and precision in percent."""
    if not wanted:
        return "–"
    precision = f" ({100 * right / given:.0f})" if given else ""
    return f"{100 * right / wanted:.0f}{precision}"


def _show(kind: str, chosen: Sequence[Case], scores: Sequence[Figures]) -> None:
    """What the first system lacks of a kind."""
    names = {shown: name for name, shown in KINDS.items()}
    for case, page in zip(chosen, scores, strict=True):
        for missed, key in page.missed:
            if missed == names[kind]:
                print(f"{case.page.id}\t{key!r}")


def figures(expected: Document, output: Document) -> Figures:
    """Compare an output with the document that a suite expects."""
    wanted, given = things(expected), things(output)
    right: Counter[str] = Counter()
    missed: list[tuple[str, Hashable]] = []
    for kind in KINDS:
        left = _left(kind, wanted[kind], given[kind])
        right[kind] = wanted[kind].total() - len(left)
        missed += [(kind, key) for key in left]
    wanted_words, words_given = _words(expected), _words(output)
    common = (Counter(wanted_words) & Counter(words_given)).total()
    return Figures(
        common / max(1, len(words_given)) if words_given else float(not wanted_words),
        common / max(1, len(wanted_words)) if wanted_words else 1.0,
        word_f(wanted_words, words_given),
        right,
        Counter({kind: wanted[kind].total() for kind in KINDS}),
        Counter({kind: given[kind].total() for kind in KINDS}),
        missed,
    )


def _words(document: Document) -> list[str]:
    """Words of a document; of Chinese and Japanese the characters, for nothing parts its words."""
    return [piece for word in document.words for piece in _IDEOGRAPHS.split(word) if piece]


def things(document: Document) -> Mapping[str, Counter[Hashable]]:
    """Items of every kind of a rendered document."""
    counts: dict[str, Counter[Hashable]] = {kind: Counter() for kind in KINDS}
    for item in items(document):
        if item.kind in counts and not _is_of_note(item.node, item.kind):
            key = item.keys[0]
            # A document may begin with a heading of any level, so levels are not compared.
            counts[item.kind][key[1] if item.kind == "heading" else key] += 1  # type: ignore[index]
    counts["formula"].update("".join(node.text_content().split()) for node in _formulas(document))
    counts["note"].update(_notes(document))
    return counts


def _is_of_note(node: Any, kind: str) -> bool:
    """Is an item the one that holds a note."""
    return kind == "list item" and any(
        "footnotes" in (each.get("class") or "").split() for each in node.iterancestors("section")
    )


def _formulas(document: Document) -> Iterator[Any]:
    for node in document.root.xpath(_FORMULAS):
        if node.tag != "section":
            yield node


def _notes(document: Document) -> Iterator[Hashable]:
    for node in document.root.xpath(f"//{_NOTES}//li[@id]"):
        yield words(node.text_content())


def _left(kind: str, wanted: Counter[Hashable], given: Counter[Hashable]) -> list[Hashable]:
    """Expected items that are not given; a note may differ by a tenth of its words."""
    left = [*(wanted - given).elements()]
    if kind != "note":
        return left
    free = [*(given - wanted).elements()]
    missed = []
    for key in left:
        match = next((other for other in free if word_f(key, other) >= _LIKE), None)  # type: ignore[arg-type]
        if match is None:
            missed.append(key)
        else:
            free.remove(match)
    return missed


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER")
    add("--systems", nargs="+", choices=NAMES, default=NAMES, metavar="SYSTEM",
        help=f"of {', '.join(NAMES)}")  # fmt: skip
    add("--node-modules", type=Path, metavar="DIR", help="where npm installed the Node peers")
    add("--option", action="append", type=option, default=[], metavar="NAME=on|off",
        help="switch of Victor's Markdown, e.g. headline=off")  # fmt: skip
    add("--show", choices=[*KINDS.values()], help="print what the first system lacks")
    return parser.parse_args(argv)


if __name__ == "__main__":
    main()
