"""A picture of a resampling plan: the rows that its first and last runs learn from and hold out."""

from dataclasses import dataclass

import numpy as np

from stabcore.base.text import counted
from stabcore.data.dataset import Dataset
from stabcore.resampling.plan import Plan

CELLS = 40  # boxes of a row of the picture
LEARNED, HELD_OUT, LEFT_OUT = "l", "h", " "


@dataclass(frozen=True)
class Scheme:
    """The first and last two runs of a plan.

    runs      their numbers, from 1
    strips    for each of them a string of CELLS letters, each for an equal share of the rows: LEARNED, HELD_OUT or LEFT_OUT. Rows
              that these runs treat equally are next to each other, at the same position of every string
    sentence  how many patients (or rows, without a patient column) the first run learns from and holds out, and how many the first
              two runs share
    """

    runs: tuple[int, ...]
    strips: tuple[str, ...]
    sentence: str


def scheme(plan: Plan, data: Dataset, seed: int) -> Scheme:
    """Draw the first and last two runs of a plan on a table. Raises InputError as Plan.resample does.

    plan: with the details that it needs of the table, see Plan.of_table.
    """
    last = plan.n_runs - 1
    runs = sorted({0, 1, last - 1, last})
    states = np.full((len(runs), data.n_rows), LEFT_OUT)
    for state, run in zip(states, runs, strict=True):
        drawn = plan.resample(run, data.target, seed, data.patients)
        state[drawn.held_out], state[drawn.rows] = HELD_OUT, LEARNED
    rank = np.select([states == LEARNED, states == HELD_OUT], [0, 1], 2)
    middles = ((np.arange(CELLS) + 0.5) / CELLS * data.n_rows).astype(int)  # of equal parts of the rows
    shown = states[:, np.lexsort(rank[::-1])[middles]]
    return Scheme(tuple(run + 1 for run in runs), tuple("".join(row) for row in shown), _sentence(states, data))


def _sentence(states, data):
    first, second = states[0] == LEARNED, states[1] == LEARNED
    held_out, shared = data.count(states[0] == HELD_OUT), data.count(first & second)
    tested = f" Orange: they are tested on {held_out:,}." if held_out else ""
    both = f"{shared:,} of them" if shared else f"no {data.counted_noun}"
    return f"Blue: features are selected on {counted(data.count(first), data.counted_noun)}.{tested} Runs 1 and 2 share {both}."
