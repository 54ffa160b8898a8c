"""Tables with and without signal and known correlations, and tests of selections against the noise floor."""

import numpy as np

import stabcore as sc
from stabcore.inference.noise_floor import stability_with_floor

KINDS = ("independent", "blocks", "one factor")
PATIENTS, FEATURES, SELECTED, PAIRS, SHUFFLES = 100, 100, 10, 25, 20
NAMES = [f"f{i}" for i in range(FEATURES)]
RELATED = sc.Similarity.from_groups({f"block {b}": NAMES[10 * b : 10 * b + 10] for b in range(5)}, names=NAMES)
SHARE = 1 / (2 * PAIRS - 1)  # share of pairs of runs that are complementary


def table(rng, kind, effect):
    """Return (X, y). Blocks of ten features or one factor correlate by 0.7, and ten features differ by `effect`."""
    X, y = rng.normal(size=(PATIENTS, FEATURES)), np.arange(PATIENTS) % 2
    if kind == "blocks":
        X[:, :50] = np.sqrt(0.3) * X[:, :50] + np.sqrt(0.7) * np.repeat(rng.normal(size=(PATIENTS, 5)), 10, axis=1)
    elif kind == "one factor":
        X = np.sqrt(0.3) * X + np.sqrt(0.7) * rng.normal(size=(PATIENTS, 1))
    X[:, rng.choice(FEATURES, 10, replace=False)] += effect * y[:, None]
    return X, y


def runs(rng, X, y, pairs):
    """Selections by Welch's t on complementary pairs, as units."""
    first = np.zeros((pairs, PATIENTS), dtype=bool)
    for members in (np.flatnonzero(y == c) for c in (0, 1)):
        for row in first:
            row[rng.permutation(members)[: len(members) // 2]] = True
    rows = np.stack([first, ~first], axis=1).reshape(2 * pairs, PATIENTS).astype(float)
    moments = []
    for inside in (rows * y, rows * (1 - y)):
        n = inside.sum(axis=1, keepdims=True)
        mean = inside @ X / n
        moments.append((mean, (inside @ X**2 / n - mean**2) / (n - 1)))
    t = np.abs(moments[0][0] - moments[1][0]) / np.sqrt(moments[0][1] + moments[1][1])
    Z = np.zeros(t.shape)
    np.put_along_axis(Z, np.argsort(-t, axis=1)[:, :SELECTED], 1, axis=1)
    return sc.Selections.from_matrix(Z, NAMES).in_units(np.repeat(np.arange(pairs), 2))


def clear(rng, kind, effect):
    """Return whether Φ, split-half agreement and Φ_C are clearly above the noise floor."""
    X, y = table(rng, kind, effect)
    real = runs(rng, X, y, PAIRS)
    shuffles = [runs(rng, X, rng.permutation(y), 2) for _ in range(SHUFFLES)]
    halves, *floors = (selections.in_pairs(selections.units) for selections in (real, *shuffles))
    return (
        stability_with_floor(real, shuffles, "nogueira", share=SHARE)["clear"],
        stability_with_floor(halves, floors, "nogueira", share=1.0)["clear"],
        stability_with_floor(real, shuffles, "effective", RELATED, SHARE)["clear"],
    )
