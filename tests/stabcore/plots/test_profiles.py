"""Stability by number of features and agreement cutoffs: figures and sentences."""

import numpy as np
import pandas as pd
from cutoff_support import fading, headed, shifted
from snapshot_support import check_snapshot

import stabcore as sc
from stabcore.analysis.agreement_cutoff import agreement_cutoff
from stabcore.plots import profiles


def ranked(M=12, d=40, head=10, random_state=0, noise=0.3):
    """Runs that agree on the first features and are random beyond them."""
    rng = np.random.default_rng(random_state)
    base = np.where(np.arange(d) < head, 20.0 - np.arange(d), 0.0)
    return sc.Selections.from_scores(base + noise * rng.normal(size=(M, d)))


def test_every_measure_of_sets_has_a_profile():
    keys = profiles.profiled_measures()
    assert keys[:2] == ["nogueira", "effective"] and len(set(keys)) == len(keys) >= 10
    similarity = sc.Similarity.from_groups({"g": [0, 1, 2]}, n_features=40)
    for key in keys:
        assert len(profiles.frame_profiles({"a": ranked()}, key, similarity)) == 36  # up to 90% of 40 features


def test_sizes_above_the_floor_end_with_the_shortest_curve():
    short, long = (
        pd.DataFrame({"selector": name, "k": range(1, n + 1), "value": 0.9, "floor": 0.1, "p": 0.04})
        for name, n in (("s", 5), ("l", 9))
    )
    short.loc[1, "floor"], long.loc[2, "floor"] = 0.0, 0.0
    beyond = pd.DataFrame({"selector": ["s", "l"], "facet": "runs", "value": 0.9, "beyond": 0.8, "blind": False, "clear": True})
    beyond = beyond.assign(floor=0.1, floor_sd=0.02, shuffles=20)
    check_snapshot("plots/profiles", profiles.finding_profiles(beyond, 3, frame=pd.concat([short, long])))


def test_agreement_cutoffs_of_several_selectors_and_of_noise():
    study = {
        "a": sc.Selections.from_scores(headed(5, 40, 12, np.random.default_rng(0))),
        "short": ranked(M=2),
        "noise": sc.Selections.from_scores(np.random.default_rng(1).random((12, 40))),
    }
    frame = profiles.frame_agreement_cutoffs(study)
    cutoff = agreement_cutoff(study["a"])
    assert frame.iloc[0].tolist() == ["a", cutoff.k, cutoff.low, cutoff.high, cutoff.shared, ""]
    check_snapshot("plots/agreement_cutoffs", "\n".join(profiles.describe_agreement_cutoffs(frame).values()))
    figure = profiles.draw_agreement_cutoffs(frame, 7)
    assert [list(trace.x) for trace in figure.data] == [[5.0, 5.0], [5.0]] and list(figure.data[1].y) == [2]
    assert list(figure.layout.yaxis.ticktext) == ["noise", "short", "a"] and figure.layout.shapes[0].x0 == 7


def test_fading_agreement_has_no_cutoff():
    scores = shifted(fading(60), 30, np.random.default_rng(0))
    frame = profiles.frame_agreement_cutoffs({"a": sc.Selections.from_scores(scores)})
    row = frame.iloc[0]
    sentences = profiles.describe_agreement_cutoffs(frame)["a"]
    assert "fades" in sentences and f"with {row['low']:.0f} to {row['high']:.0f} features" in sentences
    (trace,) = profiles.draw_agreement_cutoffs(frame).data
    assert list(trace.x) == [row["low"], row["high"]] and trace.line.dash == "dot" and trace.name == profiles.PEAK_MARK
