"""What if? Effective stability under other assumptions about substitutes, or without a feature or a run.

thresholds    every threshold of the correlation at once, also with the outcome shuffled
groups        each group on and off, of one selector and of two
pairs         the effect of each entry of C
leaving_out   without a feature, a run, or an outer fold
uncertainty   C from other patients

No study is run again. tr(CS) and tr(CΣ⁰) are sums over pairs of features, so each question needs one pass over pairs.
"""

from stabcore.analysis.whatif.groups import groups, within_between, within_between_beside
from stabcore.analysis.whatif.leaving_out import without_blocks, without_features, without_runs
from stabcore.analysis.whatif.pairs import influence
from stabcore.analysis.whatif.thresholds import CorrelationBins, crossings, floor_curves, standings, threshold_curve
from stabcore.analysis.whatif.uncertainty import similarity_uncertainty

__all__ = [
    "CorrelationBins",
    "crossings",
    "floor_curves",
    "groups",
    "influence",
    "similarity_uncertainty",
    "standings",
    "threshold_curve",
    "within_between",
    "within_between_beside",
    "without_blocks",
    "without_features",
    "without_runs",
]
