"""The forms there are, their options as users write them, and what each needs."""

import pytest
import strategies
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.rows import tables
from victor.api import Cleaner
from victor.config.schema import Scope
from victor.errors import ConfigError
from victor.labelers.labeler import build_labeler
from victor.page.plain_data import plain
from victor.page.table.texts import block_texts
from victor.render import cleaneval, html
from victor.render.forms import FORMS, Page, front_matter, renderer

ROWS = tables(__file__)


@pytest.mark.parametrize("name", FORMS)
def test_every_format_renders_any_page(name, judge):
    pages = "<p>first", "", "<p>second<p>third"
    verdict = judge(*pages, drop=[1])
    for number, page in enumerate(pages):
        whole = renderer(name)(Page(verdict, number, url="u", markup=page.encode()))
        shown = whole.partition("</style>")[2] or whole
        words = ("first" in shown, "second" in shown)
        assert words == (number == 0, False) or name == "records"
        assert ("third" in shown) == (number == 2)


URL = "http://x.cz/"
PAGE = """<html lang=en><title>On bees and ants | The Hive</title>
<p>They <b>live</b> in <a href=/c>colonies</a>.<img src=d.png>
<table><tr><th>a<th>b<tr><td>c<td>d</table>"""


@pytest.fixture(scope="module")
def cleaned():
    """Function: the result of a page of which all is kept."""
    labeler = build_labeler("none")

    def cleaned(page=PAGE, **scope):
        return Cleaner(labeler, scope=Scope(**scope)).clean(page, URL)

    return cleaned


@pytest.mark.parametrize("form", ["markdown", "article", "json"])
def test_switches_of_documents(cleaned, form):
    result = cleaned()
    more = {"fields": ("markdown",)} if form == "json" else {}
    whole = result.render(form, **more)
    for switch, trace in (
        ("links", "x.cz/c"),
        ("images", "x.cz/d.png"),
        ("formatting", {"markdown": "**live**", "json": "**live**"}.get(form, "<strong")),
        ("tables", {"markdown": "| a |", "json": "| a |"}.get(form, "<table")),
    ):
        assert trace in whole
        assert trace not in result.render(form, **more, **{switch: False})
        assert result.render(form, **more, **{switch: True}) == whole


@pytest.mark.parametrize(
    ("form", "options", "message"),
    ROWS["options_that_a_form_does_not_have"],
)
def test_options_that_a_form_does_not_have(cleaned, form, options, message):
    with pytest.raises(ConfigError) as error:
        cleaned().render(form, **options)
    assert message in str(error.value)


@pytest.mark.parametrize("name", FORMS)
def test_metadata_are_made_only_for_the_forms_that_show_them(judge, name):
    asked = []
    page = "<h1>On bees</h1><p>They live in colonies."
    renderer(name)(Page(judge(page), url="u", markup=page.encode(), found=asked.append))
    assert asked.count("metadata") == (name in {"article", "json"})


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_metadata_above_a_text(cleaned, form):
    result = cleaned()
    whole = result.render(form, with_metadata=True)
    above, _, below = whole[4:].partition("---\n\n")
    assert below == result.render(form)
    known = yaml.safe_load(above)
    assert (known["url"], known["title"]) == (URL, result.metadata["title"])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=4))
def test_safe_loaders_read_back_what_is_written(known):
    written = front_matter(known)
    written.encode()
    first, above, below = written.split("---\n")[0], written[4:-5], written[-5:]
    assert (first, below) == ("", "---\n\n")
    assert yaml.safe_load(above) == plain(known)
    assert [*yaml.safe_load(above)] == [*plain(known)], "in their order"


@pytest.mark.parametrize("markup", [None, b"<p>a<p>b"])
def test_without_the_markup_of_the_page_there_is_no_html(judge, markup):
    with pytest.raises(ConfigError, match="give"):
        html.render(Page(judge("<p>a"), markup=markup))


@given(page=strategies.page())
def test_a_precleaned_page_has_the_blocks_that_it_had(page, judge):
    assume(b"<object" not in page.lower())
    before = judge(page.decode())
    written = html.render(Page(before, markup=page), preclean=True)
    assert block_texts(judge(written).table) == block_texts(before.table)


def test_an_image_with_dropped_alternative_text_goes_unless_it_separates(judge):
    page = '<p>a <img alt="b" src="x"> c</p><p><img alt="d">e</p>'
    written = html.render(
        Page(judge(page, split="tag", alt_text=True, drop=[1, 3]), markup=page.encode())
    )
    assert '<p>a <img alt="" src="x"> c</p><p>e</p>' in written


@pytest.mark.parametrize("between", ["\n", "\r", "\0", "\u2028", "\ud800", "\x85"])
def test_an_address_is_one_line_of_characters(judge, between):
    """Whoever names an address does not add a paragraph to the page."""
    written = cleaneval.render(Page(judge("<p>a"), url=f"http://x.cz/{between}<p>b"))
    first, *others = written.splitlines()
    assert first.startswith("URL: http://x.cz/")
    assert others == ["<p>a"]
    assert "\0" not in written
    written.encode()
