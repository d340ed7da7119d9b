"""Specify what turns records into documents: a cleaner, a page filter and a form of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, Self

from victor.api import Cleaner, CleanerSpec
from victor.config.layers import load_data
from victor.config.schema import AnySection, Config, Filter, from_data
from victor.documents.page_filter import PageFilter
from victor.documents.process import Processor, model_name
from victor.labelers.load import configuration, scope_of
from victor.render.forms import Shown


@dataclass(frozen=True)
class CrawlSpec(CleanerSpec):
    """A `CleanerSpec` with what a crawl needs besides; workers are sent it and load it themselves.

    Attributes:
        filter: which pages are kept.
        form: output format of the texts, one of `victor.render.forms.FORMS`.
        markdown: documents have Markdown, too, beside the text.
        shown: what it shows beside words.
        keep_dropped: dropped pages have documents, too.
        keep_all: documents have their dropped paragraphs, too, apart from the text.
    """

    filter: Filter = field(default_factory=Filter)
    form: str = "text"
    markdown: bool = False
    shown: Shown = field(default_factory=Shown)
    keep_dropped: bool = False
    keep_all: bool = False

    def configured(self, source: str | Path | None, overrides: Sequence[str] = ()) -> Self:
        """The same with filter, limits, decision and scope of a configuration.

        Only keys that the configuration or the overrides name count. The others are those of the
        model's configuration, and without a model those of the labeler or the defaults.

        Args:
            source: name of a shipped configuration or path of a YAML file; None for none.
            overrides: ``key=value``, e.g. ``filter.least_words=50``.

        Raises:
            ConfigError: the configuration or an override is wrong.
            VictorError: the labeler cannot be loaded.
        """
        named = load_data(Config, source, overrides)
        labeler = self.build()
        base = configuration(labeler)
        return replace(
            self,
            filter=_merged(base.filter, named, "filter"),
            limits=_merged(labeler.limits, named, "limits"),
            decision=_merged(base.decide, named, "decide") if "decide" in named else None,
            scope=_merged(scope_of(labeler), named, "scope"),
        )

    def load(self) -> Processor:
        """What makes outcomes of records, with model and language profiles.

        Raises:
            VictorError: the labeler or what identifies languages cannot be loaded.
        """
        shown = self.shown if self.markdown else None
        return Processor(
            self.cleaner(),
            PageFilter(self.filter),
            self.form,
            shown,
            self.keep_dropped,
            self.keep_all,
        )

    def identity(self, cleaner: Cleaner) -> dict[str, Any]:
        """What a run must have in common with the one that it continues, as plain data."""
        decision = cleaner.decision or cleaner.labeler.decision
        config = self.config and (_digest(Path(self.config)) or str(self.config))
        return {
            "model": model_name(cleaner.labeler),
            "model file": None if self.model is None else _digest(Path(self.model)),
            "labeler config": config,
            "type": self.page_type,
            "filter": self.filter.to_data(),
            "limits": cleaner.limits.to_data(),
            "decision": decision.to_data(),
            "scope": cleaner.scope.to_data(),
            "form": self.form,
            "markdown": self.markdown,
            "shown": self.shown._asdict() if self.markdown else None,
            "keep dropped": self.keep_dropped,
            "keep all": self.keep_all,
        }


def _merged(base: AnySection, named: Mapping[str, Any], section: str) -> AnySection:
    """A section with the values that are named for it in place of its own."""
    return from_data(type(base), {**base.to_data(), **named.get(section, {})}, section)


def _digest(path: Path) -> str | None:
    """SHA-256 of a file; None if the name is that of a shipped model or configuration."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
