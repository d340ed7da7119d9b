"""Gold standards of all kinds become labels of segments."""

from dataclasses import replace

import pytest

from tests.rows import tables
from victor.corpus.gold import GoldPage, label_page
from victor.corpus.pages import canonical_table, from_letters, to_letters
from victor.errors import CorpusError
from victor.page.table.texts import segment_texts

ROWS = tables(__file__)
TEXTS = ROWS["texts"]
MARKUP = (
    "<title>Bees</title><ul><li>{}<li>{}</ul><h1>{}</h1><p>{}</p><p>{} <b>{}</b></p><h2>{}</h2>"
    "<p>{}</p><div>{}</div>"
)
PAGE = MARKUP.format(*TEXTS).encode()


def test_no_gold_standard():
    with pytest.raises(CorpusError, match="page bees has no gold standard; leave it out"):
        label_page(GoldPage("bees", PAGE))


def gold_of(*, labels=None, segments=None, **numbers):
    """A gold standard of the page from numbers of its texts."""
    made = {name: "\n".join(TEXTS[n] for n in given) for name, given in numbers.items()}
    if segments:
        made["segments"] = tuple((kind, TEXTS[n]) for kind, n in segments)
    if labels:
        made["labelled"] = tuple(zip(from_letters(labels).tolist(), TEXTS, strict=True))
    return GoldPage("bees", PAGE, **made)


@pytest.mark.parametrize(("given", "labels", "f1"), ROWS["gold"].values(), ids=ROWS["gold"])
def test_labels_of_a_gold_standard(given, labels, f1):
    page, score, _ = label_page(gold_of(**given))
    assert segment_texts(canonical_table(page.html)) == TEXTS
    assert to_letters(page.labels) == labels
    assert (score and round(score.f1, 2)) == f1
    assert page.gold == gold_of(**given).gold


def test_kinds_of_the_source_are_kept():
    kinds = ("other", "other", "headline", "text", "text", "text", "heading", "caption", "other")
    page, _, _ = label_page(replace(gold_of(labels="oohttth?o"), kinds=kinds))
    assert page.metadata["kinds"] == [*kinds]


@pytest.mark.parametrize("html", [b"", b"<p> </p>", b"<script>x</script>"])
def test_pages_without_text(html):
    page, score, _ = label_page(GoldPage("empty", html, gold="Some text."))
    assert (page.labels.tolist(), score.recall) == ([], 0)
