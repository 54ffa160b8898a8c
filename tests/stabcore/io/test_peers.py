"""Files of twelve other programs (peers/README.md) are read with the program's own counts, or refused with advice."""

from pathlib import Path

import numpy as np
import pytest
from file_support import workbook
from snapshot_support import check_refusals

from stabcore.base.errors import InputError
from stabcore.inference.estimate import stability, stability_from_frequencies
from stabcore.io.choices import Question
from stabcore.io.frequencies import read_frequencies
from stabcore.io.selection_files import read_selection_files
from stabcore.io.selections import read_selectors
from stabcore.study.results import Results

PEERS = Path(__file__).parent / "peers"
RPART, FEATURELESS = "classif.rpart.fselector", "classif.featureless.fselector"
EFSR = {RPART: [12, 4, 4], FEATURELESS: [4, 12, 8]}
BETA = [2, 3, 3, 3, 2, 3, 3, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 3, 2, 2, 2, 3, 2, 2, 2, 2, 2, 3, 4]
ABE = [5, 4, 5, 5, 4, 5, 4, 4, 4, 4, 5, 5]
RUNS = {  # file: ({selector: features of each run}, number of features)
    "mlr3_efsr.csv": (EFSR, 12),
    "mlr3_efsr_pasted.csv": (EFSR, 12),
    "mlr3_inner_results.csv": ({RPART: [4, 4, 4, 2]}, 6),
    "mlr3_inner_results_nolist.csv": ({RPART: [4, 4, 4, 2]}, 6),
    "stabs_fitfun_selected.csv": ({"": [4, 4, 4, 4, 4, 4, 4, 3, 3, 4]}, 12),
    "nestedcv_cv_coef.csv": ({"": [7, 6, 6, 4, 5, 6]}, 9),
    "psfmi_bif.csv": ({"": [0, 2, 1, 3, 3, 2, 3, 3, 3, 2]}, 6),
    "psfmi_bif.txt": ({"": [0, 2, 1, 3, 3, 2, 3, 3, 3, 2]}, 6),
    "psfmi_model_stab.csv": ({"": [3, 3, 3, 2, 2, 3, 3, 0, 1, 2]}, 6),
    "abe_coefficients.csv": ({"": ABE}, 6),
    "boruta_finalDecision.csv": ({"": [2, 2, 1, 3, 4]}, 12),
    "borutapy_support.csv": ({"": [3, 2, 2, 2, 2]}, 12),
    "caret_rfe_variables_one_size.csv": ({"": [3, 3, 3, 3, 3]}, 4),
    "caret_sbf_variables.R": ({"selectedVars": [4, 3, 3, 4, 4]}, 6),
    "ipss_selected_features.json": ({"": [3, 3, 3, 3, 3, 2]}, 3),
    "stabl_folds.csv": ({"": [3, 3, 2, 4, 6]}, 6),
}
ASKED = {"runs_in": "columns", "kind": "coefficients"}  # answers about sharp_Beta.csv, in the order of the questions
FREQUENCIES = {  # file: (runs, all features, mean number selected, refused number of runs)
    "sharp_SelectionProportions.csv": (30, 12, np.mean(BETA), 20),
    "sharp_SelectionProportions.txt": (30, 12, np.mean(BETA), 20),
    "stabs_max.csv": (100, 12, 3.85, 50),
    "mixomics_stable.csv": (20, 12, 4, 7),
    "mixomics_stable.txt": (20, 12, 4, 7),
    "psfmi_bif_perc.csv": (10, 6, 2.2, 7),
    "abe_var_rel_frequencies.csv": (12, 6, np.mean(ABE), 10),
    "abe_var_rel_frequencies.txt": (12, 6, np.mean(ABE), 10),
}
REFUSED = (
    *("mlr3_efsr.txt", "mlr3_inner_archives.csv", "sharp_selprop.csv", "sharp_summary.txt", "stabs_phat.csv", "stabs_print.txt"),
    *("stabs_selected.txt", "nestedcv_var_stability.csv", "nestedcv_summary.txt", "mixomics_stable.csv"),
    *("abe_model_rel_frequencies.csv", "abe_pair_rel_frequencies.csv"),
    *("boruta_attStats_1.csv", "boruta_ImpHistory.csv", "boruta_print.txt"),
    *("caret_rfe_variables.csv", "caret_rfe_print.txt", "caret_sbf_print.txt", "caret_train_resample.csv"),
    *("caret_resamples_values.csv", "ipss_stability_paths.csv", "ipss_print.txt"),
    *("stabl_scores.csv", "stabl_max.csv", "stabl_selected.csv"),
)


