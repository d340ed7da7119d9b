"""Every number that decides in the rules of metadata: a page on each side of it."""

import pytest
from metadata_pages import meta, read, script

from victor.metadata.authors import names_in

TITLE = "<title>On bees</title>"
H1 = "<h1>On bees</h1>"
DATE = "2024-03-09"
TIME = f"<p><time datetime={DATE}>x</time></p>"
ANNA = ("Anna Keeper",)
BY = "<p>By Anna Keeper</p>"
ALONE = "<p>Anna Keeper</p>"
DAY = "<p>9 March 2024</p>"
FORUM = "<i itemtype=http://schema.org/DiscussionForumPosting></i>"
WRITTEN = TITLE + meta("og:type", "article")


def blocks(n):
    return "<p>menu</p>" * n


def long(text, n_chars):
    return text + " x" * ((n_chars - len(text)) // 2) + "x" * ((n_chars - len(text)) % 2)


def words(n):
    return " ".join(f"w{number}" for number in range(n))


def title(text):
    return f"<title>{text}</title>"


def article(**properties):
    return script({"@type": "Article", **properties})


LEFT_OUT = [None, (), {}]

PAGES = {
    # --- Dates
    "time before headline": ("published", 8, 9, lambda n: (TITLE, TIME + blocks(n - 1) + H1)),
    "text after headline": (
        "published", 24, 25,
        lambda n: (TITLE, f"{blocks(3)}{H1}{blocks(n - 1)}<p>9 March 2024</p>")),
    "text without headline": (
        "published", 24, 25, lambda n: ("", f"{blocks(n)}<p>9 March 2024</p>")),
    "characters of text with date": (
        "published", 100, 101, lambda n: (TITLE, f"{H1}<p>{long('9 March 2024', n)}</p>")),
    "characters of labelled date": (
        "published", 200, 201,
        lambda n: (TITLE, f"{H1}{blocks(30)}<p>{long('Published 9 March 2024', n)}</p>")),
    "characters of named date": (
        "published", 200, 201,
        lambda n: (TITLE, f"{H1}<p class=post-date>{long('9 March 2024', n)}</p>")),
    "characters above date of change": (
        "modified", 40, 41, lambda n: (TITLE, f"{H1}<p>{'Updated'.ljust(n, 'x')}</p>{TIME}")),
    # --- Bylines
    "byline before headline": ("authors", 8, 9, lambda n: (TITLE, BY + blocks(n - 1) + H1)),
    "byline after headline": (
        "authors", 24, 25, lambda n: (TITLE, blocks(3) + H1 + blocks(n - 1) + BY)),
    "byline without headline": ("authors", 24, 25, lambda n: ("", blocks(n) + BY)),
    "byline in teaser above headline": (
        "authors", 3, 4, lambda n: (TITLE, f"<div class=promo>{BY}</div>{blocks(n - 1)}{H1}")),
    "byline in teaser below headline": (
        "authors", 6, 7, lambda n: (TITLE, f"{H1}{blocks(n - 1)}<div class=promo>{BY}")),
    "words of name in byline": (
        "authors", 6, 7, lambda n: (WRITTEN, f"{H1}<p>By {' '.join(['Anna'] * n)}</p>")),
    "words of name that is labelled anywhere": (
        "authors", 4, 5,
        lambda n: (TITLE, f"{H1}{blocks(30)}<p>Written by {' '.join(['Anna'] * n)}</p>")),
    "name alone behind headline": (
        "authors", 4, 5, lambda n: (TITLE, H1 + blocks(n - 1) + ALONE + DAY)),
    "date by name alone": (
        "authors", 3, 4, lambda n: (TITLE, H1 + ALONE + blocks(n - 1) + DAY)),
    "named as a byline behind headline": (
        "authors", 4, 5, lambda n: (TITLE, H1 + blocks(n - 1) + "<p class=author>Anna Keeper")),
    "words of name in a forum": (
        "authors", 4, 5,
        lambda n: (TITLE, FORUM + H1 + f"<p>By {' '.join(['Anna'] * n)}</p>")),
    "characters of name alone": (
        "authors", 80, 81, lambda n: (TITLE, f"{H1}<p>Anna {'K'.ljust(n - 5, 'e')}</p>{DAY}")),
    "words of element that is named as byline": (
        "authors", 2, 1,
        lambda n: (WRITTEN, f"{H1}{blocks(30)}<p class=author>{' '.join(['Keeper', 'Anna'][:n])}")),
    "headline in h2 is like the title": (
        "authors", 5, 6,
        lambda n: (title("bees " + words(n - 1)), f"<h2>Bees</h2>{ALONE}{DAY}")),
    "headline in h4 is like the title": (
        "authors", 4, 5,
        lambda n: (title("bees " + words(n - 1)), f"<h4>Bees</h4>{ALONE}{DAY}")),
    # --- Language
    "parts of language": (
        "language", 5, 6, lambda n: (meta("og:locale", "_".join(["en"] * n)), "")),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_field_is_filled_up_to_a_number(name):
    field, at, beyond, page = PAGES[name]
    assert getattr(read(*page(at)), field) not in LEFT_OUT
    assert getattr(read(*page(beyond)), field) in LEFT_OUT


@pytest.mark.parametrize(
    ("at", "source", "beyond", "other", "page"),
    [
        pytest.param(
            4, "headline", 5, "title",
            lambda n: (title("bees " + words(n - 1)), "<h1>Bees</h1>"), id="like-title"),
        pytest.param(
            10, "headline", 11, "title",
            lambda n: (title("bees " + words(n - 1)) + meta("og:type", "article"), "<h1>Bees"),
            id="like-title-if-written"),
        pytest.param(
            3, "title", 2, "headline",
            lambda n: (title(f"Work {words(n - 1)}"), "<h1>Bring your work to life today"),
            id="words-of-title"),
        pytest.param(
            30, "title", 31, "headline",
            lambda n: (title("x" * n) + meta("og:site_name", "x" * n), f"<h1>{'x' * n}</h1>"),
            id="letters-of-site"),
        pytest.param(
            8, "headline", 9, "title",
            lambda n: (title(" | ".join(f"a{k} b{k} c{k}" for k in range(n))), "<h1>a3 b3 c3"),
            id="pieces-of-title"),
        pytest.param(
            10, "headline", 11, "title",
            lambda n: (TITLE, "<h1>Wasps</h1>" * (n - 1) + H1), id="headings"),
    ],
)  # fmt: skip
def test_sources_of_titles(page, at, source, beyond, other):
    assert read(*page(at)).sources["title"] == source
    assert read(*page(beyond)).sources["title"] == other


@pytest.mark.parametrize(
    ("site", "last", "is_site"),
    [("hivenews", "Hive", True), ("hivenews", "Hiv", False), ("hive", "Hive nature", True),
     ("hive", "Hive natures", False), ("hiv", "Hiv", True), ("hiv", "Hive", False)],
)  # fmt: skip
def test_how_much_of_a_site_a_part_of_a_title_is(site, last, is_site):
    said = read(meta("og:site_name", site) + title(f"On bees - {last}"))
    assert said.title == ("On bees" if is_site else f"On bees - {last}")


def test_a_time_after_the_headline_counts_wherever_it_stands():
    assert read(TITLE, H1 + blocks(30) + TIME).published == DATE
    assert read(TITLE, TIME + blocks(30) + H1).published is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (" ".join(["Anna"] * 9), (" ".join(["Anna"] * 9),)),
        (" ".join(["Anna"] * 10), ()),
        ("A" * 90, ("A" * 90,)),
        ("A" * 91, ()),
        ("Ab", ("Ab",)),
        ("A", ()),
        ("Anna 1234", ()),
        ("Anna1234", ("Anna1234",)),
        ("Anna12345", ()),
        ("Anna Keeper, " + "x" * 588, ("Anna Keeper",)),
        ("By author: Anna Keeper", ANNA),
        ("x" * 590 + "; Anna Keeper", ("Anna Kee",)),
        ("anna keeper", ("anna keeper",)),
        ("anna", ()),
    ],
)
def test_how_long_names_are(text, names):
    assert names_in(text, is_declared=True) == names


