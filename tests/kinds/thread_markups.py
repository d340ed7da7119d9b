"""Threads in the markups of systems that many sites use, of `threads.yaml`."""

from pathlib import Path
from string import Template

import yaml

_DATA = yaml.safe_load(Path(__file__).with_name("threads.yaml").read_text("utf-8"))
SYSTEMS = sorted(_DATA["systems"])
FRAME = """<!DOCTYPE html><html lang=en>
<head><title>Leaking kettle - Kitchen forum</title></head><body>
<div id=top><ul class=nav><li><a href="/">Home</a><li><a href="/faq">Questions</a>
<li><a href="/login">Log in</a></ul></div><h1>Leaking kettle</h1>
{}
<div id=footer><a href="/imprint">Imprint</a> Powered by boards</div></body></html>"""
POSTS = [tuple(post) for post in _DATA["posts"]]
"""Author, date as written, date, text."""


def thread(system, posts=POSTS):
    """A page of a system."""
    post = Template(_DATA["systems"][system]["post"])
    rows = [
        post.substitute(n=n, author=author, date=date, iso=iso, text=text)
        for n, (author, date, iso, text) in enumerate(posts, 100)
    ]
    return FRAME.format(_DATA["systems"][system]["around"].replace("*", "".join(rows))).encode()
