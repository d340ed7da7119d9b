"""The pages of `tests/cases/<room>/*.md`, each alone and in a batch, and what must come of them.

A heading ``## name`` begins a case. Lines ``key: value`` under it are options; a fence ``html`` is
the page, where ``{word*90}`` stands for the word ninety times, or a fence ``bytes`` with literals
of Python. All further fences are views that must match: ``text``, ``markdown``,
``html-form``, ``article`` (what stands inside), ``cleaneval``, ``sentences``,
``native``, ``records``, ``json``, ``xhtml`` (what Kitten makes of it), forms by the names of
`_WITH_OPTIONS`, ``reasons`` and ``kinds`` (a line a block: the reason or the kind, and the block;
``×9`` for as many alike), ``posts`` (a line a post: what it is, author, date, address and text),
``metadata`` (a line a field that the case names, or ``source of`` one), ``reason`` (of the page)
and ``error`` (the reason, or the class of the error). ``labels`` and ``split`` are those of
`tests.given_labels`.
In other files each case is a session of the command line: a fence ``console``, in which lines with
``$`` are commands (``victor``, with ``<`` a file as standard input, and those of `_FOR_FILES`) and
the lines below are what they print on output, then on standard error, and ``exit N`` if not 0;
``…`` stands for any text, a line ``…`` for any lines. A fence with a name, such as ``html a.html``,
is a file; those above the first heading are there in all sessions.
Files of `page` and `features` are those of ``test_rows.py`` there.
``pytest tests/test_cases.py --update`` writes what comes out into the files; review the diff.
"""

from __future__ import annotations

import ast
import io
import math
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from docs.test_code_blocks import pattern_of, sessions

from tests.given_labels import GivenLabels
from tests.rows import repeated
from victor.api import Cleaner, Result, load_cleaner
from victor.base.errors import PageError, VictorError
from victor.cli import main
from victor.config.schema import Scope
from victor.kinds.threads.posts import Post
from victor.kitten.normalize import normalize
from victor.page.source import Source
from victor.render.forms import FORMS

CASES = Path(__file__).parent / "cases"
_FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<kind>[a-z-]+)\n(?P<body>.*?)^(?P=ticks)\n", re.M | re.S)
_FILE = re.compile(
    r"^(?P<ticks>`{3,})[a-z]+ (?P<name>\S+)\n(?P<body>.*?)^(?P=ticks)\n", re.M | re.S
)
_OPTION = re.compile(r"^([a-z]+): (.+)$", re.M)
_RUN = re.compile(r"([^\s{}*]{1,40} |[^\s{}]{1,2})\1{7,}")
_OF_SCOPE = {"scope", "headline", "comments", "keep", "drop"}
_OF_CALL = {"model", "labeler", "threshold", "labels", "split"}
_WITH_OPTIONS = {
    "bullets": ("text", {"bullets": True}),
    "html-form": ("html", {}),
    "precleaned": ("html", {"preclean": True}),
    "unformatted": ("markdown", {"formatting": False}),
    "unlinked": ("markdown", {"links": False}),
    "without-images": ("markdown", {"images": False}),
}
_KNOWN = _OF_SCOPE | _OF_CALL | {"url", "encoding"}


class Case(NamedTuple):
    """One case."""

    path: Path  # of its file
    name: str  # its heading
    options: Mapping[str, str]
    page: bytes
    views: Mapping[str, str]  # what must come out, by the names of the fences
    spans: Mapping[str, tuple[int, int]]  # where each view stands in the file


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a file, in its order."""
    whole = path.read_text("utf-8")
    starts = [match.start() for match in re.finditer(r"^## ", _without_fences(whole), re.M)]
    for start, end in zip(starts, [*starts[1:], len(whole)], strict=True):
        name = whole[start + 3 : whole.index("\n", start)].strip()
        fences = list(_FENCE.finditer(whole, start, end))
        assert fences, f"{path.name}: {name} has no page"
        options = dict(_OPTION.findall(whole, start, fences[0].start()))
        assert set(options) <= _KNOWN, f"{path.name}: {name}: {set(options) - _KNOWN} is no option"
        page, *views = fences
        assert views, f"{path.name}: {name} says nothing of its page"
        texts = {view["kind"]: repeated(view["body"]) for view in views}
        spans = {view["kind"]: view.span("body") for view in views}
        yield Case(path, name, options, _page(page, options.get("encoding", "utf-8")), texts, spans)


def _without_fences(whole: str) -> str:
    """The file with blanks in place of what its fences hold: a page may have lines with ``##``."""
    return _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), whole)


