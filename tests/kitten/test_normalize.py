"""Any page as XHTML: well formed for a strict parser, and with the text of the page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.rows import tables, written_out
from victor.config.layers import names
from victor.config.schema import Limits
from victor.errors import ConfigError, PageError
from victor.kitten.normalize import HEAD, NAMESPACE, normalize
from victor.kitten.sentences import whole_page
from victor.kitten.settings import Settings, load_settings
from victor.page.plain_data import xml_text
from victor.page.table.segment import parse_pages
from victor.page.table.texts import block_texts

ROWS = tables(__file__)
SITEMAP, CONVERTED = ROWS["sitemap"].encode(), ROWS["converted"]
FUNCTIONS = {
    "normalize": lambda page, settings: normalize(page, settings=settings),
    "whole_page": lambda page, settings: whole_page(page.encode(), settings),
}


def texts_of(page):
    return block_texts(parse_pages([page]))


# --- whatever the page is ------------------------------------------------------------------------


def check(page):
    done = normalize(page)
    etree.fromstring(done.xhtml.encode(), etree.XMLParser())  # strict: without recovery
    assert texts_of(done.xhtml) == [*map(xml_text, texts_of(page))]


PARTS = st.one_of(st.sampled_from(ROWS["parts"]), st.text(max_size=5))


@given(st.lists(PARTS, max_size=25).map(" ".join), st.sampled_from(("utf-8", "utf-16")))
def test_broken_pages_are_well_formed_and_keep_their_text(page, encoding):
    check(page.encode(encoding, "replace"))


@pytest.mark.slow
def test_our_own_pages_and_the_least_ones(annotated):
    least = [b"", b" ", b"<", b"</html>a<html>b", b"<body>a</body>b<body class=x>c", b"\x00\x01"]
    for page in [*least, *(page.html for page in annotated)]:
        check(page)


@pytest.mark.parametrize(
    "content", ["a < b && c", "']]>'", "x = 1", "</p>", "<!-- a -- b -->", "]]>"]
)
def test_scripts_and_styles_are_protected(content):
    for name in ("script", "style"):
        root = etree.fromstring(normalize(f"<p><{name}>{content}</{name}>b").xhtml.encode())
        (element,) = root.iter(f"{{{NAMESPACE}}}{name}")
        assert element.text == content


def test_the_root_keeps_its_attributes_and_the_head_is_before_one_body():
    page = "<html lang=cs class=x><head><title>a&b</title></head><body id=y>c</body>d"
    wanted = (
        f'{HEAD}<html xmlns="{NAMESPACE}" lang="cs" class="x"><head><title>a&amp;b</title></head>'
        '<body id="y">c<div></div>d</body></html>\n'
    )
    assert normalize(page).xhtml == wanted


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1250", "iso-8859-2", "utf-16"])
def test_the_encoding_is_found_and_the_declaration_changed(encoding):
    page = (
        f"<meta charset={encoding}><meta http-equiv=content-type content='text/html; "
        f"charset={encoding}'><p>Žluťoučký kůň úpěl ďábelské ódy"
    )
    done = normalize(page.encode(encoding))
    assert "Žluťoučký kůň úpěl ďábelské ódy" in done.xhtml
    assert done.xhtml.count("utf-8") == 2
    assert encoding == "utf-8" or encoding not in done.xhtml


def test_deep_nesting_is_flattened_and_separates_what_it_separated():
    page = b"<div>" * 2000 + b"a<i>b</i>c" + b"</div>d" * 3
    check(page)
    assert normalize(page).kind == "html"


def test_a_page_that_resists_becomes_a_dump_of_its_text():
    page = b"<title>t</title><p>one<p title='" + b"x" * 11_000_000 + b"'>two &amp; three"
    done = normalize(page)
    assert done.kind == "text"
    assert "text only" in done.note
    check(page)
    assert "<title>t</title>" in done.xhtml
    assert done.xhtml.count("<p>") == 2


def test_a_text_too_long_for_the_parser_is_cut_without_a_trace():
    page = b"<p>" + b"word " * 2_500_000
    assert normalize(page).kind == "html"
    assert texts_of(normalize(page).xhtml) == texts_of(page)


# --- other documents -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", [SITEMAP, b"\xef\xbb\xbf" + SITEMAP])
def test_sitemaps_are_excluded_with_that_reason(page):
    with pytest.raises(PageError) as raised:
        normalize(page)
    assert raised.value.reason == "sitemap"
    kept = normalize(page, settings=Settings(normalize_exclude_sitemaps=False))
    assert "http://a.net/" in kept.xhtml


def test_converted_documents_are_read_directly():
    assert normalize(CONVERTED.encode("iso-8859-2")).kind == "converted"
    assert "<h1>Zpráva &amp; přílohy</h1>" in normalize(CONVERTED.encode("iso-8859-2")).xhtml
    rules = Settings(normalize_read_converted=False)
    assert normalize(CONVERTED, settings=rules).kind == "html"


def test_entities_of_a_document_are_not_expanded_and_lose_nothing(tmp_path):
    (tmp_path / "file").write_text("hidden words")
    for entity in (f'SYSTEM "file://{tmp_path}/file"', '"hidden words"'):
        page = (
            f"<!DOCTYPE document [<!ENTITY x {entity}>]>"
            "<document><page>before&x;after</page></document>"
        )
        root = etree.fromstring(normalize(page).xhtml.encode())
        assert "before&x;after" in "".join(root.itertext())
        assert "hidden words" not in root.xpath("string(//*[local-name()='page'])")


# --- configuration -------------------------------------------------------------------------------


def test_the_shipped_configuration_is_that_of_the_schema():
    assert load_settings() == Settings()
    assert "kitten" not in names()  # it is no configuration of a model


def test_every_rule_has_a_switch_and_typos_are_found():
    changed = load_settings("kitten", ("lists.flatten=false", "limits.bytes=10"))
    assert not changed.lists_flatten
    assert changed.limits == Limits(bytes=10)
    with pytest.raises(ConfigError, match="did you mean lists_flatten"):
        load_settings("kitten", ("lists.flaten=false",))


def test_the_configuration_of_the_paper_has_these_three():
    every = tuple(f"lists.every_{what}=true" for what in ("number", "item", "comma"))
    assert load_settings("kitten-paper") == load_settings("kitten", every)


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("function", "page", "fits", "exceeded", "reason"), ROWS["limits"])
def test_limits(function, page, fits, exceeded, reason):
    run, page = FUNCTIONS[function], written_out(page)
    run(page, Settings(limits=Limits(**fits)))
    with pytest.raises(PageError) as caught:
        run(page, Settings(limits=Limits(**exceeded)))
    assert caught.value.reason == reason


def test_the_shipped_limit_holds_by_itself():
    with pytest.raises(PageError, match="more than 20000000 bytes"):
        normalize(b"x" * 20_000_001)
