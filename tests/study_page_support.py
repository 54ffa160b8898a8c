"""What tests of the Study page share: a work without a study, the settings that a page wrote, and some of one's own."""

import tomllib

from page_support import COLUMNS, patients, table


def workspace(**roles):
    return table(patients((*COLUMNS, "level")), roles={"target": "outcome", "exclude": ["level"], **roles})


def written(made):
    return tomllib.loads((made.folder / "study.toml").read_text(encoding="utf-8"))


def small(*selectors, **plan):
    return {
        "study": {"k": 2, "classifier": "none", "random_state": 4, "n_permutations": 0},
        "plan": {"kind": "subsample", "n_runs": 3, **plan},
        "selector": [{"key": key} for key in selectors],
    }
