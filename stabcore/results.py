"""StudyResult: what came out of a study, read from its file, whether it is finished or still running."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path

import numpy as np

from stabcore.errors import InputError
from stabcore.inference import stability
from stabcore.measures.catalog import entry
from stabcore.preferences import Preferences
from stabcore.scoring import SCORE_COLUMNS, SCORES, scored
from stabcore.store import Store

QUARTER = 0.25          # what counts as selected when only an order was given (Sechidis et al. 2019)


class Runs:
    """Runs of one or more selectors over the same features: what the result screens show.

    Here: selections that somebody brought. StudyResult adds what only a study knows: accuracy, rankings, progress.
    """

    def __init__(self, preferences: dict[str, Preferences]):
        first = next(iter(preferences.values()))
        for label, one in preferences.items():
            if one.n_features != first.n_features or one.features != first.features:
                raise InputError(f"{label!r} is about other features than the first selections; what is compared must have "
                                 "the same features in the same order.")
        self._preferences = preferences
        self.features = first.features
        self.notes = []

    @classmethod
    def from_files(cls, files) -> Runs:
        """Of files that people bring: (source, options) each, source a path, bytes or text, options label, name, kind, n_features.

        The attribute `notes` says what was assumed. Raises InputError for a file that cannot be read as selections, or when
        the files are about different features.
        """
        from stabcore.reading import read_selections

        preferences, said = {}, []
        for source, options in files:
            read = read_selections(source, options["name"], kind=options.get("kind"), n_features=options.get("n_features"))
            label = options["label"]
            while label in preferences:
                label += " (again)"
            preferences[label] = _as_preferences(read)
            said += [f"{options['name']}: {note}" for note in read.notes]
            if read.kind in ("scores", "ranks"):
                k = preferences[label].sizes.max()
                said.append(f"{options['name']}: {read.kind} select nothing by themselves; the best {k:.0f} features of each run "
                            "count as selected until you ask for another number.")
        made = cls(preferences)
        made.notes = said
        return made

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors."""
        return list(self._preferences)

    @property
    def ready(self) -> list[str]:
        """Selectors with at least two runs, so that there is agreement to measure."""
        return self.selectors

    def sentence(self) -> str:
        """What these runs are, in plain words."""
        many = "s" * (len(self.selectors) != 1)
        return f"{len(self.selectors)} set{many} of selections, up to {self.n_runs} runs each, {len(self.features):,} features."

    @property
    def n_runs(self) -> int:
        """Runs of the selector that has most."""
        return max(one.n_runs for one in self._preferences.values())

    def preferences(self, label, k=None) -> Preferences:
        """Preferences of one selector; with `k`, its k best features in every run (needs a ranking)."""
        runs = self._preferences[label]
        return runs if k is None else runs.top(k)

    def paired(self, first, second, k=None):
        """(Preferences of both, on the runs that both have; whether these rest on the same resamples, one by one)."""
        return self.preferences(first, k), self.preferences(second, k), False

    def can_rank(self, label) -> bool:
        """Do its runs rank the features, so that other cardinalities can be asked for?"""
        runs = self._preferences[label]
        return runs.ranks is not None or runs.scores is not None

    def longest(self, labels) -> int:
        """The most features that any of these selectors ranks in all its runs."""
        return max(int((~np.isnan(self.preferences(label).ranking())).sum(axis=1).min()) for label in labels)

    def accuracy(self):
        """DataFrame, one row a selector, of what is known about its predictions: here only sizes and runs."""
        import pandas as pd

        rows = [{"selector": label, "mean_size": self.preferences(label).sizes.mean(), "runs": self.preferences(label).n_runs}
                for label in self.ready]
        return pd.DataFrame(rows, columns=["selector", *SCORE_COLUMNS]).set_index("selector")

    def table(self, measures=("nogueira",), relation=None, k=None):
        """DataFrame, one row a selector: each measure with its _low, _high and _note; mean size and accuracy beside it.

        k: as if every run had selected its k best features; the accuracy of that is not known. Selectors with fewer than two
        finished runs are left out.
        """
        import pandas as pd

        keys = [measures] if isinstance(measures, str) else list(measures)
        for key in keys:
            entry(key)
        rows = []
        for label in self.ready:
            runs = self.preferences(label, k)
            row = {"selector": label, "mean_size": runs.sizes.mean()}
            for key, found in stability(runs, keys, relation=relation).items():
                row |= {key: found.value, f"{key}_low": found.low, f"{key}_high": found.high,
                        f"{key}_note": found.reason or " ".join(found.warnings)}
            rows.append(row)
        columns = ["selector", *(f"{key}{part}" for key in keys for part in ("", "_low", "_high", "_note")), "mean_size"]
        known = self.accuracy().drop(columns="mean_size")
        if k is not None:
            known[[f"{score}{part}" for score in SCORES for part in ("", "_low", "_high")]] = np.nan
        return pd.DataFrame(rows, columns=columns).set_index("selector").join(known)


