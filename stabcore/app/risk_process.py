"""The process that computes risks of patients: started apart from the page, one at a time, watched by its lock and its file.

It waits for its turn among the studies, as they do.
"""

from __future__ import annotations

import time
from pathlib import Path

from stabcore.app import queue
from stabcore.app.frozen import Frozen
from stabcore.app.study_process import KILLED, PROGRESS, STARTING, last_line, launch
from stabcore.errors import InputError

LOG = "risk.log"


class RiskProcess(Frozen):
    """What a workspace can do with the risks of its patients. What is made lies in risk-….json, then in the study file."""

    @property
    def store(self) -> Path | None:
        """The study file whose results are shown."""
        raise NotImplementedError

    def told_table(self, choices=None) -> dict:
        """The table [data] of a settings file."""
        raise NotImplementedError

    def start_risks(self, asked: dict, choices: dict | None = None):
        """Compute the risks of a question (study.risk.question), or what is missing of them, in a process of its own.

        choices: about the table as the study had it, where they are not those of Data any more.
        A bundled study stays as it is: there they are kept in this folder alone. Raises InputError while others are being computed.
        """
        import tomli_w

        from stabcore.study.lock import cancel_file

        self.refuse_frozen()
        if self.store is None:
            raise InputError("There is no study here whose patients could be told their risks.")
        if self.risks_running:
            raise InputError("Other risks are being computed in this work. Wait until they are finished, or cancel them.")
        (self.folder / "risk.toml").write_text(tomli_w.dumps({"data": self.told_table(choices)}), encoding="utf-8")
        options = [f"--{name}={asked[name]}" for name in ("selector", "classifier", "event", "k") if asked[name] is not None]
        options += [] if self.keeps_risks else ["--beside", "."]
        store = self.store.name if self.keeps_risks else str(self.store)
        cancel_file(self.folder / queue.RISKS).unlink(missing_ok=True)
        launch(self.folder, LOG, ["risk", store, "risk.toml", *options], "stabcore.app.queue")

    @property
    def keeps_risks(self) -> bool:
        """Is the study file this work's own, so that risks are kept in it?"""
        return self.store is not None and self.store.parent == self.folder

    def cancel_risks(self):
        """Ask the process to stop; the models that are made are kept."""
        from stabcore.study.lock import cancel_file

        if self.risks_before is not None:
            cancel_file(self.folder / queue.RISKS).touch()
        for part in self._parts_running():
            cancel_file(part).touch()

    @property
    def risks_running(self) -> bool:
        """Are risks being computed now, or just about to be, or do they wait for their turn?"""
        log = self.folder / LOG
        silent = log.exists() and not log.stat().st_size
        begun = silent and 0 <= time.time() - log.stat().st_mtime < STARTING        # clocks are set back
        return begun or queue.has_place(self.folder, queue.RISKS) or bool(self._parts_running())

    @property
    def risks_before(self) -> tuple[int, int] | None:
        """(What runs now, what waits before the risks); None where they do not wait for their turn."""
        return queue.before(self.folder, queue.RISKS)

    @property
    def risk_words(self) -> str:
        """The last line that the process printed: how far it is, or how it ended."""
        words = last_line(self.folder / LOG)
        return KILLED if PROGRESS.fullmatch(words) and not self.risks_running else words

    def _parts_running(self):
        from stabcore.study.lock import StudyLock

        locks = self.folder.glob("risk-*.json.lock")
        return [part for part in (lock.with_suffix("") for lock in locks) if StudyLock.held(part)]
