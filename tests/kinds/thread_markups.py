"""Threads in the markups of systems that many sites use, cut down to what matters.

A file of `threads` has what stands around the posts (``*`` for them), and a post with ``$author``,
``$date``, ``$iso``, ``$text`` and ``$n``.
"""

from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "threads"
SYSTEMS = sorted(path.stem for path in FOLDER.glob("*.html"))
FRAME = """<!DOCTYPE html><html lang=en>
<head><title>Leaking kettle - Kitchen forum</title></head><body>
<div id=top><ul class=nav><li><a href="/">Home</a><li><a href="/faq">Questions</a>
<li><a href="/login">Log in</a></ul></div><h1>Leaking kettle</h1>
{}
<div id=footer><a href="/imprint">Imprint</a> Powered by boards</div></body></html>"""

POSTS = (
    (
        "Agnes Hill",
        "March 3, 2019",
        "2019-03-03",
        "My kettle has leaked since Tuesday and the kitchen floor is wet, what can I do about it?",
    ),
    (
        "tom_the_tinker",
        "March 4, 2019",
        "2019-03-04",
        "Look at the seal below the lid first, it wears out within a year or two and costs little.",
    ),
    ("Zoë", "March 5, 2019", "2019-03-05", "Thanks, it was the seal indeed."),
    (
        "Agnes Hill",
        "March 25, 2019",
        "2019-03-25",
        "A new one is in place and not a drop came out since, so I am happy with the kettle again.",
    ),
)
"""Author, date as written, date, text."""


def thread(system, posts=POSTS):
    """A page of a system."""
    around, _, post = (FOLDER / f"{system}.html").read_text().partition("<!-- post -->\n")
    rows = [
        Template(post).substitute(n=n + 100, author=author, date=date, iso=iso, text=text)
        for n, (author, date, iso, text) in enumerate(posts)
    ]
    return FRAME.format(around.replace("*", "".join(rows))).encode()
