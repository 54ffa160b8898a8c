"""Exports of REDCap are recognised and joined to one row per patient, without the columns of REDCap itself."""

import pandas as pd
from dataset_support import redcap_export

import stabcore as sc
from stabcore.data.presets import guess_roles
from stabcore.data.redcap import recognise_redcap

OWN = (
    *("redcap_event_name", "redcap_repeat_instrument", "redcap_repeat_instance", "demographics_complete"),
    *("survey_timestamp", "visit_complete"),
)


def test_an_export_is_recognised_by_names_of_columns():
    export = recognise_redcap(redcap_export())
    assert export.record == "record_id" and export.events and export.own_columns == OWN
    assert export.checkboxes == {"symptoms": ("symptoms___1", "symptoms___2")}
    others = ({"id": [1, 1], "event": ["a", "b"], "x": [1, 2]}, {"x_complete": [0, 1]}, {})
    for other in map(pd.DataFrame, others):
        assert recognise_redcap(other) is None


def test_events_are_joined_to_one_row_per_patient():
    frame = redcap_export()
    joined, notes = sc.join_events(frame)
    crp = ["crp (baseline_arm_1)", "crp (visit_arm_1)"]
    assert list(joined.columns) == ["record_id", "age", "sex", "symptoms___1", "symptoms___2", *crp, "outcome"]
    assert len(joined) == 40 and joined["record_id"].tolist() == list(range(1, 41)) and len(notes) >= 3
    for name, rows in (("age", slice(0, None, 2)), ("outcome", slice(1, None, 2))):
        assert joined[name].tolist() == frame[name][rows].tolist()
    assert joined["crp (visit_arm_1)"].tolist() == frame["crp"][1::2].tolist()
    data = sc.Dataset.from_frame(joined, target="outcome", exclude=["record_id"])
    assert data.classes == ("<50", ">=50") and data.n_features == 6


def test_the_first_of_repeated_forms_is_used():
    frame = pd.DataFrame(
        {
            "record_id": [1, 1, 1, 2, 2],
            "redcap_repeat_instrument": [None, "labs", "labs", None, "labs"],
            "redcap_repeat_instance": [None, 1, 2, None, 1],
            "age": [50, None, None, 60, None],
            "alt": [None, 30.0, 35.0, None, 40.0],
        }
    )
    joined, notes = sc.join_events(frame)
    assert joined["age"].tolist() == [50, 60] and joined["alt"].tolist() == [30, 40]


def test_columns_of_redcap_are_left_out_by_default():
    guessed = guess_roles(redcap_export())
    assert set(OWN) <= set(guessed.exclude) and guessed.target == "outcome" and guessed.patient == "record_id"
    assert guessed.redcap.events and len(guessed.redcap.sentences) == 2
