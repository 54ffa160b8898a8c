"""Curves of many features, knots, marginal stability, convergence: what is drawn stands in the frame, what is said follows."""

import numpy as np
import pandas as pd
import pytest
from knot_support import fading, headed, shifted

import stabcore as sc
from stabcore.analysis.agreement_cutoff import agreement_cutoff
from stabcore.analysis.stability_by_runs import runs_needed
from stabcore.inference.estimate import stability
from stabcore.inference.runs_needed import stability_by_runs as converging
from stabcore.plots import learning_curves, profiles


def ranked(M=12, d=40, head=10, random_state=0, noise=0.3):
    """Runs with a stable head of some features, random after it."""
    rng = np.random.default_rng(random_state)
    base = np.where(np.arange(d) < head, 20.0 - np.arange(d), 0.0)
    return sc.Selections.from_scores(base + noise * rng.normal(size=(M, d)))


# ---- curves ----


def test_profiles_are_of_sets_and_all_of_them_can_be_had():
    keys = profiles.profiled_measures()
    assert keys[:2] == ["nogueira", "effective"] and len(set(keys)) == len(keys) >= 10
    similarity = sc.Similarity.from_groups({"g": [0, 1, 2]}, n_features=40)
    for key in keys:
        assert len(profiles.frame_profiles({"a": ranked()}, key, similarity)) == 40


# ---- knots ----


def ends_at_five():
    return sc.Selections.from_scores(headed(5, 40, 12, np.random.default_rng(0)))


def test_knots_of_several_selectors_and_of_one_that_has_none():
    study = {
        "a": ends_at_five(),
        "short": ranked(M=2),
        "luck": sc.Selections.from_scores(np.random.default_rng(1).random((12, 40))),
    }
    frame = profiles.frame_agreement_cutoffs(study)
    own = agreement_cutoff(study["a"])
    assert frame.iloc[0].tolist() == ["a", own.k, own.low, own.high, own.shared, ""]
    said = profiles.describe_agreement_cutoffs(frame)
    assert said["short"].startswith("short: Knots need at least 5 runs")
    assert "no agreement beyond that of random sets" in said["luck"]
    assert said["a"] == (
        "a: two runs share most beyond random sets with 5 features (4.4 more than these; these runs cannot "
        "tell it from 5 features), what is ranked next comes as if at random."
    )
    assert profiles.finding_agreement_cutoffs(frame).startswith(
        "In 1 of 3 selectors agreement beyond random sets comes to an end, with 5 features."
    )
    short = frame[frame["selector"] == "short"]
    assert profiles.finding_agreement_cutoffs(short) == "No end of agreement can be seen in 1 selector."
    figure = profiles.draw_agreement_cutoffs(frame, 7)
    assert [list(trace.x) for trace in figure.data] == [[5.0, 5.0], [5.0]] and list(figure.data[1].y) == [2]
    assert list(figure.layout.yaxis.ticktext) == ["luck", "short", "a"] and figure.layout.shapes[0].x0 == 7


def test_agreement_that_fades_is_drawn_and_told_without_an_end():
    scores = shifted(fading(60), 30, np.random.default_rng(0))
    frame = profiles.frame_agreement_cutoffs({"a": sc.Selections.from_scores(scores)})
    row = frame.iloc[0]
    said = profiles.describe_agreement_cutoffs(frame)["a"]
    assert "fades" in said and f"with {row['low']:.0f} to {row['high']:.0f} features" in said
    (trace,) = profiles.draw_agreement_cutoffs(frame).data
    assert list(trace.x) == [row["low"], row["high"]] and trace.line.dash == "dot" and trace.name == profiles.FADES


# ---- convergence ----


def test_convergence_ends_at_the_stability_of_all_runs():
    study = {"a": ranked().top(8), "b": ranked(random_state=2, noise=4).top(8)}
    frame = learning_curves.frame_stability_by_runs(study)
    for label, one in study.items():
        own = frame[frame["selector"] == label]
        assert own["value"].iloc[-1] == stability(one).value and own["runs"].iloc[-1] == 12
        again = converging(one, orders=learning_curves.N_ORDERS)
        assert own["value"].to_numpy() == pytest.approx(again["value"].to_numpy())
    figure = learning_curves.draw_stability_by_runs(frame, ["a"])
    assert {trace.name for trace in figure.data if trace.name} == {"a", "b"}
    assert sum(trace.fill == "tonexty" for trace in figure.data) == 1 and len(figure.data) == 6 + 2


def test_the_sentence_says_whether_the_runs_are_enough():
    one = ranked(noise=4).top(8)
    found = stability(one)
    ahead = runs_needed({"a": one, "b": one.take([0, 1])}, half=0.5)
    row = next(ahead.itertuples())
    assert row.half_width == pytest.approx((found.high - found.low) / 2) and row.needed <= 12
    assert learning_curves.describe_runs_needed(row, 0.5).endswith("which is enough for ± 0.5 on this table.")
    tight = next(runs_needed({"a": one}, half=0.001).itertuples())
    assert tight.with_more == pytest.approx(tight.half_width / np.sqrt(2), rel=0.2) and tight.needed > 24
    assert f"24 runs would give about ± {tight.with_more:.2f}" in learning_curves.describe_runs_needed(tight, 0.001)
    assert f"would take about {tight.needed:,.0f}" in learning_curves.describe_runs_needed(tight, 0.001)
    same = learning_curves.describe_runs_needed(tight._replace(with_more=0.052), 0.05)
    assert "24 runs" not in same.removeprefix("a: ") and "; ± 0.05 would take about" in same, "± 0.05 with 24, or with more?"


@pytest.mark.parametrize(
    ("needed", "word"), [((10, 12), "of every selector"), ((10, 13), "of 1 of 2 selectors"), ((13, np.inf), "not enough")]
)
def test_the_finding_counts_for_whom_the_runs_are_enough(needed, word):
    ahead = pd.DataFrame({"selector": ["a", "b"], "runs": 12, "needed": needed, "reason": ""})
    sentence = learning_curves.finding_stability_by_runs(ahead)
    assert word in sentence and sentence.startswith("12 runs are")
    lot = ahead.assign(needed=0).iloc[:1].assign(selector="random")
    assert learning_curves.finding_stability_by_runs(pd.concat([ahead, lot])) == learning_curves.finding_stability_by_runs(ahead)
    assert "nobody can say" in learning_curves.finding_stability_by_runs(ahead.assign(reason="why"))
    assert "nobody can say" in learning_curves.finding_stability_by_runs(pd.concat([ahead.assign(reason="why"), lot]))
    said = learning_curves.finding_stability_by_runs(lot)
    assert said.startswith("12 runs are enough") and "on this table" in said


def test_what_has_no_interval_says_why():
    nothing = sc.Selections.from_matrix(np.zeros((5, 4)))
    ahead = runs_needed({"a": nothing})
    said = learning_curves.describe_runs_needed(next(ahead.itertuples()))
    assert said.startswith("a: not known, because ") and ahead["needed"].isna().all()
