"""Grafted pages: the page stays as it is, and all that is put behind its text is other."""

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import numpy as np
import pytest
from grafts.donors import donors, group, is_held
from grafts.places import places

from victor.base.labels import Label
from victor.corpus.pages import annotate, canonical_table, read_corpus, segment_hash, write_corpus
from victor.page.decoding.decode import utf8
from victor.page.table.texts import segment_texts

H, T, O = Label  # noqa: E741
COMMAND = Path(__file__).parents[2] / "benchmarks" / "grafts.py"
spec = spec_from_file_location("grafts_command", COMMAND)
command = module_from_spec(spec)
spec.loader.exec_module(command)
graft, Stock = command.graft, command.Stock
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
STOCK = Stock.of([thread(NEAR[0]), thread(NEAR[1]), other(NEAR[2])])
WORDS = STOCK.words["languages"]


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


@pytest.mark.parametrize(
    ("kind", "markup"),
    [(kind, markup) for kind, markups in STOCK.markups.items() for markup in markups],
    ids=lambda value: value if isinstance(value, str) else value["name"],
)
def test_sections_of_every_markup(kind, markup):
    stock = STOCK._replace(markups={**STOCK.markups, kind: [markup]})
    base = article(NEAR[3])
    pages = (graft(base, stock, Random(seed)) for seed in range(40))
    page = next(p for p in pages if p.metadata["graft"]["markups"] == [markup["name"]])
    kinds = check(page, base)
    texts = [text for text in segments(page) if text.startswith(("Post number", "Wasps"))]
    assert texts
    assert set(kinds) == ({"teaser"} if kind == "teasers" else {"comment", "comment-meta"})


def test_the_same_seed_gives_the_same_pages(tmp_path, monkeypatch):
    write_corpus(tmp_path / "corpus", [*map(article, sites(8)), thread(NEAR[0]), other(NEAR[2])])
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        options = ["--output", str(tmp_path / name), "--pages", "6", "--seed", str(seed)]
        monkeypatch.setattr(sys, "argv", ["grafts.py", str(tmp_path / "corpus"), *options])
        command.main()
    index = {name: (tmp_path / name / "pages.jsonl").read_bytes() for name in "abc"}
    assert index["a"] == index["b"] != index["c"]
    assert len([*read_corpus(tmp_path / "a")]) == 6


def test_more_grafts_than_pages():
    pages = [*command.graft_pages([article(NEAR[3])], STOCK, 3)]
    assert len({page.id for page in pages}) == 3
    assert len({page.html for page in pages}) == 3


def test_texts_stay_in_their_group():
    far = sites(3, in_group=1)
    stock = STOCK._replace(donors=donors([thread(far[0]), other(far[1]), *map(thread, NEAR[:1])]))
    assert graft(article(NEAR[3]), stock, Random(0)) is None, "no teaser of the group"
    page = graft(article(far[2]), stock, Random(0))
    assert set(page.metadata["graft"]["donors"]) <= {*far[:2]}
    assert NEAR[0].encode() not in page.html


def test_the_page_gives_no_text_to_itself():
    stock = STOCK._replace(donors=donors([article(NEAR[3]), thread(NEAR[3]), other(NEAR[3])]))
    assert graft(article(NEAR[3]), stock, Random(0)) is None


def test_language_of_the_page():
    german = [thread(NEAR[0], "de"), thread(NEAR[1], "en"), other(NEAR[2])]
    stock = STOCK._replace(donors=donors(german))
    page = graft(article(NEAR[3], language="de"), stock, Random(1))
    text = page.html.decode()
    assert NEAR[1] not in text
    assert any(word in text for key in ("leave", "title") for word in WORDS["de"][key])


def test_licences_of_texts_are_named():
    page = graft(article(NEAR[3]), STOCK, Random(0))
    assert page.licence == "CC0-1.0 AND MIT"


def test_what_is_no_base():
    page = article(NEAR[3])
    assert command.is_base(page)
    assert not command.is_base(replace(page, kind="forum"))
    assert not command.is_base(replace(page, labels=np.full(len(LABELS), O)))
    assert not command.is_base(replace(page, metadata={"kinds": ["text", "comment"]}))
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
