"""Whatever is asked of a hostile page gives a result or one typed error, and no other page's."""

import json
import re

import pytest
from hostile.asked import SLOW, STEPS, TEXTS
from hostile.zoo import ALL, ARTICLES, CONTENT, SCRIPT_WORD, SECRET_WORD, Input, page

from victor import Cleaner, Source
from victor.api import load_cleaner
from victor.errors import PageError

MOST = 4_000
"""Bytes of a page, unless its smallest size is larger."""
CORE = 16
"""Every sixteenth page is met on every run of the suite, the others where slow tests are run."""
NOT_TYPED = ("failed", "not-a-page")
"""Reasons of errors that stand for any exception, or for a call that is wrong."""
ALIVE = ("<script", "<iframe", "<object", "<embed", "<form", "javascript:", " onclick=")
NEXT = page("<h1>On bees</h1>" + "<p>Bees live in colonies, and so do ants and some wasps.</p>" * 9)
ONLY_TEXT = {*TEXTS, "command"}


def wrong(entry, name, data):
    """What is wrong with what comes of a step; None if nothing is."""
    source = Source(data, entry.url, entry.charset)
    try:
        given = STEPS[name](source)()
    except PageError as error:
        if error.reason in NOT_TYPED:
            return f"wraps {error.__cause__!r}"
        return f"refused: {error.reason}" if entry.expected == CONTENT else None
    except Exception as error:
        return f"untyped: {error!r}"
    if name in ("clean default", "clean none") and entry.expected not in (CONTENT, "any"):
        return "accepted"
    return found_in(entry, name, given, data)


def found_in(entry, name, given, data):
    """What an output may not hold, or has lost; None if nothing is wrong with it."""
    text = given if isinstance(given, str) else repr(given)
    if re.search("[\0\ud800-\udfff]", text):
        return "NUL or half a character"
    if SECRET_WORD in text or "root:x:0" in text:
        return "another file was read"
    if name in ONLY_TEXT and SCRIPT_WORD in text and entry.expected == CONTENT:
        return "text of a script"
    if name == "annotation":
        alive = [mark for mark in ALIVE if mark in text.lower().replace("&lt;", "")]
        return f"alive: {alive}" if alive else None
    if name != "block text" or entry.key is None or entry.encoding is None:
        return None
    if entry.expected != CONTENT or bare(entry.key) in bare("".join(given)):
        return None
    true = data.decode(entry.encoding, "ignore")
    strange = {c for c in set(text) - set(true) if not c.isascii()}
    return f"garbled: {strange}" if strange else "the sentence is lost"


def bare(text):
    return re.sub(r"[\s\u200b\ufeff]+", "", text)


def failures(entry, names):
    data = entry.small(MOST)
    return {name: why for name in names if (why := wrong(entry, name, data))}


@pytest.mark.parametrize("name", [*ALL][::CORE])
def test_a_page_gives_what_is_asked_or_one_error(name):
    assert failures(ALL[name], STEPS) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for number, name in enumerate(ALL) if number % CORE])
def test_all_but_what_takes_longest(name):
    assert failures(ALL[name], [step for step in STEPS if step not in SLOW]) == {}


@pytest.mark.parametrize("first", range(4))
def test_a_page_behind_a_hostile_one_is_clean(first):
    cleaner = load_cleaner()
    alone = cleaner.clean(NEXT)
    batch = [entry for entry in [*ALL.values()][first::4] if "binaries" not in entry.name]
    pages = [Source(entry.small(1_000), entry.url, entry.charset) for entry in batch]
    between = [each for one in pages for each in (one, Source(NEXT))]
    results = [*cleaner.clean_many(between)]
    assert {each.text for each in results[1::2]} == {alone.text}
    assert all(each.marginals.tolist() == alone.marginals.tolist() for each in results[1::2])


CZECH = {"key": ARTICLES["czech"]["key"], "encoding": "utf-8"}
GARBLED = CZECH["key"].encode().decode("cp1250", "replace")


@pytest.mark.parametrize(
    ("name", "given", "of_page", "told"),
    [
        *(("text", text, {}, True) for text in ("a\0b", "a\ud800b", SCRIPT_WORD, SECRET_WORD)),
        ("text", "words", {"key": None}, False),
        ("html", SCRIPT_WORD, {}, False),
        ("annotation", "<p onclick=x>", {}, True),
        ("block text", [GARBLED], CZECH, True),
        ("block text", ["words"], CZECH, True),
        ("block text", [CZECH["key"]], CZECH, False),
        ("block text", [GARBLED], CZECH | {"encoding": None}, False),
    ],
)
def test_the_judge_fails_what_is_wrong(name, given, of_page, told):
    entry = Input("made/up", lambda n: b"", **of_page)
    assert bool(found_in(entry, name, given, b"")) == told


# --- sizes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<p>one" * 300_000, "too-many-blocks"),
        (b"x" * 20_000_001, "too-many-bytes"),
        ("ž" * 10_000_001, "too-many-bytes"),
        (None, "not-a-page"),
        (b"<frameset cols='*,*'>" + b"<frame src=a.html>" * 10_000 + b"</frameset>", "frames"),
        (b"", "no-text"),
        (b"<!-- -->", "no-text"),
    ],
    ids=["blocks", "bytes", "characters", "nothing", "frames", "empty", "comment"],
)
def test_what_is_too_much_or_nothing_has_a_reason_and_the_batch_goes_on(body, reason):
    before, refused, after = load_cleaner().clean_many([NEXT, body, NEXT])
    assert refused.reason == reason
    assert before.reason == after.reason == "ok"
    assert before.text == after.text


def test_almost_too_many_paragraphs():
    cleaner = load_cleaner()
    small = Cleaner(cleaner.labeler, limits=cleaner.limits.replace(blocks=30_000))
    (cleaned,) = small.clean_many([b"<p>one word" * 30_000])
    assert cleaned.error is None
    assert len(cleaned.blocks) == 30_000


@pytest.mark.parametrize(
    "body",
    [
        b"<p>" + b"w" * 5_000_000,
        b"<p class='" + b"display " * 600_000 + b"' style='" + b"display " * 600_000 + b"'>w",
        b"<" + b"x" * 5_000_000 + b">w</" + b"x" * 5_000_000 + b">",
        b"<pre>" + b" " * 2_000_000 + b"w</pre>",
        b"<div>" * 100_000 + b"w" + b"</div>" * 100_000,
    ],
    ids=["word", "attributes", "names", "blanks", "depth"],
)
def test_what_is_long_or_deep_loses_no_word(body):
    cleaned = load_cleaner(labeler="none").clean(b"<p>before</p>" + body + b"<p>after</p>")
    words = [block.text for block in cleaned.blocks]
    assert [word[:6] for word in words] == ["before", words[1][:6], "after"]
    assert set(words[1]) == {"w"}
    assert json.loads(cleaned.render("json"))["text"] == cleaned.text
