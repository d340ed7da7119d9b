"""WARCs of zstandard frames, with the dictionary that they were packed with and without one."""

import random

import pytest
import zstandard

from victor.sources.record import Damage

MOST = 1 << 23


def frame_of_dictionary(content, size=None):
    size = len(content) if size is None else size
    return b"\x5d\x2a\x4d\x18" + size.to_bytes(4, "little") + content


@pytest.fixture(scope="module")
def pages(warc):
    words = "ferry tunnel county island harbour captain winter school".split()
    wild = random.Random(1)
    texts = [" ".join(wild.choices(words, k=60)).encode() for _ in range(200)]
    return [warc.page(b"<p>" + text, i) for i, text in enumerate(texts)]


@pytest.fixture(scope="module")
def dictionary(pages):
    return zstandard.train_dictionary(4096, pages)


@pytest.fixture(scope="module")
def frames(pages, dictionary):
    """Three pages that need the dictionary."""
    return b"".join(map(zstandard.ZstdCompressor(dict_data=dictionary).compress, pages[:3]))


def outcome(found):
    """Numbers of pages, messages of damages."""
    return [one.message if isinstance(one, Damage) else one.url[-1] for one in found]


@pytest.mark.parametrize("name", ["crawl.warc.zst", "crawl.zst", "crawl"])
def test_every_record_is_a_frame(pages, read_bytes, name):
    frames = [*map(zstandard.compress, pages[:3])]
    frames.insert(1, b"\x50\x2a\x4d\x18" + b"\3\0\0\0" + b"own")  # an extension, to be passed over
    assert outcome(read_bytes(b"".join(frames), name)) == ["0", "1", "2"]


@pytest.mark.parametrize("name", ["crawl.warc.zst", "crawl.zst"])
@pytest.mark.parametrize("stored", [bytes, zstandard.compress])
def test_frames_that_need_a_dictionary(dictionary, frames, read_bytes, name, stored):
    packed = frame_of_dictionary(stored(dictionary.as_bytes())) + frames
    assert outcome(read_bytes(packed, name)) == ["0", "1", "2"]


def test_a_dictionary_that_cannot_be_read_is_one_damage(dictionary, frames, read_bytes):
    whole = dictionary.as_bytes()
    packed = zstandard.compress(whole)
    beginning = whole[:4]
    for content, fault in {
        b"": "could not create",
        beginning: "could not create",
        beginning + bytes(100): "could not create",
        b"only words that some pages have": "could not create",
        packed[:-9]: "it breaks off",
        packed[:40] + bytes(9) + packed[49:]: "it is damaged",
        zstandard.compress(bytes(100)): "could not create",
    }.items():
        (damage,) = read_bytes(frame_of_dictionary(content) + frames, "crawl.warc.zst")
        assert damage.reason == "damaged-warc"
        assert damage.message.startswith(f"has no dictionary that can be read: {fault}")


def test_a_dictionary_that_breaks_off_is_one_damage(dictionary, read_bytes):
    packed = frame_of_dictionary(dictionary.as_bytes())
    for n in (4, 7, 8, 100, len(packed) - 1):
        (message,) = outcome(read_bytes(packed[:n], "crawl.warc.zst"))
        assert message.startswith("has no dictionary that can be read: ")


@pytest.mark.parametrize(("size", "fault"), [(MOST, "could not"), (MOST + 1, "it has more than")])
def test_a_dictionary_is_unpacked_up_to_a_limit(read_bytes, size, fault):
    packed = frame_of_dictionary(zstandard.compress(bytes(size)))
    (message,) = outcome(read_bytes(packed, "crawl.warc.zst"))
    assert message.startswith(f"has no dictionary that can be read: {fault}")


def test_frames_of_another_dictionary_are_one_damage(pages, frames, read_bytes):
    other = zstandard.train_dictionary(4096, pages[100:], dict_id=77)
    packed = frame_of_dictionary(other.as_bytes()) + frames
    (message,) = outcome(read_bytes(packed, "crawl.warc.zst"))
    assert "ictionary mismatch" in message
