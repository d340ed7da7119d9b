"""Formulas in the text of paragraphs."""

import numpy as np
import pytest

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
    return paragraphs(table, np.ones(len(table), dtype=bool)).texts(0)


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


def test_a_formula_without_tex_is_its_text_within_the_paragraph():
    assert texts(f"<p>Let <math>{MATHML}</math> be</p>") == ["Let x=2 be"]


def test_an_annotation_of_another_language_is_text():
    page = "<math><semantics><mi>x</mi><annotation encoding=StarMath>y</annotation></semantics>"
    assert texts(page) == ["xy"]


def test_a_script_that_nothing_draws_stands_where_it_is():
    assert texts("<p>Let <script type=math/tex>x^2</script> be</p>") == ["Let x^2 be"]
    assert texts("<p>a</p><script type='math/tex; mode=display'>x</script>") == ["a", "x"]


def test_formulas_of_a_batch_stand_in_their_pages():
    pages = ["<p>a", f"<p>b <math>{TEX}</math>", "<p>c <script type=math/tex>z</script>"]
    table = parse_pages(pages)
    columns = paragraphs(table, np.ones(len(table), dtype=bool))
    assert [columns.texts(page) for page in range(3)] == [["a"], ["b x=\\sqrt{2}"], ["c z"]]
