"""The HTML page of a report: one file that loads nothing and runs no script but ours.

The templates escape every value that is not our own markup, and the page's policy allows the one
style sheet and the one script by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from victor.base import optional
from victor.base.files import package_folder
from victor.evaluation.report import svg
from victor.evaluation.report.plots import Plot

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

OUTCOMES: Final[Sequence[Mapping[str, str]]] = (
    {"name": "rightly kept", "sign": "✓", "class": "kept"},
    {"name": "rightly dropped", "sign": "·", "class": "dropped"},
    {"name": "lost", "sign": "−", "class": "lost"},
    {"name": "wrongly kept", "sign": "+", "class": "wrong"},
    {"name": "unlabelled", "sign": "?", "class": "none"},
)
"""How each `BlockOutcome` is shown: never by colour alone."""
_LONGEST_NAME: Final = 100
_UNPRINTABLE: Final = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def render(values: Mapping[str, Any], plots: Sequence[Plot]) -> str:
    """The page as text.

    Args:
        values: what ``report.html`` names, except the style, the script and the plots.
        plots: the precision-recall plots.
    """
    css, js = static("report.css") + static("svg.css"), static("report.js")
    data = {plot.measure: [line.to_json() for line in plot.lines] for plot in plots}
    template = _environment().get_template("report.html")
    text = template.render(
        values,
        outcomes=OUTCOMES,
        plots=[(plot, svg.precision_recall(plot)) for plot in plots],
        curves=script_json(data),
        css=_markup(css),
        js=_markup(js),
        policy=policy(css, js),
    )
    return printable(text)


def policy(css: str, js: str) -> str:
    """Content Security Policy: this style and this script, nothing else."""
    return (
        f"default-src 'none'; style-src {_source(css)}; script-src {_source(js)}; "
        "base-uri 'none'; form-action 'none'"
    )


def script_json(value: object) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return _markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def printable(text: str) -> str:
    """Text in which U+FFFD stands for controls, halves of surrogate pairs and noncharacters."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _markup(text: str) -> Markup:
    """Text that templates do not escape."""
    result: Markup = optional.load("markupsafe", extra="train").Markup(text)
    return result


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def static(name: str) -> str:
    """Text of a file of this package."""
    return (package_folder("victor.evaluation.report") / name).read_text(encoding="utf-8")


def _environment() -> Environment:
    jinja = optional.load("jinja2", extra="train")
    environment: Environment = jinja.Environment(
        loader=jinja.FunctionLoader(static),
        autoescape=True,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "decimal": _decimal,
        "interval": _interval,
        "percent": _percent,
        "whole": _whole,
        "marginals": _marginals,
        "cut": cut,
        "bar": svg.bar,
    }
    return environment


def cut(text: str) -> str:
    """The beginning of a name that may be of any length."""
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]} …"


def _decimal(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}"


def _interval(ends: tuple[float, float]) -> str:
    low, high = ends
    return "–" if math.isnan(low) else f"{low:.3f} – {high:.3f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _whole(value: int) -> str:
    """A number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _marginals(values: Sequence[float]) -> str:
    return "h {:.2f} t {:.2f} o {:.2f}".format(*values)
