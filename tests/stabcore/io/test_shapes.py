"""Layouts and formats of tables are read with the right values or asked about, and never silently misread."""

import io

import numpy as np
import pandas as pd
import pytest
from shape_support import CLASSES, GENES, PROBES, SAMPLES, gct, labelled, measured, on_its_side, series_matrix, write_table, zipped
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.io.orientation import add_samples, group_columns, recognise_transposed, transpose_table
from stabcore.io.table import read_table

TRUE = measured()


def same(frame, expected=TRUE, samples=SAMPLES):
    assert frame["sample"].tolist() == list(samples)
    pd.testing.assert_frame_equal(
        frame[list(expected.columns)].reset_index(drop=True).astype(float),
        expected.reset_index(drop=True).astype(float),
        check_names=False,
    )


# ---- formats with a header of their own ----

MIXED_UP = [
    [f"tissue: {c}" for c in CLASSES],
    [f"age: {40 + i}" if i % 2 else "Sex: F" for i in range(12)],
    ["Sex: M" if i % 2 else f"age: {40 + i}" for i in range(12)],
]


def gct_1_3(frame, classes):
    """A GCT 1.3 file with one line about the samples and one column about the genes."""
    lines = [
        "#1.3",
        f"{len(frame.columns)}\t{len(frame)}\t1\t1",
        "\t".join(["id", "chromosome", *frame.index]),
        "\t".join(["state", "na", *classes]),
        *("\t".join([name, "7", *map(repr, frame[name].tolist())]) for name in frame.columns),
    ]
    return ("\n".join(lines) + "\n").encode()


SAID = {
    "series matrix": (series_matrix(TRUE, MIXED_UP), "GSE1_series_matrix.txt"),
    "series matrix, packed": (zipped(series_matrix(TRUE, MIXED_UP)), "GSE1_series_matrix.txt.gz"),
    "series matrix of Windows": (series_matrix(TRUE, MIXED_UP).replace(b"\n", b"\r\n"), "GSE1.txt"),
    "gct 1.2": (gct(TRUE), "all_aml.gct"),
    "gct 1.2, packed": (zipped(gct(TRUE)), "all_aml.gct.gz"),
    "gct 1.3": (gct_1_3(TRUE, CLASSES), "x.gct"),
    "gct under another name": (gct(TRUE), "x.txt"),
}


@pytest.mark.parametrize("shape", SAID)
def test_formats_of_genes_in_rows_become_samples_in_rows(shape):
    read = read_table(*SAID[shape])
    same(read.frame)
    assert recognise_transposed(read.frame) is None


def test_characteristics_of_samples_are_columns():
    """One line of characteristics can hold different variables. Read by line, ages would become sexes."""
    read = read_table(*SAID["series matrix"])
    assert read.about == ("title", "source", "tissue", "Sex", "age")
    assert read.frame["tissue"].tolist() == list(CLASSES)
    assert read.frame["age"].tolist() == [40 + i for i in range(12)] and read.frame["Sex"].tolist() == ["F", "M"] * 6
    assert read_table(*SAID["gct 1.3"]).about == ("state",)


def test_empty_cells_are_missing_and_repeated_probes_numbered():
    frame = TRUE.copy()
    frame.iloc[3, 2] = np.nan
    frame.columns = [*GENES[:-1], "TP53"]
    made = read_table(series_matrix(pd.DataFrame(frame.to_numpy(), SAMPLES, GENES)).replace(b'"VHL"', b'"TP53"'), "x.txt").frame
    assert np.isnan(made["KRAS"][3]) and made["KRAS"].notna().sum() == 11
    np.testing.assert_array_equal(made["TP53 (2)"], TRUE["VHL"])


