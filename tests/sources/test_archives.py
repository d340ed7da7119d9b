"""Zip and tar files: their pages in order, and what is damaged in them."""

import bz2
import gzip
import io
import lzma
import random
import stat
import tarfile
import tracemalloc
import zipfile

import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sources.containers import tarred, zipped

from victor.sources.inputs import Input, ReadOptions
from victor.sources.reading import read
from victor.sources.record import Damage
from victor.sources.unpack import PACKED

PAGES = {f"site/{i}.html": b"<p>page %d" % i + b" more" * 40 * i for i in range(20)}


def by_id(found):
    return {one.id: one.body for one in found if not isinstance(one, Damage)}


def reasons(found):
    return [one.reason for one in found if isinstance(one, Damage)]


MIXED = {"a.css": b"p {}", **PAGES, "Z.HTM": b"last", "picture.png": b"\x89PNG" * 500}
WANTED = {**PAGES, "Z.HTM": b"last"}


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.zip", zipped),
        ("a.tar", tarred),
        ("a.tar", lambda members: tarred(members, tarfile.GNU_FORMAT)),
        ("a.tgz", lambda members: gzip.compress(tarred(members))),
        ("a.tar.zst", lambda members: zstandard.compress(tarred(members))),
        ("a.tar.bz2", lambda members: bz2.compress(tarred(members))),
        ("a.tar.xz", lambda members: lzma.compress(tarred(members))),
        ("a.unknown", zipped),
        ("a.unknown", tarred),
        ("a.unknown", lambda members: gzip.compress(tarred(members))),
    ],
)
def test_pages_of_an_archive_are_read_in_order(read_bytes, name, pack):
    content = pack(MIXED)
    found = read_bytes(content, name)
    assert [one.id for one in found] == list(WANTED)
    assert by_id(found) == WANTED
    numbers = [one.number for one in found]
    assert numbers == sorted({*numbers})


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
@pytest.mark.parametrize("name", ["d/" * 99 + "ž.html", "včely.html"])
def test_long_and_foreign_names(read_bytes, form, name):
    found = read_bytes(tarred({name: b"x", "b.html": b"y"}, form), "a.tar")
    assert by_id(found) == {name: b"x", "b.html": b"y"}


def test_a_link_in_a_zip_is_no_page(read_bytes):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, kind in (("a.html", stat.S_IFREG), ("link.html", stat.S_IFLNK)):
            member = zipfile.ZipInfo(name)
            member.external_attr = (kind | 0o644) << 16
            archive.writestr(member, "<p>a page")
    assert by_id(read_bytes(content.getvalue(), "a.zip")) == {"a.html": b"<p>a page"}


def test_a_damaged_member_of_a_zip_is_one_damage(read_bytes):
    content = zipped(PAGES)
    place = content.index(b"site/7.html") + 13
    broken = content[:place] + b"\xff" * 10 + content[place + 10 :]
    found = read_bytes(broken, "a.zip")
    assert reasons(found) == ["damaged-member"]
    assert "site/7.html" in found[7].message
    assert by_id(found) == {name: body for name, body in PAGES.items() if name != "site/7.html"}


def wacz(crawl, method=zipfile.ZIP_STORED, name="archive/data.warc.gz"):
    beside = {"datapackage.json": "{}", "pages/pages.jsonl": "{}", "report.html": "<p>report"}
    return zipped({name: crawl, **beside}, method)


@pytest.mark.parametrize("name", ["a.wacz", "a.zip", "a.unknown"])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_pages_of_warcs_in_a_zip(warc, read_bytes, urls, name, method):
    pages = warc.pages(3)
    in_members = wacz(b"".join(map(gzip.compress, pages)), method)
    plain = wacz(b"".join(pages), method, "archive/DATA.WARC")
    wanted = [*(f"http://example.org/{i}" for i in range(3)), None]
    for content in (in_members, plain):
        assert urls(read_bytes(content, name)) == wanted


