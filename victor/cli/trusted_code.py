"""The option that allows the code which a model or a configuration brings along."""

from __future__ import annotations

import click

trust_code_option = click.option(
    "--trust-code", is_flag=True,
    help="Run the code that the model or configuration brings: feature modules that are files. "
         "Without this none of it runs.",
)  # fmt: skip
