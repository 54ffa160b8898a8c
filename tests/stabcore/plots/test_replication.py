"""Another study, other centres, and agreement by the number of patients."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn

import stabcore as sc
from stabcore.plots import replication
from stabcore.plots.learning_curves import draw_learning_curve, finding_learning_curve, frame_learning_curve
from stabcore.plots.replication import finding_centres, frame_centres
from stabcore.study.results import Results


def result(seed, names="abcdefghij"):
    pull = np.linspace(6, 0, len(names))
    scores = np.random.default_rng(seed).normal(size=(12, len(names))) + pull
    return Results({"one": sc.Selections.from_scores(scores, names=list(names)).top(3)})


def test_the_sentence_counts_what_both_put_first_beside_random_orders():
    table = sc.concordance(result(1), result(2))
    row = table.set_index("k").loc[3]
    said = replication.finding_concordance(table, 3)
    assert f"share {row['common']:.0f} of the first 3 features" in said and f"({row['low']:.0f} to {row['high']:.0f})" in said
    assert "p = " not in said
    tested = table.assign(beside="shuffled", p=0.004, clear=True)
    assert "p = 0.004" in replication.finding_concordance(tested, 3)
    groups = sc.Similarity.from_groups({"g": ["a", "b"]}, names=list("abcdefghij"))
    assert "similar features" in replication.finding_concordance(sc.concordance(result(1), result(2), groups), 3)


def test_the_picture_has_the_curve_in_its_band():
    table = sc.concordance(result(1), result(1))
    frame = replication.frame_concordance(table)
    assert frame["shared"].eq(1).all() and len(frame) == 10
    band, curve = drawn(replication.draw_concordance(frame, 3))["data"]
    assert list(curve["y"]) == [1.0] * 10 and len(band["x"]) == 20


def test_what_comes_back_is_counted_and_what_the_other_does_not_know_is_told():
    table = sc.replication(result(1), result(1))
    many = int(table["in_first"].sum())
    assert many and replication.finding_replicated(table) == (
        f"{many} of the {many} features of this panel are in that of the other study too."
    )
    known = sc.replication(result(1), result(1, "bcdefghijk"))
    assert "; the other study does not know 1." in replication.finding_replicated(known)
    assert replication.finding_replicated(table.assign(in_first=False)).startswith("There is no feature")
    figure = drawn(replication.draw_replicated(replication.frame_replicated(table), 0.75))
    assert [one.get("name") for one in figure["data"][1:]] == ["these results", "the other study"]
    assert [len(one["x"]) for one in figure["data"]] == [3 * len(table), len(table), len(table)]


@pytest.mark.parametrize(
    ("verdict", "words", "alone"),
    [
        ("yes", "2 of the 2 features", "is in that of the other study too"),
        ("related", "for 2 more a stand-in", "but a stand-in is"),
        ("no", "None of the 2 features", "is not in that of the other study."),
        ("unknown", "does not know 2", "is not known to the"),
    ],
)
def test_other_verdicts_in_words(verdict, words, alone):
    table = sc.replication(result(1), result(1)).head(2).assign(replicates=verdict, in_first=True)
    assert words in replication.finding_replicated(table)
    assert f"The only feature of this panel {alone}" in replication.finding_replicated(table.head(1)).replace(
        "is not in that of the other study, but", "but"
    )


def study(seed, effect, plan, rows=160, classifier="none"):
    rng = np.random.default_rng(seed)
    outcome = np.arange(rows) % 2
    frame = pd.DataFrame(rng.normal(size=(rows, 60)), columns=[f"f{i}" for i in range(60)])
    frame.iloc[:, :5] += effect * outcome[:, None]
    frame = frame.assign(outcome=np.where(outcome, "sick", "well"), city=rng.permutation(np.arange(rows) % 4).astype(str))
    data = sc.Dataset.from_frame(frame, target="outcome", exclude=["city"])
    with ThreadPoolExecutor(1) as executor:
        return sc.Study(data, "welch_t", plan=plan, k=5, random_state=1, classifier=classifier, n_permutations=0).run(executor)


@pytest.mark.parametrize("effect", [0.0, 0.8])
def test_what_was_seen_is_told_and_nothing_beyond_it(effect):
    frame = frame_learning_curve(study(4, effect, sc.LearningCurve(8)).growth(), "welch_t").sort_values("patients")
    assert frame["patients"].tolist() == [20, 40, 80] and "20, 40 and 80 patients" in finding_learning_curve(frame)
    assert list(draw_learning_curve(frame).data[0].x) == [20, 40, 80]
    values = frame["value"].tolist()
    assert values[2] > values[0] if effect else abs(values[2]) < 0.2
    empty = pd.DataFrame({"selector": "a", "patients": [20], "value": np.nan, "low": np.nan, "high": np.nan})
    assert "is not known" in finding_learning_curve(empty)


def test_centres_of_noise_are_not_called_clear_and_those_of_a_signal_are():
    clear = 0
    for seed in range(6):
        told = study(seed, 0.0, sc.LeaveOneSiteOut("city"), rows=120, classifier="logistic").centres()
        clear += int((told["accuracy_low"] > told["largest"]).sum())
    assert clear <= 2  # of 24 centres
    frame = frame_centres(study(1, 1.5, sc.LeaveOneSiteOut("city"), classifier="logistic").centres(), "welch_t")
    said = finding_centres(frame)
    assert "In 4 of 4 centres that is clearly more" in said and "Models of all other centres are right about" in said
    assert finding_centres(frame.assign(accuracy=np.nan)) == "No centre was predicted."