@pytest.mark.parametrize(("site", "authors"), [("Hives", ()), ("Hive", ("Hives Team",))])
def test_the_team_of_a_site_is_the_site(site, authors):
    head = WRITTEN + meta("og:site_name", site) + meta("author", site)
    assert read(head, H1 + "<p>By Hives Team</p>").authors == (authors or (site,))


@pytest.mark.parametrize(
    ("host", "is_site"),
    [("hivenews.cz", True), ("hivenews.co.uk", True), ("a.hivenews.co.uk", True),
     ("hivenews", False), ("hivenews.a.cz", False), ("hivenews.co.a.cz", False), ("co.uk", False)],
)  # fmt: skip
def test_the_label_of_a_host_that_names_the_site(host, is_site):
    said = read(title("On bees - Hivenews daily"), url=f"http://{host}/a")
    assert (said.title == "On bees") == is_site


@pytest.mark.parametrize(
    ("n_shared", "n_words", "is_main"), [(1, 2, True), (1, 3, False), (2, 4, True), (2, 5, False)]
)
def test_of_several_things_the_one_with_half_the_words_of_the_title_is_the_main_one(
    n_shared, n_words, is_main
):
    headline = words(n_shared) + " a b c"[: 2 * (n_words - n_shared)]
    things = [{"@type": "Article", "headline": f"Wasps {n}"} for n in range(3)]
    things.append({"@type": "Article", "headline": headline, "author": "Anna Keeper"})
    said = read(title(words(9)) + "".join(map(script, things)))
    assert said.authors == (ANNA if is_main else ())


