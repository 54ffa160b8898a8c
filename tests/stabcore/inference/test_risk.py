"""What is said of risks that move, against loops over patients and models."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from stabcore.figures.risk import (draw_mape, finding_mape, finding_risk, frame_mape, row_noun)
from stabcore.inference.risk import calibration, class_changes, prediction_error, risk_band


@pytest.fixture(scope="module")
def chances():
    rng = np.random.default_rng(0)
    return rng.random(9), rng.random((13, 9))


def test_every_number_of_a_patient_is_that_of_a_loop(chances):
    whole, models = chances
    low, high = risk_band(models)
    for i in range(9):
        assert prediction_error(whole, models)[i] == pytest.approx(sum(abs(one[i] - whole[i]) for one in models) / 13)
        assert class_changes(whole, models, 0.3)[i] == sum((one[i] > 0.3) != (whole[i] > 0.3) for one in models) / 13
        assert (low[i], high[i]) == (np.quantile(models[:, i], 0.025), np.quantile(models[:, i], 0.975))


def test_models_that_all_agree_move_nobody(chances):
    whole, _ = chances
    same = np.tile(whole, (5, 1))
    assert not prediction_error(whole, same).any() and not class_changes(whole, same, 0.5).any()


def test_calibration_is_a_local_mean_and_finds_the_diagonal_where_risks_are_true():
    rng = np.random.default_rng(1)
    chances = rng.random(4000)
    curve = calibration(chances, rng.random(4000) < chances, [0.2, 0.5, 0.8])
    assert curve == pytest.approx([0.2, 0.5, 0.8], abs=0.05)
    near = [0.45, 0.5, 0.9]
    weights = [(1 - 0.5 ** 3) ** 3, 1.0]
    assert calibration(near, [1, 0, 1], [0.5])[0] == pytest.approx(weights[0] / sum(weights))
    assert np.isnan(calibration(near, [1, 0, 1], [0.1])[0])


def test_how_far_risks_move_is_told_of_half_and_of_nine_in_ten_of_the_patients():
    frame = frame_mape(pd.DataFrame({"row": range(1, 11), "mape": [0.1, 0.02, 0.04, 0.06, 0.05, 0.3, 0.01, 0.2, 0.03, 0.15]}))
    assert frame["row"].tolist()[:2] == [7, 2] and frame["share"].tolist() == [i / 10 for i in range(1, 11)]
    assert finding_mape(frame) == ("The models of the runs move the risks of half of the patients by at most 5 points of 100 on "
                                    "average, those of nine in ten by at most 20.")
    line, = draw_mape(frame).data
    assert list(line.x[1:]) == sorted(frame["mape"]) and list(line.y) == [0, *frame["share"]]


def test_rows_are_not_called_patients_where_these_have_several():
    rows = pd.DataFrame({"row": [1, 2], "mape": [0.1, 0.2], "changes": [0.0, 0.5]})
    data = SimpleNamespace(patients=np.array([0, 0]))
    assert "1 row of 2 is on the other side" in finding_risk(rows, 0.5, row_noun(data)) and row_noun(None) == "patient"
    assert "half of the rows" in finding_mape(frame_mape(rows), row_noun(data))
    assert "patient" not in finding_risk(rows, 0.5, "row") + finding_mape(frame_mape(rows), "row")
