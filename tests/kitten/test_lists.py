"""Lists: links, bullets, and lists that become sentences with the clause before them."""

import pytest

from victor.kitten.settings import load_settings

LONG = "the path that leads from the main gate past the pond to the eastern tower of the castle"


def page(clause, items, name="ul"):
    item = "dd" if name == "dl" else "li"
    listed = "".join(f"<{item}>{each}</{item}>" for each in items)
    return f"<p>{clause}</p><{name}>{listed}</{name}>"


def links(*texts, around=""):
    items = "".join(f"<li><a href=/>{text}</a>{around}</li>" for text in texts)
    return f"<ul>{items}</ul>"


# --- A list and the clause before it --------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "clause", "items", "sentences"),
    [
        ("en", "It holds all we need:", ["two cups", "a box;", "a blanket, and", "tea."],
         "It holds all we need: two cups, a box; a blanket, and tea."),
        ("en", "He should not:", ["drive a car", "lift;", "swim"],
         "He should not drive a car.|He should not lift.|He should not swim."),
        ("fr", "On peut payer par :", ["carte", "chèque"],
         "On peut payer par carte.|On peut payer par chèque."),
        ("cs", "Zájezd je pro:", ["rodiny", "školy"], "Zájezd je pro rodiny.|Zájezd je pro školy."),
        ("de", "Wir reisen mit:", ["Zug", "Bus"], "Wir reisen mit Zug.|Wir reisen mit Bus."),
        ("en", "You pay WITH:", ["cash", "card"], "You pay WITH cash.|You pay WITH card."),
        ("en", "Bring this (we asked for):", ["tea"], "Bring this (we asked for): tea."),
        ("xx", "We go by:", ["train", "bus"], "We go by: train, bus."),
        # The whole clause, the last sentence of its paragraph, and once for an item.
        ("en", "We came, as Dr. Novák did. We saw:", ["bees", "ants"],
         "We came, as Dr. Novák did.|We saw: bees, ants."),
        ("en", "Go. Do not leave, and stay on:", ["walk in;", "do not speak:"],
         "Go.|Do not leave, and stay on walk in.|Do not leave, and stay on do not speak."),
        ("en", "You should:", ["rest<p>It helps</p>", "drink"],
         "You should rest.|It helps.|You should drink."),
        # Items of several lines, and lists in lists, stay as they are.
        ("en", "We saw this:", ["a<br>B", "b"], "We saw this:|a|B.|b."),
        ("en", "We saw this:", ["bees", "ants <ul><li>red</ul>"], "We saw this:|bees.|ants.|red."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["ul", "ol", "dl"])
def test_lists_join_the_clause_before_them(lines, name, lang, clause, items, sentences):
    assert lines(page(clause, items, name), lang=lang) == sentences.split("|")


def test_the_language_is_what_the_page_says_else_that_of_its_words(lines):
    french = page("On peut payer par:", ["carte", "chèque"])
    repeated = ["On peut payer par carte.", "On peut payer par chèque."]
    said = "<p>Il est dans la maison et sur la table pour deux jours.</p>"
    assert lines(f"<html lang=fr-CA>{french}", lang="null") == repeated
    assert lines(f"{said}{french}", lang="null")[1:] == repeated
    assert lines(f"<html lang=en>{french}", lang="null") == ["On peut payer par: carte, chèque."]


def test_items_of_a_median_length_at_the_limit_stay_sentences(lines):
    short, at_limit = "x" * 59, "y" * 60
    assert len(lines(page("We saw this:", [at_limit, short, short]))) == 1
    assert len(lines(page("We saw this:", [at_limit, at_limit, short]))) == 4
    markup = page("We saw this:", [at_limit, at_limit, short])
    assert len(lines(markup, "lists.flat_length=61")) == 1


@pytest.mark.parametrize(
    ("end", "ended"),
    [("", "."), ("?", "?"), (",", "."), (" ;", "."), (":", "."), (" (by foot)", " (by foot)."),
     (" –", " –."), (" “no”", " “no”."), (" “no.”", " “no.”")],
)  # fmt: skip
def test_long_items_are_sentences_each(lines, end, ended):
    expected = ["There are two ways:", f"{LONG}{ended}", f"{LONG}."]
    assert lines(page("There are two ways:", [LONG + end, LONG])) == expected


@pytest.mark.parametrize(
    ("items", "joined"),
    [
        (["bees,", "ants;"], "bees, ants."),
        (["bees.", "ants."], "bees. ants."),
        (["Who?", "ants!"], "Who? ants!"),
        (["“Who?”", "ants"], "“Who?” ants."),
        (["bees (two)", "ants –"], "bees (two), ants –."),
        (["bees:", "ants:"], "bees, ants."),
        (["One. Two things.", "b"], "One. Two things. b."),
    ],
)
def test_items_of_a_sentence_keep_their_marks_or_get_commas(lines, items, joined):
    assert lines(page("We saw this:", items)) == [f"We saw this: {joined}"]


@pytest.mark.parametrize(
    "markup",
    [
        "<p>No colon</p><ul><li>a<li>b</ul>",
        "<p>Two levels:</p><ul><li>a<li>b<ul><li>c</ul></ul>",
        "<ul><li>In an item:<ul><li>a<li>b</ul></ul>",
        "<ul><li>In another list:</ul><ul><li>a<li>b</ul>",
        "<table><tr><td>In a table:</table><ul><li>a<li>b</ul>",
        "<p>Terms:</p><dl><dt>a<dd>b</dl>",
        "<p>Text between:</p><p>x</p><ul><li>a<li>b</ul>",
    ],
)
def test_other_lists_are_not_joined(lines, markup):
    assert lines(markup) == lines(markup, "lists.flatten=false")


@pytest.mark.parametrize(
    ("switch", "markup", "sentences"),
    [
        ("repeat_triggers=false", page("Do not:", ["drive", "swim"]), "Do not: drive, swim."),
        ("flatten=false", page("Do not:", ["drive", "swim"]), "Do not:|drive.|swim."),
        # As published every list of one level joins its clause, whole items are repeated, and
        # every item without a mark gets a comma.
        ("every_item=true", "<p>We saw:</p><ul><li>bees<p>They hum</p><li>ants<br>Red</ul>",
         "We saw: bees They hum, ants Red."),
        ("every_item=true", "<p>We saw:</p><dl><dt>a<dd>b<dt>c<dd>d</dl>", "We saw: a, b, c, d."),
        ("every_item=true", "<p>We saw:</p><ul><li>a<ul><li>b</ul></ul>", "We saw:|a.|b."),
        ("every_item=true", page("You should:", ["rest<p>it helps</p>", "drink"]),
         "You should rest it helps.|You should drink."),
        ("every_comma=true", page("We saw:", ["a blanket, and", "tea"]),
         "We saw: a blanket, and, tea."),
        ("every_comma=true", page("We saw:", ["bees:", "Who?", "ants:"]),
         "We saw: bees:, Who? ants."),
    ],
)  # fmt: skip
def test_switches(lines, switch, markup, sentences):
    assert lines(markup, f"lists.{switch}") == sentences.split("|")


def test_the_configuration_of_the_paper_has_these_three():
    every = tuple(f"lists.every_{what}=true" for what in ("number", "item", "comma"))
    assert load_settings("kitten-paper") == load_settings("kitten", every)


# --- Links ----------------------------------------------------------------------------------------


def test_lists_of_links_lose_short_items_and_archive_them(kitten):
    items = ("Home", "one two three four", "one two three four five")
    shown, dropped = kitten(links(*items))
    assert shown == ["one two three four five."]
    assert dropped == [("link-item", "Home"), ("link-item", "one two three four")]
    assert kitten(links(*items), "lists.drop_links=false")[1] == []
    assert kitten(links(*items), "lists.link_words=4")[1] == [("link-item", "Home")]


@pytest.mark.parametrize(
    ("markup", "gone"),
    [
        (links("a b", "c d", around=" |"), 2),
        ("<dl><dt><a>one</a><dd><a>two</a></dl>", 2),
        (links("a b", "c d", around=" e"), 0),
        ("<ul><li><a>Adults</a><li><a>Children</a><li>Price: 12 euro</ul>", 0),
        ("<p><a>one two</a></p><ul><li>|<li>•</ul>", 0),
        # A list in the list is judged by itself, text in no item is an item, titles are no words.
        ("<ul><li><a>Home</a><ul><li>plain text<li>more</ul><li><a>Shop</a></ul>", 2),
        ("<ul><p><a>one two three</a></p><p><a>four five six</a></p></ul>", 2),
        (links("<abbr title='one two three four five'>otf</abbr>"), 1),
    ],
)
def test_a_list_of_links_holds_nothing_else(dropped, markup, gone):
    assert len(dropped(markup, "lists.drop_bullets=false")) == gone


# --- Bullets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "left"),
    [
        (["* a", "- b", "– c", "•d", "◦ e"], "a. b. c. d. e."),
        (["1. a", "2. b"], "a. b."),
        (["(1) a", "(2) b"], "a. b."),
        (["a) x", "y"], "x. y."),
        (["B. x", "C. y"], "x. y."),
        (["* a", "b"], "a. b."),
        (["1 eins", "2. zwei", "3) drei"], "eins. zwei. drei."),
        (["1 - first", "2 - second"], "first. second."),
        (["3: c", "4: d"], "c. d."),
        (["1. a", "b", "2. c"], "a. b. c."),
        (["* a", "- b", "1. c", "a) d"], "a. b. c. d."),
    ],
)
def test_bullets_are_dropped_and_archived(kitten, items, left):
    shown, dropped = kitten(page("List", items))
    assert " ".join(shown[1:]) == left
    assert {rule for rule, _ in dropped} == {"bullet"}
    assert kitten(page("List", items), "lists.drop_bullets=false")[1] == []


