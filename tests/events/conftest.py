"""What the tests of events share."""

from itertools import pairwise

import pytest

from victor.characters import LINE_BREAK
from victor.events import CLOSE, OPEN_WITH_ATTRIBUTES, TAG_BASE, record
from victor.tags import NAMES, VOID

LAST_TAG = TAG_BASE + 3 * len(NAMES)


def written(codes, bundles=()):
    """The codes of a page as markup without its root; a bundle as the values that are there."""
    pieces, at, codes = [], 0, codes.tolist()
    while at < len(codes):
        code = codes[at]
        if TAG_BASE <= code < LAST_TAG:
            number, kind = divmod(code - TAG_BASE, 3)
            values = []
            if kind == OPEN_WITH_ATTRIBUTES:
                at += 1
                values = [value for value in bundles[codes[at] - 0x10000] if value is not None]
            slash = "/" if kind == CLOSE else ""
            pieces.append("<" + slash + " ".join([NAMES[number], *values]) + ">")
        else:
            pieces.append("\n" if code == LINE_BREAK else chr(code))
        at += 1
    assert (pieces[0], pieces[-1]) == ("<#page>", "</#page>")
    return "".join(pieces[1:-1])


@pytest.fixture(scope="session")
def streams():
    """Function: pages to the event stream of each, written as markup."""

    def stream(*pages, **options):
        found = record([p.encode() if isinstance(p, str) else p for p in pages], **options)
        return [
            written(found.codes[a:b], found.bundles)
            for a, b in pairwise(found.page_starts.tolist())
        ]

    return stream


@pytest.fixture(scope="session")
def body(streams):
    """Function: a page to what its stream has between ``<body>`` and ``</body>``."""

    def inside(page, **options):
        (stream,) = streams(page, **options)
        before, start, rest = stream.partition("<body>")
        content, end, after = rest.rpartition("</body>")
        assert start, stream
        assert end, stream
        assert "<body" not in before + content + after
        return content

    return inside


@pytest.fixture(scope="session")
def unbalanced():
    """Function: the first tag of a stream that does not fit the tags before it, None if all do."""

    def find(codes):
        tags = codes[(codes >= TAG_BASE) & (codes < LAST_TAG)].tolist()
        closed = {(code - TAG_BASE) // 3 for code in tags if (code - TAG_BASE) % 3 == CLOSE}
        # An image has an end when it has alternative text.
        void = {n for n, name in enumerate(NAMES) if name in VOID and n not in closed}
        stack = []
        for code in tags:
            number, kind = divmod(code - TAG_BASE, 3)
            if kind == CLOSE and not (stack and stack.pop() == number):
                return NAMES[number]
            if kind != CLOSE and number not in void:
                stack.append(number)
        return NAMES[stack[-1]] if stack else None

    return find
