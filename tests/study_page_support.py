"""Helpers for tests of the Study page: a project without a study, answers to its form, and saved settings."""

import tomllib

from page_support import fine
from project_support import COLUMNS, patients, table

FIELDS = ("number_input", "selectbox", "multiselect", "toggle", "text_input", "select_slider", "slider")


def new_project(**roles):
    return table(patients((*COLUMNS, "level")), roles={"target": "outcome", "exclude": ["level"], **roles})


def fill(app, **answers):
    """Answer questions of the form, one after another."""
    for key, value in answers.items():
        field = next(part for kind in FIELDS for part in getattr(app, kind) if part.key == key)
        (field.select(value) if field in app.selectbox else field.set_value(value)).run()
    return fine(app)


def anew(app):
    """Open the form of another study, below a finished one."""
    app.toggle(key="new_study__widget").set_value(True).run()
    return fine(app)


def written(project):
    return tomllib.loads((project.folder / "study.toml").read_text(encoding="utf-8"))


def settings(*selectors, **plan):
    """Settings of a small study."""
    return {
        "study": {"k": 2, "classifier": "none", "random_state": 4, "n_permutations": 0},
        "plan": {"kind": "subsample", "n_runs": 3, **plan},
        "selector": [{"key": key} for key in selectors],
    }
