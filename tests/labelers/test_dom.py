"""DOM + named entities: filters, removers, the article, entities, images, and what is written."""

import sys
from collections import Counter
from types import ModuleType

import pytest

from tests.rows import tables
from victor.api import Cleaner
from victor.base.labels import Label
from victor.errors import ConfigError
from victor.labelers.dom.relevance import cosine, load_recogniser, merge_forms
from victor.labelers.dom.removal import ad_hosts
from victor.labelers.labeler import build_labeler
from victor.model.decide import Decision

ROWS = tables(__file__)
LONG = "x" * 501
NO_LISTS = "link_lists.remove=false"


def dom(*overrides, trust_code=False):
    return build_labeler("dom", None, overrides, trust_code=trust_code)


def described(labeler, page):
    verdict = labeler.label(labeler.table([page]))
    return labeler.extras(labeler.find(verdict.table), verdict, 0)


def urls(page, *overrides):
    return [image.url for image in described(dom(*overrides), page).images]


def written(page, *overrides):
    labeler = dom(*overrides)
    return labeler.output(labeler.label(labeler.table([page or b"<p>one"])), 0, page)


def test_lists_are_read_by_path_and_add_to_the_shipped_one(tmp_path):
    (tmp_path / "list.txt").write_text("! title\n||server7.example^$third-party\n")
    (tmp_path / "my.yaml").write_text("base: dom\nads: {lists: [list.txt]}")
    labeler = build_labeler("dom", tmp_path / "my.yaml")
    table = labeler.table([b"<p>Then a<p><a href=//server7.example>b</a>"])
    assert labeler.find(table).removal.ads.any()
    assert ad_hosts().hold("https://ad.seznam.cz/x")
    for text, message in ((None, "cannot read"), ("a\n", "no rule")):
        path = tmp_path / f"{message}.txt"
        if text:
            path.write_text(text)
        with pytest.raises(ConfigError, match=message):
            dom(f"ads.lists=[{path}]")


# --- The article ----------------------------------------------------------------------------------


def test_pages_of_a_batch_have_their_own_article():
    labeler = dom("article.subtree=common")
    pages = [f"<p>a<section><h1>h</h1>{LONG}</section>", "<p>b", "", f"<section>{LONG}</section>c"]
    verdict = labeler.label(labeler.table([page.encode() for page in pages]))
    other, header, text = Label.OTHER, Label.HEADER, Label.TEXT
    assert verdict.labels.tolist() == [other, header, text, text, text, other]


def test_a_threshold_orders_kept_and_other_blocks_by_density():
    labeler = dom(NO_LISTS)
    page = f"<p>two words<p><a href=/>a</a><main>{'word ' * 101}<p>two words</main>".encode()
    table = labeler.table([page])
    dropped = labeler.label(table).marginals[:, Label.OTHER]
    assert (dropped < 0.5).tolist() == [False, False, True, True]
    assert dropped[2] < dropped[3] < 0.5 < dropped[0] < dropped[1]
    few = labeler.label(table, Decision("threshold", 0.1))
    assert few.kept.tolist() == [False, False, True, False]


# --- Named entities -------------------------------------------------------------------------------

ARTICLE_CS = "Premiér Petr Fiala jednal v Bruselu. Fiala tam letěl ráno."


def counts(*texts):
    return load_recogniser("capitals")(texts)


def test_forms_of_a_name_are_one_entity():
    article, caption = counts(ARTICLE_CS, "Cesta s Petrem Fialou do Bruselu")
    assert article == Counter(fiala=2, petr=1, bruselu=1)
    assert caption == Counter(fiala=1, petr=1, bruselu=1)


@pytest.mark.parametrize(("words", "names"), ROWS["forms"])
def test_an_entity_is_named_by_a_word_of_two_thirds(words, names):
    assert merge_forms(words.split()) == dict(zip(words.split(), names.split(), strict=True))


def test_cosine():
    assert cosine(Counter(a=3, b=4), Counter(a=6, b=8)) == pytest.approx(1)
    assert cosine(Counter(a=1, b=1), Counter(b=2)) == pytest.approx(0.5**0.5)
    assert cosine(Counter(), Counter(a=1)) == 0


def test_a_function_of_the_user_names_the_entities(monkeypatch):
    module = ModuleType("my_names")
    module.find = {"x": ["Petr Fiala", "města Brna"], "y": ["Fialou"], "z": []}.__getitem__
    monkeypatch.setitem(sys.modules, "my_names", module)
    entities = load_recogniser("my_names:find")(["x", "y", "z"])
    assert entities == [Counter(petr=1, fiala=1, brna=1), Counter(fiala=1), Counter()]
    with pytest.raises(ConfigError, match="trust"):
        dom("entities.recogniser=my_names:find")
    assert dom("entities.recogniser=my_names:find", trust_code=True).name == "dom"
    with pytest.raises(ConfigError, match="MODULE:FUNCTION"):
        dom("entities.recogniser=my_names:other", trust_code=True)


