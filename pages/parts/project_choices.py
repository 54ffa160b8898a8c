"""Choices that a project keeps and that can be undone: panels by name, added studies, answers about its table."""

import streamlit as st

from pages.parts import session
from stabcore.base.errors import InputError
from stabcore.base.text import quote

# In the settings of the project: {name: features, threshold, k, selector}, [{"sample" or "file", "name"}], {question: answer}.
PANELS, COMPARED, ANSWERS = "panels", "compared", "asked"
MAX_NAME_LENGTH = 60  # limit of characters of the name of a panel
STATE_PREFIX = "kept"  # prefix of their names in the state for undo


def save(**settings):
    """A change of the project by this tab: a step for undo."""
    session.project().save(**settings)
    st.session_state[session.PROJECT_CHANGED] = True


def panels() -> dict[str, dict]:
    """The panels by name, in the order in which they were saved."""
    project = session.project_or_none()
    return dict(project.settings.get(PANELS) or {}) if project else {}


def add_panel(name, panel):
    """Add a panel. Raises InputError without a name, and for the name of another panel, which stays."""
    if panels().get(name) != panel:
        _save_panels({**panels(), _checked_name(name, panels()): panel})


def rename_panel(old, new):
    """Rename a panel in place."""
    new = _checked_name(new, [name for name in panels() if name != old])
    _save_panels({new if name == old else name: panel for name, panel in panels().items()})


def remove_panel(removed):
    """Delete a panel."""
    _save_panels({name: panel for name, panel in panels().items() if name != removed})


def _checked_name(name, taken) -> str:
    name = " ".join(name.split())[:MAX_NAME_LENGTH]
    if not name:
        raise InputError("Give the panel a name.")
    if name in taken:
        raise InputError(f"There is another panel named {quote(name)} already. Choose another name.")
    return name


def _save_panels(named):
    save(**{PANELS: named})
    st.session_state[session.RERUN_PAGE] = True  # undo is above the page


def state() -> dict:
    """All choices by names that begin with MARK: each panel and their order, answers, studies.

    Adding a study file is no step, because removing it deletes it.
    """
    project = session.project_or_none()
    if project is None:
        return {}
    chosen = {
        ANSWERS: project.settings.get(ANSWERS),
        PANELS: list(panels()),
        COMPARED: [study for study in project.settings.get(COMPARED) or [] if "file" not in study],
    }
    return {f"{STATE_PREFIX} {name}": value for name, value in chosen.items() if value} | {
        f"{STATE_PREFIX}={name}": panel for name, panel in panels().items()
    }


def restore(before):
    """Restore a `state`. Added files stay."""
    named = {name.removeprefix(f"{STATE_PREFIX}="): panel for name, panel in before.items() if name.startswith(f"{STATE_PREFIX}=")}
    names = dict.fromkeys([*(name for name in before.get(f"{STATE_PREFIX} {PANELS}", ()) if name in named), *named])
    files = [study for study in session.project().settings.get(COMPARED) or [] if "file" in study]
    _save_panels({name: named[name] for name in names})
    save(
        **{COMPARED: [*before.get(f"{STATE_PREFIX} {COMPARED}", ()), *files], ANSWERS: before.get(f"{STATE_PREFIX} {ANSWERS}", {})}
    )
