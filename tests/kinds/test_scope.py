"""Which parts of a page a scope keeps, in all forms of output.

Single pages of each rule are in tests/cases/kinds.
"""

import json

import pytest
from msgspec.structs import replace

import victor
from tests.rows import tables
from victor.api import Cleaner, load_cleaner
from victor.base.labels import Label
from victor.config.layers import load
from victor.config.schema import SCOPES, Scope
from victor.errors import ConfigError
from victor.labelers.crf import load_model
from victor.labelers.labeler import build_labeler

TEXTS = tables(__file__)["texts"]
HEADLINE = "Ferry to Skarne sails again after nine weeks"
COMMENT = "Well done."


@pytest.fixture(scope="module")
def model():
    return load_model("crf")


@pytest.fixture
def result(long_texts, page):
    """Function: the result of the page by a scope."""
    return lambda **scope: Cleaner(long_texts, scope=Scope(**scope)).clean(page)


@pytest.mark.parametrize("name", SCOPES)
def test_golden_texts(result, name):
    assert result(name=name).text == TEXTS[name]


def test_main_is_what_the_labeler_keeps(long_texts, page, result):
    main = result()
    assert main.labels.tolist() == long_texts.label(long_texts.table([page])).labels.tolist()
    assert "scope" not in {block.reason for block in main.blocks}


@pytest.mark.parametrize("name", SCOPES)
@pytest.mark.parametrize(("part", "sample"), [("headline", HEADLINE), ("comments", COMMENT)])
def test_a_switch_decides_its_part_in_every_scope_and_leaves_all_else(result, name, part, sample):
    has, lacks = (result(name=name, **{part: given}).text.split("\n") for given in (True, False))
    assert sample in has
    assert sample not in lacks
    assert [line for line in lacks if line not in has] == []


def test_added_headings_are_headings(result):
    article = result(name="article")
    assert article.markdown.startswith(f"# {HEADLINE}\n")
    added = {block.text: block.label for block in article.blocks if block.reason == "scope"}
    assert added[HEADLINE] == "header"


def test_blocks_and_records_say_kind_and_reason(result):
    article = result(name="article")
    head, *records = [json.loads(line) for line in article.render("records").splitlines()]
    usual = {"header": ("heading", "kept"), "text": ("text", "kept")}
    for record, block in zip(records, article.blocks, strict=True):
        assert block.label == record.get("label", "other")
        kind, reason = usual.get(block.label, ("other", head["dropped"]))
        assert block.kind == record.get("kind", kind)
        assert block.reason == record.get("reason", reason)
    by_scope = {block.kind for block in article.blocks if block.reason == "scope"}
    assert by_scope == {"headline", "comment"}


@pytest.mark.parametrize("name", SCOPES)
def test_a_page_of_which_nothing_is_kept_stays_empty(long_texts, name):
    page = b"<title>Bees</title><h1>Bees</h1><p>By Ann<figure><figcaption>A hive</figcaption>"
    result = Cleaner(long_texts, scope=Scope(name=name)).clean(page)
    assert (result.text, result.reason) == ("", "no-content")


def test_all_forms_are_of_the_same_scope(result):
    for form in ("text", "markdown", "html", "cleaneval"):
        rendered = result(name="article").render(form)
        assert "Sheep first" in rendered
        assert "sheep do not like to be kept waiting" not in rendered


def test_the_configuration_of_a_model_says_its_scope(model):
    config = model.config.replace(scope=Scope(name="article"))
    article = replace(model, config=config)
    assert load_cleaner(article).scope.name == "article"
    assert load_cleaner(article, scope="full").scope.name == "full"
    assert load_cleaner(model).scope == Scope()


def test_clean_takes_a_name_or_switches(model, page):
    with_switch = victor.clean(page, model=model, threshold=1.0, scope=Scope(comments=False))
    assert COMMENT not in with_switch.text
    assert HEADLINE in victor.clean(page, model=model, threshold=1.0, scope="article").text
    with pytest.raises(ConfigError, match="main"):
        victor.clean(page, model=model, scope="everything")


def test_every_change_has_its_reason(result):
    full = result(name="full")
    for before, after in zip(result().blocks, full.blocks, strict=True):
        assert (before.label != after.label) == (after.reason == "scope")
    assert Label.HEADER in full.labels


@pytest.mark.parametrize(("told", "stays"), [(None, False), ("article", False), ("forum", True)])
def test_a_page_that_is_told_to_be_a_thread_keeps_its_headline(told, stays):
    words = "The bees of our hive swarmed on Monday, and none of the keepers saw it happen. "
    page = f"<h1>Why do bees swarm?</h1><p>{words * 4}</p><p>{words * 3}</p>"
    result = load_cleaner(page_type=told).clean(page)
    assert words.strip() in result.text
    assert ("Why do bees swarm?" in result.text) == stays


def test_labels_are_the_own_word_of_the_chain():
    words = "The ferry sailed to the island with nine goats and a crate of pears on board. "
    page = (
        f"<main><h1>{HEADLINE}</h1><p>{words * 5}<p>{words * 4}<h2>More of it</h2></main>".encode()
    )
    main, own = (load_cleaner(scope=name).clean(page) for name in ("main", "labels"))
    labeler = load_cleaner().labeler
    assert own.labels.tolist() == labeler.label(labeler.table([page])).labels.tolist()
    assert HEADLINE in own.text
    assert HEADLINE not in main.text


def test_systems_as_they_were_published_label_in_their_own_words():
    for name in ("density", "dom"):
        assert Cleaner(build_labeler(name, f"{name}-paper")).scope.name == "labels"
    for name in ("victor-paper", "victor2007", "victor2008"):
        assert load(name).scope.name == "labels"
