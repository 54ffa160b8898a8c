"""What the lessons on forests and on a shuffled outcome draw from: sets that were really selected, and whether they still come out.

python tests/benchmarks/bench_lessons.py            # selects them anew (minutes) and compares
python tests/benchmarks/bench_lessons.py --write    # and keeps them in stabcore/teaching/measured.json
"""

import json
import sys

import numpy as np
from support import ROOT

import stabcore as sc
from stabcore.io.table import read_table
from stabcore.teaching.lesson import FILE, K, sets_of

TREES, FORESTS, RUNS = (10, 30, 100, 300, 1000), 12, 20
SHUFFLED = ("variance", "relieff", "lasso", "random_forest", "random")


def table(shuffled=None):
    """alzheimer_ad; shuffled: a seed, to hand out its outcome anew."""
    frame = read_table(ROOT / "sample_data" / "alzheimer_ad.csv").frame
    if shuffled is not None:
        frame["target"] = np.random.default_rng(shuffled).permutation(frame["target"].to_numpy())
    return sc.Dataset.from_frame(frame, target="target")


def forests():
    """{trees: sets of FORESTS forests on the same rows, each with other dice}."""
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


def main():
    found = {"forests": forests(), "shuffled": shuffled()}
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")
    for what, kinds in found.items():
        for kind, sets in kinds.items():
            print(f"{what:10} {kind:15} same as bundled: {sets == sets_of(what, kind)}")


if __name__ == "__main__":
    main()
