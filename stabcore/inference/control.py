"""The control: what a study finds when the outcome is shuffled, so that nothing can be related to it."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.estimate import terms_of
from stabcore.measures.catalog import entry

COLUMNS = ("value", "floor", "floor_low", "floor_high", "beyond", "p", "shuffles", "note")
NO_CONTROL = ("No control was made, so what these selectors give without any signal is not known. Run the study with the outcome "
              "shuffled as well: control = 5, or the switch on Study.")

MOST = 99               # shuffles that can be asked for
_STREAM = 0x5F          # random numbers of their own, beside those of the resamples and of the selectors
_MOST_DRAWS = 100
_SAME = 1e-12           # values closer than this are equal but for rounding


def shuffled(target, patients, seed, number) -> np.ndarray:
    """The outcome (n,) of shuffle `number` = 1, 2, …: the same values, given to other rows by lot. Depends on (seed, number) alone.

    target: (n,) class numbers, or floats; patients: (n,) a number a row, None where each row is a patient of its own. A patient
    takes over what the rows of another patient have, in their order: over again, or as far as it goes, where it has another number
    of rows. The resamples are then drawn for this outcome with the seed of the study, just as they were for the real one, with the
    same share of every class in each run: under no signal the runs of both are alike in distribution, which is what makes the
    p-value of `against` right. (With patients of unequal size the classes are no longer of quite the same size, and it holds
    nearly.) Raises InputError when a class is lost in 100 draws, as small classes of large patients may be.
    """
    rng = np.random.default_rng([seed, number, _STREAM])
    if patients is None:
        return target[rng.permutation(len(target))]
    of_patient = np.unique(patients, return_inverse=True)[1]
    rows = np.split(np.argsort(of_patient, kind="stable"), np.cumsum(np.bincount(of_patient))[:-1])
    classes = 0 if target.dtype.kind == "f" else len(np.unique(target))
    for _ in range(_MOST_DRAWS):
        outcome = np.empty_like(target)
        for own, giver in zip(rows, rng.permutation(len(rows))):
            outcome[own] = np.resize(target[rows[giver]], len(own))
        if classes in (0, len(np.unique(outcome))):
            return outcome
    raise InputError(f"No shuffle of whole patients kept all {classes} classes in {_MOST_DRAWS} draws: a class is too small.")


def against(real, controls, measure="nogueira", relation=None) -> dict:
    """How stable a selector is (Preferences), beside what it gives without any signal: `controls`, one Preferences a shuffle.

    value Φ; floor Φ₀ = mean of the Φ_s of the S shuffles that have a value, floor_low and floor_high their range, NaN without any;
    beyond = (Φ − Φ₀)/(1 − Φ₀), 0: as without a signal, 1: the same in every run, NaN where Φ₀ = 1 or the measure has no largest
    value of 1; p = (1 + #{Φ_s ≥ Φ})/(S + 1), of the hypothesis that nothing is related to the outcome, never below 1/(S + 1);
    shuffles S; note: why something is missing. Without any signal p is as small as a with a chance of at most a.
    Source: Phipson & Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9:39 (the 1 added to both).
    """
    definition = entry(measure)
    value, why = _value(real, definition, relation)
    values, missing = zip(*(_value(runs, definition, relation) for runs in controls)) if controls else ((), ())
    floors = np.array([floor for floor in values if not np.isnan(floor)])
    notes = [why, *dict.fromkeys(filter(None, missing if not why else ()))]
    if not len(floors):
        notes += ["no shuffle of the outcome is finished yet"] * (not controls)
        return dict(zip(COLUMNS, (value, *[np.nan] * 5, 0, "; ".join(filter(None, notes)))))
    floor = float(floors.mean())
    beyond = np.nan
    if definition.high != 1:
        notes.append("this measure has no largest value of 1 that the way beyond the floor could be a share of")
    elif floor > 1 - _SAME:
        notes.append("it gives the same in every run whatever the outcome, so nothing lies beyond the floor")
    else:
        beyond = (value - floor) / (1 - floor)
    p = np.nan if np.isnan(value) else (1 + np.count_nonzero(floors >= value - _SAME)) / (len(floors) + 1)
    return dict(zip(COLUMNS, (value, floor, float(floors.min()), float(floors.max()), beyond, p, len(floors),
                              "; ".join(filter(None, notes)))))


def _value(preferences, definition, relation):
    """(a measure of these runs, NaN where it has none; why not)."""
    try:
        terms = terms_of(preferences, definition, relation, {})
        value = float(terms.value())
    except InputError as error:
        return np.nan, str(error)
    return (value, "") if np.isfinite(value) else (np.nan, terms.reason)
