"""Every regular expression of the package, taken from its sources, with the ways it is used.

A pattern is made by a call: `re.compile`, a function of `re` with the expression as its first
argument, `victor.base.lazy.pattern`, or a constraint of a configuration
(`Meta(pattern=)`). All such calls of all modules are listed; the expression is evaluated among the
names of its module. What a function builds out of its arguments cannot be, and needs a line in
`BUILT` of the tests.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import regex

ROOT = Path(__file__).parents[2]
WAY_OF_METHOD = {
    "match": "match", "search": "search", "fullmatch": "fullmatch", "finditer": "finditer",
    "findall": "finditer", "sub": "finditer", "subn": "finditer", "split": "finditer",
}  # fmt: skip
ALL_WAYS = frozenset(WAY_OF_METHOD.values())
FLAGS_AT = {"compile": 1, "pattern": 1, "sub": 4, "subn": 4, "split": 3}
"""Number of the argument that holds flags; 2 in all others."""


class Expression(NamedTuple):
    """A pattern: where it is made, what it is, and how it is used.

    `pattern` is None if only the running function knows it.
    """

    where: str
    pattern: Any
    ways: frozenset[str]


def modules() -> dict[str, str]:
    """Name to source of every module of the package, features and configurations with it."""
    files = {}
    for folder, above in (("victor", "victor"), ("features", "victor.features")):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = [above, *file.relative_to(ROOT / folder).with_suffix("").parts]
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if not name.endswith("__main__"):
                files[name] = file.read_text("utf-8")
    return files


def expressions() -> Iterator[Expression]:
    """All patterns of all modules."""
    sources = modules()
    whole = "\n".join(sources.values())
    for module, source in sources.items():
        for call, place, name in _made(ast.parse(source)):
            users = source if not name or name.startswith("_") else whole
            ways = _ways_of_call(call) or _ways_of_name(name, users)
            yield Expression(f"{module}:{place}", _pattern(call, module), ways)


def modules_that_hide_calls() -> list[str]:
    """Modules that have functions of `re`, or the makers of patterns, under another name."""
    hidden = r"from (re|regex) import|import (re|regex) as |import pattern as |import \w+, re\b"
    return [name for name, source in modules().items() if re.search(rf"(?m)^\s*{hidden}", source)]


def _made(tree: ast.Module) -> Iterator[tuple[ast.Call, str, str]]:
    """Calls that make a pattern, the function or name around each, and the pattern's own name."""
    stack: list[tuple[ast.AST, str, str]] = [(tree, "", "")]
    while stack:
        node, place, name = stack.pop()
        if isinstance(node, ast.Call) and _source_of(node) is not None:
            yield node, place, name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            place = f"{place}.{node.name}".lstrip(".")
        for child in ast.iter_child_nodes(node):
            inside, target = place, ""
            if isinstance(node, ast.Assign | ast.AnnAssign) and child is node.value:
                first = node.targets[0] if isinstance(node, ast.Assign) else node.target
                target = first.id if isinstance(first, ast.Name) else ""
                inside = inside or target
            stack.append((child, inside, target))


def _source_of(call: ast.Call) -> ast.expr | None:
    """The expression that a call makes a pattern of, if it makes one."""
    match call.func:
        case ast.Attribute(ast.Name("re" | "regex"), method) if method in {
            "compile",
            *WAY_OF_METHOD,
        }:
            return call.args[0]
        case ast.Name("pattern") if call.args:
            return call.args[0]
        case ast.Name("Meta") | ast.Attribute(_, "Meta"):
            return next((word.value for word in call.keywords if word.arg == "pattern"), None)
    return None


def _pattern(call: ast.Call, module: str) -> Any:
    """The pattern that a call makes; None if it is made of what the module does not know."""
    names = dict(vars(importlib.import_module(module)))
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
    place = FLAGS_AT.get(method, 2)
    if flags is None and method != "Meta" and len(call.args) > place:
        flags = call.args[place]
    try:
        source, value = (_value(node, names) if node else 0 for node in (_source_of(call), flags))
    except NameError:
        return None
    library = regex if ast.unparse(call.func).startswith("regex.") else re
    return library.compile(source, value)


def _value(expression: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(expression), "<expression>", "eval"), names)


def _ways_of_call(call: ast.Call) -> frozenset[str] | None:
    """How the call itself uses the pattern, None if it only makes it."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method in WAY_OF_METHOD:
        return frozenset({WAY_OF_METHOD[method]})
    return frozenset({"search"}) if method == "Meta" or ast.unparse(call.func) == "Meta" else None


def _ways_of_name(name: str, sources: str) -> frozenset[str]:
    """How the pattern of a name is used; in any other place than a call of a method, all ways.

    A call of `match` with a position is one of many, each where the last match ended: `steps`.
    """
    uses = re.findall(
        rf"\b{name}\b(?!\s*[:=])(?:\.(\w+)(\([^()]*(?:\([^()]*\)[^()]*)*,)?)?", sources
    )
    ways = set()
    for method, is_with_position in uses if name else [("", "")]:
        if method in ("pattern", "flags"):
            continue
        if method not in WAY_OF_METHOD:
            return ALL_WAYS
        if is_with_position and method in ("match", "search"):
            ways.add("steps" if method == "match" else "finditer")
        else:
            ways.add(WAY_OF_METHOD[method])
    return frozenset(ways) or ALL_WAYS
