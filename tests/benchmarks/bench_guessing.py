"""How often a classifier without signal is called better than always naming the larger class. 5 of 100 are promised.

    python tests/benchmarks/bench_guessing.py [tables]

One line for each plan, kind of columns, classifier and score: the share of tables, with its standard error.
"""

import sys

from guessing_support import KINDS, false_alarms

import stabcore as sc

PLANS = {
    "halves": sc.ComplementaryPairs(25),
    "10% out": sc.Subsample(50, 0.1),
    "bootstrap": sc.Bootstrap(50),
    "10 folds": sc.RepeatedKFold(10, 5),
}
CLASSIFIERS, SCORES = ("mean", "3-nn"), ("balanced_accuracy", "auc", "accuracy")


def main(tables=200):
    for plan in PLANS:
        for kind in KINDS:
            for classifier in CLASSIFIERS:
                for score in SCORES if kind == "independent" else SCORES[:1]:
                    share = false_alarms(PLANS[plan], kind, tables, 1, score, classifier, n=100, d=100)
                    se = (max(share, 1 / tables) * (1 - share) / tables) ** 0.5
                    print(f"{plan:10} {kind:12} {classifier:5} {score:18} {share:.3f} ± {se:.3f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