def _as_preferences(read) -> Preferences:
    """Preferences of Selections as they were read."""
    if read.kind == "sets":
        return Preferences.from_sets(read.sets, features=read.features)
    if read.kind == "selection matrix":
        return Preferences.from_selection_matrix(read.matrix, read.features)
    if read.kind == "importances":
        return Preferences.from_importances(read.matrix, read.features)
    ranked = Preferences.from_scores(-read.matrix if read.kind == "ranks" else read.matrix, read.features)
    return ranked.top(max(1, int(QUARTER * ranked.n_features + 0.5)))


class StudyResult(Runs):
    """A study file, open for reading. Everything it returns rests on the tasks that are done so far."""

    def __init__(self, path):
        self.store = Store(path)
        self.path = Path(path)
        self.settings = self.store.meta("settings")
        self.features = tuple(self.store.meta("features"))
        self.classes = tuple(self.store.meta("classes"))
        self.target = np.array(self.store.meta("target"))
        self.notes = []

    @property
    def selectors(self) -> list[str]:
        """Labels of the selectors, in the order of the study."""
        return [one["label"] for one in self.settings["selectors"]]

    def sentence(self) -> str:
        """What this study did, in plain words."""
        done, plan = len(self.store.finished()), self.settings["plan"]
        how = {"subsample": f"each leaving out {plan.get('leave_out', 0):.0%} of the rows",
               "bootstrap": "each on a bootstrap sample"}.get(plan["kind"], plan["kind"])
        so_far = "" if done == self.total else f" So far {done} of {self.total} are done."
        return (f"{len(self.selectors)} selectors × {self.n_runs} runs, {how}, selecting {self.settings['n_selected']} of "
                f"{len(self.features):,} features; classifier {self.settings['classifier']}, seed {self.settings['seed']}.{so_far}")

    @property
    def n_runs(self) -> int:
        """Runs planned for each selector."""
        return self.settings["plan"]["runs"]

    @property
    def ready(self) -> list[str]:
        """Selectors with at least two finished runs, so that there is agreement to measure."""
        return [label for label in self.selectors if len(self._done(label)) >= 2]

    def can_rank(self, label) -> bool:
        """Do its runs rank the features, so that other cardinalities can be asked for?"""
        return True

    def paired(self, first, second, k=None):
        """(Preferences of both, on the runs that both finished; True: every selector sees the same resamples)."""
        done = [self.runs_done(label) for label in (first, second)]
        both = set(done[0]) & set(done[1])
        if len(both) < 2:
            raise InputError(f"{first} and {second} have finished {len(both)} runs in common; a comparison needs at least two.")
        return *(self.preferences(label, k).take([i for i, run in enumerate(runs) if run in both])
                 for label, runs in zip((first, second), done)), True

    @property
    def total(self) -> int:
        """Tasks planned."""
        return len(self.selectors) * self.n_runs

    def seconds_left(self) -> float | None:
        """Estimate from the pace since the study was last started; None before the first task."""
        session = self.store.meta("session")
        done = len(self.store.finished())
        if not session or done <= session["done_before"]:
            return None
        pace = (time.time() - session["started"]) / (done - session["done_before"])
        return max(0.0, pace * (self.total - done))

    def progress(self):
        """DataFrame, one row a selector: runs done, failed and planned, mean seconds a run."""
        import pandas as pd

        rows = []
        outcomes = self.store.outcomes(columns=("seconds",))
        for label in self.selectors:
            own = [one for one in outcomes if one.selector == label]
            seconds = [one.seconds for one in own]
            rows.append({"selector": label, "done": sum(one.status == "done" for one in own),
                         "failed": sum(one.status == "failed" for one in own), "planned": self.n_runs,
                         "seconds_a_run": float(np.mean(seconds)) if seconds else np.nan})
        return pd.DataFrame(rows).set_index("selector")

    def messages(self):
        """DataFrame of failures and warnings: selector, kind, message, in how many runs, the first of them."""
        import pandas as pd

        seen = {}
        for one in self.store.outcomes(columns=("message", "warnings", "redrawn")):
            said = [("warning", text) for text in one.warnings]
            if one.status == "failed":
                said.append(("failed", one.message))
            if one.redrawn:
                said.append(("redrawn", "a resample lost a class and was drawn again"))
            for kind, text in said:
                seen.setdefault((one.selector, kind, text), []).append(one.run + 1)
        rows = [{"selector": who, "kind": kind, "message": text, "runs": len(runs), "first_run": min(runs)}
                for (who, kind, text), runs in seen.items()]
        return pd.DataFrame(rows, columns=["selector", "kind", "message", "runs", "first_run"])

    def runs_done(self, label) -> list[int]:
        """0-based numbers of the runs that a selector finished."""
        return [one.run for one in self._done(label)]

    def preferences(self, label, k=None) -> Preferences:
        """Preferences of one selector over its finished runs; with `k`, what selecting the k best would have given.

        Raises InputError for an unknown selector, or while fewer than two runs are finished.
        """
        from scipy.sparse import csr_array

        done = self._done(label)
        if len(done) < 2:
            raise InputError(f"{label} has finished {len(done)} of {self.n_runs} runs; agreement needs at least two.")
        selected = np.zeros((len(done), len(self.features)))
        for row, one in zip(selected, done):
            row[one.selected] = 1
        runs = Preferences(csr_array(selected), len(self.features), self.features,
                           given=csr_array(np.stack([one.importances for one in done])),
                           scores=np.stack([one.scores for one in done]), ranks=np.stack([one.ranking for one in done]))
        return runs if k is None else runs.top(k)

    def _done(self, label):
        if label not in self.selectors:
            raise InputError(f"This study has no selector {label!r}. It has: {', '.join(self.selectors)}.")
        return [one for one in self._outcomes.get(label, []) if one.status == "done"]

    @cached_property
    def _outcomes(self):
        kept = {}
        for one in self.store.outcomes():
            kept.setdefault(one.selector, []).append(one)
        return kept

    def accuracy(self):
        """DataFrame, one row a selector: accuracy, balanced_accuracy, auc (two classes), each with _low and _high (95 %),
        mean number of features, runs, seconds.

        Means over runs of the held-out rows. The runs share most of their rows, so the interval takes their variance times
        1/M + n_held_out/n_learned. Source: Nadeau & Bengio, Machine Learning 2003.
        """
        import pandas as pd

        rows = [{"selector": label, **scored(self._done(label), self.target, len(self.classes))}
                for label in self.selectors if self._done(label)]
        return pd.DataFrame(rows, columns=["selector", *SCORE_COLUMNS]).set_index("selector")

    def digest(self) -> str:
        """A fingerprint of all that the settings and seed determine: equal for equal studies, however they were run."""
        import hashlib
        import json

        told = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode())
        for one in self.store.outcomes():
            told.update(f"{one.selector}|{one.run}|{one.status}|{one.message}|{one.warnings}|{one.redrawn}".encode())
            for part in (one.scores, one.ranking, one.importances, one.selected, one.held_out, one.predicted, one.probability):
                told.update(b"-" if part is None else part.tobytes())
        return told.hexdigest()


def open_study(path) -> StudyResult:
    """Open a study file, finished or not. Raises InputError when it is not one."""
    return StudyResult(path)
