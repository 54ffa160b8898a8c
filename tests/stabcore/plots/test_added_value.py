"""Plot of the value added to given columns by the features of each selector: rows, sentence and marks."""

import numpy as np
import pandas as pd
from snapshot_support import check_snapshot

from stabcore.plots.added_value import draw_added_value, finding_added_value, frame_added_value


def table(*rows):
    """Make a table of (selector, given columns alone, difference, low, high)."""
    columns = ["selector", "given_alone", "difference", "low", "high"]
    made = pd.DataFrame(rows, columns=columns).assign(score="auc", runs=9, note="")
    return made.assign(value=made["given_alone"] + made["difference"]).set_index("selector")


CLEAR = table(("A", 0.7, 0.02, -0.05, 0.09), ("B", 0.7, 0.1, 0.04, 0.16), ("random", 0.7, 0.2, 0.1, 0.3))


def test_rows_are_sorted_by_difference():
    frame = frame_added_value(CLEAR, ["age", "sex"])
    assert frame["selector"].tolist() == ["random", "B", "A"] and set(frame["given"]) == {"age and sex"}
    np.testing.assert_allclose(frame["value"], [0.9, 0.8, 0.72])


def test_sentences_name_clear_selectors_and_no_baseline():
    tables = CLEAR, CLEAR.drop("B"), table(("A", np.nan, np.nan, np.nan, np.nan))
    sentences = [finding_added_value(frame_added_value(made, ["age", "sex"])) for made in tables]
    check_snapshot("plots/added_value", "\n".join(sentences))


def test_marks_are_filled_where_the_interval_excludes_0():
    traces = draw_added_value(frame_added_value(CLEAR, ["age"])).data
    marks = {trace.name: (list(trace.x), trace.marker.symbol) for trace in traces}
    assert marks == {"interval without 0": ([0.1, 0.2], "circle"), "interval with 0": ([0.02], "circle-open")}
