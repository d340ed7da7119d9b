"""Lists: links, bullets, and lists that become sentences with the clause before them.

The examples of the paper are in `test_paper`.
"""

import pytest

from victor.kitten.settings import load_settings

SHORT = (
    "The parcel holds all we need:",
    ["two candles", "a box of matches;", "a blanket, and", "tea."],
    ["The parcel holds all we need: two candles, a box of matches; a blanket, and tea."],
)
TRIGGER = (
    "After the operation the patient should not:",
    ["drive a car", "lift more than five kilos;", "swim"],
    [
        "After the operation the patient should not drive a car.",
        "After the operation the patient should not lift more than five kilos.",
        "After the operation the patient should not swim.",
    ],
)
"""Introductory clause, items, and the sentences that they make."""
LONG = "the path that leads from the main gate past the pond to the eastern tower of the castle"


def page(clause, items, name="ul"):
    item = "dd" if name == "dl" else "li"
    return (
        f"<p>{clause}</p><{name}>" + "".join(f"<{item}>{i}</{item}>" for i in items) + f"</{name}>"
    )


def links(*texts, around=""):
    items = "".join(f"<li><a href=/>{text}</a>{around}</li>" for text in texts)
    return f"<ul>{items}</ul>"


# --- flattening ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "items", "sentences"), [SHORT, TRIGGER])
@pytest.mark.parametrize("name", ["ul", "ol", "dl"])
def test_short_lists(lines, clause, items, sentences, name):
    assert lines(page(clause, items, name)) == sentences


@pytest.mark.parametrize(
    ("lang", "clause", "items", "sentences"),
    [
        ("fr", "On peut payer par :", ["carte", "chèque"],
         ["On peut payer par carte.", "On peut payer par chèque."]),
        ("cs", "Zájezd je pro:", ["rodiny", "školy"],
         ["Zájezd je pro rodiny.", "Zájezd je pro školy."]),
        ("cs", "Hosté nesmějí:", ["kouřit", "rušit klid"],
         ["Hosté nesmějí kouřit.", "Hosté nesmějí rušit klid."]),
        ("de", "Wir reisen mit:", ["Zug", "Bus"], ["Wir reisen mit Zug.", "Wir reisen mit Bus."]),
        ("en", "You pay WITH:", ["cash", "card"], ["You pay WITH cash.", "You pay WITH card."]),
        ("en", "Bring what is listed below:", ["cups", "tea"],
         ["Bring what is listed below: cups, tea."]),
        ("en", "Bring this (we asked for):", ["tea"], ["Bring this (we asked for): tea."]),
        ("xx", "We go by:", ["train", "bus"], ["We go by: train, bus."]),
    ],
)  # fmt: skip
def test_triggers_are_those_of_the_language(lines, lang, clause, items, sentences):
    assert lines(page(clause, items), lang=lang) == sentences


def test_the_language_is_what_the_page_says_else_that_of_its_words(lines):
    french = page("On peut payer par:", ["carte", "chèque"])
    repeated = ["On peut payer par carte.", "On peut payer par chèque."]
    assert lines(f"<html lang=fr-CA>{french}", lang="null") == repeated
    assert lines(f"<p>Il est dans la maison et sur la table pour deux jours.</p>{french}",
                 lang="null")[1:] == repeated  # fmt: skip
    assert lines(f"<html lang=en>{french}", lang="null") == ["On peut payer par: carte, chèque."]


def test_items_of_a_median_length_at_the_limit_stay_sentences(lines):
    short, at_limit = "x" * 59, "y" * 60
    clause = "We saw this:"
    assert len(lines(page(clause, [at_limit, short, short]))) == 1
    assert len(lines(page(clause, [at_limit, at_limit, short]))) == 4
    assert len(lines(page(clause, [at_limit, at_limit, short]), "lists.flat_length=61")) == 1


@pytest.mark.parametrize(
    ("end", "ended"),
    [
        ("", "."),
        (".", "."),
        ("?", "?"),
        (",", "."),
        (";", "."),
        (":", "."),
        (" ;", "."),
        (" (by foot)", " (by foot)."),
        (" –", " –."),
        (" “no”", " “no”."),
        (" “no.”", " “no.”"),
    ],
)
def test_long_items_are_sentences_each(lines, end, ended):
    expected = ["There are two ways:", f"{LONG}{ended}", f"{LONG}."]
    assert lines(page("There are two ways:", [LONG + end, LONG])) == expected


def test_the_colon_of_an_item_that_goes_on_stays(lines):
    items = [f"{LONG}:<p>by bus;</p>", LONG]
    assert lines(page("There are two ways:", items))[1:3] == [f"{LONG}:", "by bus."]


@pytest.mark.parametrize("items", [["walk in;", "do not speak:"], [LONG, f"{LONG}. It is far"]])
def test_the_whole_clause_is_repeated_with_every_item(lines, items):
    clause = "Do not leave, and stay on"
    first, second = (item.rstrip(";:") for item in items)
    assert lines(page(f"Go there. {clause}:", items)) == [
        "Go there.",
        f"{clause} {first}.",
        *f"{clause} {second}.".replace(". It", ".|It").split("|"),
    ]


