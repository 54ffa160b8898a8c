"""Project: a person's uploads, choices and results in a folder of this computer, found by an unguessable id.

It keeps uploads unchanged, the settings and the study file, so that a reloaded page, a closed tab or a restarted server loses
nothing. Bundled studies are read in place and never copied.
"""

from __future__ import annotations

import json
import re
import secrets
import time
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Self

from pages.workspace import people, processes, queue, samples, speed
from pages.workspace.files import home, locked, prepare_home, read_text, write_atomically
from pages.workspace.processes import Computation
from pages.workspace.samples import Sample
from stabcore.base.errors import InputError
from stabcore.study.working_files import StudyLock, cancel_file, remove_folder, replace_file

SETTINGS = "workspace.json"
_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_EARLIER_STUDY = re.compile(r"study-[0-9]{1,9}")
_TYPES: dict[str, type | UnionType] = {
    **dict.fromkeys(("kind", "name", "title", "sample", "table", "store"), str),
    **dict.fromkeys(("roles", "scenarios", "panels"), dict),
    **{"form": dict | None, "selections": list, "started": int | float, "frozen": int | float},
}
_FILE_SETTINGS = ("table", "store", "sample")  # names in the folder, or of a bundled study, never a path out of it
_ENDING = re.compile(r"(\.[A-Za-z0-9]{1,8}){0,2}$")

STUDY = "study.stab"  # the last started study. Earlier ones are study-1.stab, study-2.stab, …
LOG, WORDS = "study.log", "study.words"  # all output of the process of a study, and its own last words

LINKS = "links.txt"  # one line per read-only copy: its id, and the digest of its content
_LINK = re.compile(r"([A-Za-z0-9_-]{22}) ([0-9a-f]{64})")
READ_ONLY = "This is a read-only copy that was sent as a link. To change something, make your own copy."


