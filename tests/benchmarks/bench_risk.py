"""Do a patient's risks vary between models of the runs as much as between models of new samples? On simulated tables.

Models of new samples of the same size: the mean distance of a risk from the mean over samples, which is the error by chance of one
study, and its distance from the risk of this study. Models of the runs of each resampling scheme: the mean distance from the model
of all rows (MAPE). Welch's filter selects ten of 100 features.

    python tests/benchmarks/bench_risk.py [tables] [runs]
"""

import sys

import numpy as np
from risk_support import moved

if __name__ == "__main__":
    tables, runs = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((1, 20), (2, 20)))
    for key in ("logistic", "3nn"):
        each = [moved(seed, key, runs) for seed in range(tables)]
        for name in each[0]:
            values = np.array([distances[name] for distances in each])
            print(f"{key:10}{name:14}{values.mean():7.3f} ± {values.std(ddof=1) / np.sqrt(tables):.3f}", flush=True)
