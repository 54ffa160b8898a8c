"""A study of other rows of the same table, such as another cohort, begun beside the one whose results are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stabcore.app.workspace import Workspace


def begin_beside(work: Workspace, settings: dict[str, Any], choices: dict[str, Any]) -> None:
    """Begin a study with these settings and these choices about the table; Data and the results on screen stay as they are.

    settings: tables study, plan and selector, see again.tables_of; choices: see Choices.settings. Raises InputError while a study
    of this work is running, and in a read-only copy.
    """
    shown, before = work.store, set(work.studies)
    work.write_study(settings, choices)
    moved = next(iter(set(work.studies) - before), shown)       # what was put aside has another name now
    if shown is not None:
        work.save(store=(moved if shown.name == "study.stab" else shown).name)
    work.start()
