"""Numbered words of blocks and gold texts, against word scores of single pages."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from victor.measures.word_bags import word_bags
from victor.measures.words import word_score, words

TEXTS = st.sampled_from(["", "-", "bees", "Bees fly", "the hive the hive", "fly, bees fly!"])
PAGES = st.lists(st.tuples(st.lists(TEXTS, max_size=4), TEXTS), max_size=5)


@given(PAGES)
def test_a_number_is_one_word_of_one_page(pages):
    bags = word_bags(pages)
    texts = [(page, words(text)) for page, (texts, _) in enumerate(pages) for text in texts]
    assert bags.sizes.tolist() == [len(text) for _, text in texts]
    assert bags.block.tolist() == [block for block, (_, text) in enumerate(texts) for _ in text]
    named = [(page, word) for page, text in texts for word in text]
    numbers = bags.word.tolist()
    assert len(set(zip(named, numbers, strict=True))) == len(set(named)) == len(set(numbers))
    assert bags.page[bags.word].tolist() == [page for page, _ in named]


@given(PAGES)
def test_counts_of_the_gold_text_give_the_overlap(pages):
    bags = word_bags(pages)
    assert bags.gold_sizes.tolist() == [len(words(gold)) for _, gold in pages]
    times = np.bincount(bags.word, minlength=len(bags.page))
    hits = np.minimum(times, bags.gold_counts)
    for page, (texts, gold) in enumerate(pages):
        overlap = word_score("\n".join(texts), gold).overlap
        assert hits[bags.page == page].sum() == overlap
