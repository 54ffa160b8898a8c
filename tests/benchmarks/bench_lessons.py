"""Stored answers of lessons without a formula, selected sets and means of many draws, compared with new ones.

python tests/benchmarks/bench_lessons.py            # selects them again (minutes) and compares
python tests/benchmarks/bench_lessons.py --write    # also writes them to stabcore/teaching/measured.json
python tests/benchmarks/bench_lessons.py --means    # only the means, or those of the named lessons
"""

import json
import sys
from itertools import product

import numpy as np
from lessons_support import agreements, expected_accuracies
from support import ROOT

import stabcore as sc
from stabcore.io.table import read_table
from stabcore.teaching import inside_folds, more_patients, shared_rows, threshold
from stabcore.teaching.lesson import MEASURED_FILE, K, measured_mean, measured_sets

TREES, FORESTS, RUNS = (10, 30, 100, 300, 1000), 12, 20
DRAWS = 20_000  # of which a mean is known
QUICK_DRAWS = 400_000  # the same, of draws without patients
SHUFFLED = ("variance", "relieff", "lasso", "random_forest", "random")


def table(shuffled=None):
    """alzheimer_ad. shuffled: a seed for shuffling its outcome."""
    frame = read_table(ROOT / "sample_data" / "alzheimer_ad.csv").frame
    if shuffled is not None:
        frame["target"] = np.random.default_rng(shuffled).permutation(frame["target"].to_numpy())
    return sc.Dataset.from_frame(frame, target="target")


def forests():
    """{trees: sets of FORESTS forests on the same rows, each with another seed}."""
    data, found = table(), {}
    for trees in TREES:
        found[str(trees)] = [
            sorted(int(f) for f in sc.selector("random_forest", trees=trees).fit(data.table, data.target, rng=seed).select(K))
            for seed in range(FORESTS)
        ]
    return found


def shuffled():
    """{selector: sets of RUNS runs, each without 5% of the rows, outcome shuffled once}."""
    result = sc.Study(table(shuffled=0), list(SHUFFLED), plan=sc.Subsample(RUNS, 0.05), k=K, random_state=1, n_permutations=0).run()
    return {
        label: [[int(f) for f in np.flatnonzero(row)] for row in result.selections(key).selected]
        for key, label in zip(SHUFFLED, SHUFFLED, strict=True)
    }


def true_markers():
    """{effect: {patients: means of DRAWS studies}}."""
    lesson, found = more_patients.LESSON, {}
    for effect in lesson.controls[1].values:
        of_effect = found.setdefault(str(effect), {})
        for patients in lesson.line:
            rng = np.random.default_rng([patients, round(1000 * effect)])
            draws = [lesson.draw(rng, patients=patients, effect=effect).values for _ in range(DRAWS)]
            of_effect[str(patients)] = {name: round(float(np.mean([draw[name] for draw in draws])), 4) for name in draws[0]}
    return found


def false_markers():
    """{q: {threshold: mean number of false markers of DRAWS tables}}."""
    lesson, found = threshold.LESSON, {}
    for q in lesson.controls[1].values:
        rng, counts = np.random.default_rng(q), np.zeros(2 * threshold.PAIRS + 1)
        for _ in range(DRAWS):
            counts += np.bincount(threshold.draw_selections(rng, q).sum(axis=0), minlength=len(counts))
        found[str(q)] = {
            str(count): {"filter": round(counts[threshold.min_runs(count) :].sum() / DRAWS, 4)} for count in lesson.line
        }
    return found


def mean_of_draws(draw):
    """Mean of QUICK_DRAWS values, in blocks that fit into the memory."""
    blocks = [draw(QUICK_DRAWS // 10).mean() for _ in range(10)]
    return round(float(np.mean(blocks)), 5)


def accuracies():
    """{"patients,k": {markers: accuracy of selection on all patients}}."""
    lesson, found = inside_folds.LESSON, {}
    for patients, k in product(*(control.values for control in lesson.controls[1:])):
        rng = np.random.default_rng([patients, k])
        found[f"{patients},{k}"] = {
            str(d): {"outside": mean_of_draws(lambda n: expected_accuracies(rng, d, patients, k, n))} for d in lesson.line
        }
    return found


def floors():
    """{k: {share left out: agreement of two runs without signal}}."""
    lesson, found = shared_rows.LESSON, {}
    for k in lesson.controls[1].values:
        rng = np.random.default_rng(k)
        found[str(k)] = {str(out): {"floor": mean_of_draws(lambda n: agreements(rng, out, k, n))} for out in lesson.line}
    return found


MEANS = {"more_patients": true_markers, "threshold": false_markers, "inside_folds": accuracies, "shared_rows": floors}


def main():
    found = (
        {"forests": forests(), "shuffled": shuffled()}
        if "--means" not in sys.argv
        else json.loads(MEASURED_FILE.read_text(encoding="utf-8"))
    )
    wanted = [name for name in MEANS if name in sys.argv] or MEANS
    found |= {name: MEANS[name]() for name in wanted}
    if "--write" in sys.argv:
        MEASURED_FILE.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    for what in ("forests", "shuffled"):
        for kind, sets in found[what].items():
            print(f"{what:10} {kind:15} same as bundled: {sets == measured_sets(what, kind)}")
    for what in wanted:
        for kind, means in found[what].items():
            same = all(mean == measured_mean(what, kind, value) for value, mean in means.items())
            print(f"{what:10} {kind:15} same as bundled: {same}")


if __name__ == "__main__":
    main()
