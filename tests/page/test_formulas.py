"""Formulas in the text of paragraphs."""

import numpy as np
import pytest

from victor.base import core
from victor.page.formulas.find import formulas
from victor.page.markup.full_record import record_full
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs

MATHML = "<mrow><mi>x</mi><mo>=</mo><msqrt><mn>2</mn></msqrt></mrow>"
ALT = "<math alttext='{\\displaystyle y}'><mi>y</mi></math>"
KATEX = (
    "<span class=katex><span class=katex-mathml>{}</span>"
    "<span class=katex-html aria-hidden=true><b>x</b><b>=2</b></span></span>"
)
TEX = '<annotation encoding="application/x-tex">x=\\sqrt{2}</annotation>'


def texts(page, split="block"):
    table = parse_pages([page], split)
    return shown(table, [page]).texts(0)


def shown(table, pages):
    markups = [page.encode() for page in pages]
    return paragraphs(table, np.ones(len(table), dtype=bool), markups=markups)


@pytest.mark.parametrize("split", ["tag", "block"])
@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (f"<math><semantics>{MATHML}{TEX}</semantics></math>", "x=\\sqrt{2}"),
        ("<math alttext='a\\ne b'><mi>a</mi><mo>≠</mo><mi>b</mi></math>", "a\\ne b"),
        (KATEX.format(f"<math><semantics>{MATHML}{TEX}</semantics></math>"), "x=\\sqrt{2}"),
        (f"<b class=mwe-math-element><b>{ALT}</b></b>", "y"),
        ("<span class=MathJax>x2</span><script type=math/tex>x^2</script>", "x^2"),
    ],
)
def test_tex_stands_for_all_drawings(formula, text, split):
    assert texts(f"<p>Let {formula} be</p><p>b", split) == [f"Let {text} be", "b"]


def test_a_formula_without_tex_is_made_of_its_mathml_within_the_paragraph():
    assert texts(f"<p>Let <math>{MATHML}</math> be</p>") == ["Let x = \\sqrt{2} be"]


def test_code_in_a_formula_is_no_code(monkeypatch):
    page = "a<math><table class=js-file-line-container>b"
    table = parse_pages([page])
    last = np.array([False, True])
    compiled = paragraphs(table, last, markups=[page.encode()])
    monkeypatch.setattr(core, "compiled", None)
    pure = paragraphs(table, last, markups=[page.encode()])
    assert compiled.texts(0) == pure.texts(0) == ["\\text{b}"]
    assert compiled.pre.tolist() == pure.pre.tolist() == [-1]


def test_an_annotation_of_another_language_is_no_tex():
    page = "<math><semantics><mi>x</mi><annotation encoding=StarMath>y</annotation></semantics>"
    assert texts(page) == ["x"]


def test_a_script_that_nothing_draws_stands_where_it_is():
    assert texts("<p>Let <script type=math/tex>x^2</script> be</p>") == ["Let x^2 be"]
    assert texts("<p>a</p><script type='math/tex; mode=display'>x</script>") == ["a", "x"]


def test_formulas_of_a_batch_stand_in_their_pages():
    pages = ["<p>a", f"<p>b <math>{TEX}</math>", "<p>c <script type=math/tex>z</script>"]
    table = parse_pages(pages)
    columns = shown(table, pages)
    assert [columns.texts(page) for page in range(3)] == [["a"], ["b x=\\sqrt{2}"], ["c z"]]


def found(page):
    return formulas(record_full(page.encode()))


def sources(page):
    return [formula.tex for formula in found(page)]


def glyph(code):
    return f"<mjx-c class=mjx-c{code}></mjx-c>"