def _page(fence: re.Match[str], encoding: str) -> bytes:
    if fence["kind"] == "bytes":
        return bytes(ast.literal_eval(f"({fence['body']})"))
    return repeated(fence["body"]).encode(encoding)


def _cleaned(case: Case) -> list[Result]:
    """The page alone, and as the second of a batch of three."""
    own = {name: case.options[name] for name in _OF_CALL & set(case.options)}
    if "threshold" in own:
        own["threshold"] = float(own["threshold"])
    scope, given, split = _scope(case.options), own.pop("labels", ""), own.pop("split", "block")
    by_hand = Cleaner(GivenLabels(given, split=split), scope=scope) if given else None
    cleaner = by_hand or load_cleaner(scope=scope, **own)
    source = Source(case.page, case.options.get("url"))
    others = [Source(b"<p>A page before it.</p>"), Source(b"<ul><li>and one behind</ul>")]
    alone, between = [source], [others[0], source, others[1]]
    return [next(cleaner.clean_many(alone)), list(cleaner.clean_many(between))[1]]


def _scope(options: Mapping[str, str]) -> Scope:
    named = {"headline", "comments"} & set(options)
    switches = {name: options[name] == "true" for name in named}
    selectors = {name: (options[name],) for name in ("keep", "drop") if name in options}
    return Scope(name=options.get("scope", "main"), **switches, **selectors)


def _view(kind: str, result: Result, expected: str) -> str:
    """One view of a page, as its fence has it."""
    form, options = _WITH_OPTIONS.get(kind, (kind, {}))
    if form == "article":
        return (
            result.article.partition('<article dir="auto">')[2].partition("</article>")[0].strip()
        )
    if form in FORMS:
        return result.render(form, **options)
    if kind == "metadata":
        named = [line.split(": ")[0] for line in expected.splitlines()]
        sources = result.metadata.get("sources", {}).items()
        known = result.metadata | {f"source of {field}": source for field, source in sources}
        return "\n".join(f"{field}: {_field(known.get(field))}" for field in named)
    return _VIEWS[kind](result)


def _kinds(result: Result) -> str:
    runs = groupby(f"{block.kind}: {block.text}" for block in result.blocks)
    counted = ((line, len([*alike])) for line, alike in runs)
    return "\n".join(line if n == 1 else f"{line} ×{n}" for line, n in counted)


def _of_post(post: Post) -> str:
    known = (post.author, post.date, post.link, post.text.replace("\n", " / "))
    return " | ".join([post.kind, *(value or "-" for value in known)])


def _field(value: Any) -> str:
    return " | ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


_VIEWS: Mapping[str, Callable[[Result], str]] = {
    "kinds": _kinds,
    "posts": lambda result: "\n".join(map(_of_post, result.posts)),
    "reason": lambda result: result.reason,
    "reasons": lambda result: "\n".join(f"{each.reason}: {each.text}" for each in result.blocks),
    "xhtml": lambda result: normalize(result.markup).xhtml.partition("<body")[2].partition(">")[2],
}


def _views(case: Case) -> Iterator[tuple[str, str, list[str]]]:
    """Of every view its name, what is expected, and what comes out alone and in a batch."""
    try:
        results = _cleaned(case)
        error = next((result.error for result in results if result.error is not None), None)
    except VictorError as raised:
        error = raised
    if error is not None:
        assert set(case.views) == {"error"}, str(error)
        told = error.reason if isinstance(error, PageError) else type(error).__name__
        yield "error", case.views["error"], [told]
        return
    assert "error" not in case.views, "none"
    for kind, expected in case.views.items():
        yield kind, expected, [_view(kind, result, expected) for result in results]


class Session(NamedTuple):
    """Commands and what they print, with the files that are there before."""

    path: Path
    name: str
    files: Mapping[str, str]
    code: str


