"""Kept text that is none: JSON, what repeats the rest of the page, links that only a sign shows."""

import json
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from victor.base.labels import Label
from victor.kinds.link_signs import without_link_signs
from victor.kinds.no_text import without_no_text
from victor.page.table.segment import parse_pages
from victor.page.verdict.verdict import Verdict, marginals
from victor.render import records, text

RANDOM = Random(1)
WORDS = ["".join(RANDOM.choices("aeiklmnorstu", k=RANDOM.randint(3, 9))) for _ in range(400)]
PROSE = [" ".join(RANDOM.choices(WORDS, k=30)) + "." for _ in range(6)]
MENU = {f"key{row}": {"name": f"value {row}", "order": row, "is_shown": True} for row in range(8)}


def verdict_of(*pages, by_model=True):
    """All blocks of some pages are kept."""
    table = parse_pages(pages)
    keep = np.ones(len(table))
    labels = np.full(len(table), Label.TEXT, dtype=np.uint8)
    probabilities = marginals(keep, np.zeros(len(table), dtype=bool))
    return Verdict(table, labels, probabilities, "expected-f", by_model=by_model)


def reasons(*blocks, **options):
    """The reason of every block of one page."""
    return without_no_text(verdict_of("".join(blocks), **options)).reasons()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (json.dumps(MENU), "data"),
        (json.dumps([MENU]), "data"),
        (str(MENU).replace("'key0'", "key0"), "data"),
        (json.dumps(MENU)[:-2], "kept"),
        (json.dumps({"name": "value", "order": "first", "kind": "short"}), "kept"),
        ("[Opening hours: Monday 9-17, Tuesday: 9-17, Friday: 9-12; " + PROSE[0] + "]", "kept"),
    ],
)
def test_json_is_no_text(data, reason):
    assert reasons(f"<p>{PROSE[0]}</p><div>{data}</div>") == ["kept", reason]


def test_json_in_code_is_text():
    assert reasons(f"<p>{PROSE[0]}</p><pre>{json.dumps(MENU)}</pre>") == ["kept", "kept"]


BUTTON = "<button>Copy</button>"
CODE = "<pre>x = 1</pre>"
TABS = "<div role=tablist><div role=tab>Node.js</div><div>No results</div></div>"


class TestLabelsOfCode:
    """Words of the frame that a generator sets around code are none of the author's."""

    @pytest.mark.parametrize(
        "frame",
        [
            f"<div><div><span>js</span></div>{CODE}</div>",
            f"<div><div><div>C++</div>{BUTTON}</div><div>{CODE}</div></div>",
            f"<div>{TABS}{CODE}</div>",
            f"<div>{CODE}<div>Copy to clipboard</div></div>",
            f"<figure><figcaption>python</figcaption>{CODE}</figure>",
            f"<div><div>Shell session</div>{CODE}{CODE}</div>",
        ],
    )
    def test_they_are_dropped(self, frame):
        n_codes = frame.count(CODE)
        found = reasons(f"<p>{PROSE[0]}</p>{frame}<p>{PROSE[1]}</p>")
        assert found.count("kept") == 2 + n_codes
        assert set(found) == {"kept", "code-label"}

    @pytest.mark.parametrize(
        "frame",
        [
            f"<p>Python</p>{CODE}",  # an author's words
            f"<ul><li>Python {CODE}</ul>",
            f"<div><h3>Java</h3>{CODE}</div>",
            f"<div><div>app.py</div>{CODE}</div>",
            f"<div><div>Python</div><div>{PROSE[2]}</div>{CODE}</div>",
            "<div><div>Python</div><div>x = 1</div></div>",  # no code
            "<pre><div>make</div><div>make install</div></pre>",  # a command
            "<pre>bash</pre>",
        ],
    )
    def test_others_stay(self, frame):
        assert {*reasons(f"<p>{PROSE[0]}</p>{frame}<p>{PROSE[1]}</p>")} == {"kept"}

    @pytest.mark.parametrize(
        "bar",
        [
            f"<div class=code__header><span>bash</span>{BUTTON}</div>",
            "<div class='lang-label'>bash</div>",
            f"<div><div>bash</div><div>{BUTTON}<button><div>Run</div></button></div></div>",
        ],
    )
    def test_a_bar_inside_code(self, bar):
        found = reasons(f"<p>{PROSE[0]}</p><pre>{bar}<code>read name</code></pre>")
        assert found[0] == found[-1] == "kept"
        assert {*found[1:-1]} == {"code-label"}


