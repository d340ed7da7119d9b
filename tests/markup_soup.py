"""Pages of tags and texts in no order, and what is compared of them."""

import random
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ELEMENTS = (
    "p div b i span a br hr img ul li ol pre listing table tr td th tbody thead tfoot colgroup col "
    "h1 script style title textarea svg math mi noscript object embed param wbr source html head "
    "body select option optgroup x-y foo iframe dl dd dt button form nobr font fieldset legend "
    "details summary dialog ruby rt rp image isindex keygen plaintext frameset frame noframes xmp "
    "template input meta link base caption a b v-b main center marquee applet"
).split()
ATTRIBUTES = (
    "", "", " class='a&amp;b'", ' alt="q r"', " x=\"<>&quot;'\"", " hidden", " data-v=1",
    " style='color:red'", " type=hidden", " href=x", " name=body id=body", " onclick=alert(1)",
    " src=//evil.example/x", " style='background:url(//evil.example/x)'", " href=javascript:x()",
)  # fmt: skip
TEXTS = (
    "a", "b c", " ", "\n", "x &amp; y", "&lt;b&gt;", "&nbsp;", "\u200b", "é", "<", ">", "&", "'\"",
    "\u2028", "\r", "&#13;", "]]>", "--", "\x00", "&#x80;", "<!-- c -->", "<!--", "-->", "<!",
    "<!doctype html>", "</", "<![CDATA[x]]>", "</v-b>", "<v-b data-v=0>", "&lt;/v-b>&lt;script>",
)  # fmt: skip


def make_soup(seed):
    """A page of tags and texts in no order."""
    pick = random.Random(seed)
    parts = []
    for _ in range(pick.randint(1, 30)):
        kind = pick.random()
        if kind < 0.45:
            end = pick.choice((">", ">", ">", "/>"))
            parts.append(f"<{pick.choice(ELEMENTS)}{pick.choice(ATTRIBUTES)}{end}")
        else:
            parts.append(f"</{pick.choice(ELEMENTS)}>" if kind < 0.65 else pick.choice(TEXTS))
    return "".join(parts).encode()


@pytest.fixture(scope="session")
def soup():
    return make_soup


@pytest.fixture(scope="session")
def own_pages():
    """Our own annotated pages, by file."""
    return sorted(ROOT.glob("annotations/pages/*.html"))


@pytest.fixture(scope="session")
def plain():
    """Text without white space and joiners."""
    from victor.page.parsing.characters import JOINER, SPACE, class_table

    classes = class_table()
    return lambda text: "".join(c for c in text if classes[ord(c)] not in (SPACE, JOINER))
