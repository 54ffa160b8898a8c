"""Rankings with a known agreement cutoff: an exact head, a head with errors, fading agreement, and none."""

import numpy as np


def headed(head, d, runs, rng, ordered=True):
    """Scores (M, d) with the first `head` features above all others, in a fixed or random order."""
    scores = rng.random((runs, d))
    scores[:, :head] += 5
    if ordered:
        scores[:, :head] = 100 - np.arange(head)
    return scores


def shifted(means, runs, rng):
    """Scores |z| of features whose z has these means, as a filter has for such effects."""
    return np.abs(rng.standard_normal((runs, len(means))) + means)


def clear(d=130, head=12, size=7.0):
    """Means of `head` features that are almost always selected."""
    return np.where(np.arange(d) < head, size, 0.0)


def fading(d=130, size=4.0, scale=20):
    """Means that decrease smoothly."""
    return size * np.exp(-np.arange(d) / scale)


def top_of(means, draws=4000, random_state=0):
    """The k at which two runs share most beyond chance, max of Σ p_f(k)² − k²/d, from very many runs."""
    d = len(means)
    ranks = np.argsort(np.argsort(-shifted(means, draws, np.random.default_rng(random_state)), axis=1), axis=1)
    counts = np.zeros((d, d))
    for feature in range(d):
        counts[feature] = np.bincount(ranks[:, feature], minlength=d).cumsum()
    p, k = counts / draws, np.arange(1, d + 1)
    unbiased = (p * p * draws - p).sum(axis=0) / (draws - 1)
    return int((unbiased - k**2 / d).argmax()) + 1
