"""The works on this computer: a list of those of a person, other names, copies."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass

from stabcore.app import people
from stabcore.app.frozen import LINKS
from stabcore.app.workspace import SETTINGS, Workspace, home
from stabcore.errors import InputError
from stabcore.wording import several

LONGEST = 100           # characters of a name
_LEFT_BEHIND = (".lock", ".cancel", ".log", ".words", ".times", ".tmp", "-journal")      # of a process that runs, or has run


@dataclass(frozen=True)
class Work:
    """One work as the list tells it. changed: seconds since 1970; size: bytes; state: what there is, in plain words."""

    id: str
    title: str
    state: str
    changed: float
    size: int

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.id)


def works(person=people.ALONE) -> list[Work]:
    """The works of a person, what was changed last first; read-only copies are found by their links alone."""
    folders = home().iterdir() if home().is_dir() else ()
    openable = filter(None, (Workspace.find(folder.name, person) for folder in folders))
    listed = [_told(one) for one in openable if people.may(person, "list", one)]
    return sorted(listed, key=lambda one: (-one.changed, one.id))


def owners() -> set[str]:
    """All to whom works belong, for what the server itself does to all of them."""
    folders = home().iterdir() if home().is_dir() else ()
    return {owner for owner in map(people.owner_of, folders) if owner is not None}


def rename(workspace, title):
    """Another name on this computer; what the study calls its data stays. Raises InputError for none, and for a long one."""
    title = " ".join(str(title).split())
    if not 0 < len(title) <= LONGEST:
        raise InputError(f"Give the work a name of 1 to {LONGEST} characters; found {len(title)}.")
    workspace.save(title=title)


def duplicate(workspace, person=people.ALONE) -> Workspace:
    """A copy with everything in it, to try something in without losing what there is; no study runs in the copy.

    That of a read-only copy is a work like any other, of whoever asked for it.
    """
    copy, settings = Workspace.create(person), dict(workspace.settings)
    try:
        for path in sorted(workspace.folder.iterdir()):
            if path.is_file() and path.name not in (SETTINGS, LINKS, people.FILE) and not path.name.endswith(_LEFT_BEHIND):
                copy_file(path, copy.folder / path.name, workspace.folder)
        for gone in ("started", "frozen"):
            settings.pop(gone, None)
        copy.save(**{**settings, "title": f"{workspace.title[:LONGEST - 7]} (copy)"})
    except Exception:
        copy.forget()
        raise
    return copy


def copy_file(path, to, folder):
    """A file of a work's folder into another one: a study file whole, also while it grows, settings about the other folder."""
    from stabcore.study.store import Store

    if path.suffix == ".stab" and path.stat().st_size:
        try:
            return Store(path).copy(to)         # also while a study writes it
        except InputError:
            pass                                # a damaged one is kept as it is
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
    return tomli_w.dumps({**settings, "data": {**settings["data"], "file": str(to / table[len(str(folder)) + 1:])}})


def _told(workspace) -> Work:
    sizes, changed = 0, workspace.folder.stat().st_mtime
    for path in workspace.folder.rglob("*"):
        try:
            status = path.stat()
        except OSError:         # gone meanwhile
            continue
        sizes, changed = sizes + status.st_size * path.is_file(), max(changed, status.st_mtime * path.is_file())
    try:
        return Work(workspace.id, workspace.title, _state(workspace), changed, sizes)
    except InputError:
        return Work(workspace.id, "a damaged work", "cannot be read", changed, sizes)


def _state(workspace) -> str:
    """What there is, from the settings and, of an own study, how far it is."""
    settings = workspace.settings
    if workspace.running:
        return "a study is running" if workspace.before is None else "a study waits for its turn"
    own = workspace.store
    if own is not None and own.parent == workspace.folder:
        return _progress(own)
    if "selections" in settings:
        return f"selections from {several(len(settings['selections']), 'file')}"
    if settings.get("sample"):
        return "a bundled study" if workspace.sample else "a bundled study that is no longer here"
    if not settings.get("table"):
        return "nothing yet"
    if not workspace.table_file.exists():
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
