"""What the authors published, to stand beside our figures. Their pages are not public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Figures = Mapping[str, float | str]
"""Measure (`block_scores.MEASURES`) to per cent, or a range of them."""

PAPER: Final = (
    "paper: M. Spousta, M. Marek, P. Pecina: Victor: the Web-Page Cleaning Tool. WAC4, 2008"
)
EARLIER: Final = (
    "WAC3 2007: M. Marek, P. Pecina, M. Spousta: Web Page Cleaning with Conditional Random Fields; "
    "the earlier program on 104 CleanEval pages, 6 folds that do not keep sites together; its "
    "accuracy is that of five labels, not three"
)
_MEASURES: Final = ("accuracy", "accuracy, unlabelled", "precision", "recall")


def _figures(*values: float) -> Figures:
    return dict(zip(_MEASURES, values, strict=True))


LABELS: Final = {
    "header": (1_009, 1.14),
    "text": (5_571, 6.32),
    "other": (81_528, 92.53),
    "total": (88_108, 100.0),
}
"""Table 1: blocks by label on all pages, and per cent as printed (1,009 are rather 1.15)."""
PAGES: Final = 907
PAGES_WITH_CONTENT: Final = 271
CONTENT_PAGES: Final = _figures(91.13, 92.23, 80.75, 79.88)
"""The first experiment: table 2 without features of the language, table 3 on 271 pages."""
WITH_LANGUAGE: Final = _figures(90.82, 91.84, 83.80, 72.95)
"""Table 2 with features of the language."""
ALL_PAGES: Final = _figures(95.92, 96.15, 74.78, 66.95)
"""Table 3 on 907 pages."""
ALL_OTHER: Final = {"accuracy": 92.53}
"""Section 5.2: what labelling every block *other* gives on all pages."""
WAC3: Final = {"accuracy": "74.5 to 75.1", "accuracy, unlabelled": "82.6 to 83.1"}
"""The earlier paper on the earlier program."""
