"""What if? Effective stability under other assumptions about what stands for what, or without a feature or a run.

thresholds    every threshold of the correlation at once; floor_curves: the same with the outcome shuffled, and who leads;
doubtful: where that is hard to read; uncertainty: C of other patients groups        each group on and off; beside: of two
selectors; swaps: one feature in place of another, beyond what random sets do pairs         how much each entry of C matters
leaving_out   without a feature, a run, or an outer fold

Nothing here runs a study again: tr(CS) and tr(CΣ⁰) are sums over pairs of features, so that each question is one pass over pairs.
"""

from stabcore.whatif.beside import within_between_beside
from stabcore.whatif.floor_curves import floor_curves, standings
from stabcore.whatif.groups import groups, within_between
from stabcore.whatif.leaving_out import without_blocks, without_features, without_runs
from stabcore.whatif.pairs import influence
from stabcore.whatif.thresholds import CorrelationBins, crossings, threshold_curve
from stabcore.whatif.uncertainty import relation_uncertainty

__all__ = ["CorrelationBins", "crossings", "floor_curves", "groups", "influence", "relation_uncertainty", "standings",
           "threshold_curve", "within_between", "within_between_beside", "without_blocks", "without_features", "without_runs"]
