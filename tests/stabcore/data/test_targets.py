"""Targets: classes or numbers, on request or by a noted rule, and the class of the event."""

import numpy as np
import pandas as pd
import pytest
from dataset_support import N

import stabcore as sc
from stabcore.data import Dataset
from stabcore.data.event import event_class


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        ([1, 0] * 20, ("0", "1")),
        ([1.0, 2.0] * 20, ("1", "2")),
        ([0.5, 10.0] * 20, ("0.5", "10")),
        ([True, False] * 20, ("False", "True")),
        (["b", "a"] * 20, ("a", "b")),
        (["10", "9"] * 20, ("9", "10")),
        (list(range(20)) * 2, tuple(map(str, range(20)))),
        (pd.Categorical(["hi", "lo"] * 20, categories=["lo", "hi"]), ("hi", "lo")),
    ],
)
def test_classes(frame, values, classes):
    data = Dataset.from_frame(frame.assign(outcome=values), target="outcome")
    assert data.classes == classes
    names = [classes[code] for code in data.target]
    assert names == [f"{v:g}" if isinstance(v, float) else str(v) for v in values]


@pytest.mark.parametrize(
    ("values", "target_as", "number"),
    [
        (range(20), None, False),
        (range(21), None, True),
        (range(20), "number", True),
        ([0.5, 2, 7], "number", True),
        (range(20), "classes", False),
        ([0.5, 2, 7], None, False),
        (["0,5", *(f"{i},5" for i in range(1, 30))], None, True),
    ],
)
def test_which_targets_are_numbers(frame, values, target_as, number):
    outcomes = (list(values) * N)[: max(N, 2 * len(values))]
    frame = pd.concat([frame, frame], ignore_index=True).iloc[: len(outcomes)].assign(outcome=outcomes)
    data = Dataset.from_frame(frame, target="outcome", target_as=target_as)
    assert data.numeric_target == number == (data.target.dtype == float) == (data.classes == ())
    assert any("number" in note for note in data.notes) == number
    if number:
        expected = [float(str(value).replace(",", ".")) for value in outcomes]
        assert data.target.tolist() == expected


def test_a_numeric_target_has_its_own_fingerprint(frame):
    table = frame.assign(grade=[1, 2, 3, 4] * 10)
    other = table.replace({"grade": {4: 4.5}})
    asked = [{"frame": variant, "target_as": kind} for variant in (table, other) for kind in ("classes", "number")]
    assert len({Dataset.from_frame(**options, target="grade").fingerprint for options in asked}) == 4
    zero = table.replace({"grade": {1: 0.0}})
    minus = zero.assign(grade=np.where(zero["grade"] == 0, -0.0, zero["grade"]))
    assert len({Dataset.from_frame(variant, target="grade", target_as="number").fingerprint for variant in (zero, minus)}) == 1


EVENTS = {
    **{"yes": ("no", "yes"), "1": ("0", "1"), "Impaired": ("Control", "Impaired"), "malignant": ("benign", "malignant")},
    **{"Sepsis": ("Sepsis", "keine Sepsis"), "AD": ("AD", "control"), "case": ("case", "no case"), "ill": ("ill", "well")},
    **{"Responder": ("Responder", "non-responder"), "dead": ("dead", "survived"), "b": ("a", "b"), "none": ("no", "none")},
    **{"NRAS": ("KRAS", "NRAS"), "tumour": ("nodule", "tumour"), "krank": ("krank", "normal weight")},
    **{"DECEASED": ("DECEASED", "LIVING"), "Exitus": ("Exitus", "lebend"), "event": ("event", "event-free"), "ALS": ("ALS", "HC")},
    **{"auffällig": ("auffällig", "unauffällig"), "0: ill": ("0: ill", "1: well"), "Fieber": ("Fieber", "keine")},
    **{"mild": ("control", "mild", "severe"), "x": ("x", "y", "z")},
}


def test_the_class_of_the_event_is_recognised():
    assert {name: classes[event_class(classes)] for name, classes in EVENTS.items()} == {name: name for name in EVENTS}


def test_effects_do_not_depend_on_the_order_of_classes():
    rng, ill = np.random.default_rng(0), np.repeat([True, False], 20)
    X = pd.DataFrame(rng.normal(size=(40, 3)) + ill[:, None], columns=list("abc"))
    first, second = (
        sc.effects(sc.Dataset.from_frame(X.assign(y=np.where(ill, *names)), target="y"))
        for names in (("Sepsis", "keine Sepsis"), ("x Sepsis", "keine Sepsis"))
    )
    assert set(first["direction"]) == {"higher in Sepsis"}
    pd.testing.assert_frame_equal(first.drop(columns="direction"), second.drop(columns="direction"))
