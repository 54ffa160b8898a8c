"""Bias of shrunken effects of selected features, and coverage of their intervals, on simulated tables.

100 patients, the panel of Welch's filter on 25 pairs of halves, features in at least half of the runs. Means over the features of
a table, then over tables with a panel, ± the standard error over tables. The truth of a false feature is 0.

    python tests/benchmarks/bench_shrinkage.py [tables] [features, ...]
"""

import sys

import numpy as np
from shrinkage_support import TRUTHS, chosen

if __name__ == "__main__":
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    rng = np.random.default_rng(0)
    for d in map(int, sys.argv[2:] or ("200", "2000")):
        for kind in ("independent", "blocks", "factor"):
            for name, truth in {"none": (), **TRUTHS, "a tenth": 0.3 * rng.normal(size=d // 10)}.items():
                each = [effects for effects in chosen(tables, kind, truth, d, pairs=25) if effects.size]
                if not each:
                    print(f"{d:5} {kind:12}{name:9}no panel", flush=True)
                    continue
                means = np.array([effects.mean(axis=1) for effects in each])
                measured, shrunken, true, _ = means.mean(axis=0)
                error = means[:, 1].std(ddof=1) / np.sqrt(len(each)) if len(each) > 1 else np.nan
                size = sum(effects.shape[1] for effects in each)
                share = f"{shrunken / true:.2f} of it" if true > 0.05 else ""
                held = np.concatenate(each, axis=1)[3].mean()
                print(
                    f"{d:5} {kind:12}{name:9}measured {measured:.2f}   shrunken {shrunken:.2f} ± {error:.2f}   true {true:.2f}   "
                    f"{share:12}held {held:.2f} of {size} in {len(each)} tables",
                    flush=True,
                )
