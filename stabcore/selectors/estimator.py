"""Any scikit-learn model as a selector, and user-defined objects as selectors.

A user-defined object with `select` (see `Selector`) gets the FeatureTable itself. Other objects get standardised columns (n, p)
without gaps from `Design`, and their results on columns are transferred to features.
"""

import inspect
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.target import TIME, as_target, class_codes, has_classes
from stabcore.base.text import quote
from stabcore.base.user_objects import seeded_clone, seeded_parameters
from stabcore.classifiers.catalog import Classifier
from stabcore.data.encoding import Design
from stabcore.data.feature_table import as_table
from stabcore.selectors.base import MAY, MORE, NUMBER, TWO, Selector, kind_of_target, option
from stabcore.selectors.final_model import FinalModel
from stabcore.selectors.fitted_weights import column_weights, has_only_scores, has_weights
from stabcore.selectors.given import adjusted_columns
from stabcore.survival.concordance import concordance

NO_WEIGHT = "The others have no weight in the model."


@dataclass
class ClonedEstimator(Classifier):
    """A fresh clone of a scikit-learn model, without probabilities if it gives none."""

    estimator: Any

    def _fit(self, columns, y, rng):
        self._model = _fit_clone(self.estimator, columns, y, rng)

    def _predict(self, columns):
        predicted = self._model.predict(columns)
        return predicted, self._all_class_values(self._model.predict_proba(columns)) if hasattr(
            self._model, "predict_proba"
        ) else None


class _PredictingSelector(FinalModel):
    """A selector that trains a scikit-learn model, and predicts where that model predicts classes."""

    @property
    def chance_inside(self) -> bool:  # type: ignore[override]
        return bool(seeded_parameters(self._unfitted_model()))

    @property
    def predict(self):
        from sklearn.base import is_regressor

        model = self._unfitted_model()
        if not hasattr(model, "predict") or is_regressor(model):
            raise AttributeError(f"{type(model).__name__} does not predict classes")
        return super().predict

    def _learner(self):
        return ClonedEstimator(self._unfitted_model())

    def _unfitted_model(self) -> Any:
        """A scikit-learn model before any fit."""
        raise NotImplementedError