@pytest.mark.parametrize(
    "items",
    [
        ["1. května", "8. května"],
        ["1. května"],
        ["J. Novák", "K. Svoboda", "P. Malý"],
        ["-5 degrees", "*note"],
        ["1. a", "b"],
        ["1.5 litres", "2.5 litres"],
        ["2 eggs", "3 onions"],
        ["1 day", "2 days", "3 days"],
        ["1 - 0 Sparta", "2 - 1 Slavia"],
        ["(c) 2008 A", "(d) B", "C"],
        ["1", "2"],
        ["a house", "b flat"],
    ],
)
def test_dates_initials_and_numbers_are_no_bullets(dropped, items):
    assert dropped(page("List", items)) == []


@pytest.mark.parametrize(
    ("items", "left"),
    [
        (["1 day", "2 days"], "day. days."),
        (["1. května"], "května."),
        (["2 - 1 Slavia", "a"], "2 - 1 Slavia. a."),
        (["J. Novák", "K. Svoboda", "P. Malý"], "J. Novák. K. Svoboda. P. Malý."),
        (["1.5 litres", "1984", "-5 degrees"], "1.5 litres. 1984. -5 degrees."),
    ],
)
def test_as_published_every_number_before_an_item_is_a_bullet(lines, items, left):
    assert " ".join(lines(page("List", items), "lists.every_number=true")[1:]) == left


@pytest.mark.parametrize("lang", ["en", "cs", "fr"])
def test_a_bullet_alone_vanishes_and_a_number_that_stays_does_not_stand_alone(kitten, lang):
    assert kitten("<ul><li>•<li>a</ul>", lang=lang) == (["a."], [("bullet", "•")])
    assert kitten("<ul><li>1. third thing<li>b</ul>", lang=lang)[0] == ["1. third thing.", "b."]
    assert kitten("<h2>III. Introduction</h2>", lang=lang)[0] == ["III. Introduction."]
