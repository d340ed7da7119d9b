"""Formulas in the text of paragraphs, by the TeX that their pages carry."""

import random

import numpy as np
import pytest

from victor.page.allowance import Allowance
from victor.page.markup.formulas import formulas
from victor.page.markup.full_record import record_full
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.ranges import of_blocks

MATHML = "<mrow><mi>x</mi><mo>=</mo><msqrt><mn>2</mn></msqrt></mrow>"
TEX = '<annotation encoding="application/x-tex">x=\\sqrt{2}</annotation>'
KATEX = (
    f"<span class=katex><span class=katex-mathml><math><semantics>{MATHML}{TEX}</semantics></math>"
    "</span><span class=katex-html aria-hidden=true><b>x</b><b>=2</b></span></span>"
)
MATHJAX = (
    "<span class=MathJax_Preview>x</span> <span class=MathJax_Display><span class=MathJax>x2</span>"
    "</span><script type='math/tex; mode=display'>x^2</script>"
)
X, Y = "<img class=latex alt=x>", "<img class=latex alt=y>"


def texts(page, split="block", dropped=()):
    table = parse_pages([page], split)
    kept = np.ones(len(table), dtype=bool)
    kept[[*dropped]] = False
    return paragraphs(table, kept, markups=[page.encode()]).texts(0)


def found(page):
    return formulas(record_full(page.encode()), Allowance())


def sources(page):
    return [formula.tex for formula in found(page)]


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (f"<math><semantics>{MATHML}{TEX}</semantics></math>", "x=\\sqrt{2}"),
        ("<math alttext='a\\ne b'><mi>a</mi><mo>≠</mo><mi>b</mi></math>", "a\\ne b"),
        (KATEX, "x=\\sqrt{2}"),
        ("<b class=mwe-math-element><b><math alttext='{\\displaystyle y}'>y</math></b></b>", "y"),
        ("<span class=MathJax>x2</span><script type=math/tex>x^2</script>", "x^2"),
        ("<mjx-container><math alttext=y><mi>y</mi></math></mjx-container>", "y"),
        ("<script type=math/tex>x^2</script>", "x^2"),
    ],
)
def test_tex_stands_for_all_drawings(formula, text, split, space):
    page = f"<p>Let{space}{formula}{space}be</p><p>b"
    assert texts(page, split) == [f"Let{space}{text}{space}be", "b"]


def test_mathml_without_tex_stays_text_of_its_paragraph():
    assert texts(f"<p>Let <math>{MATHML}</math> be") == ["Let x=2 be"]
    assert texts("<p>Let <mjx-container><mjx-c class=mjx-c1D465></mjx-c></mjx-container>.")


def test_code_in_a_formula_is_no_code():
    page = "a<math alttext=x><table class=js-file-line-container>b"
    assert texts(page, dropped=[0]) == ["x"]


def test_formulas_of_a_batch_stand_in_their_pages():
    pages = ["<p>a", f"<p>b <math>{TEX}</math>", f"<p>c {X} d", "<p>e"]
    table = parse_pages(pages)
    columns = paragraphs(table, np.ones(len(table), bool), markups=[p.encode() for p in pages])
    texts = [columns.texts(page) for page in range(4)]
    assert texts == [["a"], ["b x=\\sqrt{2}"], ["c x d"], ["e"]]


@pytest.mark.parametrize(
    ("element", "tex"),
    [
        ("<span class=math-inline data-math='x'><i>x</i></span>", "x"),
        ("<span data-tex='x^2'><i>x2</i></span>", None),
        ("<span data-tex='\\frac12'>1/2</span>", "\\frac12"),
        ("<span class=ztext-math data-tex='x^2'>x2</span>", "x^2"),
        ("<span class=hurmet-tex data-entry='\\vec{F}'><math><mi>F</mi></math></span>", "\\vec{F}"),
        ("<mjx-container><mjx-math data-latex='x^3'></mjx-math></mjx-container>", "x^3"),
        ("<math-renderer class=js-inline-math>$a+b$</math-renderer>", "a+b"),
        (f"<div class=math data-tex='x'><p>{'word ' * 50}</p></div>", None),
        (f"<div class=math data-tex='x'>{'word ' * 50}</div>", None),
        ("<m:math alttext=x><m:mi>x</m:mi></m:math>", "x"),
        ("<math><mi>x</mi><annotation encoding=StarMath>y</annotation></math>", None),
        ("<span class=katex>x</span>", None),
        ("<math alttext=x><mi>x</mi>", "x"),
        ("<math alttext=x><mi>x</mi><p>a text<p>and another", None),
    ],
)  # fmt: skip
def test_where_tex_is_said(element, tex):
    assert sources(f"<p>a {element} b") == ([tex] if tex else [])


