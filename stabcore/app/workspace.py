"""Workspace: one person's work as a folder on this machine, found again by an unguessable id.

It keeps what was uploaded (as it came), the settings made on the way and the study file, so that a reloaded page, a closed
tab or a restarted server loses nothing. Bundled studies are read where they lie and never copied."""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
import time
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from stabcore.app import people, samples
from stabcore.app.private import close, write_whole
from stabcore.app.risk_process import RiskProcess
from stabcore.app.samples import Sample
from stabcore.app.study_process import STARTING, StudyProcess
from stabcore.errors import InputError
from stabcore.study.working_files import in_place, remove_folder

SETTINGS = "workspace.json"
_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_SAVING = threading.Lock()
_EARLIER = re.compile(r"study-[0-9]{1,9}")
_KINDS: dict[str, type | tuple[type, ...]] = {"kind": str, "name": str, "title": str, "sample": str, "table": str, "store": str,
                                              "roles": dict, "scenarios": dict, "panels": dict, "form": (dict, type(None)),
          "selections": list, "started": (int, float), "frozen": (int, float)}
_FILES = ("table", "store", "sample")       # names in the folder, or of a bundled study: never a way out of it
_ENDING = re.compile(r"(\.[A-Za-z0-9]{1,8}){0,2}$")


def home() -> Path:
    """Where workspaces lie: $STABILITY_HOME, or a folder of the user's own. Raises InputError where the user has none."""
    try:
        return Path(os.environ.get("STABILITY_HOME") or "~/.stability-dashboard").expanduser().absolute()
    except RuntimeError:
        raise InputError("This user has no home folder that works could be kept in. Give a folder by the environment variable "
                         "STABILITY_HOME.") from None


