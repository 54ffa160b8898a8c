"""Which rule for the size of a panel finds most true features, and keeps its promise? Nothing is asserted.

    make compare TABLES=200          (or: python tests/benchmarks/compare.py [tables [setting ...]])

Tables of six kinds with ten true features, and the same kinds without any ("noise"). A peer keeps its promise in a kind if its
mean number of false features is at most the limit + 2 standard errors, with true features and without. Our selectors are run once
on 25 complementary pairs with the permutation control, and every rule reads the same runs. "Paths with shuffles" is the rule of
a panel, "stepwise" the same without a control. What takes seconds a table has a fifth of the tables. The bounds for a threshold
take the most features per run for which they promise at most one false feature. The peers are ipss, knockpy, hidimstat and boruta,
where they are installed: pip install '.[compare]'. Stability is that of the panels over the tables (nogueira): their rows are other
people, and chance is 0. Means ± standard errors.
"""

import sys
import time
import warnings
from collections import defaultdict
from importlib.util import find_spec

import numpy as np
import pandas as pd

import stabcore as sc
from stabcore.analysis.panel_paths import panel_paths
from stabcore.inference.error_bounds import MEINSHAUSEN_BUHLMANN, R_CONCAVE, UNIMODAL
from stabcore.inference.path_selection import path_selection

PAIRS, TRUE = 25, 10
SETTINGS = ("independent", "AR(0.5)", "blocks", "categories", "few rows", "d = 2000")
NOISE = ("noise", "noise, AR(0.5)", "noise, blocks", "noise, categories", "noise, few rows", "noise, d = 2000")
SELECTORS = {"ANOVA F": "anova_f", "lasso": "lasso"}
SHARE = {
    "ANOVA F": 1,
    "lasso": 5,
    "ipss": 5,
    "knockpy": 5,
    "hidimstat": 20,
    "boruta": 50,
}  # of the tables one in so many: what takes seconds
THRESHOLDS = ((MEINSHAUSEN_BUHLMANN, 0.75), (UNIMODAL, 0.75), (R_CONCAVE, 0.75), (R_CONCAVE, 0.4))
PATHS = ((1, False), (2, False), (3, False), (2, True), (3, True))


