"""Of which class things are told."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.data.event import event_class


@pytest.mark.parametrize(
    ("classes", "name"),
    [
        (("no", "yes"), "yes"),
        (("0", "1"), "1"),
        (("Control", "Impaired"), "Impaired"),
        (("benign", "malignant"), "malignant"),
        (("Sepsis", "keine Sepsis"), "Sepsis"),
        (("AD", "control"), "AD"),
        (("case", "no case"), "case"),
        (("ill", "well"), "ill"),
        (("Responder", "non-responder"), "Responder"),
        (("dead", "survived"), "dead"),
        (("a", "b"), "b"),
        (("no", "none"), "none"),
        (("KRAS", "NRAS"), "NRAS"),
        (("nodule", "tumour"), "tumour"),
        (("krank", "normal weight"), "krank"),
    ],
)
def test_the_class_that_has_what_was_asked_about_is_told_of(classes, name):
    assert classes[event_class(classes)] == name


def test_effects_are_those_of_the_same_table_with_classes_named_the_other_way_round():
    rng, ill = np.random.default_rng(0), np.repeat([True, False], 20)
    X = pd.DataFrame(rng.normal(size=(40, 3)) + ill[:, None], columns=list("abc"))
    one, other = (
        sc.effects(sc.Dataset.from_frame(X.assign(y=np.where(ill, *names)), target="y"))
        for names in (("Sepsis", "keine Sepsis"), ("x Sepsis", "keine Sepsis"))
    )
    assert set(one["direction"]) == {"higher in Sepsis"}
    pd.testing.assert_frame_equal(one.drop(columns="direction"), other.drop(columns="direction"))
