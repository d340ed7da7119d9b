"""Hypothesis strategies for markup: well formed and not, and the text inside it."""

from hypothesis import strategies as st

WORDS = (
    "the bees left Home page Kontakt včely ČERNÝ Überall naïve a I x eBay A4 H2O snake_case "
    "Привет москва 東京 カナ שלום مرحبا ½ x² ١٢ 42 1999 2024 3.14 12:30 5/11/2024 www.example.org "
    "http://a.net mail@b.cz … -- (c) © € $5 1. b) IV. 2 - a/ e.g. »Wow!« end. Why? No! so, that: "
    "; . \u0301"
).split()
CONTAINERS = (
    "p div td a b i u em strong span h1 h3 ul li dd dt table tr form label button main article nav "
    "section blockquote pre font noscript x-custom unknowntag select option"
).split()
VOIDS = ("br", "hr", "img", "input", "wbr", "br", "img alt='a picture, 2'", "img alt=''")
ODDITIES = (
    "<!-- comment -->", "<script>var x = '<p>no</p>';</script>", "<style>p {}</style>",
    "</html>", "</p>", "</div></div>", "<br><br>", "&nbsp;", "&amp;", "&#xD800;", "&#0;", "\n\n",
    "\t", "<", "<title>The bees</title>", "<meta name=description content='bees left'>",
    "<svg><text>drawn</text></svg>", "\u200b", "\u00ad",
)  # fmt: skip
ATTRIBUTES = (
    "", "", "", " class='post-body main2'", " id=comments hidden", " style='display:none'",
    " href='/'", " aria-hidden=true role=main", " itemprop=name",
)  # fmt: skip


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
