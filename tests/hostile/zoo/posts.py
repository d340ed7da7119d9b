"""Threads, comments and reviews: many, deep, without authors, without dates, and none at all."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import CZECH, SENTENCE, TEXT, page

GROUP: Final = Group("posts")

_POST: Final = (
    '<div class="post" id="post-{i}"><span class="author">Reader {i}</span>'
    '<time datetime="2024-01-01T0{h}:00">then</time><p class="body">{text}</p></div>'
)


def _posts(count: int, text: str = SENTENCE) -> str:
    return "".join(_POST.format(i=i, h=i % 10, text=text) for i in range(count))


_THREADS: Final = {
    "thread": lambda n: _posts(n(12_000)),
    "short-posts": lambda n: _posts(n(25_000), "ok"),
    "empty-posts": lambda n: _posts(n(25_000), ""),
    "czech-posts": lambda n: _posts(n(8_000), CZECH.paragraphs[0]),
    "nested-replies": lambda n: (
        f'<ul><li class="comment">{_posts(1)}<div class="replies">' * n(8_000)
    ),
    "nested-articles": lambda n: f'<article class="comment"><p>{SENTENCE}</p>' * n(15_000),
    "authors-only": lambda n: '<b class="username author">Jane</b> ' * n(100_000),
    "dates-only": lambda n: '<span class="date posted">1 January 2024, 12:00</span> ' * n(80_000),
    "impossible-dates": lambda n: '<div class="post"><i class="date">32/13/0000 25:61</i>x</div>'
    * n(50_000),
    "quotes-of-quotes": lambda n: (
        '<div class="post"><blockquote class="quote">Jane wrote:' * n(10_000) + SENTENCE
    ),
    "signatures": lambda n: '<div class="post"><p>x</p><div class="signature">--<br>J.</div></div>'
    * n(40_000),
    "tables-of-posts": lambda n: (
        "<table>"
        + f'<tr class="post"><td class="author">Jane<td class="message">{SENTENCE}' * n(10_000)
        + "</table>"
    ),
    "stars": lambda n: '<div class="review" itemprop="review"><i class="stars">★★★★☆</i>fine</div>'
    * n(40_000),
    "microdata": lambda n: (
        '<div itemscope itemtype="http://schema.org/Comment"><b itemprop="author">J</b>'
        f'<p itemprop="text">{SENTENCE}</p></div>' * n(12_000)
    ),
    "definition-list": lambda n: (
        f'<dl class="comments">{"<dt>Jane says<dd>words" * n(60_000)}</dl>'
    ),
    "anchors": lambda n: '<a name="comment-1" class="permalink">#1</a><p>words</p>' * n(60_000),
    "votes": lambda n: '<div class="comment"><b class="score">99 points</b><p>words</p></div>'
    * n(40_000),
    "same-ids": lambda n: f'<div class="post" id="p"><p>{SENTENCE}</p></div>' * n(20_000),
    "alternating": lambda n: '<div class="post">a</div><div class="comment">b</div>' * n(50_000),
}  # fmt: skip
for _name, _thread in _THREADS.items():
    GROUP.add(
        _name, lambda n, thread=_thread: page(TEXT + f'<div class="thread">{thread(n)}</div>')
    )
GROUP.add(
    "thread-without-article",
    lambda n: page(f'<h1>Lamps</h1><div class="thread">{_posts(n(12_000))}</div>'),
    key=None,
)
