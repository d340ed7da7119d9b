"""Pages of one template around texts of a corpus, labelled by the comments of the template."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Final

import numpy as np

from victor.corpus.pages import AnnotatedPage
from victor.corpus.template_markers import Markers, read_template
from victor.labels import Label
from victor.page.texts import block_texts
from victor.training.dataset import LabelledPages

CONTENT: Final = Markers("content begins", "content ends")
BLOCKS: Final = 8
"""Blocks of content on a page."""
LINKS: Final = 6
"""Titles of other pages in a list beside the content."""
_TITLE: Final = 45
_TEASER: Final = 160
_PAGE: Final = """\
<!DOCTYPE html>
<html>
<head>
<title>{title} - The Daily Example</title>
<script>
var visit = {{account: "EX-1", page: location.pathname, from: document.referrer, at: Date.now()}};
</script>
</head>
<body>
<ul class="menu">
<li><a href="/">Home</a></li>
<li><a href="/news/">News</a></li>
<li><a href="/sport/">Sport</a></li>
<li><a href="/contact/">Contact</a></li>
</ul>
<p>The Daily Example has been read by everybody who needs an example of a newspaper since 1901.</p>
<!-- content begins -->
<h1>{title}</h1>
{content}
<!-- content ends -->
<h2>Read also</h2>
<ul>
{links}
</ul>
{teasers}
<p>Subscribe to our newsletter to have all the news of the day in your mailbox every morning.</p>
<p>No part of this site may be copied, stored or sent without written permission of its editors.</p>
</body>
</html>
"""


def template_pages(
    corpus: LabelledPages, count: int, *, teasers: int = 0, seed: int = 0
) -> list[AnnotatedPage]:
    """Pages of one template; their content is that of the corpus, each text on a line of its own.

    Args:
        corpus: pages with labels; when its texts are used up they come again.
        count: number of pages.
        teasers: longer beginnings of other pages below the list of titles.
        seed: of the choice of other pages.
    """
    texts = [*_contents(corpus)]
    contents = [
        [texts[(page * BLOCKS + number) % len(texts)] for number in range(BLOCKS)]
        for page in range(count)
    ]
    random = np.random.default_rng(seed)
    pages = []
    for number, content in enumerate(contents):
        others = [contents[at] for at in random.integers(0, count, LINKS + teasers).tolist()]
        html = _PAGE.format(
            title=escape(content[0][:_TITLE]),
            content="\n".join(f"<p>{escape(text)}</p>" for text in content),
            links="\n".join(
                f'<li><a href="/{at}.html">{escape(other[0][:_TITLE])}</a></li>'
                for at, other in enumerate(others[:LINKS])
            ),
            teasers="\n".join(f"<p>{escape(' '.join(o)[:_TEASER])}</p>" for o in others[LINKS:]),
        )
        page = read_template(f"page{number:05}", html.encode(), (CONTENT,))
        pages += [page] if page else []
    return pages


def _contents(corpus: LabelledPages) -> Iterator[str]:
    """Texts of all blocks of running text, each on one line."""
    labels = iter(corpus.labels.tolist())
    for table in corpus.tables:
        for text, label in zip(block_texts(table), islice(labels, len(table)), strict=True):
            if label == Label.TEXT:
                yield " ".join(text.split())
