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

from sources.conftest import Warc

import victor

ROOT = Path(__file__).parents[2]
ANNOTATIONS = ROOT / "annotations"
PAGE = "saltmarsh-oysters"
PAGES = (PAGE, "corvane-press", "dorothy-buttons", "tessel-twelve-bridges", "nabrezi-esej")
CORPUS = (*PAGES, "gorsefield-seven-walks", "harrowmere-tide-bell", "kolarna-mestska")
_LINKED = ("annotations", "benchmarks", "configs", "docs")


def make(folder: Path) -> Path:
    """Fill a folder that does not exist yet; its gold texts are those the shipped model gives."""
    for name, pages in (("pages", PAGES), ("my-corpus/pages", CORPUS), ("my-pages/html", CORPUS)):
        (folder / name).mkdir(parents=True)
        for page in pages:
            shutil.copy(_source(page), folder / name)
    shutil.copy(_source(PAGE), folder / "page.html")
    lines = (ANNOTATIONS / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["id"]: row for row in map(json.loads, lines)}
    gold = [
        {
            "id": page,
            "text": victor.clean(_source(page).read_bytes()).text,
            "url": rows[page]["url"],
        }
        for page in CORPUS
    ]
    _write(folder / "my-corpus/pages.jsonl", [rows[page] for page in CORPUS])
    _write(folder / "my-pages/gold.jsonl", gold)
    (folder / "crawl").mkdir()
    for name, pages in (("", CORPUS), ("/first", CORPUS[:4]), ("/second", CORPUS[4:])):
        records = (Warc.record(Warc.http(_source(p).read_bytes()), rows[p]["url"]) for p in pages)
        packed = (gzip.compress(record, mtime=0) for record in records)
        (folder / f"crawl{name}.warc.gz").write_bytes(b"".join(packed))
    return folder


def link_the_project(folder: Path) -> None:
    """Let the folder show what lies at the root of the project."""
    for name in _LINKED:
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)


def _source(name: str) -> Path:
    return ANNOTATIONS / "pages" / f"{name}.html"


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