@pytest.mark.parametrize(
    ("image", "tex"),
    [
        ("<img class=latex alt='x + y' src=a.png>", "x + y"),
        ("<img class=latex alt='$latex \\alpha$' src=a.png>", "\\alpha"),
        ("<img class=mwe-math-fallback-image-inline alt='{\\displaystyle E}' src=a.svg>", "E"),
        ("<img class=photo alt='The bees, x + y' src=a.png>", None),
        ("<img alt='\\frac{a}{b} = c' src=a.png height=18>", "\\frac{a}{b} = c"),
        ("<img alt='C:\\in\\out' src=a.png>", None),
        ("<img alt='\\frac{a}{b' src=a.png>", None),
        ("<img src='https://latex.codecogs.com/gif.latex?%5Cdpi%7B150%7D%20%5Cpi^2'>", "\\pi^2"),
        ("<img src='https://s0.wp.com/latex.php?latex=a%2B%5Cpi+c&bg=ffffff'>", "a+\\pi c"),
        ("<img src='https://chart.apis.google.com/chart?cht=tx&chl=%5Cpi'>", "\\pi"),
        ("<img src='https://x.cz/formula/%5Cfrac%7Ba%7D%7Bb%7D'>", "\\frac{a}{b}"),
        ("<img src='https://x.cz/a.png?math=1'>", None),
        ("<img src='https://[x/a?tex=\\pi'>", None),
    ],
)
def test_images_of_formulas(image, tex):
    assert sources(f"<p>a {image} b") == ([tex] if tex else [])


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"<p>a {X}, b", ["a x, b"]),
        (f"<p>a ({X}) b", ["a (x) b"]),
        (f"<p>a<br>{X} b", ["a\nx b"]),
        (f"<p>{X} b", ["x b"]),
        (f"<p>a {X}", ["a x"]),
        (f"<p>a {X} {Y} b", ["a x y b"]),
        (f"<p>a<p>{X}<p>b", ["a\n\nx", "b"]),
        (f"<p>{X}<p>{Y}<p>b", ["x\n\ny\n\nb"]),
        (f"<p>a<p>{X}<p>{Y}<p>b", ["a\n\nx\n\ny", "b"]),
        (f"<p>a<b> {X}</b>.", ["a x."]),
        (f"<p>a <math alttext=x><mi>x</mi></math> {Y} b", ["a x y b"]),
    ],
)
def test_a_formula_that_no_text_draws_stands_in_the_text(page, expected):
    assert texts(page) == expected


@pytest.mark.parametrize(
    ("dropped", "expected"),
    [
        ([], ["a x b", "c\n\ny", "d"]),
        ([0], ["x b", "c\n\ny", "d"]),
        ([2, 3], ["a x b"]),
        ([0, 1], ["c\n\ny", "d"]),
        ([0, 1, 2, 3], []),
    ],
)
def test_a_formula_goes_with_the_text_around_it(dropped, expected):
    page = f"<p><em>a</em> {X} <b>b</b></p><div><p>c<p>{Y}</div><p>d"
    assert texts(page, "tag", dropped) == expected


def test_a_formula_whose_block_is_dropped_stays_dropped_but_within_a_sentence():
    page = (
        "<p>a <math alttext=x><mi>x</mi></math> b<p>c<div><math alttext=y><mi>y</mi></math></div>"
    )
    assert texts(page + "<p>d", dropped=[1, 4]) == ["a x b", "c", "d"]


