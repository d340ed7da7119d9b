"""How Sphinx builds the site: `sphinx-build -W --keep-going -n docs build/site`."""

import os
import sys
import tomllib
from pathlib import Path

_here = Path(__file__).parent
sys.path.insert(0, str(_here / "_ext"))
_project = tomllib.loads((_here.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_repository = os.environ.get("VICTOR_REPOSITORY", "")

project = "Victor"
version = release = _project["version"]
copyright = "the authors of Victor; Apache-2.0"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "victor_site",
]
exclude_patterns = ["_ext", "examples"]
nitpicky = True

# Markdown: anchors of headings are those of code hosts, so that links work there and here.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
smartquotes_action = "qe"  # no dashes: the two hyphens of an option stay what they are
# A notebook that fails fails the build; `-D nb_execution_mode=off` leaves them as they are stored.
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_ipywidgets_js = {}  # it would come from another host

# Docstrings
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autoclass_content = "class"
napoleon_numpy_docstring = False
# Types that are not on the site: those of libraries, and of modules that are not public.
nitpick_ignore_regex = [("py:.*", ".*")]

html_theme = "furo"
html_title = f"Victor {version}"
html_logo = html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["victor.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0072b2",
        "color-brand-content": "#0072b2",
        "color-brand-visited": "#7a4b8c",
    },
    "dark_css_variables": {
        "color-brand-primary": "#62b4ee",
        "color-brand-content": "#62b4ee",
        "color-brand-visited": "#c79fd6",
    },
}
if _repository:
    html_theme_options |= {
        "source_repository": _repository,
        "source_branch": "main",
        "source_directory": "docs/",
    }
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = False
linkcheck_timeout = 20
linkcheck_ignore = [r"https?://.*\.example\b.*", r"https?://localhost.*", r"http://127\.0\.0\.1.*"]
