"""What columns are guessed to be for: the outcome, the patient, times and events; each only where there is ground for it."""

import numpy as np
import pandas as pd
import pytest
from support import ROOT

from stabcore.data import check
from stabcore.data.describe import PEOPLE as PEOPLE_FINDING
from stabcore.data.presets import presets
from stabcore.io.table import read_table

N = 60
RNG = np.random.default_rng(4)


def clinic(**columns):
    return pd.DataFrame(
        {"ALT": RNG.normal(30, 8, N).round(1), "age": RNG.integers(20, 80, N), **columns, "outcome": ["ill", "well"] * (N // 2)}
    )


@pytest.mark.parametrize(
    "name",
    [
        "ID",
        "Pat",
        "PatNr",
        "patient no",
        "Patient_ID",
        "MRN",
        "Fallnummer",
        "Pat.-Nr.",
        "Fall-Nr",
        "usubjid",
        "participant",
        "Patientennummer",
        "hospital number",
        "record_id",
        "study.pid",
    ],
)
def test_a_number_of_a_patient_with_revisits_is_the_patient_and_no_feature(name):
    made = presets(clinic(**{name: np.arange(N) // 2 + 7000}))
    assert made.patient == name and name not in made.exclude


@pytest.mark.parametrize(
    "name", ["age_of_patient", "days_to_fall", "cost per patient", "center_id", "ALT", "patient weight", "centre"]
)
def test_measurements_of_patients_are_not_who_they_are(name):
    frame = clinic().drop(columns="ALT")
    assert presets(frame.assign(**{name: np.arange(N) // 2 + 7})).patient is None


def test_patients_of_one_row_each_are_left_out_and_of_two_numbers_the_coarser_is_taken():
    assert presets(clinic(MRN=np.arange(N) + 7000)).exclude == ("MRN",)
    made = presets(clinic(PatNr=np.arange(N) // 3, Fallnummer=np.arange(N) // 2 + 900))
    assert made.patient == "PatNr" and made.exclude == ("Fallnummer",)
    assert presets(clinic(ID=np.arange(N) / 2)).patient is None  # halves are no numbers of patients


@pytest.mark.parametrize(
    ("time", "event"),
    [
        ("time", "status"),
        ("OS_months", "OS_event"),
        ("futime", "fustat"),
        ("os.time", "os"),
        ("days_to_death", "vital_status"),
        ("survival time", "dead"),
        ("PFS (months)", "PFS status"),
        ("time_to_event", "event"),
        ("Überlebenszeit", "verstorben"),
        ("follow-up time", "censored"),
        ("Overall survival (days)", "death"),
        ("days_to_last_followup", "status"),
    ],
)
def test_a_time_and_its_event_are_recognised(time, event):
    made = presets(clinic(**{time: RNG.exponential(900, N).round(), event: [0, 1, 1] * (N // 3)}))
    assert [(pair.time, pair.event) for pair in made.survival] == [(time, event)]
    assert time in made.exclude and made.target not in (None, time)
    assert all(name in made.survival[0].sentence for name in (time, event))


@pytest.mark.parametrize(
    "name",
    [
        "prothrombin time",
        "protime",
        "bleeding_time",
        "QT time",
        "days_of_life",
        "months since diagnosis",
        "time of day",
        "surgery_time",
        "years of education",
    ],
)
def test_other_times_are_measurements(name):
    assert presets(clinic(**{name: RNG.exponential(900, N).round(), "status": [0, 1] * (N // 2)})).survival == ()


def test_a_time_without_an_event_and_a_time_of_few_values_are_left_alone():
    plain = pd.DataFrame({"time": RNG.exponential(9, N).round(2), "ALT": RNG.normal(size=N)})
    assert presets(plain).survival == ()
    assert presets(clinic(time=[1, 2, 3] * (N // 3))).survival == ()


def test_each_time_gets_the_event_of_its_own_name():
    times = {"os_time": RNG.exponential(900, N), "pfs_time": RNG.exponential(300, N)}
    made = presets(clinic(**times, pfs_event=[0, 1] * 30, os_event=[1, 0] * 30))
    assert {(pair.time, pair.event) for pair in made.survival} == {("os_time", "os_event"), ("pfs_time", "pfs_event")}


def test_the_check_warns_of_a_time_among_the_features_and_of_a_time_as_target():
    frame = clinic(time=RNG.exponential(900, N).round(1), status=[0, 1] * (N // 2))
    found = [one for one in check(frame, "status", ["outcome"]) if one.columns == ("time",)]
    assert found[0].remedy == "leave out"
    assert not [one for one in check(frame, "status", ["time", "outcome"]) if one.columns == ("time",)]


def test_why_an_outcome_was_guessed():
    assert (presets(clinic()).target, presets(clinic()).why_target) == ("outcome", "by its name")
    assert presets(clinic().rename(columns={"outcome": "xyz"})).why_target.startswith("as the last column")
    assert presets(clinic()[["outcome", "ALT"]].rename(columns={"outcome": "xyz"})).target is None
    assert presets(clinic().rename(columns={"outcome": "rx"})).target is None, "a treatment that happens to stand last"
    export = clinic(redcap_event_name=["a_arm_1"] * 60, redcap_data_access_group=["north", "south"] * 30)
    assert presets(export.drop(columns="outcome")).target is None and presets(export).target == "outcome"


def test_what_is_known_of_samples_is_no_feature_and_one_of_it_the_outcome():
    frame = clinic(tissue=["liver", "lung"] * 30, sex=["f", "m", "m"] * 20).drop(columns="outcome")
    made = presets(frame, ("tissue", "sex"))
    assert made.target is None and made.candidates == ("tissue", "sex") and made.exclude == ("tissue", "sex")
    named = presets(frame.rename(columns={"tissue": "disease"}), ("disease", "sex"))
    assert named.target == "disease" and named.exclude == ("sex",)


def test_the_bundled_trial_has_its_time_left_out():
    made = presets(read_table(ROOT / "sample_data" / "actg175.csv").frame)
    assert made.survival[0].time == "time" and "time" in made.exclude and made.patient is None


PEOPLE = [
    "Name",
    "name",
    "patient name",
    "Patientenname",
    "Patient_Name",
    "full name",
    "First name",
    "Nachname",
    "vorname",
    "surname",
    "last.name",
    "Name des Patienten",
    "initials",
    "nom",
    "Apellidos",
    "Subject Name",
]


@pytest.mark.parametrize("name", PEOPLE)
def test_names_of_people_are_left_out_however_few_and_warned_about_as_features(name):
    frame = clinic(**{name: ["Ada", "Bo", "Cy", "Dee"] * (N // 4)})
    made = presets(frame)
    assert made.people == (name,) and name in made.exclude and made.patient is None
    (finding,) = [one for one in check(frame, "outcome") if one.sentence.startswith(PEOPLE_FINDING.partition("{}")[0])]
    assert finding.remedy == "leave out" and finding.columns == (name,)


@pytest.mark.parametrize("name", ["drug name", "gene_name", "hospital name", "ward name", "rename", "sample.name", "enzyme"])
def test_names_of_something_else_stay_features(name):
    assert presets(clinic(**{name: ["Ada", "Bo", "Cy", "Dee"] * (N // 4)})).people == ()


def test_a_number_called_a_name_is_no_name():
    assert presets(clinic(name=np.arange(N) % 4)).people == ()
