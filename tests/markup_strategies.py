"""Markup as nobody should write it, by hypothesis or at random."""

from hypothesis import strategies as st

from victor.page.parsing.tags import DROPPED, NAMES

ELEMENTS = sorted(name for name in {*NAMES, *DROPPED} if not name.startswith("#"))
OFTEN = "html head body title script style p table td tr div a b li br svg textarea".split()
OTHERS = ["x-y", "foo", "plaintext", "BR", "ScRipt", "blink", "xml", "Q" * 110, "a\0b", "é"]
_WORDS = (
    "< > </ /> <!-- --> --!> <!-> <!--> <! <?x?> & &amp &amp; &notit; &#0; &#x80; &#xD800; &nGt; "
    "&lt &copy=1 &#32; &#x20 &Tab; &hellip &CounterClockwiseContourIntegral; ' \" = </br> </BR/ "
    "<!DOCTYPE <![CDATA[ <html/> <head> </head> <body/> <body> </body> </html> <p/> </p> text "
    "<svg><title>no</title></svg> <object><p</object> <math> </math> <time> <base> <b/>"
).split()
PIECES = [
    *_WORDS,
    " ", "\n", "\r\n", "\r", "\0", "\x0b", "\x0c", "\x01", "\x1f", "\x7f", "\ufeff", "\uffff",
    "\x85\u2028", "é€😀\xa0", "n" * 98, "two words", "</ ",
    "<!DOCTYPE html>", '<!doctype x "a>b">', "<!doctype html public 'a' \"b\">",
    "<html lang=x>", "<html xml:lang=cs lang>", "<body class=a>", "<a class='x&amp;y' hidden>",
    "<p style=\"display:none\">", "<p class='' id>", "<title>T&amp;t \r\n</title>",
    "<title> </title>",
    "<script><!--<script></script>--></script>", "<script>/* </ */</script>",
    "<meta name=a content='b&lt'>", "<meta property='' NAME=Ab itemprop=c content>",
    "<meta http-equiv=x content=y>", "<meta content=z>", "<link rel='x Canonical' href=/u>",
    "<link rel=stylesheet href=a>", "<link rel=' Preload x' href=a>", "<link rel=\xa0 href=a>",
    "<link rel=alternate hreflang=cs type=' t' title=x href=' /b '>",
    "<base href=' '>", "<base target=x href=' /a&amp;b '>",
    "<time datetime=' 2020-01-01 '>", "<time datetime>", "<time title=x>",
    "<math alttext=' a^2 ' display=block>", "<math display=inline alttext='&lt;'>",
    "<annotation>", "<annotation encoding=application/X-TeX>", "<annotation encoding=MathML>",
    "</annotation>", "<script type=Math/TeX>a<b</script>",
    "<script type='math/tex; mode=display'>x^2 &amp;</script>", "<script type=math/tex/>",
    '<script type="application/ld+json">{"a": "&amp;<b>"}</script>',
    "<script type=' Application/LD+json ; x'>{}\r\n\0</script>", "<script type=ld+json>{}</script>",
    "<script type=application/ld+json></script>",
    "<img alt='a &lt; b' class=c>", "<img alt>", "<IMG SRC=x ALT=é\r\n>", "<svg><a class=in>",
    "<iframe>", "</iframe>", "<textarea>", "</textarea>", "</textarXX>", "<noframes>", "</style>",
    "<xmp>", "<style>", "<!\r-", "<\x0ftitle>", "<pre><div>", "<PRE><div class='>'>a", "</pre>",
    "<div class='code-block' data-lang=x>", "<div class=code-block>", "<div data-lang>", "</div>",
    "<code class='hl block'>", "<code class='a&#32;d-block x'>", "<CODE class=\x1cblock>",
    "</code>", "<table class=hljs-ln>", "<table id=block class='js-file-line-container\n'>",
    "</table>",
]  # fmt: skip
ATTRIBUTES = [
    "", "", "", " class=a", " id=b class=c class=d", "/", " /", " hidden",
    " x='>' CLASS=\"q\r\nr\"",
    " \0 =\0 a\0=1 A\0=2", " a\ufffd a\0 href hidden hr", " role = main  id='&amp;' style=''",
    " " + " ".join(f"k{i % 9}" for i in range(20)) + " class=last", " itemprop=a itemtype=b=c",
    " aria-hidden=true property=p", " " + "c" * 120 + " " + "c" * 130, " class='é\0&copy'",
]  # fmt: skip


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
