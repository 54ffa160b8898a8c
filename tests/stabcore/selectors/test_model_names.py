"""Names of scikit-learn models and their parameters, as anybody may write them: nothing imports, writes or reads anything."""

import numpy as np
import pytest

import stabcore as sc
from stabcore.selectors.catalog import selector
from stabcore.selectors.estimator import model_class

LOGISTIC = "sklearn.linear_model.LogisticRegression"


@pytest.mark.parametrize("name", [
    "os.system", "sklearn", "sklearn.", "", "sklearn.linear_model", "sklearn.linear_model.lasso_path", "subprocess.Popen",
    "sklearn.datasets.fetch_openml", "sklearn.externals._arff.ArffDecoder", "sklearn.tests.test_base.MyEstimator",
    "sklearn..X", "x" * 10_000, None, 3, "sklearn.utils._testing.TempMemmap", LOGISTIC + "\n",
    "sklearn/x.X"])
def test_other_names_are_refused(name):
    with pytest.raises(sc.InputError, match="no scikit-learn model"):
        model_class(name)


@pytest.mark.parametrize("name", ["cluster.FeatureAgglomeration", "pipeline.Pipeline", "decomposition.PCA",
                                  "neighbors.KNeighborsClassifier", "preprocessing.FunctionTransformer",
                                  "model_selection.GridSearchCV", "ensemble.StackingClassifier"])
def test_models_without_weights_are_refused(name):
    with pytest.raises(sc.InputError, match="neither coef_ nor feature_importances_"):
        model_class(f"sklearn.{name}")


@pytest.mark.parametrize("name", ["linear_model.LogisticRegression", "svm.SVC", "ensemble.ExtraTreesClassifier",
                                  "linear_model.Lasso", "ensemble.GradientBoostingRegressor",
                                  "discriminant_analysis.LinearDiscriminantAnalysis", "tree.DecisionTreeClassifier",
                                  "linear_model.SGDClassifier",
                                  "cross_decomposition.PLSRegression"])
def test_models_with_weights_are_taken(name):
    assert model_class(f"sklearn.{name}").__name__ == name.rpartition(".")[2]


@pytest.mark.parametrize("parameters", [
    {"memory": "/tmp/x"}, {"memory": "x"}, {"svc__memory": "x"}, {"memory": None}, {"cache_dir": "x"}, {"data_path": 1},
    {"C": "/etc/passwd"}, {"C": "..\\x"}, {"C": "~"}, {"C": ".."}, {"class_weight": {"memory": "x"}}, {"C": ["a", ["/x"]]}])
def test_places_are_refused(parameters, tmp_path):
    with pytest.raises(sc.InputError, match="a place on this computer"):
        selector("estimator", model=LOGISTIC, parameters=parameters)


@pytest.mark.parametrize("value", [print, object(), lambda x: x, np.array([print], dtype=object), b"x", {"a": print}, [object()]])
def test_code_and_other_models_are_refused(value):
    with pytest.raises(sc.InputError, match="plain value"):
        selector("estimator", model=LOGISTIC, parameters={"C": value})


def test_plain_values_are_taken():
    made = selector("estimator", model=LOGISTIC, parameters={"C": 0.5, "class_weight": {"0": 1.0}, "solver": "liblinear",
                                                                 "l1_ratio": None})
    assert made.parameters["C"] == 0.5


def test_a_place_writes_nothing(tmp_path):
    from sklearn.cluster import FeatureAgglomeration

    assert "memory" in FeatureAgglomeration().get_params()
    with pytest.raises(sc.InputError):
        selector("estimator", model="sklearn.cluster.FeatureAgglomeration", parameters={"memory": str(tmp_path / "x")})
    assert not list(tmp_path.iterdir())
