"""Panels by a limit on false features: stability paths, shuffles of the outcome, and settings of the study."""

import numpy as np
import pytest
from project_support import patients, study_file
from support import ROOT

import stabcore as sc
from stabcore.analysis.panel import joint_false_selections, panel, panel_rule
from stabcore.analysis.panel_paths import MIN_SHUFFLES, panel_paths
from stabcore.base.errors import InputError
from stabcore.inference.panel_rule import PanelRule
from stabcore.inference.path_selection import path_selection
from stabcore.study.loading import study_from_settings
from stabcore.study.results import Results


class Halves(Results):
    """Uploaded runs that come from complementary pairs."""

    plan = sc.ComplementaryPairs(10)


@pytest.fixture(scope="module")
def halves(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paths")
    return sc.open_study(study_file(folder / "h.stab", patients("abcdefgh", 80), ["mim", "lasso"], sc.ComplementaryPairs(10)))


@pytest.mark.parametrize("asked", [{"max_false": 1}, {"fdr": 0.1}])
def test_the_panel_is_that_of_the_paths(halves, asked):
    path = path_selection([halves.selections(label).ranking() for label in ("mim", "lasso")])
    table = panel(halves, with_substitutes=False, **asked).set_index("feature")
    each = [panel(halves, selectors=[label], with_substitutes=False, **asked) for label in ("mim", "lasso")]
    alone = [set(found.loc[found["in_panel"], "feature"]) for found in each]
    assert table["in_panel"].is_monotonic_decreasing and table["in_panel"].nunique() == 2
    for name, row in table.iterrows():
        f = halves.features.index(name)
        assert row["expected_false"] == path.expected_false[f] and row["q_value"] == path.q_values[f]
        assert row["in_panel"] == (path.q_values[f] <= 0.1 if "fdr" in asked else path.expected_false[f] <= asked["max_false"])
        assert row["approval"] == sum(name in names for names in alone)
    rule = PanelRule(*next(iter(asked.items())))
    together = joint_false_selections(halves, ["mim", "lasso"], rule)
    assert together["panel_size"] == table["in_panel"].sum() and together["basis"] == "paths" and not together["reason"]
    assert together["pfer_bound"] == table.loc[table["in_panel"], "expected_false"].to_numpy().max(initial=0)


def test_a_panel_feature_that_no_run_selects_has_a_row():
    """With one feature per run, the second of every ranking is selected in none."""
    ranks = np.tile(np.arange(1.0, 41), (20, 1))
    table = panel(Halves({"one": sc.Selections.from_rankings(ranks).top(1)}), max_false=1, with_substitutes=False)
    assert table.loc[table["in_panel"], "feature"].tolist()[:2] == ["f1", "f2"] and table["frequency"].tolist()[:2] == [1, 0]


def test_shuffles_raise_the_bound_of_selectors_with_preferences():
    """mRMR prefers the least correlated columns for every outcome."""
    result = sc.open_study(ROOT / "sample_data" / "alzheimer_ad.stab")
    by_label = {label: panel_paths(result, [label]) for label in ("lasso", "mim", "mrmr")}
    assert {label: paths.basis for label, paths in by_label.items()} == {"lasso": "paths", "mim": "paths", "mrmr": "shuffled"}
    alone = path_selection([result.selections("mrmr").ranking()])
    assert (by_label["mrmr"].path.expected_false >= alone.expected_false).all()
    assert (by_label["mrmr"].path.expected_false <= 1).sum() < (alone.expected_false <= 1).sum()


def test_shuffles_tighten_the_bound_only_if_there_are_enough(tmp_path):
    """A selector whose halves share fewer features than those of a t filter admits more features."""
    result = sc.open_study(ROOT / "sample_data" / "teaching_weak.stab")
    ranks, n_rows = result.selections("mim").ranking(), len(result.target)
    shuffled = [[result.selections("mim", shuffle=shuffle).ranking()] for shuffle in result.finished_shuffles("mim")]
    counted, alone = (path_selection([ranks], n_rows=n_rows, shuffled=which) for which in (shuffled, None))
    path = panel_paths(result, ["mim"]).path
    assert (path.expected_false == counted.expected_false).all() and (path.q_values == counted.q_values).all()
    assert (path.expected_false <= 1).sum() > (alone.expected_false <= 1).sum()
    for number in (0, MIN_SHUFFLES - 1):
        options = {"k": 3, "n_permutations": number, "classifier": "none"}
        study = sc.Study(patients("abcdefgh", 40), "outcome", ["mim"], plan=sc.ComplementaryPairs(4), **options)
        few = study.run(n_jobs=1, progress=False)
        alone = path_selection([few.selections("mim").ranking()], n_rows=40)
        assert (panel_paths(few, ["mim"]).path.expected_false >= alone.expected_false).all()
        assert number or (panel_paths(few, ["mim"]).path.expected_false == alone.expected_false).all()


def test_correlated_features_are_judged_without_shuffles_too():
    X = np.random.default_rng(1).normal(size=(80, 40))
    y = (X[:, 0] + X[:, 10] + X[:, 20] > 0).astype(int)
    X[:, :20] = X[:, :20] + 2 * X[:, 20:]  # ρ about 0.9
    X[:, 20:30] = np.random.default_rng(2).normal(size=(80, 10))
    study = sc.Study(X, y, ["lasso"], plan=sc.ComplementaryPairs(10), k=10, n_permutations=5, classifier="none")
    result = study.run(n_jobs=1, progress=False)
    assert result.correlated == [*range(10, 20), *range(30, 40)]
    of_runs = [result.selections("lasso").ranking()]
    shuffled = [[result.selections("lasso", shuffle=number).ranking()] for number in result.finished_shuffles("lasso")]
    with_shuffles, without = (path_selection(of_runs, n_rows=80, shuffled=which).expected_false for which in (shuffled, None))
    both, paths = np.maximum(with_shuffles, without), panel_paths(result, ["lasso"])
    assert paths.basis == "paths" and (both > with_shuffles).any()
    assert (paths.path.expected_false == np.where(np.isin(range(40), result.correlated), both, with_shuffles)).all()
    del result.store._meta["correlated"]  # as in files of earlier versions
    assert (panel_paths(result, ["lasso"]).path.expected_false == both).all()


def test_other_plans_and_two_rules_are_refused(tmp_path):
    subsamples = sc.open_study(study_file(tmp_path / "s.stab", patients("abcd"), ["mim"], sc.Subsample(4, 0.1)))
    with pytest.raises(InputError):
        panel(subsamples, max_false=1)
    assert panel(subsamples)[["expected_false", "q_value"]].isna().all().all()
    for wrong in ({"max_false": 1, "fdr": 0.1}, {"max_false": 0}, {"fdr": 1}, {"threshold": 2}):
        with pytest.raises(InputError):
            panel(subsamples, **wrong)


def test_settings_of_a_study_fix_the_rule(tmp_path):
    data = sc.Dataset.from_frame(patients("abcd"), target="outcome")
    settings = {
        "study": {"k": 2, "n_permutations": 0, "panel": {"max_false": 2}},
        "plan": {"kind": "complementary_pairs", "n_pairs": 4},
        "selector": [{"key": "anova_f"}],
    }
    result = study_from_settings(settings, data).run(store=tmp_path / "fixed.stab", n_jobs=1)
    assert result.settings["panel"] == {"max_false": 2.0}
    assert panel_rule(result) == PanelRule("max_false", 2.0) and panel_rule(result, threshold=0.6) == PanelRule("threshold", 0.6)
    assert panel(result, with_substitutes=False).equals(panel(result, max_false=2, with_substitutes=False))
    for wrong in ({"max_fals": 1}, {"fdr": 3}, "fdr", {"fdr": "1"}):
        with pytest.raises(InputError):
            sc.Study(data, ["mim"], plan=sc.ComplementaryPairs(4), panel=wrong)
