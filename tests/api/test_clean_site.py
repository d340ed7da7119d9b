"""`Cleaner.clean_site`, and records and Arrow batches that are cleaned by site."""

import pytest

from victor import Cleaner, Source
from victor.api import load_cleaner
from victor.crawl import CrawlSpec, Record
from victor.errors import ConfigError
from victor.labelers import build_labeler

NOTICE = (
    "<div class=notice>We use small files, as all do, to see who you are, where you come from, "
    "and what you read; by reading on you agree, and if not, please, close this window.</div>"
)
STORIES = (
    "The mill stood empty for years, and then, one spring, two sisters came and bought it.",
    "The river rose for a week, slowly at first, and took the lower bridge with it.",
    "The fair came back in June, with lights and horses, and stayed until the rain began.",
)
PAGES = [f"{NOTICE}<h1>Part {s[4:9]}</h1><div><p>{s}<p>{s[::-1]}</div>" for s in STORIES]


@pytest.fixture
def kimatu():
    return Cleaner(build_labeler("kimatu"))


def test_pages_are_judged_by_each_other(kimatu):
    texts = [result.text for result in kimatu.clean_site(PAGES)]
    for story, text in zip(STORIES, texts, strict=True):
        assert story in text
        assert "We use small files" not in text
    assert all("We use small files" in result.text for result in kimatu.clean_many(PAGES))


def test_files_are_of_one_site(kimatu, tmp_path):
    for number, page in enumerate(PAGES):
        (tmp_path / f"{number}.html").write_text(page)
    results = kimatu.clean_site(sorted(tmp_path.iterdir()))
    assert not any("We use small files" in result.text for result in results)


def test_pages_of_different_hosts_are_apart(kimatu):
    pages = [Source(page, f"http://{n}.example/") for n, page in enumerate(PAGES)]
    assert all("We use small files" in result.text for result in kimatu.clean_site(pages))


def test_a_page_alone_is_cleaned_as_ever():
    cleaner = load_cleaner()
    (alone,), (ever,) = cleaner.clean_site(PAGES[:1]), cleaner.clean_many(PAGES[:1])
    assert [block.marginals for block in alone.blocks] == [b.marginals for b in ever.blocks]
    assert alone.text == ever.text


def test_a_model_changes_marginals():
    cleaner = load_cleaner()
    pairs = zip(cleaner.clean_site(PAGES), cleaner.clean_many(PAGES), strict=True)
    assert all(
        [block.marginals for block in one.blocks] != [b.marginals for b in other.blocks]
        for one, other in pairs
    )


@pytest.mark.parametrize("labeler", [None, "kimatu"])
def test_an_article_at_several_addresses_is_one_page(labeler):
    cleaner = load_cleaner(labeler=labeler)
    paragraphs = "".join(f"<p>{story} {story[::-1]}" for story in STORIES)
    pages = [
        Source(
            f"<h1>Part of it</h1>{paragraphs}<p>{readers} readers", f"http://mill.example/{readers}"
        )
        for readers in ("two", "three", "four")
    ]
    for result, alone in zip(cleaner.clean_site(pages), cleaner.clean_many(pages), strict=True):
        assert [b.marginals for b in result.blocks] == [b.marginals for b in alone.blocks]
        assert STORIES[2] in result.text


def test_pages_that_fail_have_results(kimatu):
    first, broken, *_ = kimatu.clean_site([PAGES[0], b"%PDF-1.4", *PAGES[1:]])
    assert broken.error is not None
    assert "We use small files" not in first.text


def test_one_page_is_no_site(kimatu):
    with pytest.raises(ConfigError, match="takes a list of pages"):
        list(kimatu.clean_site(PAGES[0]))


def test_labelers_that_judge_pages_alone_are_refused():
    with pytest.raises(ConfigError, match="bte judges every page alone"):
        list(Cleaner(build_labeler("bte")).clean_site(PAGES))


def test_records_are_cleaned_by_site():
    records = [
        Record("x", number, page, url=f"http://a.example/{number}")
        for number, page in enumerate(PAGES)
    ]
    for by_site, expected in ((True, False), (False, True)):
        outcomes = CrawlSpec(labeler="kimatu", by_site=by_site).load()(records)
        kept = ["We use small files" in outcome.document.text for outcome in outcomes]
        assert kept == [expected] * 3


def test_record_batches_are_cleaned_by_site():
    pyarrow = pytest.importorskip("pyarrow")
    from victor.arrow import clean

    urls = [f"http://a.example/{number}" for number in range(3)]
    batch = pyarrow.RecordBatch.from_pydict({"html": PAGES, "url": urls})
    cleaned = clean(batch, spec=CrawlSpec(labeler="kimatu", by_site=True))
    assert not any("We use small files" in text for text in cleaned["text"].to_pylist())
