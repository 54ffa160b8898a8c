"""Results of a study for another k equal those of a study with that k, or are missing if unknown."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from noise_support import Here
from study_support import data
from support import ROOT, slow

import stabcore as sc
from pages.workspace.samples import samples
from stabcore.analysis.stability_profile import stability_profile
from stabcore.base.target import TIME
from stabcore.io.feature_sets import read_sets
from stabcore.measures.catalog import available_measures
from stabcore.selections.model_paths import ModelPath
from stabcore.selectors.catalog import BY_KEY
from stabcore.study.loading import load_study

PATHS = {"lasso": {}, "elastic_net": {}, "group_lasso": {}}
QUICK = {
    "random_forest": {"trees": 8},
    "random_forest_permutation": {"trees": 8},
    "gbm": {"rounds": 15},
    "boruta": {"trees": 8, "rounds": 8},
    "estimator": {"model": "sklearn.linear_model.LogisticRegression"},
}


def bundled(key, every):
    """Every n-th row of a bundled table, and its groups."""
    sample = next(candidate for candidate in samples() if candidate.key == key)
    whole = load_study(sample.settings).data
    groups = read_sets(ROOT / "sample_data" / f"{key}.groups.csv", None, whole.features).sets
    rows = np.arange(0, whole.n_rows, every)
    frame = pd.DataFrame(whole.table.values[rows], columns=whole.features)
    frame["outcome"] = np.array(whole.classes)[whole.target[rows]]
    return sc.Dataset.from_frame(frame, target="outcome", name=key), groups


def grouped():
    """Ten features: groups of 4, 3 and 2, and one without a group."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 10)) + 0.7 * np.repeat(rng.normal(size=(80, 4)), [4, 3, 2, 1], axis=1)
    frame = pd.DataFrame(X, columns=list("abcdefghij")).assign(
        outcome=np.where(X[:, :3].sum(axis=1) + X[:, 7] + rng.normal(size=80) > 0, "sick", "well")
    )
    return sc.Dataset.from_frame(frame, target="outcome"), {"one": list("aceg"), "two": list("bdf"), "three": list("hi")}


def studied(table, selectors, store, k, runs=2):
    options = {"k": k, "classifier": "none", "random_state": 3, "n_permutations": 0}
    return sc.Study(table, selectors, plan=sc.Subsample(runs, test_size=0.2), **options).run(Here(), store=store)


@pytest.mark.parametrize(("table", "asked"), [slow("breast_wdbc", 8), slow("wine", 3), ("grouped", 5)])
def test_a_path_gives_the_study_of_every_k(table, asked, tmp_path):
    dataset, groups = grouped() if table == "grouped" else bundled(table, 4 if table == "breast_wdbc" else 2)
    selectors = {key: (key, {"groups": groups} if key == "group_lasso" else {}) for key in PATHS}
    found = studied(dataset, selectors, tmp_path / "asked.stab", asked)
    moved = 0
    for k in range(1, dataset.n_features + 1, {"breast_wdbc": 4, "wine": 3, "grouped": 2}[table]):
        there = studied(dataset, selectors, tmp_path / f"{k}.stab", k)
        for label in selectors:
            here, truth = found.selections(label, k), there.selections(label)
            assert (here.selected == truth.selected).all(), (label, k)
            np.testing.assert_allclose(here.importances, truth.importances, rtol=1e-6)
            moved += (here.selected != (here.ranks <= k)).any()
            if label == "group_lasso":
                for members in groups.values():
                    inside = here.selected[:, [dataset.features.index(name) for name in members]].sum(axis=1)
                    assert set(inside) <= {0, len(members)}
    assert moved > 2  # the sets are not just the k best ranks


def test_every_other_selector_for_another_k(tmp_path):
    """Numbers, a category and gaps: sets are equal, and so are importances that the catalogue calls known."""
    dataset = data()
    selectors = {key: (key, QUICK.get(key, {})) for key, entry in BY_KEY.items() if key not in PATHS and entry.targets != (TIME,)}
    found = studied(dataset, selectors, tmp_path / "asked.stab", 5)
    for k in (1, 7):
        there = studied(dataset, selectors, tmp_path / f"{k}.stab", k)
        for label in selectors:
            here, truth = found.selections(label, k), there.selections(label)
            assert (here.selected == truth.selected).all(), (label, k)
            assert (here.importances is None) == (BY_KEY[label].importances_of_one_k)
            if here.importances is not None:
                scale = k / 5 if label == "random" else 1  # 1/k per feature
                np.testing.assert_allclose(here.importances, truth.importances * scale, rtol=1e-9, err_msg=label)


