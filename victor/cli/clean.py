"""`victor clean`: pages in, clean text out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import click

from victor.api import Cleaner, Result, Source, load_model
from victor.cli.progress import progress
from victor.decide import METHODS, Decision
from victor.errors import ConfigError, PageError
from victor.fetch import fetch, is_url
from victor.labelers.crf import CrfLabeler
from victor.render import RENDERERS

SUFFIXES: Final = {".html", ".htm", ".xhtml", ".shtml"}
_EXTENSIONS: Final = {
    "text": ".txt", "markdown": ".md", "html": ".html", "cleaneval": ".txt", "records": ".jsonl",
}  # fmt: skip


@click.command(name="clean")
@click.argument("pages", nargs=-1, metavar="[FILE|DIR|URL|-]...")
@click.option("-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text",
              show_default=True, help="What to write.")  # fmt: skip
@click.option("-m", "--model", default="default", show_default=True,
              help="A shipped model or the path of one.")  # fmt: skip
@click.option("-t", "--threshold", type=click.FloatRange(0, 1),
              help="Keep a block while p(other) is below this; lower is stricter.")  # fmt: skip
@click.option("--decide", "method", type=click.Choice(METHODS),
              help="How labels are chosen; the model's configuration says by default.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="Folder for one file per page, instead of standard output.")  # fmt: skip
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True,
              help="Processes.")  # fmt: skip
def command(
    pages: tuple[str, ...],
    *,
    form: str,
    model: str,
    threshold: float | None,
    method: str | None,
    output: Path | None,
    jobs: int,
) -> None:
    """Clean pages: files, folders of files, URLs, or standard input (-, the default)."""
    decision = _decision(threshold, method)
    paths = [path for name in pages or ("-",) for path in _expand(name)]
    load_model(model)  # a missing model is an error of the call, not of a page
    names = _file_names(paths, _EXTENSIONS[form])
    failed: Counter[str] = Counter()
    with progress("cleaning", len(paths)) as advance:
        results = _cleaned(paths, model, decision, form, jobs)
        for path, (text, error) in zip(paths, results, strict=True):
            if error is not None:
                failed[error.reason] += 1
                click.echo(f"victor: {path}: {error}", err=True)
            elif output is not None:
                _write(output / names[path], text)
            else:
                _print(text)
            advance(1)
    if failed:
        counts = ", ".join(f"{reason} {count}" for reason, count in failed.most_common())
        click.echo(f"victor: {failed.total()} of {len(paths)} pages failed: {counts}", err=True)
        sys.exit(1)


def _decision(threshold: float | None, method: str | None) -> Decision | None:
    if threshold is not None and method not in (None, "threshold"):
        raise ConfigError(f"--threshold has no meaning with --decide {method}; leave one out")
    if threshold is not None:
        return Decision("threshold", threshold)
    return None if method is None else Decision(method)  # type: ignore[arg-type]


def _expand(name: str) -> Iterator[str]:
    """The pages that an argument names; a folder stands for the pages in it, sorted."""
    if name == "-" or is_url(name):
        yield name
        return
    path = Path(name)
    if not path.exists():
        raise ConfigError(f"there is no file or folder {name}; URLs begin with http:// or https://")
    if path.is_dir():
        found = sorted(str(p) for p in path.rglob("*") if p.suffix.lower() in SUFFIXES)
        if not found:
            raise ConfigError(f"folder {name} holds no page ({', '.join(sorted(SUFFIXES))})")
        yield from found
    else:
        yield name


Rendered = tuple[str, PageError | None]


def _cleaned(
    paths: Sequence[str], model: str, decision: Decision | None, form: str, jobs: int
) -> Iterator[Rendered]:
    """Rendered pages or their errors, in order."""
    if jobs == 1 or len(paths) < 2 * jobs:
        yield from _clean_paths(paths, model, decision, form)
        return
    from joblib import Parallel, delayed  # noqa: PLC0415  (only with more than one process)

    size = max(1, min(32, len(paths) // (4 * jobs)))
    parts = [paths[i : i + size] for i in range(0, len(paths), size)]
    tasks = (delayed(_clean_part)(part, model, decision, form) for part in parts)
    yield from chain.from_iterable(Parallel(n_jobs=jobs, return_as="generator")(tasks))


def _clean_part(
    paths: Sequence[str], model: str, decision: Decision | None, form: str
) -> list[Rendered]:
    return list(_clean_paths(paths, model, decision, form))


def _clean_paths(
    paths: Sequence[str], model: str, decision: Decision | None, form: str
) -> Iterator[Rendered]:
    """Clean in one process. A page that cannot be read is an error of that page."""
    loaded = load_model(model)
    limits = loaded.config.limits
    cleaner = Cleaner(CrfLabeler(loaded), limits=limits, decision=decision)
    for result in cleaner.clean_many(_source(path, limits.bytes) for path in paths):
        yield _rendered(result, form)


def _source(path: str, limit: int) -> Source:
    """Read a page, at most one byte more than the limit, which then refuses it."""
    try:
        if is_url(path):
            return fetch(path, limit=limit + 1)
        if path == "-":
            return Source(sys.stdin.buffer.read(limit + 1))
        with Path(path).open("rb") as file:
            return Source(file.read(limit + 1), url=path)
    except OSError as error:
        return Source(PageError("unreadable", f"cannot be read: {error.strerror}"), url=path)
    except PageError as error:
        return Source(error, url=path)


def _rendered(result: Result, form: str) -> Rendered:
    if result.error is not None:
        return "", result.error
    try:
        return result.render(form), None
    except Exception as error:  # noqa: BLE001  (it may cost one page only)
        return "", PageError("failed", f"cannot be rendered: {type(error).__name__}: {error}")


def _print(text: str) -> None:
    if text:
        click.echo(text.removesuffix("\n"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _file_names(paths: Sequence[str], extension: str) -> dict[str, str]:
    """File name of every page: that of its source, numbered where two are alike."""
    names: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for path in paths:
        stem = "stdin" if path == "-" else Path(path.rstrip("/")).stem or "page"
        seen[stem] += 1
        number = f"-{seen[stem]}" if seen[stem] > 1 else ""
        names[path] = f"{stem}{number}{extension}"
    return names
