"""Footnotes in the ways that generators of pages write them; all pages are made here."""

import re
from collections import Counter

import pytest
from lxml import html

from victor.render import article, markdown, text
from victor.render.forms import Page
from victor.render.tei import render as tei

TEXT = "Bees hum[^1].\n\n[^1]: They rest.\n"
PLAIN = {
    "pandoc":
        "<p>Bees hum<a href=#fn1 class=footnote-ref id=r1 role=doc-noteref><sup>1</sup></a>.<aside "
        "id=footnotes><ol><li id=fn1><p>They rest.<a href=#r1 role=doc-backlink>↩︎</a></ol></aside>",
    "brackets outside of the link":
        "<p>Bees hum<sup>[<a href=#fn1>1</a>]</sup>.<ol><li id=fn1>They rest.</ol>",
    "O'Reilly":
        "<p>Bees hum<sup><a data-type=noteref href=ch02.html#fn1 id=fn1-m>1</a></sup>.<div "
        "data-type=footnotes><p data-type=footnote id=fn1><sup><a href=ch02.html#fn1-m>1</a></sup> "
        "They rest.</div>",
    "named anchors":
        "<p>Bees hum<a name=FnAnchor_1 href=#Footnote_1><span class=fn>1</span></a>.<div "
        "class=note><p><a name=Footnote_1 href=#FnAnchor_1>1</a> They rest.</div>",
    "brackets in spans":
        "<p>Bees hum<sup><a href=#cite_note-1><span>[</span>1<span>]</span></a></sup>.<ol><li "
        "id=cite_note-1><b><a href=#cite_ref-1>^</a></b> They rest.</ol>",
    "WordPress":
        "<p>Bees hum<sup data-fn=a1 class=fn><a href=#a1 id=a1-link>1</a></sup>.<ol "
        "class=wp-block-footnotes><li id=a1>They rest. <a href=#a1-link aria-label='Jump to "
        "footnote reference 1'>↩︎</a></ol>",
    "pulldown-cmark":
        "<p>Bees hum<sup class=footnote-reference><a href=#1>1</a></sup>.<div "
        "class=footnote-definition id=1><sup class=footnote-definition-label>1</sup><p>They "
        "rest.</div>",
    "Hatena":
        "<p>Bees hum<span class=footnote><a name=fm1 href=#f1>*1</a></span>.<div class=footnote><p>"
        "<a name=f1 href=#fm1>*1</a> They rest.</div>",
    "numbers typed":
        "<p>Bees hum<span class=fn><a href=#note1>1</a></span>.<p id=note1>1. They rest.",
}  # fmt: skip
"""Pages with one note, all of the same text."""
OTHERS = {
    "markdown-it": (
        ("<p>Bees hum<sup class=footnote-ref><a href=#fn1 id=fnref1>[1]</a></sup>.<hr "
        "class=footnotes-sep><section class=footnotes><ol><li id=fn1 class=footnote-item><p>They "
        "rest. <a href=#fnref1 class=footnote-backref>↩︎</a></ol></section>"),
        "Bees hum[^1].\n\n---\n\n[^1]: They rest.\n",
    ),
    "Word": (
        ("<p>Bees hum<a href=#_ftn1 name=_ftnref1><sup>[1]</sup></a>.<hr><div id=ftn1><p><a "
        "href=#_ftnref1 name=_ftn1>[1]</a> They rest.</div>"),
        "Bees hum[^1].\n\n---\n\n[^1]: They rest.\n",
    ),
    "Word without names": (
        ("<p>Bees hum<sup><a href=#_ftn1>[1]</a></sup>.<hr><p><sup><a href=//1B#_ftnref1>[1]</a> "
        "</sup>They rest."),
        "Bees hum[^1].\n\n---\n\n[^1]: They rest.\n",
    ),
    "Google Docs": (
        ("<p>Bees hum<sup><a href=#ftnt1 id=ftnt_ref1>[1]</a></sup>.<hr><div><p><a "
        "href=#ftnt_ref1 id=ftnt1>[1]</a>&nbsp;They rest.</div>"),
        "Bees hum[^1].\n\n---\n\n[^1]: They rest.\n",
    ),
    "Org mode": (
        ("<p>Bees hum<sup><a id=fnr.1 class=footref href=#fn.1 role=doc-backlink>1</a></sup>.<div "
        "id=footnotes><h2>Footnotes: </h2><div><sup><a id=fn.1 class=footnum href=#fnr.1>1</a>"
        "</sup> <div class=footpara><p>They rest.</div></div></div>"),
        "Bees hum[^1].\n\n## Footnotes:\n\n[^1]: They rest.\n",
    ),
    "line breaks between notes": (
        ("<p>Bees hum<a href=#one><sup>1</sup></a>, and wasps<a href=#two><sup>2</sup></a>.<hr><p>"
        "<a name=one><sup>1</sup></a> They sleep. <a href=# onclick=back()>↩</a><br><br><a "
        "name=two><sup>2</sup></a> They sting. <a href=# onclick=back()>↩</a>"),
        "Bees hum[^1], and wasps[^2].\n\n---\n\n[^1]: They sleep.\n\n[^2]: They sting.\n",
    ),
    "Wikipedia": (
        ("<p>Bees<sup id=cite_ref-a_1-0><a href=#cite_note-a-1>[1]</a></sup> hum<sup "
        "id=cite_ref-a_1-1><a href=#cite_note-a-1>[1]</a></sup>.<ol class=references><li "
        "id=cite_note-a-1><span>^ <a href=#cite_ref-a_1-0><sup><i><b>a</b></i></sup></a> <a "
        "href=#cite_ref-a_1-1><sup><i><b>b</b></i></sup></a></span> <span>They rest.</span></ol>"),
        "Bees[^1] hum[^1].\n\n[^1]: They rest.\n",
    ),
    "LaTeXML": (
        ("<p>Bees hum <cite>[<a href=#bib.bib1>1</a>, <a href=#bib.bib2>2</a>]</cite>.<ul><li "
        "id=bib.bib1><span>[1]</span> <span>They sleep.</span><li id=bib.bib2><span>[2]</span> "
        "<span>They sting.</span></ul>"),
        "Bees hum \\[[^1], [^2]\\].\n\n[^1]: They sleep.\n\n[^2]: They sting.\n",
    ),
    "references in a list": (
        "<p>Bees hum <a href=#r1>[1]</a>.<h4>References</h4><ol><li><a id=r1></a>They rest.</ol>",
        "Bees hum [^1].\n\n#### References\n\n[^1]: They rest.\n",
    ),
    "numbers of references apart": (
        ("<p>Bees hum <a href=#ref1>[1]</a>, wasps <a href=#ref2>[2]</a>.<div class=references>"
        "<div><a id=ref1>1.</a> <div>They sleep.</div></div><div><a id=ref2>2.</a> <div>They "
        "sting.</div></div></div>"),
        "Bees hum [^1], wasps [^2].\n\n[^1]: They sleep.\n\n[^2]: They sting.\n",
    ),
    "text between notes": (
        ("<p>Bees hum<sup><a href=#n1>1</a></sup>.<p id=n1>They sleep.<p>Wasps buzz<sup><a "
        "href=#n2>2</a></sup>.<p id=n2>They sting."),
        "Bees hum[^1].\n\n[^1]: They sleep.\n\nWasps buzz[^2].\n\n[^2]: They sting.\n",
    ),
    "marks in a list": (
        "<ul><li>Bees hum<sup><a href=#n1>1</a></sup><li>Wasps<ol><li id=n1>They rest.</ol></ul>",
        "- Bees hum[^1]\n- Wasps\n\n[^1]: They rest.\n",
    ),
    "raised numbers in a row": (
        ("<p>Bees hum<sup>1</sup>, and wasps<sup>2</sup>.<p><b><sup>1</sup> Note:</b> They eat.<p>"
        "<b><sup>2</sup> Note:</b> They sting.<p>The end."),
        ("Bees hum[^1], and wasps[^2].\n\n[^1]: **Note:** They eat.\n\n[^2]: **Note:** They "
        "sting.\n\nThe end.\n"),
    ),
    "a sign": (
        "<p>Bees hum<sup>*</sup>.<p>More.<p><sup>*</sup> They rest.",
        "Bees hum[^1].\n\nMore.\n\n[^1]: They rest.\n",
    ),
    "paragraphs that are named": (
        ("<p>Bees hum<sup>1</sup>.<p class=footnote><sup>1</sup>They sleep.<p>Wasps<sup>2</sup>"
        ".<p class=footnote><sup>2</sup>They sting.<p>The end."),
        "Bees hum[^1].\n\n[^1]: They sleep.\n\nWasps[^2].\n\n[^2]: They sting.\n\nThe end.\n",
    ),
}  # fmt: skip
ALL = {name: (page, TEXT) for name, page in PLAIN.items()} | OTHERS

