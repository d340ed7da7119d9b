"""Functions that clean pages with a model by its name, and fetch a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from victor.api.cleaner import NO_TYPES, Cleaner
from victor.api.result import Result
from victor.base.errors import ConfigError
from victor.page.source import Page, Source

if TYPE_CHECKING:
    from victor.config.schema import Scope, ScopeName
    from victor.labelers.labeler import Labeler
    from victor.model.decide import Decision
    from victor.model.model import Model


def load_cleaner(  # noqa: PLR0913  (one for every option)
    model: str | Path | Model | None = None,
    *,
    labeler: str | None = None,
    decision: Decision | None = None,
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    page_type: str | None = None,
    trust_code: bool = False,
) -> Cleaner:
    """A cleaner with a model or another labeler; the last few models stay loaded.

    Args:
        model: a shipped model's name, the path of a model file, or a loaded model; None is the
            default model.
        labeler: one that needs no model (`victor.labelers.LABELERS`), in place of a model.
        decision: how labels are chosen; None leaves it to the model's configuration.
        threshold: the plain threshold instead, the name of a preset of the model, or ``p0.98`` for
            the threshold that gave a precision of 0.98.
        scope: which parts of pages are kept, by name or with switches (`victor.config.Scope`); None
            leaves it to the model's configuration.
        page_type: what all pages are, e.g. ``forum``; one expert of the model then decides. None
            leaves it to the model.
        trust_code: run the code that the model brings: feature modules that are files. Without
            this no code of a model runs.

    Raises:
        ModelError: the model is missing, damaged or of another format.
        FeatureError: it brings code, and `trust_code` does not allow it.
        ConfigError: the threshold is out of range, the model has no preset of that name, there is
            no such scope or labeler, both a labeler and a model are named, or nothing knows pages
            of that type.
    """
    from victor.config.schema import Scope  # `import victor` needs little
    from victor.model.decide import Decision

    built = _labeler(model, labeler, trust_code, page_type)
    if threshold is not None:
        decision = Decision.at(threshold, built.presets)
    if isinstance(scope, str):
        scope = Scope(name=scope)
    return Cleaner(built, decision=decision, scope=scope)


def _labeler(
    model: str | Path | Model | None, name: str | None, trust_code: bool, page_type: str | None
) -> Labeler:
    """The labeler of a name, else that of a model."""
    from victor.labelers.labeler import build_labeler
    from victor.labelers.load import model_labeler

    if name is None:
        return model_labeler("default" if model is None else model, trust_code, page_type)
    if model is not None:
        raise ConfigError("a labeler takes the place of a model: name one of them")
    if page_type is not None:
        raise ConfigError(NO_TYPES)
    return build_labeler(name, trust_code=trust_code)


def clean(  # noqa: PLR0913  (as of `load_cleaner`)
    page: Page | Path | Source,
    url: str | None = None,
    *,
    model: str | Path | Model | None = None,
    labeler: str | None = None,
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    page_type: str | None = None,
    trust_code: bool = False,
) -> Result:
    """Clean one page.

    Args:
        page: markup as bytes (any encoding) or text, the path of a file, or what `fetch` gives.
        url: where it comes from; kept with the result. By default as the source says, or the path.
        model: a shipped model's name, the path of a model file, or a loaded model; None is the
            default model.
        labeler: one that needs no model, in place of a model: ``kimatu``, ``density``, ``dom``,
            or ``none``, which keeps all.
        threshold: keep a block while p(other) is below it, 0 to 1; or the name of a preset of the
            model (``precision``, ``balanced``, ``recall``), or ``p0.98`` for the threshold that
            gave a precision of 0.98; None decides as configured.
        scope: which parts are kept: ``main``, what the model keeps; ``article``, that with the
            headline and without comments; ``full``, that with both; or a `victor.config.Scope`.
            None is as configured.
        page_type: what the page is, so that one expert of the model decides: ``article``,
            ``forum`` (also questions with answers), ``other``, or one of
            `victor.model.trees.TYPES`. None leaves it to the model.
        trust_code: as of `load_cleaner`.

    Raises:
        PageError: the page is beyond the limits, cannot be read, or is text that only names a page.
        ModelError: the model is missing or damaged.
        FeatureError: it brings code, and `trust_code` does not allow it.
        ConfigError: the threshold is out of range, the model has no preset of that name, there is
            no such scope or labeler, both a labeler and a model are named, or nothing knows pages
            of that type.
    """
    return load_cleaner(
        model,
        labeler=labeler,
        threshold=threshold,
        scope=scope,
        page_type=page_type,
        trust_code=trust_code,
    ).clean(page, url)


def clean_many(  # noqa: PLR0913  (as of `load_cleaner`)
    pages: Iterable[Page | Path | Source],
    *,
    model: str | Path | Model | None = None,
    labeler: str | None = None,
    threshold: float | str | None = None,
    scope: Scope | ScopeName | None = None,
    page_type: str | None = None,
    trust_code: bool = False,
) -> Iterator[Result]:
    """Clean pages in batches; one result for each, in order, errors included.

    The arguments are those of `clean`; files are read as they are needed.
    """
    return load_cleaner(
        model,
        labeler=labeler,
        threshold=threshold,
        scope=scope,
        page_type=page_type,
        trust_code=trust_code,
    ).clean_many(pages)


def fetch(url: str, *, most: int | None = None) -> Source:
    """Download the page of an address, for `clean`, which downloads nothing itself.

    Args:
        url: http or https; redirects are followed.
        most: bytes that the page may have, ``limits.bytes`` of the defaults if None. A larger one
            is refused.

    Returns:
        The page with its address after redirects and the encoding that the server declares.

    Raises:
        PageError: there is none, see `victor.sources.download.fetch`.
    """
    from victor.config.schema import Limits
    from victor.sources.download import fetch as download  # loads HTTP and TLS

    page = download(url, limit=Limits().bytes if most is None else most)
    return Source(page.content, page.url, page.charset)
