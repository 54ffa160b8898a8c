"""False alarms of the permutation control, and coverage of the share of the seed. Printed, not asserted.

Each part takes about a minute. `python tests/benchmarks/bench_control.py 400` takes 400 tables instead of 100.
"""

import sys

import numpy as np
from floor_support import KINDS, clear
from noise_support import noise_study
from seed_support import drawn

import stabcore as sc
from pages.workspace.samples import samples
from stabcore.inference.disagreement import disagreement_sources
from stabcore.inference.noise_floor import equivalent_runs, simulated_frequencies
from stabcore.study.loading import load_study

SHUFFLES = 19


def without_signal(n_tables):
    """How often p ≤ 0.05 where the outcome has nothing to do with the features."""
    print(
        f"p ≤ 0.05 without signal, S = {SHUFFLES}, of {n_tables} tables (60 rows, 12 features, standard error "
        f"{100 * (0.05 * 0.95 / n_tables) ** 0.5:.1f}%):"
    )
    plans = {"5% left out": sc.Subsample(10, 0.05), "halves": sc.ComplementaryPairs(5), "bootstrap": sc.Bootstrap(10)}
    for name, plan in plans.items():
        p = {}
        for seed in range(n_tables):
            found = noise_study(seed, selectors=("welch_t",), plan=plan, n_permutations=SHUFFLES, classifier="none")
            for k in (None, 6):
                for measure in ("nogueira", "jaccard"):
                    p.setdefault((measure, k or 3), []).append(found.noise_floor(measure, k=k).loc["welch_t", "p"])
        for (measure, k), values in p.items():
            values = np.array(values)
            print(f"  {name:14}{measure:10} k = {k}: {100 * np.mean(values <= 0.05):5.1f}%   mean p {values.mean():.3f} (0.525)")


def clear_of_the_floor(n_tables):
    """How often a selector is clearly above its noise floor, by 20 shuffles of few runs, without signal and with it."""
    print(
        f"clear of the floor, Welch's t, 100 patients, 100 features, 10 selected, 25 pairs of halves, of {n_tables} tables "
        f"(standard error {100 * (0.05 * 0.95 / n_tables) ** 0.5:.1f}% at 5%): Φ / halves / Φ_C by blocks"
    )
    for kind in KINDS:
        for effect in (0.0, 0.45):
            rows = np.array([clear(np.random.default_rng([seed, int(100 * effect)]), kind, effect) for seed in range(n_tables)])
            print(f"  {kind:12} effect {effect}: " + " / ".join(f"{100 * share:.1f}%" for share in rows.mean(axis=0)))


def highest_frequencies(n_tables):
    """The highest frequencies of shuffles of 4 runs, beside those of all 50, and how often a study without signal exceeds them.

    Every shuffle takes its turn as the study, so that one of 20 is expected to exceed the 19 others.
    """
    print(
        f"highest frequency with the outcome shuffled, 100 patients, 100 features, 10 selected, 20 shuffles, of {n_tables} tables:"
    )
    found = {}
    for seed in range(n_tables):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 100)), rng.permutation(np.arange(100) % 2)
        options = {"plan": sc.ComplementaryPairs(25), "k": 10, "random_state": seed, "classifier": "none", "n_permutations": 20}
        result = sc.Study(X, y, ["welch_t", "mim"], permutation_runs=50, **options).run(n_jobs=1)
        for asked in (["welch_t"], ["mim"], ["welch_t", "mim"]):
            every = [dict(result.shuffled(label)) for label in asked]
            runs = np.array([np.mean([of_one[shuffle].selected for of_one in every], axis=0) for shuffle in sorted(every[0])])
            for study, frequencies in enumerate(runs.mean(axis=1)):
                others = np.delete(runs, study, axis=0)
                pairs = others[:, :4].reshape(len(others), 2, 2, -1).mean(axis=2)
                few = simulated_frequencies(pairs, equivalent_runs(others[:, :4], 50), rng).max()
                row = (others.mean(axis=1).max(), few, frequencies.max() > few)
                found.setdefault(" and ".join(asked), []).append(row)
    for asked, rows in found.items():
        whole, few, alarms = np.mean(rows, axis=0)
        print(f"  {asked:16}{whole:.2f} of 50 runs, {few:.2f} of 4 runs, exceeded by {alarms:.1%} of {len(rows)} studies (5%)")


def own_shares(n_draws):
    """The share of the seed where it is known, and of a random forest."""
    print(f"share of the seed, 50 runs, R = 2, {n_draws} draws: bias and how often the 95% interval holds it")
    for seed_share in (0.05, 0.25, 0.5, 0.75, 0.95):
        rng = np.random.default_rng(int(100 * seed_share))
        drawings = (drawn(rng, 50, seed_share=seed_share) for _ in range(n_draws))
        found = [(disagreement_sources({(i, 0): fit for i, fit in enumerate(fits)}), share) for fits, share in drawings]
        bias = np.mean([interval["seed"] - share for interval, share in found])
        held = np.mean([interval["seed_low"] <= share <= interval["seed_high"] for interval, share in found])
        print(f"  known {np.mean([share for _, share in found]):.2f}: bias {bias:+.3f}, held {held:.1%}")
    study = _alzheimer(("random_forest",), sc.Subsample(20, 0.05), n_seeds=2)
    result = study.run(n_jobs=2)
    fits = [sc.selector("random_forest").fit(study.data.table, study.data.target, rng=seed).ranking_ <= 20 for seed in range(20)]
    same = sc.stability(sc.Selections.from_matrix(np.array(fits).astype(int))).value
    other = result.table("nogueira").loc["random_forest", "nogueira"]
    print(f"random forest on alzheimer_ad, k = 20: all rows with another seed {same:.2f}, 5% left out {other:.2f}")
    print(result.disagreement_sources().round(3).to_string())


def _alzheimer(selectors, plan, **options):
    bundled = next(sample for sample in samples() if sample.key == "alzheimer_ad")
    return sc.Study(
        load_study(bundled.settings).data, list(selectors), plan=plan, k=20, random_state=1, classifier="none", **options
    )


if __name__ == "__main__":
    n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    without_signal(n_tables)
    clear_of_the_floor(2 * n_tables)
    highest_frequencies(max(1, n_tables // 10))
    own_shares(2 * n_tables)
