"""The house has floors: a module imports from its own floor and from lower ones, never upward."""

import ast

import pytest

from tests.modules import modules
from tests.rows import tables

EXTENSION = "_core"
"""Compiled, so that no Python file has its name."""
ROWS = tables(__file__)
APART, SHARED = (tuple(ROWS[name]) for name in ("apart", "shared"))
FLOOR = {name: number for number, names in enumerate(ROWS["floors"]) for name in names}


MODULES = {name.partition(".")[2]: source for name, source in modules().items()}
"""Source of every module, by its name without the leading ``victor``."""


def imports(source):
    """Modules of this project that a source imports anywhere, in functions too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [(node.module, alias.name) for alias in node.names]
        else:
            continue
        for module, name in names:
            top, _, inner = module.partition(".")
            inside = f"{inner}.{name}".strip(".")  # a module, if there is one of that name
            if top == "victor":
                yield inside if inside in MODULES or inside == EXTENSION else inner


def are_apart(module, target):
    """Are they different modules or packages of one package whose modules are to stand alone."""
    (above, _, own), (target_above, _, other) = module.partition("."), target.partition(".")
    are_siblings = above == target_above and own.split(".")[0] != other.split(".")[0]
    is_shared = any(name.startswith(SHARED) for name in (module, target))
    return above in APART and bool(own and other) and are_siblings and not is_shared


def violations(module, source):
    """Which imports of a module the rules forbid."""
    for target in imports(source):
        if FLOOR[target.split(".")[0]] > FLOOR[module.split(".")[0]]:
            yield f"{module} imports {target}, which is above it"
        elif are_apart(module, target):
            yield f"{module} imports {target} beside it"


def test_imports_go_downward():
    assert {module.split(".")[0] for module in MODULES} <= FLOOR.keys()
    assert not [text for module in MODULES.items() for text in violations(*module)]


@pytest.mark.parametrize(("module", "source", "is_wrong"), ROWS["imports"])
def test_forbidden_imports_are_found_and_others_are_not(module, source, is_wrong):
    assert bool([*violations(module, source)]) == is_wrong
