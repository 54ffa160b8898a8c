"""What exhibits are made from: a folder of tables with their settings, results and groups; studies as in the papers."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import numpy as np

from stabcore.data.dataset import Dataset
from stabcore.data.teaching import teaching_data
from stabcore.errors import InputError
from stabcore.relation.relation import Relation
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.settings import read_settings
from stabcore.study.study import Study, load_study
from stabcore.study.study_result import StudyResult, open_study
from stabcore.study.tasks import number_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PROTOCOLS = "papers"        # the folder of the settings files of the papers, beside the tables


def name(key: str) -> str:
    """What a selector is called in results that are opened here."""
    return BY_KEY[key].label


class Source:
    """A folder with pairs of a settings file and its results (x.toml, x.stab), as the bundled ones are.

    kept: where studies that take long are kept, to be gone on with; executor, workers: who carries them out, as of Study.run. A
    folder of one's own gives the same exhibits of other tables: any that are settings files with a table, and have been run.
    seed: of what is simulated; shuffled: are the outcomes of simulated tables handed out anew, so that nothing is related to them?
    """

    def __init__(self, folder, kept=None, executor=None, workers=None, seed=1, shuffled=False):
        self.folder, self._kept = Path(folder), None if kept is None else Path(kept)
        self.seed, self.shuffled = seed, shuffled
        self._running: dict[str, Any] = {"executor": executor, "workers": workers}
        self._once: dict[str, Any] = {}
        self.result = cache(self.result)

    def once(self, what: str, make: Callable[[], Any]) -> Any:
        """What several exhibits rest on, made the first time that one asks for it."""
        if what not in self._once:
            self._once[what] = make()
        return self._once[what]

    @cached_property
    def _settings(self) -> dict[str, dict]:
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is no folder. Give one with your settings files and their results.")
        settings = {path.stem: read_settings(path) for path in sorted(self.folder.glob("*.toml"))}
        return {key: one for key, one in settings.items() if "truth" not in one.get("about", {})
                and (self.folder / f"{key}.stab").is_file()}

    @property
    def tables(self) -> list[str]:
        """Keys of the tables that were run; simulated ones are left out. Raises InputError where there is none."""
        if not self._settings:
            raise InputError(f"{self.folder} holds no settings file with its results (x.toml and x.stab). Run one: python -m "
                             "stabcore run x.toml.")
        return sorted(self._settings, key=lambda key: self._settings[key].get("about", {}).get("order", 99))

    def title(self, key: str) -> str:
        """What a table is called."""
        return self._settings[key].get("about", {}).get("title", key)

    def result(self, key: str) -> StudyResult:
        """The results of a table, selectors by their names."""
        return open_study(self.folder / f"{key}.stab", named=True)

    def relation(self, key: str) -> Relation:
        """Features in one group stand for each other; none where the table has no groups."""
        from stabcore.data.reading import read_groups

        features, groups = self.result(key).features, self._settings[key].get("about", {}).get("groups")
        if not groups:
            return Relation.identity(len(features), features=features)
        return Relation.from_groups(read_groups(self.folder / groups, features), features=features)

    def rng(self, *stream: int) -> np.random.Generator:
        """Random numbers of this seed, another stream for each of what draws from them."""
        return np.random.default_rng([self.seed, *stream])

    def outcome(self, y: np.ndarray) -> np.ndarray:
        """The outcome of a simulated table, handed out anew where that is asked for."""
        return self.rng(9).permutation(y) if self.shuffled else y

    def simulated(self, key: str) -> Dataset:
        """A simulated table, as `teaching_data`."""
        data = teaching_data(key, seed=self.seed).dataset()
        return replace(data, target=self.outcome(data.target))

    def _protocol(self, protocol: str) -> Path:
        path = self.folder / PROTOCOLS / f"{protocol}.toml"
        if not path.is_file():
            raise InputError(f"{self.folder} has no {PROTOCOLS}/{protocol}.toml, the settings file of this protocol. Copy the "
                             "bundled one there and name your table in it.")
        return path

    def settings_text(self, protocol: str) -> str:
        """The settings file of a protocol, as it is."""
        return self._protocol(protocol).read_text(encoding="utf-8")

    def data(self, protocol: str) -> Dataset:
        """The table of a protocol."""
        path, settings = self._protocol(protocol), tomllib.loads(self.settings_text(protocol))["data"]
        return Dataset.from_file(path.parent / settings.pop("file"), **settings)

    def study(self, protocol: str, tell: Callable) -> StudyResult:
        """The study of a protocol (a settings file), run or gone on with; tell(done, total) after each task."""
        return self.run(load_study(self._protocol(protocol)), protocol, tell)

    def run(self, study: Study, called: str, tell: Callable) -> StudyResult:
        """Run a study, or go on with the one of the same settings that is kept."""
        if self._kept is None:
            self._kept = Path(mkdtemp(prefix="stabcore-"))
        self._kept.mkdir(parents=True, exist_ok=True)

        def progress(done, total):
            tell(done, total)
            return True

        settings = number_of(json.dumps(study.settings(), sort_keys=True))
        ended = study.run(store=self._kept / f"{called}-{settings}.stab", progress=progress, **self._running)
        return open_study(ended.path, named=True)