def drawn(setting, seed):
    """(DataFrame (n, d), y (n,) two classes, numbers of the true features)."""
    rng = np.random.default_rng([seed, (*SETTINGS, *NOISE).index(setting)])
    n, d = 60 if "few rows" in setting else 150, 2000 if "d = 2000" in setting else 200
    X = rng.normal(size=(n, d))
    if "AR" in setting or "d = 2000" in setting:
        for j in range(1, d):
            X[:, j] = 0.5 * X[:, j - 1] + np.sqrt(0.75) * X[:, j]
    if "blocks" in setting:
        X = np.sqrt(0.3) * X + np.sqrt(0.7) * np.repeat(rng.normal(size=(n, d // 10)), 10, axis=1)
    true = np.zeros(0, dtype=int) if setting in NOISE else np.random.default_rng(d).choice(d, TRUE, replace=False)
    signal = X[:, true] @ rng.choice([-1.0, 1.0], len(true))
    y = signal + 0.8 * rng.logistic(size=n)
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(d)])
    if "categories" in setting:  # every second column, in three to six levels
        for j in range(0, d, 2):
            table[f"x{j}"] = pd.qcut(X[:, j], 3 + j % 4, labels=list("abcdef")[: 3 + j % 4]).astype(str)
    return table, (y > np.median(y)).astype(int), true


def halves(selector, table, y, seed):
    """The result of a selector on complementary halves, with the permutation control."""
    study = sc.Study(
        table, y, [selector], plan=sc.ComplementaryPairs(PAIRS), k=10, classifier="none", n_permutations=20, random_state=seed
    )
    return study.run(n_jobs=1, progress=False)


def most_features(bound, threshold, d):
    """The most features per run for which a bound promises at most one false feature."""
    ks = np.arange(1, max(2, d // 4))
    allowed = [k for k in ks if sc.pfer_bound(int(k), d, threshold, PAIRS, bound) <= 1]
    return max(allowed, default=1)


def ours(table, y, seed):
    """{method: (selected features, seconds)}"""
    found = {}
    for name, selector in SELECTORS.items():
        if seed % SHARE[name]:
            continue
        begun = time.perf_counter()
        result = halves(selector, table, y, seed)
        ranks = result.selections(result.selectors[0]).ranking()
        took = time.perf_counter() - begun
        for bound, threshold in THRESHOLDS:
            share = (ranks <= most_features(bound, threshold, ranks.shape[1])).mean(axis=0)
            found[f"{name}, {bound} at {threshold:.0%}, E ≤ 1"] = np.flatnonzero(share >= threshold - 1e-9), took
        paths = {
            f"path m = {power}{', stepwise' if stepwise else ''}": path_selection(
                [ranks], power=power, n_rows=len(y) if stepwise else None
            )
            for power, stepwise in PATHS
        }
        for label, path in (paths | {"paths with shuffles": panel_paths(result, result.selectors).path}).items():
            found[f"{name}, {label}, E ≤ 1"] = np.flatnonzero(path.expected_false <= 1), took
            found[f"{name}, {label}, FDR ≤ 10%"] = np.flatnonzero(path.q_values <= 0.1), took
    return found


def peers(table, y, seed):
    """{method: (selected features, seconds)} of what is installed; categories as numbers of their levels."""
    X = table.apply(lambda column: column if column.dtype.kind == "f" else pd.factorize(column, sort=True)[0]).to_numpy(dtype=float)
    found = {}
    for package, run in (("ipss", _ipss), ("knockpy", _knockoffs), ("hidimstat", _hidimstat), ("boruta", _boruta)):
        if find_spec(package) and not seed % SHARE[package]:
            np.random.seed(seed)  # the peers draw from NumPy's global state
            begun = time.perf_counter()
            chosen = run(X, y, seed)
            took = time.perf_counter() - begun
            found |= {method: (np.sort(np.array(features, dtype=int)), took) for method, features in chosen.items()}
    return found


def _ipss(X, y, seed):
    from ipss import ipss

    answer = ipss(X.copy(), y.copy(), selector="l1")
    return {
        "ipss (l1), E ≤ 1": [f for f, efp in answer["efp_scores"].items() if efp <= 1],
        "ipss (l1), FDR ≤ 10%": [f for f, q in answer["q_values"].items() if q <= 0.1],
    }


def _knockoffs(X, y, seed):
    from knockpy.knockoff_filter import KnockoffFilter

    chosen = KnockoffFilter(fstat="lasso", ksampler="gaussian", knockoff_kwargs={"method": "equicorrelated"}).forward(
        X=(X - X.mean(axis=0)) / X.std(axis=0), y=y.astype(float), fdr=0.1
    )
    return {"knockpy (lasso), FDR ≤ 10%": np.flatnonzero(chosen)}


def _hidimstat(X, y, seed):
    from hidimstat import ModelXKnockoff

    knockoffs = ModelXKnockoff(random_state=seed)
    knockoffs.fit_importance(X, y.astype(float))
    return {"hidimstat (lasso), FDR ≤ 10%": np.flatnonzero(knockoffs.fdr_selection(0.1))}


def _boruta(X, y, seed):
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(max_depth=5, n_jobs=1, random_state=seed)
    return {"boruta": np.flatnonzero(BorutaPy(forest, n_estimators="auto", random_state=seed).fit(X, y).support_)}


def with_error(values, digits=2):
    values = np.asarray(values, dtype=float)
    return f"{values.mean():.{digits}f} ± {values.std(ddof=1) / np.sqrt(len(values)):.{digits}f}" if len(values) > 1 else "–"


def compare(setting, tables):
    """Print what every method finds in tables of one kind."""
    rows, panels, d = defaultdict(list), defaultdict(list), 0
    for number in range(tables):
        table, y, true = drawn(setting, number)
        d = table.shape[1]
        for method, (found, seconds) in (ours(table, y, number) | peers(table, y, number)).items():
            hits = len(np.intersect1d(found, true))
            false = len(found) - hits
            rows[method].append((hits, false, false / max(len(found), 1), false > 0, seconds))
            panels[method].append(found.tolist())
    print(f"\n{setting}: {tables} tables", flush=True)
    print(f"{'':54}{'tables':>7}{'true found':>15}{'false':>15}{'FDR':>15}{'any false':>15}{'stability':>11}{'seconds':>9}")
    for method, values in rows.items():
        hits, false, share, any_, seconds = np.transpose(values)
        sizes = {len(panel) for panel in panels[method]}
        stable = (
            sc.stability(sc.Selections.from_lists(panels[method], n_features=d)).value if max(sizes) and len(values) > 1 else np.nan
        )
        print(
            f"{method:54}{len(hits):7}{with_error(hits):>15}{with_error(false):>15}{with_error(share):>15}{with_error(any_):>15}"
            f"{stable:11.2f}{np.mean(seconds):9.1f}",
            flush=True,
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    asked = sys.argv[2:] or [*SETTINGS, *NOISE]
    for question in asked:
        compare(question, int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    missing = [package for package in ("ipss", "knockpy", "hidimstat", "boruta") if not find_spec(package)]
    if missing:
        print(f"\nNot installed, and so left out: {', '.join(missing)}")