def sizes(selected):
    """How many features each run selected."""
    if selected.sets is not None:
        return [len(names) for names in selected.sets]
    return (selected.matrix != 0).sum(axis=1).tolist()


def runs_of(name, **answers):
    (found,) = read_selectors(PEERS / name, **answers).values()
    return found


def value(name, n_features=None, **answers):
    """The stability of the runs of a file."""
    result = Results.from_files([(PEERS / name, {"label": "x", "name": name, "n_features": n_features, **answers})])
    return stability(result.selections(result.selectors[0])).value


def test_every_file_has_an_expected_result():
    answered = {*RUNS, "sharp_Beta.csv", *FREQUENCIES, *REFUSED, "nestedcv_var_stability_ranks.csv", "sharp_Stable.csv"}
    answered |= {f"boruta_attStats_{i}.csv" for i in (1, 2, 3)}
    assert {path.name for path in PEERS.iterdir()} - {"README.md"} == answered


@pytest.mark.parametrize("name", RUNS)
def test_the_runs_of_a_peer_are_read_exactly(name):
    expected, n_features = RUNS[name]
    found = read_selectors(PEERS / name)
    assert {label: sizes(selected) for label, selected in found.items()} == expected
    assert {len(selected.features) for selected in found.values()} == {n_features}


def test_a_file_with_questions_is_read_with_the_answers():
    given = {}
    for option, answer in ASKED.items():
        with pytest.raises(Question) as asked:
            runs_of("sharp_Beta.csv", **given)
        assert asked.value.option == option and answer in asked.value.answers
        given[option] = answer
    found = runs_of("sharp_Beta.csv", **given)
    assert sizes(found) == BETA and len(found.features) == 12


def test_files_without_runs_are_refused_with_advice():
    check_refusals("io/peers", lambda name: read_selectors(PEERS / name), {name: name for name in REFUSED})


@pytest.mark.parametrize("name", FREQUENCIES)
def test_frequencies_are_read_with_the_number_of_runs(name):
    n_runs, n_features, mean, other = FREQUENCIES[name]
    with pytest.raises(InputError):
        read_selectors(PEERS / name)
    found = read_frequencies(PEERS / name, n_runs=n_runs, n_features=n_features)
    assert len(found.features) == n_features and found.shares.sum() == pytest.approx(mean)
    np.testing.assert_allclose(found.shares * n_runs, np.round(found.shares * n_runs), atol=1e-9)
    with pytest.raises(InputError):
        read_frequencies(PEERS / name, n_runs=other, n_features=n_features)


def test_all_files_of_a_result_give_the_same_stability():
    """Programs write one result as runs, as models with counts, or as frequencies."""

    def by_frequencies(name):
        n_runs, n_features, *_ = FREQUENCIES[name]
        return stability_from_frequencies(read_frequencies(PEERS / name, n_runs=n_runs, n_features=n_features).shares, n_runs).value

    psfmi = value("psfmi_bif.csv")
    assert [value("psfmi_bif.txt"), value("psfmi_model_stab.csv"), by_frequencies("psfmi_bif_perc.csv")] == pytest.approx(
        [psfmi] * 3
    )
    assert by_frequencies("sharp_SelectionProportions.csv") == pytest.approx(value("sharp_Beta.csv", **ASKED))
    assert by_frequencies("abe_var_rel_frequencies.csv") == pytest.approx(value("abe_coefficients.csv"))
    assert value("mlr3_inner_results.csv") == value("mlr3_inner_results_nolist.csv")
    first, pasted = (read_selectors(PEERS / f"mlr3_{name}.csv") for name in ("efsr", "efsr_pasted"))
    assert [(label, runs.sets) for label, runs in first.items()] == [(label, runs.sets) for label, runs in pasted.items()]


