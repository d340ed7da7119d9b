"""The options that say which system cleans a page and how: its decision, its scope, its code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from victor.api import Cleaner, CleanerSpec
from victor.base.errors import ConfigError
from victor.cli.commands import OneOf, Threshold
from victor.config import SCOPES
from victor.model.decide import METHODS, Decision, Method
from victor.model.gate import TOLD

AnySpec = TypeVar("AnySpec", bound=CleanerSpec)


def check(threshold: float | str | None, method: Method | None) -> None:
    """Check that the two options go together.

    Raises:
        ConfigError: they contradict each other.
    """
    if threshold is not None and method not in (None, "threshold"):
        raise ConfigError(f"--threshold has no meaning with --decide {method}; leave one out")


def decision_from_options(
    configured: Decision,
    threshold: float | str | None,
    method: Method | None,
    presets: Mapping[str, float],
) -> Decision | None:
    """The decision of ``--threshold`` or ``--decide``; None if neither is given.

    What these leave open is as configured.

    Raises:
        ConfigError: the two contradict each other, or there is no such preset.
    """
    check(threshold, method)
    if threshold is not None:
        return Decision.at(threshold, presets)
    if method is None:
        return None
    return configured.replace(method=method)


Command = TypeVar("Command", bound=Callable[..., Any])


def decision_options(command: Command) -> Command:
    """Add the options; `with_decision` takes them."""
    options = (
        click.option("-t", "--threshold", type=Threshold(), metavar="NUMBER|PRESET",
                     help="Keep blocks with p(other) below this (lower: stricter); or "
                          "precision, balanced, recall; or p0.98."),
        click.option("--decide", "method", type=OneOf(METHODS),
                     help="Rule that chooses labels [default: the model's]."),
        click.option("--every-page", is_flag=True,
                     help="Keep something of error pages and pages without content, too."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def with_decision(spec: AnySpec, options: dict[str, Any]) -> tuple[AnySpec, Cleaner]:
    """A specification with the decision of `decision_options`, and its cleaner.

    Args:
        spec: what cleans.
        options: of a command; those of the decision are taken out.

    Raises:
        VictorError: the labeler cannot be loaded, or the options are wrong.
    """
    threshold, method, every_page = map(options.pop, ("threshold", "method", "every_page"))
    labeler = spec.build()
    configured = spec.decision or labeler.decision
    decision = decision_from_options(configured, threshold, method, labeler.presets)
    if every_page:
        decision = (decision or configured).replace(no_content=1.0)
    spec = replace(spec, decision=decision or spec.decision)
    return spec, spec.cleaner_of(labeler)


_SWITCHES: Final = (
    ("headline", "the headline"),
    ("comments", "comments of readers"),
)


def scope_options(command: Command) -> Command:
    """Add the options; the command gets each by its name."""
    for switch, part in reversed(_SWITCHES):
        option = click.option(
            f"--{switch}/--no-{switch}",
            default=None,
            help=f"Keep {part} in any scope.",
        )
        command = option(command)
    for name in ("drop", "keep"):
        command = click.option(
            f"--{name}",
            multiple=True,
            metavar="CSS",
            help=f"Always {name} these elements; repeatable.",
        )(command)
    scope = click.option(
        "--scope",
        type=OneOf(SCOPES),
        help="main: the text. article: with headline, no comments. full: with both. "
        "labels: every block as labelled.  [default: main]",
    )
    return scope(command)


def with_scope(
    spec: AnySpec, cleaner: Cleaner, options: dict[str, str | bool | tuple[str, ...] | None]
) -> tuple[AnySpec, Cleaner]:
    """A specification and its cleaner with the parts that the options of a command name.

    Args:
        spec: what cleans.
        cleaner: of this specification; its scope is what the options change.
        options: `scope`, `keep`, `drop`, `headline` and `comments`; None, or an empty tuple, for
            what is not given.
    """
    changes = {"name" if key == "scope" else key: value for key, value in options.items()}
    given = {key: value for key, value in changes.items() if value not in (None, ())}
    if not given:
        return spec, cleaner
    spec = replace(spec, scope=cleaner.scope.replace(**given))
    return spec, spec.cleaner_of(cleaner.labeler)


type_option = click.option(
    "--type", "page_type", type=OneOf(TOLD), metavar="TYPE",
    help="What all pages are, where the model has experts, e.g. forum.",
)  # fmt: skip

trust_code_option = click.option(
    "--trust-code", is_flag=True,
    help="Run code that the model or configuration brings.",
)  # fmt: skip
