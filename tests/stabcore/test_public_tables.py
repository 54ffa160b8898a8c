"""Functions of `sc` on a whole result give the values of its single selectors."""

import re

import numpy as np
import pandas as pd
import pytest
from cutoff_support import headed
from study_support import study

import stabcore as sc

D = 40


@pytest.fixture(scope="module")
def uploaded():
    rng = np.random.default_rng(0)
    ranked = {label: sc.Selections.from_scores(headed(head, D, 12, rng)).top(10) for label, head in (("a", 8), ("b", 5))}
    few = sc.Selections.from_lists([[0, 1], [1, 2, 3]], n_features=D)
    return sc.Results(ranked | {"few": few})


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    return study(selectors=("mim", "relieff", "random")).run(n_jobs=1, store=tmp_path_factory.mktemp("study") / "toy.stab")


def test_measures_that_are_linear_in_each_other_agree_completely(uploaded):
    ranked = sc.Results({label: uploaded.selections(label) for label in "ab"})
    similarity = sc.Similarity.identity(D)
    table = sc.measure_agreement(ranked, ["nogueira", "kuncheva", "effective", "jaccard"], similarity=similarity)
    assert list(table.index) == list(table.columns) == ["nogueira", "kuncheva", "effective", "jaccard"]
    assert table.loc["nogueira", ["kuncheva", "effective"]].tolist() == pytest.approx([1, 1])
    assert -1 <= table.loc["nogueira", "jaccard"] < 1
    with pytest.raises(sc.InputError):
        sc.measure_agreement(ranked, ["nogueira", "other"])


def test_convergence_of_a_result_is_that_of_its_selectors(uploaded):
    frame = sc.stability_by_runs(uploaded, orders=20)
    assert list(frame["selector"].unique()) == ["a", "b", "few"]
    for label in "ab":
        alone = sc.stability_by_runs(uploaded.selections(label), orders=20)
        pd.testing.assert_frame_equal(frame[frame["selector"] == label].drop(columns="selector").reset_index(drop=True), alone)
        assert alone["value"].iloc[-1] == sc.stability(uploaded.selections(label)).value
    whole = sc.stability_by_runs(uploaded.selections("a"), k=2, n_runs=[12])["value"].item()
    assert whole == sc.stability(uploaded.selections("a", 2)).value
    assert list(sc.stability_by_runs({"few": uploaded.selections("few")}, "spearman_ranks")) == list(
        frame
    )  # left out, because it has no ranks
    with pytest.raises(sc.InputError):
        sc.stability_by_runs(uploaded.selections("few"), "spearman_ranks")


def test_runs_needed_or_the_reason_without_them(uploaded):
    frame = sc.runs_needed(uploaded, half=0.005).set_index("selector")
    now = sc.stability(uploaded.selections("a"))
    assert frame.loc["a", "half_width"] == pytest.approx(now.high - now.value) and frame.loc["a", "reason"] == ""
    assert frame.loc["a", "needed"] > 20 and frame.loc["a", "with_more"] < frame.loc["a", "half_width"]
    assert "at least 3 runs" in frame.loc["few", "reason"] and np.isnan(frame.loc["few", "needed"])
    assert "selector" not in sc.runs_needed(uploaded.selections("a"))
    with pytest.raises(sc.InputError):
        sc.runs_needed(uploaded, half=0)


def test_an_estimate_keeps_its_settings(uploaded, studied):
    runs, C = uploaded.selections("a", 5), sc.Similarity.from_groups({"g": [0, 1], "h": [2, 3]}, n_features=D).edited({(5, 6): 0.5})
    estimate = sc.stability(runs, "intersection_count", similarity=C, draws=500, random_state=3)
    assert (estimate.k, estimate.options) == (5, {"draws": 500, "random_state": 3})
    assert re.findall(r"\d+", estimate.similarity) == ["40", "2", "1"]
    of_identity = sc.stability(runs, "effective", similarity=sc.Similarity.identity(D))
    assert "40 features: no similar" in of_identity.similarity
    assert (estimate.to_dict()["k"], estimate.to_dict()["options"]) == (5, estimate.options)
    plain = sc.stability(uploaded.selections("few"), similarity=C)
    assert (plain.k, plain.options, plain.similarity) == (None, {}, "")  # nogueira uses no similarity
    assert sc.stability(studied.selections("mim")).k == 3 and sc.stability(studied.selections("mim", 2)).k == 2
