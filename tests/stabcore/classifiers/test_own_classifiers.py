"""User-defined classifiers score selections, and every broken contract is refused before a run."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from own_support import Nearest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import SVC
from snapshot_support import check_refusals
from study_support import data

import stabcore as sc
from stabcore.classifiers.catalog import CLASSIFIERS, SupportVectorMachine, classifier
from stabcore.classifiers.user_classifiers import UserClassifier


def study(chosen):
    plan = sc.Subsample(5, 0.2)
    return sc.Study(data(), ["mim", "random"], plan=plan, k=3, random_state=5, classifier=chosen, n_permutations=0)


def run(chosen, path):
    with ThreadPoolExecutor(1) as executor:
        return study(chosen).run(executor, store=path)


@pytest.mark.parametrize(
    ("model", "key"), [(LogisticRegression(max_iter=1000), "logistic"), (SVC(kernel="linear", C=0.5), "svm"), (SVC(), "rbf_svm")]
)
def test_a_catalogue_model_given_as_an_object_predicts_the_same(model, key, tmp_path):
    passed, named = (run(chosen, tmp_path / f"{number}.stab") for number, chosen in enumerate((model, key)))
    for a, b in zip(passed.store.tasks(), named.store.tasks(), strict=True):
        assert a.predicted.tolist() == b.predicted.tolist() and np.array_equal(a.probability, b.probability)


def test_the_seed_reaches_every_random_state(tmp_path):
    first, same = (run(RandomForestClassifier(3), tmp_path / f"{number}.stab") for number in range(2))
    assert first.digest() == same.digest() and first.table()["auc"].notna().all()
    fits = [UserClassifier(RandomForestClassifier(3, random_state=1)).fit(data().table, data().target, seed) for seed in (0, 1)]
    assert not np.array_equal(*(fit.predict(data().table)[1] for fit in fits))


def test_a_study_is_continued_with_the_same_classifier_only(tmp_path):
    with ThreadPoolExecutor(1) as executor:
        study(Nearest()).run(executor, store=tmp_path / "c.stab", progress=lambda done, total: done < 3)
        for other in (Nearest(power=1), "3nn"):
            with pytest.raises(sc.InputError):
                study(other).run(executor, store=tmp_path / "c.stab")
        found = study(Nearest()).run(executor, store=tmp_path / "c.stab")
    assert (found.progress()["done"] == 5).all() and found.table()["accuracy"].between(0, 1).all()
    assert found.table()["auc"].isna().all()


def ones(X):
    return np.ones(len(X), dtype=int)


class Failing(Nearest):
    def predict(self, X):
        raise RuntimeError("out of order")


class Whole:
    """A user-defined classifier of whole tables, by the known values of the first column and noise."""

    def fit(self, table, y, rng, n_classes):
        self.shares, self.names = np.bincount(y, minlength=n_classes) / len(y), table.features
        self.cut, self.noise = np.nanmean(table.values[:, 0]), rng.random()
        return self

    def predict(self, table):
        assert table.features == self.names
        above = np.nan_to_num(table.values[:, 0]) > self.cut
        return above.astype(int), np.tile(self.shares, (table.n_rows, 1)) * self.noise


class NoPair(Whole):
    def predict(self, table):
        return np.zeros(table.n_rows, dtype=int)


class Answers:
    """A classifier with preset predictions."""

    def __init__(self, predicted=None, chances=None):
        self.predicted, self.chances = predicted, chances

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.predicted(X) if callable(self.predicted) else self.predicted

    def predict_proba(self, X):
        return self.chances(X) if callable(self.chances) else np.full((len(X), 2), 0.5)


def test_broken_contract_is_refused_when_the_study_is_made():
    cases = [
        Nearest,
        3,
        type("Half", (), {"fit": print})(),
        LinearRegression(),
        type("Odd", (Nearest,), {"fit": lambda self, X: self})(),
        Failing(),
        Answers(None),
        Answers(np.zeros(3)),
        Answers(lambda X: 7 * ones(X)),
        Answers(lambda X: np.array(["sick"] * len(X))),
        Answers(ones, lambda X: np.ones((len(X), 3))),
        Answers(ones, lambda X: np.full((len(X), 2), np.nan)),
        NoPair(),
        "oracle",
    ]
    check_refusals("classifiers/wrong_classifiers", study, cases)


def test_the_catalogue_lists_all_classifiers():
    assert list(sc.list_classifiers().index) == ["own", *CLASSIFIERS]
    for key, entry in CLASSIFIERS.items():
        assert entry.key == key and entry.label and entry.plain.endswith(".") and entry.reference
        assert classifier(key) is not classifier(key)
    assert classifier("svm") == SupportVectorMachine("linear", 0.5)
