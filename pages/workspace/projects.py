"""The projects on this computer: those of a person, renaming, copies, and their use of the disk.

Nothing is deleted without a request, by a person on Start or by the administrator with KEEP_DAYS.
"""

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
from stabcore.base.text import counted, format_size

MAX_TITLE = 100  # characters
_PROCESS_FILES = (".lock", ".cancel", ".log", ".words", ".times", ".tmp", "-journal")  # endings of files of a process
KEEP_DAYS = "STABILITY_KEEP_DAYS"  # in the environment: days after which unchanged projects are deleted at the start
QUOTA = "STABILITY_QUOTA_GB"  # limit of all projects together
QUOTA_EACH = "STABILITY_QUOTA_GB_EACH"  # limit of the projects of one person, with sign-in
DAY = 24 * 3600


@dataclass(frozen=True)
class ProjectSummary:
    """One project in the list. changed: seconds since 1970. size: bytes. state: its state in words."""

    id: str
    title: str
    state: str
    changed: float
    size: int

    @property
    def project(self) -> Project:
        return Project(self.id)


def _folders():
    return home().iterdir() if home().is_dir() else ()


def projects(person=people.SOLE_USER) -> list[ProjectSummary]:
    """The projects of a person, the last changed first, without read-only copies, which need their links."""
    openable = filter(None, (Project.find(folder.name, person) for folder in _folders()))
    listed = [_summary(project) for project in openable if people.has_right(person, "list", project)]
    return sorted(listed, key=lambda summary: (-summary.changed, summary.id))


def owners() -> set[str]:
    """All owners of projects, for actions of the server on all of them."""
    return {owner for owner in map(people.owner_of, _folders()) if owner is not None}


def find_unchanged(settings, person=people.SOLE_USER) -> Project | None:
    """An opened but unchanged project of this person with these settings only, which is opened again."""
    wanted = json.loads(json.dumps(settings))
    for folder in _folders():
        project = Project.find(folder.name, person)
        try:
            names = {path.name for path in folder.iterdir() if path.suffix != ".lock"}
            if project and project.settings == wanted and names <= {SETTINGS, people.FILE}:
                return project
        except (InputError, OSError):  # damaged, or deleted meanwhile
            continue
    return None


def rename(project, title):
    """Rename a project. The data of its study keep their name. Raises InputError without a name, and for a long one."""
    title = " ".join(str(title).split())
    if not 0 < len(title) <= MAX_TITLE:
        raise InputError(f"Give the project a name of 1 to {MAX_TITLE} characters. Found {len(title)}.")
    project.save(title=title)


def duplicate(project, person=people.SOLE_USER) -> Project:
    """A copy with everything in it, for changes without risk. No study runs in the copy. Raises InputError without space for it.

    A copy of a read-only copy is a project like any other, and belongs to its maker.
    """
    refuse_when_full(person)
    copy, settings = Project.create(person), dict(project.settings)
    try:
        for path in sorted(project.folder.iterdir()):
            if path.is_file() and path.name not in (SETTINGS, LINKS, people.FILE) and not path.name.endswith(_PROCESS_FILES):
                copy_file(path, copy.folder / path.name, project.folder)
        for name in ("started", "frozen"):
            settings.pop(name, None)
        copy.save(**{**settings, "title": f"{project.title[: MAX_TITLE - 7]} (copy)"})
    except Exception:
        copy.delete()
        raise
    return copy


def copy_file(path, to, folder):
    """Copy a file of a project into another one: a study file complete, also while it grows, and settings for the new folder."""
    from stabcore.study.store import Store

    if path.suffix == ".stab" and path.stat().st_size:
        with suppress(InputError):  # a damaged one is kept unchanged
            Store(path).copy(to)  # also while a study writes it
            return
    if path.suffix == ".toml":
        to.write_text(_settings_of_copy(path, folder, to.parent), encoding="utf-8")
    else:
        shutil.copy(path, to)


def _settings_of_copy(path, folder, to) -> str:
    """A settings file whose table is in the copy."""
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


