"""Sources of exhibits: the settings files of the papers, their tables, and random numbers."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np

from stabcore.base.errors import InputError
from stabcore.data.dataset import Dataset
from stabcore.study.loading import load_study
from stabcore.study.study_result import open_study
from stabcore.study.tasks import number_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from stabcore.study.study_result import StudyResult


class Source:
    """A folder with settings files of the papers, for the bundled tables or the user's.

    kept: the folder where studies are kept, so that they continue; executor, n_jobs: as in Study.run. random_state: of all
    simulations; shuffled: whether to permute the outcome of simulated tables, so that no feature is related to it.
    """

    def __init__(self, folder, kept=None, executor=None, n_jobs=None, random_state=1, shuffled=False):
        self.folder, self._kept = Path(folder), None if kept is None else Path(kept)
        self.seed, self.shuffled = random_state, shuffled
        self._running: dict[str, Any] = {"executor": executor, "workers": n_jobs}
        self._data: dict[str, Dataset] = {}

    def rng(self, *stream: int) -> np.random.Generator:
        """Return random numbers of this seed, in a stream for each use."""
        return np.random.default_rng([self.seed, *stream])

    def outcome(self, y: np.ndarray) -> np.ndarray:
        """Return the outcome of a simulated table, permuted if `shuffled`."""
        return self.rng(9).permutation(y) if self.shuffled else y

    def settings_text(self, protocol: str) -> str:
        """Return the text of a settings file. Raises InputError where the folder lacks it."""
        path = self.folder / f"{protocol}.toml"
        if not path.is_file():
            raise InputError(
                f"{self.folder} has no settings file {protocol}.toml. Copy the bundled one from sample_data/papers "
                "there and name your table in it."
            )
        return path.read_text(encoding="utf-8")

    def data(self, protocol: str) -> Dataset:
        """Return the table of a settings file."""
        if protocol not in self._data:
            settings = tomllib.loads(self.settings_text(protocol))["data"]
            self._data[protocol] = Dataset.from_file(self.folder / settings.pop("file"), **settings)
        return self._data[protocol]

    def study(self, protocol: str, tell: Callable) -> StudyResult:
        """Run or continue the study of a settings file; tell(done, total) is called after each task."""
        self.settings_text(protocol)
        study = load_study(self.folder / f"{protocol}.toml")
        if self._kept is None:
            self._kept = Path(mkdtemp(prefix="stabcore-"))
        self._kept.mkdir(parents=True, exist_ok=True)

        def progress(done, total):
            tell(done, total)
            return True

        settings = number_of(json.dumps(study.settings(), sort_keys=True))
        ended = study.run(store=self._kept / f"{protocol}-{settings}.stab", progress=progress, **self._running)
        return open_study(ended.path, named=True)