def test_the_reason_is_told_of_a_text_that_names_others_than_the_article(ferry):
    advertisement = (
        "Buy Acme Shoes from Zenith Stores of London now, half the price on all sandals."
    )
    page = ferry.replace("<!-- more -->", f"<p>{advertisement}</p>")
    result = Cleaner(dom()).clean(page.encode())
    assert result.metadata["removed_words"] == {"unrelated": 15}
    assert Counter(block.reason for block in result.blocks) == {"kept": 4, "unrelated": 1}


# --- Images and links -----------------------------------------------------------------------------


def test_the_picture_of_the_article_stays_and_the_advertisement_goes(bridge):
    result = Cleaner(dom()).clean(bridge)
    picture, portrait = result.metadata["images"]
    assert (picture["url"], picture["alt"]) == ("/foto/most.jpg", "Nový most")
    assert picture["caption"].startswith("Starosta Jakub Hradecký")
    assert 0.5 < picture["relevance"] <= 1 == portrait["relevance"]
    assert portrait["url"] == "/foto/vlcek.jpg"
    assert "Starosta otevřel nový most" in result.text
    assert "Půjčka" not in result.text


@pytest.mark.parametrize(("overrides", "stay"), ROWS["images"])
def test_switches_of_images(bridge, overrides, stay):
    assert urls(bridge, *overrides) == [f"/foto/{name}.jpg" for name in stay]


def test_a_caption_is_compared_with_the_rest_of_its_article():
    """An advertisement in the article names what nothing else names, however often it does so."""
    ferry = "The ferry of Port Ellis carries Ruth Calder to Mill Island every day. " * 8
    for advertisement in (
        "Get the new telephone of Acme in our shops in London and save fifty percent",
        "Acme of London: the telephone of Acme is in the shops of London and of Acme",
        "Buy Acme now",
    ):
        page = f"<div><p>{ferry}</p><div><img src=ad><br>{advertisement}.</div>"
        page += "<div><img src=ferry><br>The ferry of Port Ellis with Ruth Calder on board</div>"
        for configuration in ("dom", "dom-paper"):
            labeler = build_labeler("dom", configuration)
            shown = described(labeler, f"{page}</div>".encode()).images
            assert [image.url for image in shown] == ["ferry"]


def test_links_that_went(bridge):
    links = described(dom(), bridge).removed_links
    assert [(link.url, link.text) for link in links] == [
        ("/", "Úvod"), ("/obec", "Obec"), ("/kontakt", "Kontakt")
    ]  # fmt: skip
    links = described(dom("filters.text_links=true"), bridge).removed_links
    assert [link.url for link in links][-1] == "/objizdka"
    assert "removed_links" not in Cleaner(dom()).clean(bridge).metadata
    wanted = Cleaner(dom("output.removed_links=true")).clean(bridge).metadata
    assert wanted["removed_links"][0] == {"url": "/", "text": "Úvod"}


# --- What is written ------------------------------------------------------------------------------


def test_text_with_links_at_its_end(bridge):
    text = written(bridge, "output.removed_links=true")
    assert text.endswith("\n\nÚvod /\nObec /obec\nKontakt /kontakt\n")
    assert not written(bridge).endswith("/kontakt\n")
    for most in (1, 2, 3):
        lines = written(b"<pre>a\n\n\n\nb\n\nc</pre><p>d", f"output.line_breaks={most}")
        assert "\n" * most in lines
        assert "\n" * (most + 1) not in lines


def test_html_has_the_images_that_stay(bridge):
    html = written(bridge, "output.form=html", "output.removed_links=true")
    assert "/foto/most.jpg" in html
    for gone in ("boty.jpg", "agentura.jpg", "pujcka.png", "Půjčka", "<iframe", "<script"):
        assert gone not in html
    assert '<ul><li><a href="/">Úvod</a></li>' in html
    assert html.index("<ul>") < html.index("</body>")
    assert "/foto" not in written(bridge, "output.form=html", "filters.non_link_images=true")
    assert "one two" in written(b"<p>one<button>b</button>two</p>", "output.form=html")
    with pytest.raises(ConfigError, match="needs the markup"):
        written(None, "output.form=html")


def test_html_of_emptied_cells():
    page = b"<table><tr><td class=m><a href=/>menu</a><td>cell of a table</table>"
    html = written(page, "output.form=html", "link_lists.cell=false")
    assert '<td class="m"></td>' in html
    assert "menu" not in html


def test_lists_of_links_have_names_of_elements():
    with pytest.raises(ConfigError, match="script: no such element"):
        dom("link_lists.tags=[script]")
