"""The house has floors: a module imports from its own floor and from lower ones, never upward."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

EXTENSION = "_core"
"""Compiled, so that no Python file has its name."""

FLOORS = (
    ("base", "_core", "models"),  # models: data
    ("page", "config", "measures"),
    ("metadata", "language", "tables", "sources"),
    ("features", "model"),
    ("render", "kinds", "kitten", "corpus"),
    ("labelers", "explain"),
    ("api",),
    ("training", "evaluation", "documents"),
    ("crawl", "arrow"),
    ("", "annotate", "errors"),  # "": the names that the package itself offers
    ("cli",),
    ("__main__",),
)
"""Modules and packages of ``victor`` from the ground up; a package stands with all it holds."""

APART = ("features", "labelers", "render")
"""Packages whose modules never import one another; what they share is in the package itself.

A package inside counts as one of the modules; its own modules may import one another.
"""

SHARED = (
    "features.base", "features.own_features",
    "labelers.labeler", "labelers.rules", "render.forms",
    "render.inline_markdown", "render.tree",
)  # fmt: skip
"""Modules of these packages that the others share, or that know all others."""

FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def modules():
    """Name to file of every module, without the leading ``victor``."""
    found = {}
    for folder, above in (("victor", ()), ("features", ("features",))):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = [*above, *file.relative_to(ROOT / folder).with_suffix("").parts]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


MODULES = modules()


def imports(source):
    """Modules of this project that a source imports anywhere, in functions too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (inner(alias.name) for alias in node.names if is_own(alias.name))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if is_own(node.module):
                yield from (named(inner(node.module), alias.name) for alias in node.names)


def is_own(name):
    return name.split(".")[0] == "victor"


def inner(name):
    return name.removeprefix("victor").removeprefix(".")


def named(module, name):
    """``from module import name``: a module if there is one of that name, else `module`."""
    inside = f"{module}.{name}".removeprefix(".")
    return inside if inside in MODULES or inside == EXTENSION else module


def top(module):
    return module.split(".")[0]


def are_siblings(module, target):
    """Are they different modules or packages of one package."""
    above, _, own = module.partition(".")
    target_above, _, other = target.partition(".")
    return above == target_above and own and other and own.split(".")[0] != other.split(".")[0]


def shared(module, target):
    """Is either of them a module that the package shares, directly or by what it holds."""
    return any(name.startswith(SHARED) for name in (module, target))


def violations(module, source):
    """Which imports of a module the rules forbid."""
    for target in imports(source):
        if FLOOR[top(target)] > FLOOR[top(module)]:
            yield f"{module} imports {target}, which is above it"
        elif top(module) in APART and are_siblings(module, target) and not shared(module, target):
            yield f"{module} imports {target} beside it"


def test_every_module_has_a_floor():
    assert {top(module) for module in MODULES} <= FLOOR.keys()


def test_imports_go_downward():
    sources = {module: file.read_text(encoding="utf-8") for module, file in MODULES.items()}
    assert not [text for name in sources for text in violations(name, sources[name])]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("base.errors", "import victor.base.labels, victor.config"),
        ("config", "def f():\n    from victor.model.template import expand"),
        ("page.events", "from victor import page, api"),
        ("corpus.pages", "from victor import clean"),
        ("explain.compare", "from victor.api import Result"),
        ("page.verdict", "if TYPE_CHECKING:\n    from victor.model.decide import Decision"),
        ("features.words", "from victor.features.links import build"),
        ("features.words", "from victor.features import links"),
        ("labelers.a.steps", "from victor.labelers.b import build"),
        ("", "import victor.cli.clean"),
    ],
)
def test_forbidden_imports_are_found(module, source):
    assert [*violations(module, source)]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("page.blocks", "import numpy, victor.page.table.tokens\nfrom victor.page import segment"),
        ("features.words", "from victor.features.base import column"),
        ("training.leaves", "from victor.labelers.crf import CrfLabeler"),
        ("render", "from victor.render.text import render"),
        ("features.words", "from victor.features import load\nimport victorious"),
        ("labelers.a", "from victor.labelers.a.steps import run"),
        ("labelers.a.steps", "from victor.labelers.a.areas import group"),
        ("", "from victor.training.estimator import VictorCRF"),
        ("cli.clean", "from victor import clean"),
    ],
)
def test_other_imports_are_not(module, source):
    assert not [*violations(module, source)]
