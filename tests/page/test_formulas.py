"""Formulas in the text of paragraphs, by the TeX that their pages carry."""

import random

import numpy as np

from victor.page.allowance import Allowance
from victor.page.markup.formulas import formulas
from victor.page.markup.full_record import record_full
from victor.page.table.segment import parse_pages
from victor.page.verdict.paragraphs import paragraphs
from victor.page.verdict.verdict import Verdict
from victor.render.text import plain_text, ranges

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


def texts(page, split="block"):
    table = parse_pages([page], split)
    return paragraphs(table, np.ones(len(table), bool), markups=[page.encode()]).texts(0)


def found(page):
    return formulas(record_full(page.encode()), Allowance())


def test_formulas_of_a_batch_stand_in_their_pages():
    pages = ["<p>a", f"<p>b <math>{TEX}</math>", f"<p>c {X} d", "<p>e"]
    table = parse_pages(pages)
    columns = paragraphs(table, np.ones(len(table), bool), markups=[p.encode() for p in pages])
    assert [columns.texts(page) for page in range(4)] == [
        ["a"],
        ["b x=\\sqrt{2}"],
        ["c x d"],
        ["e"],
    ]


def test_formulas_are_not_looked_for_in_markup_of_another_page():
    table = parse_pages(["<p>a"])
    other = [f"<p>a {X}".encode()]
    assert paragraphs(table, np.ones(1, dtype=bool), markups=other).texts(0) == ["a"]


def test_what_mathjax_2_draws_before_its_script_is_one_formula():
    page = f"<div>a {MATHJAX} b</div>"
    (formula,) = found(page)
    assert (formula.tex, formula.display, formula.open) == ("x^2", True, 4)
    assert texts(page) == ["a x^2 b"]
    apart = page.replace("</span><script", "</span>y<script")
    assert [formula.open > 4 for formula in found(apart)] == [True]


def test_texts_are_whole_wherever_formulas_stand():
    rng = random.Random(5)
    said = dict.fromkeys(["<p>", "<br>", " ", "<b>", "</b>", "<li>"], "")
    said |= {X: "x", KATEX: "x=\\sqrt{2}", MATHJAX: "x^2"}
    said |= {f"word{n}": f"word{n}" for n in range(9)}
    for _ in range(300):
        pieces = rng.choices([*said], k=rng.randint(1, 12))
        page = f"<p>a {''.join(pieces)} z"
        for split in ("tag", "block"):
            shown = "".join("".join(texts(page, split)).split())
            assert shown == f"a{''.join(map(said.get, pieces))}z", page


def test_blocks_that_draw_a_formula_have_its_place_in_the_text():
    page = f"<p>Let {KATEX}<i>be</i><b>.</b>"
    table = parse_pages([page], "tag")
    labels = np.zeros(len(table), dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(table), 3)), "", markups=[page.encode()])
    text = plain_text(verdict, 0).strip()
    assert text == "Let x=\\sqrt{2}be."
    said = [text[slice(*place)] for place in ranges(verdict, 0)]
    assert (said[:2], said[-2:]) == (["Let", "x=\\sqrt{2}"], ["be", "."])
    assert {*said[2:-2]} == {text}
