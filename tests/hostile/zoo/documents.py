"""Oddities of the whole document: two of what there is one of, and all out of order."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import SENTENCE, TEXT, UTF_8, page, page_text

GROUP: Final = Group("documents")

_STUFF: Final = f"<p>{SENTENCE}</p>"

_DOCUMENTS: Final = {
    "two-pages": lambda n: page_text(TEXT) * 2,
    "many-pages": lambda n: page_text(TEXT) * n(9_000),
    "second-body": lambda n: page_text(f"{TEXT}</body></html><html><head><title>2</title><body>x"),
    "many-bodies": lambda n: page_text(TEXT + "<body class=z>" * n(200_000)),
    "many-roots": lambda n: page_text(TEXT + '<html lang="cs">' * n(200_000)),
    "many-heads": lambda n: page_text(TEXT + "<head></head>x" * n(150_000)),
    "many-titles": lambda n: page_text(TEXT + "<title>other</title>" * n(150_000)),
    "body-before-head": lambda n: f"<body>{TEXT}<head><title>late</title></head>",
    "head-unclosed": lambda n: f"<html><head>{UTF_8}<title>t</title><link rel=x>{TEXT}",
    "article-in-head": lambda n: f"<html><head>{UTF_8}{TEXT}</head><body></body></html>",
    "after-the-end": lambda n: page_text("<p>short</p>") + TEXT,
    "no-tags-around": lambda n: TEXT,
    "only-inline": lambda n: TEXT.replace("<p>", "<span>").replace("</p>", "</span><br>"),
    "all-capitals": lambda n: TEXT.replace("<p>", "<P>").replace("</p>", "</P>"),
    "all-one-line": lambda n: page_text(TEXT).replace("\n", ""),
    "frames-behind": lambda n: page_text(f"{TEXT}<frameset><frame src=x></frameset>"),
    "custom-elements-only": lambda n: TEXT.replace("<p>", "<x-p>").replace("</p>", "</x-p>"),
    "namespaced": lambda n: TEXT.replace("<p>", "<o:p>").replace("</p>", "</o:p>"),
    "inline-in-blocks": lambda n: page_text(
        f"<b><i><u>{TEXT}" + "<p><b>x</p><i>y</b></i>" * n(60_000)
    ),
    "base-everywhere": lambda n: page_text(TEXT + '<base href="http://b.example/">' * n(100_000)),
    "menus-around": lambda n: page_text(
        "<ul>" + '<li><a href="/x">Menu</a></li>' * n(40_000) + "</ul>" + TEXT
    ),
    "article-again-and-again": lambda n: page_text(TEXT + _STUFF * n(30_000)),
    "isindex-and-friends": lambda n: page_text(
        f"<isindex prompt=a><bgsound><keygen><multicol><spacer>{TEXT}<marquee>x<blink>y"
    ),
}  # fmt: skip
for _name, _document in _DOCUMENTS.items():
    GROUP.add(_name, lambda n, document=_document: document(n).encode())

GROUP.add("title-only", lambda n: b"<title>Herald</title>", key=None)
GROUP.add("head-only", lambda n: page_text("").partition("<body>")[0].encode(), key=None)
GROUP.add("frameset", lambda n: b"<frameset>" + b'<frame name="n" src="x">' * n(100_000), key=None)
GROUP.add("body-of-nothing", lambda n: b"<body></body>" * n(200_000), key=None)
GROUP.add("menu-only", lambda n: page("").replace(b"<main>", b""), key=None)
GROUP.add("everything-hidden", lambda n: page(f"<div hidden>{TEXT}</div>"), key=None, expected=ANY)
GROUP.add(
    "markdown-of-html",
    lambda n: page(f"<pre>{TEXT.replace('<', '&lt;') * n(4_000)}</pre>"),
    key=None,
)
GROUP.add(
    "closing-words-of-victor",
    lambda n: page(f'{TEXT}<p data-victor="text" data-v="1"><v-b data-v=0>x' * n(20_000)),
)
