"""The projects on this computer: those of a person, other names, copies; and what they take of the disk.

Nothing is deleted unless somebody asks for it: a person on Start, or who runs a server, by KEEP_DAYS.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import tomllib
from contextlib import suppress
from dataclasses import dataclass

from pages.workspace import people
from pages.workspace.files import home
from pages.workspace.project import LINKS, SETTINGS, Project
from stabcore.base.errors import InputError
from stabcore.base.text import several, size_words

MAX_TITLE = 100  # characters
_LEFT_BEHIND = (".lock", ".cancel", ".log", ".words", ".times", ".tmp", "-journal")  # of a process that runs, or has run
KEEP_DAYS = "STABILITY_KEEP_DAYS"  # in the environment: projects that nothing has changed for so long are forgotten at the start
QUOTA = "STABILITY_QUOTA_GB"  # what all projects together may take
QUOTA_EACH = "STABILITY_QUOTA_GB_EACH"  # what those of one person may take, where people sign in
DAY = 24 * 3600


@dataclass(frozen=True)
class ProjectSummary:
    """One project as the list tells it. changed: seconds since 1970; size: bytes; state: what there is, in plain words."""

    id: str
    title: str
    state: str
    changed: float
    size: int

    @property
    def project(self) -> Project:
        return Project(self.id)


def projects(person=people.ALONE) -> list[ProjectSummary]:
    """The projects of a person, what was changed last first; read-only copies are found by their links alone."""
    folders = home().iterdir() if home().is_dir() else ()
    openable = filter(None, (Project.find(folder.name, person) for folder in folders))
    listed = [_describe(project) for project in openable if people.may(person, "list", project)]
    return sorted(listed, key=lambda summary: (-summary.changed, summary.id))


def owners() -> set[str]:
    """All to whom projects belong, for what the server itself does to all of them."""
    folders = home().iterdir() if home().is_dir() else ()
    return {owner for owner in map(people.owner_of, folders) if owner is not None}


def _all() -> list[ProjectSummary]:
    """Those of everybody."""
    return [summary for owner in owners() for summary in projects(owner)]


def unchanged(settings, person=people.ALONE) -> Project | None:
    """A project of this person that holds these settings and nothing else: opened before and never changed, it is opened again."""
    wanted = json.loads(json.dumps(settings))
    for folder in home().iterdir() if home().is_dir() else ():
        project = Project.find(folder.name, person)
        try:
            names = {path.name for path in folder.iterdir() if path.suffix != ".lock"}
            if project and project.settings == wanted and names <= {SETTINGS, people.FILE}:
                return project
        except (InputError, OSError):  # damaged, or forgotten meanwhile
            continue
    return None


def rename(project, title):
    """Another name on this computer; what the study calls its data stays. Raises InputError for none, and for a long one."""
    title = " ".join(str(title).split())
    if not 0 < len(title) <= MAX_TITLE:
        raise InputError(f"Give the project a name of 1 to {MAX_TITLE} characters. Found {len(title)}.")
    project.save(title=title)


def duplicate(project, person=people.ALONE) -> Project:
    """A copy with everything in it, to try something in without losing what there is; no study runs in the copy.

    That of a read-only copy is a project like any other, of whoever asked for it.
    """
    copy, settings = Project.create(person), dict(project.settings)
    try:
        for path in sorted(project.folder.iterdir()):
            if path.is_file() and path.name not in (SETTINGS, LINKS, people.FILE) and not path.name.endswith(_LEFT_BEHIND):
                copy_file(path, copy.folder / path.name, project.folder)
        for name in ("started", "frozen"):
            settings.pop(name, None)
        copy.save(**{**settings, "title": f"{project.title[: MAX_TITLE - 7]} (copy)"})
    except Exception:
        copy.forget()
        raise
    return copy


def copy_file(path, to, folder):
    """A file of a project's folder into another one: a study file whole, also while it grows, settings about the other folder."""
    from stabcore.study.store import Store

    if path.suffix == ".stab" and path.stat().st_size:
        try:
            return Store(path).copy(to)  # also while a study writes it
        except InputError:
            pass  # a damaged one is kept as it is
    if path.suffix == ".toml":
        return to.write_text(_moved(path, folder, to.parent), encoding="utf-8")
    return shutil.copy(path, to)


