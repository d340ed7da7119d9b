"""What cleans the pages of a run, in words that another process understands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Any

from victor.api import Cleaner
from victor.config import AnySection, Config, Filter, Limits
from victor.crawl.documents.document import Outcome
from victor.crawl.documents.filters import PageFilter
from victor.crawl.documents.process import model_name, process
from victor.labelers import Labeler
from victor.labelers.crf import CrfLabeler
from victor.labelers.load import load_labeler
from victor.model.decide import Decision
from victor.sources.record import Record

Process = Callable[[Sequence[Record]], list[Outcome]]
"""Records to outcomes, one for each, in their order."""


@dataclass(frozen=True, slots=True)
class System:
    """A labeler with all that is said about its use; it can be pickled and is quick to send.

    Attributes:
        model: a shipped model or the path of one; None for the default one.
        labeler: a system that needs no model, instead of one.
        filter: which pages are kept.
        limits: bounds of one page; None for those of the labeler.
        decision: how labels are chosen; None for how the labeler is configured.
        form: output format of the texts.
        aside: dropped pages have documents, too.
    """

    model: str | None = None
    labeler: str | None = None
    filter: Filter = field(default_factory=Filter)
    limits: Limits | None = None
    decision: Decision | None = None
    form: str = "text"
    aside: bool = False

    def build(self) -> Labeler:
        """The labeler itself.

        Raises:
            VictorError: it cannot be loaded, or a model is named beside it.
        """
        return load_labeler(self.model, self.labeler)

    def configured(self, settings: Config) -> System:
        """The same with filter, limits and decision of a configuration in place of its own.

        What it leaves open is as the configuration of the model has it, else as the labeler has it.

        Args:
            settings: what `victor.config.load` gives for a file, overrides or both.

        Raises:
            VictorError: the labeler cannot be loaded.
        """
        labeler = self.build()
        own = labeler.model.config if isinstance(labeler, CrfLabeler) else Config()
        decides = settings.decide != Config().decide
        return replace(
            self,
            filter=_over(own.filter, settings.filter),
            limits=_over(labeler.limits, settings.limits),
            decision=_over(own.decide, settings.decide) if decides else None,
        )

    def cleaner(self) -> Cleaner:
        """The labeler with limits and decision."""
        return Cleaner(self.build(), limits=self.limits, decision=self.decision)

    def load(self) -> Process:
        """Models and profiles read, ready for records."""
        page_filter = PageFilter(self.filter)
        return partial(process, self.cleaner(), page_filter, form=self.form, aside=self.aside)

    def identity(self, cleaner: Cleaner) -> dict[str, Any]:
        """What a run has to have in common with the one that it continues, as plain data."""
        decision = cleaner.decision or cleaner.labeler.decision
        return {
            "model": model_name(cleaner.labeler),
            "model file": None if self.model is None else _digest(Path(self.model)),
            "filter": self.filter.to_data(),
            "limits": cleaner.limits.to_data(),
            "decision": asdict(decision),
            "form": self.form,
            "keep dropped": self.aside,
        }


def _over(own: AnySection, said: AnySection) -> AnySection:
    """A section as it is, changed where another one says something."""
    plain = type(said)()
    changes = {
        name: value
        for name in said.__struct_fields__
        if (value := getattr(said, name)) != getattr(plain, name)
    }
    return own.replace(**changes)


def _digest(path: Path) -> str | None:
    """SHA-256 of a model file; None for a shipped model, whose fingerprint tells enough."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
