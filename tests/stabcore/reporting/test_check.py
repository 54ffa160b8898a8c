"""sc.check: numbers against the core, accepted inputs, sentences, refusals and the command."""

import json
from pathlib import Path

import numpy as np
import pytest
from snapshot_support import check_refusals, check_snapshot

import stabcore as sc
from stabcore.__main__ import main

PEERS = Path(__file__).parents[1] / "io" / "peers"
Z = (np.random.default_rng(1).random((20, 30)) < np.r_[np.full(4, 0.95), np.full(4, 0.5), np.full(22, 0.05)]).astype(int)
NAMES = [f"protein_{j}" for j in range(30)]
TEXT = "\n".join([",".join(NAMES), *(",".join(map(str, row)) for row in Z)])


def test_check_agrees_with_the_core():
    plan = sc.ComplementaryPairs(10)
    found = sc.check(TEXT, plan=plan)
    row, estimate = found.stability.iloc[0], sc.stability(Z)
    assert (row["value"], row["low"], row["high"]) == (estimate.value, estimate.low, estimate.high)
    assert (row["runs"], row["features"], row["mean_size"]) == (20, 30, Z.sum(axis=1).mean())
    assert row["noise_floor"] == sc.noise_floor(plan, Z.sum(axis=1).mean(), 30)
    panel = sc.panel(sc.Results({"x": sc.Selections.from_matrix(Z, NAMES)}))
    for column in ("feature", "in_panel", "frequency", "low", "high"):
        assert found.panel[column].tolist() == panel[column].tolist()


@pytest.mark.parametrize(
    "given",
    [Z, sc.Selections.from_matrix(Z), {"lasso": Z}, sc.Results({"lasso": Z}), TEXT, TEXT.encode(), [row.tolist() for row in Z]],
)
def test_check_accepts_every_form_of_selections(given):
    found = sc.check(given)
    assert found.stability["value"].tolist() == [sc.stability(Z).value] and found.stability["noise_floor"].isna().all()
    assert all(len(sentences) == 3 for sentences in found.sentences.values())


def test_check_accepts_paths_and_open_files(tmp_path):
    path = tmp_path / "z.csv"
    path.write_text(TEXT, encoding="utf-8")
    with path.open("rb") as file:
        assert sc.check(file).stability["value"].tolist() == sc.check(path).stability["value"].tolist()
    with pytest.raises(sc.InputError):  # a string is always the selections, never a path
        sc.check(str(path))
    files = [PEERS / f"boruta_attStats_{i}.csv" for i in (1, 2, 3)]
    assert sc.check(files).stability["runs"].tolist() == [3]


def test_check_of_frequencies_has_no_interval():
    found = sc.check(PEERS / "sharp_SelectionProportions.csv", n_runs=30, plan="subsample:test_size=0.5")
    runs = sc.check(PEERS / "sharp_Beta.csv", runs_in="columns", kind="coefficients", plan="subsample:test_size=0.5")
    for column in ("value", "runs", "features", "mean_size", "noise_floor"):
        assert found.stability[column].tolist() == pytest.approx(runs.stability[column].tolist())
    assert np.isnan(found.stability["low"][0]) and not np.isnan(runs.stability["low"][0])
    both = [checked.panel[["feature", "in_panel", "frequency", "low", "high"]].sort_values("feature") for checked in (found, runs)]
    assert both[0]["feature"].tolist() == both[1]["feature"].tolist()
    np.testing.assert_allclose(*(panel[["in_panel", "frequency", "low", "high"]].astype(float).to_numpy() for panel in both))


@pytest.mark.parametrize(
    ("plan", "same"),
    [
        ("bootstrap", sc.Bootstrap(20)),
        ("complementary_pairs", sc.ComplementaryPairs(10)),
        ("subsample:test_size=0.2", sc.Subsample(20, 0.2)),
        ("repeated_kfold:n_splits=5", sc.RepeatedKFold(5, 4)),
    ],
)
def test_plan_given_as_text_gets_the_number_of_runs(plan, same):
    assert sc.check(Z, plan=plan).stability["noise_floor"].tolist() == sc.check(Z, plan=same).stability["noise_floor"].tolist()


