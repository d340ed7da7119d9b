"""Language scores of blocks."""

import pytest

TEXTS = {
    "cs": "Včely žijí v úlu a celé léto sbírají nektar z květů na louce.",
    "en": "The bees live in a hive and collect nectar from the flowers all summer.",
    "de": "Die Bienen leben in einem Stock und sammeln den ganzen Sommer Nektar.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_target_language_scores_highest(measured, language):
    page = "<p>".join(TEXTS.values()) + "<p>12:30<p>***"
    values = measured("langid", page, language=language)
    for name in ("langid1", "langid2"):
        scores = values[name].tolist()
        assert scores.index(max(scores)) == list(TEXTS).index(language)
        assert scores[-2:] == [0, 0]
        assert all(0 <= score <= 1 for score in scores)
