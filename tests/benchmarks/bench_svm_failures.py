"""Do linear models get through? Fits on the bundled tables and those beside the repository, by every plan: how many fail, and which
takes longest. A failure is an error, a warning of a library, or a score that is not a number. SHARED: the folder beside it.
"""

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from benchmark_support import line
from threadpoolctl import threadpool_limits

import stabcore as sc
from stabcore.classifiers.catalog import classifier
from stabcore.selectors.base import kind_of_target
from stabcore.selectors.catalog import BY_KEY, selector

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ROOT

SELECTORS = ("svm", "svm_rfe", "logistic_rfe", "hybrid_rfe")
CLASSIFIERS = ("svm", "logistic")
PLANS = {
    plan: 2 for plan in (sc.Subsample(2, 0.2), sc.Bootstrap(2), sc.RepeatedKFold(5), sc.NestedKFold(5, 5), sc.ComplementaryPairs(1))
}  # and runs
LEFT_OUT = {
    "actg175": ["cd420", "cd496", "cd820", "r", "offtrt", "treat", "time"],
    "pbc": ["time", "status"],
    "cdisc_pilot_baseline": ["time"],
}
KALOUSIS = {sc.NestedKFold(10, 10): 110}  # on the table where 20 of these runs failed once


def tables():
    """(name, dataset) of every table at hand."""
    beside = Path(os.environ.get("SHARED", ROOT.parent / "shared"))
    places = sorted((ROOT / "sample_data").glob("*.csv")) + sorted((beside / "data").glob("*/*.csv*"))
    found = {}
    for path in places:
        name = path.name.split(".")[0]
        if ".groups" not in path.name and name not in found:
            patient = "usubjid" if name.startswith("cdisc") else None
            found[name] = sc.Dataset.from_file(path, target="target", exclude=LEFT_OUT.get(name, []), same_patient=patient)
    return found.items()


def fits(data):
    """(what it is, the fit as a function) of every model on every resample."""
    k = max(int(data.n_features**0.5), 1)
    for plan, runs in (PLANS | KALOUSIS if data.name == "alzheimer_ad" else PLANS).items():
        for run in range(runs):
            rows = plan.resample(run, data.target, 1, data.patients).rows
            table, y = data.table.rows(rows), data.target[rows]
            for key in SELECTORS:
                if kind_of_target(data.target) in BY_KEY[key].targets:
                    yield (
                        f"{key}, {plan.kind}, run {run}",
                        lambda key=key, table=table, y=y: selector(key).fit(table, y, rng=0, k=k).scores_,
                    )
            for key in CLASSIFIERS:
                yield (
                    f"classifier {key}, {plan.kind}, run {run}",
                    lambda key=key, table=table, y=y: classifier(key).fit(table, y, 0).predict(table)[1],
                )


def main():
    count, failures = 0, []
    for name, data in tables():
        slowest, done = (0.0, ""), 0
        for what, fit in fits(data):
            started = time.process_time()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    if not np.isfinite(fit()).all():
                        raise ArithmeticError("a score is not a number")
            except Exception as error:  # whatever it is, it is what is counted here
                failures.append(f"{name}, {what}: {type(error).__name__}: {error}")
            slowest, done = max(slowest, (time.process_time() - started, what)), done + 1
        line(f"{name}: {done} fits, the slowest", slowest[0], more=slowest[1])
        count += done
    print(f"{len(failures)} of {count} fits failed")
    for one in failures:
        print(f"  {one}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
