"""Pages that `victor.kitten.normalize` makes well formed, and those whose text it keeps.

    python benchmarks/kitten_normalize.py FOLDER... [--jobs N]

The text is kept if a table of blocks made from the XHTML, as a strict parser of XML reads it, has
the same blocks as one made from the page. Prints a row for each folder and the pages that differ.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from lxml import etree

from victor.cli.processes import parallel_map
from victor.errors import PageError
from victor.kitten.normalize import normalize
from victor.kitten.xhtml import xml_text
from victor.page.events import Bundles, Events, PageTarget
from victor.page.segment import parse_pages, segment
from victor.page.texts import block_texts


class Plain(PageTarget):
    """The lean target of a page, for names with a name space."""

    __slots__ = ()

    def __init__(self):
        super().__init__(Bundles(), attributes=())
        start, end = self.start, self.end
        self.start = lambda tag, attributes: start(tag.rpartition("}")[2], {})
        self.end = lambda tag: end(tag.rpartition("}")[2])


def texts_of_xhtml(xhtml):
    target = Plain()
    etree.fromstring(xhtml.encode(), etree.XMLParser(target=target))
    codes = target.codes()
    starts = np.array([0, len(codes)])
    return block_texts(
        segment(Events(codes, starts, (), tuple(Bundles()), (target.head(),)), "block")
    )


def check(path):
    """Kind of result, or the reason why there is none, and whether the text is the same."""
    page = path.read_bytes()
    try:
        result = normalize(page)
    except PageError as error:
        return error.reason, True, path
    expected = block_texts(parse_pages([page], "block"))
    return result.kind, texts_of_xhtml(result.xhtml) == [*map(xml_text, expected)], path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    call = parser.parse_args()
    for folder in call.folders:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        rows = [*parallel_map(check, paths, call.jobs)]
        kinds = ", ".join(
            f"{kind} {n} ({n / len(rows):.3%})"
            for kind, n in Counter(kind for kind, _, _ in rows).most_common()
        )
        same = sum(is_same for _, is_same, _ in rows)
        print(f"{folder.parent.name}: {len(rows)} pages, {kinds}, same text {same}", flush=True)
        for kind, is_same, path in rows:
            if not is_same or kind == "text":
                print(f"  {kind} {path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
