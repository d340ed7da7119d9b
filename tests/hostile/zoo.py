"""Pages that were made to break something, as functions of a size.

Most are rows of `rows/zoo.yaml`, which says how they are written; encodings, cut pages and files
that are no text are made here. `ALL` has them by name. A page is small for the tests of the zoo,
and of two sizes for those of growth.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from math import isqrt
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from tests.rows import tables

_HERE: Final = Path(__file__).parent
SECRET_WORD: Final = "zugbrueckenwaerter"
"""What `secret.txt` says and no page does, so that an output which has it has read the file."""
SCRIPT_WORD: Final = "vorhangschloss"
"""Stands in scripts and style sheets only: nobody reads it."""
ROWS: Final = tables(__file__)
ARTICLES: Final = yaml.safe_load((_HERE / "articles.yaml").read_text("utf-8"))
KEY: Final = ARTICLES["english"]["key"]
CONTENT, ANY = "content", "any"


class Input(NamedTuple):
    """A page of the zoo.

    Attributes:
        name: unique, begins with its group: ``tables/rows``.
        page: makes it, given how often what repeats stands there.
        key: a sentence that everybody sees on it; None if there is none, or if that is a matter of
            opinion.
        encoding: what a browser reads it as (Encoding Standard); None where it guesses.
        expected: ``content``, the reason for which it has to be refused, or ``any`` of these.
        url: where it comes from.
        charset: the encoding that its server declares.
    """

    name: str
    page: Callable[[int], bytes]
    key: str | None = KEY
    encoding: str | None = "utf-8"
    expected: str = CONTENT
    url: str | None = None
    charset: str | None = None

    def small(self, most: int) -> bytes:
        """The largest page of at most so many bytes, of sizes that double, or the smallest one."""
        n = 1
        while len(self.page(2 * n)) <= most and n < most:
            n *= 2
        return self.page(n)


# --- what stands around --------------------------------------------------------------------------


def markup(language: str, times: int = 1) -> str:
    """Heading and paragraphs of an article."""
    article = ARTICLES[language]
    texts = "".join(f"<p>{text}</p>\n" for text in article["paragraphs"])
    return f"<h1>{article['title']}</h1>\n{texts * times}"


_TEXTS: Final = {name: text.replace("$HIDDEN", SCRIPT_WORD) for name, text in ROWS["texts"].items()}
_TEXTS |= {
    "HEAD": _TEXTS["START"] + _TEXTS["AFTER"],
    "ON_BEES": f"<!DOCTYPE html><html><h1>On bees</h1><p>{_TEXTS['BEES'] * 4}</p>",
    "TEXT": markup("english"),
    "PARAGRAPHS": " ".join(ARTICLES["english"]["paragraphs"]),
    "SENTENCE": ARTICLES["english"]["paragraphs"][2],
    "KEY": KEY,
    "HIDDEN": SCRIPT_WORD,
    "SECRET": (_HERE / "secret.txt").as_uri(),
}
_NAME: Final = re.compile(rf"\$({'|'.join(sorted(_TEXTS, key=len, reverse=True))})")
_REPEATED: Final = re.compile("⟦([^⟧]*)⟧")


def page(body: str) -> bytes:
    """A page with a menu, scripts, a footer and this in the place of the article."""
    return f"{_TEXTS['HEAD']}{body}{_TEXTS['TAIL']}".encode()


def written(row: str, n: int) -> bytes:
    """The page of a row: texts in place of their names, and what repeats n times."""

    def repeated(match: re.Match[str]) -> str:
        if "№" not in match[1]:
            return match[1] * n
        return "".join([match[1].replace("№", str(number)) for number in range(n)])

    return _REPEATED.sub(repeated, _NAME.sub(lambda name: _TEXTS[name[1]], row)).encode()


def _of_file() -> Iterator[Input]:
    for section in ROWS["sections"]:
        rows = section["rows"]
        for name in rows:
            row = name if isinstance(rows, list) else rows[name]
            first, _, rest = row.partition(" § ")
            whole = section["in"].replace("$ROW", first).replace("$REST", rest)
            url = section.get("url")
            yield Input(
                f"{section['of']}/{name}",
                lambda n, whole=whole: written(whole, n),
                key=KEY if section.get("key", True) else None,
                expected=section.get("expected", CONTENT),
                url=url and written(url.replace("$ROW", row), 50_000).decode(),
            )


def _of_form() -> Iterator[Input]:
    """Tables whose rows differ, and half characters, which no file can hold."""

    def square(n: int) -> str:
        return ("<tr>" + "<td>12 bees</td>" * isqrt(n) + "</tr>") * isqrt(n)

    def stairs(n: int) -> str:
        return "".join("<tr>" + "<td>a 1</td>" * width for width in range(1, isqrt(2 * n) + 1))

    for name, rows in {"square": square, "stairs": stairs}.items():
        table = f"{_TEXTS['TEXT']}<table>%s</table>"
        yield Input(f"tables/{name}", lambda n, rows=rows, table=table: page(table % rows(n)))
    half = page(f"{_TEXTS['TEXT']}<p>a@@</p>")
    yield Input("characters/lone-halves", lambda n: half.replace(b"@@", b"\xed\xa0\x80" * n))
    for language, article in ARTICLES.items():
        yield Input(
            f"characters/paragraph-of-{language}",
            lambda n, language=language: page(markup(language) + f"<p>{markup(language, n)}"),
            key=article["key"],
        )


def _declaring(label: str) -> bytes:
    """A page in UTF-8 that declares an encoding."""
    meta = f'<meta charset="{label}">'
    return page(markup("czech", 3)).replace(_TEXTS["UTF8"].encode(), meta.encode())


def _of_encodings() -> Iterator[Input]:
    """Bytes that are no text of their encoding; tests/page/decoding has pages of all encodings."""
    whole, key = _declaring("utf-8"), ARTICLES["czech"]["key"]
    damages = ROWS["damage"] | {"controls": bytes(range(1, 32))}
    pages = {
        f"damaged-{name}": whole.replace(b"</h1>", damage + b"</h1>")
        for name, damage in damages.items()
    }
    pages["half-and-half"] = whole.replace(b"</body></html>", markup("czech").encode("cp1250"))
    for name, made in pages.items():
        yield Input(f"encodings/{name}", lambda n, made=made: made, key=key)
    for label, tail in ROWS["tails"].items():
        begun = _declaring(label)
        yield Input(
            f"encodings/tail-of-{label}",
            lambda n, begun=begun, tail=tail: begun + tail * n,
            key=key, encoding=None, expected=ANY,
        )  # fmt: skip


_BINARIES: Final[Mapping[str, Callable[[int], bytes]]] = {
    "noise": lambda n: random.Random(99).randbytes(n),
    "noise-in-a-page": lambda n: page(_TEXTS["TEXT"]) + random.Random(98).randbytes(n),
    "zeros": bytes,
    "zlib": lambda n: zlib.compress(page(_TEXTS["TEXT"] * n)),
    "all-bytes": lambda n: bytes(range(256)) * n,
}
"""What no signature tells: anything but a failure may come of it."""


def _of_files() -> Iterator[Input]:
    """Pages that are cut, and files that are no text."""
    whole = page(
        markup("czech") + '<p class="last">Konec &amp; <b>hotovo</b> <!-- pozn. --> dál</p>'
    )
    behind = whole.index(b'<p class="last"')
    for mark, more in ROWS["cuts"].items():
        end = whole.index(mark.encode()) + more
        seen = end > behind
        yield Input(
            f"cut/{mark}",
            lambda n, end=end: whole[:end],
            key=ARTICLES["czech"]["key"] if seen else None, expected=CONTENT if seen else ANY,
        )  # fmt: skip
    for name, make in _BINARIES.items():
        yield Input(f"binaries/{name}", make, key=None, encoding=None, expected=ANY)


ALL: Final[Mapping[str, Input]] = {
    entry.name: entry for made in (_of_file, _of_form, _of_encodings, _of_files) for entry in made()
}
