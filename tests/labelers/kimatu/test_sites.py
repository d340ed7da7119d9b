"""Kimatu: texts that are frequent on a site count against areas."""

import pytest

from victor.labelers import SiteLabeler
from victor.labelers.kimatu import labeler
from victor.render.text import render
from victor.sites.columns import SitePages
from victor.sites.counts import SIGHTS, SiteCounts, count_sites
from victor.sites.sightings import Pages, sight

STORY = (
    "The mill stood empty for ten years, and then, one spring, two sisters came and bought it. ",
    "They knew nothing of flour, as they say now, but they knew about water, and they had time. ",
    "By autumn the wheel turned again; by winter there was bread, and people came to see it. ",
)
NOTICE = (
    "<div class=notice>We use small files, as all do, to see who you are, where you come from, "
    "and what you read; by reading on you agree, and if not, please, close this window.</div>"
)
MILL = "http://mill.example/"
OTHER = "http://other.example/"


def site_page(number, notice=NOTICE):
    story = "".join(f"<p>{text * 2}" for text in STORY[number:])
    return f"{notice}<h1>The mill, part {'abc'[number]}</h1><div>{story}</div>".encode()


PAGES = [site_page(number) for number in range(3)]


@pytest.fixture
def cleaned(with_, tmp_path):
    """Function: pages of the mill, and of other sites after them, to their clean texts."""

    def run(pages=PAGES, others=(), settings=None):
        system = labeler(settings or with_())
        table = system.table([*pages, *others])
        urls = [f"{MILL}{number}" for number in range(len(pages))]
        urls += [f"{OTHER}{number}" for number in range(len(others))]
        marginals, sources = system.label(table).marginals, Pages.of_urls(urls)
        (tmp_path / f"all{SIGHTS}").write_bytes(b"".join(sight(table, marginals, sources)))
        count_sites(tmp_path)
        known = SitePages.of(SiteCounts(tmp_path), table, sources)
        verdict = system.label_pages(table, known)
        return [render(verdict, page) for page in range(table.n_pages)]

    return run


def alone(page, settings):
    system = labeler(settings)
    return render(system.label(system.table([page])), 0)


def test_it_knows_sites(with_):
    assert isinstance(labeler(with_()), SiteLabeler)


def test_texts_frequent_on_a_site_are_dropped(cleaned, with_):
    assert "We use small files" in alone(PAGES[0], with_())
    texts = cleaned()
    assert not any("We use small files" in text for text in texts)
    assert "The mill stood empty" in texts[0]


def test_texts_are_frequent_on_their_site_only(cleaned):
    kept = ["We use small files" in text for text in cleaned(others=[PAGES[0], PAGES[1]])]
    assert kept == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("pages", "share", "expected"),
    [(3, 0.5, False), (4, 0.5, True), (3, 0.75, False), (3, 0.76, True)],
)
def test_frequent_is_on_many_pages_and_on_a_share(cleaned, with_, pages, share, expected):
    """The notice is on three of four pages."""
    settings = with_({"site.pages": pages, "site.share": share})
    texts = cleaned([*PAGES, b"<p>Nothing here"], settings=settings)
    assert ["We use small" in text for text in texts[:3]] == [expected] * 3


def test_a_text_twice_on_a_page_is_on_one_page(cleaned, with_):
    settings = with_({"site.pages": 2})
    given = [site_page(0, NOTICE * 3), b"<p>Nothing here"]
    assert "We use small" in cleaned(given, settings=settings)[0]


def test_evidence_of_a_site_has_a_weight(cleaned, with_):
    settings = with_({"site.weight": 0.0})
    assert cleaned(settings=settings)[0] == alone(PAGES[0], settings)
