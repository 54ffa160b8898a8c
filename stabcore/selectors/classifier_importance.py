"""The importance of each selected feature in the classifier trained on them (Hamer & Dupont 2021, section 5.1)."""

import numpy as np

from stabcore.base.errors import InputError
from stabcore.selectors.importance import kernel_importance, linear_importance, permutation_importance, sensitivity_importance

# {kind: (plain words, keys of the classifiers that have it, or none for any)}
IMPORTANCE_KINDS = {
    "linear": ("weights", ("logistic", "svm")),
    "margin": ("loss of its margin without the feature", ("svm", "rbf_svm")),
    "permutation": ("loss of accuracy when the feature is shuffled", ("random_forest",)),
    "sensitivity": ("smallest change of the feature that changes a prediction", ()),
}


SELECTOR = "selector"  # the importances of each selector


def importance_kinds(key: str, n_classes: int) -> dict[str, str]:
    """{kind: in plain words} of the importances that can be kept with a classifier (its key)."""
    fits = {SELECTOR: "importance in the selector"}
    for kind, (words, _) in IMPORTANCE_KINDS.items():
        try:
            refuse_importance(kind, key, n_classes)
        except InputError:
            continue
        fits[kind] = f"in the classifier: {words}"
    return fits


def refuse_importance(kind: str, key: str, n_classes: int) -> None:
    """Raise InputError unless a classifier (its key, "" for a user's) has this kind of importance."""
    if kind not in IMPORTANCE_KINDS:
        raise InputError(f"There is no importance {kind!r}. Choose one of: selector, {', '.join(IMPORTANCE_KINDS)}.")
    allowed = IMPORTANCE_KINDS[kind][1]
    if key in ("none", "own") or allowed and key not in allowed:
        needs = " or ".join(repr(choice) for choice in allowed) or "a classifier of the catalogue or a user-defined one"
        raise InputError(
            f"The importance {kind!r} needs the classifier {needs}. The classifier is {key or 'own'!r}. Choose another importance "
            "or classifier, or "
            'importances = "selector".'
        )
    if n_classes > 2 and kind in ("linear", "margin"):
        raise InputError(f'The importance {kind!r} is defined for two classes. This outcome has {n_classes}. Choose "sensitivity".')


def classifier_importance(kind, learner, table, y, rng) -> np.ndarray:
    """(p,) importances at least 0 of the features of a table in a Classifier fitted to it, 0 if it could learn nothing.

    Importances of the columns of a feature are added. See stabcore.selectors.importance for each kind.
    """
    design, model = learner.fitted
    if model is None:
        return np.zeros(table.n_features)
    columns = design.transform(table)
    if kind == "linear":
        weights = linear_importance(np.ravel(model.coef_))
    elif kind == "margin":
        weights = kernel_importance(model, columns)
    elif kind == "permutation":
        weights = np.maximum(permutation_importance(model, columns, y, rng), 0)
    else:
        weights = sensitivity_importance(learner.predict_columns, columns)
    return design.total(weights, table.n_features)