def test_of_two_things_without_the_title_the_first_is_the_main_one():
    things = [article(headline=f"Wasps {n}", author="Anna Keeper") for n in range(3)]
    assert read(TITLE + "".join(things[:2])).authors == ANNA
    assert read(TITLE + "".join(things)).authors == ()


def test_dates_with_digits_of_other_scripts():
    assert read(TITLE, f"{H1}<p>9 March 20\u0662\u0664</p>").published == DATE


def test_the_first_author_of_microdata_counts():
    second = "<p itemprop=author><b itemprop=name>Ben Waggle</b></p>"
    assert read(TITLE, f"<p itemprop=author>Anna Keeper</p>{second}").authors == ANNA


def test_the_name_inside_an_author_counts_before_all_of_its_text():
    named = "<p itemprop=author>Ben Waggle <b itemprop=name>Anna Keeper</b></p>"
    assert read(TITLE, named).authors == ANNA


@pytest.mark.parametrize(
    ("named", "url", "authors"),
    [
        ("<p class=author>Keeper", None, ()),
        ("<p class=author>By Keeper", None, ("Keeper",)),
        ("<p class=author-name>Keeper", None, ("Keeper",)),
        ("<p class=author>bee12", "http://x.example/viewtopic", ("bee12",)),
    ],
)
def test_names_of_one_word_in_elements_that_are_named_as_bylines(named, url, authors):
    assert read(WRITTEN, H1 + blocks(30) + named, url=url).authors == authors


def test_the_first_user_of_a_thread_began_it():
    url = "http://x.example/viewtopic"
    users = "<p class=username>bee12, wasp7</p>"
    assert read(TITLE, H1 + blocks(30) + users, url=url).authors == ("bee12",)
    assert read(TITLE, H1 + blocks(30) + users).authors == ()


def test_a_written_work_comes_before_a_thing():
    product = script({"@type": "Product", "name": "Wax", "author": "Ben Waggle"})
    written = article(headline="Wasps", author="Anna Keeper")
    assert read(TITLE + product + written).authors == ANNA
    assert read(TITLE + written + product).authors == ANNA
    page = script({"@type": "WebPage", "name": "Bees", "author": "Cy Drone"})
    assert read(TITLE + page + product).authors == ("Ben Waggle",)


@pytest.mark.parametrize(("before", "published"), [("Saturday", DATE), ("Updated", None)])
def test_elements_anywhere_that_are_surely_named(before, published):
    named = f"<p class=published-date>{before} 9 March 2024</p>"
    assert read(TITLE, H1 + blocks(30) + named).published == published
