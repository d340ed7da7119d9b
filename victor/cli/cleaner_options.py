"""The options of all commands that clean: which system does, how it decides, what it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from msgspec.structs import replace

from victor.api import Cleaner, CleanerSpec
from victor.base.errors import ConfigError
from victor.cli.commands import PATH, OneOf, Options, Threshold, option, tame
from victor.config.schema import SCOPES
from victor.labelers.labeler import LABELERS
from victor.model.decide import METHODS, Decision, Method
from victor.model.trees import TOLD

AnySpec = TypeVar("AnySpec", bound=CleanerSpec)
_OF_SCOPE: Final = ("keep", "drop", "headline", "comments")


class Trusting(Options):
    """Whether code may run that others wrote."""

    trust_code: bool = option("--trust-code", "Run code that the model or configuration brings.")


class Overriding(Trusting):
    """Changes of a configuration."""

    overrides: tuple[str, ...] = option(
        "-s --set", "Change a key of the configuration; repeatable.", metavar="KEY=VALUE"
    )


class Deciding(Options):
    """How labels are chosen."""

    threshold: float | str | None = option(
        "-t --threshold",
        "Keep blocks with p(other) below this, or: precision, balanced, recall, p0.98.",
        Threshold(),
    )
    method: Method | None = option("--decide", "How labels are chosen:", OneOf(METHODS))

    def check(self) -> None:
        """Raise ConfigError if the two options contradict each other."""
        if self.threshold is not None and self.method not in (None, "threshold"):
            raise ConfigError(
                f"--threshold has no meaning with --decide {self.method}; leave one out"
            )

    def decision(self, configured: Decision, presets: Mapping[str, float]) -> Decision | None:
        """The decision that the options ask for, the rest as configured; None if none is given.

        Raises:
            ConfigError: the two contradict each other, or there is no such preset.
        """
        self.check()
        if self.threshold is not None:
            return Decision.at(self.threshold, presets)
        return None if self.method is None else configured.replace(method=self.method)


class Cleaning(Trusting, Deciding):
    """What cleans, and which parts of pages it keeps."""

    model: str | None = option(
        "-m --model", "Shipped model or model file.  [default: default]", PATH
    )
    labeler: str | None = option("-l --labeler", "Labeler without a model:", OneOf(LABELERS))
    config: str | None = option("-c --config", "Configuration of the labeler.", PATH)
    page_type: str | None = option(
        "--type", "What all pages are, for models with experts.", OneOf(TOLD)
    )
    every_page: bool = option("--every-page", "Keep something of pages without content, too.")
    scope: str | None = option("--scope", "Parts to keep [main]:", OneOf(SCOPES))
    keep: tuple[str, ...] = option(
        "--keep", "Always keep these elements; repeatable.", metavar="CSS"
    )
    drop: tuple[str, ...] = option(
        "--drop", "Always drop these elements; repeatable.", metavar="CSS"
    )
    headline: bool | None = option("--headline/--no-headline", "Keep the headline in any scope.")
    comments: bool | None = option(
        "--comments/--no-comments", "Keep comments of readers in any scope."
    )

    def spec(self) -> CleanerSpec:
        """The labeler alone."""
        spec = CleanerSpec(self.model, self.labeler, self.config, trust_code=self.trust_code)
        return replace(spec, page_type=self.page_type)

    def cleaner(self, spec: AnySpec) -> tuple[AnySpec, Cleaner]:
        """The specification with the decision and the scope of the options, and its cleaner.

        Raises:
            VictorError: the labeler cannot be loaded, or the options are wrong.
        """
        labeler = spec.build()
        configured = spec.decision or labeler.decision
        decision = self.decision(configured, labeler.presets)
        if self.every_page:
            decision = (decision or configured).replace(no_content=1.0)
        spec = replace(spec, decision=decision or spec.decision)
        changes = {"name": self.scope, **{name: getattr(self, name) for name in _OF_SCOPE}}
        if given := {key: value for key, value in changes.items() if value not in (None, ())}:
            spec = replace(spec, scope=spec.cleaner_of(labeler).scope.replace(**given))
        return spec, spec.cleaner_of(labeler)


class Showing(Options):
    """What forms show beside words; None for what is not given."""

    links: bool | None = option("--links/--no-links", "Keep link targets.  [default: yes]")
    images: bool | None = option("--images/--no-images", "Show images.  [default: yes]")
    formatting: bool | None = option(
        "--formatting/--no-formatting", "Keep bold, italic, code.  [default: yes]"
    )
    tables: bool | None = option("--tables/--no-tables", "Keep data tables.  [default: yes]")


SWITCHES: Final = tuple(Showing.fields())


def system_name(spec: CleanerSpec) -> str:
    """A system for people: ``model default``, ``labeler density``."""
    if spec.labeler is not None:
        return f"labeler {spec.labeler}"
    return tame(f"model {spec.model or 'default'}")
