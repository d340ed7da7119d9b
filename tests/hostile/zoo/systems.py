"""What is done with an input: every labeler, every form, and all that reads pages beside them.

A system is a function of a `Subject` that yields its steps in order, each a name and a function.
The first cleans; the others take what it made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hostile.zoo.inputs import Input
from hostile.zoo.judge import OK, Finding, Judge, holds, judged

from victor import Source
from victor.api import Cleaner, CleanerSpec, Result
from victor.labelers.labeler import LABELERS
from victor.render.forms import FORMS

TEXTS: Final = frozenset({"text", "markdown", "article", "cleaneval", "sentences", "native"})
"""Forms that show readers nothing but text."""
MODELS: Final = ("default", "crf", "czech")
OTHERS: Final = (*MODELS[1:], *LABELERS)
DEFAULT: Final = MODELS[0]
EXPLAINED: Final = 50
"""Blocks of a page whose reasons are asked for; each has as many as the model has trees."""

Step = tuple[str, Callable[[], Finding]]


@dataclass(slots=True)
class Subject:
    """One input on its way through a system.

    Attributes:
        entry: the input.
        data: its bytes.
        judge: what it may become.
        kept: is its sentence in the clean text; None if it has none or there is no text.
    """

    entry: Input
    data: bytes
    full: bool = False
    judge: Judge = field(init=False)
    kept: bool | None = None
    _result: Result | None = None

    def __post_init__(self) -> None:
        self.judge = Judge(self.entry, self.data, full=self.full)

    @property
    def uncleaned(self) -> bool:
        """Was cleaning in vain."""
        return self._result is None

    @property
    def result(self) -> Result:
        """Of cleaning, which is the first step."""
        assert self._result is not None, "nothing was cleaned"
        return self._result

    @property
    def source(self) -> Source:
        """The page as it is given to a cleaner."""
        return Source(self.data, self.entry.url, self.entry.charset)

    def clean(self, system: str) -> Finding:
        """Clean the page; an error of the page is raised."""
        (result,) = _cleaner(system).clean_many([self.source])
        if result.error is not None:
            raise result.error
        self._result = result
        return self.judge.accepted()

    def text(self) -> Finding:
        """The clean text, with a note whether the sentence is in it."""
        text = self.result.text
        if self.entry.key is not None:
            self.kept = holds(text, self.entry.key)
        return self.judge.output(text, is_text=True)

    def form(self, name: str, **options: object) -> Finding:
        """One of the forms."""
        return self.judge.output(self.result.render(name, **options), is_text=name in TEXTS)


@cache
def _cleaner(system: str) -> Cleaner:
    return CleanerSpec.named(system).cleaner()


@cache
def _model() -> object:
    from victor import load_model

    return load_model(DEFAULT)


# --- what is asked of the default model ----------------------------------------------------------


def _blocks(subject: Subject) -> Finding:
    """Every attribute of every block, and whether the sentence is in one."""
    blocks = subject.result.blocks
    for block in blocks:
        for attribute in (block.id, block.xpath, block.css or "", *block.headings):
            finding = subject.judge.output(attribute, is_text=False)
            if finding.failed:
                return finding
        row, column = block.row, block.column
        assert (row is None) == (column is None)
        for link in block.links:
            link.address.encode()
    _ranges(subject.result)
    return subject.judge.blocks("\n".join(block.text for block in blocks))


def _ranges(result: Result) -> None:
    """Every kept block stands where it says."""
    for block in result.blocks:
        for place, text in (
            (block.text_range, result.text), (block.markdown_range, result.markdown),
        ):  # fmt: skip
            assert (place is not None) <= block.kept
            assert place is None or 0 <= place[0] <= place[1] <= len(text)


def _metadata(subject: Subject) -> Finding:
    data = dict(subject.result.metadata)
    return subject.judge.output(_json(data), is_text=False)


def _json(data: object) -> str:
    import json

    return json.dumps(data, ensure_ascii=False, default=str)


def _posts(subject: Subject) -> Finding:
    posts = [str(post) for post in subject.result.posts]
    return subject.judge.output("\n".join(posts), is_text=False)


def _schema_org(subject: Subject) -> Finding:
    return subject.judge.output(str(subject.result.schema_org), is_text=False)


def _explained(subject: Subject) -> Finding:
    """Why the first blocks have their labels, and the page with all that a demo shows if few."""
    from victor.api import Cleaner
    from victor.explain.contributions import explain
    from victor.explain.groups import grouped
    from victor.labelers.crf import CrfLabeler

    labeler = CrfLabeler(_model())
    markup = subject.result.markup
    table = labeler.table([markup])
    grouped(explain(labeler.model, table), range(min(len(table), EXPLAINED)))
    if len(table) > EXPLAINED:
        return Finding(OK)
    return subject.judge.output(Cleaner(labeler).clean(markup).demo(), is_text=False)


# --- what reads pages beside the labelers --------------------------------------------------------


def _normalized(subject: Subject) -> Finding:
    from victor.kitten.normalize import is_strict, normalize

    made = normalize(subject.data, declared=subject.entry.charset)
    if not is_strict(made.xhtml):
        return Finding("damaged", "not XML")
    return subject.judge.output(made.xhtml, is_text=False)


def _measured(subject: Subject) -> Finding:
    """The columns of every shipped feature."""
    from victor.cli.features import FORMS as TABLES
    from victor.cli.features import measure

    measured = measure(subject.result.markup, _extractor(), None)
    lines = "\n".join(TABLES["jsonl"](measured))
    return subject.judge.output(lines, is_text=False)


@cache
def _extractor() -> object:
    from victor.config.layers import load
    from victor.model.extractor import FeatureExtractor

    return FeatureExtractor(load("crf"))


_ALIVE: Final = ("<script", "<iframe", "<object", "<embed", "<form", "javascript:", " onclick=")


def _shown(subject: Subject) -> Finding:
    """The page of the annotator: its blocks, and nothing that a browser runs."""
    from victor.page.display.safe_page import safe_page

    shown = safe_page(subject.data, "/assets")
    markup = shown.markup.lower()
    if alive := [mark for mark in _ALIVE if mark in markup.replace("&lt;", "")]:
        return Finding("alive", f"{alive[0]} in the page of the annotator")
    return subject.judge.output(shown.markup, is_text=False)


def _command(subject: Subject) -> Finding:
    """The command line: a text, or a message and another code than 0; never a traceback."""
    from click.testing import CliRunner

    from victor.cli.clean import clean_command

    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_bytes(subject.data)
        ran = CliRunner().invoke(clean_command, [str(file)])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        return Finding("untyped", f"{type(ran.exception).__name__}: {ran.exception}"[:200])
    if ran.exit_code and not ran.stderr.strip():
        return Finding("untyped", f"code {ran.exit_code} and no message")
    if (subject.entry.refusal(full=subject.full) is None) < bool(ran.exit_code == 0):
        return Finding("accepted", "by the command")
    return subject.judge.output(ran.stdout, is_text=True)


# --- systems -------------------------------------------------------------------------------------


def _of_default(subject: Subject) -> Iterator[Step]:
    yield "text", subject.text
    for name in FORMS:
        if name != "text":
            yield name, partial(subject.form, name)
    yield "text with metadata", partial(subject.form, "text", with_metadata=True)
    yield "blocks", partial(_blocks, subject)
    yield "metadata", partial(_metadata, subject)
    yield "posts", partial(_posts, subject)
    yield "schema_org", partial(_schema_org, subject)


def _of_reasons(subject: Subject) -> Iterator[Step]:
    yield "features", partial(_measured, subject)
    yield "explain", partial(_explained, subject)


def _of_other(subject: Subject) -> Iterator[Step]:
    yield "text", subject.text
    yield "html", partial(subject.form, "html")


ALONE: Final[Mapping[str, Callable[[Subject], Finding]]] = {
    "normalize": _normalized,
    "annotator": _shown,
    "command": _command,
}
"""Systems of one step, which need no labels."""
REASONS: Final = "explain"
"""The default model's, and the columns of features: the slowest that can be asked of a page."""
SYSTEMS: Final = (DEFAULT, REASONS, *OTHERS, *ALONE)


def steps(system: str, subject: Subject) -> Iterator[Step]:
    """The steps of a system; those behind ``clean`` need what it made."""
    if system in ALONE:
        yield system, partial(ALONE[system], subject)
        return
    yield "clean", partial(subject.clean, DEFAULT if system == REASONS else system)
    yield from {DEFAULT: _of_default, REASONS: _of_reasons}.get(system, _of_other)(subject)


def findings(system: str, subject: Subject) -> Iterator[tuple[str, Finding]]:
    """What comes of every step; nothing follows a page that was not cleaned."""
    for name, run in steps(system, subject):
        finding = judged(run, subject.judge, cleaning=name == "clean" or system in ALONE)
        yield name, finding
        if name == "clean" and subject.uncleaned:
            return
