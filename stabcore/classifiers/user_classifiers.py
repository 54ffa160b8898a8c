"""User-defined classifiers: checked, and trained anew on every resample. The contract is in stabcore.classifiers."""

import inspect
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.user_objects import as_input_error, seeded_clone
from stabcore.classifiers.catalog import Classifier, bounded_scores
from stabcore.data.encoding import Design

CONTRACT = "A user-defined classifier is an object with fit(X, y) and predict(X), such as a scikit-learn classifier"
N_TRIAL_FEATURES = 5  # features on which a user-defined classifier is tried when a study is made


@dataclass
class UserClassifier(Classifier):
    """A user-defined classifier. A fresh copy is trained in every fit, and its predictions are checked.

    If its fit takes rng and n_classes, it gets the FeatureTable and gives (classes, probabilities) as `Classifier` does.
    Otherwise it gets standardised columns (n, p) without gaps, as a scikit-learn classifier does.
    """

    learner: Any

    def fit(self, table, y, rng=None, n_classes=None, n_given=0):
        y, self._takes_table = np.asarray(y), {"rng", "n_classes"} <= _fit_keywords(self.learner)
        self._n_classes = max(n_classes or 0, int(y.max()) + 1)
        if not self._takes_table:
            return super().fit(table, y, rng, n_classes)
        self._model = deepcopy(self.learner)
        self._call("fit", table, y, rng=np.random.default_rng(rng), n_classes=self._n_classes)
        return self

    def predict(self, table):
        """Class numbers (n,), and probabilities (n, n_classes), or None where it gives none."""
        if not self._takes_table:
            return super().predict(table)
        answer = self._call("predict", table)
        if not isinstance(answer, tuple) or len(answer) != 2:
            what = "(classes, probabilities or None), because its fit takes rng and n_classes"
            raise InputError(f"predict of {self.name} must give {what}. Found {type(answer).__name__}.")
        return self._checked_classes(answer[0], table.n_rows), self._checked_probabilities(answer[1], table.n_rows)

    @property
    def name(self) -> str:
        return f"the classifier {type(self.learner).__name__}"

    @property
    def fitted(self) -> tuple[Design, Any]:
        """As for any Classifier. Raises InputError for one that gets the whole table, because it has no columns to permute."""
        if self._takes_table:
            raise InputError(
                f"Importances of {self.name} cannot be measured, because its fit takes the whole table (rng and n_classes). Use "
                "the importances of the selector, or write fit as fit(X, y)."
            )
        return super().fitted

    def _fit(self, columns, y, rng):
        self._model = seeded_clone(self.learner, rng) if hasattr(self.learner, "get_params") else deepcopy(self.learner)
        self._call("fit", columns, y, **({"rng": rng} if "rng" in _fit_keywords(self.learner) else {}))
        self._classes = np.asarray(getattr(self._model, "classes_", np.unique(y)))

    def _predict(self, columns):
        predicted = self._checked_classes(self._call("predict", columns), len(columns))
        if hasattr(self._model, "predict_proba"):
            return predicted, self._all_class_probabilities(self._call("predict_proba", columns), len(columns))
        if hasattr(self._model, "decision_function"):
            return predicted, self._all_class_probabilities(
                bounded_scores(np.asarray(self._call("decision_function", columns))), len(columns)
            )
        return predicted, None

    def _call(self, method, *arguments, **named):
        try:
            return getattr(self._model, method)(*arguments, **named)
        except Exception as error:  # a user-defined classifier may raise anything
            raise as_input_error(f"{method} of {self.name}", error) from error

    def _all_class_probabilities(self, chances, n_rows):
        """(n, n_classes) from (n, classes in its training rows)."""
        if np.shape(chances) != (n_rows, len(self._classes)):
            size = f"{n_rows} rows × {len(self._classes)} classes"
            raise InputError(f"The probabilities of {self.name} must be numbers for {size}. Found the shape {np.shape(chances)}.")
        spread = np.zeros((n_rows, self._n_classes))
        spread[:, self._classes] = chances
        return self._checked_probabilities(spread, n_rows)

    def _checked_classes(self, predicted, n_rows):
        classes = np.asarray(predicted)
        if classes.shape != (n_rows,) or not np.isin(classes, np.arange(self._n_classes)).all():
            found = f"the shape {classes.shape} with {', '.join(map(repr, np.unique(classes)[:5].tolist()))}"
            what = f"one class number from 0 to {self._n_classes - 1} for each of {n_rows} rows"
            raise InputError(f"The predictions of {self.name} must be {what}. Found {found}.")
        return classes.astype(int)

    def _checked_probabilities(self, chances, n_rows):
        if chances is None:
            return None
        probabilities = np.asarray(chances, dtype=float)
        if probabilities.shape != (n_rows, self._n_classes) or not np.isfinite(probabilities).all():
            found = f"the shape {probabilities.shape}{'' if np.isfinite(probabilities).all() else ' with gaps'}"
            what = f"{self._n_classes} finite numbers for each of {n_rows} rows, or None"
            raise InputError(f"The probabilities of {self.name} must be {what}. Found {found}.")
        return probabilities


def adopt_classifier(user_object, table, labels) -> UserClassifier:
    """Check a user-defined classifier by training it on a few features of a table. Raises InputError if it fails."""
    lacking = [name for name in ("fit", "predict") if not callable(getattr(user_object, name, None))]
    if isinstance(user_object, type) or lacking:
        without = f"an object of type {type(user_object).__name__} without {' and '.join(lacking)}"
        raise InputError(f"{CONTRACT}. Found {f'the class {user_object.__name__}' if isinstance(user_object, type) else without}.")
    if hasattr(user_object, "get_params"):
        from sklearn.base import is_regressor

        if is_regressor(user_object):
            raise InputError(f"{CONTRACT}. {type(user_object).__name__} predicts a number.")
    if isinstance(user_object, UserClassifier):
        user_object = user_object.learner
    part = table.columns(range(min(N_TRIAL_FEATURES, table.n_features)))
    UserClassifier(user_object).fit(part, labels, rng=0, n_classes=int(labels.max()) + 1).predict(part)
    return UserClassifier(user_object)


def _fit_keywords(user_object) -> set[str]:
    """The parameters among rng and n_classes that its `fit` takes."""
    return {"rng", "n_classes"} & set(inspect.signature(user_object.fit).parameters)