def test_an_item_of_paragraphs_has_the_clause_once(lines):
    assert lines(page("You should:", ["rest<p>It helps</p>", "drink"])) == [
        "You should rest.",
        "It helps.",
        "You should drink.",
    ]


def test_only_the_last_sentence_of_the_paragraph_is_the_clause(lines):
    assert lines(page("We came late, as Dr. Novák did. We saw:", ["bees", "ants"])) == [
        "We came late, as Dr. Novák did.",
        "We saw: bees, ants.",
    ]


@pytest.mark.parametrize("items", [["a<br>B", "b"], ["a<p>c", "b"]])
def test_items_of_several_lines_are_not_joined(lines, items):
    assert lines(page("We saw this:", items))[0] == "We saw this:"


def test_a_list_with_a_list_in_it_stays_one(lines):
    nested = ["bees", "ants <ul><li>red<li>black</ul>"]
    assert lines(page("We saw this:", nested)) == [
        "We saw this:",
        "bees.",
        "ants.",
        "red.",
        "black.",
    ]


@pytest.mark.parametrize(
    ("items", "joined"),
    [
        (["bees,", "ants;"], "bees, ants."),
        (["bees;", "ants,"], "bees; ants."),
        (["bees.", "ants."], "bees. ants."),
        (["Who?", "ants"], "Who? ants."),
        (["Run!", "ants!"], "Run! ants!"),
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
        "<p>Two levels:</p><ul><li>a<ul><li>b</ul><li>c</ul>",
        "<p>Two levels:</p><ul><li>a<li>b<ul><li>c</ul></ul>",
        "<ul><li>In an item:<ul><li>a<li>b</ul></ul>",
        "<ul><li>In another list:</ul><ul><li>a<li>b</ul>",
        "<table><tr><td>In a table:</table><ul><li>a<li>b</ul>",
        "<p>Terms:</p><dl><dt>a<dd>b</dl>",
        "<p>Text between:</p><p>x</p><ul><li>a<li>b</ul>",
        "<ul><li>a<li>b</ul>",
    ],
)
def test_other_lists_are_not_joined(lines, markup):
    assert lines(markup) == lines(markup, "lists.flatten=false")


def test_switches(lines):
    clause, items, _ = TRIGGER
    assert lines(page(clause, items), "lists.repeat_triggers=false") == [
        f"{clause} drive a car, lift more than five kilos; swim."
    ]
    assert lines(page(clause, items), "lists.flatten=false") == [
        clause,
        "drive a car.",
        "lift more than five kilos.",
        "swim.",
    ]


@pytest.mark.parametrize(
    ("markup", "sentences"),
    [
        ("<ul><li>bees<p>They hum</p><li>ants<br>Red</ul>", ["We saw: bees They hum, ants Red."]),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", ["We saw: a, b, c, d."]),
        (f"<ul><li>{LONG}<p>a b</p><li>{LONG}<p>c</ul>",
         ["We saw:", f"{LONG} a b.", f"{LONG} c."]),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["We saw:", "a.", "b.", "c."]),
    ],
)  # fmt: skip
def test_as_published_every_list_of_one_level_joins_its_clause(lines, markup, sentences):
    assert lines(f"<p>We saw:</p>{markup}", "lists.every_item=true") == sentences


def test_as_published_a_clause_is_repeated_with_whole_items(lines):
    markup = page("You should:", ["rest<p>it helps</p>", "drink"])
    expected = ["You should rest it helps.", "You should drink."]
    assert lines(markup, "lists.every_item=true") == expected


@pytest.mark.parametrize(
    ("items", "joined"),
    [
        (["a blanket, and", "tea"], "a blanket, and, tea."),
        (["bees:", "ants:"], "bees:, ants."),
        (["bees;", "Who?", "ants"], "bees; Who? ants."),
    ],
)
def test_as_published_every_item_without_a_mark_gets_a_comma(lines, items, joined):
    assert lines(page("We saw:", items), "lists.every_comma=true") == [f"We saw: {joined}"]


def test_the_configuration_of_the_paper_has_these_three():
    changed = load_settings(
        "kitten", tuple(f"lists.every_{x}=true" for x in ("number", "item", "comma"))
    )
    assert load_settings("kitten-paper") == changed


# --- links ---------------------------------------------------------------------------------------


def test_lists_of_links_lose_short_items_and_archive_them(kitten):
    shown, dropped = kitten(links("Home", "one two three four", "one two three four five"))
    assert shown == ["one two three four five."]
    assert dropped == [("link-item", "Home"), ("link-item", "one two three four")]


@pytest.mark.parametrize(
    ("markup", "goes"),
    [
        (links("a b", "c d", around=" |"), True),
        ("<ul><li><a>a</a><li>•<li><a>b</a> <a>c</a></ul>", True),
        ("<dl><dt><a>one</a><dd><a>two</a></dl>", True),
        (links("a b", "c d", around=" e"), False),
        ("<ul><li><a>Adults</a><li><a>Children</a><li>Price: 12 euro</ul>", False),
        ("<p><a>one two</a></p>", False),
        ("<ul><li>one two<li>three</ul>", False),
        ("<ul><li>|<li>•</ul>", False),
    ],
)
def test_a_list_of_links_holds_nothing_else(kitten, markup, goes):
    dropped = kitten(markup, "lists.drop_bullets=false")[1]
    assert bool(dropped) == goes


