"""Selectors of a time to an event at d = 10 000, n = 500, and the Cox path beside scikit-survival's where that is installed.

Then five selectors × 50 runs of ACTG 175, and studies with given columns beside the same without them.

Run with OMP_NUM_THREADS=1 and read the ratios.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from benchmark_support import best, line

sys.path.insert(0, str(Path(__file__).parents[1]))
from given_support import aged
from survival_support import simulated, standardised

import stabcore as sc
from stabcore.base.target import TIME, TWO
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.penalised import Cox, Problem, path
from stabcore.study.loading import load_study

N, D, K = 500, 10_000, 20
SAMPLES = Path(__file__).parents[2] / "sample_data"
LIMITS = {"cox_score": 0.5, "lasso": 5.0}  # seconds


def ours(X, y):
    """The path until K features are in; the penalty there as a share of the first."""
    rows, _ = standardised(X.T)
    models, first = path(Problem(rows, Cox(y), np.ones(len(rows), dtype=int)), np.random.default_rng(0)), None
    for model in models:
        first = first or model.penalty
        if len(model.active) >= K:
            return model.penalty / first
    return 1e-4


def coxnet(X, y, share):
    """scikit-survival's path of 20 penalties down to the same one."""
    from sksurv.linear_model import CoxnetSurvivalAnalysis

    values = (X - X.mean(axis=0)) / X.std(axis=0)
    return CoxnetSurvivalAnalysis(l1_ratio=1.0, alpha_min_ratio=share, n_alphas=20, max_iter=10**6).fit(values, y)


def study_of_actg():
    """Five selectors × 50 runs of the bundled table, without shuffles: processor seconds, half of which two cores take."""
    read = load_study(SAMPLES / "actg175_survival.toml")
    selectors = ["cox_score", "concordance", "lasso", "glm_boosting", "elastic_net"]
    study = sc.Study(read.data, selectors, plan=sc.ComplementaryPairs(25), k=0.25, n_permutations=0)
    line("5 selectors × 50 runs of ACTG 175, on two cores", best(lambda: study.run(n_jobs=1, progress=False), 1) / 2, 60)


def with_given():
    """Seconds of studies with age and sex given, as a multiple of those without: of each selector, and of all together."""
    for kind, selectors, learner in (
        (TIME, ["cox_score", "concordance", "lasso", "glm_boosting"], "cox"),
        (TWO, ["welch_t", "mim", "lasso", "random_forest"], "logistic"),
    ):
        X, y, given = aged(0, kind, n=400, d=300)
        frame = pd.DataFrame(X).rename(columns=str).assign(age=given[:, 0], sex=np.where(given[:, 1] == 1, "w", "m"))
        options = {"plan": sc.ComplementaryPairs(3), "k": 10, "classifier": learner, "n_permutations": 0}
        for chosen in [*([key] for key in selectors), selectors]:
            beyond, alone = (sc.Study(frame, y, chosen, **options, **more) for more in ({"given": ["age", "sex"]}, {}))
            seconds = [best(lambda study=study: study.run(n_jobs=1, progress=False), 2) for study in (beyond, alone)]
            print(f"  {kind}, {', '.join(chosen)}: {seconds[0] / seconds[1]:.2f} times as long (a study at most 1.5)", flush=True)


def main():
    study_of_actg()
    with_given()
    X, y = simulated(np.random.default_rng(0), N, D, [0.4] * 10)
    for key in ("cox_score", "concordance", "lasso", "elastic_net", "glm_boosting"):
        options = {"length": K} if key in ("lasso", "elastic_net") else {}
        seconds = best(lambda key=key, options=options: selector(key, **options).fit(as_table(X), y, rng=0, k=K))
        print(f"{key}: {seconds:.2f} s" + (f" (at most {LIMITS[key]})" if key in LIMITS else ""))
    alone = best(lambda: ours(X, y))
    print(f"the Cox path to {K} features: {alone:.2f} s")
    try:
        share = ours(X, y)
        theirs = best(lambda: coxnet(X, y, share), 1)
    except ImportError:
        return print("scikit-survival is not installed")
    return print(f"scikit-survival's Coxnet to the same penalty: {theirs:.2f} s, {theirs / alone:.1f} times as long")


if __name__ == "__main__":
    main()
