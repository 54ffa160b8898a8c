"""Classes of samples from a second file, found by the samples' names whatever their order."""

import pandas as pd
from shape_support import CLASSES, SAMPLES, measured
from snapshot_support import check_refusals

from stabcore.io.orientation import add_samples, groups_by, turn

TABLE = measured().rename_axis("sample").reset_index()
SECOND = pd.DataFrame({"nr": range(12), "accession": SAMPLES, "class": CLASSES})


def test_classes_are_put_beside_their_samples():
    joined, new, notes = add_samples(TABLE, SECOND.sample(frac=1, random_state=1))
    assert joined["class"].tolist() == list(CLASSES) and new == ("nr", "class")
    assert joined["TP53"].tolist() == TABLE["TP53"].tolist() and list(joined.columns)[:3] == ["sample", "nr", "class"]


def test_samples_that_only_one_file_has_are_named():
    joined, _, notes = add_samples(TABLE, pd.concat([SECOND.iloc[1:], SECOND.iloc[:1].assign(accession="GSM9")]))
    assert joined["class"].isna().tolist() == [True] + [False] * 11


def test_columns_of_one_name_stay_two():
    joined, new, _ = add_samples(TABLE, SECOND.rename(columns={"nr": "EGFR"}))
    assert "EGFR (second file)" in new and joined["EGFR"].tolist() == TABLE["EGFR"].tolist()


def test_a_second_file_that_does_not_fit_is_a_sentence():
    def call(second):
        add_samples(TABLE, second)

    cases = [pd.concat([SECOND, SECOND.iloc[:1]]), SECOND.assign(accession="x"), SECOND[["accession"]], SECOND.iloc[:3]]
    check_refusals("io/a_second_file_that_does_not_fit_is_a_sentence", call, cases)


def test_a_second_column_of_names_makes_groups_of_what_was_measured():
    frame = pd.DataFrame(
        {
            "ID_REF": ["1007_s_at", "1053_at", "117_at", "121_at"],
            "Symbol": ["DDR1", "RFC2", "DDR1", None],
            **{f"GSM{i}": [8.1, 5.2, 3.3, 4.4] for i in range(6)},
        }
    )
    turned, about, _, _ = turn(frame, "ID_REF", ["ID_REF", "Symbol"])
    assert groups_by(frame, "Symbol", list(turned.columns)[1:], len(about)) == {"DDR1": ["1007_s_at", "117_at"]}
