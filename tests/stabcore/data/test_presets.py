"""Suggested roles of columns: outcome, patient, times and events, each only with evidence."""

import numpy as np
import pandas as pd

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


def test_a_repeated_number_of_patients_is_the_patient_column():
    for name in PATIENTS.split("|"):
        made = guess_roles(clinic(**{name: np.arange(N) // 2 + 7000}))
        assert made.patient == name and name not in made.exclude
    for name in MEASURED.split("|"):
        assert guess_roles(clinic().drop(columns="ALT").assign(**{name: np.arange(N) // 2 + 7})).patient is None, name


def test_a_few_patients_with_many_rows_are_the_patient_column():
    for name in ("patient_id", "Patient", "subject", "ID"):
        assert guess_roles(clinic(**{name: [f"M{i % 6}" for i in range(N)]})).patient == name, name
    for name, values in (("case", [0, 1, 2]), ("Fall", [0, 1, 2]), ("hospital_id", [1, 2, 3]), ("patient", ["yes", "no"])):
        assert guess_roles(clinic(**{name: values * (N // len(values))})).patient is None, name


def test_unique_numbers_are_left_out_and_coarser_ones_preferred():
    assert guess_roles(clinic(MRN=np.arange(N) + 7000)).exclude == ("MRN",)
    made = guess_roles(clinic(PatNr=np.arange(N) // 3, Fallnummer=np.arange(N) // 2 + 900))
    assert made.patient == "PatNr" and made.exclude == ("Fallnummer",)
    assert guess_roles(clinic(ID=np.arange(N) / 2)).patient is None  # patient numbers have no decimals


IDENTIFIERS = "StudyID|SampleID|Lfd. Nr.|Nr.|Probennummer|Kennung|PIZ|Hospital No.|ID#|#|Fallnr|Pseudonym|IDNr|Identifier"
WORDS = "uric acid|Steroid|fluid|Thyroid|platelets|Synr3|Nrf2|Sample volume|Probenvolumen"


def test_whole_numbers_that_differ_are_identifiers_only_by_their_name():
    numbers = np.random.default_rng(0).choice(90_000, N, replace=False) + 10_000
    for name in IDENTIFIERS.split("|"):
        assert guess_roles(clinic(**{name: numbers})).exclude == (name,), name
    for name in WORDS.split("|"):
        assert guess_roles(clinic(**{name: numbers})).exclude == (), name
    for name, patient in (("PIZ", "PIZ"), ("StudyID", "StudyID"), ("Aufnahmenr", "Aufnahmenr"), ("Probennummer", None)):
        assert guess_roles(clinic(**{name: numbers // 9000})).patient == patient, name
    assert guess_roles(clinic(study_id=np.arange(N) % 3)).patient is None


def test_empty_cells_below_a_patient_number_raise_a_warning():
    numbers = [7000 + i if i % 3 == 0 else None for i in range(N)]
    (found,) = [finding for finding in check(clinic(PatNr=numbers), "outcome", ["PatNr"]) if finding.columns == ("PatNr",)]
    assert found.severity == "warning" and f"{N * 2 // 3} rows" in found.sentence
    for column in ({"PatNr": np.arange(N) // 3}, {"PatNr": np.arange(N)}, {"ALT": numbers}):
        found = check(clinic(**column), "outcome", [*column])
        assert not [finding for finding in found if finding.columns == (*column,)], column


TIMES = {
    **{"time": "status", "OS_months": "OS_event", "os.time": "os", "days_to_death": "vital_status", "survival time": "dead"},
    **{"PFS (months)": "PFS status", "Überlebenszeit": "verstorben", "follow-up time": "censored", "time_to_event": "event"},
}
OTHER_TIMES = "prothrombin time|protime|QT time|days_of_life|months since diagnosis|surgery_time|years of education"


def test_a_time_and_its_event_are_recognised():
    for time, event in TIMES.items():
        made = guess_roles(clinic(**{time: RNG.exponential(900, N).round(), event: [0, 1, 1] * (N // 3)}))
        assert [(pair.time, pair.event) for pair in made.survival] == [(time, event)]
        assert time in made.exclude and made.target not in (None, time)
    for name in OTHER_TIMES.split("|"):
        assert guess_roles(clinic(**{name: RNG.exponential(900, N).round(), "status": [0, 1] * (N // 2)})).survival == (), name
    assert guess_roles(clinic(time=[1, 2, 3] * (N // 3), status=[0, 1] * (N // 2))).survival == (), (
        "three values are too few for a time"
    )


def test_each_time_gets_the_event_of_its_own_name():
    times = {"os_time": RNG.exponential(900, N), "pfs_time": RNG.exponential(300, N)}
    made = guess_roles(clinic(**times, pfs_event=[0, 1] * 30, os_event=[1, 0] * 30))
    assert {(pair.time, pair.event) for pair in made.survival} == {("os_time", "os_event"), ("pfs_time", "pfs_event")}


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
OTHER_NAMES = "drug name|gene_name|hospital name|ward name|rename|sample.name|enzyme"


def test_names_of_people_are_left_out_with_a_warning():
    for name in PEOPLE.split("|"):
        frame = clinic(**{name: ["Ada", "Bo", "Cy", "Dee"] * (N // 4)})
        made = guess_roles(frame)
        assert made.people == (name,) and name in made.exclude and made.patient is None
        (finding,) = [raised for raised in check(frame, "outcome") if raised.sentence.startswith(PEOPLE_FINDING.partition("{}")[0])]
        assert finding.remedy == "leave out" and finding.columns == (name,)
    for name in OTHER_NAMES.split("|"):
        assert guess_roles(clinic(**{name: ["Ada", "Bo", "Cy", "Dee"] * (N // 4)})).people == (), name
    assert guess_roles(clinic(name=np.arange(N) % 4)).people == (), "a number is no name of a person"
