"""What a work computes after its study: the risks of its patients, and intervals for new patients."""

from __future__ import annotations

from pathlib import Path

from stabcore.app.computation import PATIENTS, RISKS, Computation
from stabcore.app.frozen import Frozen
from stabcore.errors import InputError


class RiskProcess(Frozen):
    """What a workspace can compute beside its study. It is kept in this folder, then in the study file where that is its own."""

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
        self.refuse_frozen()
        if self.risks_running:
            raise InputError("Other risks are being computed in this work. Wait until they are finished, or cancel them.")
        self._start(Computation(self.folder, RISKS), asked, ("selector", "classifier", "event", "k"), choices)

    def start_patients(self, asked: dict, choices: dict | None = None):
        """Compute the interval for new patients of a question (study.new_patients.question), as `start_risks` does risks."""
        self.refuse_frozen()
        if self.patients.running:
            raise InputError("Another interval is being computed in this project. Wait until it is finished, or cancel it.")
        self._start(self.patients, asked, ("selector", "k"), choices)

    @property
    def patients(self) -> Computation:
        """The computation of intervals for new patients."""
        return Computation(self.folder, PATIENTS)

    def _start(self, computation, asked, names, choices):
        if self.store is None:
            raise InputError("There is no study here that this could be computed of.")
        options = [f"--{name}={asked[name]}" for name in names if asked[name] is not None]
        options += [] if self.keeps_risks else ["--beside", "."]
        computation.start(self.store.name if self.keeps_risks else str(self.store), self.told_table(choices), options)

    @property
    def keeps_risks(self) -> bool:
        """Is the study file this work's own, so that what is computed is kept in it?"""
        return self.store is not None and self.store.parent == self.folder

    def cancel_risks(self):
        """Ask the process to stop; the models that are made are kept."""
        Computation(self.folder, RISKS).cancel()

    @property
    def risks_running(self) -> bool:
        """Are risks being computed now, or just about to be, or do they wait for their turn?"""
        return Computation(self.folder, RISKS).running

    @property
    def risks_before(self) -> tuple[int, int] | None:
        """(What runs now, what waits before the risks); None where they do not wait for their turn."""
        return Computation(self.folder, RISKS).before

    @property
    def risk_words(self) -> str:
        """The last line that the process printed: how far it is, or how it ended."""
        return Computation(self.folder, RISKS).words
