"""Configurations in YAML: one typed error, or a configuration that is written and read again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from victor.base.files import package_folder
from victor.config.layers import load, names
from victor.config.plain_yaml import CONFIGS
from victor.config.schema import Config
from victor.errors import VictorError
from victor.features import from_config
from victor.model.template import Template

MOST_BYTES: Final = 4_000
_MORE: Final = [
    b"base: crf\ncrf: {c2: 5}\nlimits: {bytes: 1000, seconds: 0.5}\n",
    b"a: &a [1, 2]\nfilter: {languages: [cs, sk], identifier: cavnar}\n",
    b"base: default\ntemplate: [{column: 'word.{count,capital-rel}', offset: '{-3..3}'}]\n",
    b"features: [words, {duplicates: {text: words}}]\ndiscretize: {default: {quantiles: 10}}\n",
    b"scope: article\ndecide: {method: expected-f, temperature: 1.5}\n",
]


def seeds() -> list[bytes]:
    """The beginnings of the shipped configurations, and small ones."""
    folder = package_folder(CONFIGS)
    return _MORE + [(folder / f"{name}.yaml").read_bytes()[:MOST_BYTES] for name in names()]


def one(data: bytes) -> None:
    """Load it, with its features and its template, and read again what it is written as."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.yaml")
        path.write_bytes(data)
        try:
            config = load(path)
            columns = from_config(config.features).columns
            Template.from_config(list(config.template), columns=[c.name for c in columns])
        except VictorError as error:
            str(error).encode()
            return
        path.write_text(config.dump(), encoding="utf-8")
        assert load(path) == config, "what is written is read again"
    assert Config.from_json(config.to_json()) == config