def _moved(path, folder, to) -> str:
    """A settings file whose table lies in the copy."""
    import tomli_w

    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        settings = tomllib.loads(text)
        table = settings["data"]["file"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return text
    if not str(table).startswith(str(folder)):
        return text
    return tomli_w.dumps({**settings, "data": {**settings["data"], "file": str(to / table[len(str(folder)) + 1 :])}})


def _describe(project) -> ProjectSummary:
    size, changed = 0, project.folder.stat().st_mtime
    for path in project.folder.rglob("*"):
        try:
            status = path.stat()
        except OSError:  # gone meanwhile
            continue
        size, changed = size + status.st_size * path.is_file(), max(changed, status.st_mtime * path.is_file())
    try:
        return ProjectSummary(project.id, project.title, _state(project), changed, size)
    except InputError:
        return ProjectSummary(project.id, "a damaged project", "cannot be read", changed, size)


def _state(project) -> str:
    """What there is, from the settings and, of an own study, how far it is."""
    settings = project.settings
    if project.running:
        return "a study is running" if project.before is None else "a study waits for its turn"
    store = project.store
    if store is not None and store.parent == project.folder:
        return _progress(store)
    if "selections" in settings:
        return f"selections from {several(len(settings['selections']), 'file')}"
    if settings.get("sample"):
        return "a bundled study" if project.sample else "a bundled study that is no longer here"
    if not settings.get("table"):
        return "nothing yet"
    if not project.table_file.exists():
        return "its table is no longer here"
    return "a table and its outcome" if settings.get("roles") else "a table"


def _progress(path) -> str:
    from stabcore.study.study_result import open_study

    try:
        result = open_study(path)
        done = len(result.store.finished())
    except InputError:
        return "its study file is damaged"
    return "a finished study" if done >= result.total else f"a study, {done} of {result.total} tasks done"


# ---- the disk ----


def untouched(projects, days) -> list[ProjectSummary]:
    """Those that nothing has changed for so many days, the oldest first; never one whose study runs."""
    before = time.time() - days * DAY
    return [summary for summary in reversed(projects) if summary.changed < before and not summary.project.running]


def describe_disk_use(projects) -> str:
    """What projects take and what is free, as a sentence."""
    each, limit = _limit(QUOTA_EACH), _limit(QUOTA_EACH) or _limit(QUOTA)
    of = f" of {size_words(limit * 1e9)} that this server gives {'you' if each else 'to all projects together'}" if limit else ""
    return (
        f"{several(len(projects), 'project')} take{'s' * (len(projects) == 1)} {size_words(_size(projects))}{of}; "
        f"{size_words(_free())} are free."
    )


def describe_keeping() -> str:
    """For how long a server keeps projects, as a sentence; "" where it forgets none by itself."""
    days = _limit(KEEP_DAYS)
    return f"Whenever this server is started, it forgets projects that nothing has changed for {days:g} days." if days else ""


def refuse_when_full(person=people.ALONE):
    """Raise InputError where this person may begin nothing more: a quota is reached."""
    each, together = _limit(QUOTA_EACH) * 1e9, _limit(QUOTA) * 1e9
    if each and _size(projects(person)) >= each:
        raise InputError(
            f"Your projects may take {size_words(each)} here, and they do. Forget projects on Start that are not needed any "
            "more, or ask who runs this server."
        )
    if together and _size(_all()) >= together:
        raise InputError(
            f"All projects together may take {size_words(together)} here, and they do. Forget projects on Start that are "
            "not needed any more, or ask who runs this server."
        )


def forget_untouched() -> int:
    """At the start of a server that keeps projects for a while only, whosever they are: how many were forgotten."""
    days, forgotten = _limit(KEEP_DAYS), 0
    for owner in owners() if days else ():
        for summary in untouched(projects(owner), days):
            with suppress(InputError):  # what cannot be deleted now is tried again at the next start
                summary.project.forget()
            forgotten += not summary.project.folder.exists()
    return forgotten


def _size(projects) -> int:
    return sum(summary.size for summary in projects)


def _limit(name) -> float:
    """A number above 0 of the environment; else 0."""
    try:
        return max(0.0, float(os.environ.get(name, "0")))
    except ValueError:
        return 0.0


def _free() -> int:
    folder = home()
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free
