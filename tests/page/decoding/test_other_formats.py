"""What is no page is refused by Python as by the commands, with what it is; pages are not."""

import bz2
import gzip
import lzma
import random
import subprocess
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import victor
from victor import PageError
from victor.cli.pages import Input, source
from victor.page.source import other_format
from victor.sources.record import Record
from victor.sources.sniff import refused

PAGE = b"<html><body><p>" + b"Bees live in colonies, of which each has one queen. " * 9
NOISE = random.Random(2).randbytes(20_000)
BINARIES = {
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF" + NOISE, "a picture (JPEG)"),
    "gif": (b"GIF89a" + NOISE, "a picture (GIF)"),
    "png": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + NOISE, "a picture (PNG)"),
    "tiff": (b"II*\0" + NOISE, "a picture (TIFF)"),
    "bmp": (b"BM\x8a\x10\0\0\0\0\0\0" + NOISE, "a picture (BMP)"),
    "webp": (b"RIFF\1\2\3\4WEBPVP8" + NOISE, "a picture (WebP)"),
    "ico": (b"\0\0\1\0" + NOISE, "an icon"),
    "woff": (b"wOF2\0\1" + NOISE, "a font"),
    "mp4": (b"\0\0\0\x18ftypmp42" + NOISE, "sound or film"),
    "avi": (b"RIFF\1\2\3\4AVI " + NOISE, "sound or film"),
    "mp3": (b"\xff\xfb\x90\x44" + NOISE, "binary data"),
    "zip": (b"PK\3\4\x14\0" + NOISE, "a ZIP archive"),
    "rar": (b"Rar!\x1a\x07" + NOISE, "a RAR archive"),
    "gzip": (gzip.compress(PAGE), "packed with gzip"),
    "zlib": (zlib.compress(PAGE), "packed with zlib"),
    "zlib 9": (zlib.compress(PAGE, 9), "packed with zlib"),
    "bz2": (bz2.compress(PAGE), "packed with bzip2"),
    "xz": (lzma.compress(PAGE), "packed with xz"),
    "zstandard": (b"(\xb5/\xfd" + NOISE, "packed with zstandard"),
    "packed by any other means": (NOISE, "binary data"),
    "elf": (b"\x7fELF\2\1\1\0" + NOISE, "a program"),
    "exe": (b"MZ\x90\0\3" + NOISE, "a program"),
    "doc": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE,
        "a document of an old office program (OLE)",
    ),
    "pdf": (b"\r\n%PDF-1.7\n" + NOISE, "a PDF document"),
    "rtf": (b"{\\rtf1\\ansi" + b"text " * 9, "an RTF document"),
    "sqlite": (b"SQLite format 3\0" + NOISE, "a database (SQLite)"),
    "parquet": (b"PAR1\x15\x04" + NOISE, "a table (Parquet)"),
    "warc": (b"WARC/1.0\r\nWARC-Type: response\r\n", "a WARC file"),
    "zeros": (bytes(5000), "binary data"),
}
PAGES = {
    "html": PAGE,
    "words": b"Bees live in colonies.",
    "xml": b'<?xml version="1.0"?><rss><channel><title>Bees</title></channel></rss>',
    "nothing": b"",
    "spaces": b" \n" * 50,
    "json": b'{"a": "<p>x</p>"}',
    "zeros in a page": b"<p>" + b"a\0" * 500,
    "zeros before a page": bytes(50) + PAGE,
    "controls in a page": b"x" + b"\1\2\3" * 99 + PAGE,
    "a word like a signature": b"OTTO sells <b>things</b>, PK Park, BZh, MZ, BM ab, x\x9cuvre <p>",
    "cp437 art": bytes(range(128, 256)) * 20,
    "iso-2022-jp": "今日はとても天気がいい".encode("iso-2022-jp") * 99,
    **{
        name: "Příliš žluťoučký kůň, Пёс лает, 今日はとても".encode(name) * 50
        for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
    },
}


@pytest.mark.parametrize("name", BINARIES)
def test_binaries_have_a_name(name):
    body, its_name = BINARIES[name]
    assert other_format(body) == its_name


@pytest.mark.parametrize("name", ["png", "zeros"])
def test_binaries_are_refused_by_all_three(name):
    body, its_name = BINARIES[name]
    with pytest.raises(PageError, match="not HTML; `victor crawl` reads") as caught:
        victor.clean(body)
    assert caught.value.reason == "not-html"
    assert its_name in str(caught.value)
    of_command = source(Input("-", "stdin", body), 1_000_000).page
    assert (of_command.reason, str(of_command)) == ("not-html", str(caught.value))
    assert refused(Record("a", 0, body)) == "not-html"


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_not(name):
    assert other_format(PAGES[name]) is None


def test_one_that_is_refused_does_not_stop_the_others():
    results = list(victor.clean_many([PAGE, BINARIES["png"][0], PAGE]))
    assert [result.reason for result in results] == ["ok", "not-html", "ok"]
    assert results[1].text == ""


def test_text_is_held_against_binary_data_only():
    assert other_format("%PDF-1.7 is how such files begin") is None
    assert other_format("\ufeff<p>x") is None
    assert other_format("\x01\x02\x03\x04\x05\x06\x0e\x0f" * 20) == "binary data"
    assert other_format(NOISE.decode("latin-1")) == "binary data"


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_anything_has_a_name_or_none(body):
    name = other_format(body)
    assert name is None or name


@given(st.binary(max_size=300))
def test_what_begins_with_a_tag_is_a_page(rest):
    assert other_format(b"\r\n <p>" + rest) is None


def test_asking_loads_nothing_of_the_sources():
    code = (
        "import sys, victor.api; "
        "print([name for name in sys.modules if name.startswith('victor.sources')])"
    )
    out = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


HEAD = 4096


def test_the_beginning_of_a_text_decides():
    text = "\1" * 205 + "a" * HEAD
    assert other_format(text) == "binary data"
    assert other_format(text[1:]) is None
