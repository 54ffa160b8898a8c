"""A study of scikit-learn objects beside a hand-written joblib loop: the same selections, and how much longer it takes.

Each in a process of its own, as people run them, the start of processes included; ratios, the best of three.
"""

import subprocess
import sys
import time

import numpy as np

REPEATS, MOST = 3, {"mim": 1.3, "six objects": 1.2}
HEAD = """
import numpy as np, pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
import stabcore as sc

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 60))
y = (X[:, :5].sum(axis=1) + rng.normal(size=300) > 0).astype(int)
PLAN = sc.ComplementaryPairs(25)
LOGISTIC = LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear")
SIX = {
    "logistic": LOGISTIC, "model": SelectFromModel(LOGISTIC), "rfe": RFE(LogisticRegression(), n_features_to_select=10, step=5),
    "best": SelectKBest(k=10), "pipeline": make_pipeline(StandardScaler(), SelectKBest(k=20), LOGISTIC),
    "forest": RandomForestClassifier(50, random_state=0),
}
"""
STUDY = """
if __name__ == "__main__":
    study = sc.Study(X, y, {selectors}, plan=PLAN, k={k}, classifier="none", n_permutations=0)
    result = study.run(n_jobs=2, progress=False)
    for label in result.selectors:
        print(label, [np.flatnonzero(row).tolist() for row in result.selections(label).to_frame().to_numpy()])
"""
LOOP = """
def support(model, columns):
    if hasattr(model, "get_support"):
        return model.get_support()
    if hasattr(model, "steps"):
        inside = np.zeros(columns, dtype=bool)
        inside[np.flatnonzero(model[:-1][-1].get_support())[support(model[-1], 20)]] = True
        return inside
    weights = model.coef_[0] if hasattr(model, "coef_") else model.feature_importances_
    return weights != 0


def one(model, run):
    rows = PLAN.resample(run, y, 0).rows
    scaled = (X[rows] - X[rows].mean(axis=0)) / X[rows].std(axis=0)
    return np.flatnonzero(support(clone(model).fit(scaled, y[rows]), X.shape[1])).tolist()


def mim(run):
    rows = PLAN.resample(run, y, 0).rows
    return np.sort(sc.selector("mim").fit(X[rows], y[rows], rng=0).select(10)).tolist()


if __name__ == "__main__":
    if {alone}:
        print("mim", Parallel(n_jobs=2)(delayed(mim)(run) for run in range(50)))
    else:
        selected = Parallel(n_jobs=2)(delayed(one)(model, run) for model in SIX.values() for run in range(50))
        for number, label in enumerate(SIX):
            print(label, selected[50 * number : 50 * (number + 1)])
"""


def timed(code):
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return time.perf_counter() - start, done.stdout.splitlines()


def main():
    for name, selectors, k in (("mim", '["mim"]', 10), ("six objects", "SIX", None)):
        codes = HEAD + STUDY.format(selectors=selectors, k=k), HEAD + LOOP.format(alone=name == "mim")
        ours, theirs = zip(
            *((timed(codes[0]), timed(codes[1])) for _ in range(REPEATS)), strict=True
        )  # in turn: others compute too
        same = [line.split()[0] for line, other in zip(ours[0][1], theirs[0][1], strict=True) if line == other]
        differ = {line.split()[0] for line in ours[0][1]} - set(same)
        study, loop = (min(seconds for seconds, _ in times) for times in (ours, theirs))
        print(f"{name}: study {study:.1f} s, loop {loop:.1f} s, {study / loop:.2f} times the loop (at most {MOST[name]})")
        print(f"  the same features in all runs: {', '.join(same)}; others: {', '.join(sorted(differ)) or 'none'}")


if __name__ == "__main__":
    np.seterr(all="raise")
    main()
