"""Suggested roles of columns: outcome, patient, times and events, each only with evidence."""

import numpy as np
import pandas as pd
import pytest

from stabcore.data import check
from stabcore.data.describe import PEOPLE as PEOPLE_FINDING
from stabcore.data.presets import guess_roles

N = 60
RNG = np.random.default_rng(4)


def clinic(**columns):
    return pd.DataFrame(
        {"ALT": RNG.normal(30, 8, N).round(1), "age": RNG.integers(20, 80, N), **columns, "outcome": ["ill", "well"] * (N // 2)}
    )


PATIENTS = "ID|Pat|PatNr|patient no|Patient_ID|MRN|Fallnummer|Pat.-Nr.|usubjid|participant|hospital number|record_id|study.pid"
MEASURED = "age_of_patient|days_to_fall|cost per patient|center_id|ALT|patient weight|centre"
IDENTIFIERS = "StudyID|SampleID|Lfd. Nr.|Nr.|Probennummer|Kennung|PIZ|Hospital No.|ID#|#|Fallnr|Pseudonym|IDNr|Identifier"
WORDS = "uric acid|Steroid|fluid|Thyroid|platelets|Synr3|Nrf2|Sample volume|Probenvolumen"
TIMES = {
    **{"time": "status", "OS_months": "OS_event", "os.time": "os", "days_to_death": "vital_status", "survival time": "dead"},
    **{"PFS (months)": "PFS status", "Überlebenszeit": "verstorben", "follow-up time": "censored", "time_to_event": "event"},
}
OTHER_TIMES = "prothrombin time|protime|QT time|days_of_life|months since diagnosis|surgery_time|years of education"
OTHER_NAMES = "drug name|gene_name|hospital name|ward name|rename|sample.name|enzyme"
TWICE, FEW, YES = np.arange(N) // 2 + 7000, [f"M{i % 6}" for i in range(N)], [0, 1] * (N // 2)
NUMBERS, WORDS_OF_PEOPLE = np.random.default_rng(0).choice(90_000, N, replace=False) + 10_000, ["Ada", "Bo", "Cy", "Dee"] * (N // 4)
LONG = RNG.exponential(900, N).round()
GUESSES = [  # (columns of a table beside ALT, age and outcome, what is guessed)
    *(({name: TWICE}, {"patient": name, "exclude": ()}) for name in PATIENTS.split("|")),
    *(({name: TWICE}, {"patient": None}) for name in MEASURED.split("|")),
    *(({name: FEW}, {"patient": name}) for name in ("patient_id", "Patient", "subject", "ID")),
    *(({name: [0, 1, 2] * (N // 3)}, {"patient": None}) for name in ("case", "Fall", "hospital_id", "study_id")),
    ({"patient": ["yes", "no"] * (N // 2)}, {"patient": None}),
    ({"MRN": np.arange(N) + 7000}, {"exclude": ("MRN",)}),
    ({"PatNr": np.arange(N) // 3, "Fallnummer": TWICE}, {"patient": "PatNr", "exclude": ("Fallnummer",)}),
    ({"ID": np.arange(N) / 2}, {"patient": None}),  # patient numbers have no decimals
    *(({name: NUMBERS}, {"exclude": (name,)}) for name in IDENTIFIERS.split("|")),
    *(({name: NUMBERS}, {"exclude": ()}) for name in WORDS.split("|")),
    *(({name: NUMBERS // 9000}, {"patient": name}) for name in ("PIZ", "StudyID", "Aufnahmenr")),
    ({"Probennummer": NUMBERS // 9000}, {"patient": None}),
    *(({time: LONG, event: [0, 1, 1] * (N // 3)}, {"survival": [(time, event)]}) for time, event in TIMES.items()),
    *(({name: LONG, "status": YES}, {"survival": []}) for name in OTHER_TIMES.split("|")),
    ({"time": [1, 2, 3] * (N // 3), "status": YES}, {"survival": []}),  # three values are too few for a time
    (
        {"os_time": LONG, "pfs_time": LONG / 3, "pfs_event": YES, "os_event": YES[::-1]},
        {"survival": [("os_time", "os_event"), ("pfs_time", "pfs_event")]},
    ),
    *(({name: WORDS_OF_PEOPLE}, {"people": ()}) for name in OTHER_NAMES.split("|")),
    ({"name": np.arange(N) % 4}, {"people": ()}),  # a number is no name of a person
]


@pytest.mark.parametrize(("columns", "expected"), GUESSES, ids=lambda value: " ".join(value) if "ALT" not in value else "")
def test_roles_are_guessed_with_evidence_only(columns, expected):
    made = guess_roles(clinic(**columns))
    pairs = sorted((pair.time, pair.event) for pair in made.survival)
    assert {key: pairs if key == "survival" else getattr(made, key) for key in expected} == expected
    assert made.patient not in made.exclude and all(time in made.exclude and made.target != time for time, _ in pairs)


def test_empty_cells_below_a_patient_number_raise_a_warning():
    numbers = [7000 + i if i % 3 == 0 else None for i in range(N)]
    (found,) = [finding for finding in check(clinic(PatNr=numbers), "outcome", ["PatNr"]) if finding.columns == ("PatNr",)]
    assert found.severity == "warning" and f"{N * 2 // 3} rows" in found.sentence
    for column in ({"PatNr": np.arange(N) // 3}, {"PatNr": np.arange(N)}, {"ALT": numbers}):
        found = check(clinic(**column), "outcome", [*column])
        assert not [finding for finding in found if finding.columns == (*column,)], column


def test_a_time_among_the_features_raises_a_warning():
    frame = clinic(time=RNG.exponential(900, N).round(1), status=[0, 1] * (N // 2))
    found = [finding for finding in check(frame, "status", ["outcome"]) if finding.columns == ("time",)]
    assert found[0].remedy == "leave out"
    assert not [finding for finding in check(frame, "status", ["time", "outcome"]) if finding.columns == ("time",)]


def test_reasons_for_a_suggested_outcome():
    assert (guess_roles(clinic()).target, guess_roles(clinic()).why_target) == ("outcome", "by its name")
    assert guess_roles(clinic().rename(columns={"outcome": "xyz"})).why_target.startswith("as the last column")
    assert guess_roles(clinic()[["outcome", "ALT"]].rename(columns={"outcome": "xyz"})).target is None
    assert guess_roles(clinic().rename(columns={"outcome": "rx"})).target is None, "the last column is a treatment"
    export = clinic(redcap_event_name=["a_arm_1"] * 60, redcap_data_access_group=["north", "south"] * 30)
    assert guess_roles(export.drop(columns="outcome")).target is None and guess_roles(export).target == "outcome"


def test_descriptions_of_samples_are_outcomes_but_not_features():
    frame = clinic(tissue=["liver", "lung"] * 30, sex=["f", "m", "m"] * 20).drop(columns="outcome")
    made = guess_roles(frame, ("tissue", "sex"))
    assert made.target is None and made.candidates == ("tissue", "sex") and made.exclude == ("tissue", "sex")
    named = guess_roles(frame.rename(columns={"tissue": "disease"}), ("disease", "sex"))
    assert named.target == "disease" and named.exclude == ("sex",)


PEOPLE = "Name|patient name|Patientenname|Patient_Name|full name|Nachname|surname|last.name|initials|nom|Apellidos|Subject Name"


def test_names_of_people_are_left_out_with_a_warning():
    for name in PEOPLE.split("|"):
        frame = clinic(**{name: ["Ada", "Bo", "Cy", "Dee"] * (N // 4)})
        made = guess_roles(frame)
        assert made.people == (name,) and name in made.exclude and made.patient is None
        (finding,) = [raised for raised in check(frame, "outcome") if raised.sentence.startswith(PEOPLE_FINDING.partition("{}")[0])]
        assert finding.remedy == "leave out" and finding.columns == (name,)
