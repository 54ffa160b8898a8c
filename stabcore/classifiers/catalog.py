"""The classifiers that score a feature set, and their only list. The contract is in the docstring of the package."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from stabcore.base.errors import InputError
from stabcore.base.tables import listed_entries
from stabcore.base.text import counted, listed
from stabcore.base.types import Seed
from stabcore.data.encoding import Design
from stabcore.data.feature_table import FeatureTable

if TYPE_CHECKING:
    import pandas as pd

MAX_NEIGHBOURS = 99
FREE_PENALTY = (
    1e-3  # penalty of columns that are always in the model, relative to the others: none in effect, but weights stay finite
)
NEIGHBOURS_SENTENCE = "Predicts the most frequent class among the {}."


class ClassifierObject(Protocol):
    """A user-defined classifier: fit(X, y), optionally with rng (and n_classes), and predict(X). See stabcore.classifiers."""

    @property
    def fit(self) -> Callable[Concatenate[Any, Any, ...], object]: ...

    @property
    def predict(self) -> Callable[[Any], object]: ...


ClassifierLike: TypeAlias = "str | ClassifierObject"


class Classifier:
    """fit(table, y, rng), then predict(table). y are class numbers (n,) in 0 … n_classes − 1.

    Encoding and scaling are learned in fit. If no column varies, or y has one class only, the class shares in y are predicted. rng:
    seed or NumPy Generator, for classifiers that use random numbers. n_given: the number of last features that are always in the
    model, which a ridge penalty leaves free (see FREE_PENALTY). penalises: True for learners with such a penalty.
    """

    penalises = False
    _model: Any  # the scikit-learn model, if there is one

    def fit(
        self, table: FeatureTable, y: ArrayLike, rng: Seed | None = None, n_classes: int | None = None, n_given: int = 0
    ) -> Self:
        """Learn from rows that all have a class. n_classes also counts classes that these rows lack."""
        y = np.asarray(y)
        self._design, columns = Design.of(table)
        self._factors = column_factors(self._design, table.n_features, n_given if self.penalises else 0)
        columns *= self._factors
        self._shares = np.bincount(y, minlength=n_classes or 0) / len(y)
        self._has_model = len(self._design.feature) > 0 and np.count_nonzero(self._shares) > 1
        if self._has_model:
            self._fit(columns, y, np.random.default_rng(rng))
        return self

    @property
    def fitted(self) -> tuple[Design, Any]:
        """The Design of the columns it learned from, and its scikit-learn model, itself where it has none (nearest neighbours).

        None where there was nothing to learn.
        """
        return self._design, getattr(self, "_model", self) if self._has_model else None

    def predict_columns(self, columns: np.ndarray) -> np.ndarray:
        """Class numbers (n,) of standardised columns (n, p), as its Design makes them. Called only after learning."""
        return self._predict(columns)[0]

    def predict(self, table: FeatureTable) -> tuple[np.ndarray, np.ndarray]:
        """Class numbers (n,), and probabilities (n, n_classes) that sum to 1 in every row, 0 for a class that y lacked.

        Support vector machines have no probabilities. They give scores that order the rows, which is enough for an AUC.
        """
        if not self._has_model:
            chances = np.tile(self._shares, (table.n_rows, 1))
            return chances.argmax(axis=1), chances
        return self._predict(self._design.transform(table) * self._factors)

    def _fit(self, columns, y, rng):
        raise NotImplementedError

    def _predict(self, columns):
        """Probabilities of a scikit-learn model that has them. Other learners override this."""
        chances = self._all_class_values(self._model.predict_proba(columns))
        return chances.argmax(axis=1), chances

    def _all_class_values(self, values):
        """(n, n_classes) probabilities from those that a scikit-learn model gives for the classes in its training rows."""
        spread = np.zeros((len(values), len(self._shares)))
        spread[:, self._model.classes_] = values
        return spread


def column_factors(design: Design, n_features: int, n_given: int) -> np.ndarray:
    """(p,) factors of the columns of a design, by which the last features have the penalty FREE_PENALTY in any ridge regression."""
    return np.where(design.feature < n_features - n_given, 1.0, FREE_PENALTY**-0.5)


@dataclass
class NearestNeighbours(Classifier):
    """Majority of the k nearest rows (Euclidean). The nearest row breaks ties, then the position of the row."""

    neighbours: int = 3

    def _fit(self, columns, y, rng):
        self._columns, self._y = columns, y

    def _predict(self, columns):
        from scipy.spatial.distance import cdist

        order = np.argsort(cdist(columns, self._columns), axis=1, kind="stable")[:, : self.neighbours]
        votes = np.eye(len(self._shares))[self._y[order]]  # (n, neighbours, n_classes)
        chances = votes.mean(axis=1)
        nearer = votes * np.arange(order.shape[1], 0, -1)[:, None]
        return (votes.sum(axis=1) + nearer.max(axis=1) / (order.shape[1] + 1)).argmax(axis=1), chances


class Logistic(Classifier):
    """Logistic regression with a ridge penalty (C = 1) on standardised columns, multinomial for more than two classes."""

    penalises = True

    def _fit(self, columns, y, rng):
        from sklearn.linear_model import LogisticRegression

        solver = "lbfgs" if (self._factors == 1).all() else "newton-cholesky"  # ten times as fast where penalties differ
        self._model = LogisticRegression(max_iter=1000, solver=solver).fit(columns, y)


@dataclass
class ForestClassifier(Classifier):
    """Random forest: the mean class shares in the leaves of trees, each grown on a bootstrap sample with √p columns per split.

    node: the smallest number of rows that may be split.
    """

    trees: int = 100
    node: int = 2

    def _fit(self, columns, y, rng):
        from sklearn.ensemble import RandomForestClassifier

        self._model = RandomForestClassifier(
            self.trees, min_samples_split=max(self.node, 2), n_jobs=1, random_state=int(rng.integers(2**31))
        ).fit(columns, y)


@dataclass
class StumpsClassifier(Classifier):
    """Gradient boosting of trees with one split each (Friedman 2001) and the learning rate `rate`."""

    rounds: int = 100
    rate: float = 0.1

    def _fit(self, columns, y, rng):
        from sklearn.ensemble import GradientBoostingClassifier

        self._model = GradientBoostingClassifier(
            n_estimators=self.rounds, learning_rate=self.rate, max_depth=1, random_state=int(rng.integers(2**31))
        ).fit(columns, y)


@dataclass
class SupportVectorMachine(Classifier):
    """Support vector machine (hinge loss, unpenalised intercept) on standardised columns, one against one for more classes.

    The class is that of the machine. The scores are decision values f, one per class, mapped to 0 … 1 by ½ + ½ f/(1 + |f|) and
    divided by their sum. They order rows as f does, but are not calibrated probabilities. The rbf kernel exp(−γ‖x − x'‖²) has
    γ = 1/(p · variance), unless its `width` γ is given.
    """

    kernel: str
    penalty: float
    width: float | str = "scale"

    @property
    def penalises(self) -> bool:  # type: ignore[override]
        return self.kernel == "linear"

    def _fit(self, columns, y, rng):
        from sklearn.svm import SVC

        self._model = SVC(C=self.penalty, kernel=self.kernel, gamma=self.width).fit(columns, y)

    def _predict(self, columns):
        scores = self._all_class_values(bounded_scores(self._model.decision_function(columns)))
        return self._model.predict(columns), scores / scores.sum(axis=1, keepdims=True)


def bounded_scores(decided: np.ndarray) -> np.ndarray:
    """(n, C) scores in 0 … 1, in the order of decision values (n, C), or (n,) for the second of two classes."""
    if decided.ndim == 1:
        decided = np.column_stack([-decided, decided])
    return 0.5 + 0.5 * decided / (1 + np.abs(decided))


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One classifier of the catalogue."""

    key: str
    label: str
    plain: str
    build: Callable[[], Classifier] | None
    reference: str


ENTRIES = (
    Entry(
        key="3nn",
        label="3 nearest neighbours",
        build=NearestNeighbours,
        plain=NEIGHBOURS_SENTENCE.format("3 most similar patients"),
        reference="as in Sechidis et al. 2019",
    ),
    Entry(
        key="logistic",
        label="Logistic regression",
        build=Logistic,
        plain="Predicts the probability of a class from a weighted sum of the selected features.",
        reference="Cox 1958, JRSS B 20:215-242",
    ),
    Entry(
        key="svm",
        label="Linear support vector machine (C = 0.5)",
        build=partial(SupportVectorMachine, "linear", 0.5),
        plain="Separates the classes by a weighted sum of the selected features with the widest margin.",
        reference="as in Kalousis, Prados & Hilario 2005, ICDM",
    ),
    Entry(
        key="random_forest",
        label="Random forest (100 trees)",
        build=ForestClassifier,
        plain="Predicts by the vote of 100 decision trees, each grown on random patients and features.",
        reference="Breiman 2001, Machine Learning 45:5-32; as in Bommert, Rahnenführer & Lang 2017",
    ),
    Entry(
        key="rbf_svm",
        label="Support vector machine with radial kernel (C = 1)",
        build=partial(SupportVectorMachine, "rbf", 1.0),
        plain="Separates the classes by a curved boundary with the widest margin.",
        reference="as in Bommert, Rahnenführer & Lang 2017",
    ),
)

CLASSIFIERS: dict[str, Entry] = {entry.key: entry for entry in ENTRIES}
OWN_MODEL = Entry(
    key="own",
    label="The selector's own final model",
    build=None,
    plain="Uses the final model of each selector, so that accuracy and importance belong to the same model.",
    reference="as in Hamer & Dupont 2021, section 7.1",
)


def own_model_predictions(
    selector: Any, table: FeatureTable, labels: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray | None]:
    """Predictions of the final model of a fitted selector for the rows of a table, as `Classifier.predict` gives them.

    labels: the class numbers it was fitted to. Probabilities are None where it has none. Raises InputError for predictions
    other than one known class per row, with a probability for each learned class.
    """
    model, (predicted, chances) = f"The final model of {type(selector).__name__}", selector.predict(table)
    predicted, classes = np.asarray(predicted), np.unique(labels)
    if predicted.shape != (table.n_rows,) or not np.isin(predicted, classes).all():
        found = f"the shape {predicted.shape} with {listed(np.unique(predicted))}"
        raise InputError(f"{model} must predict one of its classes for each of the {table.n_rows} rows. Found {found}.")
    if chances is None:
        return predicted, None
    if np.shape(chances) != (table.n_rows, len(classes)):
        size = f"{table.n_rows} rows × {len(classes)} classes"
        raise InputError(f"{model} must give a probability for each of {size}. Found the shape {np.shape(chances)}.")
    spread = np.zeros((table.n_rows, n_classes))
    spread[:, classes] = chances
    return predicted, spread


def n_neighbours(key: str) -> int | None:
    """K of a key such as "5nn", None for any other key. Raises InputError for a number out of range."""
    if (match := re.fullmatch(r"(\d{1,6})nn", key)) is None:
        return None
    number = int(match[1])
    if not 1 <= number <= MAX_NEIGHBOURS:
        raise InputError(f"Use 1nn to {MAX_NEIGHBOURS}nn for nearest neighbours. Found {key!r}.")
    return number


def plain_sentence(key: str) -> str:
    """The plain sentence of a classifier, with the number of nearest neighbours. Raises InputError for an unknown key."""
    if (neighbours := n_neighbours(key)) == 1:
        return "Predicts the class of the most similar patient."
    if neighbours is not None:
        return NEIGHBOURS_SENTENCE.format(f"{neighbours} most similar patients")
    return OWN_MODEL.plain if key == OWN_MODEL.key else _entry(key).plain


def classifier(key: str) -> Classifier:
    """A new classifier by its key. "5nn" and the like set the number of neighbours. Raises InputError for an unknown key."""
    if (neighbours := n_neighbours(key)) is not None:
        return NearestNeighbours(neighbours)
    if (build := _entry(key).build) is None:
        raise InputError(f"{key!r} is the final model of each selector. It is trained with the selector and cannot be made alone.")
    return build()


def _entry(key: str) -> Entry:
    if key not in CLASSIFIERS:
        raise InputError(f"There is no classifier {key!r}. Choose one of: {', '.join(CLASSIFIERS)}.")
    return CLASSIFIERS[key]


def describe_classifier(setting: str | Mapping[str, str]) -> str:
    """The classifier of the settings of a study, as part of a sentence."""
    if not isinstance(setting, str):
        return f"classifier {setting['own'].partition('(')[0]}"
    labels = {definition.key: definition.label for definition in (OWN_MODEL, *ENTRIES)}
    if setting not in labels and (neighbours := n_neighbours(setting)):
        return f"classifier: {counted(neighbours, 'nearest neighbour')}"
    if setting == "ridge":
        return "predicted by ridge regression"
    if setting == "cox":
        return "predicted by Cox's model"
    return f"classifier: {labels[setting]}" if setting in labels else "without a classifier"


def list_classifiers() -> pd.DataFrame:
    """The catalogue as a DataFrame by key: label, plain sentence, and reference.

    Examples
    --------
    >>> "logistic" in sc.list_classifiers().index
    True
    """
    return listed_entries((OWN_MODEL, *ENTRIES), ("label", "plain", "reference"))
