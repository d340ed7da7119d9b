"""Options of forms as users write them."""

from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from victor.api import Cleaner
from victor.config.schema import Scope
from victor.errors import ConfigError
from victor.labelers.labeler import build_labeler
from victor.render.forms import FORMS
from victor.render.tree.posts import missing_headline

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


@pytest.mark.parametrize("form", ["markdown", "article", "tei", "json"])
def test_switches_of_documents(cleaned, form):
    result = cleaned()
    more = {"fields": ("markdown",)} if form == "json" else {}
    whole = result.render(form, **more)
    for switch, trace in (
        ("links", "x.cz/c"),
        ("images", "x.cz/d.png"),
        (
            "formatting",
            {"markdown": "**live**", "json": "**live**", "tei": "bold"}.get(form, "<strong"),
        ),
        ("tables", {"markdown": "| a |", "json": "| a |"}.get(form, "<table")),
    ):
        assert trace in whole
        assert trace not in result.render(form, **more, **{switch: False})
        assert result.render(form, **more, **{switch: True}) == whole


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("text", {"links": False}, "the form text has no option 'links'; it has "),
        ("markdown", {"lnks": False}, "no option 'lnks'; it has formatting, headline, images, "),
        ("markdown", {"links": "no"}, "links is a switch, true or false, not 'no'"),
        ("markdown", {"markup": b""}, "no option 'markup'"),
        ("html", {"with_metadata": True}, "the form html has no option 'with_metadata'"),
        ("cleaneval", {"headline": True}, "no option 'headline'; it has none"),
        ("json", {"fields": ["html"]}, "no field 'html'"),
    ],
)
def test_options_that_a_form_does_not_have(cleaned, form, options, message):
    with pytest.raises(ConfigError) as error:
        cleaned().render(form, **options)
    assert message in str(error.value)


@pytest.mark.parametrize("form", FORMS)
def test_metadata_are_made_only_for_the_forms_that_show_them(cleaned, form):
    result = cleaned("<h1>On bees</h1><p>They live in colonies.")
    asked = []

    class Metadata(dict):
        def get(self, *arguments):
            asked.append(1)
            return super().get(*arguments)

        def items(self):
            asked.append(1)
            return super().items()

    object.__setattr__(result, "metadata", Metadata())
    result.render(form)
    assert bool(asked) == (form in {"article", "tei", "json"})


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_metadata_above_a_text(cleaned, form):
    result = cleaned()
    whole = result.render(form, with_metadata=True)
    above, _, below = whole[4:].partition("---\n\n")
    assert below == result.render(form)
    known = yaml.safe_load(above)
    assert (known["url"], known["title"]) == (URL, result.metadata["title"])


class TestHeadline:
    TITLE = "On bees and ants"
    DROPPED = (
        f"<title>{TITLE}</title><h1>{TITLE}</h1><p>By Ann Lee"
        f"<article>{'<p>They live in colonies of many. ' * 9}</article>"
    )

    def test_the_title_of_a_page_that_has_no_headline(self, cleaned):
        page = f"<title>{self.TITLE}</title><p>They live in colonies."
        result = cleaned(page)
        assert result.markdown == f"# {self.TITLE}\n\nThey live in colonies.\n"
        assert f"<h1>{self.TITLE}</h1>\n<p class" in result.article
        assert self.TITLE not in result.text
        assert result.render("markdown", headline=False) == "They live in colonies.\n"
        assert self.TITLE not in result.render("tei").partition("<body>")[2]
        assert self.TITLE in result.render("tei", headline=True).partition("<body>")[2]

    @pytest.mark.parametrize("title", [TITLE, TITLE.upper(), f"{TITLE} | The Hive"])
    def test_a_kept_heading_that_says_it_is_enough(self, cleaned, title):
        page = f"<title>{title}</title><h2>On <i>bees</i> and ants</h2><p>They live."
        assert cleaned(page).markdown.startswith("## On *bees* and ants\n")

    @pytest.mark.parametrize(
        ("title", "heading", "says_it"),
        [
            ("Bees", "How bees live", False),
            ("Bees", "Beeswax: how it is made", False),
            ("On bees", "Bees", False),
            ("Bees", "Bees: an introduction", True),
            ("Bees – a life in the hive", "Bees", True),
            ("The Hive | Bees", "Bees", True),
        ],
    )
    @pytest.mark.parametrize(("words", "is_above"), [(9, True), (10, False)])
    def test_only_the_same_words_above_the_text_say_a_title(
        self, judge, title, heading, says_it, words, is_above
    ):
        verdict = judge(f"<p>{'word ' * words}<h2>{heading}</h2><p>They live.")
        wanted = "" if says_it and is_above else title
        assert missing_headline(verdict, 0, lambda: title) == wanted

    def test_a_headline_that_is_not_kept(self, judge):
        verdict = judge("<h1>a <i>b</i></h1><p>c", drop=[0])
        verdict = verdict.with_kinds(SimpleNamespace(is_headline=np.array([True, False])))
        assert missing_headline(verdict, 0, lambda: pytest.fail("not needed")) == "a b"

    def test_the_scope_says_whether_there_is_one(self, cleaned):
        page = f"<title>{self.TITLE}</title><p>They live in colonies."
        result = cleaned(page, headline=False)
        assert (result.missing_headline, result.blocks[-1].markdown_range) == ("", (0, 22))
        for form in ("markdown", "article", "tei"):
            wanted = cleaned(page, headline=True).render(form)
            assert result.render(form) == result.render(form, headline=True)
            assert result.render(form) == cleaned(page).render(form, headline=False)
            assert wanted == cleaned(page).render(form, headline=True) != result.render(form)

    def test_no_headline_by_the_scope(self, cleaned):
        result = cleaned(self.DROPPED, headline=False)
        assert self.TITLE not in result.text
        assert self.TITLE not in result.markdown
        assert cleaned(self.DROPPED).markdown.startswith(f"# {self.TITLE}\n")

    @pytest.mark.parametrize("title", ["", "\n", f"{'x':2000}y"])
    def test_titles_that_are_none(self, judge, title):
        assert missing_headline(judge("<p>a"), 0, lambda: title) == ""
        assert missing_headline(judge("<p>a", drop=[0]), 0, lambda: "b") == ""

    def test_the_longest_title(self, judge):
        assert missing_headline(judge("<p>a"), 0, lambda: f"{'x':1999}y") == "x y"
