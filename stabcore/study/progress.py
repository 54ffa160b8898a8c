"""How far a study is: tasks done and failed, what they said, how long the rest will take."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from stabcore.resampling.growing import Growing
from stabcore.study.missing_runs import missing_runs
from stabcore.study.results import Results

if TYPE_CHECKING:
    from typing import Any

    import pandas as pd

    from stabcore.study.store import Store


class Progress(Results):
    """Of a StudyResult: what its file tells of the tasks themselves."""

    store: Store
    settings: dict[str, Any]

    @property
    def total(self) -> int:
        """Tasks planned: runs, the same with the outcome shuffled, and again with other dice."""
        return len(self.selectors) * self.plan.runs + sum(map(self._more, self.selectors))

    def _more(self, label) -> int:
        """Tasks planned for a selector besides its runs."""
        repeats = (self.settings["repeat_seeds"] - 1) * self._draws.get(label, False)
        return self.n_runs * repeats + self._shuffled_runs(label)

    def _shuffled_runs(self, label) -> int:
        """Runs planned for a selector with the outcome shuffled: none of one that does not look at the outcome."""
        entry = self.entry_of(label)
        looks = entry is None or entry.looks_at_outcome
        return looks * self.settings["control"] * len(self.plan.control_runs(self.settings["control_runs"]))

    @cached_property
    def _draws(self):
        """{selector: has it chance inside}"""
        return dict(zip(self.selectors, self.store.meta("chance_inside", [])))

    @property
    def tried(self) -> bool:
        """Is the first run of every selector all that is finished, as after a trial?"""
        return self.store.finished() == {(label, 0, 0, 0) for label in self.selectors}

    def seconds_left(self, workers: int = 1) -> float | None:
        """Estimate, on so many workers, from what the tasks of each selector took so far; None while one has none done.

        Shuffles and repeats train no classifier: until some are done, they are taken to last as long as the fits of the runs.
        """
        tried = {label: self._tried(label) for label in self.selectors}
        if not all(first for first, _ in tried.values()):
            return None
        left = 0.0
        for label, (first, more) in tried.items():
            each = np.mean([one.seconds for one in more] or [one.fit_seconds for one in first])
            left += (self.plan.runs - len(first)) * np.mean([one.seconds for one in first])
            left += (self._more(label) - len(more)) * each
        return float(left / workers)

    def progress(self) -> pd.DataFrame:
        """DataFrame, one row a selector: tasks done, failed and planned (its runs, shuffles and repeats), mean seconds a run."""
        import pandas as pd

        rows = []
        for label in self.selectors:
            first, more = self._tried(label)
            status = [one.status for one in (*first, *more)]
            rows.append({"selector": label, "done": status.count("done"), "failed": status.count("failed"),
                         "planned": self.plan.runs + self._more(label),
                         "seconds_a_run": float(np.mean([one.seconds for one in first])) if first else np.nan})
        return pd.DataFrame(rows).set_index("selector")

    def done_words(self) -> dict[str, str]:
        """{selector: how many of its runs are done, of the same with the outcome shuffled, and of those with other dice}."""
        repeats = self.settings["repeat_seeds"] - 1
        planned = {"runs": self.plan.runs, "with the outcome shuffled": 0, "with other dice": self.n_runs * repeats}
        words = {}
        for label in self.selectors:
            first, more = self._tried(label)
            done = dict.fromkeys(planned, 0) | {"runs": sum(one.status == "done" for one in first)}
            for one in more:
                done["with the outcome shuffled" if one.shuffle else "with other dice"] += one.status == "done"
            here = planned | {"with the outcome shuffled": self._shuffled_runs(label),
                              "with other dice": planned["with other dice"] * self._draws.get(label, False)}
            failed = sum(one.status == "failed" for one in (*first, *more))
            words[label] = ", ".join(f"{done[part]} of {many} {part}" for part, many in here.items() if many)
            words[label] += f" ({failed} failed)" if failed else ""
        return words

    def _tried(self, label):
        """(outcomes of the runs, of shuffles and repeats) that have ended, well or not, with their seconds."""
        ended = self.store.outcomes(label, ("seconds", "fit_seconds"), shuffle=None, repeat=None)
        parts = {True: [], False: []}
        for one in ended:
            parts[one.shuffle == one.repeat == 0].append(one)
        return parts[True], parts[False]

    def missing_runs(self) -> pd.DataFrame:
        """DataFrame of the selectors of which runs failed or are not finished; see stabcore.study.missing_runs.missing_runs."""
        ended = {(task.selector, task.run): task.status for task in self.store.outcomes(columns=())}
        runs = {True: [], False: []}
        for run in range(self.plan.runs):
            runs[self.plan.measures_stability(run)].append(run)
        outer = [] if isinstance(self.plan, Growing) else runs[False]       # whose other runs are not about the error
        return missing_runs(ended, self.selectors, agreeing=runs[True], folds=outer)

    def messages(self) -> pd.DataFrame:
        """DataFrame of failures and warnings: selector, kind, message, in how many runs, the first of them."""
        import pandas as pd

        seen = {}
        for one in self.store.outcomes(columns=("message", "warnings", "redrawn"), shuffle=None, repeat=None):
            first = not (one.shuffle or one.repeat)     # what a shuffle warns of says nothing of the data
            messages = [("warning", text) for text in one.warnings if first]
            if one.status == "failed":
                messages.append(("failed" + (" when shuffled" if one.shuffle else " when repeated" if one.repeat else ""),
                                 one.message))
            if one.redrawn and first:
                messages.append(("redrawn", "a resample lost a class and was drawn again"))
            for kind, text in messages:
                seen.setdefault((one.selector, kind, text), []).append(one.run + 1)
        rows = [{"selector": who, "kind": kind, "message": text, "runs": len(runs), "first_run": min(runs)}
                for (who, kind, text), runs in seen.items()]
        return pd.DataFrame(rows, columns=["selector", "kind", "message", "runs", "first_run"])

    def most_frequent_failure(self) -> str:
        """Why most runs failed, as a sentence; empty when none did."""
        messages = self.messages()
        failed = messages[messages["kind"].str.startswith("failed")].groupby("message")["runs"].sum()
        if failed.empty:
            return ""
        return f"The most frequent reason: {' '.join(str(failed.idxmax()).removeprefix('InputError: ').split())}"
