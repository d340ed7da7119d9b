"""Presentation MathML as TeX."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from victor.page.formulas.find import formulas
from victor.page.formulas.mathml import DEEPEST, tex_of
from victor.page.formulas.symbols import symbol
from victor.page.formulas.trees import Node
from victor.page.markup.full_record import record_full


def tex(content, attributes=""):
    page = f"<p><math {attributes}>{content}</math>"
    return next((each.tex for each in formulas(record_full(page.encode()))), "")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mfrac bevelled=true><mi>a</mi><mi>b</mi></mfrac>", "{a}/{b}"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", r"\sqrt[3]{8}"),
        ("<mroot><mn>8</mn></mroot>", r"\sqrt{8}"),
        ("<mroot><mi>x</mi><mo>]</mo></mroot>", r"\sqrt[{]}]{x}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x + 1}"),
        ("<mo>-</mo><mi>b</mi><mo>±</mo><mi>c</mi>", r"-b \pm c"),
        ("<mi>a</mi><mo>=</mo><mo>−</mo><mi>β</mi><mi>x</mi>", r"a = -\beta x"),
        ("<mi>sin</mi><mi>x</mi><mo>,</mo><mi>f</mi><mo>′</mo>", r"\sin x, f'"),
        ("<mi>rank</mi><mo>&#x2061;</mo><mi>A</mi>", r"\operatorname{rank} A"),
        ("<msub><mi>p</mi><mi>group</mi></msub>", r"p_{\mathrm{group}}"),
        (
            "<mi mathvariant=bold>v</mi><mi>𝐰</mi><mi>ℝ</mi><mi>𝑥</mi>",
            r"\mathbf{v}\mathbf{w}\mathbb{R}x",
        ),
        ("<mi mathvariant=bold>α</mi>", r"\boldsymbol{\alpha}"),
        ("<mn>50</mn><mo>%</mo><mo>&amp;</mo><mo>{</mo><mo>}</mo><mo>$</mo>", r"50\%\&\{\}\$"),
        ("<mtext>if 5% {x}</mtext>", r"\text{if 5\% \{x\}}"),
        ("<mtext>if </mtext><mi>x</mi>", r"\text{if }x"),
        ("<mtext>\n if \n</mtext><mi>x</mi>", r"\text{if}x"),
        (
            "<mphantom><mi>x</mi></mphantom><mspace width=1em></mspace><mi>y</mi>",
            r"\phantom{x}\quad y",
        ),
        ("<mi>a</mi><mspace width=-1em></mspace><mspace width=thinmathspace></mspace>", r"a\,"),
        ("<menclose notation='box'><mi>x</mi></menclose>", r"\boxed{x}"),
        ("<semantics> <mi>x</mi><annotation encoding=StarMath>y</annotation></semantics>", "x"),
        ("<mstyle><mrow><mpadded><mi>x</mi></mpadded></mrow></mstyle>", "x"),
        ("x < y", r"\text{x < y}"),
        ("", ""),
    ],
)
def test_elements(content, expected):
    assert tex(content) == expected


PRE = "<mi>C</mi><mn>6</mn><none/><mprescripts/><mn>1</mn><mn>2</mn>"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msup><msub><mi>x</mi><mi>i</mi></msub><mn>2</mn></msup>", "x_{i}^{2}"),
        ("<msup><msup><mi>x</mi><mi>i</mi></msup><mn>2</mn></msup>", "{x^{i}}^{2}"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^{2}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)^{2}"),
        ("<msup><mi></mi><mn>2</mn></msup>", "{}^{2}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<msup><mi>f</mi><mo>″</mo></msup>", "f''"),
        ("<msup><mi>f</mi></msup>", "f"),
        ("<msup></msup>", ""),
        (f"<mmultiscripts>{PRE}</mmultiscripts>", "{}_{1}^{2}C_{6}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>x</mi>", r"\sum_{i}^{n}x"),
        ("<munder><mi>lim</mi><mi>x</mi></munder>", r"\lim_{x}"),
        ("<munder><mi>argmax</mi><mi>x</mi></munder>", r"\operatorname*{argmax}_{x}"),
        ("<mover><mi>x</mi><mo>→</mo></mover>", r"\vec{x}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>^</mo></mover>", r"\widehat{AB}"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        ("<mover><mo>→</mo><mi>f</mi></mover>", r"\xrightarrow{f}"),
        ("<munderover><mo>→</mo><mi>g</mi><mi>f</mi></munderover>", r"\xrightarrow[{g}]{f}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mn>2</mn></munder>", r"\underbrace{x}_{2}"),
    ],
)
def test_scripts(content, expected):
    assert tex(content) == expected


CELLS = "<mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>" * 2
BODY = r"a & b \\ a & b"
LINES = "<mtr><mtd><mi>i</mi></mtd></mtr><mtr><mtd><mi>j</mi></mtd></mtr>"
FRACTION = "<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"<mtable>{CELLS}</mtable>", rf"\begin{{matrix}} {BODY} \end{{matrix}}"),
        (
            f"<mo>(</mo><mtable>{CELLS}</mtable><mo>)</mo>",
            rf"\begin{{pmatrix}} {BODY} \end{{pmatrix}}",
        ),
        (
            f"<mfenced open='[' close=']'><mtable>{CELLS}</mtable></mfenced>",
            rf"\begin{{bmatrix}} {BODY} \end{{bmatrix}}",
        ),
        (f"<mo>{{</mo><mtable>{CELLS}</mtable>", rf"\begin{{cases}} {BODY} \end{{cases}}"),
        (
            f"<mtable columnalign='right left'>{CELLS}</mtable>",
            rf"\begin{{aligned}} {BODY} \end{{aligned}}",
        ),
        (
            f"<mtable columnalign=left>{CELLS}</mtable>",
            rf"\begin{{array}}{{ll}} {BODY} \end{{array}}",
        ),
        ("<mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", "a"),
        (f"<munder><mo>∑</mo><mtable>{LINES}</mtable></munder>", r"\sum_{\substack{i \\ j}}"),
        (f"<mo>(</mo>{FRACTION}<mo>)</mo>", r"\binom{n}{k}"),
        (FRACTION, r"\genfrac{}{}{0pt}{}{n}{k}"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mfenced open='{' close=''><mi>a</mi></mfenced>", r"\left\{ a \right."),
        ("<mo>(</mo><mi>x</mi><mo>)</mo>", "(x)"),
        (
            "<mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo>",
            r"\left(\frac{a}{b}\right)",
        ),
        (
            "<mo stretchy=false>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo>",
            r"(\frac{a}{b})",
        ),
        ("<mo>|</mo><mi>x</mi><mo>|</mo><mo>+</mo><mi>y</mi>", "|x| + y"),
        ("<mi>P</mi><mo>(</mo><mi>A</mi><mo>∣</mo><mi>B</mi><mo>)</mo>", r"P(A \mid B)"),
    ],
)
def test_tables_and_brackets(content, expected):
    assert tex(content) == expected


def test_the_number_of_a_displayed_equation():
    label = "<mtd><mtext>(1)</mtext></mtd>"
    table = f"<mtable><mlabeledtr>{label}<mtd><mi>x</mi></mtd></mlabeledtr></mtable>"
    assert tex(table, "display=block") == r"x \tag{1}"
    assert tex(table) == "x"


@pytest.mark.parametrize(
    ("character", "expected"),
    [("α", r"\alpha"), ("语", "语"), ("𝔸", r"\mathbb{A}"), ("𝚪", r"\boldsymbol{\Gamma}")],
)
def test_symbols(character, expected):
    assert symbol(character) == expected


NAMES = st.sampled_from(
    "math mrow mstyle semantics annotation mi mn mo mtext ms mspace mfrac msqrt mroot msub msup "
    "msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd "
    "mfenced menclose mphantom maction mpadded p mjx-c #text".split()
)
TEXTS = st.text("ab1 \\{}$&%#_^~()[]|‖∑→αℝ⏟′⁡lim\u00a0", max_size=4)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        "mathvariant open close separators columnalign linethickness width notation form".split()
    ),
    st.sampled_from("{ } \\ $ bold 0 right left 1em -1em box radical false prefix".split()),
    max_size=2,
)
TREES = st.recursive(
    st.builds(Node, NAMES, ATTRIBUTES, st.just([]), TEXTS),
    lambda inner: st.builds(Node, NAMES, ATTRIBUTES, st.lists(inner, max_size=4)),
    max_leaves=30,
)  # fmt: skip


@given(TREES)
def test_any_tree_gives_tex_with_balanced_ends(tree):
    found = tex_of(tree, display=True)
    depth = 0
    for brace in re.findall(r"\\.|[{}]", found, re.DOTALL):
        depth += (brace == "{") - (brace == "}")
        assert depth >= 0
    assert depth == 0
    commands = re.findall(r"\\([A-Za-z]+)", found)
    assert commands.count("left") == commands.count("right")
    assert commands.count("begin") == commands.count("end")


@pytest.mark.parametrize("name", ["mrow", "msqrt", "msup", "mfenced", "mtable", "mover"])
@pytest.mark.parametrize("depth", [DEEPEST - 2, 5000])
def test_depth_is_bounded(name, depth):
    tree = Node("mi", text="x")
    for _ in range(depth):
        tree = Node(name, children=[tree])
    assert tex_of(tree).count("x") == (0 if name == "mtable" else 1)