def test_boruta_with_one_file_per_run():
    files = [(PEERS / f"boruta_attStats_{i}.csv", {"label": f"b{i}", "name": f"boruta_attStats_{i}.csv"}) for i in (1, 2, 3)]
    (found,) = read_selection_files(files)[0].values()
    assert sizes(found) == [2, 2, 1] and found.features == runs_of("boruta_finalDecision.csv").features


def test_a_final_selection_is_no_table_of_frequencies():
    with pytest.raises(InputError):
        read_frequencies(PEERS / "sharp_Stable.csv", n_runs=30)
    with pytest.raises(InputError):  # positions of the selected features
        read_frequencies(PEERS / "stabs_selected.txt", n_runs=100)
    found = read_frequencies(b"feature,count\nCRP,1\nALT,3\nage,6\n", "c.csv", n_runs=10)
    assert found.shares.sum() == pytest.approx(1)
    with pytest.raises(InputError):  # a file of runs with a given number of runs
        read_frequencies(PEERS / "stabs_fitfun_selected.csv", n_runs=10)


def test_features_that_no_run_selected_are_added_to_a_matrix():
    found = runs_of("nestedcv_cv_coef.csv", n_features=12)
    assert len(found.features) == 12 and not found.matrix[:, 9:].any() and found.runs == tuple(f"fold {i}" for i in range(1, 7))
    np.testing.assert_array_equal(found.matrix[:, :9], runs_of("nestedcv_cv_coef.csv").matrix)
    with pytest.raises(InputError):
        runs_of("nestedcv_cv_coef.csv", n_features=8)
    with pytest.raises(InputError):  # ranks without the other features
        runs_of("nestedcv_var_stability_ranks.csv", n_features=12)


HEAD = "learner_id,n_features,features\n"


def test_lists_with_their_sizes_are_split_exactly():
    found = read_selectors((HEAD + "rpart,1,V1\nrpart,3,V1|V12|V6\nranger,2,V1|V2\nranger,1,V3\n").encode(), "efsr.csv")
    assert {label: selected.sets for label, selected in found.items()} == {
        "rpart": (("V1",), ("V1", "V12", "V6")),
        "ranger": (("V1", "V2"), ("V3",)),
    }
    odd = read_selectors((HEAD + 'rpart,1,"HLA-DR|x"\nrpart,2,IL 6|TNF a\nrpart,0,\n').encode(), "efsr.csv", names_are="features")
    assert odd["rpart"].sets == (("HLA-DR|x",), ("IL 6", "TNF a"), ())


@pytest.mark.parametrize("first", ["rpart,3,V1|V12", '"rpart",12,"ALT,AST,BMI,...[12]"', "rpart,x,V1", "rpart,2,V1|V1"])
def test_wrong_sizes_and_repeated_runs_are_refused(first):
    twice = "resampling_iteration,learner_id,n_features,features\n1,rpart,1,V1\n2,rpart,1,V2\n1,rpart,1,V3\n"
    for text in (f"{HEAD}{first}\nrpart,1,V1\n", twice):
        with pytest.raises(InputError):
            read_selectors(text.encode(), "efsr.csv")


LISTS = (("CRP", "IL6"), ("CRP", "ALT", "age"), ("CRP", "IL6", "age"))


def columns(names, title=()):
    return [*title, *([name] for name in names)]