def sessions_of(path: Path) -> Iterator[Session]:
    """The sessions of a file, in its order."""
    whole = path.read_text("utf-8")
    starts = [match.start() for match in re.finditer(r"^## ", _without_fences(whole), re.M)]
    common = _files(whole[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(whole)], strict=True):
        name, _, part = whole[start + 3 : end].partition("\n")
        (code,) = (fence["body"] for fence in _FENCE.finditer(part) if fence["kind"] == "console")
        yield Session(path, name, common | _files(part), code)


def _files(text: str) -> dict[str, str]:
    return {fence["name"]: repeated(fence["body"]) for fence in _FILE.finditer(text)}


_FOR_FILES: Mapping[str, Callable[..., object]] = {
    "ls": lambda name: "".join(f"{path.name}\n" for path in sorted(Path(name).iterdir())),
    "cat": lambda name: Path(name).read_text("utf-8"),
    "cp": lambda name, new: Path(new).write_bytes(Path(name).read_bytes()) and "",
    "ln": lambda _, target, name: Path(name).symlink_to(target),
    "rm": lambda name: Path(name).unlink(),
}


def _printed(command: str, capsys: pytest.CaptureFixture[bytes]) -> str:
    """What a command prints, without spaces at the ends of lines."""
    program, *words = shlex.split(command)
    if program in _FOR_FILES:
        return str(_FOR_FILES[program](*words) or "")
    given = Path(words.pop()).read_bytes() if words[-2:-1] == ["<"] else b""
    words = [word for word in words if word != "<"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["victor", *words])
        patch.setattr("victor.cli.crawl.EVERY", math.inf)  # what a slow machine prints besides
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        with pytest.raises(SystemExit) as ended:
            main()
    status = f"exit {ended.value.code}\n" if ended.value.code else ""
    printed = b"".join(capsys.readouterr()).decode() + status
    return re.sub(r" +$", "", printed, flags=re.M)


FILES = sorted(CASES.glob("*/*.md"))
WITH_SESSIONS = [path for path in FILES if "```console" in path.read_text("utf-8")]
SESSIONS = [session for path in WITH_SESSIONS for session in sessions_of(path)]
ALL = [
    case
    for path in FILES
    if path not in WITH_SESSIONS and path.parent.name not in ("page", "features")
    for case in cases_of(path)
]


def _id(of_file: Case | Session) -> str:
    return f"{of_file.path.parent.name}/{of_file.path.stem}: {of_file.name}"


@pytest.mark.parametrize("session", SESSIONS, ids=_id)
def test_session(session: Session, tmp_path, monkeypatch, capsysbinary, request):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, content in session.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "annotations").symlink_to(CASES.parents[1] / "annotations")
    capsysbinary.readouterr()
    found = []
    for command, shown in sessions(session.code):
        printed = _printed(command, capsysbinary)
        is_right = pattern_of(shown).fullmatch(printed.rstrip("\n") + "\n")
        found.append(f"$ {command}\n{shown if is_right else printed}")
        assert is_right or request.config.getoption("update"), f"{command}\n{printed}"
    if request.config.getoption("update"):
        whole = session.path.read_text("utf-8")
        session.path.write_text(whole.replace(session.code, "".join(found), 1), "utf-8")


@pytest.mark.parametrize("case", ALL, ids=_id)
def test_case(case: Case, request: pytest.FixtureRequest):
    for kind, expected, found in _views(case):
        if request.config.getoption("update"):
            _write(case.path, case.name, kind, found[0])
        else:
            for view in found:
                assert view.rstrip("\n") == expected.rstrip("\n"), kind


def _write(path: Path, name: str, kind: str, found: str) -> None:
    """Put what comes out into the file, if that is not what its fence says already."""
    (case,) = (case for case in cases_of(path) if case.name == name)
    if case.views[kind].rstrip("\n") != found.rstrip("\n"):
        whole, (start, end) = path.read_text("utf-8"), case.spans[kind]
        found = _RUN.sub(lambda run: f"{{{run[1]}*{len(run[0]) // len(run[1])}}}", found)
        path.write_text(whole[:start] + found.rstrip("\n") + "\n" + whole[end:], "utf-8")


def test_names_of_cases_are_their_own():
    names = [(case.path, case.name) for case in ALL]
    assert len(set(names)) == len(names)
