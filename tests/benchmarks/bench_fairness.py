"""How often is noise selected for what it is made of? A category of six levels, or a number with 15% gaps, among 20 features.

Every run has a table of its own; k = 5, so that luck selects each feature in 25% of the runs. Then the same category where the
outcome follows it: a fair selector finds it nearly always. Printed with standard errors; nothing here is asserted.
Called with the number of runs, of rows, and keys of selectors, all optional: bench_fairness.py 200 120 lasso svm
"""

import sys

import numpy as np
from fairness_support import KEYS, KINDS, OUTCOMES, selected

from stabcore.selectors.catalog import BY_KEY

SLOW = ("random_forest", "random_forest_permutation", "gbm", "svm_rfe")  # a quarter of the runs


def line(key, runs, n):
    cells = []
    for outcome in OUTCOMES:
        for kind, follows in [*((kind, 0.0) for kind in KINDS), ("category", 0.8)]:
            if outcome not in BY_KEY[key].targets:
                cells.append(f"{'-':>10}")
                continue
            found = selected(key, kind, outcome, max(runs // (4 if key in SLOW else 1), 1), n, follows=follows)[:, 0]
            cells.append(f"{100 * found.mean():5.0f} ± {100 * np.sqrt(found.var() / len(found)):2.0f}")
    print(f"  {key:26}" + " ".join(cells), flush=True)


if __name__ == "__main__":
    runs, n, *keys = [*sys.argv[1:], *["200", "120"][len(sys.argv) - 1 :]]
    print(f"selected in % of runs, 25 by luck; {n} rows; noise: 15 to 40 is fair; related: the more the better")
    print(f"  {'':26}" + " ".join(f"{outcome[:10] + ':':32}" for outcome in OUTCOMES))
    print(f"  {'':26}" + " ".join(f"{name:>10}" for _ in OUTCOMES for name in ("category", "gaps", "related")))
    for key in keys or KEYS:
        line(key, int(runs), int(n))
