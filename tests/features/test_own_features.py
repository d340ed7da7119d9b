"""What is wrong with a user's own module is told in one line, with file and line number."""

import pickle
from pathlib import Path

import pytest
import yaml

from victor import features
from victor.config.modules import OwnModule
from victor.errors import ConfigError, FeatureError, PageError
from victor.features.base import FeatureSet
from victor.page.table.segment import parse_pages

REFUSED = yaml.safe_load(Path(__file__).with_name("refused.yaml").read_text("utf-8"))
HEAD = """\
import numpy as np

from victor.features.base import Column, Measure
from victor.page.table.texts import block_texts


def build(sign="!"):
    def compute(table):
{body}

    return Measure((Column("shout.share", "number", "share of what is shouted"),), compute)
"""
"""The first line of the body is line 9."""
WITH_CLASS = """\
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
@dataclass
class Share:
    signs: ClassVar[str] = '!'
    value: float = 0.5
"""
"""A class that looks its module up."""


@pytest.fixture
def table():
    return parse_pages([b"<p>Who!<p>Why?<p>No"], attributes=("class",))


def own(source, **parameters):
    """The feature of a module called shouting.py."""
    entry = OwnModule("shouting.py", source, parameters).entry()
    return features.from_config([entry], trust_code=True)


def measuring(*lines):
    """A module whose function has these lines."""
    return HEAD.format(body="\n".join(f"        {line}" for line in lines))


SHARES = measuring(
    "return {'shout.share': [text.count(sign) / len(text) for text in block_texts(table)]}"
)
CONSTANT = WITH_CLASS + measuring("return {'shout.share': np.full(len(table), Share().value)}")


@pytest.mark.parametrize(
    ("source", "parameters", "values"),
    [
        (SHARES, {}, [0.25, 0, 0]),
        (SHARES, {"sign": "?"}, [0, 0.25, 0]),
        (CONSTANT, {}, [0.5, 0.5, 0.5]),
    ],
)
def test_a_sound_one(table, monkeypatch, tmp_path, source, parameters, values):
    monkeypatch.chdir(tmp_path)
    Path("shouting.py").write_text("raise RuntimeError")  # the stored source counts
    assert own(source, **parameters)(table)["shout.share"].tolist() == values


@pytest.mark.parametrize(("line", "message"), REFUSED["while measuring"])
def test_what_goes_wrong_while_measuring(table, line, message):
    feature = own(measuring(line))
    with pytest.raises(FeatureError) as refusal:
        feature(table)
    assert str(refusal.value).strip() == message
    assert "\n" not in str(refusal.value)
    pickle.loads(pickle.dumps(refusal.value))


@pytest.mark.parametrize(("source", "message"), REFUSED["before"])
def test_what_goes_wrong_before(source, message):
    with pytest.raises(FeatureError) as refusal:
        own(source)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_parameters_that_it_does_not_take():
    with pytest.raises(ConfigError, match=r"shouting\.py: got an unexpected .* are: sign='!'"):
        own(measuring("pass"), sgin="?")


def test_of_a_long_message_the_beginning_is_shown(table):
    with pytest.raises(FeatureError) as refusal:
        own(measuring("raise ValueError('§' * 301)"))(table)
    assert str(refusal.value).count("§") == 300


def test_an_error_of_a_page_is_one(table):
    """It is not the module that is to blame."""
    source = measuring(
        "from victor.base.errors import PageError", "raise PageError('too-long', 'a page of mine')"
    )
    with pytest.raises(PageError, match="a page of mine"):
        own(source)(table)


@pytest.mark.parametrize("started", ["here", "beside a program"])
def test_a_file_beside_it_is_not_imported(tmp_path, monkeypatch, started):
    """`python` looks into the folder where it was started, or where the program lies."""
    Path(tmp_path, "helper.py").write_text("open('ran', 'w')")
    Path(tmp_path, "other").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    if started == "here":
        monkeypatch.syspath_prepend(tmp_path / "other")
        monkeypatch.chdir(tmp_path)
    for source in ("import helper", "def build():\n    from helper import x"):
        with pytest.raises(FeatureError, match=r"line \d: it imports helper; a model stores this"):
            own(source)
    assert not Path("ran").exists()


def test_it_may_import_what_is_installed_wherever_that_lies(monkeypatch):
    """Victor itself, too, where its folder is the working directory."""
    monkeypatch.chdir(Path(features.__file__).parents[1])
    source = "import os, msgspec, collections.abc, victor.page.table.texts, _thread\n"
    assert isinstance(own(source + measuring("pass")), FeatureSet)
