"""Pages whose text only scripts hold, and scripts that try to look like data."""

from __future__ import annotations

import json
from typing import Final

from hostile.zoo.inputs import Group
from hostile.zoo.texts import CZECH, ENGLISH, KEY, SENTENCE, TEXT, page

GROUP: Final = Group("scripts")

_BODY: Final = " ".join(ENGLISH.paragraphs)
_JSON: Final = ' type="application/json"'
_LD: Final = ' type="application/ld+json"'


def _thin(script: str, kind: str = "") -> bytes:
    """A page with nothing in it but a script."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>Herald</title></head><body>'
        f'<div id="app"></div><script{kind}>{script}</script></body></html>'
    ).encode("utf-8", "surrogatepass")


def _article(body: str) -> str:
    return json.dumps({"@type": "NewsArticle", "headline": ENGLISH.title, "articleBody": body})


GROUP.add("json-ld", lambda n: _thin(_article(_BODY), _LD))
GROUP.add("json-ld-long", lambda n: _thin(_article(" ".join([_BODY] * n(3_000))), _LD))
GROUP.add(
    "json-ld-many",
    lambda n: _thin(f"{_article(_BODY)}</script><script{_LD}>" * n(8_000) + "{}", _LD),
)
GROUP.add("json-state", lambda n: _thin(json.dumps({"page": {"body": TEXT}}), _JSON), key=None)
GROUP.add(
    "json-in-script", lambda n: _thin(f"window.state = {json.dumps({'html': TEXT})};"), key=None
)
GROUP.add("czech-escapes", lambda n: _thin(json.dumps({"t": CZECH.markup}), _JSON), key=None)

_BODIES: Final = {
    "deep-markup": "<div>", "links-unclosed": "<a ", "comments-unclosed": "<!--",
    "drawings-unclosed": "<svg", "entities": "&lt;p&gt;", "escaped-tags": "\\u003cp>",
}  # fmt: skip
for _name, _repeated in _BODIES.items():
    GROUP.add(
        f"json-{_name}",
        lambda n, repeated=_repeated: _thin(
            json.dumps({"body": TEXT + repeated * n(200_000)}), _JSON
        ),
        key=None,
    )

_SCRIPTS: Final = {
    "words": ("var a='{}';", "word ", 1_000_000),
    "quotes": ("{}", "'", 2_000_001),
    "backslashes": ('var a="{}', "\\", 2_000_001),
    "brackets": ("{}", "{[(", 1_000_000),
    "keys": ("{}1", '{"a":', 500_000),
    "arrays": ("{}", "[1,", 1_000_000),
    "patterns": ("{}", "a=/[/]/;b=`${`${", 200_000),
    "templates": ("{}", "`${", 500_000),
    "comments": ("{}", "/*", 1_000_000),
    "line-comments": ("{}", "//'\n", 500_000),
    "parsed-strings": ("{}", "JSON.parse('", 200_000),
    "escapes": ('var a="{}";', "\\u003c", 500_000),
    "halves": ('var a="{}";', "\\ud83d", 300_000),
    "digits": ("{}", "1", 2_000_000),
    "names": ("{}", "a.b=", 500_000),
    "sums-of-strings": ("a=''{};", "+'word word'", 200_000),
    "divisions": ("{}", "a/b/c;", 400_000),
}
for _name, (_frame, _repeated, _count) in _SCRIPTS.items():
    GROUP.add(
        f"strings-{_name}",
        lambda n, frame=_frame, repeated=_repeated, count=_count: _thin(
            frame.replace("{}", repeated * n(count), 1)
        ),
        key=None,
    )

GROUP.add("json-deep", lambda n: _thin("[" * n(1_000_000), _JSON), key=None)
GROUP.add("json-deep-closed", lambda n: _thin("[" * n(500_000) + "]" * n(500_000), _LD), key=None)
GROUP.add("json-long-number", lambda n: _thin('{"a":' + "9" * n(2_000_000) + "}", _LD), key=None)
GROUP.add("json-exponent", lambda n: _thin('{"a":1e' + "9" * n(100_000) + "}", _LD), key=None)
GROUP.add(
    "json-keys-all-different",
    lambda n: _thin("{" + ",".join(f'"k{i}":"{SENTENCE}"' for i in range(n(40_000))) + "}", _JSON),
    key=None,
)
GROUP.add(
    "json-same-keys",
    lambda n: _thin("{" + ",".join([f'"k":"{SENTENCE}"'] * n(40_000)) + "}", _JSON),
    key=None,
)
GROUP.add(
    "json-halves-and-nul",
    lambda n: _thin(f'{{"articleBody":"{_BODY} \\ud800 \\udc00\\ud800 \\u0000 end"}}', _LD),
    key=None,
)
GROUP.add(
    "data-in-attributes",
    lambda n: (
        f"<html><body><div data-state='{json.dumps({'a': [KEY] * n(5_000)})}'></div>"
    ).encode(),
    key=None,
)
GROUP.add("article-and-state", lambda n: page(f"{TEXT}<script>a={json.dumps([TEXT] * n(4_000))}"))
