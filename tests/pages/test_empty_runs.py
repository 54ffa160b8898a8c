"""Every screen of a study in which runs select fewer than asked for, or nothing."""

import pytest
from page_support import PAGES, fine_page, patients, said, studied, study_file

import stabcore as sc

L1 = {"model": "sklearn.linear_model.LogisticRegression", "parameters": {"l1_ratio": 1.0, "solver": "liblinear", "C": 0.02}}
SECTIONS = [("profiles", "profile", section) for section in ("curves", "knots", "runs")] + [
    ("panel", "panel", section) for section in ("panel", "choices", "paths", "together", "direction", "places", "swaps")
]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Runs of an L1 model and of information gain on noise, most of them empty, and two selectors that select as asked."""
    chosen = {
        "L1": ("estimator", L1),
        "information_gain": "information_gain",
        "gbm": ("gbm", {"rounds": 3}),
        "welch_t": "welch_t",
        "random": "random",
    }
    return study_file(tmp_path_factory.mktemp("empty") / "s.stab", patients("abcdefghijkl"), chosen, sc.ComplementaryPairs(5), k=5)


def test_runs_are_empty_and_that_is_said(file):
    result = sc.open_study(file)
    told = result.fewer_selected()
    assert told["fewest"].min() == 0 and {"information_gain", "gbm"} <= set(told.index) and "welch_t" not in told.index


@pytest.mark.parametrize("page", PAGES)
def test_every_page(file, page):
    app = fine_page(page, studied(file))
    if page in ("stability", "profiles", "panel", "pareto", "maps"):
        assert "fewer than 5 features" in said(app)


@pytest.mark.parametrize(("page", "key", "section"), SECTIONS, ids=[f"{page} {section}" for page, _, section in SECTIONS])
def test_every_section(file, page, key, section):
    fine_page(page, studied(file), **{key: section})
