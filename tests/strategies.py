"""Hypothesis strategies for markup: well formed and not, and the text inside it."""

from hypothesis import strategies as st

from tests.rows import tables

ROWS = tables(__file__)

WORDS = ROWS["words"]
CONTAINERS = ROWS["containers"]
VOIDS = ("br", "hr", "img", "input", "wbr", "br", "img alt='a picture, 2'", "img alt=''")
ODDITIES = ROWS["oddities"]
ATTRIBUTES = ROWS["attributes"]


def texts(max_words=6):
    """Runs of words and of any characters that a page can hold."""
    wild = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="<&"), max_size=8)
    pieces = st.one_of(st.sampled_from(WORDS), wild)
    space = st.sampled_from((" ", " ", " ", "", "\n", "  "))
    pairs = st.lists(st.tuples(pieces, space), min_size=1, max_size=max_words)
    return pairs.map(lambda found: "".join(piece + gap for piece, gap in found))


def _element(children):
    name_and_attributes = st.tuples(
        st.sampled_from(CONTAINERS), st.sampled_from(ATTRIBUTES), st.integers(0, 9)
    )

    def wrap(drawn):
        (name, attributes, luck), inside = drawn
        end = "" if luck == 0 else f"</{name}>"
        return f"<{name}{attributes}>{''.join(inside)}{end}"

    return st.tuples(name_and_attributes, st.lists(children, max_size=4)).map(wrap)


def markup():
    """Markup as a string, nested a few levels; one element in ten is not closed."""
    leaves = st.one_of(
        texts(),
        texts(),
        st.sampled_from(VOIDS).map(lambda tag: f"<{tag}>"),
        st.sampled_from(ODDITIES),
    )
    return st.recursive(leaves, _element, max_leaves=25)


def page():
    """A page as UTF-8 bytes; some are empty."""
    return st.lists(markup(), max_size=4).map(lambda parts: "".join(parts).encode())


def batch(max_pages=4):
    """A few pages as UTF-8 bytes."""
    return st.lists(page(), max_size=max_pages)
