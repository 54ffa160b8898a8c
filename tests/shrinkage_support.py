"""Measured, shrunken and true effects of features selected by frequency, in simulated tables."""

import numpy as np
from panel_support import ranks, rows_of

import stabcore as sc
from stabcore.inference import shrinkage
from stabcore.inference.effect_sizes import difference_contributions, error_of_difference, standardised_difference

N, K = 100, 10
TRUTHS = {"ten": np.full(10, 0.5), "twenty": np.linspace(1, 0.05, 20), "five": np.full(5, 0.8)}


def drawn(seed, kind="independent", truth=(), d=200):
    """Return (X, y, true effects) of independent features, blocks of ten (ρ = 0.7), or one factor (ρ = 0.5)."""
    rng = np.random.default_rng(seed)
    y = np.arange(N) % 2
    noise = rng.normal(size=(N, d))
    if kind == "factor":
        noise = np.sqrt(0.5) * (noise + rng.normal(size=(N, 1)))
    if kind == "blocks":
        noise = np.sqrt(0.3) * noise + np.sqrt(0.7) * np.repeat(rng.normal(size=(N, d // 10)), 10, axis=1)
    effect = np.zeros(d)
    effect[: len(truth)] = truth
    return noise + y[:, None] * effect, y, effect


def chosen(tables, kind, truth, d=200, pairs=10, threshold=0.5):
    """[(4, chosen) measured, shrunken and true effect, is it held] of each table: the features in at least `threshold` of the runs.

    Signs are those of the measured effects. Runs are halves, of which each selects as many features as have an effect, or ten.
    """
    rows, effects = rows_of(sc.ComplementaryPairs(pairs), N, 0), []
    for seed in range(tables):
        X, y, effect = drawn(seed, kind, truth, d)
        value, error, bend = error_of_difference(X, y)
        mean, low, high = shrinkage.shrunken_effects(value, error, bend, difference_contributions(X, y))
        _, measured_low, measured_high = standardised_difference(X, y)
        low, high = np.minimum(low, measured_low), np.maximum(high, measured_high)  # as analysis.effects
        in_panel = (ranks(X, y, rows) < max(K, len(truth))).mean(axis=0) >= threshold
        sign = np.sign(value)
        effects.append(np.stack([sign * value, sign * mean, sign * effect, (low <= effect) & (effect <= high)])[:, in_panel])
    return effects