def _summary(project) -> ProjectSummary:
    size, changed = 0, project.folder.stat().st_mtime
    for path in project.folder.rglob("*"):
        try:
            status = path.stat()
        except OSError:  # it was deleted meanwhile
            continue
        size, changed = size + status.st_size * path.is_file(), max(changed, status.st_mtime * path.is_file())
    try:
        return ProjectSummary(project.id, project.title, _describe_state(project), changed, size)
    except InputError:
        return ProjectSummary(project.id, "a damaged project", "cannot be read", changed, size)


def _describe_state(project) -> str:
    """The state of a project in words, with the progress of its own study."""
    settings = project.settings
    if project.is_running:
        return "a study is running" if project.queue_position is None else "a study waits for its turn"
    store = project.store
    if store is not None and store.parent == project.folder:
        return _describe_progress(store)
    if "selections" in settings:
        return f"selections from {counted(len(settings['selections']), 'file')}"
    if settings.get("sample"):
        return "an example" if project.sample else "an example that is no longer here"
    if not settings.get("table"):
        return "nothing yet"
    if not project.table_file.exists():
        return "its table is no longer here"
    return "a table and its outcome" if settings.get("roles") else "a table"


def _describe_progress(path) -> str:
    from stabcore.study.study_result import open_study

    try:
        result = open_study(path)
        done = len(result.store.finished())
    except InputError:
        return "its study file is damaged"
    return "a finished study" if done >= result.total else f"a study, {done} of {result.total} tasks done"


# ---- the disk ----


def stale_projects(projects, days) -> list[ProjectSummary]:
    """Projects unchanged for a number of days, the oldest first, without those with a running study."""
    before = time.time() - days * DAY
    return [summary for summary in reversed(projects) if summary.changed < before and not summary.project.is_running]


def describe_disk_use(projects) -> str:
    """The disk use of projects and the free space, as a sentence."""
    each, limit = _read_limit(QUOTA_EACH), _read_limit(QUOTA_EACH) or _read_limit(QUOTA)
    of = f" of {format_size(limit * 1e9)} for {'you' if each else 'all projects together'}" if limit else ""
    return (
        f"{counted(len(projects), 'project')} take{'s' * (len(projects) == 1)} {format_size(_total_size(projects))}{of}. "
        f"{format_size(_free_bytes())} are free."
    )


def describe_retention() -> str:
    """The time for which a server keeps projects, as a sentence, "" without a limit."""
    days = _read_limit(KEEP_DAYS)
    return f"When this server starts, it deletes projects unchanged for {days:g} days." if days else ""


def refuse_when_full(person=people.SOLE_USER):
    """Raise InputError if this person has reached a quota."""
    own_quota, total_quota = _read_limit(QUOTA_EACH) * 1e9, _read_limit(QUOTA) * 1e9
    if own_quota and _total_size(projects(person)) >= own_quota:
        raise InputError(
            f"Your projects take all {format_size(own_quota)} that you have on this server. Delete projects on Start, or ask the "
            "administrator."
        )
    if total_quota and sum(_total_size(projects(owner)) for owner in owners()) >= total_quota:
        raise InputError(
            f"All projects together take all {format_size(total_quota)} of this server. Delete projects on Start, or ask the "
            "administrator."
        )


def delete_stale_projects() -> int:
    """Delete old projects of all people at the start of a server with KEEP_DAYS. Returns their number."""
    days, deleted = _read_limit(KEEP_DAYS), 0
    for owner in owners() if days else ():
        for summary in stale_projects(projects(owner), days):
            with suppress(InputError):  # a project that cannot be deleted now is tried again at the next start
                summary.project.delete()
            deleted += not summary.project.folder.exists()
    return deleted


def _total_size(projects) -> int:
    return sum(summary.size for summary in projects)


def _read_limit(name) -> float:
    """A number above 0 of the environment, else 0."""
    try:
        return max(0.0, float(os.environ.get(name, "0")))
    except ValueError:
        return 0.0


def _free_bytes() -> int:
    folder = home()
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free
