"""Where a WARC record ends and what of it is believed, on both sides of every number."""

import gzip

import pytest

from victor.sources.record import Damage

HEADER_BYTES = 1 << 16
NESTED = b"\nWARC/1.0\r\nWARC-Type: response"


def outcome(found):
    """Messages of damages, and lengths of bodies."""
    return [one.message if isinstance(one, Damage) else len(one.body) for one in found]


@pytest.mark.parametrize("n_cut", [0, 4])
def test_the_last_record_needs_no_empty_lines(warc, read_bytes, n_cut):
    record = warc.page(b"<p>last")
    assert outcome(read_bytes(record[: len(record) - n_cut])) == [7]


def test_the_last_record_is_whole(warc, read_bytes):
    record = warc.page(b"<p>last")[:-5]
    (page,) = read_bytes(record)
    message = f"breaks off: {len(record) + 1} bytes expected, {len(record)} found"
    assert (page.body, page.metadata["damaged"]) == (b"<p>las", message)


@pytest.mark.parametrize(("n", "is_believed"), [(59, True), (60, False)])
def test_the_next_record_begins_within_64_bytes(warc, read_bytes, n, is_believed):
    # A record that holds the beginning of one might have swallowed it.
    found = outcome(read_bytes(warc.page(b"<p>" + NESTED)[:-4] + b"\r\n" * 2
                               + b"\n" * (n - 4) + warc.page(b"<p>next")))  # fmt: skip
    assert (found == [3 + len(NESTED), 7]) is is_believed
    assert found[-1] == 7


@pytest.mark.parametrize(
    ("gap", "garbage", "is_likely", "is_certain"),
    [
        (b"\r\n\r\n", b"", True, True),
        (b"\r\n\r\n", b"x\r\n", True, False),
        (b"", b"", True, False),
        (b"\r\n", b"x\r\n", False, False),
        (b"", b"x\r\n", False, False),
    ],
)
def test_what_follows_a_record(warc, read_bytes, gap, garbage, is_likely, is_certain):
    """A record that may have swallowed the next is believed only if all is as it should be."""
    for body, is_believed in ((b"<p>", is_likely), (b"<p>" + NESTED, is_certain)):
        record = warc.page(body)[:-4]
        first, *_, last = read_bytes(record + gap + garbage + warc.page(b"<p>next"))
        message = "does not end where its length says"
        assert first.metadata.get("damaged") == (None if is_believed else message)
        assert first.body == body or not is_believed
        assert last.body == b"<p>next"


@pytest.mark.parametrize(("size", "is_read"), [(HEADER_BYTES, True), (HEADER_BYTES + 1, False)])
def test_the_longest_header(warc, read_bytes, size, is_read):
    short = warc.record(warc.http(b"<p>x"), X_PAD="")
    header = short.index(b"\r\n\r\n") + 4
    record = warc.record(warc.http(b"<p>x"), X_PAD="a" * (size - header))
    found = outcome(read_bytes(record + warc.page(b"<p>next")))
    assert found == ([4, 7] if is_read else ["no WARC record at byte 0", 7])


@pytest.mark.parametrize(
    ("length", "message"),
    [
        ("1" * 18, "is shorter than the"),
        ("1" * 19, "does not say its length"),
        ("-1", "does not say its length"),
        ("0x9", "does not say its length"),
    ],
)
def test_lengths_that_are_wrong(warc, read_bytes, length, message):
    record = warc.record(warc.http(b"<p>x"), Content_Length=length)
    (found,) = read_bytes(gzip.compress(record), "a.warc.gz")
    assert found.body == b"<p>x"
    assert message in found.metadata["damaged"]


@pytest.mark.parametrize("pad", [0, 1, 99])
def test_a_long_record_ends_where_it_says(warc, pack, read_bytes, pad):
    body = b"a" * (3 * HEADER_BYTES + pad)
    records = [warc.page(body), warc.page(b"<p>next")]
    found = read_bytes(b"".join(map(pack, records)), max_bytes=10)
    assert outcome(found) == [11, 7]


def test_positions_are_told(warc, read_bytes):
    record = warc.page(b"<p>x")
    bad = b"garbage\r\n"
    plain = read_bytes(record + bad + record)
    assert outcome(plain) == [4, f"no WARC record at byte {len(record)}", 4]
    packed = gzip.compress(record)
    found = read_bytes(packed + gzip.compress(record + bad + record), "a.warc.gz")
    where = f"byte {len(record)} of what is packed at byte {len(packed)}"
    assert outcome(found) == [4, 4, f"no WARC record at {where}", 4]


@pytest.mark.parametrize("n", [1, 3])
def test_positions_far_inside_a_member_are_told(warc, read_bytes, n):
    records = warc.page(b"a" * 100_000) * n
    found = read_bytes(gzip.compress(b"WARC/" + records + b"garbage"), "a.warc.gz")
    messages = [one.message for one in found if isinstance(one, Damage)]
    where = f"byte {len(records) + 5} of what is packed at byte 0"
    assert messages == ["no WARC record at byte 0", f"no WARC record at {where}"]
