"""First attempts of a data scientist work, or an InputError names the right call."""

import gc
import pickle
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from inspect import signature
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from linear_support import sparse_logistic
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import RFE, RFECV, SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from support import ROOT

import stabcore as sc

RNG = np.random.default_rng(7)
X = pd.DataFrame(RNG.normal(size=(60, 8)), columns=list("abcdefgh"))
y = pd.Series(np.where(X["a"] + X["b"] + 0.5 * RNG.normal(size=60) > 0, "ill", "well"), name="dx")
Z = RNG.random((20, 8)) < 0.4
PAIRS = sc.ComplementaryPairs(2)
SPARSE_LOGISTIC = sparse_logistic(C=0.2)


class Mine(BaseEstimator):
    """The contract of the README: fit and scores_."""

    def fit(self, X, y):
        self.scores_ = np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))
        return self


def study(*given, **options):
    return sc.Study(*given, **{"plan": PAIRS, "k": 3, "n_permutations": 0, **options})


@pytest.fixture(scope="module")
def result():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = study(X, y, ["mim", ("never", KNeighborsClassifier()), ("model", SPARSE_LOGISTIC)], n_permutations=1)
        return asked.run(n_jobs=1, progress=False)


# ---- sc.stability ----


def lists():
    return [{"abcdefgh"[f] for f in np.flatnonzero(row)} for row in Z]


def test_stability_takes_matrices_lists_and_sets():
    expected = sc.stability(sc.Selections.from_matrix(Z)).value
    for matrix in (Z, Z.astype(int).tolist(), pd.DataFrame(Z), sparse.csr_matrix(Z.astype(float))):
        assert sc.stability(matrix).value == pytest.approx(expected)
    assert sc.stability(lists(), names="abcdefgh").value == pytest.approx(expected)
    assert sc.stability([sorted(row) for row in lists()], names="abcdefgh").value == pytest.approx(expected)
    assert sc.stability([set(np.flatnonzero(row).tolist()) for row in Z], n_features=8).value == pytest.approx(expected)
    with pytest.raises(sc.InputError, match="n_features"):
        sc.stability(lists())


def test_stability_of_several_selectors_is_a_table(result):
    table = sc.stability({"one": Z, "other": pd.DataFrame(Z)}, ["nogueira", "jaccard"])
    assert table["selector"].tolist() == ["one", "one", "other", "other"] and table["value"].notna().all()
    assert table["measure"].tolist() == ["nogueira", "jaccard"] * 2
    of_study = sc.stability(result, "jaccard").set_index("selector")
    assert of_study["value"].notna().to_dict() == {"mim": True, "never": False, "model": True} and of_study.loc["never", "note"]


@pytest.mark.parametrize(
    "wrong", [3, None, "text", [1, 0, 1], {"a": 3}, Z * 2.5, object(), [[1, 0], [1]], pd.DataFrame({"a": ["x", "y"]})]
)
def test_wrong_input_of_stability_is_refused(wrong):
    with pytest.raises(sc.InputError):
        sc.stability(wrong)


# ---- Study and Dataset ----


def test_a_study_takes_features_and_outcome_or_a_dataset():
    asked = [
        study(X, y, "mim"),
        study(X.assign(dx=y), "dx", ["mim"]),
        study(sc.Dataset(X, y), {"mim": "mim"}),
        study(X=X, y=y, selectors="mim"),
    ]
    assert {question.data.fingerprint for question in asked} == {sc.Dataset.from_frame(X.assign(dx=y), target="dx").fingerprint}
    assert sc.Dataset.from_frame(X, y).features == tuple("abcdefgh") == sc.Dataset(X.assign(dx=y), y).features
    assert study(X.to_numpy(), y.to_numpy(), "mim", groups=np.arange(60) // 2).data.patients.max() == 29


def test_frames_of_other_libraries_and_masked_cells_are_accepted():
    pa, expected = pytest.importorskip("pyarrow"), sc.Dataset(X, y).table.values
    for given in (pa.table(X), sparse.csr_matrix(X.to_numpy()), X.to_records(index=False)):
        np.testing.assert_array_equal(sc.Dataset(given, y).table.values, expected)
    masked = np.ma.masked_greater(X.to_numpy(), 1)
    np.testing.assert_array_equal(sc.Dataset(masked, y).table.values, X.where(X <= 1))


def test_frames_of_polars_are_accepted():
    polars, expected = pytest.importorskip("polars"), sc.Dataset(X, y).table.values  # make test-lowest installs it
    for given in (polars.DataFrame(X.to_dict("list")), polars.DataFrame(X.to_dict("list")).lazy()):
        np.testing.assert_array_equal(sc.Dataset(given, polars.Series("dx", y.tolist())).table.values, expected)


def test_arrays_of_xarray_keep_their_names():
    xarray = pytest.importorskip("xarray")
    for given in (xarray.DataArray(X.to_numpy(), dims=("row", "gene"), coords={"gene": list(X)}), xarray.Dataset.from_dataframe(X)):
        assert sc.Dataset(given, y).features == tuple(X)


def test_rows_of_y_are_those_of_x():
    labelled, expected = X.set_axis(range(100, 160)), sc.Dataset(X, y)
    for index in (range(60), range(500, 560)):
        assert sc.Dataset(labelled, y.set_axis(index)) == expected
    assert sc.Dataset(X, y.set_axis(range(5, 65))) == expected
    for index in (range(105, 165), range(159, 99, -1)):
        with pytest.raises(sc.InputError, match="labels"):
            sc.Dataset(labelled, y.set_axis(index))


def stand_in(values, obs):
    """The parts of AnnData that are read."""
    return SimpleNamespace(X=values, var_names=list("abcdefgh"), obs=obs)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["array", "sparse"])
