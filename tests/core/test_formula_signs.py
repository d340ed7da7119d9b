"""Pages that the compiled core says have no formulas have none."""

import random

import numpy as np
import pytest

from victor.base import core
from victor.page.formulas.find import formulas
from victor.page.formulas.mentioned import in_classes, in_images
from victor.page.markup.full_record import record_full
from victor.page.parsing.events import ATTRIBUTES, record
from victor.page.table.segment import parse_pages
from victor.page.verdict.verdict import Verdict

pytestmark = pytest.mark.skipif(core.compiled is None, reason="no compiled core")

ELEMENTS = "img br span code div annotation math m:math mjx-container math-renderer script".split()
VALUES = {
    "class": [
        *("katex", "x katex-display", "MathJax", "MJXc-display", "mwe-math-element", "hurmet-tex"),
        *(
            "text",
            "tex",
            "latex",
            "my-math",
            "Formula",
            "&#107;atex",
            "ka&#116;ex",
            "kate",
            "&amp;",
        ),
    ],
    "alt": ["\\frac12", "&#92;frac12", "&bsol;frac12", "x^2", "a &amp; b", "Tom&nbsp;B", ""],
    "src": [
        *("a.png", "?tex=x", "?%74ex=x", "/a.latex?x^2", "?cht=tx&chl=x", "?%63ht=tx&chl=x"),
        *("/%5Cfrac12", "/&#37;5cfrac12", "/%\t5cfrac12", "a?url=%2Fb&w=1", "?c\nht=tx&chl=x"),
    ],
    "eeimg": ["1"],
    "data-tex": ["\\frac12", ""],
    "data-math": ["\\alpha"],
    "data-latex": ["\\beta"],
    "data-entry": ["\\beta"],
    "type": ["math/tex", "MATH/TEX; mode=display", "text/javascript"],
    "style": ["katex"],
}


def page_of(rng):
    names = rng.sample([*VALUES], rng.randint(0, 3))
    attributes = "".join(f' {name}="{rng.choice(VALUES[name])}"' for name in names)
    element = rng.choice(ELEMENTS)
    inside = rng.choice(["x", "<mi>x</mi>", "<math><mi>x</mi></math>", "<img alt=b>"])
    return f"<p>Let <{element}{attributes}>{inside}</{element}> be".encode()


def has_formulas(page):
    return bool(formulas(record_full(page), in_classes=in_classes(page), in_images=in_images(page)))


@pytest.mark.parametrize("attributes", [ATTRIBUTES, ("style",)])
@pytest.mark.parametrize("alt_text", [False, True])
def test_no_page_without_a_sign_has_a_formula(attributes, alt_text):
    rng = random.Random(3)
    pages = [page_of(rng) for _ in range(1500)]
    signs = record(pages, attributes=attributes, alt_text=alt_text).formula_signs.tolist()
    found = [has_formulas(page) for page in pages]
    rows = zip(pages, signs, found, strict=True)
    assert not [page for page, sign, is_there in rows if is_there and not sign]
    assert sum(found) > 100
    assert all(signs) == ("class" not in attributes)


@pytest.mark.parametrize(
    ("page", "sign"),
    [
        ("<p class='text new'>a <img alt='It&rsquo;s &lt;b>' src='/i?url=%2Fa.jpg&w=3'>", False),
        ("<img class=logo-text src='a?text=1'>", True),
        ("<img class=logo-text src='a?next=1'>", False),
        ("<img class=latex>", True),
        ("<script>'<math>' + '\\\\frac'</script><p>a", False),
        ("<svg><math></svg>", False),
        (f"<{'a' * 95}:mathematics>", True),
        (f"<{'a' * 94}:mathematics>", True),
        ("<a:mathematics>", False),
    ],
)
def test_what_is_a_sign(page, sign):
    assert parse_pages([page.encode()]).formula_signs.tolist() == [sign]


def test_a_class_seen_on_an_earlier_page_is_a_sign_on_the_next():
    pages = [b"<b class=katex>", b"<i>a", b"<b class=katex>", b"<b class=x>"]
    table = parse_pages(pages)
    assert table.formula_signs.tolist() == [True, False, True, False]


def test_a_page_without_a_sign_is_not_read_for_formulas(monkeypatch):
    import victor.page.verdict.verdict as module

    monkeypatch.setattr(module, "may_have", lambda markup: True)
    pages = [b"<p>a", b"<p><math>b"]
    table = parse_pages(pages)
    labels = np.zeros(len(table), dtype=np.uint8)
    verdict = Verdict(table, labels, np.zeros((len(table), 3)), "", markups=pages)
    assert verdict.with_formulas == [b"", pages[1]]
