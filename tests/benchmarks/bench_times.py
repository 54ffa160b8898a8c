"""Times as ratios within one run: beside straightforward code, and beside libraries for the same task.

    OMP_NUM_THREADS=1 python tests/benchmarks/bench_times.py [part …]

A line has the seconds of our code, those of the other, their ratio, and whether both results are equal.
"""

import subprocess
import sys
import time
import warnings
from functools import partial

import numpy as np
from recursive_support import standardised
from scipy.sparse import coo_array, csr_array
from survival_support import simulated
from survival_support import standardised as standardised_rows

import stabcore as sc
from stabcore.data.feature_table import as_table
from stabcore.selectors.catalog import selector
from stabcore.selectors.solvers.penalised import Cox, Logistic, Problem, solution_path
from stabcore.selectors.solvers.stumps import Cuts, boosted_splits

K = 20


def fastest(work, times=3, clock=time.process_time):
    """(fewest processor seconds, which other work disturbs less than the clock, and the answer)"""
    found = []
    for _ in range(times):
        start = clock()
        answer = work()
        found.append(clock() - start)
    return min(found), answer


def best(work, times=3):
    """Fewest seconds of several calls."""
    return fastest(work, times)[0]


def line(name, ours, theirs, same=""):
    print(f"  {name:66} {ours:8.3f} s {theirs:8.3f} s {theirs / ours:7.1f}× {same}", flush=True)


# ---- measures ----


