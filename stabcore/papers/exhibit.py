"""A figure or table of a paper: its setting and sources, the claims of the paper, and whether they hold here."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.text import counted
from stabcore.data.dataset import Dataset
from stabcore.study.loading import load_study
from stabcore.study.study_result import StudyResult, open_study
from stabcore.study.tasks import text_seed

TRIALS_FILE = Path(__file__).with_name("tried.json")
MIN_REPEATED, MAX_ON_NOISE = 0.8, 0.1  # shares of the seeds


@dataclass(frozen=True)
class Trials:
    """Seeds in which a claim held, also with the outcome shuffled, which is 0 of 0 without an outcome."""

    held: int
    seeds: int
    held_shuffled: int = 0
    shuffled: int = 0

    @property
    def is_repeated(self) -> bool:
        """Whether it held in at least 8 of 10 seeds."""
        return self.seeds > 0 and self.held >= MIN_REPEATED * self.seeds

    @property
    def is_shown(self) -> bool:
        """Whether it is repeated, and does not hold with the outcome shuffled."""
        return self.is_repeated and self.held_shuffled <= MAX_ON_NOISE * self.shuffled

    @property
    def verdict(self) -> str:
        """The verdict in words, with the counts."""
        counts = f"{self.held} of {self.seeds} seeds"
        counts += f", outcome shuffled {self.held_shuffled} of {self.shuffled}" if self.shuffled else ""
        why_not = "also holds with the outcome shuffled" if self.is_repeated else "not shown"
        return f"{'shown' if self.is_shown else why_not} ({counts})"


def claim_trials(exhibit: str, claim: str) -> Trials:
    """Return the trials of a claim, by the key of its exhibit and its text. 0 of 0 if it was not tried."""
    return Trials(*_read_trials().get(exhibit, {}).get(claim, (0, 0)))


@lru_cache(maxsize=1)
def _read_trials():
    return json.loads(TRIALS_FILE.read_text(encoding="utf-8"))


class Source:
    """A folder with settings files of the papers, for the bundled tables or those of the user.

    studies: the folder for studies, so that they can continue. executor, n_jobs: as in Study.run. random_state: the seed of all
    simulations. shuffled: whether to permute the outcome of simulated tables, so that no feature is related to it.
    """

    def __init__(self, folder, studies=None, executor=None, n_jobs=None, random_state=1, shuffled=False):
        self.folder, self._studies = Path(folder), None if studies is None else Path(studies)
        self.seed, self.shuffled = random_state, shuffled
        self._running: dict[str, Any] = {"executor": executor, "n_jobs": n_jobs}
        self._data: dict[str, Dataset] = {}

    def rng(self, *stream: int) -> np.random.Generator:
        """Return a random generator from this seed, with a separate stream for each use."""
        return np.random.default_rng([self.seed, *stream])

    def outcome(self, y: np.ndarray) -> np.ndarray:
        """Return the outcome of a simulated table, permuted if `shuffled`."""
        return self.rng(9).permutation(y) if self.shuffled else y

    def settings_text(self, protocol: str) -> str:
        """Return the text of a settings file. Raises InputError if the folder lacks it."""
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

    def study(self, protocol: str, on_progress: Callable) -> StudyResult:
        """Run or continue the study of a settings file. on_progress(done, total) is called after each task."""
        self.settings_text(protocol)
        study = load_study(self.folder / f"{protocol}.toml")
        if self._studies is None:
            self._studies = Path(mkdtemp(prefix="stabcore-"))
        self._studies.mkdir(parents=True, exist_ok=True)

        def progress(done, total):
            on_progress(done, total)
            return True

        settings = text_seed(json.dumps(study.settings(), sort_keys=True))
        ended = study.run(store=self._studies / f"{protocol}-{settings}.stab", progress=progress, **self._running)
        return open_study(ended.path, named=True)


LINES, TABLE = "lines", "table"


@dataclass(frozen=True)
class Claim:
    """A statement of a paper.

    section     where the paper makes it
    text        the statement, in our words
    printed     the numbers in the paper, or a note that there are none
    holds       frame -> (whether it holds in this frame, the numbers here)
    """

    section: str
    text: str
    printed: str
    holds: Callable[[pd.DataFrame], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """One figure or table.

    shows       the content in the paper. here: the setting here, with its differences
    make        (source, on_progress) -> DataFrame. It calls on_progress(done, total), which may raise to stop it
    kind        lines, or a table only
    x, y        columns of the frame with the titles of their axes. facet: the column with a panel per value.
                log: the axes with a logarithmic scale, of "x" and "y"
    seconds     approximate time on two free cores, 0 for immediate
    protocols   settings files of the studies, without suffix
    outcome     whether it uses an outcome, so that its claims are also tried with the outcome shuffled
    page        the screen with the same question for the user's data
    """

    key: str
    paper: str
    number: str
    title: str
    shows: str
    here: str
    make: Callable[[Source, Callable], pd.DataFrame]
    claims: tuple[Claim, ...]
    kind: str = TABLE
    x: tuple[str, str] = ("x", "")
    y: tuple[str, str] = ("y", "")
    facet: str = ""
    log: tuple[str, ...] = ()
    seconds: int = 0
    protocols: tuple[str, ...] = ()
    outcome: bool = True
    page: str = "pages/stability.py"


@dataclass(frozen=True, eq=False)
class CheckedExhibit:
    """A computed exhibit: its frame, and for each claim (Claim, whether it holds here, the numbers)."""

    exhibit: Exhibit
    frame: pd.DataFrame
    claims: tuple[tuple[Claim, bool, str], ...]

    @property
    def table(self) -> pd.DataFrame:
        """DataFrame(section, claim, printed, here, holds, verdict), one row per claim."""
        rows = [
            (claim.section, claim.text, claim.printed, numbers, holds, claim_trials(self.exhibit.key, claim.text).verdict)
            for claim, holds, numbers in self.claims
        ]
        return pd.DataFrame(rows, columns=["section", "claim", "printed", "here", "holds", "verdict"])

    @property
    def sentence(self) -> str:
        """Describe the number of claims that are found here, by their trials."""
        found = sum(claim_trials(self.exhibit.key, claim.text).is_shown for claim, _, _ in self.claims)
        return f"The results here support {found} of {counted(len(self.claims), 'claim')} of the paper."


def check_exhibit(exhibit: Exhibit, source: Source, on_progress: Callable = lambda done, total: None) -> CheckedExhibit:
    """Make an exhibit and check each of its claims."""
    frame = exhibit.make(source, on_progress)
    decided = [(claim, *claim.holds(frame)) for claim in exhibit.claims]
    return CheckedExhibit(exhibit, frame, tuple((claim, bool(holds), numbers) for claim, holds, numbers in decided))
