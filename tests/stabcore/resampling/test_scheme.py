"""Picture of a plan: shares of rows in its first and last runs, order of rows, and patients."""

import numpy as np
import pandas as pd
import pytest
from study_support import resamples

import stabcore as sc
from stabcore.glossary.term import named_strips
from stabcore.resampling.scheme import CELLS, HELD_OUT, LEARNED, scheme

N = 2 * CELLS
DATA = sc.Dataset(np.random.default_rng(0).normal(size=(N, 3)), np.repeat([0, 1], N // 2))
PLANS = (sc.ComplementaryPairs(5), sc.Subsample(6, 0.25), sc.Bootstrap(4), sc.RepeatedKFold(4, 2), sc.Subsample(2, 0.5))


@pytest.mark.parametrize("plan", PLANS, ids=repr)
def test_first_and_last_runs_show_the_shares_of_rows(plan):
    drawn, runs = scheme(plan, DATA, 1), list(resamples(plan, DATA.target, 1))
    assert drawn.runs == tuple(sorted({1, 2, len(runs) - 1, len(runs)}))
    for number, strip in zip(drawn.runs, drawn.strips, strict=True):
        resample = runs[number - 1]
        assert len(strip) == CELLS
        assert abs(strip.count(LEARNED) / CELLS - len(np.unique(resample.rows)) / N) <= 8 / CELLS
        assert abs(strip.count(HELD_OUT) / CELLS - len(resample.held_out) / N) <= 8 / CELLS
    assert drawn.strips[0] == "".join(sorted(drawn.strips[0], reverse=True)), "rows of the first run are together"
    first, second = (set(run.rows) for run in runs[:2])
    assert f"selected on {len(first)} rows" in drawn.sentence
    assert f"share {len(first & second) or 'no row'}" in drawn.sentence


def test_halves_of_a_pair_are_complementary():
    first, second, third, fourth = scheme(sc.ComplementaryPairs(8), DATA, 3).strips
    swap = str.maketrans("lh", "hl")
    assert first.translate(swap) == second and third.translate(swap) == fourth and first != third


def test_scheme_counts_patients_once():
    frame = pd.DataFrame(np.asarray(DATA.table.values), columns=list("abc")).assign(who=np.arange(N) // 2)
    data = sc.Dataset(frame, np.repeat(["ill", "well"], N // 2), same_patient="who")
    assert f"on {N // 4} patients" in scheme(sc.ComplementaryPairs(5), data, 1).sentence


def test_neighbouring_equal_cells_share_a_rectangle():
    svg = named_strips(["Run 1", "Run 2"], ["llhh", "lhlh"], "two runs", "#123456", 460).svg
    assert svg.count("<rect") == 6 and svg.count('fill="#123456"') == 2 and 'width="460"' in svg
