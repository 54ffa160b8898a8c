"""The picture of whose dice, and its sentences."""

import numpy as np
import pandas as pd

from stabcore.plots.seed_variability import draw_seed_variability, frame_seed_variability
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
STEADY = ("Steady", np.nan, np.nan, np.nan, "")


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