def test_check_refusals():
    cases = {
        "another number of runs": {"plan": sc.ComplementaryPairs(25)},
        "pairs of an odd number": {"plan": "complementary_pairs", "selections": Z[:19]},
        "folds that do not divide the runs": {"plan": "repeated_kfold:n_splits=7"},
        "no share": {"plan": "subsample"},
        "no folds": {"plan": "repeated_kfold"},
        "a plan of centres": {"plan": "leave_one_site_out"},
        "no plan": {"plan": "botstrap"},
        "no number": {"plan": "subsample:test_size"},
        "no option": {"plan": "bootstrap:size=2"},
        "the number of runs of runs": {"n_runs": 20},
        "the number of runs of a text of runs": {"n_runs": 20, "selections": TEXT},
        "no threshold": {"threshold": 2},
        "a name of a file": {"selections": "selections.csv"},
        "a study file": {"selections": Path("trial.stab")},
        "no selections": {"selections": object()},
        "nothing": {"selections": []},
    }
    check_refusals("reporting/wrong_checks", lambda case: sc.check(**{"selections": Z, **case}), cases)


def test_sentences():
    always = np.ones((5, 3), dtype=int)
    cases = [
        sc.check(TEXT, plan="complementary_pairs"),
        sc.check({"lasso": Z, "mRMR": Z[:, ::-1]}),
        sc.check("A, B\nA, B\nA, C\n"),
        sc.check("A, B\nA, C\nB, C\n", n_features=40, threshold=0.9),
        sc.check(always),
        sc.check(np.tile([1, 1, 0, 0, 0], (12, 1))),
        sc.check(PEERS / "mixomics_stable.csv", n_runs=20, n_features=12),
        sc.check(sc.Selections.from_matrix(np.tile(np.repeat([1, 0], 20), (9, 1)))),
    ]
    check_snapshot("reporting/check", "\n\n".join("\n".join([case.answer, repr(case), case.floor, *case.notes]) for case in cases))
    for case in cases:
        for sentences in case.sentences.values():
            assert len(sentences) == 3 and all(sentence.endswith(".") for sentence in sentences)


def test_the_command_prints_the_check(tmp_path, capsys):
    path = tmp_path / "z.csv"
    path.write_text(TEXT, encoding="utf-8")
    assert main(["check", str(path), "--plan", "complementary_pairs"]) == 0
    shown = capsys.readouterr()
    assert f"{sc.stability(Z).value:.2f}" in shown.out and "protein_0" in shown.out and shown.err
    assert main(["check", str(path), "--plan", "complementary_pairs", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["selectors"]
    assert row["value"] == sc.stability(Z).value and len(row["sentences"]) == 3
    assert [panel_row["feature"] for panel_row in row["panel"]] == sc.check(path).panel["feature"].tolist()


def test_command_names_the_option_that_answers_a_question(capsys):
    file = str(PEERS / "sharp_Beta.csv")
    assert main(["check", file]) == 2
    assert "--answer runs_in=columns" in capsys.readouterr().err
    assert main(["check", file, "--answer", "runs_in=columns", "--answer", "kind=coefficients", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["selectors"][0]["runs"] == 30


@pytest.mark.parametrize(
    "arguments", [("mixomics_stable.csv",), ("stabs_max.csv", "--runs", "50"), ("missing.csv",), ("psfmi_bif.csv", "--plan", "x")]
)
def test_the_command_refuses_with_code_2(arguments, capsys):
    assert main(["check", str(PEERS / arguments[0]), *arguments[1:]]) == 2
    assert capsys.readouterr().err


def test_command_accepts_frequencies_and_several_files(capsys):
    assert main(["check", str(PEERS / "mixomics_stable.csv"), "--runs", "20", "--n-features", "12", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["selectors"][0]
    assert row["low"] is None and row["value"] == pytest.approx(0.7079, abs=1e-4)
    assert main(["check", *(str(PEERS / f"boruta_attStats_{i}.csv") for i in (1, 2, 3)), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["selectors"][0]["runs"] == 3
