"""Gold standards of all kinds become labels of segments."""

import pytest

from victor.base.labels import UNLABELLED, Label
from victor.corpus.gold import GoldPage, label_page
from victor.corpus.pages import canonical_table
from victor.errors import CorpusError
from victor.page.table.texts import segment_texts

H, T, O = Label  # noqa: E741
STORY = (
    "Bees live in large colonies with one queen and many thousands of workers.",
    "In winter the colony stays in the hive and eats the honey it has stored.",
    "When spring comes the first of them fly out and look for willows in flower.",
)
PAGE = (
    "<title>Bees</title><ul><li>Home<li>Contact us</ul><h1>On bees</h1>"
    f"<p>{STORY[0]}</p><p>{STORY[1][:30]}<b>{STORY[1][30:]}</b></p>"
    f"<h2>Spring</h2><p>{STORY[2]}</p><div>Copyright notice</div>"
).encode()
TEXTS = ["Home", "Contact us", "On bees", STORY[0], STORY[1][:30].strip(), STORY[1][30:].strip(),
         "Spring", STORY[2], "Copyright notice"]  # fmt: skip


def labelled(gold):
    page, _, _ = label_page(gold)
    texts = segment_texts(canonical_table(page.html))
    return dict(zip(texts, page.labels.tolist(), strict=True))


def test_plain_text():
    gold = "\n".join(["On bees", STORY[0], STORY[1], "Spring", STORY[2]])
    page, score, _ = label_page(GoldPage("bees", PAGE, gold=gold))
    assert page.labels.tolist() == [O, O, H, T, T, T, H, T, O]
    assert segment_texts(canonical_table(page.html)) == TEXTS
    assert score.f1 == 1
    assert page.gold == gold


def test_marked_segments():
    segments = (
        ("h", "On bees"),
        ("p", STORY[0]),
        ("p", STORY[1]),
        ("p", "Spring"),
        ("p", STORY[2]),
    )
    labels = labelled(GoldPage("bees", PAGE, segments=segments))
    assert [labels[text] for text in TEXTS] == [O, O, H, T, T, T, H, T, O]


def test_text_that_the_source_was_undecided_on_is_dont_care():
    gold = "\n".join(STORY)
    labels = labelled(GoldPage("bees", PAGE, gold=gold, undecided="On bees Spring"))
    assert [labels[text] for text in ("On bees", "Spring")] == [UNLABELLED] * 2
    assert [labels[text] for text in ("Home", "Copyright notice")] == [O, O]
    assert [labels[text] for text in STORY[::2]] == [T, T]


def test_gold_text_stays_gold_where_it_is_undecided_too():
    labels = labelled(GoldPage("bees", PAGE, gold=STORY[0], undecided=STORY[0] + STORY[2]))
    assert labels[STORY[0]] == T
    assert labels[STORY[2]] == UNLABELLED


def test_labels_of_the_source():
    parts = tuple(zip([O, O, H, T, T, O, H, UNLABELLED, O], TEXTS, strict=True))
    page, score, _ = label_page(GoldPage("bees", PAGE, labelled=parts))
    assert page.labels.tolist() == [O, O, H, T, T, O, H, UNLABELLED, O]
    assert score is None


def test_kinds_of_the_source():
    parts = tuple(zip([O, O, H, T, T, T, H, UNLABELLED, O], TEXTS, strict=True))
    kinds = ("other",) * 2 + ("headline",) + ("text",) * 3 + ("heading", "caption", "other")
    page, _, _ = label_page(GoldPage("bees", PAGE, labelled=parts, kinds=kinds))
    assert page.metadata["kinds"] == [*kinds]


def test_the_best_gold_standard_is_used():
    parts = tuple((T, text) for text in TEXTS)
    gold = GoldPage("bees", PAGE, gold=STORY[0], segments=(("p", STORY[0]),), labelled=parts)
    assert set(label_page(gold).page.labels.tolist()) == {T}
    gold = GoldPage("bees", PAGE, gold=STORY[2], segments=(("p", STORY[0]),))
    assert [text for text, label in labelled(gold).items() if label == T] == [STORY[0]]


def test_no_content_is_a_gold_standard_too():
    page, score, _ = label_page(GoldPage("bees", PAGE, gold=""))
    assert set(page.labels.tolist()) == {O}
    assert score is None


def test_no_gold_standard():
    with pytest.raises(CorpusError, match="page bees has no gold standard; leave it out"):
        label_page(GoldPage("bees", PAGE))


@pytest.mark.parametrize("html", [b"", b"<p> </p>", b"<script>x</script>"])
def test_pages_without_text(html):
    page, score, _ = label_page(GoldPage("empty", html, gold="Some text."))
    assert page.labels.tolist() == []
    assert score.recall == 0
