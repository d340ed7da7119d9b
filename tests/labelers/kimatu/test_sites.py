"""Kimatu: texts that are frequent on a site, counted, stored, and held against areas."""

import numpy as np
import pytest

from victor.errors import ConfigError, ModelError
from victor.labelers import SiteLabeler, build_labeler
from victor.labelers.kimatu import labeler, site_counter
from victor.labelers.kimatu.sites import SiteCounter, SiteTexts, site_of
from victor.model import archive
from victor.render.text import render

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


def count(pages, settings, urls=None, **options):
    """Texts of the sites of pages, which are counted in one batch."""
    table = labeler(settings).table(pages)
    counter = SiteCounter(settings.site, **options)
    for page, url in enumerate(urls or [MILL] * len(pages)):
        counter.add(table, page, url)
    return counter.finish()


def clean(settings, sites, page=PAGES[0], url=MILL):
    system = labeler(settings, sites=sites)
    return render(system.label_pages(system.table([page]), [url]), 0)


def test_texts_frequent_on_a_site_are_dropped(with_):
    sites = count(PAGES, with_())
    assert (sites.sites, sites.pages) == (1, 3)
    assert "We use small files" in clean(with_(), None)
    assert "We use small files" not in clean(with_(), sites)
    assert "The mill stood empty" in clean(with_(), sites)


def test_texts_are_frequent_on_their_site_only(with_):
    sites = count(PAGES, with_())
    assert "We use small files" in clean(with_(), sites, url=OTHER)
    assert "We use small files" in clean(with_(), sites, url=None)
    assert "We use small files" not in clean(with_(), sites, url="https://www.mill.example:80/x")


def test_pages_of_one_batch_may_be_of_several_sites(with_):
    system = labeler(with_(), sites=count(PAGES, with_()))
    verdict = system.label_pages(system.table(PAGES), [MILL, OTHER, MILL])
    kept = ["We use small files" in render(verdict, page) for page in range(3)]
    assert kept == [False, True, False]


def test_pages_without_an_address_are_of_one_site(with_):
    sites = count(PAGES, with_(), urls=[None, "pages/b.html", "//"])
    assert sites.sites == 1
    assert "We use small files" not in clean(with_(), sites, url="c.html")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://a.example/b", "a.example"),
        ("HTTPS://WWW.A.Example:81", "a.example"),
        ("http://wwwa.example", "wwwa.example"),
        ("/srv/a.html", ""),
        ("http://[bad", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_the_site_of_an_address(url, site):
    assert site_of(url) == site


@pytest.mark.parametrize(
    ("pages", "share", "expected"),
    [(3, 0.5, False), (4, 0.5, True), (3, 0.75, False), (3, 0.76, True)],
)
def test_frequent_is_on_many_pages_and_on_a_share(with_, pages, share, expected):
    """The notice is on three of four pages."""
    settings = with_({"site.pages": pages, "site.share": share})
    sites = count([*PAGES, b"<p>Nothing here"], settings)
    assert ("We use small" in clean(settings, sites)) is expected


def test_a_text_twice_on_a_page_is_on_one_page(with_):
    settings = with_({"site.pages": 2})
    given = [site_page(0, NOTICE * 3), b"<p>Nothing here"]
    assert "We use small" in clean(settings, count(given, settings))


def test_equal_pages_count_once(with_):
    sites = count([PAGES[0]] * 5, with_())
    assert sites.pages == 1
    assert not len(sites.keys)


def test_the_first_pages_of_a_site_count(with_):
    settings = with_({"site.counted": 3})
    late = [site_page(number, "<p>Closed on Monday.</p>") for number in range(3)]
    sites = count([*PAGES, *late], settings)
    assert sites.pages == 3
    assert sites.keys.tolist() == count(PAGES, settings).keys.tolist()


def test_sites_that_have_had_no_page_for_long_are_closed_where_room_is_short(with_):
    # A page has up to five texts. The other site is closed with one page, this one goes on.
    given = [PAGES[0], PAGES[0], PAGES[1], PAGES[2]]
    sites = count(given, with_(), urls=[OTHER, MILL, MILL, MILL], capacity=12)
    assert "We use small" not in clean(with_(), sites)
    assert count(given, with_(), urls=[OTHER, MILL, MILL, MILL], capacity=4).keys.tolist() == []


def test_counting_in_batches_gives_the_same_bytes(with_, tmp_path):
    counter = site_counter(with_())
    for page in PAGES:
        counter.add(labeler(with_()).table([page]), 0, MILL)
    counter.finish().save(tmp_path / "a")
    count(PAGES, with_()).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_evidence_of_a_site_has_a_weight(with_):
    settings = with_({"site.weight": 0.0})
    assert clean(settings, count(PAGES, settings)) == clean(settings, None)


def test_texts_of_sites_are_stored(with_, tmp_path):
    sites = count(PAGES, with_())
    sites.save(tmp_path / "sites")
    loaded = SiteTexts.load(tmp_path / "sites")
    assert loaded.keys.tolist() == sites.keys.tolist()
    assert (loaded.sites, loaded.pages) == (1, 3)
    system = build_labeler("kimatu", sites=tmp_path / "sites")
    assert isinstance(system, SiteLabeler)
    assert system.sites.keys.tolist() == sites.keys.tolist()


def test_other_files_are_no_texts_of_sites(with_, tmp_path):
    path = tmp_path / "sites"
    with pytest.raises(ConfigError, match=r"no texts of sites at .*`victor sites"):
        SiteTexts.load(path)
    document = {"labeler": "kimatu-sites", "format": 1, "sites": 1, "pages": 1}
    keys = np.zeros(1, dtype=np.uint64)
    for wrong, arrays in (
        ({**document, "format": 2}, {"keys": keys}),
        ({**document, "labeler": "density"}, {"keys": keys}),
        ({**document, "sites": "1"}, {"keys": keys}),
        (document, {"keys": keys.astype(float)}),
        (document, {"keys": keys.reshape(1, 1)}),
        (document, {}),
    ):
        archive.write(path, wrong, arrays)
        with pytest.raises(ModelError, match=r"make it with `victor sites`"):
            SiteTexts.load(path)
    path.write_bytes(b"<p>no archive")
    with pytest.raises(ModelError, match=r"make it with `victor sites`"):
        SiteTexts.load(path)


def test_other_labelers_have_no_use_for_texts_of_sites(tmp_path):
    with pytest.raises(ConfigError, match=r"--sites is of use with --labeler kimatu only"):
        build_labeler("bte", sites=tmp_path / "sites")
