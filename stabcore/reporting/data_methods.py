"""Sentences of the methods about the table: missing values, cells that were mended, bins, more than two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from stabcore.base.text import joined, several
from stabcore.selectors.catalog import BY_KEY

TOGETHER, REST, PAIRS = "all classes at once", "each class against the rest", "every two classes, summed over the pairs"
NEAREST, MODEL, NO_OUTCOME = "the nearest rows of every other class", "as its own model does", "not at all"
SEVERAL_CLASSES = {
    **dict.fromkeys(
        ("mim", "mrmr", "jmi", "cmim", "information_gain", "random_forest", "random_forest_permutation", "gbm", "anova_f"), TOGETHER
    ),
    **dict.fromkeys(("lasso", "elastic_net", "group_lasso", "glm_boosting", "auc", "auc_mrmr"), REST),
    **dict.fromkeys(("svm", "svm_rfe"), PAIRS),
    "relieff": NEAREST,
    "estimator": MODEL,
    **dict.fromkeys(("variance", "random"), NO_OUTCOME),
}
"""{key of a selector: how it compares more than two classes}."""


def cells(subject):
    """Missing values and mended cells, as far as the study file or the table tells."""
    mended = subject.result.store.meta("mended", [])
    sentences = [f"Cells that were not numbers were changed as follows. {' '.join(mended)}"] if mended else []
    if subject.data is not None:
        missing = np.isnan(np.asarray(subject.data.table.values, dtype=float))
        where = f" ({missing.mean():.1%}) in {several(int(missing.any(axis=0).sum()), 'feature')}" if missing.any() else ""
        many = int(missing.sum())
        sentences.append(
            f"{several(many, 'value') if many else 'No value'} of {'the' if many else 'any'} "
            f"{'features' if many else 'feature'} {'is' if many < 2 else 'are'} missing{where}."
        )
    if subject.data is None or missing.any():
        sentences.append(
            "No row was dropped for a missing value of a feature. Each selector treats missing values in its own way, given below."
        )
    return " ".join(sentences)


def several_classes(result) -> list[str]:
    """The width of bins, and how each selector compares more than two classes."""
    bins, classes = dict[Any, Any](), dict[Any, Any]()
    for one in result.settings["selectors"]:
        known = BY_KEY.get(one.get("key"))
        if known is None:
            continue
        if "bins" in known.options:
            bins.setdefault(one.get("options", {}).get("bins", known.options["bins"].default), []).append(one["label"])
        if len(result.classes) > 2 and known.key in SEVERAL_CLASSES:
            classes.setdefault(SEVERAL_CLASSES[known.key], []).append(one["label"])
    told = [
        f"Intervals are of equal width between the smallest and the largest value: {many} for {joined(who)}."
        for many, who in bins.items()
    ]
    return told + (
        [
            f"The {len(result.classes)} classes are compared in these ways. "
            + " ".join(f"{joined(who)}: {how}." for how, who in classes.items())
        ]
        if classes
        else []
    )
