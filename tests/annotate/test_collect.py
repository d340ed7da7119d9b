"""Pages from files, folders, archives, corpora and lists of addresses."""

import json

import pytest
from sources.conftest import Warc

from victor.annotate.blocks import block_table
from victor.annotate.collect import collect
from victor.annotate.store import Store
from victor.base.labels import UNLABELLED
from victor.corpus.pages import annotate, canonical_table, write_corpus
from victor.errors import ConfigError
from victor.page.table.texts import block_texts, segment_texts

PAGE = "<title>t</title><h1>Ovoce</h1><p>Jablka a <b>hrušky</b> jsou zralé.</p><p>Kontakt</p>"


def names_of(pages):
    return [page.id for page in pages]


def test_a_file_is_a_page_with_files_beside_it(tmp_path):
    file = tmp_path / "my page (1).html"
    file.write_text(PAGE)
    (page,) = collect([str(file)])
    assert page.html == PAGE.encode()
    assert page.id.startswith("my-page-1-")
    assert page.file == file
    assert (page.url, page.labels) == (None, None)


def test_the_same_bytes_have_the_same_name_and_others_another(tmp_path):
    for folder, text in (("a", "one"), ("b", "two"), ("c", "one")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "index.html").write_text(text)
    one, two, same = names_of(collect([str(tmp_path)]))
    assert one == same != two
    assert names_of(collect([str(tmp_path / name) for name in "cba"])) == [same, two, one]


def test_a_folder_is_all_pages_below_it_but_not_what_browsers_saved_with_them(tmp_path):
    for name in ("b.htm", "a.html", "sub/c.xhtml", "a_files/frame.html", "d_files/own.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "notes.txt").write_text("no page")
    texts = [page.html.decode() for page in collect([str(tmp_path)])]
    assert texts == ["a.html", "b.htm", "d_files/own.html", "sub/c.xhtml"]


@pytest.mark.parametrize("name", ["none.html", "empty"])
def test_what_is_not_there_is_told(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=name):
        [*collect([str(tmp_path / name)])]


def test_warc_files_give_pages_with_their_addresses(tmp_path):
    block = Warc.http(PAGE.encode("cp1250"), content_type="text/html; charset=windows-1250")
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(Warc.record(block, "http://a.example/x?y=1") + b"WARC/1.0\r\nbroken")
    messages = []
    (page,) = collect([str(archive)], tell=messages.append)
    assert (page.url, page.site, page.file) == ("http://a.example/x?y=1", "a.example", None)
    assert page.id.startswith("a.example-x-y-1-")
    assert "hrušky" in " ".join(block_texts(block_table(page.html)))
    assert len(messages) == 1


def test_rows_of_text_are_read_as_they_are_meant(tmp_path):
    rows = tmp_path / "some.jsonl"
    html = '<meta charset="iso-8859-2">' + PAGE
    rows.write_text(json.dumps({"html": html, "url": "http://b.example/"}))
    (page,) = collect([str(rows)])
    assert block_texts(block_table(page.html))[1] == "Jablka a hrušky jsou zralé."


def test_annotated_corpora_come_with_their_labels(tmp_path, annotated):
    html = PAGE.encode()
    texts = segment_texts(canonical_table(html))
    labels = {"Ovoce": 0, "Kontakt": UNLABELLED}
    page = annotate("fruit", html, [labels.get(t, 1) for t in texts], site="f.example", url="u")
    write_corpus(tmp_path / "corpus", [page])
    (new,) = collect([str(tmp_path / "corpus")])
    assert (new.id, new.html, new.labels) == ("fruit", html, "ht?")
    assert (new.site, new.url, new.file) == ("f.example", "u", None)


def test_pages_of_every_source_can_be_stored(tmp_path, own_pages):
    with Store(tmp_path / "store.sqlite") as store:
        assert store.add(collect([str(own_pages[0].parents[1]), *map(str, own_pages[:2])])) == 58
        assert store.add(collect([*map(str, own_pages[:3])])) == 1


def test_addresses_alone_and_in_lists_are_downloaded(tmp_path, serve):
    cyrillic = "<p>Привет, пчёлы летают над лугом".encode("koi8-r")
    routes = {
        "/a": (200, {"Content-Type": "text/html; charset=koi8-r"}, cyrillic),
        "/moved": (302, {"Location": "/a"}, b""),
    }
    listed, messages = tmp_path / "urls.txt", []
    with serve(routes) as (address, requests):
        listed.write_text(f"{address}/moved\n# comment\n\n {address}/none \n")
        pages = [*collect([f"{address}/a", f"@{listed}"], messages.append)]
    assert [page.url for page in pages] == [f"{address}/a", f"{address}/a"]
    assert block_texts(block_table(pages[0].html)) == ["Привет, пчёлы летают над лугом"]
    assert [f"{address}/none" in line and "http-error" in line for line in messages] == [True]
    assert requests == ["/a", "/moved", "/a", "/none"]
