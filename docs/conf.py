"""Build the documentation: `make docs`. Pages are Markdown. Their code runs while they are built."""

import os
import re
import sys
from pathlib import Path

import plotly

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

import stabcore  # noqa: E402  the checkout, found by the line above

project = "stabcore"
author = "the authors of stabcore"
version = release = stabcore.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_nb", "catalogues", "docstrings"]
exclude_patterns = ["_build", "paper"]

html_theme = "pydata_sphinx_theme"
html_title = f"stabcore {version}"
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "gallery": []},  # its figures need the width
}
html_show_sourcelink = False
html_static_path = ["_static", str(Path(plotly.__file__).parent / "package_data")]
html_css_files = ["style.css"]
html_js_files = [("plotly.min.js", {"loading_method": "sync"})]

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_validation_checks = set()

myst_enable_extensions = ["colon_fence", "deflist"]
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE / "_build" / "jupyter_cache")
nb_execution_raise_on_error = True
nb_execution_timeout = 180
nb_merge_streams = True
nb_mime_priority_overrides = [("html", "text/html", 0)]
os.environ["PLOTLY_RENDERER"] = "notebook"  # figures as HTML, drawn by the plotly.min.js above


def setup(app):
    """Keep the pages from loading MathJax from elsewhere. Plotly requests it with every figure, and no figure here needs it."""
    app.connect("html-page-context", lambda app, page, template, context, doctree: drop_mathjax(context))


def drop_mathjax(context):
    """Remove the script tags of MathJax from the body of a page."""
    context["body"] = re.sub(r'<script src="https://[^"]*mathjax[^"]*"></script>', "", context.get("body", ""))