NONE = {
    "equations": "<p>See <a href=#eq1>1</a> and (<a href=#eq2>2</a>).<p id=eq1>x<p id=eq2>y",
    "theorems": "<p>By (<a href=#thm>1</a>).<h3><a name=thm></a>Theorem 1</h3><p>It holds.",
    "raised links to headings": "<p>a<sup><a href=#b>2</a></sup>.<h2 id=b>Wasps</h2><p>They sting.",
    "links in brackets to figures": "<p>See [<a href=#f-1-g1>1</a>].<p id=f-1-g1>Bees hum.",
    "powers": "<p>x<sup>2</sup> is<p><sup>2</sup>H is deuterium.",
    "numbers that are not raised": "<p>Bees<sup>1</sup>.<h2>Notes</h2><p>1. Hive.<p><b>1</b> Comb.",
    "notes in a paragraph of other text": (
        "<p>Bees<sup><a href=#x>1</a></sup> hum<sup><a href=#y>2</a></sup>.<p>Notes: "
        "<a name=x>1</a>. They sleep.<br><a name=y>2</a>. They sting."
    ),
    "a raised number in another link": (
        "<p>Bees<sup><a href=/x>1</a></sup>.<hr><p><sup>1</sup> They sleep."),
    "the alphabet": "<p><a href=#A>A</a> <a href=#B>B</a><p id=A>Ant.<p id=B>Bee.",
    "a note alone": "<aside class=sidenote>They sleep.</aside><p>Bees hum.",
    "a mark without its note": "<p>Bees hum<sup class=footnote-ref><a href=#fn1>1</a></sup>.",
}  # fmt: skip


