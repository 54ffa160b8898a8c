"""The panel with and without the columns that are always in the model."""

from stabcore.analysis.compare_given import DROPS_OUT, ENTERS, STAYS
from stabcore.base.text import counted, join_tied
from stabcore.plots.replication import frequency_pairs
from stabcore.plots.style import MEASURED, PALETTE

MAX_SHOWN = 40
ABOUT_GIVEN = (
    "Both studies have the same resamples, selectors and seed. Open: without the columns. Filled: with them always in the model.",
    "A feature that drops out adds little to these columns. It may follow them, as a marker of age does.",
)


def frame_given(table, given):
    """Return the first rows of compare_given with the names of the given columns."""
    return table.head(MAX_SHOWN).assign(given=join_tied(list(given)))


def finding_given(table, given) -> str:
    """Describe the numbers of features that stay, drop out and enter once columns are always in the model."""
    columns, counts = join_tied(list(given)), table["change"].value_counts()
    remain, lost, new = (int(counts.get(change, 0)) for change in (STAYS, DROPS_OUT, ENTERS))
    size = counted(remain + lost, "feature")
    return f"Without {columns}, the panel has {size}. Beyond {columns}, it keeps {remain} of them and gains {new}."


def draw_given(frame, threshold):
    """Draw one row per feature: its selection frequency without and with the given columns, joined by a line."""
    without = ("without", "without", "without", "circle-open", PALETTE[5])
    return frequency_pairs(frame, "change", threshold, without, ("beyond", "beyond", "with them", "circle", MEASURED))