REFUSED = {
    "cut off": (series_matrix(TRUE, end=False), "x.txt"),
    "no measurements": (series_matrix(TRUE[[]]), "x.txt"),
    "no table at all": (b'!Series_title\t"A"\n!Series_type\t"B"\n', "x.txt"),
    "other samples": (series_matrix(TRUE, samples=[*SAMPLES[:-1], "GSM9"]), "x.txt"),
    "gct with rows missing": (gct(TRUE, rows=9), "x.gct"),
    "gct of another version": (gct(TRUE).replace(b"#1.2", b"#2.0"), "x.gct"),
    "gct without counts": (gct(TRUE).replace(b"8\t12", b"a\tb"), "x.gct"),
    "ragged line": (series_matrix(TRUE).replace(b'"VHL"\t', b'"VHL"\t1\t'), "x.txt"),
    "not SPSS": (b"a,b\n1,2\n", "x.sav"),
    "half of SAS": (b"HEADER RECORD*******" * 9, "x.xpt"),
}
REFUSED_BY_PACKAGES = {  # needs stabcore[formats]
    "half of SPSS": (b"$FL2" + bytes(300), "x.sav"),
    "not R": (zipped(b"nothing of R"), "x.rds"),
}


def test_damaged_and_hostile_files_are_refused():
    check_refusals("io/damaged_formats", read_table, REFUSED)


def test_damaged_files_that_packages_read_are_refused():
    pytest.importorskip("pyreadstat")
    pytest.importorskip("pyreadr")
    check_refusals("io/damaged_formats_of_packages", read_table, REFUSED_BY_PACKAGES)


# ---- SPSS, Stata, SAS, R ----

CLINIC = pd.DataFrame(
    {
        "v1": [1.0, 2.0, np.nan, 1.0] * 5,
        "alb": np.arange(20) * 0.1,
        "pain": [float(i % 11) for i in range(20)],
        "age": [30.0, 45.0, 99.0, 61.0] * 5,
        "site": ["Köln", "Bonn", "", "Ulm"] * 5,
        "seen": pd.date_range("2020-01-01", periods=20),
    }
)
LABELS = {"column_labels": {"v1": "Sex of the patient", "alb": "Serum albumin (g/l)"}}
LEVELS = {"variable_value_labels": {"v1": {1: "male", 2: "female"}, "pain": {0: "none", 10: "worst"}, "age": {99: "refused"}}}


@pytest.mark.parametrize("ending", [".sav", ".dta"])
def test_labels_of_values_are_levels_and_labels_of_columns_are_names(ending):
    integers = CLINIC.assign(v1=CLINIC["v1"].astype("Int64"), pain=CLINIC["pain"].astype(int), age=CLINIC["age"].astype(int))
    read = read_table(labelled(ending, CLINIC if ending == ".sav" else integers, **LABELS, **LEVELS), "clinic" + ending)
    frame = read.frame
    assert list(frame.columns) == ["Sex of the patient", "Serum albumin (g/l)", "pain", "age", "site", "seen"]
    assert frame["Sex of the patient"].tolist()[:2] == ["male", "female"] and frame["Sex of the patient"].isna().sum() == 5
    np.testing.assert_allclose(frame["Serum albumin (g/l)"], CLINIC["alb"])
    assert frame["pain"].tolist() == CLINIC["pain"].tolist()  # a scale with named ends only stays numeric
    assert frame["age"].tolist()[:4] == ["30", "45", "refused", "61"]  # 99 is no age, so it is a text among numbers
    assert frame["site"].tolist()[:2] == ["Köln", "Bonn"] and frame["site"].isna().sum() == 5
    assert frame["seen"].dtype.kind == "M"


def test_values_that_a_file_declares_as_missing_are_empty_and_counted():
    labels = {"variable_value_labels": {"age": {99: "refused"}}, "missing_ranges": {"age": [{"lo": 90, "hi": 99}], "site": ["Ulm"]}}
    read = read_table(labelled(".sav", CLINIC, **labels), "clinic.sav")
    assert read.frame["age"].dtype.kind == "f" and read.frame["age"].isna().sum() == 5 and read.frame["site"].isna().sum() == 10
    assert [n for n in ("10 cells", "20 empty cells") if any(n in note for note in read.notes)] == ["10 cells", "20 empty cells"]
    assert not any("labels" in note for note in read.notes)  # no cell holds one