def test_annotated_data_are_read_from_matrix_and_obs(form):
    cells = pd.Index([f"cell {i}" for i in range(60)])
    obs = pd.DataFrame({"dx": y.to_numpy(), "donor": np.arange(60) // 2}, index=cells)
    given = stand_in(form(X.to_numpy()), obs)
    data = sc.Dataset(given, "dx", groups="donor")
    np.testing.assert_array_equal(data.table.values, X.to_numpy())
    assert data.classes == ("ill", "well") and data.patients.max() == 29
    assert sc.Similarity.from_correlation(given, threshold=0.2) == sc.Similarity.from_correlation(X, threshold=0.2)
    assert study(given, "dx", "mim").run(n_jobs=1).digest() == study(X, y, "mim").run(n_jobs=1).digest()


@pytest.mark.parametrize(
    ("plan", "runs"),
    [
        (5, 5),
        ("complementary_pairs", 50),
        (sc.Bootstrap, 50),
        (sc.Subsample(4), 4),
        (RepeatedStratifiedKFold(n_splits=3, n_repeats=2), 6),
        (list(StratifiedKFold(4).split(X, y)), 4),
        (None, 50),
    ],
    ids=str,
)
def test_plans_in_short_forms(plan, runs):
    assert study(X, y, "mim", plan=plan).plan.n_runs == runs


@pytest.mark.parametrize(
    "plan", ["half", StratifiedKFold, object(), True, sc.LeaveOneSiteOut, 1, sc.ComplementaryPairs(10**9), sc.Subsample(3_000_000)]
)
def test_other_plans_are_refused_at_once(plan):
    with pytest.raises(sc.InputError) as refused:
        study(X, y, "mim", plan=plan)
    if plan == "half" or plan is StratifiedKFold:
        assert all(name in str(refused.value) for name in sc.list_plans().index)


# ---- results ----


def test_objects_of_scikit_learn_keep_their_selections():
    objects = {
        "model": SelectFromModel(SPARSE_LOGISTIC),
        "rfe": RFE(LogisticRegression(), n_features_to_select=2),
        "rfecv": RFECV(LogisticRegression(), cv=2),
        "best": SelectKBest(k=2),
        "pipeline": make_pipeline(StandardScaler(), SelectKBest(k=2), KNeighborsClassifier()),
        "mine": Mine(),
    }
    made = study(X, y, objects, k=4).run(n_jobs=1)
    assert made.finished_selectors == list(objects) and not made.failures()
    sizes = {label: made.selections(label).sizes for label in objects}
    assert all((sizes[label] == size).all() for label, size in {"best": 2, "pipeline": 2, "rfe": 2, "mine": 4}.items())
    assert made.selections("best") != made.selections("mine")
    assert made.selections("best").selected.tolist() == made.selections("pipeline").selected.tolist()
    assert study(X, y, {"best": SelectKBest(k=5)}, k=None).run(n_jobs=1).selections("best").sizes.tolist() == [5] * 4


def test_figures_of_uploaded_selections_are_drawn_or_refused():
    data, drawn = sc.Dataset(X, y), 0
    ranked = sc.Selections.from_scores(RNG.random((8, 8)), list("abcdefgh")).top(3)
    similarity = sc.Similarity.identity(8, "abcdefgh")
    given = {"data": data, "X": data, "groups": np.arange(60) % 2, "selector": "one", "feature": "a", "row": 1}
    given |= {"similarity": similarity, "scenarios": dict.fromkeys("CD", similarity)}
    for runs in (sc.Selections.from_matrix(Z, names=list("abcdefgh")), ranked):
        uploaded = sc.Results({"one": runs, "other": runs})
        given |= {"without": uploaded, "other": uploaded, "others": {"again": uploaded}}
        for name, figure in vars(uploaded.plot).items():
            parameters = signature(getattr(sc.plot, name)).parameters.values()
            asked = {parameter.name for parameter in parameters if parameter.default is parameter.empty} - {"result"}
            try:
                drawn += len(figure(**{parameter: given[parameter] for parameter in asked}).data) > 0
            except sc.InputError:
                continue
    assert drawn > 40


# ---- running ----


def test_a_study_without_a_file_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = study(X, y, "mim").run(n_jobs=1)
    (folder,) = tmp_path.iterdir()
    content = pickle.dumps(made)
    del made
    gc.collect()
    assert not folder.exists()
    again = pickle.loads(content)
    assert again.selections("mim").n_runs == 4
    del again
    gc.collect()
    assert not any(tmp_path.iterdir())
    with pytest.raises(RuntimeError):
        study(X, y, "mim").run(n_jobs=1, progress=lambda *_: (_ for _ in ()).throw(RuntimeError()))
    assert not any(tmp_path.iterdir())


def test_folders_of_crashed_processes_are_removed_at_the_next_start():
    code = (
        "import os, numpy as np, stabcore as sc\n"
        "from stabcore.study.working_files import scratch_folder\n"
        "print(scratch_folder(), flush=True)\nos._exit(1)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    folder = Path(done.stdout.strip())
    assert folder.is_dir()
    study(X, y, "mim").run(n_jobs=1)
    assert not folder.exists()


# ---- similarity ----


def test_groups_are_accepted_in_common_forms(tmp_path):
    table = pd.read_csv(ROOT / "sample_data" / "wine.groups.csv")
    names = [name for name in pd.read_csv(ROOT / "sample_data" / "wine.csv").columns if name != "target"]
    groups = {group: part["feature"].tolist() for group, part in table.groupby("group", sort=False)}
    expected = sc.Similarity.from_groups(groups, names=names)
    for given in (table, table.set_index("feature")["group"], ROOT / "sample_data" / "wine.groups.csv"):
        assert sc.Similarity.from_groups(given, names) == expected
    (tmp_path / "sets.gmt").write_text("one\t-\talcohol\tash\nother\t-\tash\thue\n")
    assert sc.Similarity.from_groups(tmp_path / "sets.gmt", names).n_related == 2
    with pytest.raises(sc.InputError, match=r"abs\(\).*from_correlation"):
        sc.Similarity.from_matrix(X.corr())


def test_models_of_one_class_are_numbered():
    made = sc.Study(X, y, [SPARSE_LOGISTIC, "mim", LogisticRegression(C=2)], k=2)
    assert [choice.label for choice in made.selectors] == ["LogisticRegression", "mim", "LogisticRegression 2"]
    with pytest.raises(sc.InputError):
        sc.Study(X, y, ["mim", "mim"], k=2)


def test_numpy_numbers_equal_python_numbers():
    """This includes the study file, which stores plain values only."""

    def asked(whole, share):
        plan, rule = sc.Subsample(whole(3), share(0.25)), {"max_false": whole(1)}
        return sc.Study(X, y, [("lasso", {"length": whole(20)})], plan=plan, k=whole(2), n_permutations=whole(2), panel=rule)

    made = asked(np.int64, np.float32)
    assert made == asked(int, float) and made.run(n_jobs=1).finished_selectors == ["lasso"]


@pytest.mark.parametrize(
    "encoded", [np.c_[[0, 1] * 20, [1, 0] * 20], pd.get_dummies(pd.Series(["a", "b"] * 20))], ids=["0/1", "bool"]
)
def test_two_columns_of_an_encoded_class_are_no_time(encoded):
    X = np.random.default_rng(0).standard_normal((40, 4))
    with pytest.raises(sc.InputError, match="looks like a class"):
        sc.Study(X, encoded, ["mim"])


def test_a_time_and_an_event_in_a_tuple_get_the_forms_that_are_taken():
    rng = np.random.default_rng(0)
    X, timed = rng.standard_normal((40, 4)), (rng.exponential(size=40), rng.integers(0, 2, 40))
    for make in (sc.Dataset, sc.StableSelector("cox_score", k=2).fit, sc.selector("cox_score").fit):
        for y in (timed, np.array(timed)):
            with pytest.raises(sc.InputError, match="column_stack"):
                make(X, y)
    assert sc.Dataset(X, np.column_stack(timed)).n_rows == 40


def test_results_without_scores_or_similarity_give_no_tables_of_gaps(result):
    assert list(sc.Results({"mim": result.selections("mim")}).accuracy()) == ["mean_size", "runs"]
    for ask in (result.noise_floor, partial(result.shuffled_values, "mim")):
        with pytest.raises(sc.InputError, match="similarity="):
            ask("effective")
