"""The errors that Victor raises on purpose, for those who catch them.

`victor.base.errors` draws the tree and says what to do about each.
"""

from victor.base.errors import (
    ConfigError,
    CorpusError,
    FeatureError,
    ModelError,
    OutputError,
    PageError,
    TemplateError,
    VictorError,
)

__all__ = [
    "ConfigError",
    "CorpusError",
    "FeatureError",
    "ModelError",
    "OutputError",
    "PageError",
    "TemplateError",
    "VictorError",
]
