"""Experiment 2: the language of a block as a feature, off and on (the paper's table 2).

    python benchmarks/paper/language_features.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

The features are langid1 (Beesley 1988) and langid2 (Cavnar and Trenkle 1994) for the language of
most pages, of the block and three to either side, in twenty steps; a configuration that has none
gets them. Pages with content only; both settings are trained on the same blocks in the same folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from experiment import (
    LANGUAGE,
    counted,
    has_content,
    marginals,
    measured,
    options,
    published,
    run,
    scored,
    show,
    without_language,
)
from published import CONTENT_PAGES, PAPER, WITH_LANGUAGE

from victor.config import Config
from victor.corpus.pages import AnnotatedPage


def main() -> None:
    """Cross-validate each configuration with and without the features."""
    given = options(__doc__)
    pages = [page for page in given.pages if has_content(page)]
    language = language_of_most(pages)
    for name, config in given.configs.items():
        with_language = extended(config, language)
        dataset, extractor = measured(pages, with_language)
        settings = {"no": without_language(with_language, extractor), "yes": with_language}
        scores = {
            setting: scored(dataset, marginals(dataset, variant, extractor, given), config.decide)
            for setting, variant in settings.items()
        }
        columns = {setting: score.cells() for setting, score in scores.items()}
        columns["yes - no"] = (scores["yes"] - scores["no"]).cells("+")
        columns["paper: no"] = published(CONTENT_PAGES)
        columns["paper: yes"] = published(WITH_LANGUAGE)
        print(f"{name}, language {language}: {counted(dataset, given.folds)}")
        show(f"{name}, features of the language", columns, [PAPER])


def language_of_most(pages: Sequence[AnnotatedPage]) -> str:
    """Code of the language that most pages are in."""
    (most_common,) = Counter(page.language or "unknown" for page in pages).most_common(1)
    return most_common[0]


def extended(config: Config, language: str) -> Config:
    """The configuration with the features of a language, in place of those it may have."""
    others = [entry for entry in config.features if not _is_language(entry)]
    features = (*others, {LANGUAGE: {"language": language}})
    if len(others) < len(config.features):
        return config.replace(features=features)
    return config.replace(
        features=features,
        discretize={**config.discretize, "langid{1,2}": {"scale": 20}},
        template=(*config.template, {"column": "langid{1,2}", "offset": "{-3..3}"}),
    )


def _is_language(entry: object) -> bool:
    """Whether an entry of a configuration's features is the module, alone or with parameters."""
    return LANGUAGE in entry if isinstance(entry, Mapping) else entry == LANGUAGE


if __name__ == "__main__":
    run(main)