@pytest.fixture
def shown(judge):
    def shown(page, write=markdown, **options):
        render = getattr(write, "render", write)
        return render(Page(judge(page, **options), markup=page.encode(), url="http://x.cz/"))

    return shown


@pytest.mark.parametrize("name", ALL)
def test_notes_of_a_convention(shown, name):
    page, source = ALL[name]
    assert shown(page) == source


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_note(shown, name):
    assert "[^" not in shown(NONE[name])


def words(source):
    source = re.sub(r"!\[\]\([^)]*\)", "", source)
    return Counter(re.findall(r"[^\W\d_]{2,}", source))


@pytest.mark.parametrize("name", ALL)
def test_words_are_those_of_the_text(judge, shown, name):
    page = ALL[name][0]
    assert words(shown(page)) == words(text.render(Page(judge(page))))


@pytest.mark.parametrize("name", ALL)
def test_other_forms_have_the_same_notes(shown, name):
    page, source = ALL[name]
    labels = re.findall(r"^\[\^(\w+)\]: ", source, re.MULTILINE)
    marks = len(re.findall(r"\[\^\w+\](?!:)", source))
    tree = html.fromstring(shown(page, article))
    targets = [link.get("href")[1:] for link in tree.iterfind(".//sup/a")]
    assert len(targets) == marks
    assert {*targets} == {each.get("id") for each in tree.iterfind(".//li") if each.get("id")}
    assert re.findall(r'<note [^>]*n="(\w+)"', shown(page, tei)) == labels


def marked(n, note="They rest."):
    """A mark that something leads back to, n tags before it."""
    place = f"<a id=r></a>{'<i></i>' * n}"
    return f"<p>Bees {place}<a href=#x1>1</a>.<p id=x1><a href=#r>^</a> {note}"


LIMITS = {
    "tags between a mark and what leads back to it": (2, 3, marked),
    "links of a note that are looked at": (
        19,
        20,
        lambda n: (
            "<p>Bees<a id=r href=#x1>1</a>.<p id=x1>They "
            + "<a href=#q>rest</a> " * n
            + "<a href=#r>^</a>"
        ),
    ),
    "numbers in a row": (
        2,
        1,
        lambda n: (
            "<p>Bees<sup>1</sup> hum<sup>2</sup>."
            + "".join([f"<p><sup>{k + 1}</sup> They rest." for k in range(n)])
        ),
    ),
    "elements around a note that name it": (
        3,
        4,
        lambda n: (
            f"<p>Bees<sup>1</sup>.<div class=notes>{'<div>' * (n - 1)}<p><sup>1</sup> They rest."
        ),
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_notes_are_found_up_to_a_number(shown, name):
    at, beyond, page = LIMITS[name]
    for n, is_found in ((at, True), (beyond, False)):
        assert ("]: They" in shown(page(n))) == is_found, (n, shown(page(n)))


@pytest.mark.parametrize(("n", "is_hidden"), [(24, True), (25, False)])
def test_what_leads_back_is_short(shown, n, is_hidden):
    text = "back to the text".ljust(n, "s")
    page = f"<p>Bees<sup><a id=r href=#x>1</a></sup>.<p id=x>They rest. <a href=#r>{text}</a>"
    assert (text not in shown(page)) == is_hidden
