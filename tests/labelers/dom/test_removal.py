"""Filters, advertisement remover, link-list remover, empty-table remover."""

import pytest

from victor.config import load_data
from victor.errors import ConfigError
from victor.labelers.dom.ads import AdHosts, load, parse
from victor.labelers.dom.settings import Settings

HTML_ONLY = {"scripts", "styles", "style_attributes", "inputs", "meta", "iframes", "embeds",
             "cell_widths"}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("noscript", "<noscript>x</noscript>"),
        ("image_links", "<a href=/><img> x</a>"),
        ("text_links", "<a href=/>x</a>"),
        ("forms", "<form><p>x</form>"),
        ("buttons", "<button>x</button>"),
        ("selects", "<select><optgroup><option>x</select>"),
    ],
)
def test_filters_of_text_take_it_or_leave_it(kept, name, page):
    page = f"<p>before<p>{page}<p>after"
    off = ["link_lists.remove=false", *(f"filters.{n}=false" for n in ("noscript", "buttons"))]
    off.append("filters.selects=false")
    assert kept(page, *off) == ["before", "x", "after"]
    assert kept(page, *off, f"filters.{name}=true") == ["before", "after"]


def test_every_filter_is_tested_here_or_with_the_html(dom):
    others = {"noscript", "image_links", "text_links", "forms", "buttons", "selects"}
    images = {"non_link_images", "alt_for_images", "alt_for_image_links"}
    assert {*load_data(Settings, "dom")["filters"]} == HTML_ONLY | others | images


def test_links_with_and_without_an_image_are_told_apart(kept):
    page = "<p>a<p><a href=/><img>b</a><p><a href=/>c</a><p><a name=d>d</a>"
    off = "link_lists.remove=false"
    assert kept(page, off, "filters.image_links=true") == ["a", "c", "d"]
    assert kept(page, off, "filters.text_links=true") == ["a", "b", "d"]


def test_a_block_stays_while_a_word_of_it_does(kept):
    page = "<p>see <a href=/>here</a><p><a href=/>only</a> | <a href=/>links</a><p>--"
    texts = kept(page, "link_lists.remove=false", "filters.text_links=true")
    assert texts == ["see here", "--"]


# Advertisements


@pytest.mark.parametrize(
    ("url", "is_ad"),
    [
        ("http://ads.example/x", True),
        ("HTTPS://IMG.ADS.EXAMPLE:80/x", True),
        (" //ads.example", True),
        ("//u:p@ads.example.?x", True),
        ("//badads.example/", False),
        ("//example/ads.example", False),
        ("/ads.example/x", False),
        ("http://ads.example.org/", False),
        ("mailto:a@ads.example", False),
        ("http://", False),
        ("", False),
        (None, False),
    ],
)
def test_hosts_are_those_of_the_list_and_those_below(url, is_ad):
    assert AdHosts(frozenset({"ads.example"})).hold(url) is is_ad


@pytest.mark.parametrize(
    ("rule", "hosts"),
    [
        ("||a.example^", {"a.example"}),
        ("||a.example^$third-party", {"a.example"}),
        ("||a.example^$popup,third-party \r", {"a.example"}),
        ("||a.example^$domain=b.example", set()),
        ("||a.example^$third-party,script", set()),
        ("||a.example/path^", set()),
        ("||a.*^", set()),
        ("! ||a.example^", set()),
        ("a.example##.ad", set()),
        ("||a.example^\n@@||a.example^", set()),
        ("||a.example^\n@@||a.example^$domain=b.example", {"a.example"}),
    ],
)
def test_rules_of_lists(rule, hosts):
    assert parse(rule) == hosts


def test_a_long_list_is_read_by_path(tmp_path, kept):
    path = tmp_path / "list.txt"
    rules = [f"||server{n}.example^$third-party" for n in range(44_000)]
    path.write_text("[Adblock Plus 2.0]\n! title\n" + "\n".join(rules), encoding="utf-8")
    assert len(load([path]).hosts) == 44_000 + len(load().hosts)
    page = "<p>a<p><a href=//x.server43999.example>b</a> c d e f g h<p>i"
    texts = ["a", "b c d e f g h", "i"]
    assert kept(page) == texts
    (tmp_path / "my.yaml").write_text("base: dom\nads: {lists: [list.txt]}", encoding="utf-8")
    from victor.labelers import build_labeler

    page = "<p>Then a<p><a href=//server7.example>b</a>"
    labeler = build_labeler("dom", tmp_path / "my.yaml")
    assert labeler.find(labeler.table([page.encode()])).removal.ads.any()


