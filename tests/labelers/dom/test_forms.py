"""What all forms of output show of a page; the switches of figure 1 that are about images."""

import json

import pytest

from victor.api import Cleaner
from victor.corpus.pages import annotate
from victor.evaluation.evaluation import by_labeler
from victor.labelers import build_labeler
from victor.render.options import Shown

PAGE = """<p>Main text with <a href="http://ad.doubleclick.net/x">words of an ad</a> text after it.
<p>See<a href=/y>plain link</a>now. <select><option>choice</select> <b>More</b> of the text.
<p><a href=/z>only a link</a> | <a href=/u>and another</a>
<p>one <a href=/img><img src=i alt="the picture"> of a bee</a> two <img src=j alt=outside> three
<div>and a last paragraph</div>"""
BRNO = "Then Brno won. " + "In Brno it rains. " * 40
FORMS = ("text", "markdown", "cleaneval", "sentences", "native")


def shown(result, form):
    """The words that a form shows."""
    words = (
        {"shown": Shown(links=False, images=False, formatting=False)} if form == "markdown" else {}
    )
    text = result.render(form, **words)
    if form == "records":
        rows = map(json.loads, text.splitlines())
        text = "\n".join(row["text"] for row in rows if "label" in row)
    if form == "html":
        text = Cleaner(build_labeler("none")).clean(text).text
    return text.replace("<p>", "").replace("URL: ", "").replace(".", "").split()


@pytest.mark.parametrize("form", [*FORMS, "records", "html"])
@pytest.mark.parametrize(
    ("switches", "text"),
    [
        (
            [],
            "See plain link now More of the text only a link | and another one of a bee two three",
        ),
        (["filters.text_links=true"], "See now More of the text one of a bee two three"),
        (
            ["filters.image_links=true"],
            "See plain link now More of the text only a link | and another one two three",
        ),
    ],
)
def test_all_forms_show_the_same_words(dom, form, switches, text):
    page = PAGE.replace("See<a href=/y>plain link</a>now", "See <a href=/y>plain link</a> now")
    result = Cleaner(dom("link_lists.remove=false", *switches)).clean(page)
    whole = f"Main text with text after it {text} and a last paragraph"
    assert shown(result, form) == whole.split()


@pytest.mark.parametrize("form", [*FORMS, "records", "html"])
def test_words_around_a_removed_part_stay_apart(dom, form):
    result = Cleaner(dom("filters.text_links=true")).clean("<p>one<a href=/y>x</a>two<p>three")
    assert shown(result, form) == ["one", "two", "three"]


def test_what_is_removed_has_its_reason_and_count(dom):
    page = PAGE.replace("See<", "See <").replace("</a>now", "</a> now")
    result = Cleaner(dom("link_lists.remove=false", "filters.text_links=true")).clean(page)
    page, *records = [json.loads(line) for line in result.render("records").splitlines()]
    assert records[0]["removed"] == [{"reason": "text-links", "text": "words of an ad"}]
    reasons = ["kept" if "label" in row else row.get("reason", page["dropped"]) for row in records]
    assert reasons == [
        "kept", "kept", "selects", "kept", "text-links", "kept", "kept"
    ]  # fmt: skip
    assert "removed" not in records[3]
    assert result.metadata["removed_words"] == {"text-links": 11, "selects": 1}
    assert result.blocks[0].text == "Main text with text after it."


def test_an_advertisement_is_one_whatever_else_it_is(dom):
    result = Cleaner(dom()).clean(PAGE)
    assert result.metadata["removed_words"]["advertisements"] == 4


def test_text_outside_the_article_has_a_reason(dom):
    page = "<p>menu</p><section>" + "word " * 120 + "</section><p>two words"
    result = Cleaner(dom()).clean(page)
    assert [block.reason for block in result.blocks] == [
        "outside-article", "kept", "outside-article"
    ]  # fmt: skip
    assert result.metadata["removed_words"] == {"outside-article": 3}


def test_removed_links_are_only_at_the_end(dom):
    how = ("filters.text_links=true", "output.removed_links=true")
    result = Cleaner(dom(*how)).clean("<p>See <a href=/y>plain link</a> now.")
    assert result.render("native") == "See now.\n\nplain link /y\n"


def test_the_words_that_are_scored_are_those_that_are_written(dom):
    page = annotate("a", b"<p>one <a href=//doubleclick.net/a>two</a> three", [1, 2, 1],
                    gold="one three")  # fmt: skip
    scores = by_labeler([page], dom(), system="dom").assess()
    assert scores.texts == ("one three\n",)


# Alternative texts


