"""Too many of one thing, or one thing that is too large."""

from __future__ import annotations

from typing import Final

from hostile.zoo.inputs import ANY, Group
from hostile.zoo.texts import ENGLISH, SCRIPT_MARK, TEXT, UTF_8, page

GROUP: Final = Group("amounts")
_BLOCKS: Final = "too-many-blocks"
_BYTES: Final = "too-many-bytes"

GROUP.add("too-many-paragraphs", lambda n: page(TEXT + "<p>word" * n(300_000)), expected=_BLOCKS)
GROUP.add(
    "too-many-cells", lambda n: page(TEXT + "<table>" + "<tr><td>1" * n(300_000)), expected=_BLOCKS
)
GROUP.add("lines", lambda n: page(TEXT + "<pre>" + "x\n" * n(2_000_000) + "</pre>"))
GROUP.add("one-paragraph", lambda n: page(TEXT + "<p>" + "word " * n(3_500_000) + "</p>"))
GROUP.add("one-word", lambda n: page("<h1>" + "ab" * n(2_500_000) + "</h1>" + TEXT))
GROUP.add(
    "words-all-different",
    lambda n: page(TEXT + "<p>" + " ".join(f"w{i}x" for i in range(n(2_000_000))) + "</p>"),
)
GROUP.add(
    "classes-all-different",
    lambda n: page(TEXT + "".join(f'<p class="c{i}">w {i}' for i in range(n(190_000)))),
)
GROUP.add(
    "elements-all-different",
    lambda n: page(TEXT + "".join(f"<t{i}>w</t{i}>" for i in range(n(100_000)))),
)
GROUP.add(
    "anchors-all-different",
    lambda n: page(
        TEXT + "".join(f'<p id=a{i}><a href="#a{i + 1}">w {i}</a>' for i in range(n(90_000)))
    ),
)
GROUP.add("articles", lambda n: page(TEXT + f"<article>{TEXT}</article>" * n(10_000)))
GROUP.add("title", lambda n: page(TEXT, f"{UTF_8}<title>" + "word " * n(1_000_000) + "</title>"))
GROUP.add("name-of-a-tag", lambda n: page(TEXT + "<" + "x" * n(5_000_000) + ">y"))
GROUP.add("comment", lambda n: page("<!--" + "- - " * n(4_000_000) + "-->" + TEXT))
GROUP.add(
    "script",
    lambda n: page("<script>" + f"var a='{SCRIPT_MARK}';\n" * n(700_000) + "</script>" + TEXT),
)
GROUP.add(
    "picture-in-base64",
    lambda n: page('<img src="data:image/png;base64,' + "QUJD" * n(3_750_000) + '">' + TEXT),
)
GROUP.add("one-article-of-19-mb", lambda n: page(TEXT * n(16_500)))
GROUP.add(
    "page-of-105-mb",
    lambda n: page(TEXT + "<p>filler words here</p>\n" * n(4_200_000)),
    expected=_BYTES,
)
GROUP.add(
    "script-of-105-mb",
    lambda n: page("<script>" + "var a = 1;\n" * n(9_500_000) + "</script>" + TEXT),
    expected=_BYTES,
)
GROUP.add("blanks-of-105-mb", lambda n: b" " * n(105_000_000) + page(TEXT), expected=_BYTES)
GROUP.add("nothing", lambda n: b"", key=None)
GROUP.add("one-blank", lambda n: b" ", key=None)
GROUP.add("blanks-only", lambda n: b" \n\t" * n(5_000_000), key=None)
GROUP.add("one-letter", lambda n: b"a", key=None)
GROUP.add("tags-only", lambda n: b"<p><div></div>" * n(500_000), key=None, expected=ANY)
GROUP.add("text-only", lambda n: " ".join(ENGLISH.paragraphs * n(15_000)).encode())
