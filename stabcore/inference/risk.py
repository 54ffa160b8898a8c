"""How far a patient's predicted risk moves from model to model: of probabilities (B, n) of B models beside those of one (n,)."""

from __future__ import annotations

import numpy as np

BAND = (0.025, 0.975)
STEPS = 41              # risks at which a calibration curve is told


def prediction_error(whole, models):
    """MAPE (n,): mean over the models of |p̂_bi − p̂_i|, 0 where every model gives a patient the same risk.

    Source: Riley & Collins 2023, Biometrical Journal 65:2200302.
    """
    return np.abs(models - whole).mean(axis=0)


def risk_band(models):
    """((n,) low, (n,) high): 2.5 and 97.5 percentiles over the models."""
    low, high = np.quantile(models, BAND, axis=0)
    return low, high


def class_changes(whole, models, threshold):
    """Classification instability index CII (n,): share of the models that put a patient on the other side of a threshold.

    threshold: 0 … 1; a patient is called by p̂ > threshold. Source: Riley & Collins 2023.
    """
    return ((models > threshold) != (whole > threshold)).mean(axis=0)


def calibration(chances, happened, at=None, width=0.1):
    """(K,) in what share of the patients with about a predicted risk the outcome happened, at K risks; NaN where nobody is near.

    A local mean with tricube weights over patients whose risk is at most `width` away. chances: (n,), happened: (n,) 0/1.
    Source: local means as in Cleveland 1979, JASA 74:829-836 (there with lines); curves of all models as in Riley & Collins 2023.
    """
    at = np.linspace(0, 1, STEPS) if at is None else np.asarray(at)
    near = np.abs(np.asarray(chances) - at[:, None]) / width
    weight = np.where(near < 1, (1 - np.minimum(near, 1) ** 3) ** 3, 0.0)
    total = weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, weight @ np.asarray(happened, dtype=float) / total, np.nan)
