"""Figure of the sources of disagreement, and its sentences."""

import numpy as np
import pandas as pd
from snapshot_support import check_snapshot

from stabcore.plots.disagreement import draw_disagreement, finding_disagreement, frame_disagreement
from stabcore.plots.style import PALE_GREY


def sources(*rows):
    """Make disagreement_sources of (selector, seed, low, high, missing, steadied_by)."""
    columns = ["selector", "seed", "seed_low", "seed_high", "missing", "steadied_by"]
    frame = pd.DataFrame(rows, columns=columns).set_index("selector")
    spread, seed = np.where(frame["missing"] == 0, np.nan, 0.05), frame["seed"]
    frame = frame.assign(patients=1 - seed - frame["missing"], patients_high=1 - frame["seed_low"] - frame["missing"])
    frame = frame.assign(patients_low=np.maximum(1 - frame["seed_high"] - frame["missing"], 0), disagreement=0.2, runs=50)
    frame = frame.assign(missing_low=frame["missing"] - spread, missing_high=frame["missing"] + spread, seeds=1 + (seed != 0))
    return frame.assign(imputations=np.where(frame["missing"] == 0, 1, 5), note=np.where(seed.isna(), "no two fits disagree", ""))


FOREST = ("Random forest", 0.94, 0.88, 1.0, 0, "more trees")
MIXED = ("Mine", 0.5, 0.3, 0.7, 0.2, "")
LASSO = ("Lasso", 0.0, np.nan, np.nan, 0.3, "")


def test_bars_add_up_and_draw_the_frame():
    frame = frame_disagreement(sources(LASSO, FOREST, ("Steady", np.nan, np.nan, np.nan, 0, ""), MIXED))
    drawn = draw_disagreement(frame)
    assert frame["selector"].tolist() == ["Random forest", "Mine", "Lasso", "Steady"]
    seed, missing, patients, edge, reach = drawn.data
    assert patients.marker.color == PALE_GREY, "what is due to patients is no louder in the dark than what is not"
    np.testing.assert_array_equal(edge.error_x.array, reach.error_x.array)
    assert edge.error_x.thickness > reach.error_x.thickness
    np.testing.assert_allclose(np.array(seed.x) + np.array(missing.x) + np.array(patients.x), 1)
    assert list(drawn.layout.yaxis.ticktext) == ["Lasso", "Mine", "Random forest"]
    np.testing.assert_allclose(np.array(reach.x) + reach.error_x.array, [0.3, 0.9, 1.0])  # 1 − the lower end of patients
    hostile = draw_disagreement(frame_disagreement(sources(("<b>x</b>", 0.5, 0.4, 0.6, 0.1, ""))))
    assert "<b>" not in hostile.to_json().replace("\\u003c", "<")


def test_sentences_name_measured_sources_only():
    """Seeds matter less where signal is clear, so the number of patients is no remedy if only the seed matters."""
    frame = frame_disagreement(sources(LASSO, FOREST, MIXED, ("Seed alone", 1.0, 0.9, 1.0, 0, "more trees")))
    some = [frame[frame["selector"] != without] for without in ("Seed alone", "Lasso")]
    check_snapshot("plots/disagreement", "\n".join([*frame["sentence"], *map(finding_disagreement, some)]))
