"""Projects for tests of Similarity: a study with two scenarios, a table with two families, selections, and a C."""

import numpy as np
import pandas as pd
from project_support import brought, sample, table

NAMES = ["IL_6", "IL_8", "TNF_a", "TNF_b", "age"]


def two_scenarios(key="wine", **scenario):
    scenarios = {"nothing": {"base": "none"}, "correlated": {"base": "correlation", "groups": {}, **scenario}}
    return sample(key, scenarios=scenarios, scenario=scenarios["correlated"], scenario_name="correlated")


def families(**scenario):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 2))[:, [0, 0, 1, 1, 1]] + 0.5 * rng.normal(size=(40, 5)), columns=NAMES)
    frame["outcome"] = np.where(frame["age"] > 0, "a", "b")
    return table(frame, roles={"target": "outcome", "exclude": []}, scenario=scenario, scenario_name="mine")


def selections(**settings):
    return brought(pd.DataFrame([[1, 0, 1, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 1, 0]], columns=NAMES), **settings)


def C_text(value):
    """A C of two pairs of features, as a file of pairs."""
    return f"feature_a,feature_b,value\nIL_6,IL_8,{value}\nage,TNF_a,1\n".encode()
