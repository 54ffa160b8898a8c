"""Every page without a browser: empty, with every bundled study, with runs that select nothing, with a noise floor or none."""

import re

import numpy as np
import pandas as pd
import pytest
from page_support import PAGES, TITLES, analyse, figures, fine, fine_page, open_page, text_of, walk
from project_support import brought, patients, sample, studied, study_file
from support import ROOT

import stabcore as sc
from pages.workspace.samples import samples

STUDIES = [study.key for study in samples()]
QUICK = {(page, STUDIES[i % len(STUDIES)]) for i, page in enumerate(PAGES[2:7])}
L1 = {"model": "sklearn.linear_model.LogisticRegression", "parameters": {"l1_ratio": 1.0, "solver": "liblinear", "C": 0.02}}


def test_every_screen_is_listed_described_and_tried():
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == set(PAGES), "app.py lists the screens that lie in pages/"
    rows = set(re.findall(r"^\| ([^|]+) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(TITLES.values()) <= rows, "the table of README.md says what each screen is for"
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("*/*page*.py") if path.name != "test_every_page.py"]
    untried = [page for page in PAGES if not any(re.search(rf"[\"'/]{page}(\.py)?[\"']", text) for text in tests)]
    assert not untried, f"tests/pages/test_{untried[0]}_page.py: what the screen says of a study that is known"


def test_empty_page_says_what_to_do_first():
    for page in PAGES:
        app = fine_page(page)
        assert app.title and (page in ("start", "check", "learn") or app.info), "a page without data must say what is missing"


@pytest.mark.parametrize(
    ("page", "key"),
    [pytest.param(page, key, marks=() if (page, key) in QUICK else pytest.mark.slow) for page in PAGES for key in STUDIES],
)
def test_page_of_a_bundled_study(page, key):
    assert fine_page(page, sample(key)).title


def test_of_very_many_features_any_can_be_highlighted_by_its_name():
    names = [f"g{i}" for i in range(400)]
    runs = pd.DataFrame(np.random.default_rng(0).random((4, 400)) < 0.2, columns=names).astype(int)
    app = fine(open_page("stability", brought(runs)))
    hidden = next(name for name in names if name not in app.multiselect(key="picked__widget").options)
    app.multiselect(key="picked__widget").set_value([hidden, "g4000"]).run()
    assert "'g4000'" in text_of(fine(app).toast)
    assert app.multiselect(key="picked__widget").value == [hidden] and app.query_params["f"] == hidden[1:]


# ---- runs that select fewer than asked for, or nothing ----


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """Runs of an L1 model and of information gain on noise, most of them empty, and two selectors that select as asked."""
    selectors = {"L1": ("estimator", L1), "gbm": ("gbm", {"rounds": 3})}
    selectors |= {key: key for key in ("information_gain", "welch_t", "random")}
    path = tmp_path_factory.mktemp("empty") / "s.stab"
    return study_file(path, patients("abcdefghijkl"), selectors, sc.ComplementaryPairs(5), k=5)


def test_pages_and_sections_of_empty_runs(empty):
    sections = {"feature_count": ("curves", "knots", "runs"), "panel": ("choices", "paths", "together", "places", "swaps")}
    app = fine_page("stability", studied(empty))
    for page in walk(app):
        for section in sections.get(page, ()):
            analyse(app, section)


# ---- the noise floor ----


@pytest.fixture(scope="module")
def floors(tmp_path_factory):
    """Files of two studies, with a permutation control and without one."""
    folder, table, plan = tmp_path_factory.mktemp("floors"), patients("abcdefgh"), sc.Subsample(6, 0.1)
    return [study_file(folder / f"{n}.stab", table, ["mim", "relieff"], plan, n_permutations=n) for n in (20, 0)]


def floors_drawn(app):
    """Names of the traces and lines that are the noise floor."""
    drawn = [part for figure in figures(app) for part in (*figure["data"], *figure["layout"].get("shapes", ()))]
    return [part["name"] for part in drawn if re.search("floor|shuffled", str(part.get("name", "")))]


def test_the_noise_floor_is_drawn_where_it_was_measured_alone(floors):
    for file, measured in zip(floors, (True, False)):
        app = fine_page("feature_count", studied(file))
        drawn = [floors_drawn(app), floors_drawn(analyse(app, "runs"))]
        drawn += [floors_drawn(app) for _ in walk(app, ("stability", "feature_profile"))]
        assert [bool(names) for names in drawn] == [measured] * 4
