"""Which parts of a page a scope keeps, in all forms of output."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import victor
from victor.api import Cleaner, load_cleaner
from victor.base.labels import Label
from victor.config.layers import load
from victor.config.schema import SCOPES, Scope
from victor.errors import ConfigError
from victor.labelers.crf import load_model
from victor.labelers.labeler import build_labeler

GOLDEN = Path(__file__).parent / "scopes"
HEADLINE = "Ferry to Skarne sails again after nine weeks"
COMMENT = "Well done."


@pytest.fixture(scope="module")
def model():
    return load_model("crf")


@pytest.fixture
def text(long_texts, page):
    """Function: a scope to the text of the page."""

    def clean(**scope):
        return Cleaner(long_texts, scope=Scope(**scope)).clean(page).text

    return clean


@pytest.mark.parametrize("name", SCOPES)
def test_golden_texts(text, name):
    assert text(name=name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_main_is_what_the_labeler_keeps(long_texts, page):
    table = long_texts.table([page])
    result = Cleaner(long_texts).clean(page)
    assert result.labels.tolist() == long_texts.label(table).labels.tolist()
    assert "scope" not in {block.reason for block in result.blocks}


@pytest.mark.parametrize("name", SCOPES)
@pytest.mark.parametrize(("part", "sample"), [("headline", HEADLINE), ("comments", COMMENT)])
def test_a_switch_decides_its_part_in_every_scope(text, name, part, sample):
    assert sample in text(name=name, **{part: True}).split("\n")
    assert sample not in text(name=name, **{part: False}).split("\n")


def test_a_switch_leaves_all_else(text):
    kept = text(name="article").split("\n\n")
    without = text(name="article", headline=False).split("\n\n")
    assert kept[0] == HEADLINE
    assert kept[1:] == without


def test_names_and_buttons_of_comments_stay_out(text):
    assert "Marek says" not in text(name="full")
    assert "Your e-mail address" not in text(comments=False)


def test_added_headings_are_headings(long_texts, page):
    result = Cleaner(long_texts, scope=Scope(name="article")).clean(page)
    assert result.markdown.startswith(f"# {HEADLINE}\n")
    added = {block.text: block.label for block in result.blocks if block.reason == "scope"}
    assert added[HEADLINE] == "header"


def test_blocks_and_records_say_kind_and_reason(long_texts, page):
    result = Cleaner(long_texts, scope=Scope(name="article")).clean(page)
    head, *records = [json.loads(line) for line in result.render("records").splitlines()]
    usual = {"header": ("heading", "kept"), "text": ("text", "kept")}
    for record, block in zip(records, result.blocks, strict=True):
        assert block.label == record.get("label", "other")
        kind, reason = usual.get(block.label, ("other", head["dropped"]))
        assert block.kind == record.get("kind", kind)
        assert block.reason == record.get("reason", reason)
    by_scope = {block.kind for block in result.blocks if block.reason == "scope"}
    assert by_scope == {"headline", "comment"}


@pytest.mark.parametrize("name", SCOPES)
def test_a_page_of_which_nothing_is_kept_stays_empty(long_texts, name):
    page = b"<title>Bees</title><h1>Bees</h1><p>By Ann<figure><figcaption>A hive</figcaption>"
    result = Cleaner(long_texts, scope=Scope(name=name)).clean(page)
    assert (result.text, result.reason) == ("", "no-content")


def test_all_forms_are_of_the_same_scope(long_texts, page):
    result = Cleaner(long_texts, scope=Scope(name="article")).clean(page)
    for form in ("text", "markdown", "html", "cleaneval"):
        rendered = result.render(form)
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


def test_every_change_has_its_reason(long_texts, page):
    main, full = (Cleaner(long_texts, scope=Scope(name=n)).clean(page) for n in ("main", "full"))
    for before, after in zip(main.blocks, full.blocks, strict=True):
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


@pytest.mark.parametrize("name", ["density-paper", "dom-paper"])
def test_systems_as_they_were_published_label_in_their_own_words(name):
    labeler = build_labeler(name.removesuffix("-paper"), name)
    assert Cleaner(labeler).scope.name == "labels"


@pytest.mark.parametrize("name", ["victor-paper", "victor2007", "victor2008"])
def test_the_published_chains_do_so_too(name):
    assert load(name).scope.name == "labels"
