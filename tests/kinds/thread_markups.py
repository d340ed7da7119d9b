"""Threads in the markups of systems that many sites use, cut down to what matters.

A file of `threads` has what stands around the posts (``*`` for them), and a post with ``$author``,
``$date``, ``$iso``, ``$text`` and ``$n``.
"""

from pathlib import Path
from string import Template

import yaml

FOLDER = Path(__file__).parent / "threads"
SYSTEMS = sorted(path.stem for path in FOLDER.glob("*.html"))
FRAME = """<!DOCTYPE html><html lang=en>
<head><title>Leaking kettle - Kitchen forum</title></head><body>
<div id=top><ul class=nav><li><a href="/">Home</a><li><a href="/faq">Questions</a>
<li><a href="/login">Log in</a></ul></div><h1>Leaking kettle</h1>
{}
<div id=footer><a href="/imprint">Imprint</a> Powered by boards</div></body></html>"""


POSTS = [tuple(post) for post in yaml.safe_load((FOLDER / "posts.yaml").read_text("utf-8"))]
"""Author, date as written, date, text."""


def thread(system, posts=POSTS):
    """A page of a system."""
    around, _, post = (FOLDER / f"{system}.html").read_text().partition("<!-- post -->\n")
    rows = [
        Template(post).substitute(n=n + 100, author=author, date=date, iso=iso, text=text)
        for n, (author, date, iso, text) in enumerate(posts)
    ]
    return FRAME.format(around.replace("*", "".join(rows))).encode()