@dataclass
class EstimatorSelector(_PredictingSelector, Selector):
    """Score and importance: Σ over the columns of a feature of their weights in the model (see fitted_weights).

    estimator: any unfitted or fitted scikit-learn model or feature selector, in a Pipeline of any depth or a search such as
    GridSearchCV. Every fit trains a fresh clone on standardised columns. A clone with a ColumnTransformer gets a DataFrame of the
    original features, with categories as numbers. Each `random_state` in it is set from rng. Raises InputError if the model cannot
    learn this target, or gives no weights of its columns. A feature that it did not select, or whose columns all have the
    weight 0, is not ranked, so a run may select fewer than k features. Models of a time to an event without weights, such as the
    survival forests of scikit-survival, get the decrease of the concordance on held-out rows under permutation. For an object with
    only `scores_`, 0 is an ordinary score.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    zero_is_out = NO_WEIGHT
    own_size = MAY

    estimator: Any

    def _unfitted_model(self):
        return self.estimator

    @property
    def predict(self):
        if _needs_names(self.estimator):
            raise AttributeError("it names columns that are missing after selection")
        return super().predict

    def _score(self, table, y, rng, k):
        scores, model = _fit_weights(self.estimator, table, y, rng)
        self.zero_is_out = "" if has_only_scores(model) else NO_WEIGHT
        return scores, np.fmax(scores, 0)


@dataclass
class NamedEstimator(_PredictingSelector, Selector):
    """A scikit-learn model by its full name, with its parameters. See `EstimatorSelector`.

    For a numeric target, a name that ends in Classifier means the Regressor of that name. The model sees given columns beside what
    they leave of the features.
    """

    targets = (TWO, MORE, NUMBER)
    takes_given = True
    zero_is_out = NO_WEIGHT

    model: str = option(
        "sklearn.ensemble.ExtraTreesClassifier",
        "the full name of a scikit-learn class that learns weights or "
        "importances. For a numeric target, a Classifier is replaced by its Regressor",
        kind="text",
    )
    parameters: dict | None = option(None, "values for the model's own parameters, by name", kind="table")

    def __post_init__(self):
        super().__post_init__()
        _make_model(self.model, self.parameters)

    def _unfitted_model(self):
        return _make_model(self.model, self.parameters)

    def _score(self, table, y, rng, k):
        name = self.model
        if kind_of_target(y) == NUMBER and name.endswith("Classifier"):
            name = name.removesuffix("Classifier") + "Regressor"
        scores, _ = _fit_weights(_make_model(name, self.parameters), table, y, rng, self.given)
        return scores, scores


@dataclass
class UserSelector(Selector):
    """A selector from a user-defined object with fit(X, y) and `scores_`, with defaults for other attributes.

    With `select` it gets the FeatureTable. `scores_` (d,) are then of features, and its `ranking_` is used. Without `select`, it
    gets standardised columns (n, p) and gives `scores_` (p,). A feature scores as its best column, and is not ranked if it has no
    column because nothing varies. `importances_`: those of the object, or the scores above 0. With `predict` it has a final model,
    which gets rows in the same form as `fit` and gives classes, or classes and probabilities (n, C). `importances_of_one_k`: that
    of the object, or whether its fit takes k. Raises InputError for a wrong number of scores.
    """

    targets = (TWO, MORE, NUMBER, TIME)
    places_constant = True

    user_object: Any

    @property
    def importances_of_one_k(self) -> bool:  # type: ignore[override]
        return getattr(self.user_object, "importances_of_one_k", "k" in _fit_keywords(self.user_object))

    @property
    def chance_inside(self) -> bool:  # type: ignore[override]
        return getattr(self.user_object, "chance_inside", "rng" in _fit_keywords(self.user_object))

    @property
    def predict(self):
        if not hasattr(self.user_object, "predict"):
            raise AttributeError(f"{type(self.user_object).__name__} has no predict")
        return self._predict

    def _predict(self, X):
        table = as_table(X)
        answer = self.user_object.predict(table if self._design is None else self._design.transform(table))
        predicted, chances = answer if isinstance(answer, tuple) else (answer, None)
        return self._labels[np.asarray(predicted, dtype=int)], chances

    def fit(self, X, y, *, rng=None, k=None, given=None):
        table = as_table(X)
        if has_classes(as_target(y, table.n_rows)):
            self._labels = class_codes(y, table.n_rows)[1]
        super().fit(table, y, rng=rng, k=k, given=given)
        if hasattr(self.user_object, "ranking_"):
            self.ranking_ = np.asarray(self.user_object.ranking_, dtype=float)
        return self

    def select(self, k):
        return self.user_object.select(k) if hasattr(self.user_object, "select") else super().select(k)

    def _score(self, table, y, rng, k):
        keywords = {name: value for name, value in (("rng", rng), ("k", k)) if name in _fit_keywords(self.user_object)}
        design, columns = (None, table) if hasattr(self.user_object, "select") else Design.of(table)
        self._design = design
        feature = np.arange(table.n_features) if design is None else design.feature
        if len(feature) == 0:
            return np.full(table.n_features, np.nan), np.zeros(table.n_features)
        self.user_object.fit(columns, y, **keywords)
        self.warnings_ += list(getattr(self.user_object, "warnings_", ()))
        scores = self._best_column_values("scores_", feature, table.n_features)
        if hasattr(self.user_object, "importances_"):
            return scores, np.nan_to_num(self._best_column_values("importances_", feature, table.n_features))
        return scores, np.fmax(scores, 0)

    def _best_column_values(self, name, feature, d):
        """The best value of the columns of each feature (d,), NaN if there is none."""
        if not hasattr(self.user_object, name):
            raise InputError(
                f"The fit of {type(self.user_object).__name__} sets no {name}. Set one number per column of X, higher is better. A "
                "class with coef_ or feature_importances_ must be a BaseEstimator of scikit-learn."
            )
        values = np.asarray(getattr(self.user_object, name), dtype=float)
        if values.shape != feature.shape:
            raise InputError(
                f"{type(self.user_object).__name__}.{name} must be {len(feature)} numbers after fit, one per column of X. "
                f"Found the shape {values.shape}."
            )
        best = np.full(d, np.nan)
        np.fmax.at(best, feature, values)
        return best


def as_selector(user_object):
    """A selector from a user-defined object, or the object itself if it is a selector.

    A selector (`select`, and a `fit` that takes rng and k) is unchanged. A scikit-learn object (fit and get_params) becomes
    `EstimatorSelector`. Any other object with `fit`, or with a `fit` that takes rng or k, becomes `UserSelector`. Raises InputError
    for an object without `fit`, and for a class.
    """
    if isinstance(user_object, type) or not callable(getattr(user_object, "fit", None)):
        without = f"an object of type {type(user_object).__name__} without it"
        found = f"the class {user_object.__name__}" if isinstance(user_object, type) else without
        if inspect.isfunction(user_object):
            found = f"the function {user_object.__name__}. If it scores columns, give SelectKBest({user_object.__name__})"
        raise InputError(
            f"A user-defined selector is an object with fit(X, y) that sets scores_, or a scikit-learn estimator. Found {found}."
        )
    try:
        inspect.signature(user_object.fit).bind("X", "y")
    except TypeError as error:
        raise InputError(
            f"A user-defined selector is an object with fit(X, y) that sets scores_. The fit of "
            f"{type(user_object).__name__} cannot be called in this way: {error}."
        ) from None
    if hasattr(user_object, "select"):
        return user_object if {"rng", "k"} <= _fit_keywords(user_object) else UserSelector(user_object)
    ours = hasattr(user_object, "get_params") and not {"rng", "k"} & set(inspect.signature(user_object.fit).parameters)
    return EstimatorSelector(user_object) if ours else UserSelector(user_object)


def _fit_keywords(user_object) -> set[str]:
    """The arguments among rng and k that its `fit` takes."""
    parameters = inspect.signature(user_object.fit).parameters
    free = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    return {name for name in ("rng", "k") if free or name in parameters}


def _make_model(name, parameters):
    """The scikit-learn model of a full name. Raises InputError for any other name, and for unknown parameters."""
    build = model_class(name)
    refuse_file_parameters(parameters or {})
    try:
        return build(**(parameters or {}))
    except TypeError as error:
        raise InputError(f"{build.__name__} cannot be created with these parameters: {error}.") from error


def _fit_weights(estimator, table, y, rng, given=None):
    """((d,) weight of each feature in a fresh clone of a model, trained here, 0 for features without a column, the model)."""
    from sklearn.base import is_regressor

    called = type(estimator).__name__
    if is_regressor(estimator) and kind_of_target(y) == MORE:
        raise InputError(f"{called} predicts a number and would treat the {y.max() + 1} classes as amounts. Choose a classifier.")
    if _needs_names(estimator):
        import pandas as pd

        features = pd.DataFrame(np.asarray(table.values), columns=list(table.features))  # with gaps, and categories as numbers
        model = _fit_clone(estimator, features, y, rng)
        return column_weights(model, called, list(table.features)), model
    design, columns = Design.of(table)
    if len(design.feature) == 0:
        return np.zeros(table.n_features), estimator
    columns = adjusted_columns(columns, given)
    model = _fit_clone(estimator, columns, y, rng)
    if kind_of_target(y) == TIME and not has_weights(model):
        return design.total(
            np.fmax(permuted_concordance_loss(estimator, columns, y, rng)[: len(design.feature)], 0), table.n_features
        ), model
    names = [f"column{j:07d}" for j in range(columns.shape[1])]
    return design.total(column_weights(model, called, names)[: len(design.feature)], table.n_features), model


def permuted_concordance_loss(estimator, columns, y, rng) -> np.ndarray:
    """(p,) decrease of the concordance in one half of the rows when a column is permuted there, for a model of the other half.

    The mean over the halves, as often with as without event. Source: Breiman 2001, Machine Learning 45:5-32 (permutation).
    """
    decrease = np.zeros(columns.shape[1])
    units = [rng.permutation(rows) for rows in (np.flatnonzero(y["event"]), np.flatnonzero(~y["event"]))]
    halves = [np.concatenate([rows[start::2] for rows in units]) for start in (0, 1)]
    for learned, asked in (halves, halves[::-1]):
        model, rows = _fit_clone(estimator, columns[learned], y[learned], rng), columns[asked]
        whole = concordance(model.predict(rows), y[asked])
        for column in range(rows.shape[1]):
            moved = rows.copy()
            moved[:, column] = rng.permutation(moved[:, column])
            decrease[column] += (whole - concordance(model.predict(moved), y[asked])) / 2
    return np.nan_to_num(decrease)


def _needs_names(estimator) -> bool:
    """Whether it treats some columns by name, as a ColumnTransformer does."""
    parts = [estimator, *(estimator.get_params().values() if hasattr(estimator, "get_params") else ())]
    return any(hasattr(part, "transformers") and hasattr(part, "remainder") for part in parts)


def _fit_clone(estimator, columns, y, rng):
    """A fresh clone of a model, fitted to these columns, with random states drawn from rng."""
    model = seeded_clone(estimator, rng)
    try:
        model.fit(columns, y)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{type(estimator).__name__} cannot be trained on these data. The message of scikit-learn is: {error}"
        ) from error
    return model


# ---- models by name ----

_MODEL_NAME = re.compile(r"sklearn(\.[a-z][a-z0-9_]*){1,3}\.[A-Z][A-Za-z0-9]*")
_EXCLUDED_MODULES = {"tests", "externals", "datasets", "conftest", "utils", "inspection", "experimental", "callback"}
_PATH_WORDS = {"memory", "path", "dir", "folder", "file", "filename", "cache"}  # words in names of parameters for files and folders
_PLAIN_TYPES = (str, int, float, bool, type(None), np.generic)
_WEIGHT_ATTRIBUTE = re.compile(r"^\s*(coef_|feature_importances_)\s*:", re.MULTILINE)  # as scikit-learn documents them


def model_class(name) -> type:
    """The scikit-learn class of a full name. Raises InputError for any other name, and for a class without weights of columns."""
    wrong = InputError(
        f"There is no scikit-learn model {quote(name)}. Give the full name of a class, such as "
        "'sklearn.linear_model.LogisticRegression'."
    )
    if not isinstance(name, str) or not _MODEL_NAME.fullmatch(name) or _EXCLUDED_MODULES & set(name.split(".")):
        raise wrong
    module, _, last = name.rpartition(".")
    try:
        build = getattr(import_module(module), last)
    except (ImportError, AttributeError):
        raise wrong from None
    if not (isinstance(build, type) and callable(getattr(build, "fit", None)) and hasattr(build, "get_params")):
        raise wrong
    if not has_column_weights(build):
        raise InputError(
            f"{last} has neither coef_ nor feature_importances_, so it ranks no features. Choose a linear model or a "
            "model of trees, such as 'sklearn.linear_model.LogisticRegression'."
        )
    return build


def has_column_weights(build) -> bool:
    """Whether a model of this class can have coef_ or feature_importances_."""
    return (
        hasattr(build, "coef_")
        or hasattr(build, "feature_importances_")
        or any(_WEIGHT_ATTRIBUTE.search(base.__doc__ or "") for base in build.__mro__[:2])
    )


def refuse_file_parameters(parameters, where=""):
    """Raise InputError for a parameter that names a file or folder, and for values such as code and other models."""
    for name, value in parameters.items():
        if _PATH_WORDS & set(re.split(r"[_.]+", str(name).lower())):
            raise InputError(
                f"The parameter {quote(name)}{where} names a file or folder of this computer, where scikit-learn would "
                "write and read files. It is not accepted from a form or a file. Leave it out."
            )
        _refuse_value(name, value, where)


def _refuse_value(name, value, where):
    if isinstance(value, dict):
        refuse_file_parameters(value, where=f" (inside of {name})")
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_value(name, item, where)
    elif isinstance(value, str) and re.search(r"[/\\]|^~|^\.+$", value):
        raise InputError(
            f"The parameter {quote(name)}{where} is {quote(value)}, which names a file or folder of this computer. It is not "
            "accepted from a form or a file. Leave it out."
        )
    elif not isinstance(value, (*_PLAIN_TYPES, np.ndarray)) or isinstance(value, np.ndarray) and value.dtype.kind not in "biufU":
        raise InputError(
            f"The parameter {quote(name)}{where} is {type(value).__name__}. It must be a plain value: text, a number, "
            "true or false, a list or a table. Give a model that contains others as an object in Python."
        )
