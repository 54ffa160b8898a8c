"""Read-only copies of a project that are sent as links. Each has its own id, which does not reveal that of the project.

A copy holds only what its screens need: the present study and the files in the settings, without earlier studies, undo steps or
logs. Uploaded files never change, so the copy is another name for them and takes no space. A study file can grow, so it is copied.
"""

import json
import os
import re
import shutil
import time
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from pages.workspace.people import owner_of
from pages.workspace.project import Project
from pages.workspace.projects import copy_file

OMITTED_SETTINGS = ("started", "trial", "earlier", "frozen", "form")  # settings about the project itself or its past
_UPLOAD = re.compile(r'"(upload-[0-9a-f]{8}(?:\.[A-Za-z0-9]{1,8}){0,2})"')  # a text of the settings that names an uploaded file


def make_copy(project) -> Project:
    """A read-only copy of the present project. The same one while nothing has changed."""
    latest, digest = current_copy(project), _state_digest(project)
    if latest is not None:
        return latest
    copy, settings = Project.create(owner_of(project.folder)), _copied_settings(project)
    try:
        for name in set(_UPLOAD.findall(json.dumps(settings))):
            if (project.folder / name).is_file():
                _link_file(project.folder / name, copy.folder / name)
        store = project.store
        if store is not None and store.parent == project.folder:
            for path in filter(Path.is_file, (store, store.with_suffix(".toml"))):
                copy_file(path, copy.folder / f"study{path.suffix}", project.folder)
            settings["store"] = "study.stab"
        copy.save(**settings, frozen=time.time())
        project.add_link(copy.id, digest)
    except Exception:
        copy.delete()
        raise
    return copy


def current_copy(project) -> Project | None:
    """The read-only copy of the present state, if there is one."""
    digest = _state_digest(project)
    return next((Project(id) for id, copied in project.links.items() if copied == digest), None)


def _copied_settings(project) -> dict:
    return {key: value for key, value in project.settings.items() if key not in OMITTED_SETTINGS} | {"title": project.title}


def _link_file(path, to):
    try:
        os.link(path, to)
    except OSError:  # another disk, or one without links
        shutil.copy(path, to)


def _state_digest(project) -> str:
    """A text that changes whenever a copy would change."""
    from stabcore.study.store import file_version

    store = project.store
    study = "" if store is None else f"{store.name}|{store.stat().st_mtime_ns}|{file_version(store)}"
    return sha256(json.dumps([_copied_settings(project), study], sort_keys=True).encode()).hexdigest()


def qr_code(address) -> bytes:
    """Return an address as a QR code, a PNG file."""
    import segno

    picture = BytesIO()
    segno.make(address, micro=False).save(picture, kind="png", scale=8)
    return picture.getvalue()
