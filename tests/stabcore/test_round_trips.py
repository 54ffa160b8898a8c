"""Round trips of results: pickles, JSON dicts, tables in parquet, and results as input."""

import json
import pickle

import pandas as pd
import pytest

import stabcore as sc

DATA = sc.teaching_data("twins").dataset()
COMPARED_BY_IDENTITY = {"StableSelector", "ResultPlots"}  # an estimator as in scikit-learn, and figures of a result


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    study = sc.Study(DATA, ["mim", "anova_f"], plan=sc.ComplementaryPairs(3), k=5, n_permutations=1)
    result = study.run(n_jobs=1, progress=False, store=tmp_path_factory.mktemp("study") / "s.stab")
    runs, C = result.selections("mim"), sc.Similarity.from_correlation(DATA, threshold=0.7)
    plans = [sc.Subsample(4), sc.Bootstrap(4), sc.RepeatedKFold(3), sc.NestedKFold(3, 3), sc.LearningCurve(3)]
    return {
        **{"Dataset": DATA, "Study": study, "StudyResult": result, "Selections": runs, "Similarity": C},
        **{"Results": sc.Results({"mim": runs}), "Estimate": sc.stability(runs, "effective", similarity=C)},
        **{"Comparison": sc.compare(runs, result.selections("anova_f")), "AgreementCutoff": sc.agreement_cutoff(runs)},
        **{"Risk": sc.risk_instability(DATA, result, "mim", "logistic", event="ill"), "SearchSpace": sc.SearchSpace()},
        **{"ClinicalWorth": sc.clinical_worth(DATA, ["A_twin", "B"], n_bootstrap=5), "Check": sc.check("A, B\nA, B\nA, C\n")},
        **{type(plan).__name__: plan for plan in (*plans, sc.ComplementaryPairs(3), sc.LeaveOneSiteOut("site"))},
    }


def test_pickles_of_public_objects_are_equal(made):
    classes = {name for name in sc.__all__ if isinstance(getattr(sc, name), type)} - {"InputError"}
    assert classes - COMPARED_BY_IDENTITY <= made.keys()
    for name, thing in made.items():
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing and hash(again) == hash(thing) and thing != 5, name


def test_dicts_of_results_are_json(made):
    with_dict = {name for name, thing in made.items() if hasattr(thing, "to_dict")}
    assert with_dict >= {"StudyResult", "Results", "Selections", "Similarity", "Estimate", "Comparison", "AgreementCutoff", "Risk"}
    for name in with_dict:
        values = made[name].to_dict()
        assert json.loads(json.dumps(values, allow_nan=False)) == values, name


def test_tables_survive_parquet(made, tmp_path):
    result, runs = made["StudyResult"], made["Selections"]
    tables = [result.stability(["nogueira", "kappa"]), result.table(), result.noise_floor(), result.accuracy(), result.progress()]
    tables += [result.to_frame(), result.split_half(), runs.to_frame(), sc.stability(runs).to_frame(), sc.panel(result)]
    tables += [sc.consensus(result), sc.substitutes(result), sc.effects(DATA), sc.stability_profile(runs), sc.list_plans()]
    tables += [sc.compare_selectors(result), sc.threshold_grid(result, "mim"), sc.list_measures(), sc.list_selectors()]
    for table in (*tables, made["Similarity"].to_frame(), DATA.to_frame()):
        assert len(json.loads(table.to_json(orient="split"))["data"]) == len(table)
        table.to_parquet(tmp_path / "t.parquet")
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "t.parquet"), table, check_dtype=False)


def test_written_objects_are_read_unchanged(made):
    runs, C = made["Selections"], made["Similarity"]
    as_dict = runs.to_dict()
    for again in (sc.Selections.from_matrix(runs.to_frame()), sc.Selections.from_lists(as_dict["selected"], as_dict["features"])):
        assert again.selected.tolist() == runs.selected.tolist() and again.features == runs.features
    assert sc.Similarity.from_matrix(C.to_frame()).to_dict() == C.to_dict()
    assert sc.Dataset(DATA.to_frame(), "outcome", name=DATA.name) == DATA
