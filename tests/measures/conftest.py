"""Pairs of predicted and gold texts that every measure has to count as its definition says."""

import pytest

PAIRS = {
    "same": ("Bees live in colonies.", "Bees live in colonies."),
    "empty prediction": ("", "Bees live in colonies."),
    "empty gold": ("Home page", ""),
    "both empty": ("", ""),
    "no words": ("— …", " . "),
    "nothing in common": ("Home page", "Bees live in colonies."),
    "repeated words": ("the bee and the bee and the bee", "the bee, the drone and the"),
    "four words": ("one two three four", "one two three four five"),
    "case": ("BEES live In Colonies of thousands", "Bees live in colonies of Thousands"),
    "czech": (
        "Včely žijí v úlu.\nŽluťoučký kůň úpěl ďábelské ódy.\nDomů",
        "Včela\nVčely žijí v úlu a ŽLUŤOUČKÝ KŮŇ\núpěl ďábelské ódy.",
    ),
    "lines": (
        "Bees\nThey live in colonies of many bees.\n\nShare this\nA queen lays its eggs",
        "Bees\n\nThey live in large colonies.\nA queen of the colony lays eggs, the bees",
    ),
    "digits and underscore": ("snake_case 3.14 x_1 2024-01 H2O", "snake_case 3,14 x_1 2024 H2O"),
    "table": ("year\tbees\n2023\t1 200\n2024\t1 350\n", "year | bees\n2024 | 1 350\n2023 | 1 200"),
    "other order": ("e f g h\na b c d", "a b c d e f g h"),
    "ties": ("a b a c\nb a b c a", "b a a b c\nc b a b"),
    "carriage returns": ("a b\rc d\r\ne f", "a b\u2028c d\ne f"),
}  # fmt: skip


@pytest.fixture(scope="session")
def pairs():
    """Predicted and gold texts by name."""
    return PAIRS
