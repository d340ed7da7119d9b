"""Single changes of a module that a test should notice: numbers, signs, truth values, slices."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.And: "and", ast.Or: "or", ast.Add: "+", ast.Sub: "-",
}  # fmt: skip
"""Pairs of signs that replace one another."""

OPPOSITES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
WITHOUT_EFFECT = ("strict", "stacklevel", "repr", "slots", "kw_only")
"""Keyword arguments that change no result."""

MOST_NUMBERS = 16
"""A statement of a module that holds more numbers is a table of data, not a decision."""


class Change(NamedTuple):
    """The `index`-th change of a file; `function` is the first line of the function around it."""

    path: str
    index: int
    line: int
    function: int
    text: str

    @property
    def keys(self) -> set[str]:
        """The change and the line of source, without positions, which move."""
        key = f"{self.path}: {self.text}"
        return {key, key.rpartition(" [")[0]}


def changes(path: str, source: str) -> list[Change]:
    """All changes of a module, in the order of its syntax tree."""
    lines = source.splitlines()
    return [
        Change(path, index, line, function, f"{lines[line - 1].strip()} [{before} -> {after}]")
        for index, (line, function, before, after) in enumerate(_made(ast.parse(source)))
    ]


def compiled(change: Change, source: str, file: str):
    """The code object of a module with one change; its lines keep their numbers."""
    tree = ast.parse(source)
    made = _made(tree)
    for _ in range(change.index + 1):
        next(made)
    return compile(ast.fix_missing_locations(tree), file, "exec")


def _made(tree: ast.Module) -> Iterator[tuple[int, int, str, str]]:
    """Make each change in the tree, tell line, function, text before and after, and undo it."""
    for node, function in _executed(tree, 0):
        for field, value, before, after in _replacements(node):
            original = getattr(node, field)
            setattr(node, field, value)
            yield node.lineno, function, before, after
            setattr(node, field, original)


def _executed(node: ast.AST, function: int) -> Iterator[tuple[ast.AST, int]]:
    """Nodes whose change a result can show, each with the first line of the function around it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = min(line.lineno for line in (node, *node.decorator_list))
    yield node, function
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_without_effect(child):
                    yield from _executed(child, function)


def _is_without_effect(node: ast.AST) -> bool:
    """Whether a node is a message, a check of types, data, or a keyword that changes no result."""
    return (
        isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr)
        or (isinstance(node, ast.FunctionDef) and node.name in ("__repr__", "__str__"))
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        or (isinstance(node, ast.keyword) and node.arg in WITHOUT_EFFECT)
        or (isinstance(node, ast.Assign | ast.AnnAssign) and _n_numbers(node) > MOST_NUMBERS)
    )


def _n_numbers(node: ast.AST) -> int:
    return sum(isinstance(getattr(part, "value", None), int | float) for part in ast.walk(node))


def _replacements(node: ast.AST):
    """Field and new value of each change of a node; its text before and after."""
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            for new in _near(value):
                yield "value", new, value, f"{new:.4g}" if isinstance(new, float) else new
        case ast.Compare(ops=signs):
            for i, sign in enumerate(signs):
                for _, other, *texts in _swapped(sign):
                    yield "ops", [*signs[:i], other, *signs[i + 1 :]], *texts
        case ast.BoolOp(op=sign) | ast.BinOp(op=sign) | ast.AugAssign(op=sign):
            yield from _swapped(sign)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "operand", ast.UnaryOp(ast.Not(), operand), "not", ""
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in OPPOSITES:
            field = "id" if isinstance(node, ast.Name) else "attr"
            yield field, OPPOSITES[name], name, OPPOSITES[name]
        case ast.Slice(lower=lower, upper=upper):
            for field, end, sign in (("lower", lower, ast.Add()), ("upper", upper, ast.Sub())):
                if end and not isinstance(end, ast.Constant):
                    new = ast.BinOp(end, sign, ast.Constant(1))
                    yield field, new, ast.unparse(end), ast.unparse(new)


def _near(value: float) -> tuple[float, ...]:
    """The values that replace a truth value, an int or a float."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    return (value * 1.5, value / 1.5) if value else (1.0,)


def _swapped(sign: ast.AST):
    """The sign that replaces another, and both texts; nothing for a sign that has no partner."""
    if type(sign) in SIGNS:
        kinds = list(SIGNS)
        other = kinds[kinds.index(type(sign)) ^ 1]
        yield "op", other(), SIGNS[type(sign)], SIGNS[other]
