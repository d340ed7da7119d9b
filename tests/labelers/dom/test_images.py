"""Images that stay, links that went, and what is written."""

from collections import Counter

import pytest

from victor.api import Cleaner
from victor.errors import ConfigError
from victor.labelers.dom.images import relevance
from victor.labelers.dom.settings import Images


def described(labeler, page):
    verdict = labeler.label(labeler.table([page]))
    return labeler.extras(labeler.find(verdict.table), verdict, 0)


def urls(labeler, page):
    return [image.url for image in described(labeler, page).images]


def test_the_picture_of_the_article_stays_and_the_advertisement_goes(dom, bridge):
    result = Cleaner(dom()).clean(bridge)
    picture, portrait = result.metadata["images"]
    assert picture["url"] == "/foto/most.jpg"
    assert picture["alt"] == "Nový most"
    assert picture["caption"].startswith("Starosta Jakub Hradecký")
    assert 0.5 < picture["relevance"] <= 1
    assert portrait["url"] == "/foto/vlcek.jpg"
    assert portrait["relevance"] == 1
    assert "Starosta otevřel nový most" in result.text
    assert "Půjčka" not in result.text
    assert result.metadata["title"] == "Most v Horní Lhotě"  # the heading is hardly like it


def test_relevance_is_above_its_limit(dom, bridge):
    score = described(dom(), bridge).images[0].relevance
    above = urls(dom(f"images.relevance={score:.17f}"), bridge)
    assert above == ["/foto/vlcek.jpg"]
    assert len(urls(dom(f"images.relevance={score - 1e-9:.17f}"), bridge)) == 2


@pytest.mark.parametrize(("words", "expected"), [(5, 1.0), (6, 0.6)])
def test_short_captions_need_a_main_entity(words, expected):
    article = Counter(a=3, b=4)
    caption = " ".join(["word"] * words)
    assert relevance(caption, Counter(a=1), article, Images()) == pytest.approx(expected)


@pytest.mark.parametrize(("main", "expected"), [(1, 0.0), (2, 1.0)])
def test_main_entities_are_the_most_frequent(main, expected):
    value = relevance("A", Counter(a=1), Counter(a=3, b=4), Images(representatives=main))
    assert value == expected
    assert relevance("A", Counter(), Counter(), Images()) == 0


@pytest.mark.parametrize(
    ("switch", "without"),
    [
        ("filters.non_link_images=true", {"/foto/most.jpg", "/foto/vlcek.jpg"}),
        ("images.relevance=1.0", {"/foto/most.jpg", "/foto/vlcek.jpg", "/banners/pujcka.png"}),
        ("images.short=1", {"/foto/boty.jpg"}),
    ],
)
def test_switches_of_images(dom, bridge, switch, without):
    assert not without & set(urls(dom(switch), bridge))


def test_images_without_a_source_or_in_what_goes(dom):
    text = "<p>Then Brno won. " + "In Brno it rains. " * 40
    pages = {
        "<div><img src=a> Brno</div>": ["a"],
        "<div><img> Brno</div>": [],
        "<div><img src=' '> Brno</div>": [],
        "<div><img src=//doubleclick.net/a> Brno</div>": [],
        "<a href=//doubleclick.net/a><p><img src=a> Brno</a>": [],
        "<button><img src=a> Brno</button>": [],
        "<div><img src=a></div><p>Brno": [],
        "<figure><div><img src=a></div><p>Brno</figure>": ["a"],
        "<div><img src=a><img src=b> Praha</div>": [],
    }
    for page, expected in pages.items():
        assert urls(dom(), (page + text).encode()) == expected, page


def test_captions_have_a_line_for_each_block_and_an_end(dom):
    page = "<div><img src=a><p>In <b>Brno</b><p>rain in Brno" + " and rain" * 1000 + "</div>"
    (image,) = described(dom("images.relevance=0"), page.encode()).images
    assert image.caption.startswith("In Brno\nrain in Brno and")
    assert len(image.caption) <= 500