def _text(path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _tables(text) -> dict:
    """Those of a settings file; none where it is damaged."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _holds_anything(path) -> bool:
    """Is there a file that is not empty, as that of a study is at its very beginning?"""
    return path.exists() and path.stat().st_size > 0


def _number(path) -> int:
    """That of an earlier study."""
    return int(path.stem.partition("-")[2])


@lru_cache(maxsize=32)
def _settings(path, changed, size, number) -> dict:
    """The settings of a workspace, read once: a page asks for them a hundred times."""
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
        fine = isinstance(settings, dict) and not any(name in settings and not isinstance(settings[name], kind) for name, kind in
                                                      _KINDS.items())
        fine = fine and all(Path(settings[name]).name == settings[name] for name in _FILES if name in settings)
    except (ValueError, RecursionError, OSError):
        fine = False
    if not fine:
        raise InputError("What was chosen in this work cannot be read: its file workspace.json is damaged. What was uploaded and "
                         f"the studies still lie in the folder {path.parent}. Open another work on Start, or forget this one.")
    return settings


@dataclass(frozen=True)
class Workspace(StudyProcess, RiskProcess):
    """A folder, and what is in it. Two with the same id are the same."""

    id: str

    @classmethod
    def create(cls, person=people.ALONE) -> Workspace:
        """A new, empty one, readable by this user only; person: whose it is, see people."""
        workspace = cls(secrets.token_urlsafe(16))
        close(home())
        workspace.folder.mkdir(mode=0o700)
        people.give(workspace.folder, person)
        workspace.save()
        return workspace

    @classmethod
    def find(cls, id, person=people.ALONE) -> Self | None:
        """The one with this id, if there is one that this person may open: the one door to works."""
        if not isinstance(id, str) or not _ID.fullmatch(id):
            return None
        workspace = cls(id)
        return workspace if workspace.folder.is_dir() and people.may(person, "open", workspace) else None

    @property
    def folder(self) -> Path:
        return home() / self.id

    # ---- settings ----

    @property
    def settings(self) -> dict:
        """What was chosen so far: kind (sample, table, selections, study), file names, roles, relation …; to be read only."""
        return self._on_disk()

    def _on_disk(self) -> dict:
        path = self.folder / SETTINGS
        try:
            status = path.stat()
        except FileNotFoundError:
            return {}
        return _settings(path, status.st_mtime_ns, status.st_size, status.st_ino)

    def save(self, **changes):
        """Change some settings; written beside and moved into place, so that a crash leaves the old or the new."""
        self.refuse_frozen()
        with _SAVING:           # two tabs that change different settings at once: neither change is lost
            write_whole(self.folder / SETTINGS, json.dumps({**self._on_disk(), **changes}).encode())
            _settings.cache_clear()         # two saves within one tick of the clock are two

    def keep(self, name, content: bytes) -> str:
        """Keep an uploaded file as it came, under a name that is safe on every system. Returns that name."""
        self.refuse_frozen()
        safe = f"upload-{secrets.token_hex(4)}{_ENDING.search(name).group(0).lower()}"
        write_whole(self.folder / safe, content)
        return safe

    def forget(self):
        """Delete everything, for good, read-only copies of it too; a study that is running is stopped first. Raises InputError."""
        self.forget_links()
        self.cancel()       # also where the settings are damaged
        self.cancel_risks()
        self.patients.cancel()
        until = time.time() + STARTING
        while (self.has_process or self.risks_running or self.patients.running) and time.time() < until:
            time.sleep(0.1)
        remove_folder(self.folder)

    @property
    def title(self) -> str:
        """What a person calls it: a name given here, else that of what was opened."""
        return self.settings.get("title") or self.settings.get("name") or "untitled"

    # ---- the study ----

    @property
    def sample(self) -> Sample | None:
        """The bundled study that was opened, if one was."""
        key = self.settings.get("sample")
        return Sample.of(samples.SAMPLES / f"{key}.toml") if key else None

    @property
    def store(self) -> Path | None:
        """The study file whose results are shown: this person's own, else the bundled one."""
        own = self.folder / self.settings.get("store", "study.stab")
        if _holds_anything(own):
            return own
        sample = self.sample
        return sample.store if sample and sample.store.exists() else None

    @property
    def table_file(self) -> Path | None:
        """The data table: uploaded, or that of the bundled study."""
        if self.sample:
            return samples.SAMPLES / self.sample.data["file"]
        name = self.settings.get("table")
        return self.folder / name if name else None

    def write_study(self, settings, choices=None):
        """Begin anew: write study.toml (tables study, plan, selector) for the table and roles of this workspace.

        choices: about the table, where they are not those of Data.

        Nothing is lost: the study that is there, a mere trial too, is put aside as study-1, study-2, …; and where one with
        these very settings was begun and not finished, or one to which they only add a control or repeats, that one is continued.
        Raises InputError while a study is running, and for settings that name classes of one's own, which would be imported.
        """
        from stabcore.study.settings import brings_own

        if brings_own(settings):
            raise InputError("These settings name a class of somebody's own (own = \"module:Class\"), whose code would run on this "
                             "computer. That is not done here; from Python or the command line it is: python -m stabcore run.")
        self.refuse_frozen()
        new = self._written(settings, choices)
        begun = next((path for path in self.studies if self._goes_on(path, new)), None)
        if begun:
            self.bring_back(begun)
        else:
            self._put_aside()
        write_whole(self.folder / "study.toml", new.encode())
        self.save(store="study.stab")

    def bring_back(self, path):
        """Put an earlier study in the place of the one that was started last, which is put aside, to go on with it.

        Raises InputError while a study is running.
        """
        self.refuse_frozen()
        if path != self.folder / "study.stab":
            self._put_aside()
            self._move(path, "study")
        self.save(store="study.stab")

    def finished_study(self, settings) -> Path | None:
        """The study with these settings that is finished without a failure, if there is one: to run it again gives the same."""
        return next((path for path in self._of_settings(self._written(settings)) if not self._left(path, failed=True)), None)

    def _goes_on(self, path, written) -> bool:
        """Is there something left of a study with these settings, or did it begin with the same and fewer shuffles or repeats?"""
        from stabcore.study.store import differing

        before = _text(path.with_suffix(".toml"))
        if before == written:
            return bool(self._left(path))
        old, new = _tables(before), tomllib.loads(written)
        return bool(old) and not differing(new.pop("study"), old.pop("study")) and new == old

    def _of_settings(self, written):
        """Studies that are there and were begun with these settings."""
        return [path for path in self.studies if _text(path.with_suffix(".toml")) == written]

    def _put_aside(self):
        if self.running:
            raise InputError("A study of this work is running. Wait until it is finished, or cancel it, before you start another.")
        if _holds_anything(self.folder / "study.stab"):
            last = max([0, *map(_number, (path for path in self.studies if _EARLIER.fullmatch(path.stem)))])
            self._move(self.folder / "study.stab", f"study-{last + 1}")

    def _move(self, path, name):
        """Another name for a study file, and for its settings beside it."""
        from stabcore.study.study_result import open_study

        try:
            open_study(path)        # a process that was killed may have left half of a transaction in a file beside it
        except InputError:
            pass                    # whatever it is, it is kept as well
        in_place(path, self.folder / f"{name}.stab")
        if path.with_suffix(".toml").exists():
            in_place(path.with_suffix(".toml"), self.folder / f"{name}.toml")

    @property
    def last_settings(self) -> dict:
        """Tables study, plan and selector of the study that was started last; empty when none was."""
        return {key: value for key, value in _tables(_text(self.folder / "study.toml")).items() if key != "data"}

    @property
    def studies(self) -> list[Path]:
        """Study files that there are: the one that was started last, then the earlier ones, the latest first."""
        numbered = [path for path in self.folder.glob("study-*.stab") if _EARLIER.fullmatch(path.stem)]
        earlier = sorted(numbered, key=_number, reverse=True)
        return list(filter(_holds_anything, [self.folder / "study.stab", *earlier]))

    def adopt(self, path, settings):
        """Make a study file that was brought the study of this work, which can then be continued: see write_study."""
        self.refuse_frozen()
        written = self._written(settings)
        self._move(path, "study")
        write_whole(self.folder / "study.toml", written.encode())
        self.save(store="study.stab")

    def _written(self, settings, choices=None) -> str:
        import tomli_w

        return tomli_w.dumps({"data": self.told_table(choices), **settings})

    def told_table(self, choices=None) -> dict:
        """The table [data] of a settings file: the file, its name, roles and what was chosen about it, on Data or else."""
        return {"file": str(self.table_file), "name": self.settings.get("name", ""), **self.settings["roles"],
                **(self.settings.get("choices", {}) if choices is None else choices)}

    @staticmethod
    def _left(store, failed=False) -> int:
        """How many tasks of a study are not done; failed: or have failed."""
        from stabcore.study.study_result import open_study

        try:
            result = open_study(store)
        except InputError:          # damaged: neither to be gone on with, nor finished
            return int(failed)
        return result.total - (int(result.progress()["done"].sum()) if failed else len(result.store.finished()))