CHTML = (
    f"<mjx-math><mjx-mi>{glyph('1D465')}</mjx-mi><mjx-mo>{glyph('3D')}</mjx-mo><mjx-mfrac><mjx-frac>"
    f"<mjx-num><mjx-nstrut></mjx-nstrut><mjx-mn>{glyph('31')}</mjx-mn></mjx-num><mjx-dbox><mjx-dtable>"
    "<mjx-line></mjx-line><mjx-row><mjx-den><mjx-msqrt><mjx-sqrt><mjx-surd><mjx-mo>"
    f"{glyph('221A')}</mjx-mo></mjx-surd><mjx-box><mjx-mi>{glyph('1D45B')}</mjx-mi></mjx-box>"
    "</mjx-sqrt></mjx-msqrt></mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math>"
)
SCRIPTED = (
    f"<mjx-math><mjx-msubsup><mjx-mi>{glyph('78')}</mjx-mi><mjx-script><mjx-mn>{glyph('32')}</mjx-mn>"
    f"<mjx-spacer></mjx-spacer><mjx-mi>{glyph('69')}</mjx-mi></mjx-script></mjx-msubsup></mjx-math>"
)
LIMITS = (
    f"<mjx-math><mjx-munderover><mjx-over><mjx-mi>{glyph('6E')}</mjx-mi></mjx-over><mjx-box><mjx-munder>"
    f"<mjx-row><mjx-base><mjx-mo>{glyph('2211')}</mjx-mo></mjx-base></mjx-row><mjx-row><mjx-under>"
    f"<mjx-mi>{glyph('69')}</mjx-mi></mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover></mjx-math>"
)
GRID = (
    "<mjx-math><mjx-mtable><mjx-table><mjx-itable><mjx-mtr><mjx-mtd style='text-align: right'>"
    f"<mjx-mi>{glyph('61')}</mjx-mi><mjx-tstrut></mjx-tstrut></mjx-mtd>"
    f"<mjx-mtd style='text-align: left'><mjx-mi>{glyph('62')}</mjx-mi></mjx-mtd></mjx-mtr>"
    "</mjx-itable></mjx-table></mjx-mtable></mjx-math>"
)
SVG = (
    "<svg><g data-mml-node=math><g data-mml-node=msup><g data-mml-node=mi>"
    "<path data-c=1D465></path></g><g data-mml-node=mn><path data-c=32></path></g></g></g></svg>"
)


@pytest.mark.parametrize(
    ("drawing", "tex"),
    [
        (CHTML, "x = \\frac{1}{\\sqrt{n}}"),
        (SCRIPTED, "x_{i}^{2}"),
        (LIMITS, "\\sum_{i}^{n}"),
        (GRID, "\\begin{aligned} a & b \\end{aligned}"),
        (SVG, "x^{2}"),
        (f"{SVG}<mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml>", "y"),
        ("<mjx-math data-latex='x^3'><mjx-mi></mjx-mi></mjx-math>", "x^3"),
        ("", None),
    ],
)
def test_what_mathjax_3_draws_tears_no_sentence(drawing, tex):
    page = f"<p>Let <mjx-container class=MathJax>{drawing}</mjx-container>, and so on."
    assert texts(page) == ([f"Let {tex}, and so on."] if tex else ["Let", ", and so on."])


@pytest.mark.parametrize(
    ("element", "tex"),
    [
        ("<span class=math-inline data-math='x'><i>x</i></span>", "x"),
        ("<span data-tex='x^2'><i>x2</i></span>", None),
        ("<span data-tex='\\frac12'>1/2</span>", "\\frac12"),
        ("<span class=ztext-math data-tex='x^2'>x2</span>", "x^2"),
        ("<span class=hurmet-tex data-entry='\\vec{F}'><math><mi>F</mi></math></span>", "\\vec{F}"),
        ("<math-renderer class=js-inline-math>$a+b$</math-renderer>", "a+b"),
        (f"<div class=math data-tex='x'><p>{'word ' * 50}</p></div>", None),
        (f"<div class=math data-tex='x'>{'word ' * 50}</div>", None),
        ("<i class=MathJax data-mathml='<math><msqrt>a</msqrt></math>'>a</i>", "\\sqrt{\\text{a}}"),
        ("<span class=katex>x</span>", None),
        ("<m:math><m:msqrt><m:mi>x</m:mi></m:msqrt></m:math>", "\\sqrt{x}"),
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
        ("<img class='math-figure' alt='A bee in a hive' src=a.png>", None),
        ("<img alt='\\frac{a}{b} = c' src=a.png height=18>", "\\frac{a}{b} = c"),
        ("<img alt='C:\\in\\out' src=a.png>", None),
        ("<img alt='\\frac{a}{b' src=a.png>", None),
        ("<img src='https://latex.codecogs.com/gif.latex?%5Cdpi%7B150%7D%20x%5E2'>", "x^2"),
        ("<img src='https://s0.wp.com/latex.php?latex=a%2Bb+c&bg=ffffff'>", "a+b c"),
        ("<img src='https://chart.apis.google.com/chart?cht=tx&chl=%5Cpi'>", "\\pi"),
        ("<img src='https://chart.apis.google.com/chart?cht=p&chl=%5Cpi'>", None),
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
        ("<p>a <img class=latex alt=x>, b", ["a x, b"]),
        ("<p>a (<img class=latex alt=x>) b", ["a (x) b"]),
        ("<p>a<br><img class=latex alt=x> b", ["a\nx b"]),
        ("<p><img class=latex alt=x> b", ["x b"]),
        ("<p>a <img class=latex alt=x>", ["a x"]),
        ("<p>a <img class=latex alt=x> <img class=latex alt=y> b", ["a x y b"]),
        ("<p>a<p><img class=latex alt=x><p>b", ["a\n\nx", "b"]),
        ("<p><img class=latex alt=x><p><img class=latex alt=y><p>b", ["x\n\ny\n\nb"]),
        ("<p>a<p><img class=latex alt=x><p><img class=latex alt=y><p>b", ["a\n\nx\n\ny", "b"]),
        ("<p>a<b> <img class=latex alt=x></b>.", ["a x."]),
        ("<p>a <math><mi>x</mi></math><img class=latex alt=y> b", ["a xy b"]),
    ],
)
def test_a_formula_that_no_text_draws_stands_in_the_text(page, expected):
    assert texts(page) == expected


