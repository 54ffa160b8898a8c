"""Numbers in the report against the API."""

import numpy as np
import pandas as pd
import pytest
import study_support
from report_support import run, table

import stabcore as sc
from stabcore.analysis.compare_selectors import clearly_above
from stabcore.analysis.noise_floors import tied_groups
from stabcore.inference.predictions import default_score
from stabcore.reporting.make import chosen_parts
from stabcore.reporting.subject import Subject
from stabcore.selectors.baseline import is_baseline

SCORES = ("accuracy", "balanced_accuracy", "auc")


def test_report_tables_match_the_api(subject, parts):
    result, similarity = subject.result, subject.similarity
    made = sc.panel(result, similarity=similarity, with_substitutes=False)  # they have their own table
    pd.testing.assert_frame_equal(table(parts, "panel"), made.dropna(axis="columns", how="all").drop(columns="group"))
    bounds = sc.false_selection_bounds(result).drop(columns=["reason", "basis"])
    shown = table(parts, "false_selection_bounds").drop(columns="basis", errors="ignore").set_axis(bounds.columns, axis="columns")
    assert np.allclose(shown.iloc[:, 1:].astype(float), bounds.iloc[:, 1:].astype(float), equal_nan=True)
    effects = table(parts, "effects").set_index("feature")["effect"]
    ours = sc.effects(subject.data).set_index("feature")["effect"]
    assert np.allclose(effects, ours[effects.index])
    ranked = sc.rank_intervals(subject.data, made["feature"].tolist())
    pd.testing.assert_frame_equal(table(parts, "rank_intervals"), ranked)
    split = sc.split_effects(subject.data, result, subject.labels[0]).drop(columns="measure")
    pd.testing.assert_frame_equal(table(parts, "other_half"), split)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return (subject, parts) of a study by complementary pairs with shuffles and other seeds."""
    path = tmp_path_factory.mktemp("whole") / "whole.stab"
    data, selectors = study_support.data(), {"mim": "mim", "forest": ("random_forest", {"trees": 5}), "lasso": "lasso"}
    run(sc.Study(data, selectors, plan=sc.ComplementaryPairs(5), k=2, random_state=5, n_permutations=2, n_seeds=2), path)
    about = Subject(sc.open_study(path), sc.Similarity.from_correlation(data, threshold=0.3), data=data)
    return about, chosen_parts(about)


BESIDE = ["value", "low", "high", "floor", "floor_low", "floor_high", "beyond", "beyond_low", "beyond_high", "p", "shuffles"]


def of_stability(result, similarity):
    for quantity, frame in (
        ("Disjoint halves", result.split_half("kappa")),
        ("All runs", result.noise_floor("nogueira")),
        ("Similar features as one", result.split_half("effective", similarity)),
    ):
        for label, row in frame.iterrows():
            yield {"selector": label, "quantity": quantity, **row[BESIDE]}


def of_comparisons(result, similarity):
    for row in sc.compare_selectors(result.as_compared()).to_dict("records"):
        sign = -1.0 if row["difference"] < 0 else 1.0  # the report puts the higher one first
        limits = sorted((sign * row["low"], sign * row["high"]))
        first = {"first": row["first"] if sign > 0 else row["second"], "difference": abs(row["difference"])}
        yield first | {"low": limits[0], "high": limits[1], "p_value": row["p_value"], "p_holm": row["p_holm"]}


def of_disagreement(result, similarity):
    for label, row in result.disagreement_sources().iterrows():
        yield {"selector": label, **row.drop(["disagreement", "note", "steadied_by"])}


def of_prediction(result, similarity):
    for label, row in result.table().iterrows():
        runs = {name: np.mean(list(result.run_scores(label, name).values())) for name in SCORES}
        ends = {f"{name}_{end}": row[f"{name}_{end}"] for name in SCORES for end in ("low", "high")}
        yield {"selector": label, **runs, **ends, "mean_size": result.selections(label).sizes.mean()}


def of_alike(result, similarity):
    score = default_score(result)
    table, pairs = result.as_compared().table(), sc.compare_selectors(result, score)
    names = [label for label in result.finished_selectors if not is_baseline(label)]
    clear = clearly_above(pairs, names)
    for number, group in enumerate(tied_groups(table.loc[names, score].to_numpy(), clear), start=1):
        group = [names[i] for i in group]
        of_group = pairs[pairs["first"].isin(group) & pairs["second"].isin(group)]
        for label in group:
            stability, reach = result.as_compared().noise_floor().loc[label, "beyond"], of_group[["low", "high"]].abs().max().max()
            yield {"group": number, "selector": label, "accuracy": table.loc[label, score], "stability": stability, "reach": reach}


@pytest.mark.parametrize(
    ("name", "of_api"),
    [
        *(("stability", of_stability), ("comparisons", of_comparisons), ("disagreement", of_disagreement)),
        *(("prediction", of_prediction), ("equal_accuracy", of_alike)),
    ],
)
def test_report_rows_match_the_api(whole, name, of_api):
    subject, parts = whole
    shown, rows = table(parts, name), list(of_api(subject.result, subject.similarity))
    assert len(shown) == len(rows) > 0
    for row in rows:
        names = {key: value for key, value in row.items() if isinstance(value, str)} | {
            key: row[key] for key in ("group", "difference", "value") if key in row
        }
        numbers = {key: value for key, value in row.items() if not isinstance(value, str)}
        candidates = shown[np.logical_and.reduce([same(shown[key], value) for key, value in names.items()])]
        assert len(candidates) == 1, names
        for key, value in numbers.items():
            assert same(candidates[key], value).all(), (key, row, candidates[key].item())


def same(column, value):
    return column == value if isinstance(value, str) else np.isclose(column.astype(float), value, rtol=1e-9, equal_nan=True)


def test_report_substitutes_match_the_api():
    rows = ["".join(f",{name in ('ab'[run % 2], 'cdefgh'[run % 6]):d}" for name in "abcdefgh")[1:] for run in range(30)]
    text = "\n".join([",".join("abcdefgh"), *rows])
    result = sc.Results.from_files([(text.encode(), {"label": "mine", "name": "mine.csv"})])
    similarity = sc.Similarity.from_groups({"twins": ["a", "b"]}, result.features)
    shown = table(chosen_parts(Subject(result, similarity), [4]), "substitutes")
    assert shown[["feature", "partner", "only_this", "only_partner"]].values.tolist() == [["a", "b", 0.5, 0.5]]
    pd.testing.assert_frame_equal(shown, sc.substitutes(result, similarity=similarity))
