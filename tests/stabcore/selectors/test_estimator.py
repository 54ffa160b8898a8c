"""scikit-learn models and user-defined objects as selectors, alone and in a study."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import pandas as pd
import pytest
from own_support import MeanDifference
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LinearRegression, LogisticRegression, LogisticRegressionCV, Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study_support import data as toy

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable, as_table
from stabcore.selectors.base import Selector
from stabcore.selectors.catalog import selector
from stabcore.selectors.estimator import EstimatorSelector, UserSelector, as_selector, model_class
from stabcore.study.choices import Choice


def data(n=60, d=5, classes=2, random_state=0):
    rng = np.random.default_rng(random_state)
    y = rng.permutation(np.arange(n) % classes)
    return rng.normal(size=(n, d)) * [1, 10, 100, 0.1, 0.01] + y[:, None] * np.array([0, 20, 0, 0, 0]), y


def standardised(X):
    return Design.learn(as_table(X)).transform(as_table(X))


@pytest.mark.parametrize("classes", [2, 3])
def test_linear_weights_are_summed_over_classes(classes):
    X, y = data(classes=classes)
    fitted = EstimatorSelector(LogisticRegression(C=0.3)).fit(X, y, rng=0)
    model = LogisticRegression(C=0.3).fit(standardised(X), y)
    np.testing.assert_allclose(fitted.scores_, np.abs(model.coef_).sum(axis=0))
    assert fitted.importances_.tolist() == fitted.scores_.tolist() and fitted.select(1).tolist() == [1]


def test_weights_of_columns_are_summed_by_feature():
    X, y = data()
    frame = pd.DataFrame(X).assign(stage=pd.Categorical(np.array(list("abc"))[np.arange(60) % 3]))
    frame.iloc[::9, 0] = np.nan
    design = Design.learn(as_table(frame))
    model = LogisticRegression().fit(design.transform(as_table(frame)), y)
    expected = [np.abs(model.coef_[0][design.feature == f]).sum() for f in range(6)]
    np.testing.assert_allclose(EstimatorSelector(LogisticRegression()).fit(frame, y, rng=0).scores_, expected)


def test_every_random_state_follows_the_seed():
    X, y = data(d=5)
    pipe = make_pipeline(StandardScaler(), ExtraTreesClassifier(5, random_state=1))
    first, same, other = (EstimatorSelector(pipe).fit(X, y, rng=seed).scores_ for seed in (0, 0, 1))
    assert first.tobytes() == same.tobytes() and not np.array_equal(first, other)
    assert pipe.get_params()["extratreesclassifier__random_state"] == 1 and not hasattr(pipe[-1], "estimators_")


def test_a_classifier_by_name_becomes_a_regressor_for_a_number():
    X, _ = data()
    y = X[:, 2] + 50
    fitted = selector("estimator", parameters={"n_estimators": 10}).fit(X, y, rng=4)
    model = ExtraTreesRegressor(10, random_state=int(np.random.default_rng(4).integers(2**31))).fit(standardised(X), y)
    np.testing.assert_allclose(fitted.scores_, model.feature_importances_)
    with pytest.raises(InputError):
        EstimatorSelector(ExtraTreesClassifier()).fit(X, y)
    with pytest.raises(InputError):
        selector("estimator", model="sklearn.linear_model.RidgeClassifier").fit(X, y, rng=0)


@pytest.mark.parametrize("parameters", [{"depth": 3}, {"n_estimators": -3}])
def test_unknown_parameters_are_refused(parameters):
    with pytest.raises(InputError):
        selector("estimator", parameters=parameters).fit(*data())


def test_a_regressor_is_not_given_three_classes():
    X, y = data(classes=3)
    with pytest.raises(InputError):
        EstimatorSelector(LinearRegression()).fit(X, y)
    EstimatorSelector(LinearRegression()).fit(X, y > 0, rng=0)


# ---- user-defined objects ----


class Minimal:
    """The smallest valid selector, by mean differences."""

    def __init__(self, less=0.1):
        self.less = less

    def fit(self, X, y):
        self.seen = X
        self.scores_ = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0)) - self.less


class Seeded(Minimal):
    def fit(self, X, y, k=None, **more):
        super().fit(X, y)
        self.k, self.rng = k, more["rng"]
        self.importances_ = np.arange(X.shape[1]) + 1.0
        self.warnings_ = ["a warning"]


class Complete:
    """A selector with its own ranking and selection."""

    def fit(self, table, y):
        assert isinstance(table, FeatureTable)
        self.scores_ = np.arange(table.n_features, dtype=float)
        self.ranking_ = np.arange(table.n_features, 0, -1)
        self.importances_ = self.scores_

    def select(self, k):
        return np.array([0])


class CompleteWithSeed(Complete):
    def fit(self, table, y, *, rng=None, k=None):
        return super().fit(table, y)


def test_complete_selectors_are_not_wrapped():
    for complete in (selector("mim"), CompleteWithSeed()):
        assert as_selector(complete) is complete
    X, y = data()
    fitted = as_selector(Complete()).fit(X, y, rng=0, k=2)
    assert isinstance(fitted, UserSelector) and fitted.select(3).tolist() == [0]
    assert fitted.ranking_.tolist() == [5, 4, 3, 2, 1] and fitted.importances_.tolist() == [0, 1, 2, 3, 4]


def test_fit_and_scores_are_enough():
    X, y = data()
    X = np.column_stack([X, np.ones(60)])
    minimal = Minimal()
    fitted = as_selector(minimal).fit(X, y, rng=0, k=2)
    np.testing.assert_allclose(minimal.seen, standardised(X))
    assert fitted.scores_[:5].tolist() == minimal.scores_.tolist() and np.isnan(fitted.scores_[5])
    assert fitted.select(1).tolist() == [1] and np.isnan(fitted.ranking_[5])
    np.testing.assert_array_equal(fitted.importances_[:5], np.maximum(minimal.scores_, 0))
    assert (minimal.scores_ < 0).any() and fitted.importances_[5] == 0
    assert isinstance(pickle.loads(pickle.dumps(as_selector(Minimal()))), Selector)


def test_an_object_with_weights_only_is_told_what_to_do():
    weighted = type("Weighted", (), {"fit": lambda self, X, y: setattr(self, "coef_", np.ones(X.shape[1]))})()
    with pytest.raises(sc.InputError, match="sets no scores_.*BaseEstimator"):
        as_selector(weighted).fit(*data(), rng=0, k=2)


def test_rng_and_k_are_passed_if_fit_accepts_them():
    X, y = data()
    seeded, rng = Seeded(), np.random.default_rng(1)
    fitted = as_selector(seeded).fit(X, y, rng=rng, k=2)
    assert seeded.k == 2 and seeded.rng is rng and fitted.warnings_ == ["a warning"]
    assert fitted.importances_.tolist() == [1, 2, 3, 4, 5]


# ---- names of scikit-learn models and their parameters, which are user input ----

LOGISTIC = "sklearn.linear_model.LogisticRegression"
NO_MODELS = [
    *("os.system", "subprocess.Popen", "LogisticRegression", "sklearnother.X", "sklearn/x.X", "", "x" * 10_000, None, 3),
    *("sklearn", "sklearn.", "sklearn.linear_model", "sklearn.linear_model.lasso_path", "sklearn.nothing.X", "sklearn..X"),
    *("sklearn.datasets.fetch_openml", "sklearn.externals._arff.ArffDecoder", "sklearn.utils._testing.TempMemmap"),
    *("sklearn.tests.test_base.MyEstimator", LOGISTIC + "\n"),
    *("sklearn.cluster.FeatureAgglomeration", "sklearn.pipeline.Pipeline", "sklearn.decomposition.PCA"),
    *("sklearn.neighbors.KNeighborsClassifier", "sklearn.preprocessing.FunctionTransformer"),
    *("sklearn.model_selection.GridSearchCV", "sklearn.ensemble.StackingClassifier"),
]
NO_PARAMETERS = [
    *({"memory": "x"}, {"svc__memory": "x"}, {"memory": None}, {"cache_dir": "x"}, {"data_path": 1}),
    *({"C": value} for value in ("/etc/passwd", "..\\x", "~", "..", ["a", ["/x"]], print, object(), b"x", {"a": print})),
    *({"C": [object()]}, {"C": np.array([print], dtype=object)}, {"class_weight": {"memory": "x"}}),
]


@pytest.mark.parametrize("name", NO_MODELS, ids=range(len(NO_MODELS)))
def test_names_without_a_weighted_model_are_refused(name):
    with pytest.raises(InputError):
        selector("estimator", model=name)


@pytest.mark.parametrize("parameters", NO_PARAMETERS, ids=range(len(NO_PARAMETERS)))
def test_paths_code_and_models_as_parameters_are_refused(parameters):
    with pytest.raises(InputError):
        selector("estimator", model=LOGISTIC, parameters=parameters)


def test_weighted_models_and_plain_values_are_accepted():
    for name in ("svm.SVC", "linear_model.Lasso", "tree.DecisionTreeClassifier", "cross_decomposition.PLSRegression"):
        assert model_class(f"sklearn.{name}").__name__ == name.rpartition(".")[2]
    given = {"C": 0.5, "class_weight": {"0": 1.0}, "solver": "liblinear", "l1_ratio": None}
    assert selector("estimator", model=LOGISTIC, parameters=given).parameters["C"] == 0.5


def test_random_models_and_objects_are_recognised():
    class Draws:
        def fit(self, X, y, rng=None):
            self.scores_ = np.random.default_rng(rng).random(X.shape[1])

    class DeclaredFixed(Draws):
        chance_inside = False

    owns = (ExtraTreesClassifier(), Ridge(), Minimal(), Draws(), DeclaredFixed())  # some solvers of Ridge use random_state
    assert [Choice("own", user_object=user_object).chance_inside for user_object in owns] == [True, True, False, True, False]
    assert not Choice("own", "estimator", (("model", "sklearn.linear_model.OrthogonalMatchingPursuit"),)).chance_inside


class Preset(MeanDifference):
    """Returns preset results. It accepts rng and k, so it is not wrapped."""

    def __init__(self, chosen=None, **more):
        self.chosen, self.more = chosen, more

    def fit(self, X, y, *, rng=None, k=None):
        super().fit(X, y)
        for name, value in self.more.items():
            setattr(self, name, value)

    def select(self, k):
        return super().select(k) if self.chosen is None else self.chosen


def study(user_object, random_state=5):
    return sc.Study(
        toy(), {"mine": user_object, "mim": "mim"}, plan=sc.Subsample(4, 0.2), k=2, random_state=random_state, n_permutations=0
    )


def test_user_selectors_agree_in_processes_and_threads(tmp_path):
    minimal = Minimal()
    found = study(minimal).run(store=tmp_path / "two.stab", n_jobs=2)
    with ThreadPoolExecutor(1) as executor:
        study(minimal).run(executor, store=tmp_path / "one.stab", progress=lambda done, total: done < 3)
        with pytest.raises(sc.InputError):
            study(Minimal(less=0.2)).run(executor, store=tmp_path / "one.stab")
        assert study(minimal).run(executor, store=tmp_path / "one.stab").digest() == found.digest()
    assert (found.progress()["done"] == 4).all() and found.table().loc["mine", "nogueira"] > 0.5


class Global:
    """Draws from the global random generators."""

    def fit(self, X, y):
        self.scores_ = np.random.rand(X.shape[1]) + random.random() * X[0]


class Halves:
    """A plan that draws rows from the global random generator."""

    n_runs = 4

    def resample(self, run, target, seed, patients=None):
        rows = np.random.permutation(len(target))
        return rows[::2], rows[1::2]


SPLITTER = StratifiedKFold(3, shuffle=True)


@pytest.mark.parametrize(
    ("model", "plan"),
    [
        (RFECV(LogisticRegression(), cv=SPLITTER), sc.Subsample(4, 0.2)),
        (LogisticRegressionCV(cv=SPLITTER, Cs=2), sc.Subsample(4, 0.2)),
        (Global(), sc.Subsample(4, 0.2)),
        (Minimal(), Halves()),
    ],
    ids=["a search", "a model with a splitter", "global numbers", "a plan"],
)
def test_random_numbers_of_users_depend_on_the_study_seed(model, plan):
    made = sc.Study(toy(), {"mine": model}, plan=plan, k=2, random_state=5, n_permutations=0, classifier="none")
    digests = []
    for seed in (1, 2):
        np.random.seed(seed)
        random.seed(seed)
        digests.append(made.run(n_jobs=1, progress=False).digest())
        assert np.random.get_state()[1][0] == seed, "the global generator is restored"
    assert digests[0] == digests[1] and SPLITTER.random_state is None


@pytest.mark.parametrize(
    "wrong_object",
    [
        Minimal,
        *(3, object(), max),
        type("Alone", (), {"fit": lambda self, X: None})(),
        type("Asks", (), {"fit": lambda self, X, y, depth: None})(),
        Minimal(less=Lock()),
    ],
    ids=["a class", "a number", "an object", "a function", "fit without y", "fit with more", "not to be pickled"],
)
def test_invalid_selectors_are_refused_when_a_study_is_made(wrong_object):
    with pytest.raises(sc.InputError):
        study(wrong_object)


@pytest.mark.parametrize(
    "wrong_object",
    [
        Preset([0, 7]),
        Preset([1, 1]),
        Preset(np.array([0.5, 1])),
        Preset(np.ones(7, dtype=bool)),
        Preset(scores_=[1, 2]),
        Preset(importances_="high"),
        Preset([0], ranking_=None),
        Preset(scores_=np.array(["a"] * 7)),
        type("Silent", (), {"fit": lambda self, X, y: None})(),
    ],
    ids=range(9),
)
def test_wrong_results_of_a_fit_fail_that_run(wrong_object, tmp_path):
    with ThreadPoolExecutor(1) as executor:
        found = study(wrong_object).run(executor, store=tmp_path / "w.stab")
    assert found.progress().loc["mine", "failed"] == 4 and found.progress().loc["mim", "done"] == 4
    assert found.messages()["message"].str.startswith("InputError: ").all()
