"""Grafted pages: the page stays as it is, and all that is put behind its text is other."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from victor.base.labels import Label
from victor.corpus.graft import Stock, graft, graft_pages, is_base, usable
from victor.corpus.graft.donors import donors, group, is_held
from victor.corpus.graft.places import places
from victor.corpus.graft.sections import read_markups, read_words
from victor.corpus.pages import annotate, canonical_table, read_corpus, segment_hash, write_corpus
from victor.errors import ConfigError
from victor.page.decoding.decode import utf8
from victor.page.table.texts import segment_texts

H, T, O = Label  # noqa: E741
WORDS = read_words()
MARKUPS = read_markups()
STORY = [
    f"Hive {number} lives in the old mill by the river, and its bees fly out to the willows, "
    "lindens and clover of the whole valley as soon as the sun is up and the air is warm enough."
    for number in range(4)
]
ARTICLE = (
    "<html><body><nav><a href=/>Home</a><a href=/hives>Hives</a></nav><main><article><h1>Bees</h1>"
    f"<div class=text>{''.join(f'<p>{text}</p>' for text in STORY)}</div></article>"
    "<div class=share>Share</div></main><footer>Imprint</footer></body></html>"
)
LABELS = [O, O, H, T, T, T, T, O, O]


def sites(n, *, held=False, in_group=0):
    """Names of sites that may or may not be used, all of one group."""
    names = (f"site{number}.example" for number in range(10_000))
    good = (name for name in names if group(name) == in_group and is_held(name) == held)
    return [next(good) for _ in range(n)]


def article(site, *, language="en", html=ARTICLE, **fields):
    return annotate(
        f"page-{site}", html.encode(), np.array(LABELS), gold="\n".join(STORY), site=site,
        language=language, kind="article", licence="CC0-1.0", **fields,
    )  # fmt: skip


def thread(site, language="en", n=40):
    posts = [f"Post number {number} says more about bees of {site}." for number in range(n)]
    html = "<title>A thread</title><ul>" + "".join(f"<li>{post}</li>" for post in posts) + "</ul>"
    return annotate(
        f"thread-{site}", html.encode(), np.full(n, T), site=site, kind="forum",
        language=language, licence="MIT",
    )  # fmt: skip


def other(site):
    html = f"<title>Wasps | {site}</title><p>Wasps of {site} live in the ground and in old trees."
    return annotate(f"other-{site}", html.encode(), np.array([T]), site=site, kind="news")


NEAR = sites(4)
STOCK = Stock(donors([thread(NEAR[0]), thread(NEAR[1]), other(NEAR[2])]), MARKUPS, WORDS)


def segments(page):
    return segment_texts(canonical_table(page.html))


def check(page, base):
    """The base page is all there, with its labels, and what was added is other."""
    start, stop = page.metadata["graft"]["span"]
    texts, labels = segments(page), page.labels.tolist()
    assert stop > start > max(np.flatnonzero(base.labels != O))
    assert texts[:start] + texts[stop:] == segments(base)
    assert labels[:start] + labels[stop:] == base.labels.tolist()
    assert set(labels[start:stop]) == {O}
    assert page.hashes == tuple(map(segment_hash, texts))
    first, last = page.metadata["graft"]["bytes"]
    assert page.html[:first] + page.html[last:] == utf8(base.html)
    assert page.gold == base.gold
    assert page.site == base.site
    kinds = page.metadata["kinds"]
    assert len(kinds) == len(labels)
    assert set(kinds[start:stop]) <= {"comment", "comment-meta", "teaser"}
    assert "" not in kinds[start:stop]
    return kinds[start:stop]


@pytest.mark.parametrize("markup", MARKUPS.comments, ids=lambda markup: markup.name)
def test_comments_of_every_markup(markup):
    stock = replace(STOCK, markups=replace_markups([markup], MARKUPS.teasers[:1]))
    base = article(NEAR[3])
    for seed in range(6):
        page = graft(base, stock, Random(seed))
        kinds = check(page, base)
        if page.metadata["graft"]["markups"] == [markup.name]:
            bodies = {text for text in segments(page) if text.startswith("Post number")}
            assert bodies
            assert "comment" in kinds
            assert "comment-meta" in kinds
            return
    pytest.fail("no seed gave comments alone")


@pytest.mark.parametrize("markup", MARKUPS.teasers, ids=lambda markup: markup.name)
def test_teasers_of_every_markup(markup):
    stock = replace(STOCK, markups=replace_markups(MARKUPS.comments[:1], [markup]))
    base = article(NEAR[3])
    for seed in range(40):
        page = graft(base, stock, Random(seed))
        kinds = check(page, base)
        if page.metadata["graft"]["markups"] == [markup.name]:
            assert set(kinds) == {"teaser"}
            assert any(text.startswith("Wasps") for text in segments(page))
            return
    pytest.fail("no seed gave teasers alone")


def replace_markups(comments, teasers):
    return MARKUPS.replace(comments=tuple(comments), teasers=tuple(teasers))


def test_the_same_seed_gives_the_same_pages(tmp_path):
    bases = [article(site) for site in sites(8)]
    for name, order, seed in (("a", 1, 0), ("b", 1, 0), ("c", 1, 1)):
        write_corpus(tmp_path / name, graft_pages(bases[::order], STOCK, 6, seed=seed))
    index = {name: (tmp_path / name / "pages.jsonl").read_bytes() for name in "abc"}
    assert index["a"] == index["b"] != index["c"]
    assert len([*read_corpus(tmp_path / "a")]) == 6


def test_more_grafts_than_pages():
    pages = [*graft_pages([article(NEAR[3])], STOCK, 3)]
    assert len({page.id for page in pages}) == 3
    assert len({page.html for page in pages}) == 3


def test_texts_stay_in_their_group():
    far = sites(3, in_group=1)
    stock = replace(STOCK, donors=donors([thread(far[0]), other(far[1]), *map(thread, NEAR[:1])]))
    assert graft(article(NEAR[3]), stock, Random(0)) is None, "no teaser of the group"
    page = graft(article(far[2]), stock, Random(0))
    assert set(page.metadata["graft"]["donors"]) <= {*far[:2]}
    assert NEAR[0].encode() not in page.html


def test_the_page_gives_no_text_to_itself():
    stock = replace(STOCK, donors=donors([article(NEAR[3]), thread(NEAR[3]), other(NEAR[3])]))
    assert graft(article(NEAR[3]), stock, Random(0)) is None


def test_sites_for_tests_are_not_used():
    held = sites(2, held=True)
    pages = [article(held[0]), thread(held[1]), article(NEAR[0])]
    assert [page.site for page in usable(pages)] == [NEAR[0]]


def test_language_of_the_page():
    german = [thread(NEAR[0], "de"), thread(NEAR[1], "en"), other(NEAR[2])]
    stock = replace(STOCK, donors=donors(german))
    page = graft(article(NEAR[3], language="de"), stock, Random(1))
    text = page.html.decode()
    assert NEAR[1] not in text
    assert any(word in text for word in WORDS.languages["de"].leave + WORDS.languages["de"].title)


def test_licences_of_texts_are_named():
    page = graft(article(NEAR[3]), STOCK, Random(0))
    assert page.licence == "CC0-1.0 AND MIT"


def test_what_is_no_base():
    page = article(NEAR[3])
    assert is_base(page)
    assert not is_base(replace(page, kind="forum"))
    assert not is_base(replace(page, labels=np.full(len(LABELS), O)))
    assert not is_base(replace(page, metadata={"kinds": ["text", "comment"]}))
    assert graft(replace(page, hashes=page.hashes[:-1]), STOCK, Random(0)) is None, "labels moved"


def test_other_encodings_become_utf8():
    html = ARTICLE.replace("<html>", "<html><meta charset=windows-1250>").replace("Hive", "Úl č.")
    base = annotate("cs", html.encode("cp1250"), np.array(LABELS), site=NEAR[3], kind="article")
    check(graft(base, STOCK, Random(0)), base)


def test_places_are_behind_the_text_from_the_inside_out():
    markup = ARTICLE.encode()
    kept = np.array(LABELS) != O
    before = [markup[: place.offset].decode() for place in places(markup, kept)]
    ends = [text[text.rindex("</") :] for text in before]
    assert ends == ["</div>", "</article>", "</main>"]
    assert [place.segment for place in places(markup, kept)] == [7, 7, 8]


def test_end_tags_in_scripts_are_no_places():
    script = "<script>var a = '</div>';</script>"
    markup = ARTICLE.replace("</article>", f"{script}</article>{script}").encode()
    offsets = [place.offset for place in places(markup, np.array(LABELS) != O)]
    ends = [markup[:offset].rpartition(b"<")[2] for offset in offsets]
    assert ends == [b"/div>", b"/article>", b"/main>"]


BAD_WORD = """
comments: [{name: a, section: $posts, post: $what}]
teasers: [{name: b, section: $items, item: $title}]
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("comments: 3", "want a list of markups named comments"),
        ("comments: [{name: a, section: $posts}]\nteasers: [{name: b}]", "'a' lacks post"),
        (BAD_WORD, r"a: post: unknown \$what; known are \$author"),
        (BAD_WORD.replace("what", "body").replace("item:", "itm:"), "itm: unknown key"),
    ],
)
def test_markups_that_are_wrong(tmp_path, content, message):
    file = tmp_path / "markups.yaml"
    file.write_text(content)
    with pytest.raises(ConfigError, match=message):
        read_markups(file)
