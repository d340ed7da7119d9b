"""Experiment 2: the language of a block as a feature, off and on (the paper's table 2).

    python benchmarks/paper/language_features.py CORPUS... [--config NAME] [--folds 10] [--jobs 2]

Adds langid1 (Beesley 1988) and langid2 (Cavnar and Trenkle 1994) for the language of most pages,
of the block and three to either side, in the original's scale of 20. Pages with content only; both
settings are trained on the same blocks in the same folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from experiment import counted, has_content, marginals, measured, options, run, scored, show

from victor.config import Config
from victor.corpus.pages import AnnotatedPage
from victor.evaluation.ablation import groups_of, without

MODULE = "langid"


def main() -> None:
    """Cross-validate each configuration with and without the features."""
    given = options(__doc__)
    pages = [page for page in given.pages if has_content(page)]
    language = language_of_most(pages)
    for name, config in given.configs.items():
        with_language = extended(config, language)
        dataset, extractor = measured(pages, with_language)
        added = groups_of(extractor)[MODULE]
        settings = {"off": without(with_language, added, extractor.kinds), "on": with_language}
        scores = {
            setting: scored(dataset, marginals(dataset, variant, extractor, given), variant)
            for setting, variant in settings.items()
        }
        columns = {setting: score.cells() for setting, score in scores.items()}
        columns["on - off"] = (scores["on"] - scores["off"]).cells("+")
        print(f"{name}, language {language}: {counted(dataset, given.folds)}")
        show(f"{name}, features of the language", columns)


def language_of_most(pages: Sequence[AnnotatedPage]) -> str:
    """Code of the language that most pages are in."""
    (most_common,) = Counter(page.language or "unknown" for page in pages).most_common(1)
    return most_common[0]


def extended(config: Config, language: str) -> Config:
    """The configuration with the features of the language."""
    return config.replace(
        features=(*config.features, {MODULE: {"language": language}}),
        discretize={**config.discretize, "langid{1,2}": {"scale": 20}},
        template=(*config.template, {"column": "langid{1,2}", "offset": "{-3..3}"}),
    )


if __name__ == "__main__":
    run(main)