def test_a_sas_transport_file_has_its_labels_its_zeros_and_its_dates():
    read = read_table(labelled(".xpt", CLINIC.drop(columns="site"), table_name="T", file_format_version=5, **LABELS), "adsl.xpt")
    assert list(read.frame.columns)[:2] == ["Sex of the patient", "Serum albumin (g/l)"]
    np.testing.assert_allclose(read.frame["Serum albumin (g/l)"], CLINIC["alb"])
    assert read.frame["pain"].tolist() == CLINIC["pain"].tolist() and read.frame["seen"].dtype.kind == "M"
    assert read.frame["Sex of the patient"].isna().sum() == 5


def test_a_data_frame_of_r_is_read_and_other_objects_are_not():
    frame = CLINIC.drop(columns="seen").assign(group=pd.Categorical(["ill", "well"] * 10))
    read = read_table(labelled(".rds", frame), "x.rds")
    assert list(read.frame.columns) == list(frame.columns) and read.frame["group"].tolist() == ["ill", "well"] * 10
    np.testing.assert_allclose(read.frame["alb"], frame["alb"])


# ---- transposed tables, with a question ----

ENTREZ = [7157, 1956, 3845, 4609, 5728, 5925, 673, 7428]


def write_csv(frame, quote=True):
    """A matrix with unnamed row names, by write.csv of R."""
    return frame.to_csv(index_label="", quoting=2 if quote else 0).encode()


FLIPPED = {
    "csv with names": on_its_side(TRUE).to_csv(index=False),
    "accession after the symbol": on_its_side(TRUE, "symbol", accession=PROBES).to_csv(index=False),
    "matrix of Bioconductor, write.csv": write_csv(TRUE.T),
    "matrix of R, write.table": write_table(TRUE.T),
    "decimal commas": on_its_side(TRUE).to_csv(index=False, sep=";", decimal=","),
    "Entrez numbers": on_its_side(TRUE.set_axis(ENTREZ, axis=1), "Entrez ID").to_csv(index=False),
}


@pytest.mark.parametrize("shape", FLIPPED)
def test_a_transposed_table_is_asked_about_and_turned(shape):
    text = FLIPPED[shape]
    frame = read_table(text.encode() if isinstance(text, str) else text, "x.txt" if "write.table" in shape else "x.csv").frame
    found = recognise_transposed(frame)
    assert found is not None and len(found.why) >= 2
    turned, about, _, notes = transpose_table(frame, "symbol" if "symbol" in shape else None)
    again = read_table(turned.to_csv(index=False).encode(), "turned.csv").frame
    names = [name for name in again.columns if name != "sample"]
    assert len(names) == 8 and len(again) == 12 and not about
    np.testing.assert_array_equal(again[names].to_numpy(dtype=float), TRUE.to_numpy())
    assert names[0] in ("TP53", "1000_at", "7157") and recognise_transposed(again) is None


def test_classes_in_the_first_rows_become_columns():
    side = on_its_side(TRUE)
    head = pd.DataFrame([["diagnosis", *CLASSES], ["sex", *("F", "M", "M") * 4]], columns=side.columns)
    frame = read_table(pd.concat([head, side.astype(object)]).to_csv(index=False).encode(), "x.csv").frame
    assert recognise_transposed(frame).head == 2
    turned, about, *_ = transpose_table(frame)
    again = read_table(turned.to_csv(index=False).encode(), "t.csv").frame
    same(again)
    assert about == ("diagnosis", "sex") and again["diagnosis"].tolist() == list(CLASSES)


def test_tables_with_fewer_than_two_samples_or_too_many_features_are_not_turned():
    narrow, long = pd.DataFrame({"gene": ["a", "b"], "x": [1, 2]}), pd.DataFrame({"gene": range(100_001), "a": 1.0, "b": 2.0})
    assert transpose_table(narrow.assign(y=[3, 4]))[0].to_dict("list") == {"sample": ["x", "y"], "a": ["1", "3"], "b": ["2", "4"]}
    for given in ((narrow,), (on_its_side(TRUE), "unknown"), (long.astype({"gene": str}),)):
        with pytest.raises(InputError):
            transpose_table(*given)


# ---- tables with samples in rows, without a question ----


