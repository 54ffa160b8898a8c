"""At which thresholds the effective stability is hard to read, whatever the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stabcore.measures.effective import Chance

if TYPE_CHECKING:
    import pandas as pd

    from stabcore.preferences import Preferences
    from stabcore.whatif.thresholds import CorrelationBins

MOST = 100              # features among which C is tested, those selected most often
EVERY = 0.02            # between two thresholds at which it is
LITTLE = 0.05           # of what random selections vary without C: below, dividing by it says little
FAR = 0.25              # of the sizes of all eigenvalues of C that belong to negative ones: beyond, C contradicts itself widely


def doubtful(runs: dict[str, Preferences], bins: CorrelationBins) -> pd.DataFrame:
    """DataFrame(threshold, left, negative, doubtful): what makes Φ_C hard to read when C comes from each threshold.

    left       the smallest tr(CΣ⁰)/tr(Σ⁰) of the selectors, what random selections still vary, as a share of what they vary alone
    negative   Σ|λ| of the negative eigenvalues of C over Σ|λ| of all, in [0, 1], among up to 100 features: 0 where C is positive
               semi-definite
    doubtful   left < 0.05 or negative > 0.25
    One row every 0.02 from 0 to 1. The limits are ours; the effective stability is defined on either side of them.
    """
    import pandas as pd

    at = np.round(np.arange(0, 1 + EVERY / 2, EVERY), 9)
    related = 2 * np.append(bins.amount, 0)[np.searchsorted(bins.thresholds, at - 1e-9)]
    chances = [Chance.of_runs(one) for one in runs.values()]
    left = np.min([one.total(related) / one.own if one.own > 0 else np.full(len(at), np.nan) for one in chances], axis=0)
    counts = np.sum([one.counts for one in runs.values()], axis=0)
    index = np.sort(np.argsort(-counts, kind="stable")[:MOST])
    negative = bins.remembered(("negative", index.tobytes()), lambda: _negative_at(at, _correlations(index, bins), bins.binary))
    return pd.DataFrame({"threshold": at, "left": left, "negative": negative, "doubtful": (left < LITTLE) | (negative > FAR)})


def _correlations(index, bins):
    """(f, f) |ρ| of some features, 1 with themselves."""
    rho = np.zeros((len(index), len(index)))
    for rows, columns, part in bins.correlations.blocks(index):
        rho[np.ix_(rows, columns)] = np.maximum(part, rho[np.ix_(rows, columns)])
    rho = np.maximum(rho, rho.T)
    np.fill_diagonal(rho, 1.0)
    return rho


def _negative_at(at, rho, binary):
    """(T,) `negative` at each threshold."""
    return np.array([_negative(np.where(rho >= one - 1e-9, 1.0 if binary else rho, 0.0)) for one in at])


def _negative(C):
    np.fill_diagonal(C, 1.0)
    related = np.count_nonzero(C, axis=1) > 1           # each of the others has an eigenvalue of its own, 1
    values = np.linalg.eigvalsh(C[np.ix_(related, related)])
    return float(-values[values < -1e-9].sum() / (np.abs(values).sum() + (~related).sum())) if len(C) else 0.0
