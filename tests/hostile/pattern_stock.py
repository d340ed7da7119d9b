"""Every regular expression of the package, taken from its sources, with the ways it is used.

A pattern is made by a call: `re.compile`, a function of `re` with the expression as its first
argument, `victor.base.lazy.pattern`, or a constraint of a configuration
(`Meta(pattern=)`). All such calls of all modules are listed; the expression is evaluated among the
names of its module. What a function builds out of its arguments cannot be, and needs a line in
`BUILT`.
"""

import ast
import importlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex

ROOT = Path(__file__).parents[2]

MATCH, SEARCH, FULLMATCH, EVERYWHERE, STEPS = "match", "search", "fullmatch", "finditer", "steps"
"""Ways of use. `steps`: matched again and again, each time where the last match ended, until there
is none."""

ALL_WAYS = frozenset({MATCH, SEARCH, FULLMATCH, EVERYWHERE})

WAY_OF_METHOD = {
    "match": MATCH, "search": SEARCH, "fullmatch": FULLMATCH, "finditer": EVERYWHERE,
    "findall": EVERYWHERE, "sub": EVERYWHERE, "subn": EVERYWHERE, "split": EVERYWHERE,
}  # fmt: skip
MAKERS = {"compile", *WAY_OF_METHOD}
NO_WAYS = {"pattern", "flags", "groups", "groupindex"}


@dataclass(frozen=True)
class Expression:
    """A pattern of the package: where it is made, what it is, how it is used."""

    where: str
    pattern: Any
    ways: frozenset[str]


class NotEvaluableError(Exception):
    """The expression is made out of what only a running function knows."""


@cache
def sources() -> Mapping[str, ast.Module]:
    """Name to source of every module, parsed."""
    return {name: ast.parse(file.read_text("utf-8")) for name, file in modules().items()}


def modules() -> dict[str, Path]:
    """Name to file of every module of the package, features and configurations with it."""
    files = {}
    for folder, above in (("victor", "victor"), ("features", "victor.features")):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = [above, *file.relative_to(ROOT / folder).with_suffix("").parts]
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return {name: file for name, file in files.items() if not name.endswith("__main__")}


def expressions(built: Mapping[str, Callable[[], Iterable[Any]]]) -> Iterator[Expression]:
    """All patterns; `built` gives those that functions make, by module and function."""
    ways = _ways_of_names(sources())
    seen: Counter[str] = Counter()
    for name, tree in sources().items():
        for made in _made(tree):
            used = ways.get((name, made.name)) if made.is_named else _ways_of_call(made.call)
            try:
                patterns = [_evaluated(made.call, name)]
            except NotEvaluableError:
                patterns = [*built.get(f"{name}:{made.name}", list)()]
            for pattern in patterns:
                where = f"{name}:{made.name}"
                seen[where] += 1
                number = f"#{seen[where]}" if seen[where] > 1 else ""
                yield Expression(where + number, pattern, used or ALL_WAYS)


def functions_that_build() -> set[str]:
    """`module:function` of every call whose expression only the running function knows."""
    needed = set()
    for name, tree in sources().items():
        for made in _made(tree):
            try:
                _evaluated(made.call, name)
            except NotEvaluableError:
                needed.add(f"{name}:{made.name}")
    return needed


def modules_that_hide_calls() -> list[str]:
    """Modules that have functions of `re`, or the makers of patterns, under another name."""
    hiding = []
    for name, tree in sources().items():
        for node in ast.walk(tree):
            match node:
                case ast.ImportFrom(module="re" | "regex"):
                    hiding.append(name)
                case ast.Import(names) | ast.ImportFrom("victor.base.lazy", names):
                    makers = {"re", "regex", "pattern"}
                    hiding += [name for each in names if each.asname and each.name in makers]
    return hiding


@dataclass(frozen=True)
class _Made:
    """A call that makes a pattern, in a function or in what a name of a module is given.

    `is_named`: the name is the pattern itself.
    """

    call: ast.Call
    name: str
    is_named: bool


def _made(tree: ast.Module) -> list[_Made]:
    """All calls that make a pattern, in order."""
    made: list[_Made] = []
    stack: list[tuple[ast.AST, str, str, bool]] = [(tree, "", "", False)]
    while stack:
        node, function, target, is_value = stack.pop()
        if isinstance(node, ast.Call) and _expression_of(node) is not None:
            made.append(_Made(node, function or target, not function and is_value))
        for child in ast.iter_child_nodes(node):
            inside, name, is_direct = function, target, False
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = f"{function}.{child.name}".lstrip(".")
            elif isinstance(node, ast.Assign | ast.AnnAssign) and child is node.value:
                first = node.targets[0] if isinstance(node, ast.Assign) else node.target
                name, is_direct = ast.unparse(first), isinstance(first, ast.Name)
            stack.append((child, inside, name, is_direct))
    return sorted(made, key=lambda each: (each.call.lineno, each.call.col_offset))


def _expression_of(call: ast.Call) -> ast.expr | None:
    """The expression that a call makes a pattern of, if it makes one."""
    match call.func:
        case ast.Attribute(ast.Name("re" | "regex"), method) if method in MAKERS:
            return call.args[0]
        case ast.Name("pattern") if call.args:
            return call.args[0]
        case ast.Name("Meta") | ast.Attribute(_, "Meta"):
            return next((word.value for word in call.keywords if word.arg == "pattern"), None)
    return None


def _evaluated(call: ast.Call, module: str) -> Any:
    """The pattern that a call makes.

    Raises:
        NotEvaluableError: its arguments hold names that the module does not know.
    """
    names = vars(importlib.import_module(module))
    expression = _expression_of(call)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
    positional = {"compile": 1, "pattern": 1}.get(
        method, {"sub": 4, "subn": 4, "split": 3}.get(method, 2)
    )
    flags = next((word.value for word in call.keywords if word.arg == "flags"), None)
    if flags is None and method != "Meta" and len(call.args) > positional:
        flags = call.args[positional]
    try:
        source = _value(expression, names)
        value = 0 if flags is None else _value(flags, names)
    except NameError as error:
        raise NotEvaluableError(str(error)) from None
    library = regex if ast.unparse(call.func).startswith("regex.") else re
    return library.compile(source, value)


def _value(expression: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(expression), "<expression>", "eval"), dict(names))


def _ways_of_call(call: ast.Call) -> frozenset[str] | None:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method in WAY_OF_METHOD:
        return frozenset({WAY_OF_METHOD[method]})
    return frozenset({SEARCH}) if method == "Meta" or method != "compile" else None


def _ways_of_names(trees: Mapping[str, ast.Module]) -> dict[tuple[str, str], frozenset[str]]:
    """How every name of every module is used, over all modules; any other use is all ways."""
    ways: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module, tree in trees.items():
        origin = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = origin.get(node.id, (module, node.id))
                ways[key].update(_ways_of_use(above.get(node), above))
    return {key: frozenset(used) for key, used in ways.items()}


def _ways_of_use(use: ast.AST | None, above: dict[ast.AST, ast.AST]) -> Iterable[str]:
    if not isinstance(use, ast.Attribute):
        return ALL_WAYS
    if use.attr in NO_WAYS:
        return ()
    call = above.get(use)
    if isinstance(call, ast.Call) and call.func is use and len(call.args) > 1:
        if use.attr == "match":
            return (STEPS,)
        if use.attr == "search":
            return (EVERYWHERE,)
    return (WAY_OF_METHOD[use.attr],) if use.attr in WAY_OF_METHOD else ALL_WAYS
