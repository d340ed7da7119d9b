"""A hundred pages in every container, and what can be done to a file of bytes."""

import gzip
import io
import json
import random
import tarfile
import zipfile

import pyarrow
import pyarrow.parquet
import zstandard
from sources.conftest import Warc

N = 100
_LUCK = random.Random(7)
PAGES = [f"<p>page {i} {_LUCK.randbytes(300 + 10 * i).hex()}</p>".encode() for i in range(N)]
URLS = [f"http://example.org/{i}" for i in range(N)]


def tarred(files, form=tarfile.PAX_FORMAT):
    """A tar of files by name."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def zipped(files, method=zipfile.ZIP_DEFLATED):
    """A zip archive of files by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def _arc(page, url):
    block = Warc.http(page)
    return f"{url} 1.2.3.4 20060708091011 text/html {len(block)}\n".encode() + block + b"\n"


def _parquet():
    out = io.BytesIO()
    table = pyarrow.table({"html": PAGES, "url": URLS})
    pyarrow.parquet.write_table(table, out, row_group_size=2, compression="zstd")
    return out.getvalue()


def _with_dictionary(records):
    dictionary = zstandard.train_dictionary(3_000, records)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    head = b"\x5d\x2a\x4d\x18" + len(dictionary.as_bytes()).to_bytes(4, "little")
    return head + dictionary.as_bytes() + b"".join(map(packer.compress, records))


def _all():
    records = [Warc.page(page, i) for i, page in enumerate(PAGES)]
    texts = [
        Warc.record(page, url, kind="conversion", media="text/plain")
        for page, url in zip(PAGES, URLS, strict=True)
    ]
    head = b"1 0 own\nURL IP-address Archive-date Content-type Archive-length\n\n"
    filedesc = f"filedesc://a.arc 0.0.0.0 20060101000000 text/plain {len(head)}\n".encode() + head
    arcs = [filedesc, *(_arc(page, url) for page, url in zip(PAGES, URLS, strict=True))]
    lines = [
        json.dumps({"html": page.decode(), "url": url}).encode() + b"\n"
        for page, url in zip(PAGES, URLS, strict=True)
    ]
    files = {f"{i}.html": page for i, page in enumerate(PAGES)}
    zstd = zstandard.ZstdCompressor().compress
    return {
        "plain.warc": b"".join(records),
        "pages.warc.gz": b"".join(map(gzip.compress, records)),
        "frames.warc.zst": b"".join(map(zstd, records)),
        "dictionary.warc.zst": _with_dictionary(records),
        "old.arc": b"".join(arcs),
        "old.arc.gz": b"".join(map(gzip.compress, arcs)),
        "texts.warc.wet.gz": b"".join(map(gzip.compress, texts)),
        "crawl.wacz": zipped(
            {"archive/a.warc.gz": b"".join(map(gzip.compress, records))}, zipfile.ZIP_STORED
        ),
        "pages.zip": zipped(files),
        "pages.tar": tarred(files),
        "pages.tar.gz": gzip.compress(tarred(files)),
        "rows.jsonl": b"".join(lines),
        "rows.jsonl.gz": gzip.compress(b"".join(lines)),
        "rows.parquet": _parquet(),
    }


CONTAINERS = _all()
GOES_ON = frozenset(CONTAINERS) - {"pages.tar.gz", "rows.jsonl.gz", "rows.parquet", "pages.zip",
                                   "crawl.wacz"}  # fmt: skip
"""Those that are read on behind any damage; of the others, what is behind one may be lost."""


def _changed(data, luck, n, new):
    at = luck.randrange(len(data) // 4, len(data) * 3 // 4)
    return data[:at] + new + data[at + n :]


DAMAGES = {
    "none": lambda data, luck: data,
    "a byte flipped": lambda data, luck: _changed(data, luck, 1, b"\xff"),
    "zeros": lambda data, luck: _changed(data, luck, 200, bytes(200)),
    "noise": lambda data, luck: _changed(data, luck, 300, luck.randbytes(300)),
    "bytes cut out": lambda data, luck: _changed(data, luck, 37, b""),
    "bytes put in": lambda data, luck: _changed(data, luck, 0, luck.randbytes(41)),
    "the end cut off": lambda data, luck: data[: -len(data) // 50],
    "only a beginning": lambda data, luck: data[:11],
    "garbage before": lambda data, luck: luck.randbytes(777) + data,
    "garbage behind": lambda data, luck: data + luck.randbytes(777),
    "zeros behind": lambda data, luck: data + bytes(5_000),
    "empty": lambda data, luck: b"",
}
