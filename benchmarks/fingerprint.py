"""Fingerprints of all that is made of pages, to see that a change changes nothing.

    python benchmarks/fingerprint.py FOLDER... --output before.tsv
    python benchmarks/fingerprint.py FOLDER... --output after.tsv && diff before.tsv after.tsv

A folder holds pages as `*.html` files, directly or in `html/`. Each row of the output names a page,
what was made of it (labels, marginals, each form in each scope, by each system) and a hash of that.
With --train, models are trained on an aligned corpus (`victor align`), and their bytes are hashed;
with --crawl, a WARC file is crawled to each format, and its parts are hashed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import msgspec

from victor.api import Cleaner, CleanerSpec, Result
from victor.labelers import LABELERS
from victor.render import RENDERERS

MODELS = ("crf", "czech")
SCOPES = ("article", "full")
FORMATS = ("jsonl", "parquet", "vertical")
SECONDS = 3600.0
"""No page may fail because the machine is busy."""


def main() -> None:
    """Write the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--train", type=Path, help="an aligned corpus")
    parser.add_argument("--crawl", type=Path, help="a WARC file")
    parser.add_argument("--every", type=int, default=1, help="take only every so many pages")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    pages = [page for folder in arguments.folders for page in sorted(folder.glob("**/*.html"))][
        :: arguments.every
    ]
    with arguments.output.open("w", encoding="utf-8") as file:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            for rows in pool.map(fingerprints, pages, chunksize=8):
                file.writelines(f"{row}\n" for row in rows)
        if arguments.train:
            file.writelines(f"{row}\n" for row in of_training(arguments.train))
        if arguments.crawl:
            file.writelines(f"{row}\n" for row in of_crawl(arguments.crawl))


def fingerprints(page: Path) -> list[str]:
    """The rows of a page."""
    markup = page.read_bytes()
    name = "/".join(page.parts[-3:])
    return [f"{name}\t{what}\t{_hash(value)}" for what, value in made_of(markup)]


def made_of(markup: bytes) -> Iterator[tuple[str, bytes]]:
    """What each system makes of a page, in each form and scope."""
    result = _clean("default", None, markup)
    yield from _decided("default", result)
    yield "metadata", repr(sorted(result.metadata.items())).encode()
    yield "posts, schema_org", repr((result.posts, result.schema_org)).encode()
    places = [(b.id, b.xpath, b.css, b.row, b.column, b.kind, b.reason) for b in result.blocks]
    yield "places", repr(places).encode()
    ranges = [(b.text_range, b.markdown_range, b.links, b.headings) for b in result.blocks]
    yield "ranges", repr(ranges).encode()
    for form in RENDERERS:
        yield form, _rendered(result, form)
    for scope in SCOPES:
        scoped = _clean("default", scope, markup)
        for form in ("text", "markdown", "html"):
            yield f"{scope} {form}", _rendered(scoped, form)
    for system in (*MODELS, *LABELERS):
        yield from _decided(system, _clean(system, None, markup))


def _decided(system: str, result: Result) -> Iterator[tuple[str, bytes]]:
    yield f"{system} labels", result.labels.tobytes() + result.reason.encode()
    yield f"{system} marginals", result.marginals.tobytes()
    yield f"{system} text", result.text.encode("utf-8", "surrogatepass")


def _clean(system: str, scope: str | None, markup: bytes) -> Result:
    (result,) = _cleaner(system, scope).clean_many([markup])
    return result


@cache
def _cleaner(system: str, scope: str | None) -> Cleaner:
    cleaner = CleanerSpec.named(system).cleaner()
    cleaner.limits = msgspec.structs.replace(cleaner.limits, seconds=SECONDS)
    if scope is not None:
        cleaner.scope = type(cleaner.scope)(name=scope)
    return cleaner


def _rendered(result: Result, form: str) -> bytes:
    try:
        return result.render(form).encode("utf-8", "surrogatepass")
    except Exception as error:  # the error is what comes of the page
        return f"{type(error).__name__}: {error}".encode()


def of_training(corpus: Path) -> Iterator[str]:
    """Hashes of a model of each kind of potentials, trained on a corpus."""
    for config in ("crf", "default"):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "fingerprint.victor"
            command("train", corpus, "--config", config, "--output", model)
            yield f"{corpus.name}\ttrained {config}\t{_hash(model.read_bytes())}"


def of_crawl(warc: Path) -> Iterator[str]:
    """Hashes of the parts that a crawl writes, in each format."""
    for form in FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            command("crawl", warc, "--output", folder, "--format", form, "--jobs", "2")
            for part in sorted(Path(folder).rglob("part-*")):
                yield f"{warc.name}\t{form} {part.name}\t{_hash(part.read_bytes())}"


def command(*words: object) -> None:
    """Run a command of victor, quietly; 1 says that some records are damaged."""
    line = [sys.executable, "-m", "victor", *map(str, words)]
    done = subprocess.run(line, check=False, capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())


def _hash(value: bytes) -> str:
    return hashlib.blake2b(value, digest_size=8).hexdigest()


if __name__ == "__main__":
    main()
