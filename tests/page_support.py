"""Helpers for tests of pages: the app, its pages, and their content."""

import json
import re

from streamlit.testing.v1 import AppTest
from support import ROOT

from pages.parts import session as keys
from pages.parts.pictures import NARROW
from pages.parts.screen import LIMITATIONS, READING
from pages.workspace.project import Project

APP = (ROOT / "app.py").read_text(encoding="utf-8")
TITLES = dict(re.findall(r'st\.Page\(\s*"pages/(\w+)\.py",\s*title="([^"]+)"', APP))  # {page: its title}, in their order
PAGES = tuple(TITLES)
RESULTS = tuple(page for page in PAGES if page not in ("start", "check", "data", "study", "learn"))
ANALYSES = {  # {page: session key of the open further analysis}
    "stability": keys.STABILITY_SECTION,
    "panel": keys.PANEL_SECTION,
    "whatif": keys.WHAT_IF_SECTION,
    "pareto": keys.PARETO_SECTION,
    "feature_count": keys.COUNT_SECTION,
}


# ---- a page ----


def new_app(**session):
    """The app before its first run."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)  # a busy machine
    for key, value in session.items():
        app.session_state[key] = value
    return app


def open_page(page, made=None, **session):
    """Open a page of the app. session: earlier choices."""
    app = new_app(**({"id": made.id} if made else {}), **session)
    return (app if page == "start" else app.switch_page(f"pages/{page}.py")).run()


def walk(app, pages=RESULTS):
    """Open pages one after another, each without errors. A page that stops ends this, because tests then run without the app."""
    for page in pages:
        fine(app.switch_page(f"pages/{page}.py").run())
        yield page


def fine_page(page, made=None, **session):
    """Open a page of the app and assert that it has no error."""
    return fine(open_page(page, made, **session))


def opened_at(page, query, **session):
    """Open a page by its URL as a new visitor. session: parts opened on it."""
    app = new_app(**session)
    for name, texts in query.items():
        app.query_params[name] = texts
    return (app if page == "start" else app.switch_page(f"pages/{page}.py")).run()


def fine(app):
    assert not app.exception, app.exception[0].value
    assert not app.error, app.error[0].value
    return app


def press(app, key, value):
    """Choose one of several adjacent buttons."""
    next(buttons for buttons in app.get("button_group") if buttons.key == key).set_value(value).run()
    return fine(app)


def upload(app, key, name, content, then=None):
    """Upload a file and press its button, without checks."""
    app.file_uploader(key=key).set_value((name, content.encode() if isinstance(content, str) else content, "")).run()
    return app.button(key=then).click().run() if then else app


def click(app, key):
    return fine(app.button(key=key).click().run())


def keys_of(app):
    """The keys of all buttons."""
    return {button.key for button in app.button}


def page_of(app):
    """The current page."""
    return next(page for page, title in TITLES.items() if title == app.session_state["page"])


def analyse(app, name):
    """Open a further analysis on the current page, in place of its figure."""
    app.session_state[ANALYSES[page_of(app)]] = name
    return fine(app.run())


def project_of(app):
    """The project that is open."""
    return Project.find(app.session_state["id"])


# ---- below the figure ----


def drawer(page, name):
    """Session state of an open drawer of a page, by its name in pages/parts/screen.py."""
    return {f"drawer-{TITLES[page]}": name}


def pull(app, name):
    """Open a drawer of the current page."""
    return press(app, f"drawer-{app.session_state['page']}", name)


def full_text(page, made=None, **session):
    """All text of a page, including how to read it and its limitations."""
    return " ".join(page_text(fine_page(page, made, **drawer(page, name), **session)) for name in (READING, LIMITATIONS))


# ---- content ----


def text_of(elements):
    """Text of elements as a user reads it, without the escapes of markup."""
    return " ".join(element.value.replace("\\", "").replace("\u200b", "") for element in elements)


def page_text(app):
    return text_of((*app.markdown, *app.caption, *app.info))


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def url_parameters(app):
    """Parameters of the URL, as lists."""
    return {name: [texts] if isinstance(texts, str) else list(texts) for name, texts in app.query_params.items()}


def numbers(app):
    """Everything visible on the screen: sentences, figures, tables."""
    shown = [text_of(getattr(app.main, kind)) for kind in ("markdown", "caption", "info", "metric")]
    return shown, [element.proto.spec for element in app.get("plotly_chart")], [str(element.value) for element in app.dataframe]


def figures(app):
    """Figures for wide screens, without their versions for telephones."""
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart") if NARROW not in chart.proto.id]