def test_a_damage_of_a_warc_in_a_zip_costs_its_record(warc, read_bytes, urls):
    records = [*map(gzip.compress, warc.pages(3))]
    content = wacz(b"".join(records))
    broken = content.replace(records[1], records[1][:-8] + bytes(8))
    found = read_bytes(broken, "a.wacz")
    assert reasons(found) == ["damaged-warc"]
    assert urls(found) == ["http://example.org/0", None, "http://example.org/2", None]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_a_zip_packs_without_a_bound_is_not_unpacked(read_bytes, method):
    content = zipped({"a.html": b"<p>bees", "b.warc": b"WARC/1.0"}, method)
    assert reasons(read_bytes(content, "a.zip")) == ["damaged-member"] * 2


def test_a_packed_tar_that_breaks_off_gives_what_is_before(read_bytes):
    wild = random.Random(0)
    pages = {f"{i}.html": wild.randbytes(3000) for i in range(9)}
    found = read_bytes(gzip.compress(tarred(pages))[:15_000], "a.tgz")
    assert list(by_id(found)) == ["0.html", "1.html", "2.html", "3.html"]
    assert {*reasons(found)} == {"damaged-member"}


@pytest.mark.parametrize("n_cut", [1, 4, 5, 511])
def test_a_member_that_is_cut_short_is_named(read_bytes, n_cut):
    content = tarred(PAGES, tarfile.USTAR_FORMAT)
    start = content.index(b"site/7.html") + 520
    found = read_bytes(content[:start] + content[start + n_cut :], "a.tar")
    assert [one.id for one in found if one.metadata] == ["site/7.html"]
    assert {**by_id(found), "site/7.html": PAGES["site/7.html"]} == PAGES


@pytest.mark.parametrize("magic", [b"BZh", b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"])
def test_a_tar_that_begins_as_packed_bytes_do_is_a_tar(read_bytes, magic):
    content = tarred(PAGES, tarfile.USTAR_FORMAT)
    found = read_bytes(magic + content[len(magic) :], "a.tar")
    assert reasons(found) == ["damaged-member"]
    assert by_id(found) == {name: body for name, body in PAGES.items() if name != "site/0.html"}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("tar") / "a.tar"


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.data())
def test_whatever_is_cut_out_of_a_tar_no_other_page_is_lost(file, data):
    content = tarred(PAGES, tarfile.USTAR_FORMAT)
    start = data.draw(st.integers(0, len(content) - 1))
    end = start + data.draw(st.integers(0, 3000))
    put = data.draw(st.binary(max_size=600))
    assume(start or not put.startswith(PACKED))  # what begins so is read as what it says it is
    file.write_bytes(content[:start] + put + content[end:])
    found = list(read(Input(str(file), "tar"), ReadOptions()))
    got, place = by_id(found), 0
    for name, body in PAGES.items():
        size = 512 + -(-len(body) // 512) * 512
        if place + size <= start or place >= end:
            assert got.get(name) == body
        place += size


BOMB = {"bomb.html": bytes(60_000_000), "page.html": b"<p>bees"}
BOMBS = {
    "deflated.zip": lambda: zipped(BOMB),
    "a.tar.gz": lambda: gzip.compress(tarred(BOMB)),
    "a.tar.bz2": lambda: bz2.compress(tarred(BOMB)),
    "a.tar.xz": lambda: lzma.compress(tarred(BOMB)),
    "a.tar.zst": lambda: zstandard.compress(tarred(BOMB)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_more_than_the_limit(name, tmp_path):
    (tmp_path / name).write_bytes(BOMBS[name]())
    limit = 1_000_000
    source = Input(str(tmp_path / name), name.split(".")[1])
    tracemalloc.start()
    found = [(len(page.body), page.body[:9]) for page in read(source, ReadOptions(max_bytes=limit))]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [(limit + 1, bytes(9)), (7, b"<p>bees")]
    assert peak < 24 * limit
