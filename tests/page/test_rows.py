"""Rows of `tests/cases/page/*.md`: what the readers of pages make of small inputs.

A heading ``## name`` begins a section, ``of: function`` says what is asked (`FUNCTIONS`), and each
line of its fence ``rows`` is a call: its arguments, an arrow and what comes out, both in JSON. A
list holds several arguments, the last of them options if it is an object; ``{x*90}`` stands for x
ninety times; bytes are written as in ISO 8859-1.
"""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import asdict

from tests.rows import repeated
from victor.page.decoding.decode import decode, wide_encoding
from victor.page.decoding.legacy_encodings import declared_labels
from victor.page.decoding.letters import Letters, mixed_text
from victor.page.decoding.web_codecs import decode_as
from victor.page.markup.embedded import strings, unescaped
from victor.page.markup.full_record import record_full
from victor.page.names.name_groups import NameGroups, Phrases, plain
from victor.page.parsing.events import record
from victor.page.parsing.heads import page_address, web_address
from victor.page.parsing.source_lines import number_lines, record_lines
from victor.page.safe_page import safe_page, style_sheet
from victor.page.source import other_format
from victor.page.table.blocks import MAY_HAVE_FORMULAS
from victor.page.table.segment import parse_pages, segment
from victor.page.table.texts import block_texts
from victor.page.verdict.paragraphs import paragraphs

from .conftest import written
from .display.test_safe_page import danger
from .test_formulas import found as found_formulas
from .test_places import check
from .test_surroundings import surroundings
from .test_tokens import tokens_of
from .test_verdict import cut

SHEET = re.search("<style>.*?</style>", safe_page(b"", "").markup)[0]
"""That of our own elements, which stands in every safe page."""
KINDS = ("alpha", "num", "mix", "other", "punct")


def stream(page, *, attributes=None, alt_text=False):
    """What stands in the body of a page, as markup."""
    options = {} if attributes is None else {"attributes": tuple(attributes)}
    markup = page if isinstance(page, bytes) else page.encode()
    events = record([markup], alt_text=alt_text, **options)
    return written(events)[0].partition("<body>")[2].rpartition("</body>")[0]


def texts(page, split="tag", *, pre_lines=False, **options):
    """Texts of the blocks of a page."""
    return block_texts(segment(record([page.encode()], **options), split, pre_lines=pre_lines))


def head(page):
    """All that a head says, without what it does not."""
    return {
        name: value for name, value in asdict(record([page.encode()]).heads[0]).items() if value
    }


def kept_paragraphs(page, split="block", dropped=(), *, is_code=False):
    """Texts of the paragraphs of a page without some blocks; of code only if that is asked for."""
    table = parse_pages([page], split)
    kept = np.ones(len(table), dtype=bool)
    kept[[*dropped]] = False
    columns = paragraphs(table, kept, markups=[page.encode()])
    pairs = zip(columns.texts(0), columns.pre, strict=True)
    return [text for text, pre in pairs if pre >= 0 or not is_code]


def tokens(*blocks):
    """Tokens of blocks that stand side by side, each with its kind."""
    text, found = "".join(blocks), tokens_of(*blocks)
    bounds = zip(found.start, found.end, found.kind, strict=True)
    return [(text[start:end], KINDS[kind]) for start, end, kind in bounds]


def address(page, url):
    """Where the head of a page says that it is."""
    return page_address(record([page.encode()]).heads[0], url)


def names(patterns, *tags):
    """The bits of the elements with some start tags."""
    table = parse_pages(["".join(f"<p {tag}>x</p>" for tag in tags)])
    return NameGroups(patterns).masks(table)[table.elements.bundle[table.element]].tolist()


def characters_of_lines(page):
    """Characters of text and of markup of every line of the source."""
    lines = number_lines(page.encode())
    return list(zip(lines.text.tolist(), lines.markup_length.tolist(), strict=True))


