"""The files that stand in the folder where the code blocks of a page run.

page.html       a page of ours
pages/          five pages
crawl.warc.gz   the same pages and some more as records
crawl/          two such files
my-corpus/      eight annotated pages of eight sites
my-pages/       gold texts and pages: gold.jsonl, html/
my.victor       a model of them
annotations/, benchmarks/, configs/, docs/    the project's own
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import victor

ROOT = Path(__file__).parents[2]
ANNOTATIONS = ROOT / "annotations"
PAGE = "saltmarsh-oysters"
PAGES = (PAGE, "corvane-press", "dorothy-buttons", "tessel-twelve-bridges", "nabrezi-esej")
CORPUS = (
    *PAGES,
    "gorsefield-seven-walks",
    "harrowmere-tide-bell",
    "kolarna-mestska",
)
_LINKED = ("annotations", "benchmarks", "configs", "docs")


def make(folder: Path) -> Path:
    """Fill a folder that does not exist yet; seconds, for a model is trained."""
    folder.mkdir(parents=True)
    rows = {row["id"]: row for row in map(json.loads, _lines(ANNOTATIONS / "pages.jsonl"))}
    _pages(folder)
    _crawls(folder, rows)
    _corpus(folder / "my-corpus", rows)
    _gold(folder / "my-pages", rows)
    return folder


def link_the_project(folder: Path) -> None:
    """Let the folder show what lies at the root of the project."""
    for name in _LINKED:
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _source(name: str) -> Path:
    return ANNOTATIONS / "pages" / f"{name}.html"


def _pages(folder: Path) -> None:
    shutil.copy(_source(PAGE), folder / "page.html")
    (folder / "pages").mkdir()
    for name in PAGES:
        shutil.copy(_source(name), folder / "pages")


def _crawls(folder: Path, rows: dict[str, dict[str, str]]) -> None:
    (folder / "crawl").mkdir()
    _warc(folder / "crawl.warc.gz", CORPUS, rows)
    _warc(folder / "crawl" / "first.warc.gz", CORPUS[:4], rows)
    _warc(folder / "crawl" / "second.warc.gz", CORPUS[4:], rows)


def _warc(path: Path, names: tuple[str, ...], rows: dict[str, dict[str, str]]) -> None:
    records = [_record(rows[name]["url"], _source(name).read_bytes()) for name in names]
    path.write_bytes(b"".join(gzip.compress(record, mtime=0) for record in records))


def _record(url: str, markup: bytes) -> bytes:
    """A response in the form of WARC 1.1."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + markup
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid5(NAMESPACE_URL, url)}>\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: 2024-03-01T12:00:00Z\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def _corpus(folder: Path, rows: dict[str, dict[str, str]]) -> None:
    (folder / "pages").mkdir(parents=True)
    for name in CORPUS:
        shutil.copy(_source(name), folder / "pages")
    lines = [json.dumps(rows[name]) + "\n" for name in CORPUS]
    (folder / "pages.jsonl").write_text("".join(lines), encoding="utf-8")


def _gold(folder: Path, rows: dict[str, dict[str, str]]) -> None:
    """What `victor align` reads; the texts are those that the shipped model gives."""
    (folder / "html").mkdir(parents=True)
    gold = []
    for name in CORPUS:
        markup = _source(name).read_bytes()
        (folder / "html" / f"{name}.html").write_bytes(markup)
        row = {"id": name, "text": victor.clean(markup).text, "url": rows[name]["url"]}
        gold.append(json.dumps(row) + "\n")
    (folder / "gold.jsonl").write_text("".join(gold), encoding="utf-8")
