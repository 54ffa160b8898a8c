"""Weights of the columns in a fitted scikit-learn object, through pipelines and transformers of any depth.

The names from `get_feature_names_out` link output columns to input columns.
"""

import re
from typing import Any

import numpy as np

from stabcore.base.errors import InputError

MIN_WEIGHT = np.finfo(float).tiny  # weight of a selected column without a weight: above 0, below all others


def column_weights(model: Any, model_name: str, names: list[str]) -> np.ndarray:
    """(p,) weights of the named columns in a fitted model, 0 for a column that it did not select or gave no weight.

    A selector of features (`get_support`) weights its selection by its scores or its model. Other models use |coef_|, summed over
    classes, or feature_importances_. Objects with neither use `scores_`, which may be negative. Raises InputError for others.
    """
    if (weights := _weights_or_none(model, model_name, names)) is None:
        raise InputError(
            f"{model_name} has neither coef_ nor feature_importances_ nor get_support after training, so it ranks no features. "
            "Choose a linear model, a model of trees or a feature selector, or put one before it in a Pipeline."
        )
    return weights


def has_only_scores(model: Any) -> bool:
    """Whether a fitted object has only `scores_` (d,), higher is better, so that 0 is an ordinary score."""
    others = ("get_support", "coef_", "feature_importances_", "best_estimator_", "steps", "transform")
    return hasattr(model, "scores_") and not any(hasattr(model, name) for name in others)


def _weights_or_none(model, called, names):
    if hasattr(model, "best_estimator_"):
        return _weights_or_none(model.best_estimator_, called, names)
    if hasattr(model, "steps"):
        return _pipeline_weights(model, called, names)
    if hasattr(model, "get_support"):
        return _selector_weights(model, called, names)
    of_hazards = type(model).__module__.startswith("sksurv.")  # has undefined importances for boosting
    for name in ("coef_", "feature_importances_") if of_hazards else ("feature_importances_", "coef_", "scores_"):
        if (weights := _attribute(model, name)) is not None:
            if of_hazards:
                weights = _survival_weights(weights, len(names))
            return _checked_weights(weights, called, len(names), signed=name == "scores_")
    return None


def has_weights(model: Any) -> bool:
    """Whether a fitted model has weights of its columns."""
    return any(hasattr(model, name) for name in ("best_estimator_", "steps", "get_support")) or any(
        _attribute(model, name) is not None for name in ("feature_importances_", "coef_", "scores_")
    )


def _attribute(model, name):
    """An attribute, None without it, also where asking for it raises an error, as in survival forests of scikit-survival."""
    try:
        return getattr(model, name, None)
    except NotImplementedError:
        return None


def _survival_weights(weights, p):
    """(p,) weights of a model of scikit-survival: the mean over its penalties (p, L), or without the intercept that comes first."""
    weights = np.asarray(weights, dtype=float)
    if weights.ndim == 2 and weights.shape[0] == p:
        return np.abs(weights).mean(axis=1)
    return weights[1:] if weights.shape == (p + 1,) else weights


def _pipeline_weights(pipeline, called, names):
    """Weights from the last step that weights or selects columns, for the input columns of the pipeline."""
    for last in range(len(pipeline.steps) - 1, -1, -1):
        step = pipeline.steps[last][1]
        if step is None or step == "passthrough":
            continue
        reached = _step_input_names(pipeline, last, names)
        inside = names if reached is None else reached
        if (weights := _weights_or_none(step, called, list(inside))) is not None:
            return weights if reached is None else _input_weights(weights, reached, names, called)
    return None


def _step_input_names(pipeline, last, names):
    """Names of the input columns of a step. None if the steps before it give no names and keep their number."""
    if not last:
        return None
    try:
        return [str(name) for name in pipeline[:last].get_feature_names_out(np.array(names, dtype=object))]
    except (AttributeError, ValueError, TypeError):  # a user-defined step without names
        return None


def _input_weights(weights, reached, names, called):
    """(p,) of the input columns: the sum of the weights of their output columns."""
    place = {name: j for j, name in enumerate(names)}
    total = np.zeros(len(names))
    for weight, name in zip(weights, reached, strict=True):
        sources = _source_columns(name, place)
        if not sources:
            raise InputError(
                f"A step of {called} replaces the columns by others ({name}), so weights do not belong to features. "
                "Leave this step out."
            )
        total[sources] += weight
    return total


def _source_columns(name, place) -> list[int]:
    """Numbers of the input columns of an output column: a, num__a, a_level, a^2, "a b"."""
    while True:
        if (source := _source_column(name, place)) is not None:
            return [source]
        parts = [_source_column(part, place) for part in name.split(" ")]
        if all(part is not None for part in parts):
            return sorted({part for part in parts if part is not None})
        _, found, name = name.partition("__")
        if not found:
            return []


def _source_column(name, place):
    name = re.sub(r"\^\d+$", "", name)
    while name not in place and "_" in name:
        name = name.rpartition("_")[0]
    return place.get(name)


def _selector_weights(selector, called, names):
    """(p,) weights of a feature selector for its selection, 0 for other columns."""
    chosen = np.asarray(selector.get_support(), dtype=bool)
    if chosen.shape != (len(names),):
        raise InputError(f"{called} has results for {chosen.size} columns, but it was given {len(names)}.")
    strength = np.zeros(len(names))
    inside = getattr(selector, "estimator_", None)
    if getattr(selector, "scores_", None) is not None and np.shape(selector.scores_) == (len(names),):
        strength = np.abs(np.nan_to_num(np.asarray(selector.scores_, dtype=float), posinf=np.finfo(float).max))
    elif inside is not None:
        inputs = (
            [name for name, in_it in zip(names, chosen, strict=True) if in_it] if _is_fitted_to_selection(inside, chosen) else names
        )
        if (weights := _weights_or_none(inside, called, inputs)) is not None:
            strength[chosen if len(inputs) < len(names) else slice(None)] = weights
    return np.where(chosen, np.maximum(strength, MIN_WEIGHT), 0)


def _is_fitted_to_selection(model, chosen) -> bool:
    """Whether the model inside a selector was trained on the selected columns only, as in RFE."""
    return getattr(model, "n_features_in_", len(chosen)) == chosen.sum() < len(chosen)


def _checked_weights(weights, called, p, signed):
    weights = np.asarray(weights.toarray() if hasattr(weights, "toarray") else weights, dtype=float)
    if not signed:
        weights = np.abs(np.atleast_2d(weights)).sum(axis=0)
    if weights.shape != (p,) or (np.isinf(weights) if signed else ~np.isfinite(weights)).any():
        raise InputError(
            f"{called} gives {weights.size} weights for {p} columns, or infinite ones. Leave out steps that replace the columns."
        )
    return weights