def encoding(page, declared=None):
    """The encoding of a page, and why it is that."""
    decoded = decode(page, declared=declared)
    return decoded.encoding, decoded.reason


def decoding(page, declared=None):
    """The text of a page, its encoding, and why it is that."""
    found = decode(page, declared=declared)
    return found.text, found.encoding, found.reason


def latin(page, preferred):
    """The Latin encoding that the letters of a page speak for, and the share that fits it."""
    name, share = Letters.of(page).arbitrate(preferred)
    return name, round(share, 4)


def on_bytes(function):
    """The function of the bytes that a text writes."""
    return lambda text, *others: function(text.encode("latin-1"), *others)


FUNCTIONS = {
    "stream": stream,
    "stream of bytes": on_bytes(stream),
    "texts": texts,
    "head": head,
    "code": lambda page, split="block": kept_paragraphs(page, split, is_code=True),
    "paragraphs": kept_paragraphs,
    "tex": lambda page: [each.tex for each in found_formulas(page)],
    "display": lambda page: [each.display for each in found_formulas(page)],
    "tokens": tokens,
    "names": names,
    "phrase": lambda text: plain([text])[0],
    "phrases": lambda patterns, *texts: Phrases(patterns).masks([*texts]).tolist(),
    "address on the web": web_address,
    "address": address,
    "without links": lambda page: block_texts(cut(page).reduced),
    "may have formulas": lambda page: bool(parse_pages([page]).page_signs[0] & MAY_HAVE_FORMULAS),
    "xpaths": check,
    "record": lambda page: [
        (item.kind.name, item.text, dict(item.attributes), item.dropped)
        for item in record_full(page.encode()).items
    ],
    "headings": lambda *given: surroundings(*given).headings,
    "cells": lambda page: surroundings(page).cells,
    "links": lambda page, url=None: surroundings(page, "", url).links,
    "danger": danger,
    "safe": lambda page, base="": safe_page(page.encode(), base).markup.replace(SHEET, ""),
    "characters of lines": characters_of_lines,
    "lines": lambda page: block_texts(segment(record_lines([page.encode()]), "line")),
    "strings": lambda source: [(".".join(filter(None, at)), text) for at, text in strings(source)],
    "unescaped": unescaped,
    "encoding": on_bytes(encoding),
    "decoding": on_bytes(decoding),
    "labels": on_bytes(lambda page: [*declared_labels(page)]),
    "wide": on_bytes(wide_encoding),
    "mixed": on_bytes(mixed_text),
    "runs": on_bytes(lambda page: Letters.of(page).runs),
    "latin": on_bytes(latin),
    "decoded": on_bytes(decode_as),
    "format": on_bytes(other_format),
    "style": on_bytes(style_sheet),
}
SECTION = re.compile(r"^## (.+)\nof: (.+)\n(?:\n.*\n)?\n```rows\n((?:.+\n)*)```$", re.MULTILINE)
SECTIONS = [
    pytest.param(function, rows, id=f"{path.stem}: {name}")
    for path in sorted((Path(__file__).parents[1] / "cases" / "page").glob("*.md"))
    for name, function, rows in SECTION.findall(path.read_text("utf-8"))
]


@pytest.mark.parametrize(("function", "rows"), SECTIONS)
def test_rows(function, rows):
    for row in rows.splitlines():
        arguments, expected = (json.loads(repeated(part)) for part in row.split(" → "))
        arguments = arguments if isinstance(arguments, list) else [arguments]
        options = arguments.pop() if isinstance(arguments[-1], dict) else {}
        found = json.loads(json.dumps(FUNCTIONS[function](*arguments, **options)))
        assert found == expected, row


def test_every_section_is_read():
    files = (Path(__file__).parents[1] / "cases" / "page").glob("*.md")
    assert len(SECTIONS) == sum(file.read_text("utf-8").count("\n```rows\n") for file in files)
