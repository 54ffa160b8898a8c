"""Figure of subgroups: its numbers, and the sentence by p and agreement."""

import numpy as np
import pandas as pd
from snapshot_support import check_snapshot

from stabcore.plots.subgroups import draw_subgroups, finding_subgroups, frame_subgroups

TABLE = pd.DataFrame(
    {
        "of": ["within", "across", "random", "difference"],
        "value": [0.5, 0.2, 0.4, 0.3],
        "low": [0.4, 0.1, 0.3, 0.1],
        "high": [0.6, 0.3, 0.5, 0.5],
        "p": [np.nan, np.nan, np.nan, 0.025],
        "rows": 40,
        "groups": "f and m",
        "note": "",
    }
)


def test_subgroup_figure_draws_the_table():
    figure = draw_subgroups(frame_subgroups(TABLE))
    drawn = {float(x): y for trace in figure.data for x, y in zip(trace.x, trace.y, strict=True)}
    assert drawn == {0.5: 2, 0.2: 1, 0.4: 0}
    assert {tuple(np.round(trace.error_x.array, 9)) for trace in figure.data} == {(0.1, 0.1)} | {(0.1,)}


def test_the_sentence_follows_p_and_agreement():
    same = TABLE.assign(p=[np.nan, np.nan, np.nan, 0.4])
    none = same.assign(low=[-0.1, -0.1, -0.1, -0.1])
    unknown = TABLE.assign(value=np.nan)
    sentences = [finding_subgroups(frame_subgroups(agreement)) for agreement in (TABLE, same, none, unknown)]
    check_snapshot("findings_subgroups", "\n".join(sentences))
