"""Helpers for tests of figures: runs, tables, and figures as sent to a browser."""

import base64
import json
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

import stabcore as sc
from stabcore.plots.selection_map import selection_maps

KEYS = ["nogueira", "effective"]


def runs(names=None, M=7, d=9, k=4, random_state=0, weights=True, noise=2.0):
    """Similar rankings of the best k, with importances by default."""
    rng = np.random.default_rng(random_state)
    scores = np.linspace(2, 0, d) + noise * rng.normal(size=(M, d))
    made = sc.Selections.from_scores(scores, names)
    return replace(made, raw_importances=csr_array(rng.random((M, d))) if weights else None).top(k)


def table(labels, random_state=0, keys=KEYS):
    """A result table as on the pages, with simulated numbers."""
    rng = np.random.default_rng(random_state)
    columns = {}
    for key in (*keys, "accuracy"):
        value = rng.random(len(labels))
        columns |= {
            key: value,
            f"{key}_low": value - 0.1 * rng.random(len(labels)),
            f"{key}_high": value + 0.1 * rng.random(len(labels)),
            f"{key}_note": [""] * len(labels),
        }
    return pd.DataFrame({**columns, "mean_size": 5.0}, index=pd.Index(labels, name="selector"))


def seen(selections, similarity=None, order="frequency", **how):
    return selection_maps([selections], similarity, order, **how)[0]


def drawn(figure):
    """The figure as sent to a browser, in strict JSON with unpacked arrays."""

    def refuse(token):
        raise AssertionError(f"{token} is not JSON")

    def unpack(value):
        if isinstance(value, dict) and "bdata" in value:
            found = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
            return found.reshape([int(n) for n in str(value.get("shape", len(found))).split(",")])
        if isinstance(value, dict):
            return {key: unpack(item) for key, item in value.items()}
        return [unpack(item) for item in value] if isinstance(value, list) else value

    return unpack(json.loads(figure.to_json(), parse_constant=refuse))


def numbers(values):
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def trace(figure, kind, **having):
    return next(
        candidate
        for candidate in figure["data"]
        if candidate["type"] == kind and all(candidate.get(k) == v for k, v in having.items())
    )


def cells(figure):
    """Return (runs, features) colours of the cells of a grid, whose rows are features."""
    heat = trace(figure, "heatmap")
    scale, low, high = heat["colorscale"], heat["zmin"], heat["zmax"]
    place = (np.array(heat["z"], dtype=float) - low) / (high - low)
    return np.array(
        [
            [next(colour for (edge, colour), (above, _) in zip(scale, scale[1:]) if edge < cell < above) for cell in row]
            for row in place.T
        ],
        dtype=object,
    )