def _file_text(path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _parse_settings(text) -> dict:
    """The settings in a settings file, none if it is damaged."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def _has_content(path) -> bool:
    """Whether there is a nonempty file. The file of a study is empty at its very start."""
    return path.exists() and path.stat().st_size > 0


def _study_number(path) -> int:
    """The settings file of an earlier study."""
    return int(path.stem.partition("-")[2])


def _read_settings(path) -> dict:
    """The settings in a file, none without the file. Raises InputError if it is damaged."""
    if not path.exists():
        return {}
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
        fine = isinstance(settings, dict) and not any(
            name in settings and not isinstance(settings[name], kind) for name, kind in _TYPES.items()
        )
        fine = fine and all(Path(settings[name]).name == settings[name] for name in _FILE_SETTINGS if name in settings)
    except (ValueError, RecursionError, OSError):
        fine = False
    if not fine:
        raise InputError(
            "The settings of this project cannot be read, because its file workspace.json is damaged. Its uploads and "
            f"studies are still in the folder {path.parent}. Open another project on Start, or delete this one."
        )
    return settings


@dataclass(frozen=True)
class Project:
    """A folder and its content. Two with the same id are equal."""

    id: str

    @classmethod
    def create(cls, person=people.SOLE_USER) -> Project:
        """A new, empty project, readable by this user only. person: its owner, see people."""
        project = cls(secrets.token_urlsafe(16))
        prepare_home(home())
        project.folder.mkdir(mode=0o700)
        people.set_owner(project.folder, person)
        project.save()
        return project

    @classmethod
    def find(cls, id, person=people.SOLE_USER) -> Self | None:
        """The project with this id, if this person may open it. The only access to projects."""
        if not isinstance(id, str) or not _ID.fullmatch(id):
            return None
        project = cls(id)
        return project if project.folder.is_dir() and people.has_right(person, "open", project) else None

    @property
    def folder(self) -> Path:
        return home() / self.id

    # ---- settings ----

    @property
    def settings(self) -> dict:
        """All choices, to be read only: kind (sample, table, selections, study), file names, roles, similarity, …"""
        return _read_settings(self.folder / SETTINGS)

    def save(self, **changes):
        """Change some settings. They are written beside and moved into place, so that a crash leaves the old or the new ones."""
        self.refuse_read_only()
        path = self.folder / SETTINGS
        with locked(path):  # two tabs or processes can change different settings at once without loss
            write_atomically(path, json.dumps({**_read_settings(path), **changes}).encode())

    def save_upload(self, name, content: bytes) -> str:
        """Keep an uploaded file unchanged, under a name that is safe on every system. Returns that name."""
        self.refuse_read_only()
        ending = match[0].lower() if (match := _ENDING.search(name)) else ""
        safe = f"upload-{secrets.token_hex(4)}{ending}"
        write_atomically(self.folder / safe, content)
        return safe

    def delete(self):
        """Delete everything for good, with read-only copies, after stopping a running study. Raises InputError."""
        self.delete_links()
        self.cancel_study()  # also with damaged settings
        self.risks.cancel()
        self.intervals.cancel()
        until = time.time() + processes.START_SECONDS
        while (self.has_process or self.risks.is_running or self.intervals.is_running) and time.time() < until:
            time.sleep(0.1)
        remove_folder(self.folder)

    @property
    def title(self) -> str:
        """Its name: given here, else that of the opened file or study."""
        return self.settings.get("title") or self.settings.get("name") or "untitled"

    # ---- read-only copies ----

    @property
    def read_only_since(self) -> float | None:
        """The time of a read-only copy, seconds since 1970. None for other projects, and if unreadable."""
        with suppress(InputError):
            return self.settings.get("frozen")
        return None

    def refuse_read_only(self):
        """Raise InputError in a read-only copy."""
        if self.read_only_since is not None:
            raise InputError(READ_ONLY)

    @property
    def links(self) -> dict[str, str]:
        """{id of an existing read-only copy of this project: digest of its content}."""
        digests = {match[1]: match[2] for match in map(_LINK.fullmatch, read_text(self.folder / LINKS).splitlines()) if match}
        return {id: digest for id, digest in digests.items() if (self.folder.parent / id).is_dir()}

    def add_link(self, id, digest):
        """Register one more read-only copy."""
        with open(self.folder / LINKS, "a", encoding="utf-8") as file:
            file.write(f"{id} {digest}\n")

    def delete_links(self):
        """Delete all read-only copies of this project, so that their links lead nowhere. Raises InputError if parts remain."""
        for id in self.links:
            remove_folder(self.folder.parent / id)
        (self.folder / LINKS).unlink(missing_ok=True)

    # ---- the study ----

    @property
    def sample(self) -> Sample | None:
        """The bundled study of this project, if it has one."""
        key = self.settings.get("sample")
        return Sample.from_file(samples.SAMPLE_FOLDER / f"{key}.toml") if key else None

    @property
    def store(self) -> Path | None:
        """The study file of the shown results: an own one, else the bundled one."""
        path = self.folder / self.settings.get("store", STUDY)
        if _has_content(path):
            return path
        sample = self.sample
        return sample.store if sample and sample.store.exists() else None

    @property
    def has_results(self) -> bool:
        """Whether there is a study file, or uploaded selections."""
        return "selections" in self.settings or self.store is not None

    @property
    def table_file(self) -> Path | None:
        """The data table: uploaded, or that of the bundled study."""
        if self.sample:
            return samples.SAMPLE_FOLDER / self.sample.data["file"]
        name = self.settings.get("table")
        return self.folder / name if name else None

    def write_study(self, settings, choices=None, roles=None):
        """Prepare a study: write study.toml (tables study, plan, selector) for the table and roles of this project.

        choices, roles: about the table, if they differ from those of Data.

        Nothing is lost: an existing study, also a trial, is put aside as study-1, study-2, …. An unfinished study with these
        settings, or with these but fewer shuffles or seeds, is continued. Raises InputError while a study is running, and for
        settings that name user-defined classes, which would be imported.
        """
        self._refuse_code(settings)
        self.refuse_read_only()
        new = self._format_settings(settings, choices, roles)
        begun = next((path for path in self.studies if self._can_continue(path, new)), None)
        if begun:
            self.restore_study(begun)
        else:
            self._archive_study()
        write_atomically(self.folder / "study.toml", new.encode())
        self.save(store=STUDY)

    def restore_study(self, path):
        """Put an earlier study in the place of the last one, which is put aside, to continue it.

        Raises InputError while a study is running.
        """
        self.refuse_read_only()
        if path != self.folder / STUDY:
            self._archive_study()
            self._rename_study(path, "study")
        self.save(store=STUDY)

    @staticmethod
    def _refuse_code(settings):
        """Raise InputError for settings that name user-defined code, which would run on this computer."""
        from stabcore.study.settings import has_user_classes

        if has_user_classes(settings):
            raise InputError(
                'These settings name user-defined code (own = "module:Class"). The app never runs it. Run the study from Python, '
                "or from the command line: python -m stabcore run --allow-code."
            )

    def finished_study(self, settings) -> Path | None:
        """The finished study with these settings and without failures, if there is one. Running it again gives the same result."""
        written = self._format_settings(settings)
        same = (path for path in self.studies if _file_text(path.with_suffix(".toml")) == written)
        return next((path for path in same if not self._count_unfinished(path, failed=True)), None)

    def _can_continue(self, path, written) -> bool:
        """Whether a study with these settings is unfinished, or began with fewer shuffles or seeds."""
        from stabcore.study import earlier
        from stabcore.study.store import differing_settings

        before = _file_text(path.with_suffix(".toml"))
        if before == written:
            return bool(self._count_unfinished(path))
        old, new = earlier.convert_file_settings(_parse_settings(before)), tomllib.loads(written)
        return bool(old) and not differing_settings(new.pop("study"), old.pop("study")) and new == old

    def _archive_study(self):
        if self.is_running:
            raise InputError(
                "A study of this project is running. Wait until it is finished, or cancel it, before you start another."
            )
        if _has_content(self.folder / STUDY):
            last = max([0, *map(_study_number, (path for path in self.studies if _EARLIER_STUDY.fullmatch(path.stem)))])
            self._rename_study(self.folder / STUDY, f"study-{last + 1}")

    def _rename_study(self, path, name):
        """Rename a study file and its settings."""
        from stabcore.study.study_result import open_study

        with suppress(InputError):  # kept, whatever it is
            open_study(path)  # a killed process may have left half of a transaction in a file beside it
        replace_file(path, self.folder / f"{name}.stab")
        if path.with_suffix(".toml").exists():
            replace_file(path.with_suffix(".toml"), self.folder / f"{name}.toml")

    @property
    def last_settings(self) -> dict:
        """Tables study, plan and selector of the last started study, empty without one."""
        return {key: value for key, value in _parse_settings(_file_text(self.folder / "study.toml")).items() if key != "data"}

    @property
    def studies(self) -> list[Path]:
        """Existing study files: the last started one, then the earlier ones, the latest first."""
        numbered = [path for path in self.folder.glob("study-*.stab") if _EARLIER_STUDY.fullmatch(path.stem)]
        earlier = sorted(numbered, key=_study_number, reverse=True)
        return list(filter(_has_content, [self.folder / STUDY, *earlier]))

    def adopt_study(self, path, settings):
        """Make an uploaded study file the study of this project, which can then be continued, see write_study."""
        self.refuse_read_only()
        written = self._format_settings(settings)
        self._rename_study(path, "study")
        write_atomically(self.folder / "study.toml", written.encode())
        self.save(store=STUDY)

    def _format_settings(self, settings, choices=None, roles=None) -> str:
        import tomli_w

        return tomli_w.dumps({"data": self.table_settings(choices, roles), **settings})

    def table_settings(self, choices=None, roles=None) -> dict:
        """The table [data] of a settings file: file, name, roles and choices, those of Data by default."""
        return {
            "file": str(self.table_file),
            "name": self.settings.get("name", ""),
            **(self.settings["roles"] if roles is None else roles),
            **(self.settings.get("choices", {}) if choices is None else choices),
        }

    @staticmethod
    def _count_unfinished(store, failed=False) -> int:
        """The number of unfinished tasks of a study. failed: or failed ones."""
        from stabcore.study.study_result import open_study

        try:
            result = open_study(store)
        except InputError:  # damaged: it can neither continue nor be finished
            return int(failed)
        return result.total - (int(result.progress()["done"].sum()) if failed else len(result.store.finished()))

    # ---- the process of the study ----

    def start_study(self, pilot=False, scheduler=None):
        """Run the missing tasks of the study in its turn, in a process that outlives the page and the server.

        pilot: only the first run of every selector. scheduler: address of a Dask cluster.
        """
        self.refuse_read_only()
        self._refuse_code(self.last_settings)  # a whole folder may come from somebody else
        cancel_file(self.folder / STUDY).unlink(missing_ok=True)
        for name in (WORDS, speed.TIMES_FILE):
            (self.folder / name).unlink(missing_ok=True)
        options = ["--pilot"] * bool(pilot) + (["--scheduler", scheduler] if scheduler else [])
        processes.start_process(self.folder, LOG, ["run", "study.toml", "--store", STUDY, "--words", WORDS, *options])
        self.save(started=time.time(), trial=bool(pilot))

    def start_other_study(self, settings: dict, choices: dict, roles: dict | None = None):
        """Start a study of other rows of the table, such as another cohort, or with other roles. Data and the shown results stay.

        settings: tables study, plan and selector. choices, roles: about the table. Raises InputError while a study of this
        project is running, and in a read-only copy.
        """
        shown, before = self.store, set(self.studies)
        self.write_study(settings, choices, roles)
        if shown is not None:
            moved = next(iter(set(self.studies) - before), shown)  # the file that was put aside has a new name
            self.save(store=(moved if shown.name == STUDY else shown).name)
        self.start_study()

    def cancel_study(self):
        """Ask a running study to stop. Finished tasks are kept."""
        if self.is_running:
            cancel_file(self.folder / STUDY).touch()

    @property
    def is_running(self) -> bool:
        """Whether the study is running in any process, is about to run, or waits in the queue."""
        if self.has_process:
            return True
        with suppress(InputError):  # code that needs damaged settings reports them
            since = time.time() - self.settings.get("started", -processes.START_SECONDS)
            silent = not self._has_begun and not (self.folder / WORDS).exists()
            return 0 <= since < processes.START_SECONDS and silent  # clocks are set back
        return False

    @property
    def has_process(self) -> bool:
        """Whether a process runs the study, or waits for its turn."""
        return StudyLock.held(self.folder / STUDY) or queue.has_place(self.folder)

    @property
    def queue_position(self) -> tuple[int, int] | None:
        """(running computations, computations ahead of this study), None outside of the queue."""
        return queue.queue_position(self.folder)

    @property
    def run_seconds(self) -> float | None:
        """Seconds since the study started, or the time of its last run. None if unknown."""
        return speed.study_seconds(self.folder, self.is_running)

    @property
    def end_message(self) -> str:
        """The last words of the process of the study about its end. Empty before it starts and while it runs."""
        words = read_text(self.folder / WORDS)
        return words or (processes.KILLED if self._has_begun and not self.is_running else "")

    @property
    def _has_begun(self) -> bool:
        """Whether the process has printed its progress, or that it waits."""
        return any(processes.PROGRESS_LINE.fullmatch(line) for line in read_text(self.folder / LOG).splitlines())

    # ---- computations after the study ----

    @property
    def risks(self) -> Computation:
        """The computation of the risks of patients."""
        return Computation(self.folder, processes.RISKS)

    @property
    def intervals(self) -> Computation:
        """The computation of intervals for new patients."""
        return Computation(self.folder, processes.INTERVALS)

    def start_computation(self, computation: Computation, asked: dict, choices: dict | None = None):
        """Compute the answer of a question of study.risk or study.new_patients, or its missing parts, in a process of its own.

        choices: about the table of the study, if they differ from those of Data.
        For a bundled study, the answer is kept in this folder only. Raises InputError while another one is being computed.
        """
        self.refuse_read_only()
        if computation.is_running:
            raise InputError(computation.kind.busy)
        if self.store is None:
            raise InputError("This project has no study from which this can be computed.")
        options = [f"--{name}={asked[name]}" for name in computation.kind.options if asked[name] is not None]
        if self.store.parent == self.folder:  # the study file is this project's own and can keep the result
            computation.start(self.store.name, self.table_settings(choices), options)
        else:
            computation.start(str(self.store), self.table_settings(choices), [*options, "--beside", "."])