@pytest.mark.parametrize(
    ("switches", "text"),
    [
        (["filters.alt_for_images=true", "filters.alt_for_image_links=true"],
         "one of a bee two three"),
        (["filters.non_link_images=true", "filters.alt_for_images=true"],
         "one of a bee two outside three"),
        (["filters.image_links=true", "filters.alt_for_image_links=true"],
         "one the picture two three"),
        (["filters.image_links=true", "filters.alt_for_images=true"], "one two three"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [*FORMS, "records"])
def test_alternative_texts_stand_for_what_is_ignored(dom, form, switches, text):
    result = Cleaner(dom("link_lists.remove=false", *switches)).clean(PAGE.splitlines()[3])
    assert shown(result, form) == text.split()


def test_html_has_alternative_texts_too(dom):
    switches = [f"filters.{name}=true" for name in ("image_links", "alt_for_image_links",
                "non_link_images", "alt_for_images")]  # fmt: skip
    labeler = dom("output.form=html", *switches)
    html = Cleaner(labeler).clean("<p>a <a href=/><img src=i alt='x &lt; y'>b</a><img alt=z> c")
    native = html.render("native")
    assert "<a" not in native
    assert "<img" not in native
    assert native.count("x &lt; y") == 1
    assert html.text == "a x < y z c\n"


def test_alternative_texts_of_advertisements_go(dom):
    how = ("filters.image_links=true", "filters.alt_for_image_links=true")
    page = "<p>a <a href=//doubleclick.net/x><img src=i alt=x></a> b"
    result = Cleaner(dom(*how)).clean(page)
    assert result.text == "a b\n"
    assert result.metadata["removed_words"] == {"advertisements": 1}
    assert not dom(*how).canonical
    assert dom().canonical


def test_images_have_their_address_though_others_have_alternative_texts(dom):
    how = (
        "filters.image_links=true",
        "filters.alt_for_image_links=true",
        "link_lists.remove=false",
    )
    page = "<div><img src=p alt=q> Brno</div><a href=/><img src=r alt=s></a><p>" + BRNO
    (image,) = Cleaner(dom(*how)).clean(page).metadata["images"]
    assert (image["url"], image["alt"]) == ("p", "q")


def test_images_outside_links_and_in_links_are_told_apart(dom):
    page = "<div><img src=p> Brno</div><div><a href=/><img src=r></a> Brno</div><p>" + BRNO

    def urls(*switches):
        cleaner = Cleaner(dom("link_lists.remove=false", *switches))
        return [image["url"] for image in cleaner.clean(page).metadata["images"]]

    assert urls() == ["p", "r"]
    assert urls("filters.non_link_images=true") == ["r"]
    assert urls("filters.image_links=true") == ["p"]


def test_images_outside_the_article_do_not_stay(dom):
    picture = "<div><img src={}> Rain in Brno</div>"
    page = picture.format("out") + f"<article>{BRNO}{picture.format('in')}</article>"
    images = Cleaner(dom()).clean(page + picture.format("after")).metadata["images"]
    assert [image["url"] for image in images] == ["in"]
    assert [image["relevance"] > 0.9 for image in images] == [True]


# Link lists that leave their element, and the settings of the figures


@pytest.mark.parametrize(("cell", "left"), [("true", ""), ("false", '<td class="menu"></td>')])
def test_a_link_list_leaves_its_cell_or_takes_it_along(dom, cell, left):
    cells = (
        "<td class=menu style=a><a href=/>one</a><p><a href=/>two</a></td><td>some more text</td>"
    )
    labeler = dom(f"link_lists.cell={cell}", "output.form=html")
    result = Cleaner(labeler).clean(f"<table><tr>{cells}</table>")
    assert result.text == "some more text\n"
    native = result.render("native")
    row = native[native.index("<tr>") + 4 : native.index("</tr>")]
    assert row.strip() == f"{left}<td>some more text</td>"


@pytest.fixture(scope="module")
def paper():
    return Cleaner(build_labeler("dom", "dom-paper"))


def test_the_settings_of_the_figures(paper):
    page = (
        "<html><head><meta name=a content=b><style>p{}</style><script>1</script></head><body>"
        "<div style=x>text <a href=/t>link</a><img src=j></div><p style=y>b</p>"
        "<a href=/i><img src=p></a><form><p>f</p></form><input name=q><button>b</button>"
        "<noscript>n</noscript><iframe src=i></iframe><embed src=e><select><option>o</select>"
        "<table><tr><td width=7>cell of a table</table><a href=//doubleclick.net>ad</a></body>"
    )
    result = paper.clean(page)
    html = result.render("native")
    for piece in ("<style>p{}", '<p style="y">b', 'href="/t"', "<form>", "<input", "<button>b",
                  "<noscript>n", "<select>", 'width="7"', "<div>text"):  # fmt: skip
        assert piece in html
    for piece in ('content="b"', "<script", "<img", "<iframe", "<embed", "ad<", 'style="x"'):
        assert piece not in html
    assert "images" in result.metadata
    assert result.metadata["images"] == []


def test_the_figures_differ_from_the_defaults_where_the_comments_say_so(paper):
    ours = build_labeler("dom").settings
    theirs = paper.labeler.settings
    changed = {
        name
        for name in ours.filters.__struct_fields__
        if getattr(ours.filters, name) != getattr(theirs.filters, name)
    }
    assert changed == {
        "noscript", "styles", "style_attributes", "non_link_images", "image_links", "inputs",
        "buttons", "selects", "meta", "cell_widths",
    }  # fmt: skip
    for part in ("ads", "tables", "article", "images", "entities", "limits"):
        assert getattr(ours, part) == getattr(theirs, part)
    assert theirs.link_lists.tags == ("td", "th")
    assert not theirs.link_lists.cell
    assert theirs.output.form == "html"