def test_formulas_are_not_looked_for_in_markup_of_another_page():
    table = parse_pages(["<p>a"])
    other = [f"<p>a {X}".encode()]
    assert paragraphs(table, np.ones(1, dtype=bool), markups=other).texts(0) == ["a"]


@pytest.mark.parametrize(
    ("element", "display"),
    [
        ("<math display=block alttext=x><mi>x</mi></math>", True),
        ("<math alttext=x><mi>x</mi></math>", False),
        ("<mjx-container display=true><math alttext=x><mi>x</mi></math></mjx-container>", True),
        (f"<span class=katex-display>{KATEX}</span>", True),
        (KATEX, False),
        ("<script type='math/tex; mode=display'>x</script>", True),
        ("<span class=math-block data-math=x>x</span>", True),
    ],
)
def test_formulas_with_lines_of_their_own(element, display):
    assert [formula.display for formula in found(f"<div>a {element} b</div>")] == [display]


def test_what_mathjax_2_draws_before_its_script_is_one_formula():
    page = f"<div>a {MATHJAX} b</div>"
    (formula,) = found(page)
    assert (formula.tex, formula.display, formula.open) == ("x^2", True, 4)
    assert texts(page) == ["a x^2 b"]
    apart = page.replace("</span><script", "</span>y<script")
    assert [formula.open > 4 for formula in found(apart)] == [True]


CARRIERS = [
    "<img class=latex alt=x>", "<img alt='&#92;pi'>", "<img alt='\\pi'>", "<img src='?&#37;5cpi'>",
    "<img class='l&#97;tex' alt=x>", "<img eeimg=1 alt=x>", "<i data-tex='\\pi'>", KATEX, MATHJAX,
    "<i class=math data-entry=x>", "<i class=katex><annotation>x</annotation></i>",
    "<m:math alttext=x>", "<math-renderer>$x$</math-renderer>", f"<{'a' * 95}:math alttext=x>",
]  # fmt: skip
PLAIN = [
    "<p class='text new'>a <img alt='It&rsquo;s &lt;b>' src='/i?url=%2Fa.jpg&w=3'>",
    "<img class=logo-text src='a?text=1'>", "<svg><math></svg>", "<a:mathematics>",
    "<script>'<math>' + '\\\\frac'</script><p>a", "<b class=MathJax>x",
]  # fmt: skip


def test_the_core_tells_pages_that_have_no_formula():
    pages = [f"<p>a {piece}" for piece in CARRIERS + PLAIN]
    signs = parse_pages(pages).formula_signs.tolist()
    assert signs == [True] * len(CARRIERS) + [False] * len(PLAIN)
    assert all(map(found, pages[: len(CARRIERS) - 1]))


def test_texts_are_whole_wherever_formulas_stand():
    rng = random.Random(5)
    pieces = [
        X,
        KATEX,
        MATHJAX,
        "<p>",
        "<br>",
        " ",
        "<b>",
        "</b>",
        "<li>",
        *(f"word{n}" for n in range(9)),
    ]
    for _ in range(300):
        page = "<p>a " + "".join(rng.choices(pieces, k=rng.randint(1, 12))) + " z"
        for split in ("tag", "block"):
            shown = "".join("".join(texts(page, split)).split())
            expected = page.replace(X, "x").replace(KATEX, "x=\\sqrt{2}").replace(MATHJAX, "x^2")
            for tag in ("<p>", "<br>", "<b>", "</b>", "<li>", " "):
                expected = expected.replace(tag, "")
            assert shown == expected, page


def test_blocks_that_draw_a_formula_have_its_place_in_the_text():
    page = f"<p>Let {KATEX}<i>be</i><b>.</b>"
    table = parse_pages([page], "tag")
    labels = np.zeros(len(table), dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(table), 3)), "", markups=[page.encode()])
    text = "Let x=\\sqrt{2}be."
    places = of_blocks(verdict, 0, text, {0: (0, len(text))})
    said = [text[slice(*place)] for place in places]
    assert (said[:2], said[-2:]) == (["Let", "x=\\sqrt{2}"], ["be", "."])
    assert {*said[2:-2]} == {text}
