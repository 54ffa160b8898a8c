"""Figures of another study, other centres, and agreement by the number of patients."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.plots import replication
from stabcore.plots.replication import finding_centres, frame_centres
from stabcore.study.performance import centre_scores
from stabcore.study.results import Results


def result(seed, names="abcdefghij"):
    pull = np.linspace(6, 0, len(names))
    scores = np.random.default_rng(seed).normal(size=(12, len(names))) + pull
    return Results({"one": sc.Selections.from_scores(scores, names=list(names)).top(3)})


def test_learning_curve_lies_in_its_band():
    table = sc.concordance(result(1), result(1))
    frame = replication.frame_concordance(table)
    assert frame["shared"].eq(1).all() and len(frame) == 10
    band, curve = drawn(replication.draw_concordance(frame, 3))["data"]
    assert list(curve["y"]) == [1.0] * 10 and len(band["x"]) == 20


def study(seed, effect, plan, rows=160, classifier="none"):
    rng = np.random.default_rng(seed)
    outcome = np.arange(rows) % 2
    frame = pd.DataFrame(rng.normal(size=(rows, 60)), columns=[f"f{i}" for i in range(60)])
    frame.iloc[:, :5] += effect * outcome[:, None]
    frame = frame.assign(outcome=np.where(outcome, "sick", "well"), city=rng.permutation(np.arange(rows) % 4).astype(str))
    data = sc.Dataset.from_frame(frame, target="outcome", exclude=["city"])
    with ThreadPoolExecutor(1) as executor:
        return sc.Study(data, "welch_t", plan=plan, k=5, random_state=1, classifier=classifier, n_permutations=0).run(executor)


def simulated_centres(rng, sizes, right=0.5):
    """The frame of finding_centres for two equally frequent classes, predicted right with this probability."""
    rows = []
    for number, size in enumerate(sizes):
        truth = rng.integers(0, 2, size)
        done = SimpleNamespace(
            held_out=np.arange(size), predicted=np.where(rng.random(size) < right, truth, 1 - truth), probability=None
        )
        rows.append({"centre": str(number), **centre_scores(done, truth, 2, None, len(sizes))})
    return pd.DataFrame(rows)


@pytest.mark.parametrize("sizes", [[50] * 4, [20] * 20, [200, 100, 60, 40, 30, 20, 15, 12, 10, 8, 8, 6, 6, 5, 5]])
def test_sentences_about_many_centres_allow_for_their_number(sizes):
    """With an interval of 95% per centre, 11% of 20 equal centres were clear, and 41% of their intervals did not overlap."""
    rng, times = np.random.default_rng(len(sizes)), 150
    said = [finding_centres(simulated_centres(rng, sizes)) for _ in range(times)]
    assert sum("In 0 of" not in sentence for sentence in said) <= 0.05 * times
    assert sum("overlap" not in sentence for sentence in said) <= 0.05 * times
    assert "In 0 of" not in finding_centres(simulated_centres(rng, sizes, right=0.95))


def test_centres_are_clear_with_signal_but_not_with_noise():
    clear = 0
    for seed in range(6):
        centres = study(seed, 0.0, sc.LeaveOneSiteOut("city"), rows=120, classifier="logistic").centres()
        clear += int((centres["joint_low"] > centres["largest"]).sum())
    assert clear <= 2  # 24 centres
    frame = frame_centres(study(1, 1.5, sc.LeaveOneSiteOut("city"), classifier="logistic").centres(), "welch_t")
    assert "In 4 of 4 centres" in finding_centres(frame)