def test_titles_of_abbreviations_are_no_words_of_an_item(dropped):
    long = "<abbr title='one two three four five'>otf</abbr>"
    assert dropped(links(long)) == [("link-item", "otf (one two three four five)")]
    assert dropped(f"<ul><li><a>one two three four five {long}</a></ul>") == []


def test_a_list_in_a_list_of_links_is_judged_by_itself(kitten):
    inner = "<ul><li>plain text<li>more text</ul>"
    shown, dropped = kitten(f"<ul><li><a>Home</a>{inner}<li><a>Shop</a></ul>")
    assert shown == ["plain text.", "more text."]
    assert [text for _, text in dropped] == ["Home", "Shop"]


def test_text_of_a_list_outside_its_items_is_an_item_each(dropped):
    loose = "<ul><p><a>one two three</a></p><p><a>four five six</a></p></ul>"
    assert len(dropped(loose)) == len(dropped(f"<ul><li>{loose}</ul>")) == 2


def test_links_stay_if_switched_off(dropped):
    assert dropped(links("Home"), "lists.drop_links=false") == []
    assert dropped(links("one two"), "lists.link_words=2") == []
    assert dropped(links("one two"), "lists.link_words=3") != []


# --- bullets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "left"),
    [
        (["* a", "* b"], ["a.", "b."]),
        (["- a", "– b"], ["a.", "b."]),
        (["•a", "◦ b"], ["a.", "b."]),
        (["1. a", "2. b"], ["a.", "b."]),
        (["(1) a", "(2) b"], ["a.", "b."]),
        (["a) x", "b) y"], ["x.", "y."]),
        (["B. x", "C. y"], ["x.", "y."]),
        (["* a", "b"], ["a.", "b."]),
        (["1 eins", "2 zwei"], ["eins.", "zwei."]),
        (["1 eins", "2. zwei", "3) drei"], ["eins.", "zwei.", "drei."]),
        (["1 - first", "2 - second"], ["first.", "second."]),
        (["3: c", "4: d"], ["c.", "d."]),
        (["1. a", "b", "2. c"], ["a.", "b.", "c."]),
        (["* a", "- b", "1. c", "a) d"], ["a.", "b.", "c.", "d."]),
        (["a) x", "y"], ["x.", "y."]),
        (["3) x", "y"], ["x.", "y."]),
    ],
)
def test_bullets_are_dropped_and_archived(kitten, items, left):
    shown, dropped = kitten(page("List", items))
    assert shown[1:] == left
    rests = [text.removesuffix(".") for text in left]
    marks = [item.removesuffix(rest).strip() for item, rest in zip(items, rests, strict=True)]
    assert [text for _, text in dropped] == [mark for mark in marks if mark]
    assert {rule for rule, _ in dropped} == {"bullet"}
    assert kitten(page("List", items), "lists.drop_bullets=false")[1] == []


@pytest.mark.parametrize(
    "items",
    [
        ["1. května", "8. května"],
        ["1. května"],
        ["J. Novák", "K. Svoboda", "P. Malý"],
        ["-5 degrees", "-6 degrees"],
        ["*note", "x"],
        ["1. a", "b"],
        ["1.5 litres", "2.5 litres"],
        ["1 egg", "flour"],
        ["2 eggs", "3 onions"],
        ["1 day", "2 days", "3 days"],
        ["1 - 0 Sparta", "2 - 1 Slavia"],
        ["* a", "b", "1. c"][1:],
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
        (["1 day", "2 days"], ["day.", "days."]),
        (["1. května"], ["května."]),
        (["2 - 1 Slavia", "a"], ["2 - 1 Slavia.", "a."]),
        (["B. x", "C. y"], ["x.", "y."]),
        (["J. Novák", "K. Svoboda", "P. Malý"], ["J. Novák.", "K. Svoboda.", "P. Malý."]),
        (["1.5 litres", "1984", "-5 degrees"], ["1.5 litres.", "1984.", "-5 degrees."]),
    ],
)
def test_as_published_every_number_before_an_item_is_a_bullet(lines, items, left):
    assert lines(page("List", items), "lists.every_number=true")[1:] == left


def test_an_item_of_a_bullet_only_vanishes(kitten):
    assert kitten("<ul><li>•<li>a</ul>") == (["a."], [("bullet", "•")])
    assert kitten("<ul><li>•<p>a</p></ul>") == (["a."], [("bullet", "•")])


@pytest.mark.parametrize("lang", ["en", "cs", "fr"])
def test_a_number_that_stays_does_not_stand_alone(lines, lang):
    assert lines("<ul><li>1. third thing<li>b</ul>", lang=lang) == ["1. third thing.", "b."]
    assert lines("<h2>1. Introduction</h2>", lang=lang) == ["1. Introduction."]
    assert lines("<h2>III. Introduction</h2>", lang=lang) == ["III. Introduction."]
