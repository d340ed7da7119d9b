"""Learn which pages are lists of other pages, from the types that corpora give to pages.

    python benchmarks/train_lists.py CORPUS... [--write]

CORPUS is an unpacked folder of development pages (gold.jsonl beside html/). Pages of the types
listing and front are lists, pages that can be either are left out, the others are none. What is
measured is what the default model keeps of each page. A logistic regression is scored in ten folds
by site; --write stores the one that is learnt of all pages in victor/kinds/lists.yaml.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from victor.base.arrays import Bools, Floats
from victor.config import compiled
from victor.kinds.extent import Extent
from victor.kinds.lists import WEIGHTS, Lists
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_model
from victor.page.decoding.decode import decode

_LISTS: Final = frozenset({"listing", "front"})
_EITHER: Final = frozenset(
    {"empty", "social", "video", "other", "collection", "sites-dev blog", "wcxb-dev listing"}
)
"""Types, some of one corpus, whose pages are sometimes lists. The blogs of sites-dev are mostly
their first pages; wcxb-dev has product pages and guides among its lists."""
_LEAST: Final = 0.4
"""Probability from which a page is taken for a list: with the stored weights, articles and forums
of the corpora lose at most 0.003 of word F."""
_FOLDS: Final = 10
_HEAD: Final = """\
# What tells pages that are lists of other pages, learnt by benchmarks/train_lists.py; see lists.py.
"""


class Page(NamedTuple):
    """What is learnt from one page."""

    corpus: str
    kind: str
    site: str
    is_list: bool
    measures: dict[str, float]


def main() -> None:
    """Measure the pages, score the regression in folds, and store it if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--write", action="store_true", help="store the weights in the package")
    arguments = parser.parse_args()
    labeler = CrfLabeler(load_model())
    pages = [page for corpus in arguments.corpora for page in read(corpus, labeler)]
    names = [*pages[0].measures]
    rows = np.array([[page.measures[name] for name in names] for page in pages])
    is_list = np.array([page.is_list for page in pages])
    report(pages, probabilities(rows, is_list, [page.site for page in pages]), is_list)
    intercept, weights = plain(regression().fit(rows, is_list))
    text = written(intercept, dict(zip(names, weights, strict=True)))
    print(text)
    if arguments.write:
        WEIGHTS.write_text(text, encoding="utf-8")
        compiled.write(WEIGHTS)


def read(corpus: Path, labeler: CrfLabeler) -> Iterator[Page]:
    """The pages of a corpus that are surely lists or surely not, and of which something is kept."""
    with (corpus / "gold.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        kind = row.get("type") or "page"
        if not {kind, f"{corpus.name} {kind}"} & _EITHER:
            measures = measured((corpus / "html" / f"{row['id']}.html").read_bytes(), labeler)
            if measures:
                yield Page(corpus.name, kind, site(row), kind in _LISTS, measures)


def measured(html: bytes, labeler: CrfLabeler) -> dict[str, float]:
    """The measures of a page; empty if the model keeps nothing of it."""
    table = labeler.table([decode(html).text.encode("utf-8", "replace")])
    extent = Extent(table, labeler.label(table).labels)
    if not extent.kept_words[0]:
        return {}
    return {name: float(values[0]) for name, values in Lists(extent).measures.items()}


def site(row: dict[str, Any]) -> str:
    """What keeps the pages of one site in one fold."""
    return urlsplit(row.get("url") or "").netloc or row.get("site") or str(row["id"])


def regression() -> Pipeline:
    """What learns."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))


def probabilities(rows: Floats, is_list: Bools, sites: Sequence[str]) -> Floats:
    """(m,) probability that each page is a list, by models that saw no page of its site."""
    return np.asarray(
        cross_val_predict(
            regression(), rows, is_list, groups=sites, cv=GroupKFold(_FOLDS), method="predict_proba"
        )[:, 1]
    )


def report(pages: Sequence[Page], probability: Floats, is_list: Bools) -> None:
    """Print how many pages of each type are taken for lists."""
    print(f"average precision {average_precision_score(is_list, probability):.3f}")
    taken = probability >= _LEAST
    groups = [f"{page.corpus} {page.kind}" for page in pages]
    counts = Counter(groups), Counter(np.array(groups)[taken].tolist())
    for group, number in sorted(counts[0].items()):
        print(f"{group:30} {counts[1][group]:4} of {number}")


def plain(learnt: Pipeline) -> tuple[float, list[float]]:
    """Intercept and weights of the measures as they are."""
    scaler, logistic = learnt[0], learnt[1]
    weights = logistic.coef_[0] / scaler.scale_
    return float(logistic.intercept_[0] - weights @ scaler.mean_), weights.tolist()


def written(intercept: float, weights: dict[str, float]) -> str:
    """The file of the package."""
    least = np.log(_LEAST / (1 - _LEAST))
    lines = [f"intercept: {intercept:.3f}"]
    lines += [f"least: {least:.3f}  # log-odds from which a page is a list", "weights:"]
    lines += [f"  {name}: {weight:.3f}" for name, weight in weights.items()]
    return _HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
