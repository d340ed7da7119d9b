"""Text of other formats: feeds, data, mail, style sheets, programs."""

from __future__ import annotations

import json
import quopri
from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import ENGLISH, SENTENCE, TEXT, page

GROUP: Final = Group("formats")
_XML: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
_NAMESPACE: Final = "http://www.w3.org/2005/Atom"

_ANY: Final = {
    "rss": lambda n: (
        f'{_XML}<rss version="2.0"><channel><title>Herald</title>'
        + f"<item><title>a</title><description><![CDATA[{TEXT}]]></description></item>" * n(8_000)
        + "</channel></rss>"
    ),
    "atom": lambda n: (
        f'{_XML}<feed xmlns="{_NAMESPACE}">'
        + f'<entry><content type="html">&lt;p>{SENTENCE}&lt;/p></content></entry>' * n(20_000)
        + "</feed>"
    ),
    "sitemap": lambda n: (
        f"{_XML}<urlset>" + "<url><loc>http://x.example/a</loc></url>" * n(100_000) + "</urlset>"
    ),
    "json": lambda n: json.dumps({"paragraphs": [*ENGLISH.paragraphs] * n(5_000)}),
    "json-deep": lambda n: "[" * n(1_000_000),
    "json-lines": lambda n: json.dumps({"text": SENTENCE}) + "\n" + '{"text": "x"}\n' * n(300_000),
    "csv": lambda n: "name;value;date\n" + 'Fenn;"1,5";2024-01-01\n' * n(300_000),
    "css": lambda n: "body { color: red; background: url(x.png) }\n" * n(150_000),
    "javascript": lambda n: "function f(a) { if (a<b) return '<p>x</p>'; }\n" * n(100_000),
    "python": lambda n: "def f(a):\n    return a < b and c > d\n" * n(100_000),
    "c": lambda n: "#include <stdio.h>\nint a = b<c>d;\n" * n(150_000),
    "php": lambda n: f"<?php echo '<p>{SENTENCE}</p>'; ?>\n" * n(15_000),
    "latex": lambda n: "\\section{Lamps}\n$a < b$ and \\emph{words} of it.\n" * n(100_000),
    "markdown": lambda n: f"# {ENGLISH.title}\n\n{SENTENCE}\n\n- a\n  - b\n\n" * n(10_000),
    "svg": lambda n: '<svg xmlns="http://www.w3.org/2000/svg">' + "<text>a</text>" * n(200_000),
    "mathml": lambda n: "<math>" + "<mi>x</mi>" * n(200_000) + "</math>",
    "log": lambda n: "127.0.0.1 - - [01/Jan/2024:00:00:00] GET /a 200 <none>\n" * n(150_000),
    "diff": lambda n: "--- a\n+++ b\n@@ -1 +1 @@\n-<p>old\n+<p>new\n" * n(150_000),
    "base64": lambda n: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=\n" * n(200_000),
}  # fmt: skip
for _name, _build in _ANY.items():
    GROUP.add(_name, lambda n, build=_build: build(n).encode(), key=None, expected=ANY)

_BOUNDARY: Final = (
    b"From: <Saved by a browser>\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/related; boundary="cut"\r\n\r\n--cut\r\nContent-Type: text/html\r\n'
)
GROUP.add(
    "mhtml",
    lambda n: (
        _BOUNDARY
        + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        + quopri.encodestring(page(TEXT * n(1_000)))
        + b"\r\n--cut--\r\n"
    ),
    key=None,
    expected=ANY,
)
GROUP.add(
    "http-response",
    lambda n: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page(TEXT * n(1_000)),
)
GROUP.add(
    "warc-record",
    lambda n: b"WARC/1.0\r\nWARC-Type: response\r\n\r\n" + page(TEXT * n(1_000)),
    key=None,
    expected="not-html",
)
GROUP.add("plain-text", lambda n: "\n\n".join(ENGLISH.paragraphs * n(15_000)).encode())
GROUP.add("xhtml", lambda n: f"{_XML}<html xmlns='http://www.w3.org/1999/xhtml'>{TEXT}".encode())