def sparse(d, each):
    """A similarity in which every feature is similar to about `each` others, by 0.5 to 1."""
    rng = np.random.default_rng(1)
    i, j = rng.integers(0, d, (2, d * each // 2))
    low, high = np.minimum(i, j)[i != j], np.maximum(i, j)[i != j]
    cells = np.unique(low * d + high)
    C = coo_array((rng.uniform(0.5, 1, len(cells)), (cells // d, cells % d)), shape=(d, d)).tocsr()
    return sc.Similarity(d, extra=csr_array(C + C.T))


def groups(d, size=11):
    """A similarity of groups of one size."""
    labels = np.random.default_rng(1).permutation(d) // size
    return sc.Similarity(d, None, labels, tuple(map(str, range(-(-d // size)))))


def profiles(M=100, d=10_000, some=8):
    """A stability profile with its interval over all k, beside the measure at each k."""
    rng = np.random.default_rng(0)
    runs = sc.Selections.from_scores(np.linspace(3, 0, d) + rng.normal(size=(M, d))).top(10)
    for key, similarity in (("nogueira", None), ("jaccard", None), ("effective", groups(d)), ("effective", sparse(d, 10))):
        ours = best(partial(sc.stability_profile, runs, key, similarity=similarity, baseline=False), 2)
        ks = np.linspace(1, d - 1, some).astype(int)
        each = best(lambda: [sc.stability(runs.top(int(k)), key, similarity=similarity, interval="jackknife") for k in ks], 1)
        line(f"profile of {key}, beside one k after another", ours, each / some * d)


def curves(d=10_000, M=100):
    """What-if: 1001 thresholds of a correlation at once, beside one similarity and eight values for each threshold."""
    rng = np.random.default_rng(0)
    X, merit = np.repeat(rng.normal(size=(200, d // 10)), 10, axis=1) + rng.normal(size=(200, d)), rng.normal(size=d)
    ranked = sc.Selections.from_scores(merit + 0.3 * rng.normal(size=(M, d)))
    named = {str(k): ranked.top(k) for k in np.linspace(100, 1000, 8).astype(int)}
    ours, curve = fastest(lambda: sc.whatif.threshold_curve(named, sc.whatif.CorrelationBins.of(X)), 1)

    def brute():
        similarity = sc.Similarity.from_correlation(X, threshold=0.5)
        return [sc.stability(runs, "effective", similarity=similarity).value for runs in named.values()]

    brute_seconds, values = fastest(brute, 1)
    off = np.abs(curve[curve["threshold"] == 0.5]["value"].to_numpy() - values).max()
    line("threshold curves, beside one threshold after another", ours, 1001 * brute_seconds, f"differ by {off:.0e}")


# ---- selectors ----


def equal_width(x, bins=5):
    low, high = x.min(), x.max()
    return np.minimum((bins * (x - low) / (high - low)).astype(int), bins - 1)


def information(x, y, of_x, of_y):
    """Mutual information I(X, Y) of codes by one bincount."""
    joint = np.bincount(x * of_y + y, minlength=of_x * of_y).reshape(of_x, of_y) / len(y)
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    return (joint[some] * np.log(joint[some] / independent[some])).sum()


def one_by_one(key, table, y, bins=5):
    """The four criteria with one call for each feature."""
    columns = [equal_width(x, bins) for x in table.values.T]
    relevance = np.array([information(x, y, bins, 2) for x in columns])
    if key == "mim":
        return np.argsort(-relevance)[:K]
    chosen, state = [int(relevance.argmax())], relevance.copy() if key == "cmim" else np.zeros(len(columns))
    while len(chosen) < K:
        last = columns[chosen[-1]]
        if key == "mrmr":
            state += [information(x, last, bins, bins) for x in columns]
            criterion = relevance - state / len(chosen)
        else:
            joint = np.array([information(x * bins + last, y, bins * bins, 2) for x in columns])
            state = state + joint if key == "jmi" else np.minimum(state, joint - relevance[chosen[-1]])
            criterion = state.copy()
        criterion[chosen] = -np.inf
        chosen.append(int(criterion.argmax()))
    return np.array(chosen)


def table(n, d):
    """Half of the columns share a common part, as measurements of one patient do. Twenty columns make the classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)  # scikit-learn's trees compare in single precision
    X[:, : d // 2] += 0.7 * rng.normal(size=(n, 1)).astype(np.float32)
    used = np.r_[:10, d // 2 : d // 2 + 10]
    return X, (X[:, used] @ rng.normal(size=20) + rng.normal(size=n) > 0).astype(int)


def filters(n=200, d=10_000):
    X, y = table(n, d)
    for key in ("mim", "mrmr", "jmi", "cmim"):
        ours, fitted = fastest(lambda: selector(key).fit(as_table(X), y, rng=0, k=K))
        theirs, chosen = fastest(partial(one_by_one, key, as_table(X), y), 1)
        same = len(np.intersect1d(fitted.select(K), chosen))
        line(f"{key}, beside one bincount for each feature", ours, theirs, f"{same} of {K} the same")


def saga(X, y):
    """Halve (in logs) the range of penalties until K columns are in."""
    from sklearn.linear_model import LogisticRegression

    high = np.abs(X.T @ (y - y.mean())).max() / len(y)
    low = high / 1000
    for _ in range(40):
        penalty = np.sqrt(low * high)
        model = LogisticRegression(solver="saga", l1_ratio=1.0, C=1 / (len(y) * penalty), max_iter=2000, random_state=0)
        chosen = np.flatnonzero(model.fit(X, y).coef_[0])
        if len(chosen) == K:
            break
        low, high = (penalty, high) if len(chosen) > K else (low, penalty)
    return chosen


def support_vectors(X, y):
    from sklearn.svm import SVC

    return np.abs(SVC(kernel="linear", C=0.5, tol=1e-5).fit(X, y).coef_[0])  # at 1e-3 the order of the last features is noise


def ridge(X, y):
    from sklearn.linear_model import LogisticRegression

    return np.abs(LogisticRegression(C=0.5, max_iter=20_000, tol=1e-12).fit(X, y).coef_[0])


def eliminated(weights, share, X, y):
    """A model of what is left, each time without this share of it."""
    left = np.arange(X.shape[1])
    while len(left) > K:
        stay = max(K, len(left) - max(1, int(share * len(left))))
        left = left[np.sort(np.argsort(-weights(X[:, left], y), kind="stable")[:stay])]
    return left


def stumps(X, y):
    """100 boosted stumps beside those of scikit-learn, and how many splits are the same."""
    from sklearn.ensemble import GradientBoostingClassifier

    ours, splits = fastest(lambda: boosted_splits(Cuts(as_table(X)), y, 100, np.random.default_rng(0)), 1)
    model = GradientBoostingClassifier(max_depth=1, n_estimators=100, random_state=0)
    theirs = best(lambda: model.fit(X, y), 1)
    trees = [stage[0].tree_ for stage in model.estimators_]
    same = sum(split.column == tree.feature[0] for split, tree in zip(splits, trees, strict=True))
    line("gbm, beside GradientBoostingClassifier", ours, theirs, f"{same} of 100 splits the same")


def solvers(n=200, d=2000):
    X, y = table(n, d)
    for key, name, theirs in (
        ("lasso", "saga to the same k", saga),
        ("svm_rfe", "a loop over SVC", partial(eliminated, support_vectors, 0.1)),
        ("logistic_rfe", "a loop over LogisticRegression", partial(eliminated, ridge, 0.2)),
    ):
        options = {"length": K} if key == "lasso" else {}
        ours, fitted = fastest(lambda key=key, options=options: selector(key, **options).fit(X, y, rng=0, k=K), 2)
        seconds, left = fastest(lambda theirs=theirs: theirs(standardised(X), y), 1)
        line(f"{key}, beside {name}", ours, seconds, f"{len(np.intersect1d(fitted.select(K), left))} of {K} the same")
    stumps(X, y)


def lasso(n=200):
    """The logistic path until K features are in, beside celer along the same penalties. Ours ends where the Kth feature is in."""
    for d in (2000, 10_000):
        X, y = table(n, d)
        rows = np.ascontiguousarray(standardised(X).T)

        def to_k(rows=rows, y=y, d=d):
            penalties = []
            for model in solution_path(Problem(rows, Logistic(y), np.ones(d, dtype=int)), np.random.default_rng(0)):
                penalties.append(model.penalty)
                if len(model.active) >= K:
                    break
            return np.array(penalties)

        ours, penalties = fastest(to_k)
        try:
            from celer import celer_path
        except ImportError:
            print(f"  the path to {K} of {d} features: {ours:.3f} s. celer is not installed: pip install '.[compare]'")
            continue
        signs, columns = np.where(y > 0, 1.0, -1.0), np.asfortranarray(rows.T)
        theirs = partial(celer_path, columns, signs, pb="logreg", alphas=n * penalties, tol=1e-8)
        seconds, (_, weights, *_) = fastest(theirs)
        line(f"the path to {K} of {d} features, beside celer", ours, seconds, f"{np.count_nonzero(weights[:, -1])} in theirs")


def cox():
    """The path of the Cox lasso until K features are in, beside scikit-survival's path of 20 penalties to the same one."""
    for n, d in ((500, 10_000), (1000, 2000), (200, 2000)):
        X, y = simulated(np.random.default_rng(0), n, d, [0.4] * 10)
        rows, columns = standardised_rows(X.T)[0], standardised(X)

        def to_k(rows=rows, y=y, d=d):
            first = None
            for model in solution_path(Problem(rows, Cox(y), np.ones(d, dtype=int)), np.random.default_rng(0)):
                first = first or model.penalty
                if len(model.active) >= K:
                    break
            return model.penalty / first

        ours, share = fastest(to_k)
        try:
            from sksurv.linear_model import CoxnetSurvivalAnalysis
        except ImportError:
            print(f"  the Cox path to {K} of {d} features, {n} rows: {ours:.3f} s. scikit-survival is not installed.")
            continue
        theirs = CoxnetSurvivalAnalysis(l1_ratio=1.0, alpha_min_ratio=share, n_alphas=20, max_iter=10**6)
        line(f"the Cox path to {K} of {d} features, {n} rows, beside Coxnet", ours, best(partial(theirs.fit, columns, y)))


# ---- studies ----


OBJECTS = """
import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
import stabcore as sc

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 60))
y = (X[:, :5].sum(axis=1) + rng.normal(size=300) > 0).astype(int)
PLAN = sc.ComplementaryPairs(25)
L1 = LogisticRegression(C=0.1, l1_ratio=1, solver="liblinear")
OBJECTS = {
    "model": SelectFromModel(L1), "rfe": RFE(LogisticRegression(), n_features_to_select=10, step=5), "best": SelectKBest(k=10),
    "forest": SelectFromModel(RandomForestClassifier(50, random_state=0)),
}


def one(model, run):
    rows = PLAN.resample(run, y, 0).rows
    scaled = (X[rows] - X[rows].mean(axis=0)) / X[rows].std(axis=0)
    return np.flatnonzero(clone(model).fit(scaled, y[rows]).get_support()).tolist()


if __name__ == "__main__":
"""
LOOP = """    for label, model in OBJECTS.items():
        print(label, Parallel(n_jobs=2)(delayed(one)(model, run) for run in range(50)))
"""
STUDY = """    result = sc.Study(X, y, OBJECTS, plan=PLAN, classifier="none", n_permutations=0).run(n_jobs=2, progress=False)
    for label in result.selectors:
        print(label, [np.flatnonzero(row).tolist() for row in result.selections(label).to_frame().to_numpy()])
"""


def objects():
    """A study of scikit-learn objects beside a joblib loop, with the starts of processes: at most 1.2 times as long (0.8×)."""
    found = []
    for code in (STUDY, LOOP):
        run = partial(subprocess.run, [sys.executable, "-c", OBJECTS + code], capture_output=True, text=True, check=True)
        seconds, done = fastest(run, 2, time.perf_counter)
        found.append((seconds, done.stdout.splitlines()))
    (ours, study), (theirs, loop) = found
    differ = [our_line.split()[0] for our_line, their_line in zip(study, loop, strict=True) if our_line != their_line]
    line("scikit-learn objects, beside a joblib loop", ours, theirs, f"other features: {', '.join(differ) or 'none'}")


PARTS = (profiles, curves, filters, solvers, lasso, cox, objects)

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for part in PARTS:
        if part.__name__ in (sys.argv[1:] or part.__name__):
            print(f"{part.__name__.replace('_', ' ')}: {(part.__doc__ or '').strip()}", flush=True)
            part()