@pytest.mark.parametrize(
    ("dropped", "expected"),
    [
        ([], ["a x b", "c\n\ny", "d"]),
        ([0], ["x b", "c\n\ny", "d"]),
        ([2], ["a x b", "d"]),
        ([2, 3], ["a x b"]),
        ([0, 1], ["c\n\ny", "d"]),
    ],
)
def test_a_formula_goes_with_the_text_around_it(dropped, expected):
    page = "<p><em>a</em> <img class=latex alt=x> <b>b</b></p><div><p>c<p>"
    page += "<img class=latex alt=y></div><p>d"
    table = parse_pages([page], "tag")
    kept = np.ones(len(table), dtype=bool)
    kept[dropped] = False
    assert paragraphs(table, kept, markups=[page.encode()]).texts(0) == expected


def test_a_formula_whose_block_is_dropped_stays_dropped_but_within_a_sentence():
    page = "<p>a <mjx-container><math><mi>x</mi></math></mjx-container> b<p>c"
    page += "<div><math><mi>y</mi></math></div><p>d"
    table = parse_pages([page])
    kept = np.array([True, False, True, True, False, True])
    assert paragraphs(table, kept, markups=[page.encode()]).texts(0) == ["a x b", "c", "d"]


def test_a_formula_that_is_never_closed_holds_no_paragraphs():
    assert sources("<math><mi>x</mi><p>a text<p>and another") == []
    assert sources("<p>a <math><mi>x</mi>") == ["x"]


@pytest.mark.parametrize(
    "opening",
    ["<mjx-mrow>", "<mjx-msub>", "<mjx-mfrac><mjx-num>", "<mjx-msqrt><mjx-box>", "<mjx-mi>"],
)
def test_drawings_nested_deeply_do_no_harm(opening):
    nested = f"<mjx-container><mjx-math>{opening * 2000}{glyph('78')}"
    assert len(sources(nested)) <= 1
    assert sources(f"<mjx-container><svg>{'<g data-mml-node=msub>' * 2000}") == []


def test_formulas_are_not_looked_for_in_markup_of_another_page():
    table = parse_pages(["<p>a"])
    other = [b"<p>a <img class=latex alt=x>"]
    assert paragraphs(table, np.ones(1, dtype=bool), markups=other).texts(0) == ["a"]


@pytest.mark.parametrize(
    ("element", "display"),
    [
        ("<math display=block><mi>x</mi></math>", True),
        ("<math><mi>x</mi></math>", False),
        ("<mjx-container display=true><math><mi>x</mi></math></mjx-container>", True),
        ("<span class=katex-display><span class=katex><math><mi>x</mi></math></span></span>", True),
        ("<script type='math/tex; mode=display'>x</script>", True),
        ("<span class=math-block data-math=x>x</span>", True),
        ("<p class=hurmet-tex data-entry=x><math><mi>x</mi></math></p>", True),
    ],
)
def test_formulas_with_lines_of_their_own(element, display):
    assert [formula.display for formula in found(f"<div>a {element} b</div>")] == [display]


def test_what_mathjax_2_draws_before_its_script_is_one_formula():
    drawn = "<span class=MathJax_Preview>x</span> <div class=MathJax_Display>"
    drawn += "<span class=MathJax>x2</span></div>"
    page = f"<div>a {drawn}<script type='math/tex; mode=display'>x^2</script> b</div>"
    (formula,) = found(page)
    assert (formula.tex, formula.display, formula.open) == ("x^2", True, 4)
    assert sources(page.replace("</div><script", "</div>y<script")) == ["x^2"]
    assert found(page.replace("</div><script", "</div>y<script"))[0].open > 4
