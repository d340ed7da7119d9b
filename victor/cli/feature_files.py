"""The option that allows code which a model or a configuration names by path."""

from __future__ import annotations

import click

feature_files_option = click.option(
    "--feature-file", "feature_files", multiple=True, metavar="FILE",
    help="Python file that may be run as a feature module if the model or configuration names it; "
         "no other code of theirs runs. May be given several times.",
)  # fmt: skip