def upright():
    rng = np.random.default_rng(2)
    names = ["ALT", "AST", "HGB", "CRP", "age", "weight"]
    plain = pd.DataFrame(rng.normal([30, 28, 14, 5, 60, 80], [9, 8, 1.5, 3, 12, 15], (200, 6)).round(1), columns=names)
    who = [f"P{i:03d}" for i in range(200)]
    yield "numbers alone", plain
    yield "patients in front, no outcome", plain.assign(patient=who)[["patient", *names]]
    named = plain.set_axis(who).rename_axis("id")
    yield "V1 to V6", named.set_axis([f"V{i}" for i in range(1, 7)], axis=1).reset_index()
    yield "genes in columns", measured(who, [f"ENSG0000000{i:04d}" for i in range(30)]).rename_axis("id").reset_index()
    yield "cytokines", named.set_axis(["IL1", "IL2", "IL6", "IL10", "CD4", "CD8"], axis=1).reset_index()
    answers = (rng.normal(size=(200, 1)) + 0.3 * rng.normal(size=(200, 8))).round(1) + 3
    yield "a questionnaire", pd.DataFrame(answers, columns=[f"Q{i}" for i in range(1, 9)])
    yield "one column", plain[["ALT"]]


def test_gene_annotations_are_no_samples():
    head = ["Geneid", "Chr", "Start", "End", "Strand", "Length", *(f"S{i}.bam" for i in range(6))]
    rows = [[f"ENSG{i:011d}", "chr1", 100 * i, 100 * i + 50, "+", 51, *((i * j) % 97 for j in range(6))] for i in range(30)]
    text = "\n".join("\t".join(map(str, row)) for row in [head, *rows])
    assert recognise_transposed(read_table(text.encode(), "counts.txt").frame).naming == tuple(head[:6])


@pytest.mark.parametrize(("name", "frame"), list(upright()), ids=lambda value: value if isinstance(value, str) else "")
def test_a_table_with_samples_in_rows_is_not_asked_about(name, frame):
    read = read_table(io.BytesIO(frame.to_csv(index=False).encode()), "x.csv")
    assert recognise_transposed(read.frame) is None and read.about == ()
    assert list(read.frame.columns) == list(frame.columns)


TABLE = measured().rename_axis("sample").reset_index()
SECOND = pd.DataFrame({"nr": range(12), "accession": SAMPLES, "class": CLASSES})


def test_columns_of_a_second_file_are_joined_by_sample():
    joined, new, _ = add_samples(TABLE, SECOND.sample(frac=1, random_state=1))
    assert joined["class"].tolist() == list(CLASSES) and new == ("nr", "class")
    assert joined["TP53"].tolist() == TABLE["TP53"].tolist() and list(joined.columns)[:3] == ["sample", "nr", "class"]
    joined, _, _ = add_samples(TABLE, pd.concat([SECOND.iloc[1:], SECOND.iloc[:1].assign(accession="GSM9")]))
    assert joined["class"].isna().tolist() == [True] + [False] * 11, "a sample without a row"
    joined, new, _ = add_samples(TABLE, SECOND.rename(columns={"nr": "EGFR"}))
    assert "EGFR (second file)" in new and joined["EGFR"].tolist() == TABLE["EGFR"].tolist()


def test_a_second_file_that_does_not_fit_is_refused():
    cases = [pd.concat([SECOND, SECOND.iloc[:1]]), SECOND.assign(accession="x"), SECOND[["accession"]], SECOND.iloc[:3]]
    check_refusals("io/wrong_second_files", lambda second: add_samples(TABLE, second), cases)


def test_a_second_column_of_names_defines_groups_of_features():
    frame = pd.DataFrame(
        {
            "ID_REF": ["1007_s_at", "1053_at", "117_at", "121_at"],
            "Symbol": ["DDR1", "RFC2", "DDR1", None],
            **{f"GSM{i}": [8.1, 5.2, 3.3, 4.4] for i in range(6)},
        }
    )
    turned, about, _, _ = transpose_table(frame, "ID_REF", ["ID_REF", "Symbol"])
    assert group_columns(frame, "Symbol", list(turned.columns)[1:], len(about)) == {"DDR1": ["1007_s_at", "117_at"]}
