"""Single changes of a file that a test should notice: numbers, signs, truth values, slices."""

import ast
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.And: "and", ast.Or: "or", ast.Add: "+", ast.Sub: "-",
}  # fmt: skip
"""Pairs of signs that replace one another."""
OPPOSITES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
WITHOUT_EFFECT = (
    "strict stacklevel repr eq slots kw_only frozen gc maxsize flush bold dim italic".split()
)
"""Keyword arguments that change no result, or only how a terminal shows it."""
FILLED = ("full", "full_like", "where", "append", "reshape")
"""Functions whose argument -1 stands for none, or for the rest; so it does where it is assigned."""
MOST_NUMBERS = 16
"""A statement of a module that holds more numbers is a table of data, not a decision."""
LARGE = 1000
"""From here on a number is an amount, and changes by half as a float does: one more is no rule."""
OF_C = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
        " + ": " - ", " - ": " + ", "true": "false", "false": "true"}  # fmt: skip
_EITHER = re.compile(
    r"([\w.>\[\]-]+)[ ](?P<sign>[<>]=?)[ ]([\w.>\[\]-]+)[ ]\?[ ](?:\1 : \3|\3 : \1)(?![\w.\[(-])"
)
"""The greater or the lesser of two numbers in C: of equals either is it."""
# Numbers of C only grow. More room holds the same; that there is too little is told by sanitizers.
_C_TOKEN = re.compile(
    r"""/\*.*?\*/|//[^\n]*|^[ ]*\#(?:\\\n|[^\n])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""
    r"""|(?P<skipped><<=?|>>=?|->|\+\+|--|[-+*/|&^]=|(?:[=,{?:]|\breturn)[ ]?-1\b
    |\b(?:TAKE|ZEROS|[cm]alloc|realloc|growing_reserve)\(&?[^;&|?\n]*)"""
    r"""|(?P<sign>&&|\|\||[<>=!]=|[<>](?![\w.]+\.h>)|[ ][+-][ ](?=[\w(])|\b(?:true|false)\b)"""
    r"""|(?<![\w.])(?P<number>\d+(?:\.\d+)?)(?=[^\w.]|u\b)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


class Change(NamedTuple):
    """Other text in the place of `start` to `end` of a file; `shown` names it, with its line."""

    path: str
    line: int
    start: int
    end: int
    new: str
    shown: str

    @property
    def keys(self) -> set[str]:
        """The change and the line of source, without places, which move."""
        return {self.shown, self.shown.rpartition(" [")[0]}

    def made(self, source: str) -> str:
        """The file with the change."""
        return source[: self.start] + self.new + source[self.end :]


def changes(path: str, source: str) -> list[Change]:
    """All changes of a file of Python or C, in its order."""
    lines = source.splitlines()
    found = _of_c(source) if path.endswith(".c") else _of_python(source)
    listed = []
    for start, end, new, before, after in found:
        line = source.count("\n", 0, start) + 1
        shown = f"{lines[line - 1].strip()} [{before} -> {after}]"
        listed.append(Change(path, line, start, end, new, shown))
    return listed


Edit = tuple[int, int, str, object, object]
"""Start, end, the new text there, and what is shown of before and after."""


def _of_c(source: str) -> Iterator[Edit]:
    of_either = {match.start("sign") for match in _EITHER.finditer(source)}
    for token in _C_TOKEN.finditer(source):
        if token.start() in of_either:
            continue
        if sign := token["sign"]:
            yield *token.span(), OF_C[sign], sign.strip(), OF_C[sign].strip()
        elif number := token["number"]:
            new = f"{float(number) * 1.5 or 1.0:.4g}" if "." in number else str(_more(int(number)))
            yield *token.span(), new, number, new


def _more(number: int) -> int:
    return number + 1 if number < LARGE else number * 3 // 2


def _of_python(source: str) -> Iterator[Edit]:
    lines = source.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def span(node: ast.AST) -> tuple[int, int]:
        return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)

    def sign(before: ast.AST, operator: ast.AST, after: ast.AST) -> Iterator[Edit]:
        """The partner of a sign that stands between two nodes."""
        kinds = list(SIGNS)
        if type(operator) in SIGNS:
            old, new = SIGNS[type(operator)], SIGNS[kinds[kinds.index(type(operator)) ^ 1]]
            start = source.index(old, span(before)[1], span(after)[0])
            yield start, start + len(old), new, old, new

    tree = ast.parse(source)
    none = {each.operand for each in _none(tree)}
    for node in _executed(tree):
        match node:
            case ast.Constant(value=bool() | int() | float() as value):
                for new in _near(value)[node in none :]:  # the first goes further below 0
                    short = f"{new:.4g}" if isinstance(new, float) else new
                    yield *span(node), f"({new})" if _is_negative(new) else str(new), value, short
            case ast.Compare(left=left, ops=operators, comparators=others):
                for *pair, operator in zip([left, *others], others, operators, strict=False):
                    yield from sign(pair[0], operator, pair[1])
            case ast.BoolOp(op=operator, values=[first, second, *_]):
                yield from sign(first, operator, second)
            case (
                ast.BinOp(left=left, op=operator, right=right)
                | ast.AugAssign(target=left, op=operator, value=right)
            ):
                yield from sign(left, operator, right)
            case ast.UnaryOp(op=ast.Not()):
                yield span(node)[0], span(node)[0] + len("not "), "", "not", ""
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in OPPOSITES:
                end = span(node)[1]
                yield end - len(name), end, OPPOSITES[name], name, OPPOSITES[name]
            case ast.Slice():
                for end, text, more in _ends(node):
                    yield *span(end), f"({text}){more}", text, text + more


def _none(tree: ast.AST) -> Iterator[ast.UnaryOp]:
    """Every -1 that only says that there is none: any number below 0 says the same."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value):
                values = [value]
            case ast.IfExp(body=body, orelse=other):
                values = [body, other]
            case ast.Call(func=ast.Attribute(attr=name), args=values) if name in FILLED:
                pass
            case ast.keyword(arg="prepend", value=value):
                values = [value]
            case _:
                continue
        for value in values:
            match value:
                case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                    yield value


def _ends(node: ast.Slice) -> Iterator[tuple[ast.AST, str, str]]:
    """Both ends of a slice, each with its text and what moves it inward."""
    for end, more in ((node.lower, " + 1"), (node.upper, " - 1")):
        if end and not isinstance(end, ast.Constant):
            yield end, ast.unparse(end), more


def _is_negative(value: float) -> bool:
    return not isinstance(value, bool) and value < 0


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes whose change a result can show."""
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_without_effect(child):
                    yield from _executed(child)


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


def _near(value: float) -> tuple[float, ...]:
    """The values that replace a truth value, an int or a float."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int) and value < LARGE:
        return value + 1, value - 1
    near = (value * 1.5, value / 1.5) if value else (1.0,)
    return tuple(map(int, near)) if isinstance(value, int) else near