def test_links_that_went(dom, bridge):
    links = described(dom(), bridge).removed_links
    assert [(link.url, link.text) for link in links] == [
        ("/", "Úvod"), ("/obec", "Obec"), ("/kontakt", "Kontakt")
    ]  # fmt: skip
    links = described(dom("filters.text_links=true"), bridge).removed_links
    assert [link.url for link in links][-1] == "/objizdka"
    assert "removed_links" not in Cleaner(dom()).clean(bridge).metadata
    wanted = Cleaner(dom("output.removed_links=true")).clean(bridge).metadata
    assert wanted["removed_links"][0] == {"url": "/", "text": "Úvod"}


# What is written


def written(labeler, page):
    return labeler.output(labeler.label(labeler.table([page])), 0, page)


def test_text_with_links_at_its_end(dom, bridge):
    text = written(dom("output.removed_links=true"), bridge)
    assert text.endswith("\n\nÚvod /\nObec /obec\nKontakt /kontakt\n")
    assert not written(dom(), bridge).endswith("/kontakt\n")


def test_most_line_breaks_in_a_row(dom):
    page = b"<pre>a\n\n\n\nb\n\nc</pre><p>d"
    for most in (1, 2, 3):
        text = written(dom(f"output.line_breaks={most}"), page)
        assert "\n" * most in text
        assert "\n" * (most + 1) not in text


PAGE = (
    "<html><head><meta charset=utf-8><meta name=a content=b><link rel=stylesheet href=s>"
    "<style>p{}</style><script>1</script></head><body><p style=color:red class=k>text</p>"
    "<table><tr><td width=7>cell of a table</td></tr></table><p>x <a href=/t>go</a> y</p>"
    "<a href=/i><img src=p>z</a><form><p>f</p></form><input name=q><textarea>t</textarea>"
    "<button>b</button><select><option>o</select><noscript>n</noscript><img src=j>"
    "<iframe src=i></iframe><embed src=e><object data=o></object></body></html>"
)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("scripts", ["<script>1"]),
        ("noscript", ["<noscript>n"]),
        ("styles", ["<style>p{}", "stylesheet"]),
        ("style_attributes", ["color:red"]),
        ("image_links", ["z</a>"]),
        ("text_links", ['href="/t"']),
        ("forms", ["<form>"]),
        ("inputs", ["<input", "<textarea>t"]),
        ("buttons", ["<button>b"]),
        ("selects", ["<select>"]),
        ("meta", ['content="b"']),
        ("iframes", ["<iframe"]),
        ("embeds", ["<embed", "<object"]),
        ("cell_widths", ['width="7"']),
    ],
)
def test_filters_of_html_take_what_they_say(dom, name, pieces):
    names = dom().settings.filters.__struct_fields__
    off = [f"filters.{other}=false" for other in names if other != "style_attributes"]
    off.append("filters.style_attributes=none")
    how = ["output.form=html", "link_lists.remove=false", *off]
    page, on = PAGE.encode(), f"filters.{name}={'all' if name == 'style_attributes' else 'true'}"
    whole, filtered = written(dom(*how), page), written(dom(*how, on), page)
    for piece in pieces:
        assert piece in whole
        assert piece not in filtered
    for piece in ('charset="utf-8"', 'class="k"', "cell of a table", "x ", " y"):
        assert piece in filtered


def test_html_has_the_images_that_stay(dom, bridge):
    html = written(dom("output.form=html", "output.removed_links=true"), bridge)
    assert "/foto/most.jpg" in html
    for gone in ("boty.jpg", "agentura.jpg", "pujcka.png", "Půjčka", "<iframe", "<script"):
        assert gone not in html
    assert '<ul><li><a href="/">Úvod</a></li>' in html
    assert html.index("<ul>") < html.index("</body>")
    assert "/foto" not in written(dom("output.form=html", "filters.non_link_images=true"), bridge)


def test_words_around_what_went_stay_apart(dom):
    html = written(dom("output.form=html"), b"<p>one<button>b</button>two</p>")
    assert "one two" in html


def test_html_needs_the_markup(dom, bridge):
    labeler = dom("output.form=html")
    verdict = labeler.label(labeler.table([bridge]))
    with pytest.raises(ConfigError, match="needs the markup"):
        labeler.output(verdict, 0)
