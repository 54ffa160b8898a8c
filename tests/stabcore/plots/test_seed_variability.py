"""The picture of whose dice, and its sentences."""

import numpy as np
import pandas as pd
import pytest

from stabcore.plots.seed_variability import draw_seed_variability, finding_seed_variability, frame_seed_variability
from stabcore.plots.style import REST


def dice(*rows):
    """seed_variability of these (selector, share, low, high, steadied_by)."""
    return pd.DataFrame(
        [
            {
                "selector": who,
                "share": share,
                "low": low,
                "high": high,
                "own": 0.1,
                "total": 0.2,
                "runs": 50,
                "note": {0: "it selected the same"}.get(share, "" if share == share else "no two fits disagree"),
                "steadied_by": by,
            }
            for who, share, low, high, by in rows
        ]
    ).set_index("selector")


FOREST = ("Random forest", 0.94, 0.88, 1.0, "more trees")
MIXED = ("Mine", 0.5, 0.3, 0.7, "")
STUMPS = ("Boosted stumps", 0.05, 0.0, 0.1, "")
SAME = ("Same", 0.0, np.nan, np.nan, "")
LOT = ("By lot", 1.0, 0.98, 1.0, "nothing")
STEADY = ("Steady", np.nan, np.nan, np.nan, "")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (FOREST, "Nearly all of the disagreement of Random forest is its own (94%, 88% to 100%): more trees, not more patients"),
        (MIXED, "a part is its own (50%, 30% to 70%), which the mean of several fits would lessen"),
        (STUMPS, "Little of the disagreement of Boosted stumps is its own (5%, 0% to 10%): it comes with the patients"),
        (STEADY, "Steady: no two fits disagree"),
        (SAME, "Same: it selected the same, so its disagreement comes with the patients"),
        (LOT, "By lot picks by lot: its disagreement is its own (100%, 98% to 100%), as it must be"),
        (("Wide", 0.9, 0.6, 1.0, ""), "a part is its own"),  # what its interval does not say is not said
        (("Two runs", 0.9, np.nan, np.nan, ""), "a part is its own (90%)"),
    ],
)
def test_a_sentence_says_what_its_interval_says(row, words):
    assert words in frame_seed_variability(dice(row))["sentence"].iloc[0]


def test_the_finding_names_those_whose_own_it_is():
    assert finding_seed_variability(frame_seed_variability(dice(FOREST, MIXED))).startswith(
        "Nearly all of the disagreement of Random forest"
    )
    two = finding_seed_variability(frame_seed_variability(dice(FOREST, ("Other", 0.99, 0.9, 1.0, ""))))
    assert "Other and Random forest" in two
    assert "Mine keeps the largest share" in finding_seed_variability(frame_seed_variability(dice(STUMPS, MIXED, STEADY)))
    assert "By lot" not in finding_seed_variability(frame_seed_variability(dice(FOREST, LOT)))
    assert "By lot" in finding_seed_variability(frame_seed_variability(dice(LOT)))
    assert finding_seed_variability(frame_seed_variability(dice(SAME, LOT))).startswith("Same: it selected the same")
    assert "No two fits" in finding_seed_variability(frame_seed_variability(dice(STEADY)))


def test_bars_add_up_and_every_number_is_in_the_frame():
    frame = frame_seed_variability(dice(STUMPS, FOREST, STEADY, MIXED))
    drawn = draw_seed_variability(frame)
    assert frame["selector"].tolist() == ["Random forest", "Mine", "Boosted stumps", "Steady"]
    own, rows, edge, reach = drawn.data
    assert rows.marker.color == REST, "what is not its own is no louder in the dark than what is"
    np.testing.assert_array_equal(edge.error_x.array, reach.error_x.array)
    assert edge.error_x.thickness > reach.error_x.thickness
    np.testing.assert_allclose(np.array(own.x) + np.array(rows.x), 1)
    assert list(drawn.layout.yaxis.ticktext) == ["Boosted stumps", "Mine", "Random forest"]
    np.testing.assert_allclose(np.array(own.x) + reach.error_x.array, [0.1, 0.7, 1.0])
    hostile = draw_seed_variability(frame_seed_variability(dice(("<b>x</b>", 0.5, 0.4, 0.6, ""))))
    assert "<b>" not in hostile.to_json().replace("\\u003c", "<")
