"""Members of a tar file, and what is damaged, on both sides of every number."""

import gzip
import tarfile

import pytest

from victor.sources.record import Damage

BLOCK = 512


def member(name, body, kind=tarfile.REGTYPE, size=None):
    """A header and its body, filled up to whole blocks."""
    info = tarfile.TarInfo(name)
    info.size, info.type = len(body) if size is None else size, kind
    header = info.tobuf(tarfile.USTAR_FORMAT)
    return header + body + bytes(-len(body) % BLOCK)


def page(n, size=3):
    return member(f"{n}.html", b"<p>" + b"a" * (size - 3))


def outcome(found):
    return [one.message if isinstance(one, Damage) else (one.id, len(one.body)) for one in found]


@pytest.mark.parametrize("size", [3, BLOCK - 1, BLOCK, BLOCK + 1])
@pytest.mark.parametrize("ending", [0, BLOCK, 2 * BLOCK])
def test_bodies_fill_blocks(read_bytes, size, ending):
    found = read_bytes(page(0, size) + page(1) + bytes(ending), "a.tar")
    assert outcome(found) == [("0.html", size), ("1.html", 3)]


@pytest.mark.parametrize("limit", [BLOCK - 1, BLOCK, BLOCK + 1])
def test_a_body_as_long_as_the_limit_is_whole(read_bytes, limit):
    found = read_bytes(page(0, BLOCK) + page(1), "a.tar", max_bytes=limit)
    assert outcome(found) == [("0.html", min(BLOCK, limit + 1)), ("1.html", 3)]


@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 1 << 16, (1 << 16) + BLOCK])
def test_garbage_is_passed_over(read_bytes, n):
    found = read_bytes(page(0) + b"x" * n + page(1) + page(2), "a.tar")
    message = "the member at byte 0 (0.html) is not followed by another"
    expected = [("1.html", 3), ("2.html", 3)]
    rest = outcome(found)
    assert rest[-2:] == expected
    assert rest[:-2] in ([("0.html", 3), f"no member at byte {2 * BLOCK}"], [message])


@pytest.mark.parametrize("cut", [1, 509, 510, BLOCK])
def test_a_body_that_breaks_off(read_bytes, cut):
    found = read_bytes(page(0) + page(1)[: 2 * BLOCK - cut], "a.tar")
    if cut < 510:
        assert outcome(found) == [("0.html", 3), ("1.html", 3)]
    else:
        message = f"(1.html) breaks off: 3 bytes expected, {BLOCK - cut} found"
        assert outcome(found)[:2] == [("0.html", 3), f"the member at byte {2 * BLOCK} {message}"]


def test_a_long_body_that_breaks_off(read_bytes):
    whole = gzip.compress(page(0) + page(1, 5000), 0)
    found = read_bytes(whole[:-2000], "a.tgz", max_bytes=100)
    assert outcome(found)[:2] == [("0.html", 3), ("1.html", 101)]
    assert "(1.html) breaks off" in outcome(found)[2]


def test_a_size_that_swallows_the_next(read_bytes):
    swallowing = member("0.html", b"<p>", size=BLOCK + 3)
    found = read_bytes(swallowing + page(1) + page(2), "a.tar")
    assert outcome(found) == [
        "the member at byte 0 (0.html) is not followed by another",
        ("1.html", 3),
        ("2.html", 3),
    ]


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
@pytest.mark.parametrize("n", [1, 400, 600, 1 << 16, (1 << 16) + 1])
def test_long_names(read_bytes, kind, n):
    ending = b"x.html"
    if kind == tarfile.XHDTYPE:
        start = b"%d path=" % n
        content = start + b"y" * (n - len(start) - len(ending) - 1) + ending + b"\n"
        name = content[len(start) : -1].decode()
    else:
        content = b"y" * (n - len(ending)) + ending
        name = content.decode()
    if n < 20:
        content, name = (b"9 path=a\n", "a") if kind == tarfile.XHDTYPE else (b"a\0", "a")
    found = read_bytes(member("long", content, kind) + member("b.html", b"<p>"), "a.tar")
    if name == "a":
        assert [one.reason for one in found] == ["no-pages"]
    else:
        assert outcome(found) == [(name if n <= 1 << 16 else "b.html", 3)]


def test_what_is_no_file_is_no_page(read_bytes):
    folder = member("d.html", b"", tarfile.DIRTYPE)
    assert outcome(read_bytes(folder + page(1), "a.tar")) == [("1.html", 3)]


def test_zeros_between_members(read_bytes):
    assert outcome(read_bytes(page(0) + bytes(9 * BLOCK) + page(1), "a.tar")) == [
        ("0.html", 3),
        ("1.html", 3),
    ]
