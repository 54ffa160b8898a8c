"""Noise floors of every selector, and the reasons why some have none."""

import numpy as np
import pandas as pd
from noise_support import noise_study

import stabcore as sc
from stabcore.analysis.noise_floors import blind_selectors, floor_frequencies, noise_floors, shuffled_runs
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.plots.noise_floor import result_beyond
from stabcore.study.results import Results


def test_the_floor_of_every_selector_of_a_study():
    plain = noise_study(1, selectors=("welch_t", "variance", "random"))
    made = noise_floors(plain)
    assert made["value"].tolist() == plain.table()["nogueira"].tolist() and not made["clear"].any()
    assert made.loc["variance", "floor"] == made.loc["variance", "value"], "this selector does not use the outcome"
    assert np.isnan(made.loc["welch_t", ["floor", "beyond", "p"]].astype(float)).all() and made.loc["welch_t", "note"]
    measured = noise_study(1, selectors=("welch_t", "variance", "random"), n_permutations=3)
    pd.testing.assert_frame_equal(noise_floors(measured, "jaccard", k=5), measured.noise_floor("jaccard", k=5))
    assert blind_selectors(measured) == ["variance", "random"] and measured.noise_floor()["shuffles"].tolist() == [3, 0, 0]


def test_uploaded_selections_have_no_floor():
    uploaded = Results({"mine": sc.Selections.from_matrix(np.eye(4))})
    row = noise_floors(uploaded).loc["mine"]
    assert np.isnan(row["floor"]) and row["note"] == NO_FLOOR_OF_UPLOADED and not row["clear"]
    assert [len(part) for part in floor_frequencies(uploaded, ["mine"])] == [0, 0]


def test_the_floor_of_a_panel_is_the_highest_frequency_in_shuffles():
    found = noise_study(2, selectors=("welch_t", "anova_f", "variance"), plan=sc.ComplementaryPairs(4), n_permutations=6)
    own_frequencies, highest = floor_frequencies(found, found.finished_selectors)
    assert own_frequencies.shape == (12,) and highest.shape == (6,) and 0 < own_frequencies.mean() < highest.min() <= 1
    assert [len(part) for part in floor_frequencies(found, ["variance"])] == [0, 0]
    runs, share = shuffled_runs(found, ["anova_f"], 2)
    assert list(runs) == ["anova_f"] and len(runs["anova_f"]) == 6 and share == found.cluster_share == 4 / 28
    assert runs["anova_f"][0].sizes.tolist() == [2] * runs["anova_f"][0].n_runs
    assert result_beyond(found, "nogueira", labels=runs)["selector"].tolist() == ["anova_f"]
