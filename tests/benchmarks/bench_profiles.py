"""Profiles, knots, convergence and fronts: seconds of processor time, and ratios to computing the measure at each k."""

import numpy as np
import pandas as pd
from benchmark_support import best, groups, line, sparse

import stabcore as sc
from stabcore.analysis.agreement_cutoff import agreement_cutoff
from stabcore.analysis.pareto import pareto_front, weighted_choice
from stabcore.analysis.stability_profile import random_profile, stability_profile
from stabcore.inference.runs_needed import stability_by_runs


def rankings(M, d, random_state=0):
    """Runs that rank d features alike up to noise, the ranking already known."""
    rng = np.random.default_rng(random_state)
    return sc.Selections.from_scores(np.linspace(3, 0, d) + rng.normal(size=(M, d))).top(10)


def curves(M, d):
    print(f"profile with its interval at all k, M = {M}, d = {d:,} (ratio: to the measure at each k, from {SOME} of them)")
    runs, ks = rankings(M, d), np.arange(1, d + 1)
    some = np.linspace(1, d - 1, SOME).astype(int)
    for name, key, similarity, target in (
        ("nogueira", "nogueira", None, 1),
        ("jaccard", "jaccard", None, 1),
        ("phi", "phi", None, 1),
        ("effective, groups of 11", "effective", groups(d), None),
        ("effective, 10 related each", "effective", sparse(d, 10), None),
        ("effective, 100 related each", "effective", sparse(d, 100), None),
    ):
        ours = best(lambda: stability_profile(runs, key, similarity=similarity, baseline=False), 2)
        each = (
            best(lambda: [sc.stability(runs.top(int(k)), key, similarity=similarity, interval="jackknife") for k in some], 1) / SOME
        )
        line(name, ours, target, f"  {each * d / ours:6.0f}× faster than one by one")
        line("  its random band", best(lambda: random_profile(M, d, ks, key, similarity=similarity)))


def growth():
    print("\ngrowth of a profile at all k with the number of features, M = 50 (ratio to the row above)")
    before = None
    for d in (300, 1000, 3000, 10_000):
        runs, similarity = rankings(50, d), sparse(d, 10)
        row = [
            best(lambda: stability_profile(runs, key, similarity=similarity, baseline=False))
            for key in ("nogueira", "jaccard", "effective")
        ]
        print(
            f"  d = {d:>6,}:",
            "  ".join(
                f"{key} {s:.3f} s" + (f" {s / b:4.1f}×" if before else "      ")
                for key, s, b in zip(("nogueira", "jaccard", "effective"), row, before or row)
            ),
            flush=True,
        )
        before = row


def others():
    print("\nknots, convergence, fronts")
    runs = rankings(100, 10_000)
    line("knots, M = 100, d = 10 000", best(lambda: agreement_cutoff(runs), 2))
    chosen, similarity = runs.top(100), sparse(10_000, 10)
    for key in ("nogueira", "jaccard", "effective"):
        ours = best(lambda: stability_by_runs(chosen, key, similarity=similarity), 2)
        turns = np.argsort(np.random.default_rng(0).random((5, 100)), axis=1)
        each = best(lambda: [sc.stability(chosen.take(turn[:50]), key, similarity=similarity) for turn in turns], 1) / 5
        line(f"convergence, {key}, 200 orders of 30 sizes", ours, None, f"  {each * 6000 / ours:6.0f}× faster than one by one")
    for n in (1000, 7000):
        points = pd.DataFrame(np.random.default_rng(0).random((n, 2)), columns=["accuracy", "stability"])
        line(f"front of {n} points", best(lambda: pareto_front(points)))
        line(f"compromise among {n} points", best(lambda: weighted_choice(points, 0.5)))


SOME = 8

if __name__ == "__main__":
    curves(100, 10_000)
    growth()
    others()
