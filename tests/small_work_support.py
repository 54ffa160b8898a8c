"""A work with a study of two selectors on six features: what is said is the same as of a large one, and sooner."""

from page_support import patients, studied, study_file

import stabcore as sc

FEATURES = "abcdef"
SCENARIOS = {"nothing": {"base": "none"}, "correlated": {"base": "correlation", "groups": {}}}


def small_file(folder):
    """The study file."""
    return study_file(folder / "study.stab", patients(FEATURES, 48), ["mim", "lasso"], sc.Subsample(8, 0.5))


def small(file, **settings):
    """A work with that study and its table; of two scenarios, that of correlated features is chosen."""
    made = studied(file)
    made.save(
        table=made.keep("table.csv", patients(FEATURES, 48).to_csv(index=False).encode()),
        roles={"target": "outcome"},
        **{"scenarios": SCENARIOS, "scenario": SCENARIOS["correlated"], "scenario_name": "correlated", **settings},
    )
    return made
