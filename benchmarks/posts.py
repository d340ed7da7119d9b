"""Posts of forum threads: found, with author and date, and where they begin and end.

    python benchmarks/posts.py CORPUS [--sites all|rules|unseen] [--peers] [--show]

The corpus is a folder with html/ID.html and gold.jsonl, whose rows have `posts` with text, user (a
name or the address of a profile), datetime as written and post_link; posts without text are left
out. The rules were chosen by looking at pages of the first half of the sites only (even checksum of
the host name); `unseen` is the other half.

A post is found if one of ours holds 80 % of its words and more than half of ours is it. An author
is right if it is the name, or the text of a link of the page to that profile, or the name in its
address. A date is right if it is the same day in some time zone, where both can be read, or else
the same text. Recall is over all posts, precision over all of ours. A border is right if a post is
found in exactly one of ours, and one of ours is right if it holds exactly one post.

With --peers: what trafilatura and resiliparse, which do not cut a page into posts, hold of them in
their text, where they are installed: 80 % of the words in their order, the name, the date.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from lxml import html as lxml_html

from victor.api import load_cleaner
from victor.metadata.dates import iso

HALVES = {"all": (0, 1), "rules": (0,), "unseen": (1,)}
HELD, MOSTLY = 0.8, 0.5
ZONES = timedelta(hours=14)
_WORD = re.compile(r"\w+")


class Page(NamedTuple):
    """One page.

    Attributes:
        site: host name.
        html: its bytes.
        posts: annotated, those with a text.
        names: texts of the links of the page by their address.
    """

    site: str
    html: bytes
    posts: list[dict[str, Any]]
    names: Mapping[str, set[str]]


@dataclass
class Counts:
    """Sums over pages."""

    gold: int = 0
    ours: int = 0
    found: int = 0
    matched: int = 0
    authors: int = 0
    with_author: int = 0
    dates: int = 0
    with_date: int = 0
    alone: int = 0
    single: int = 0
    missed: list[str] = field(default_factory=list)


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sites", choices=HALVES, default="all")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--show", action="store_true", help="a line for every page")
    arguments = parser.parse_args()
    pages = [*read_pages(arguments.corpus, arguments.sites)]
    print(f"\n{arguments.corpus.name}, {arguments.sites}: {len(pages)} pages\n")
    counts = Counts()
    cleaner = load_cleaner()
    for page in pages:
        of_page = Counts()
        _count(page, cleaner.clean(page.html).posts, of_page)
        if arguments.show:
            print(page.site, *(f"{k} {v}" for k, v in vars(of_page).items()), sep=" | ")
        for name, value in vars(of_page).items():
            setattr(counts, name, getattr(counts, name) + value)
    _print(counts)
    if arguments.peers:
        for name, extract in _peers():
            _print_peer(name, pages, extract)
        _print_peer("victor", pages, lambda markup: cleaner.clean(markup).text)


def read_pages(corpus: Path, sites: str) -> Iterator[Page]:
    """The pages of some sites."""
    with (corpus / "gold.jsonl").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            site = urlsplit(row["url"]).netloc
            if zlib.crc32(site.encode()) % 2 not in HALVES[sites]:
                continue
            html = (corpus / "html" / f"{row['id']}.html").read_bytes()
            posts = [post for post in row["posts"] if _words(post["text"])]
            yield Page(site, html, posts, _names(html))


def _names(html: bytes) -> dict[str, set[str]]:
    parser = lxml_html.HTMLParser(encoding="utf-8")
    names: dict[str, set[str]] = {}
    for link in lxml_html.document_fromstring(html, parser=parser).iter("a"):
        names.setdefault(link.get("href", ""), set()).add(_plain(link.text_content()))
    return names


def _count(page: Page, ours: Sequence[Any], counts: Counts) -> None:
    gold_words = [_words(post["text"]) for post in page.posts]
    our_words = [_words(post.text) for post in ours]
    common = [[(gold & mine).total() for mine in our_words] for gold in gold_words]
    counts.gold, counts.ours = len(gold_words), len(our_words)
    taken: set[int] = set()
    holders = [0] * len(our_words)
    for post, gold, row in zip(page.posts, gold_words, common, strict=True):
        fit = [
            number
            for number, (mine, both) in enumerate(zip(our_words, row, strict=True))
            if both >= HELD * gold.total() and both > MOSTLY * mine.total()
        ]
        for number in fit:
            holders[number] += 1
        counts.with_author += bool(post["user"])
        counts.with_date += bool(post["datetime"])
        # Where several fit, as short posts do, the first that no other post has.
        free = [number for number in fit if number not in taken]
        if not free:
            counts.missed.append(post["text"][:60])
            continue
        best = max(free, key=lambda number: (row[number] / our_words[number].total(), -number))
        taken.add(best)
        counts.found += 1
        mine = ours[best]
        counts.authors += bool(post["user"]) and _same_author(page, post["user"], mine.author)
        counts.dates += bool(post["datetime"]) and _same_date(post["datetime"], mine)
        exact = row[best] >= HELD * our_words[best].total()
        counts.alone += exact
    counts.matched = len(taken)
    counts.single = sum(number in taken for number in range(len(our_words)) if holders[number])


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def _plain(text: str) -> str:
    return "".join(_WORD.findall(unquote(text).lower())).replace("_", "")


def _same_author(page: Page, user: str, author: str | None) -> bool:
    if not author or not _plain(author):
        return False
    name = _plain(author)
    if name in page.names.get(user, ()) or name == _plain(user):
        return True
    parts = re.split(r"[/=.]", urlsplit(user).path + "/" + urlsplit(user).query)
    return "/" in user and any(
        _plain(part).rstrip("0123456789") == name.rstrip("0123456789") for part in parts if part
    )


def _same_date(written: str, post: Any) -> bool:
    if post.date is None:
        return False
    if _squeezed(written) in {_squeezed(post.written or ""), _squeezed(post.date)}:
        return True
    gold = iso(written, month_first=True)
    mine = iso(post.date)
    if gold is None or mine is None:
        return bool(post.written) and _squeezed(written) in _squeezed(post.written)
    day = date.fromisoformat(gold[:10])
    if len(mine) <= 10 or ("+" not in mine[10:] and "-" not in mine[10:]):
        return date.fromisoformat(mine[:10]) == day
    moment = datetime.fromisoformat(mine).astimezone(UTC)
    return (moment - ZONES).date() <= day <= (moment + ZONES).date()


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())


def _print(counts: Counts) -> None:
    print("| posts | ours | found | precision | author | date | exact borders | ours with one |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    shares = (
        (counts.found, counts.gold), (counts.matched, counts.ours),
        (counts.authors, counts.with_author), (counts.dates, counts.with_date),
        (counts.alone, counts.gold), (counts.single, counts.ours),
    )  # fmt: skip
    cells = [f"{part / whole:.3f}" if whole else "–" for part, whole in shares]
    print(f"| {counts.gold} | {counts.ours} |", " | ".join(cells), "|")


def _peers() -> Iterator[tuple[str, Callable[[bytes], str]]]:
    """Peers that are installed."""
    try:
        import trafilatura

        yield "trafilatura", lambda markup: trafilatura.extract(markup, include_comments=True) or ""
    except ImportError:
        print("trafilatura is not installed")
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.html import HTMLTree

        def resiliparse(markup: bytes) -> str:
            tree = HTMLTree.parse_from_bytes(markup)
            return str(extract_plain_text(tree, main_content=True, comments=True))

        yield "resiliparse", resiliparse
    except ImportError:
        print("resiliparse is not installed")


def _print_peer(name: str, pages: Sequence[Page], extract: Callable[[bytes], str]) -> None:
    total, found, authors, dates = 0, 0, 0, 0
    for page in pages:
        text = extract(page.html)
        words, plain, squeezed = _WORD.findall(text.lower()), _plain(text), _squeezed(text)
        for post in page.posts:
            total += 1
            found += _is_held(_WORD.findall(post["text"].lower()), words)
            names = page.names.get(post["user"] or "", set()) | {_plain(post["user"] or "")}
            authors += any(each and each in plain for each in names)
            dates += bool(post["datetime"]) and _squeezed(post["datetime"]) in squeezed
    print(f"{name}: found {found / total:.3f}, author in the text {authors / total:.3f}, ", end="")
    print(f"date in the text {dates / total:.3f} of {total} posts")


def _is_held(post: Sequence[str], words: Sequence[str]) -> bool:
    matcher = SequenceMatcher(None, post, words, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) >= HELD * len(post)


if __name__ == "__main__":
    main()
