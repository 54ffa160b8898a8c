"""Of which class things are told."""

import numpy as np
import pandas as pd

import stabcore as sc
from stabcore.data.event import event_class

EVENTS = {
    **{"yes": ("no", "yes"), "1": ("0", "1"), "Impaired": ("Control", "Impaired"), "malignant": ("benign", "malignant")},
    **{"Sepsis": ("Sepsis", "keine Sepsis"), "AD": ("AD", "control"), "case": ("case", "no case"), "ill": ("ill", "well")},
    **{"Responder": ("Responder", "non-responder"), "dead": ("dead", "survived"), "b": ("a", "b"), "none": ("no", "none")},
    **{"NRAS": ("KRAS", "NRAS"), "tumour": ("nodule", "tumour"), "krank": ("krank", "normal weight")},
}


def test_the_class_that_has_what_was_asked_about_is_told_of():
    assert {name: classes[event_class(classes)] for name, classes in EVENTS.items()} == {name: name for name in EVENTS}


def test_effects_are_those_of_the_same_table_with_classes_named_the_other_way_round():
    rng, ill = np.random.default_rng(0), np.repeat([True, False], 20)
    X = pd.DataFrame(rng.normal(size=(40, 3)) + ill[:, None], columns=list("abc"))
    one, other = (
        sc.effects(sc.Dataset.from_frame(X.assign(y=np.where(ill, *names)), target="y"))
        for names in (("Sepsis", "keine Sepsis"), ("x Sepsis", "keine Sepsis"))
    )
    assert set(one["direction"]) == {"higher in Sepsis"}
    pd.testing.assert_frame_equal(one.drop(columns="direction"), other.drop(columns="direction"))
