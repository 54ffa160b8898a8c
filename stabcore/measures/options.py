"""What the options of measures mean, in words: the same name means the same wherever it stands."""

from __future__ import annotations

MEANINGS = {
    "corrected": "what random sets share is taken out, by (value − expected)/(largest − expected)",
    "undefined": "what a pair of runs without a value counts: a number, None (there is no value at all) or 'skip' (it is left out)",
    "penalty": "how much a list of all features loses (α of Davis et al.; 0, 1, 2 and 10 in Bommert et al. 2017)",
    "threshold": "entries of C below it count as 0 (θ)",
    "ties": "features of equal score come by lot ('random') or share their mean place ('average'), which flatters equal ones",
    "p": "how likely a reader of one place reads on, between 0 and 1: the larger, the further down two orders are compared",
    "k": "how many places count; None: the mean number of selected features, or all where the runs only rank",
    "draws": "how many random sets are drawn where what they share has no formula",
    "seed": "of what is drawn by lot: the same seed gives the same value",
}
