"""Lists: links, bullets, and lists that become one sentence with the clause before them.

The examples of the paper were not at hand; `SHORT` and `TRIGGER` are of their two kinds.
"""

import pytest

SHORT = (
    "The parcel holds everything for one evening:",
    ["two candles", "a box of matches;", "a blanket, and", "tea."],
    (
        "The parcel holds everything for one evening: "
        "two candles, a box of matches; a blanket, and tea."
    ),
)
TRIGGER = (
    "After the operation the patient should not:",
    ["drive a car", "lift more than five kilos", "swim"],
    (
        "After the operation the patient should not "
        "drive a car, not lift more than five kilos, not swim."
    ),
)
"""Introductory clause, items, and the sentence that they make."""
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


@pytest.mark.parametrize(("clause", "items", "sentence"), [SHORT, TRIGGER])
@pytest.mark.parametrize("name", ["ul", "ol", "dl"])
def test_the_two_examples(lines, clause, items, sentence, name):
    assert lines(page(clause, items, name)) == [sentence]


@pytest.mark.parametrize(
    ("lang", "clause", "items", "sentence"),
    [
        ("fr", "On peut payer par :", ["carte", "chèque"], "On peut payer par carte, par chèque."),
        ("cs", "Zájezd je pro:", ["rodiny", "školy"], "Zájezd je pro rodiny, pro školy."),
        ("cs", "Hosté nesmějí:", ["kouřit", "rušit klid"],
         "Hosté nesmějí kouřit, nesmějí rušit klid."),
        ("de", "Wir reisen mit:", ["Zug", "Bus"], "Wir reisen mit Zug, mit Bus."),
        ("en", "You pay WITH:", ["cash", "card"], "You pay WITH cash, WITH card."),
        ("en", "Bring what is listed below:", ["cups", "tea"],
         "Bring what is listed below: cups, tea."),
        ("en", "Bring this (we asked for):", ["tea"], "Bring this (we asked for): tea."),
        ("xx", "We go by:", ["train", "bus"], "We go by: train, bus."),
    ],
)  # fmt: skip
def test_triggers_are_those_of_the_language(lines, lang, clause, items, sentence):
    assert lines(page(clause, items), lang=lang) == [sentence]


def test_the_language_is_what_the_page_says_else_that_of_its_words(lines):
    french = page("On peut payer par:", ["carte", "chèque"])
    joined = "On peut payer par carte, par chèque."
    assert lines(f"<html lang=fr-CA>{french}", lang="null") == [joined]
    assert lines(f"<p>Il est dans la maison et sur la table pour deux jours.</p>{french}",
                 lang="null")[1] == joined  # fmt: skip
    assert lines(f"<html lang=en>{french}", lang="null") == ["On peut payer par: carte, chèque."]


def test_items_of_a_median_length_at_the_limit_stay_sentences(lines):
    short, at_limit = "x" * 59, "y" * 60
    clause = "We saw this:"
    assert len(lines(page(clause, [at_limit, short, short]))) == 1
    assert len(lines(page(clause, [at_limit, at_limit, short]))) == 4
    assert len(lines(page(clause, [at_limit, at_limit, short]), "lists.flat_length=61")) == 1


def test_long_items_are_sentences_each(lines):
    assert lines(page("There are two ways:", [LONG, LONG + ";"])) == [
        "There are two ways:",
        f"{LONG}.",
        f"{LONG}.",
    ]


def test_long_items_repeat_the_trigger(lines):
    assert lines(page("Go there. Do not leave, and stay on:", [LONG, LONG])) == [
        "Go there.",
        f"Do not leave, and stay on {LONG}.",
        f"on {LONG}.",
    ]


def test_only_the_last_sentence_of_the_paragraph_is_the_clause(lines):
    assert lines(page("We came late, as Dr. Novák did. We saw:", ["bees", "ants"])) == [
        "We came late, as Dr. Novák did.",
        "We saw: bees, ants.",
    ]


@pytest.mark.parametrize(
    "items", [["One. Two things.", "b"], ["Who?", "b"], ["a<br>B", "b"], ["a<p>c", "b"]]
)
def test_items_that_are_more_than_a_part_of_a_sentence_are_not_joined(lines, items):
    assert lines(page("We saw this:", items))[0] == "We saw this:"


def test_the_marks_of_items_become_those_of_one_sentence(lines):
    assert lines(page("We saw this:", ["bees,", "ants;"])) == ["We saw this: bees, ants."]
    assert lines(page("We saw this:", ["bees.", "ants."])) == ["We saw this: bees, ants."]


@pytest.mark.slow
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
        f"{clause} {', '.join(items)}."
    ]
    assert lines(page(clause, items), "lists.flatten=false") == [clause, *(f"{i}." for i in items)]


# --- links ---------------------------------------------------------------------------------------


def test_lists_of_links_lose_short_items_and_archive_them(kitten):
    shown, dropped = kitten(links("Home", "one two three four", "one two three four five"))
    assert shown == ["one two three four five."]
    assert dropped == [("link-item", "Home"), ("link-item", "one two three four")]


@pytest.mark.parametrize(
    ("markup", "goes"),
    [
        (links("a b", "c d", around=" e"), True),
        (links("a b", "c d", around=" e f"), False),
        ("<p><a>one two</a></p>", False),
        ("<ul><li>one two<li>three</ul>", False),
        ("<dl><dt><a>one</a><dd><a>two</a></dl>", True),
    ],
)
def test_more_than_half_of_the_words_of_a_list_of_links_are_links(dropped, markup, goes):
    assert bool(dropped(markup)) == goes


def test_titles_of_abbreviations_are_no_words_of_an_item(dropped):
    long = "<abbr title='one two three four five'>otf</abbr>"
    assert dropped(links(long)) == [("link-item", "otf (one two three four five)")]
    assert dropped(f"<ul><li><a>{long}</a> two words</ul>") == []


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


@pytest.mark.slow
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
    ],
)
def test_bullets_are_dropped_and_archived(kitten, items, left):
    shown, dropped = kitten(page("List", items))
    assert shown[1:] == left
    marks = [item.split()[0] if " " in item else item[0] for item in items]
    assert [text for _, text in dropped] == [mark for mark in marks if mark not in "b"]
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
    ],
)
def test_dates_initials_and_numbers_are_no_bullets(dropped, items):
    assert dropped(page("List", items)) == []


def test_an_item_of_a_bullet_only_vanishes(kitten):
    assert kitten("<ul><li>•<li>a</ul>") == (["a."], [("bullet", "•")])
    assert kitten("<ul><li>•<p>a</p></ul>") == (["a."], [("bullet", "•")])