def test_importances_of_another_k_are_missing_if_unknown(tmp_path):
    found = studied(data(), ["mim", "logistic_rfe", "lasso"], tmp_path / "study.stab", 3, runs=4)
    keys = ["nogueira", "importance_weighted"]
    there, other = found.table(keys, k=3), found.table(keys, k=4)
    assert there["importance_weighted"].notna().all() and other["nogueira"].notna().all()
    assert other["importance_weighted"].notna().tolist() == [True, False, True]
    note = other.loc["logistic_rfe", "importance_weighted_note"]
    assert "known for the 3 " in note
    runs = found.selections("logistic_rfe", 4)
    assert runs.weights is None and runs.no_importances
    assert "importance_weighted" in [measure.key for measure in available_measures(runs)]
    with pytest.raises(sc.InputError):
        sc.stability(runs, "importance_weighted")
    assert not found.selections("mim", 4).no_importances


def path_runs(seed, runs=7, d=90, longest=12):
    """Selections with paths of sets that grow, change and stay, and their sets at every k by a loop."""
    rng = np.random.default_rng(seed)
    paths, sets = [], []
    for _ in range(runs):
        models, now = {}, set()
        for k in range(1, longest + 1):
            if rng.random() < 0.8:
                while len(now) < k:
                    now = now | {int(rng.integers(20))} if rng.random() < 0.8 else now | {int(rng.integers(d))}
                if rng.random() < 0.4:
                    now = now - {min(now)}
                models[k] = np.array(sorted(now), dtype=int)
        models[longest] = np.array(sorted(rng.choice(d, longest, replace=False)), dtype=int)
        paths.append(ModelPath.of(models))
        nearest = [max((size for size in models if size <= k), default=0) for k in range(1, longest + 1)]
        sets.append([models.get(size, np.empty(0, int)) for size in nearest])
    ranks = np.array([rng.permutation(d) + 1.0 for _ in range(runs)])
    made = sc.Selections.from_scores(-ranks)
    return replace(made, ranks=ranks, paths=tuple(paths)), sets


@pytest.mark.parametrize("measure", ["nogueira", "jaccard", "kuncheva", "phi", "effective"])
def test_a_profile_uses_the_sets_of_the_selector_at_every_k(measure):
    runs, sets = path_runs(0)
    groups = sc.Similarity.from_groups({"a": range(6), "b": [7, 30, 31]}, n_features=90)
    similarity = groups.edited({(0, 8): 0.4, (2, 9): 0.7}) if measure == "effective" else None
    curve = stability_profile(runs, measure, similarity=similarity).set_index("k")
    assert curve.index.tolist() == list(range(1, 13))
    for k in curve.index:
        plain = sc.Selections.from_lists([chosen_set[k - 1] for chosen_set in sets], n_features=90)
        try:
            value = sc.stability(plain, measure, similarity=similarity, interval="jackknife")
        except sc.InputError:  # kuncheva of unequal sizes
            assert measure == "kuncheva" and np.isnan(curve.loc[k, "value"])
            continue
        expected = pytest.approx([value.value, value.low, value.high], abs=1e-9, nan_ok=True)
        assert curve.loc[k, ["value", "low", "high"]].tolist() == expected
        assert (runs.top(k).selected == plain.selected).all()


class Pairs:
    """Selects an even number of features: 2 for k = 2 and 3."""

    def fit(self, X, y, rng=None, k=None):
        self.scores_ = -np.arange(X.n_features, dtype=float)
        self.ranking_, self.importances_ = np.arange(X.n_features) + 1.0, np.ones(X.n_features)
        return self

    def select(self, k):
        return np.arange(k - k % 2)


def test_a_user_defined_select_is_called_for_every_k(tmp_path):
    found = studied(data(), {"pairs": Pairs(), "mim": "mim"}, tmp_path / "study.stab", 4)
    assert [found.selections("pairs", k).sizes.tolist() for k in (1, 2, 3, 6, 7)] == [[n, n] for n in (0, 2, 2, 6, 6)]
    assert found.selections("pairs", 6).no_importances  # its fit takes k, so importances of another k are unknown
    assert found.selections("mim").paths is None
