"""The measures: seconds at the sizes they are meant for, beside their targets, and growth with runs and features."""

from dataclasses import replace
from functools import partial

import numpy as np
from benchmark_support import groups, line, median, peak, runs_of, sparse, timed
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.inference.estimate import jackknife_error
from stabcore.measures.catalog import BY_KEY, ENTRIES

SETS = [one.key for one in ENTRIES if one.needs == ("sets",)]
PARTNERS = [f"intersection_{kind}" for kind in ("count", "mean", "mbm", "greedy")] + ["yu", "zucknick"]


def weighted(M, d, k, random_state=0):
    """Runs with importances."""
    rng, sets = np.random.default_rng(random_state), runs_of(M, d, k, random_state).selection_matrix
    return sc.Selections.from_weights(csr_array((rng.random(sets.nnz) + 0.01, sets.indices, sets.indptr), shape=sets.shape))


def fresh(similarity):
    """The same similarity, nothing remembered."""
    return sc.Similarity(similarity.n_features, None, similarity.labels, similarity.group_names, similarity.extra)


def again(runs):
    """The same runs, nothing remembered."""
    return sc.Selections(runs.selection, runs.n_features, raw_importances=runs.raw_importances, scores=runs.scores)


def sets():
    print("all measures of sets (sections 1 and 2) together, M = 100, d = 10 000")
    for k, target in ((20, 0.006), (1000, 0.1)):
        runs = runs_of(100, 10_000, k)

        def all_of_them():
            shared = again(runs)
            for key in SETS:
                BY_KEY[key].function(shared)

        line(f"k = {k}", median(all_of_them), target)
    slowest = {key: median(lambda: BY_KEY[key].function(again(runs)), 3) for key in SETS}
    print("  slowest alone:", ", ".join(f"{key} {slowest[key]:.3f} s" for key in sorted(slowest, key=slowest.get)[:-4:-1]))


def partners():
    print("\nfeatures that stand for each other, M = 100, d = 10 000, 10 related features each, 10 000 draws")
    for k in (20, 1000):
        runs = runs_of(100, 10_000, k)
        for name, similarity in (("sparse", sparse(10_000, 10)), ("groups", groups(10_000))):
            for key in PARTNERS:
                work = partial(lambda key, similarity: BY_KEY[key].function(again(runs), fresh(similarity)), key, similarity)
                line(f"{key}, {name}, k = {k}", timed(work)[0] if k > 100 else median(work, 1), 5)


def effective():
    print("\neffective, d = 1 000 000, M = 100, k = 100")
    runs, d = runs_of(100, 1_000_000, 100), 1_000_000
    for name, similarity, target in (("groups of 11", groups(d), 1), ("sparse, 10⁷ entries", sparse(d, 10), 3)):

        def work():
            BY_KEY["effective"].function(again(runs), fresh(similarity))

        line(f"{name}", median(work, 3), target, f"peak {peak(work):.0f} MB")


def importances():
    print("\nimportances")
    runs = weighted(1000, 10_000, 100)
    line("importance_weighted, M = 1000, k = 100", median(lambda: BY_KEY["importance_weighted"].function(again(runs)), 3), 2)
    runs, similarity = weighted(50, 10_000, 50), sparse(10_000, 10)
    for corrected, target in ((False, 3), (True, None)):

        def work():
            BY_KEY["shared_information"].function(again(runs), fresh(similarity), corrected=corrected)

        line(f"shared_information, M = 50, k = 50, corrected={corrected}", median(work, 1), target)


def jackknife():
    print("\ninterval by the jackknife, ratio to the value alone (target 3×), M = 100, d = 2000, k = 50")
    runs = replace(weighted(100, 2000, 50), scores=np.random.default_rng(2).random((100, 2000)))
    similarity, ratios = sparse(2000, 10), {}
    for entry in ENTRIES:
        options = {"draws": 500} if "intersection" in entry.key or entry.key == "shared_information" else {}

        def terms():
            one = entry.function.terms(again(runs), fresh(similarity), **options)
            one.value()
            return one

        alone = median(terms, 3)
        ratios[entry.key] = median(lambda: jackknife_error(terms()), 3) / alone
    worst = sorted(ratios, key=ratios.get)[-3:]
    print(
        f"  {sum(ratio < 3 for ratio in ratios.values())} of {len(ratios)} within; worst:",
        ", ".join(f"{key} {ratios[key]:.2f}×" for key in worst[::-1]),
    )


def growth():
    print("\ngrowth over two decades (ratio to the row above; ×10 each row)")
    keys = ("jaccard", "nogueira", "novovicova", "davis", "effective", "yu", "intersection_mbm", "importance_weighted")
    similarity_of = {d: sparse(d, 4) for d in (1000, 10_000, 100_000)}
    for title, cases in (
        ("M, d = 1000, k = 20", [(M, 1000) for M in (10, 100, 1000)]),
        ("d, M = 50, k = 20", [(50, d) for d in (1000, 10_000, 100_000)]),
    ):
        print(f"  {title}: {', '.join(keys)}")
        before = None
        for M, d in cases:
            runs, similarity = weighted(M, d, 20), similarity_of[d]
            draws = {"intersection_mbm": {"draws": 200}}
            row = [median(lambda: BY_KEY[key].function(again(runs), fresh(similarity), **draws.get(key, {})), 1) for key in keys]
            print(
                "   ",
                f"M = {M:>5}, d = {d:>7,}:",
                "  ".join(f"{s:8.4f} s" + (f" {s / b:5.1f}×" if before else " " * 7) for s, b in zip(row, before or row)),
                flush=True,
            )
            before = row


if __name__ == "__main__":
    for part in (sets, partners, effective, importances, jackknife, growth):
        part()