@pytest.mark.parametrize(
    "sheets",
    [
        {f"run {i}": columns(names) for i, names in enumerate(LISTS, 1)},
        {f"Sheet{i}": columns(names, [["feature"]]) for i, names in enumerate(LISTS, 1)},
        {f"Fold {i}": [["feature", "importance"], *([name, 0.5] for name in names)] for i, names in enumerate(LISTS, 1)},
        {"About": [["Our selections"], ["of 2024"]], **{f"run {i}": columns(names) for i, names in enumerate(LISTS, 1)}},
    ],
)
def test_a_workbook_with_a_sheet_per_run(sheets):
    found, notes = read_selection_files([(workbook(sheets), {"label": "book", "name": "book.xlsx"})])
    (selected,) = found.values()
    assert sizes(selected) == [2, 3, 3] and set(selected.features) == {"CRP", "IL6", "ALT", "age"}
    assert any("About" in note for note in notes) == ("About" in sheets)


def test_unclear_sheets_are_asked_about():
    file = workbook({name: columns(names) for name, names in zip(("Anna", "Bert", "Carl"), LISTS, strict=True)})
    about = {"label": "book", "name": "book.xlsx"}
    with pytest.raises(Question) as asked:
        read_selection_files([(file, about)])
    assert asked.value.option == "sheets_are" and asked.value.file == "book.xlsx"
    (selected,) = read_selection_files([(file, {**about, "sheets_are": "runs"})])[0].values()
    assert sizes(selected) == [2, 3, 3]
    with pytest.raises(InputError):  # one sheet is one run
        read_selection_files([(file, {**about, "sheets_are": "others"})])


@pytest.mark.parametrize(
    ("text", "n_runs", "counts"),
    [
        ("feature;percent\nCRP;80 %\nIL6;33,3 %\nALT;6,7 %\n", 30, [24, 10, 2]),
        ("feature,frequency\nCRP,80%\nIL6,20%\n", 10, [8, 2]),
        ("gene\tcount\nCRP\t24\nIL6\t10\n", 30, [24, 10]),
        ("CRP\t0.8\nIL6\t0.333\n", 30, [24, 10]),
        ("feature,n,percent\nCRP,24,80\nIL6,12,40\n", 30, None),  # two possible columns
        ("CRP\n0.5,0\n0.5,1\n", 30, None),  # a name is missing
    ],
)
def test_frequencies_in_common_formats(text, n_runs, counts):
    with pytest.raises(InputError):
        read_selectors(text.encode(), "f.csv")
    if counts is None:
        with pytest.raises(InputError):
            read_frequencies(text.encode(), "f.csv", n_runs=n_runs)
        return
    found = read_frequencies(text.encode(), "f.csv", n_runs=n_runs, n_features=10)
    share = dict(zip(found.features, found.shares * n_runs, strict=True))
    assert [share[name] for name in ("CRP", "IL6", "ALT")[: len(counts)]] == pytest.approx(counts)
    assert len(found.features) == 10 and found.shares[3:].sum() == 0


def test_ambiguous_whole_numbers_are_asked_about():
    text = b"gene\tfrequency\nCRP\t24\nIL6\t10\n"
    with pytest.raises(Question) as asked:
        read_frequencies(text, "f.tsv", n_runs=200)
    assert asked.value.option == "frequencies_are"
    for answer, n_selected in (("counts", 24), ("percent", 48)):
        found = read_frequencies(text, "f.tsv", n_runs=200, frequencies_are=answer)
        assert found.shares.max() * 200 == pytest.approx(n_selected)


@pytest.mark.parametrize(
    "text",
    [
        "run,A~B,C~D\n1,1,0\n2,1,1\n",  # features that look like columns of caret
        "run,auc,CRP\n1,1,0\n2,1,1\n",
        "run,S0,S1,S2\n1,0.1,0,0.2\n2,0.5,0.3,0.4\n3,0.9,0.5,0.6\n",  # importances that increase by chance
        "a,b,c\n0.1,0,0.2\n0.5,0.3,0.4\n0.9,0.5,0.6\n",
    ],
)
def test_runs_that_resemble_tables_of_peers_are_read_as_runs(text):
    (found,) = read_selectors(text.encode(), "s.csv").values()
    assert len(found.runs) == text.count("\n") - 1
