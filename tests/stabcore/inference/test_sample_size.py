"""Numbers of patients: known values, and classes of unequal size."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.inference.sample_size import agreement

# d = 1000, 20 true with an effect of 0.3 standard deviations, k = 20
KNOWN = {
    100: (0.006, 0.13, 0.68, 0.10, 0.18),
    200: (0.029, 0.16, 0.72, 0.19, 0.34),
    500: (0.18, 0.32, 0.84, 0.44, 0.70),
    1000: (0.51, 0.60, 0.95, 0.72, 0.93),
    2000: (0.88, 0.89, 1.00, 0.94, 1.00),
}


def test_known_values():
    table = sc.sample_size_for_stability(list(KNOWN), d=1000, true=20, effect=0.3).set_index("n")
    for n, row in KNOWN.items():
        assert table.loc[n].tolist() == pytest.approx(row, abs=0.0055), n
    assert table.loc[200, "pairs"] == pytest.approx(0.029, abs=0.0005)


def test_agreement_equals_that_of_normal_scores():
    """The slow version draws scores and selects the k largest."""
    rng = np.random.default_rng(3)
    mean, true, d, k, share = 1.5, 12, 150, 12, 0.5
    means, shared, chosen = np.r_[np.full(true, mean), np.zeros(d - true)], [], []
    for _ in range(1500):
        common = rng.normal(size=d) * np.sqrt(share)
        sets = [set(np.argsort(-np.abs(means + common + rng.normal(size=d) * np.sqrt(1 - share)))[:k]) for _ in range(2)]
        shared.append(len(sets[0] & sets[1]))
        chosen.append(len([f for f in sets[0] if f < true]))
    error = np.std(shared) / np.sqrt(len(shared)) / (k - k * k / d)
    slow = (np.mean(shared) - k * k / d) / (k - k * k / d)
    assert agreement(mean, true, d, k, share) == pytest.approx(slow, abs=4 * error + 0.005)  # exactly k features, not k on average
    assert agreement(0.0, true, d, k) == pytest.approx(0, abs=1e-6)
    assert agreement(0.0, true, d, k, 0.95) == pytest.approx(sc.noise_floor(sc.Subsample(50, 0.05), k, d), abs=1e-4)


def test_the_fewest_patients_for_an_agreement():
    fewest = sc.sample_size_for_stability(d=1000, true=20, effect=0.3, wanted=0.5)
    n = int(fewest.loc[0, "n"])
    assert n % 2 == 0 and fewest.loc[0, "pairs"] >= 0.5 and 900 < n < 1000
    assert sc.sample_size_for_stability(n - 2, d=1000, true=20, effect=0.3).loc[0, "pairs"] < 0.5
    wrong = [
        {"n": 100, "true": 10},
        {"n": 100, "effect": 0.0},
        {"n": [2]},
        {"n": 400, "cases": 0.8},
        {"wanted": 0.9, "d": 100, "k": 50},
    ]
    for asked in wrong:
        with pytest.raises(sc.InputError):
            sc.sample_size_for_stability(**{"d": 10, "true": 2, "effect": 0.3, **asked})


def test_unequal_classes_need_more_patients():
    """The slow version computes t statistics in two disjoint halves, with a fifth of the patients as cases."""
    rng, n, d, true, effect, k = np.random.default_rng(5), 400, 200, 10, 0.5, 10
    shared = []
    for _ in range(150):
        sets = []
        for _ in range(2):
            cases, rest = rng.normal(size=(n // 10, d)), rng.normal(size=(n // 2 - n // 10, d))
            cases[:, :true] += effect
            z = (cases.mean(0) - rest.mean(0)) / np.sqrt(cases.var(0, ddof=1) / len(cases) + rest.var(0, ddof=1) / len(rest))
            sets.append(set(np.argsort(-np.abs(z))[:k]))
        shared.append(len(sets[0] & sets[1]))
    seen, error = (np.mean(shared) / k - k / d) / (1 - k / d), np.std(shared) / np.sqrt(len(shared)) / (k - k * k / d)
    pairs = sc.sample_size_for_stability(n, d=d, true=true, effect=effect, cases=0.2).loc[0, "pairs"]
    assert pairs == pytest.approx(seen, abs=4 * error + 0.02)
    assert sc.sample_size_for_stability(n, d=d, true=true, effect=effect).loc[0, "pairs"] > seen + 0.1
    n_equal, n_unequal = (
        sc.sample_size_for_stability(d=d, true=true, effect=effect, wanted=0.5, cases=share).loc[0, "n"] for share in (0.5, 0.2)
    )
    assert n_unequal == pytest.approx(n_equal * 0.25 / 0.16, abs=4)
