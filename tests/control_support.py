"""A small study with everything a control adds: shuffled outcomes and other dice."""

import numpy as np
from noise_support import Here
from study_support import study

TARGET = np.repeat([0, 1, 2], [20, 12, 8])
SELECTORS = {"mim": "mim", "random_forest": ("random_forest", {"trees": 10})}


def controlled(store=None, executor=None, **options):
    """Four runs, two shuffles, two seeds."""
    return study(selectors=SELECTORS, runs=4, n_permutations=2, n_seeds=2, **options).run(executor or Here(), store=store)
