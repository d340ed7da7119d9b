"""Text that looks nearly like what some expression looks for, again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hostile.zoo.inputs import Group, Times
from hostile.zoo.texts import TEXT, UTF_8, page

GROUP: Final = Group("baits")

_BAITS: Final = {
    "digits": ("1", 500_000), "dots": (".", 500_000), "dotted-digits": ("1.", 400_000),
    "slashed-digits": ("12/12/", 150_000), "dashed-digits": ("2024-12-", 150_000),
    "hours": ("12:12:", 150_000), "addresses": ("http://", 150_000), "hosts": ("www.", 250_000),
    "mails": ("a@", 500_000), "mails-dotted": ("a.b@c.", 200_000), "parentheses": ("(", 500_000),
    "brackets": ("[](", 300_000), "quotes": ("\"'", 500_000), "commas": (", ", 500_000),
    "dashes": ("- ", 500_000), "colons": (":", 500_000), "initials": ("A. ", 300_000),
    "shortened": ("e.g. ", 200_000), "rights": ("© 2024 ", 150_000), "slashes": ("/", 500_000),
    "hard-blanks": ("\xa0", 500_000), "blanks-of-all-kinds": (" \t\n\f\xa0\u2003", 150_000),
    "capitals": ("aB", 500_000), "joints": ("a-_+", 300_000), "months": ("January ", 120_000),
    "days": ("3rd of May ", 100_000), "czech-dates": ("1. ledna ", 120_000),
    "chinese-dates": ("2024年12月", 100_000), "bylines": ("By Jane Doe and ", 80_000),
    "by": ("by ", 400_000), "prices": ("$1,000.", 150_000), "numbers": ("-1e", 400_000),
    "ellipses": ("… ", 300_000), "bullets": ("• ", 300_000), "numbered": ("1) ", 300_000),
    "questions": ("?! ", 300_000), "stops-without-blanks": ("a.b", 300_000),
    "tags-in-text": ("&lt;p&gt;", 200_000), "markdown": ("*_[]`~\\#&lt;", 300_000),
    "hashes": ("#", 500_000), "tildes": ("~", 500_000), "underscores": ("_", 500_000),
    "equals": ("=", 500_000), "backticks": ("`", 500_000), "pipes": ("|", 500_000),
    "dollars": ("$x$ ", 200_000), "commands": ("\\begin{a}", 150_000), "braces": ("{{", 400_000),
    "ampersands": ("&amp;amp;", 150_000), "semicolons": ("&a;", 300_000),
}  # fmt: skip
"""What is repeated, and how often, in a paragraph and in attributes of it."""


def _paragraph(repeated: str, count: int) -> Callable[[Times], bytes]:
    def build(n: Times) -> bytes:
        bait = repeated * n(count)
        short = bait[:2_000].replace('"', "")
        return page(f'{TEXT}<p class="{short}" title="{short}">{bait}</p>')

    return build


for _name, (_repeated, _count) in _BAITS.items():
    GROUP.add(_name, _paragraph(_repeated, _count))

GROUP.add("class-of-joints", lambda n: page(f'<div class="{"a-_+bC" * n(350_000)}">{TEXT}</div>'))
GROUP.add(
    "style",
    lambda n: page(
        f'<p style="{"display " * n(300_000)}visibility{" " * n(500_000)}">styled</p>{TEXT}'
    ),
)
GROUP.add(
    "charsets",
    lambda n: b"<!-- " + b"charset " * n(100_000) + b"charset= -->" + page(TEXT),
)
GROUP.add(
    "meta-charsets",
    lambda n: page(TEXT, UTF_8 + "<meta charset " * n(100_000) + ">"),
)
GROUP.add("comments-before", lambda n: b"<!-- a -->" * n(6_500) + page(TEXT))
GROUP.add("comments-only", lambda n: b"<!-- a -->" * n(6_500) + b"plain", key=None)
GROUP.add("instructions-before", lambda n: b"<?a b?>" * n(9_000) + page(TEXT))
GROUP.add("instructions-unclosed", lambda n: b"<?a " * n(16_000) + page(TEXT))
GROUP.add("types-before", lambda n: b"<!DOCTYPE a>" * n(5_000) + page(TEXT))
GROUP.add("types-unclosed", lambda n: b"<!DOCTYPE " * n(6_000) + page(TEXT))
GROUP.add("comment-starts", lambda n: page(TEXT + "<!--" * n(500_000) + " end"))
GROUP.add("less-than", lambda n: page(TEXT + "<p>" + "<" * n(1_000_000)))
GROUP.add("less-than-and-letter", lambda n: page(TEXT + "<p>" + "<a " * n(500_000)))
GROUP.add("end-of-nothing", lambda n: page(TEXT + "<p>" + "</" * n(1_000_000)))
GROUP.add("declarations", lambda n: page(TEXT + "<p>" + "<!" * n(1_000_000)))
GROUP.add("imports", lambda n: page(f"<style>{'@import a' + ' ' * n(200_000)}</style>{TEXT}"))
GROUP.add("many-imports", lambda n: page(f"<style>{'@import a ' * n(100_000)}</style>{TEXT}"))
GROUP.add("css-escapes", lambda n: page("<style>" + "\\75 rl(" * n(200_000) + f"</style>{TEXT}"))
GROUP.add("css-comments", lambda n: page("<style>" + "/*" * n(500_000) + f"</style>{TEXT}"))
GROUP.add("css-quotes", lambda n: page("<style>" + "url('" * n(200_000) + f"</style>{TEXT}"))
GROUP.add(
    "css-in-attribute",
    lambda n: page(f'<p style="{"background:url( " * n(100_000)}">styled</p>{TEXT}'),
)
