"""Numbers of features per selector, one selector at several settings, and importances in a classifier."""

import numpy as np
import pytest
from noise_support import Here
from study_support import data, study

import stabcore as sc
from stabcore.classifiers.catalog import CLASSIFIERS, classifier
from stabcore.classifiers.user_classifiers import UserClassifier
from stabcore.selectors.classifier_importance import classifier_importance, importance_kinds
from stabcore.selectors.importance import linear_importance
from stabcore.study.rerun import continued_tables, settings_text
from stabcore.study.settings import check_settings

SEVERAL = {
    "two": ("mim", {"k": 2}),
    "usual": "mim",
    "half": ("lasso", {"k": 0.5}),
    "boosted": ("glm_boosting", {"k": "free", "rounds": 3}),
}


@pytest.fixture(scope="module")
def several():
    return study(SEVERAL, runs=4).run(Here())


def test_each_selector_selects_its_own_number_also_when_the_study_is_repeated(several):
    sizes = {label: several.selections(label).sizes for label in several.selectors}
    assert (sizes["two"] == 2).all() and (sizes["usual"] == 3).all() and sizes["half"].max() <= 4
    assert sizes["boosted"].min() >= 1 and sizes["boosted"].max() <= 3
    assert [several.n_selected_by(label) for label in SEVERAL] == [2, 3, 4, None]
    assert several.selections("boosted").k is None and several.selections("two").k == 2
    assert "2 to 4 or any" in several.sentence()
    np.testing.assert_array_equal(several.selections("two", 3).selected, several.selections("usual").selected)
    tables = continued_tables(several.settings, data())
    assert [table.get("k") for table in tables["selector"]] == [2, None, 4, "free"]
    check_settings(tables, "again.toml")
    assert "free" in settings_text(several.settings)


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        *(("linear", "logistic"), ("linear", "svm"), ("margin", "rbf_svm"), ("margin", "svm"), ("permutation", "random_forest")),
        *(("sensitivity", "logistic"), ("sensitivity", "3nn")),
    ],
)
def test_importances_in_the_classifier(kind, key):
    asked = sc.Study(data(), ["mim"], plan=sc.Subsample(2, 0.2), k=3, classifier=key, importances=kind, n_permutations=0)
    made = asked.run(Here())
    task = made.store.tasks("mim")[0]
    assert (np.delete(task.importances, task.selected) == 0).all() and task.importances.max() > 0
    if kind == "linear":
        drawn = made.plan.resample(task.run, made.target, 0)
        few = data().table.rows(drawn.rows).columns(task.selected)
        design, model = classifier(key).fit(few, made.target[drawn.rows], 0, n_classes=2).fitted
        expected = design.total(linear_importance(model.coef_[0]), few.n_features)
        np.testing.assert_allclose(task.importances[task.selected], expected, rtol=1e-6)
    assert sc.stability(made.selections("mim"), "importance_weighted").value <= 1


def test_offered_importances_of_classifiers_are_not_zero():
    """An offered importance must not be zero everywhere, as the sensitivity of nearest neighbours once was."""
    rows = np.arange(30)
    few, target = data().table.columns([0, 1, 2]).rows(rows), data().target[rows]
    for key in CLASSIFIERS:
        for kind in set(importance_kinds(key, 2)) - {"selector"}:
            learner = classifier(key).fit(few, target, 0, n_classes=2)
            assert classifier_importance(kind, learner, few, target, np.random.default_rng(0)).max() > 0, (kind, key)


def test_invalid_numbers_and_importances_are_refused():
    cases = [
        {"selectors": {"lasso": ("lasso", {"k": "free"})}},
        {"selectors": {"mim": ("mim", {"k": 9})}},
        *({"classifier": key} for key in ("0nn", "100nn", "nn", "-1nn")),
        *({"classifier": key, "importances": kind} for kind, key in (("linear", "random_forest"), ("margin", "3nn"))),
        *({"classifier": key, "importances": kind} for kind, key in (("sensitivity", "none"), ("x", "svm"))),
    ]
    for options in cases:
        with pytest.raises(sc.InputError):
            sc.Study(data(), **{"selectors": ["mim"], "k": 3, "n_permutations": 0, **options})

    class Mine:
        """A classifier of whole tables, which has no sensitivity."""

        def fit(self, table, y, rng, n_classes):
            return self

        def predict(self, table):
            return np.zeros(table.n_rows, dtype=int), None

    with pytest.raises(sc.InputError):
        classifier_importance(
            "sensitivity", UserClassifier(Mine()).fit(data().table, data().target), data().table, data().target, 0
        )
