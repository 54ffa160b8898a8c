"""Fillings of missing cells by chained equations, learned from the rows of one resample."""

import numpy as np

from stabcore.data.feature_table import FeatureTable

PREDICTORS = 20  # columns of each equation, those that correlate most, as van Buuren 2018 recommends 15 to 25
CHAIN_ROUNDS = 5  # rounds of the chain


def fill_missing(learned: FeatureTable, others: FeatureTable, seed: list[int]) -> tuple[FeatureTable, FeatureTable]:
    """One filling of the missing cells: the rows that a run learns from, and other rows of the same columns.

    These are chained equations (van Buuren & Groothuis-Oudshoorn 2011), by scikit-learn's IterativeImputer. In each round, each
    column with missing cells is drawn from its posterior in a Bayesian ridge regression on the others. The outcome is not used, so
    a filling cannot create signal. Everything is learned from the first rows alone, in which copies of a row count as one row. A
    number becomes the nearest recorded one. A category of L levels is L − 1 columns of 0 and 1. Its level is the one with the
    largest drawn value, where the first level has 1 minus the others (Allison 2002). A column without a recorded value stays
    missing.
    seed: numbers that determine the draws.
    """
    if not (learned.missing.any() or others.missing.any()):
        return learned, others
    first, copy = np.unique(learned.originals, return_index=True, return_inverse=True)[1:]
    distinct = np.asarray(learned.values)[first]
    recorded = ~np.isnan(distinct).all(axis=0)
    coding = _Coding(distinct, learned.categorical & recorded, recorded)
    columns, other = coding.columns(distinct), coding.columns(np.asarray(others.values))
    if np.isnan(columns).any() or np.isnan(other).any():
        columns, other = _draw_missing(columns, other, int(np.random.SeedSequence(seed).generate_state(1)[0]))
    return (
        FeatureTable(coding.cells(columns, distinct)[copy], learned.categorical, learned.features, learned.drawn),
        FeatureTable(coding.cells(other, np.asarray(others.values)), others.categorical, others.features, others.drawn),
    )


class _Coding:
    """The columns of a table as standardised numbers, and back."""

    def __init__(self, values, categorical, recorded):
        self.levels = {f: np.unique(values[~np.isnan(values[:, f]), f]) for f in np.flatnonzero(recorded)}
        self.categorical = categorical
        with np.errstate(invalid="ignore"):
            mean, spread = np.nanmean(values[:, recorded], axis=0), np.nanstd(values[:, recorded], axis=0)
        self.mean = dict(zip(self.levels, mean, strict=True))
        self.spread = dict(zip(self.levels, np.where(spread > 0, spread, 1.0), strict=True))

    def columns(self, values):
        """(n, p) standardised numbers, and 0/1 for each level of a category but the first."""
        parts = []
        for f, levels in self.levels.items():
            column = values[:, [f]]
            if self.categorical[f]:
                parts.append(np.where(np.isnan(column), np.nan, column == levels[1:]))
            else:
                parts.append((column - self.mean[f]) / self.spread[f])
        return np.hstack(parts)

    def cells(self, columns, values):
        """The values (n, d) with their missing cells from the columns."""
        complete, start = values.copy(), 0
        for f, levels in self.levels.items():
            end = start + (len(levels) - 1 if self.categorical[f] else 1)
            gaps = np.isnan(values[:, f])
            if gaps.any():
                part = columns[gaps, start:end]
                if self.categorical[f]:
                    number = np.argmax(np.column_stack([1 - part.sum(axis=1), part]), axis=1)
                else:
                    number = _nearest(levels, part[:, 0] * self.spread[f] + self.mean[f])
                complete[gaps, f] = levels[number]
            start = end
        return complete


def _nearest(levels, values):
    """Place of the nearest of the sorted levels for each value."""
    above = np.searchsorted(levels, values).clip(1, max(len(levels) - 1, 1))
    below = above - 1
    above = np.minimum(above, len(levels) - 1)
    return np.where(values - levels[below] <= levels[above] - values, below, above)


def _draw_missing(columns, other, seed):
    """Both parts of the columns with their missing cells drawn."""
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    used = _predictors(columns, other)
    imputer = IterativeImputer(
        sample_posterior=True,
        skip_complete=True,
        max_iter=CHAIN_ROUNDS,
        n_nearest_features=PREDICTORS if len(used) > PREDICTORS else None,
        random_state=seed,
        keep_empty_features=True,
    )
    columns, other = columns.copy(), other.copy()
    columns[:, used] = imputer.fit_transform(columns[:, used])
    if len(other):
        other[:, used] = imputer.transform(other[:, used])
    return columns, other


def _predictors(columns, other):
    """The columns with missing cells, and for each the PREDICTORS columns with the largest correlations."""
    gaps = np.isnan(columns)
    centred = np.where(gaps, 0.0, columns - np.nanmean(columns, axis=0))
    length = np.sqrt((centred**2).sum(axis=0))
    centred /= np.where(length > 0, length, 1.0)
    wanted = np.flatnonzero(gaps.any(axis=0) | np.isnan(other).any(axis=0))
    used = [wanted]
    for part in np.array_split(wanted, -(-len(wanted) // 200)):  # as many as keep the correlations of a wide table small
        strength = np.abs(centred[:, part].T @ centred)
        used.append(np.argsort(-strength, axis=1, kind="stable")[:, : PREDICTORS + 1].ravel())
    return np.unique(np.concatenate(used))