@pytest.mark.parametrize(("text", "message"), [(None, "cannot read"), ("a\n", "no rule")])
def test_lists_that_are_none(tmp_path, dom, text, message):
    path = tmp_path / "list.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        dom(f"ads.lists=[{path}]")


def test_czech_servers_are_in_the_shipped_list():
    hosts = load()
    assert hosts.hold("https://ad.seznam.cz/x")
    assert hosts.hold("//go.cz.bbelements.com/please")
    assert not hosts.hold("https://www.seznam.cz/")


def test_advertisements_go_with_all_in_them(kept):
    page = "<p>a<p><a href=https://x.doubleclick.net/1>b</a><div src=//doubleclick.net><p>c</div>"
    off = "link_lists.remove=false"
    assert kept(page, off) == ["a"]
    assert kept(page, off, "ads.remove=false") == ["a", "b", "c"]


def test_the_page_is_no_advertisement(kept):
    assert kept("<html><body src=//doubleclick.net><p>a") == ["a"]


# Link lists


@pytest.mark.parametrize(("words", "stays"), [(19, False), (20, True), (21, True)])
@pytest.mark.parametrize("tag", ["td", "div", "ul"])
def test_a_ratio_of_links_to_unlinked_words(kept, tag, words, stays):
    # 7 links at a ratio of 0.35 need 20 words of 5 characters.
    cell = "<a href=/>l</a>" * 7 + "<p>" + "abcde" * words
    page = "<table><tr><td>" + cell + "</table>" if tag == "td" else f"<{tag}>{cell}</{tag}>"
    assert (len(kept(page + "<p>z")) == 3) is stays


def test_characters_per_word(kept):
    page = "<div>" + "<a href=/>l</a>" * 7 + "abcde" * 20 + "</div>"
    assert kept(page, "link_lists.characters_per_word=5.1") == []
    assert len(kept(page, "link_lists.characters_per_word=5.0")) == 1


def test_which_elements_and_whether(kept):
    page = "<p>z<div><a href=/>l</a></div>"
    assert kept(page) == ["z"]
    assert kept(page, "link_lists.tags=[td, th]") == ["z", "l"]
    assert kept(page, "link_lists.remove=false") == ["z", "l"]
    with pytest.raises(ConfigError, match="script: no such element"):
        kept(page, "link_lists.tags=[script]")


def test_inner_lists_do_not_count_for_those_around(kept):
    menu = "<ul><li>" + "<a href=/>menu</a> " * 9 + "</ul>"
    assert kept(f"<div><div><p>some words that stay here{menu}</div></div>") == [
        "some words that stay here"
    ]
    assert kept(f"<div><div><p>some words that stay here</div>{menu[4:]}</div>") == []


def test_links_that_went_and_anchors_do_not_count(kept):
    links = "<a href=//doubleclick.net>ad</a>" * 9 + "<a name=x></a>" * 9
    assert kept(f"<div>{links}<p>word</div>") == ["word"]


# Tables


@pytest.mark.parametrize(
    ("cell", "stays"),
    [("123456789", False), ("1234567890", True), ("1<img>", True), ("1<hr>", False)],
)
def test_tables_need_substance(kept, cell, stays):
    page = f"<p>z<table><tr><td>{cell}</table>"
    assert (len(kept(page)) > 1) is stays
    assert len(kept(page, "tables.remove=false")) == 2


def test_which_elements_are_substance_and_how_many_characters(kept):
    page = "<p>z<table><tr><td>1<hr></table>"
    assert len(kept(page, "tables.tags=[hr]")) == 2
    assert len(kept(page, "tables.characters=2")) == 1
    assert len(kept(page, "tables.characters=1")) == 2


def test_what_went_is_no_substance(kept):
    page = "<p>z<table><tr><td>1<img src=//doubleclick.net><button>1234567890</button></table>"
    assert kept(page) == ["z"]
    assert len(kept(page, "ads.remove=false")) == 2
    assert len(kept(page, "filters.buttons=false")) == 3
