"""Markup as nobody should write it, by hypothesis or at random."""

from hypothesis import strategies as st

from tests.rows import tables
from victor.page.parsing.tags import DROPPED, NAMES

ROWS = tables(__file__)

ELEMENTS = sorted(name for name in {*NAMES, *DROPPED} if not name.startswith("#"))
OFTEN = "html head body title script style p table td tr div a b li br svg textarea".split()
OTHERS = ["x-y", "foo", "plaintext", "BR", "ScRipt", "blink", "xml", "Q" * 110, "a\0b", "é"]
PIECES = ROWS["pieces"]
ATTRIBUTES = ROWS["attributes"]


def pages(max_pieces=20):
    """Strategy of pages as UTF-8 bytes."""
    name = st.sampled_from([*ELEMENTS, *OFTEN, *OFTEN, *OTHERS])
    start = st.tuples(name, st.sampled_from(ATTRIBUTES)).map(lambda tag: f"<{tag[0]}{tag[1]}>")
    end = st.tuples(name, st.sampled_from(("", "", " ", " x=1", "/"))).map(
        lambda tag: f"</{tag[0]}{tag[1]}>"
    )
    wild = st.text(st.characters(exclude_categories=("Cs",)), max_size=4)
    piece = st.one_of(st.sampled_from(PIECES), start, end, wild)
    return st.lists(piece, max_size=max_pieces).map(lambda parts: "".join(parts).encode())


def mutated(random, samples, most=40_000):
    """A page changed in one to twelve places.

    Args:
        random: a generator, `random.Random`.
        samples: whole pages as bytes; longer ones are cut to so many bytes.
    """
    page = bytearray(random.choice(samples)[:most])
    for _ in range(random.randint(1, 12)):
        at, other = random.randrange(len(page) + 1), random.choice(samples)
        size = random.choice((1, 8, 64, 512))
        end, start = at + size, random.randrange(len(other) + 1)
        match random.choice(("token", "token", "cut", "splice", "repeat", "rename", "flip")):
            case "token":
                name, attributes = random.choice((*ELEMENTS, *OTHERS)), random.choice(ATTRIBUTES)
                tag = f"<{name}{attributes}>", f"</{name}>", random.choice(PIECES)
                page[at:at] = random.choice(tag).encode("utf-8", "replace")
            case "cut":
                del page[at : random.choice((end, end, end, len(page)))]
            case "splice":
                page[at:at] = other[start : start + size * 8]
            case "repeat":
                page[at:at] = page[at:end] * random.choice((2, 9, 90))
            case "rename":
                old, new = random.choice(OFTEN).encode(), random.choice(ELEMENTS).encode()
                page = bytearray(page.replace(b"<" + old, b"<" + new, random.choice((1, -1))))
            case "flip" if at < len(page):
                page[at] ^= 1 << random.randrange(8)
    return bytes(page[: 2 * most])
