"""Two halves: what is drawn and said of what separate halves of the patients share."""

import numpy as np
import pandas as pd
import pytest
from figure_support import drawn, numbers

from stabcore.analysis.floors import REACH, halves_spread
from stabcore.figures import halves


def answer(**changes):
    """What split_half gives of four selectors."""
    made = pd.DataFrame({"shared": [11.62, 8.0, 19.7, 3.2], "by_luck": 3.08, "size": 20.0, "value": [0.5, 0.29, 0.98, 0.01],
                         "low": [0.46, 0.2, 0.96, -0.05], "high": [0.54, 0.4, 1.0, 0.06], "pairs": 25, "note": ""},
                        index=pd.Index(["Lasso", "mRMR", "Variance", "Random ranking (baseline)"], name="selector"))
    return made.assign(**changes)


def frame(**changes):
    with_c = answer(value=[0.61, 0.29, 0.98, 0.01], low=np.nan, high=np.nan)
    return halves.frame_halves({"kappa": answer(**changes), "effective": with_c}, 130, ["Variance", "Random ranking (baseline)"])


def said(label, made=None):
    made = frame() if made is None else made
    return halves.sentence_halves(made[made["selector"] == label])


def test_the_first_sentence_is_about_patients_and_names_no_winner():
    assert halves.finding_halves(frame()) == ("Two separate halves of the patients share 8 to 11.6 of 20 markers, depending on "
                                              "the selector; random sets would share 3.1.")
    one = frame()
    assert halves.finding_halves(one[one["selector"] == "Lasso"]) == (
        "Two separate halves of the patients share 11.6 of 20 markers; random sets would share 3.1.")
    assert "no selector" in halves.finding_halves(one[one["selector"] == "Variance"])
    assert "no selector" in halves.finding_halves(frame(value=np.nan))


def test_each_selector_in_one_sentence():
    assert said("Lasso") == ("Lasso: two separate halves share 11.6 of 20 features; random sets would share 3.1. They come back "
                             "moderately (0.50 [0.46, 0.54]); 0.61 when related features stand for each other.")
    assert said("mRMR").endswith("They come back poorly (0.29 [0.20, 0.40]).")
    assert said("Variance").endswith("It does not look at the outcome, so without any signal its halves would share as much.")
    assert said("Random ranking (baseline)").endswith("(0.01 [-0.05, 0.06]; chosen by lot).")
    assert said("mRMR", frame(value=0.06, low=0.01)).endswith(
        "They do not clearly come back more often than without any signal (0.06 [0.01, 0.40]); 0.29 when related features stand "
        "for each other.")
    assert said("mRMR", frame(value=np.nan, note="no pair")) == "mRMR: what two halves agree on is undefined: no pair."


def test_the_range_without_any_signal_is_drawn_at_0():
    made = frame()
    figure = drawn(halves.draw_halves(made))
    tick = next(one for one in figure["data"] if one["name"] == "without any signal")
    assert numbers(tick["x"]).tolist() == [0, 0, 0.98], "what does not look at the outcome shares as much without a signal"
    assert numbers(tick["error_x"]["array"])[:2] == pytest.approx(REACH * halves_spread(20, 130))
    assert made[made["selector"] == "Variance"]["floor"].tolist() == [0.98, 0.98]
    assert set(halves.COST.split()) & {"half"} and figure["layout"]["xaxis"]["title"]["text"].startswith("Agreement of two")
