"""Match a data table with given selections: the same features in the same order."""

import numpy as np

from stabcore.data.dataset import Dataset
from stabcore.data.feature_table import FeatureTable


def aligned(data, features) -> Dataset | None:
    """The Dataset with these features in this order, under the names of the table. None if it has none of them.

    A feature that is not in the table has no values, so it correlates with nothing.
    """
    features, place = tuple(features), {name: j for j, name in enumerate(data.features)}
    if features == data.features:
        return data
    there = [j for j, name in enumerate(features) if name in place]
    if not there:
        return None
    values, categorical = np.full((data.n_rows, len(features)), np.nan), np.zeros(len(features), dtype=bool)
    places = [place[features[j]] for j in there]
    values[:, there], categorical[there] = data.table.values[:, places], data.table.categorical[places]
    levels = {name: data.levels[name] for name in features if name in data.levels}
    return data.changed(table=FeatureTable(values, categorical, features), levels=levels)