def paragraphs(texts):
    return "".join(f"<p>{text}</p>" for text in texts)


@pytest.mark.parametrize(
    ("copied", "more", "last"),
    [
        (PROSE, [], "copy"),
        (PROSE[1:], [], "copy"),
        (PROSE[2:], [], "kept"),
        (PROSE, [" ".join(WORDS[:90])], "kept"),
    ],
)
def test_a_block_that_repeats_the_rest_is_no_text(copied, more, last):
    found = reasons(paragraphs(PROSE), "<pre># A title", "\n\n".join([*copied, *more]), "</pre>")
    assert found == ["kept"] * len(PROSE) + [last]


def test_a_short_block_that_repeats_the_rest_stays():
    assert reasons(paragraphs(PROSE[:2]), f"<pre>{PROSE[0]} {PROSE[1]}</pre>") == ["kept"] * 3


def test_of_two_copies_one_stays():
    assert reasons(f"<p>{' '.join(PROSE)}</p>" * 2) == ["kept", "copy"]


def test_published_systems_keep_what_they_keep():
    page = paragraphs(PROSE), f"<p>{' '.join(PROSE)}</p>", json.dumps(MENU)
    assert set(reasons(*page, by_model=False)) == {"kept"}
    assert reasons(*page)[-2:] == ["copy", "data"]


def test_what_a_unit_kept_is_dropped_for_its_reason():
    verdict = verdict_of(paragraphs(PROSE), f"<p>{json.dumps(MENU)}</p>")
    by_unit = np.ones(len(verdict.table), dtype=bool)
    assert without_no_text(replace(verdict, by_unit=by_unit)).reasons()[-2:] == ["whole", "data"]


def test_pages_do_not_mix():
    empty, data = "", f"<p>{json.dumps(MENU)}"
    found = without_no_text(verdict_of(paragraphs(PROSE), empty, f"<p>{' '.join(PROSE)}", data))
    assert found.reasons() == ["kept"] * (len(PROSE) + 1) + ["data"]


SIGN = "<a href=#place>{}</a>"


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (f"<h2>Bees {SIGN.format('¶')}</h2>", "Bees"),
        (f"<h2>{SIGN.format('#')} Bees</h2>", "Bees"),
        (f"<h2>Bees <span>{SIGN.format('🔗')}</span></h2>", "Bees"),
        (f"<h2>{SIGN.format('■')} Bees</h2>", "Bees"),
        (f"<dl><dt>bee.fly(){SIGN.format('¶')}</dl>", "bee.fly()"),
        (f"<p>Bees {SIGN.format('→')}</p>", "Bees →"),
        (f"<p>Bees {SIGN.format('#1')}</p>", "Bees #1"),
        ("<h2>Bees #</h2>", "Bees #"),
        ("<h2><a href=/a>Do <i>Bees</i>?</a></h2>", "Do Bees?"),
        (f"<h2>{SIGN.format('???')}</h2>", "???"),
        (f"<h2>{SIGN.format('🔗')}</h2><p>Bees", "Bees"),
        ("<h2>Bees <button data-link=#b>🔗</button></h2>", "Bees"),
        (f"<p>Bees</p><div>{SIGN.format('#')}</div>", "Bees"),
    ],
)
def test_links_that_only_a_sign_shows_are_no_text(markup, words):
    assert text.render(without_link_signs(verdict_of(markup)), 0) == words + "\n"
    published = verdict_of(markup, by_model=False)
    assert without_link_signs(published) is published


def test_signs_have_a_reason():
    verdict = without_link_signs(verdict_of(f"<h2>Bees {SIGN.format('¶')}</h2>{SIGN.format('#')}"))
    assert verdict.reasons() == ["kept", "sign"]
    assert '"removed":[{"reason":"sign","text":"¶"}]' in records.render(verdict, 0)
