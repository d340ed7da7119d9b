"""Pages in, results out: a cleaner, how one is named, and functions that make one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self

from msgspec import Struct

from victor.api import steps
from victor.api.result import Result
from victor.api.steps import How, Ready
from victor.base.errors import FEATURE_FAILED, ConfigError, FeatureError, PageError, VictorError
from victor.config.schema import Decision, Limits, Scope
from victor.page.source import Page, Source, read_file

if TYPE_CHECKING:
    from victor.config.schema import ScopeName
    from victor.labelers.labeler import Labeler
    from victor.model.model import Model
    from victor.page.table.blocks import BlockTable

Refuse = Callable[["BlockTable"], Sequence[str | None]]
"""The block table of a batch to why each of its pages is not to be labelled, None if it is."""


class Cleaner:
    """Cleans pages with one labeler, in batches; a page that fails never stops the others.

    Args:
        labeler: the system that labels blocks.
        limits: bounds of one page; None takes those of the labeler.
        decision: how labels are chosen; None leaves it to the labeler.
        scope: which parts of pages are kept; None is as the labeler's model is configured.

    Raises:
        ConfigError: it is no labeler, or the scope has a selector that is none.
    """

    def __init__(
        self,
        labeler: Labeler,
        *,
        limits: Limits | None = None,
        decision: Decision | None = None,
        scope: Scope | None = None,
    ) -> None:
        from victor.labelers.crf import scope_of  # `import victor` needs little

        if not hasattr(labeler, "label"):
            raise ConfigError(
                f"Cleaner takes a labeler, not {type(labeler).__name__}: "
                "`victor.api.load_cleaner` takes models and names"
            )
        self.labeler = labeler
        self.decision = decision
        self.limits = limits if limits is not None else labeler.limits
        self.scope = scope if scope is not None else scope_of(labeler)
        if selectors := (*self.scope.keep, *self.scope.drop):
            from victor.page.places.selectors import Selectors  # few select anything

            Selectors(selectors)  # one that is wrong is an error of the call, too

    def __getstate__(self) -> NoReturn:
        raise ConfigError(
            "a Cleaner cannot be pickled: send its CleanerSpec, and call its `cleaner()` there"
        )

    def clean(self, page: Page | Path | Source, url: str | None = None) -> Result:
        """Clean one page.

        Raises:
            PageError: the page is beyond the limits or cannot be processed.
            FeatureError: a feature module cannot measure it.
        """
        ready = self._ready(page, url)
        (result,) = [ready] if isinstance(ready, Result) else self._cleaned([ready], None)
        if result.error is not None:
            cause = result.error.__cause__
            raise cause if isinstance(cause, FeatureError) else result.error
        return result

    def clean_many(
        self, pages: Iterable[Page | Path | Source], refuse: Refuse | None = None
    ) -> Iterator[Result]:
        """Clean pages; results come in the order of the pages, one for each.

        Args:
            pages: the pages.
            refuse: why pages of a batch are not to be labelled, None for each that is; the result
                of a page that is refused has that reason and nothing else.

        A page that cannot be processed, or measured by a feature module, gives a result with an
        error. What is wrong with the labeler and not with a page is raised (all of `VictorError`
        but `PageError` and `FeatureError`).

        Raises:
            ConfigError: this is one page and no list of pages.
        """
        return self._in_batches(_listed(pages), refuse)

    def _in_batches(
        self, pages: Iterable[Page | Path | Source], refuse: Refuse | None
    ) -> Iterator[Result]:
        from victor.model.extractor import batches  # needs more than numpy and lxml

        ready = map(self._ready, pages)
        for batch in batches((page, getattr(page, "markup", b"")) for page in ready):
            good = [page for page, _ in batch if isinstance(page, Ready)]
            results = iter(self._cleaned(good, refuse))
            yield from [next(results) if isinstance(page, Ready) else page for page, _ in batch]

    def _ready(self, page: Page | Path | Source, url: str | None = None) -> Ready | Result:
        """A page decoded, or the result of one that cannot be."""
        source = self._source(page, url)
        try:
            return steps.ready(source, self.limits)
        except Exception as error:  # whatever it is, it may cost one page only
            return _failed(source, _page_error(error))

    def _source(self, page: Page | Path | Source, url: str | None) -> Source:
        """A page with its address; that of a file is its path if no other is given."""
        if isinstance(page, Source):
            return page if url is None else page._replace(url=url)
        if not isinstance(page, Path):
            return Source(page, url)
        url = url or os.fsencode(page).decode("utf-8", "replace")
        try:
            return Source(read_file(page, self.limits.bytes + 1), url)
        except PageError as error:
            return Source(error, url)

    def _cleaned(self, batch: Sequence[Ready], refuse: Refuse | None) -> list[Result]:
        """Clean the pages of a batch together; if that fails, each alone."""
        try:
            return self._screened(batch, refuse) if refuse else self._clean(batch)
        except Exception as error:  # whatever it is, it may cost one page only
            page_error = _page_error(error)
            if len(batch) == 1:
                return [_failed(batch[0].source, page_error)]
        return [result for page in batch for result in self._cleaned([page], refuse)]

    def _screened(self, batch: Sequence[Ready], refuse: Refuse) -> list[Result]:
        """Refuse pages of a batch and clean the others; cutting them again takes no time."""
        table = self.labeler.table([page.markup for page in batch])
        steps.check_table(table, self.limits)
        reasons = refuse(table)
        staying = [page for page, why in zip(batch, reasons, strict=True) if why is None]
        cleaned = iter(self._clean(staying))
        return [
            next(cleaned) if why is None else Result(page.source.url, why)
            for page, why in zip(batch, reasons, strict=True)
        ]

    def _clean(self, batch: Sequence[Ready]) -> list[Result]:
        if not batch:
            return []
        how = How(self.labeler, self.decision, self.limits, self.scope)
        finished = steps.finished(how, [page.markup for page in batch])
        return [steps.result(how, *of_page) for of_page in zip(batch, finished, strict=True)]


def _listed(pages: Iterable[Page | Path | Source]) -> Iterable[Page | Path | Source]:
    """Pages that are several: a str would be a page a character."""
    if isinstance(pages, str | bytes | Path | Source):
        raise ConfigError("clean_many takes a list of pages; clean takes a single one")
    return pages


def _page_error(error: Exception) -> PageError:
    """Any failure as the error of one page; it is not one if the call is wrong for all pages."""
    if isinstance(error, PageError):
        return error
    reason, said = "failed", f"it could not be processed: {type(error).__name__}: {error}"
    if isinstance(error, FeatureError):  # the module may be able to measure other pages
        reason, said = FEATURE_FAILED, str(error)
    elif isinstance(error, VictorError):
        raise error
    page_error = PageError(reason, said)
    page_error.__cause__ = error
    return page_error


def _failed(source: Source, error: PageError) -> Result:
    return Result(source.url, error.reason, error)


class CleanerSpec(Struct, frozen=True):
    """Which labeler cleans and how, in names: it can be pickled and built in another process.

    What has no line here is as of `clean`; None leaves the choice to the labeler.

    Attributes:
        config: configuration of the labeler, by name or path; None for the one of its name.
        limits: bounds of one page.
        decision: how labels are chosen.
    """

    model: str | Path | None = None
    labeler: str | None = None
    config: str | Path | None = None
    limits: Limits | None = None
    decision: Decision | None = None
    scope: Scope | None = None
    trust_code: bool = False
    page_type: str | None = None

    @classmethod
    def named(cls, name: str) -> Self:
        """The labeler of that name or configuration, else the model of that name or path."""
        from victor.labelers.labeler import labeler_of  # `import victor` needs little

        labeler = labeler_of(name)
        if labeler is None:
            return cls(name)
        return cls(labeler=labeler, config=None if name == labeler else name)

    def build(self) -> Labeler:
        """Load the model, or build the labeler; the last few models stay loaded.

        Raises:
            ConfigError: a model is named together with a labeler or a configuration, there is no
                such labeler, its configuration is wrong, or nothing knows pages of that type.
            ModelError: the model is missing, damaged or of another format.
            FeatureError: the model brings code, and `trust_code` does not allow it.
        """
        return _built(self.model, self.labeler, self.config, self.trust_code, self.page_type)

    def cleaner(self) -> Cleaner:
        """A cleaner of that labeler with these settings; raises what `build` does."""
        return self.cleaner_of(self.build())

    def cleaner_of(self, labeler: Labeler) -> Cleaner:
        """A cleaner of a labeler that was built before."""
        return Cleaner(
            labeler,
            limits=self.limits,
            decision=self.decision,
            scope=self.scope,
        )


def _built(
    model: str | Path | Model | None,
    labeler: str | None,
    config: str | Path | None,
    trust_code: bool,
    page_type: str | None,
) -> Labeler:
    from victor.labelers.crf import DEFAULT, model_labeler  # `import victor` needs little
    from victor.labelers.labeler import build_labeler

    if labeler is None:
        if config is not None:
            raise ConfigError(_without_labeler(config))
        return model_labeler(DEFAULT if model is None else model, trust_code, page_type)
    if model is not None:
        raise ConfigError("a labeler (--labeler) takes the place of a model: leave one out")
    if page_type is not None:
        raise ConfigError("a labeler without a model knows no types of pages: leave the type out")
    return build_labeler(labeler, config, trust_code=trust_code)


def _without_labeler(config: str | Path) -> str:
    """What to do instead of naming a configuration without a labeler."""
    from victor.labelers.crf import model_names

    if config in model_names():
        return f"{config} configures training; the model trained with it is --model {config}"
    return (
        f"a model has its own configuration: train one with `victor train CORPUS --config {config} "
        "--output my.victor`, or name a --labeler with --config"
    )


# --- By name --------------------------------------------------------------------------------------


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

    The arguments and errors are those of `clean`. A `decision` says how labels are chosen, in place
    of a threshold; None leaves it to the model's configuration.
    """
    built = _built(model, labeler, None, trust_code, page_type)
    if threshold is not None:
        decision = Decision.at(threshold, built.presets)
    if isinstance(scope, str):
        scope = Scope(name=scope)
    return Cleaner(built, decision=decision, scope=scope)


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
        trust_code: run the code that the model brings: feature modules that are files. Without
            this no code of a model runs.

    Raises:
        PageError: the page is beyond the limits, cannot be read, or is text that only names a page.
        ModelError: the model is missing, damaged or of another format.
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
    from victor.sources.download import fetch as download  # loads HTTP and TLS

    page = download(url, limit=Limits().bytes if most is None else most)
    return Source(page.content, page.url, page.charset)
