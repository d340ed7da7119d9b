"""What is wrong with a user's own module is told in one line, with file and line number."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from victor import features
from victor.config.modules import OwnModule
from victor.errors import ConfigError, FeatureError, PageError
from victor.features.base import FeatureSet
from victor.page.parsing.events import record
from victor.page.table.segment import segment

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


@pytest.fixture
def table():
    return segment(record([b"<p>Who!<p>Why?<p>No"], attributes=("class",)))


def own(source, **parameters):
    """The feature of a module called shouting.py."""
    entry = OwnModule("shouting.py", source, parameters).entry()
    return features.from_config([entry], trust_code=True)


def measuring(*lines):
    """A module whose function has these lines."""
    return HEAD.format(body="\n".join(f"        {line}" for line in lines))


def test_a_sound_one(table):
    source = measuring(
        "return {'shout.share': [text.count(sign) / len(text) for text in block_texts(table)]}"
    )
    assert own(source)(table)["shout.share"].tolist() == [0.25, 0, 0]
    assert own(source, sign="?")(table)["shout.share"].tolist() == [0, 0.25, 0]


def test_a_module_may_have_classes_that_look_their_module_up(table):
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "from typing import ClassVar\n"
        "@dataclass\nclass Share:\n    signs: ClassVar[str] = '!'\n    value: float = 0.5\n"
        + measuring("return {'shout.share': np.full(len(table), Share().value)}")
    )
    assert own(source)(table)["shout.share"].tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["return {'shout.share': [1 for text in table.ancestors]}"],
         ("shouting.py, line 9: TypeError: 'method' object is not iterable; "
         "ancestors is a method: write ancestors(...)")),
        (["return {'shout.share': table.texts}"],
         ("shouting.py, line 9: AttributeError: 'BlockTable' object has no attribute 'texts'; "
         "the texts are block_texts(table), of victor.page.table.texts")),
        (["return {'shout.share': table.wrods}"],
         ("shouting.py, line 9: AttributeError: 'BlockTable' object has no attribute 'wrods', "
         "did you mean words?")),
        (["open(__file__)"],
         ("shouting.py, line 9: NameError: name '__file__' is not defined; "
         "a model stores this one file and no other: write what it reads into it")),
        (["import helper_of_mine"],
         ("shouting.py, line 9: ModuleNotFoundError: No module named 'helper_of_mine'; "
         "a model stores this one file: put what it needs into it, or install that as a package")),
        (["return {'shout.share': np.ones(3) + np.ones(4)}"],
         ("shouting.py, line 9: ValueError: operands could not be broadcast together with shapes "
         "(3,) (4,)")),
        (["raise ValueError('two\\nlines')"], "shouting.py, line 9: ValueError: two lines"),
        (["return table.attribute('style')"],
         "shouting.py, line 9: attribute style was not recorded; declare it in the feature"),
        (["return None"],
         ("shouting.py: it measured nothing; want a table of columns, e.g. "
         "{'shout.share': values}")),
        (["return {'shout.shore': [1, 2, 3]}"],
         "column shout.share is declared but not computed"),
        (["return {'shout.share': [1, 2]}"], "column shout.share: 2 values for 3 blocks"),
    ],
)  # fmt: skip
def test_what_goes_wrong_while_measuring(table, lines, message):
    feature = own(measuring(*lines))
    with pytest.raises(FeatureError) as refusal:
        feature(table)
    assert str(refusal.value).strip() == message
    assert "\n" not in str(refusal.value)
    pickle.loads(pickle.dumps(refusal.value))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\nif x\n    y", "shouting.py, line 2: SyntaxError: expected ':'"),
        ("\n\nimport no_such_package",
         ("shouting.py, line 3: ModuleNotFoundError: No module named 'no_such_package'; a model "
         "stores this one file: put what it needs into it, or install that as a package")),
        ("from . import helper",
         ("shouting.py, line 1: it imports a file beside it; a model stores this one file: put "
         "what it needs into it, or install that as a package")),
        ("import numpy as np\nnp.nothing", "shouting.py, line 2: AttributeError: module 'numpy'"),
        ("def build(): 1 / 0", "shouting.py, line 1: ZeroDivisionError: division by zero"),
        ("def build(): return 3", "shouting.py: build() returned a value of type int; it has to"),
        ("class F:\n    columns = ()\n    __call__ = None\ndef build(): return F()",
         "shouting.py: columns are a value of type tuple; want a tuple, e.g."),
        (measuring("pass").replace('"number"', '"float"'),
         ("shouting.py: column shout.share is of the kind 'float'; the kinds are bool, category, "
         "count, number")),
        ("def build():\n    return build()", "shouting.py, line 2: RecursionError: maximum"),
    ],
)  # fmt: skip
def test_what_goes_wrong_before(source, message):
    with pytest.raises(FeatureError) as refusal:
        own(source)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


def test_parameters_that_it_does_not_take():
    with pytest.raises(ConfigError, match=r"shouting\.py: got an unexpected .* are: sign='!'"):
        own(measuring("pass"), sgin="?")


def test_an_error_of_a_page_is_one(table):
    """It is not the module that is to blame."""
    source = measuring(
        "from victor.base.errors import PageError", "raise PageError('too-long', 'a page of mine')"
    )
    with pytest.raises(PageError, match="a page of mine"):
        own(source)(table)


def test_a_file_beside_it_is_not_imported(tmp_path, monkeypatch):
    """`python` looks into the folder where it was started: elsewhere the model would be broken."""
    Path(tmp_path, "helper.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for source in ("import helper", "def build():\n    from helper import x"):
        with pytest.raises(FeatureError, match=r"line \d: it imports helper; a model stores this"):
            own(source)
    assert not Path("ran").exists()


def test_it_may_import_what_is_installed_wherever_that_lies(monkeypatch):
    """Victor itself, too, where its folder is the working directory."""
    monkeypatch.chdir(Path(features.__file__).parents[1])
    source = "import os, msgspec, collections.abc, victor.page.table.texts, _thread\n"
    assert isinstance(own(source + measuring("pass")), FeatureSet)


def test_the_values_are_those_of_the_stored_source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shouting.py").write_text("raise RuntimeError")
    entry = OwnModule("shouting.py", measuring("return {'shout.share': [1, 2, 3]}")).entry()
    chosen = features.from_config([entry], trust_code=True)
    computed = chosen(segment(record([b"<p>a<p>b<p>c"])))
    assert np.array_equal(computed["shout.share"], [1, 2, 3])
