"""Every page without a browser: empty, with every kind of data, with every bundled study, with a noise floor or none.

With hostile names: test_hostile_names.py. Read-only: test_links.py. With damaged files: test_study_files.py.
"""

import re

import numpy as np
import pandas as pd
import pytest
from page_support import PAGES, RESULTS, TITLES, analyse, figures, fine, fine_page, open_page, pull, text_of, walk
from project_support import brought, nested, patients, sample, studied, study_file, table
from support import ROOT, slow

import stabcore as sc
from pages.parts.screen import MORE
from pages.workspace.samples import samples

STUDIES = [study.key for study in samples()]
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


@pytest.mark.slow  # test_glossary_on_pages.py opens every screen of wine
@pytest.mark.parametrize("key", STUDIES)
def test_page_of_a_bundled_study(key):
    assert len(list(walk(fine_page("start", sample(key)), PAGES))) == len(PAGES)


def test_of_very_many_features_any_can_be_highlighted_by_its_name():
    names = [f"g{i}" for i in range(400)]
    runs = pd.DataFrame(np.random.default_rng(0).random((4, 400)) < 0.2, columns=names).astype(int)
    app = fine(open_page("stability", brought(runs)))
    hidden = next(name for name in names if name not in app.multiselect(key="highlighted__widget").options)
    app.multiselect(key="highlighted__widget").set_value([hidden, "g4000"]).run()
    assert "'g4000'" in text_of(fine(app).toast)
    assert app.multiselect(key="highlighted__widget").value == [hidden] and app.query_params["highlighted"] == hidden[1:]


def of(selectors=("mim", "random"), table=None, plan=None, **options):
    """Makes a project with a study, in a folder."""

    def make(folder):
        frame = patients() if table is None else table
        return studied(study_file(folder / "s.stab", frame, selectors, plan or sc.Subsample(6), **options), frame)

    return make


def uploaded(kind, values):
    """Makes a project with selections of six runs."""
    return lambda folder: brought(pd.DataFrame(values(np.random.default_rng(0), (6, 5)), columns=list("abcde")), kind)


def compared(folder):
    """Beside another study of one's own and a bundled one."""
    project = of()(folder)
    other = project.save_upload("other.stab", project.store.read_bytes())
    project.save(compared=[{"file": other, "name": "other"}, {"sample": "wine", "name": "wine"}])
    return project


EMPTY = {"L1": ("estimator", L1), "gbm": ("gbm", {"rounds": 3}), **{key: key for key in ("information_gain", "welch_t", "random")}}
KINDS = {
    "numbers": of(["variance", "random"], patients().assign(outcome=patients()["ALT"]), classifier="none"),
    "runs that select fewer than asked for, or nothing": of(EMPTY, patients("abcdefghijkl"), sc.ComplementaryPairs(5), k=5),
    "unfinished": of(runs=2),
    "hardly begun": of(runs=1),
    "no classifier": of(classifier="none"),
    "a table without results": lambda folder: table(patients(), roles={"target": "outcome"}),
    "sets": uploaded("sets", lambda rng, shape: rng.choice(list("abcde"), shape)),
    "selections": uploaded("selection matrix", lambda rng, shape: rng.integers(0, 2, shape)),
    "importances": uploaded("importances", lambda rng, shape: rng.random(shape) * rng.integers(0, 2, shape)),
    "scores": uploaded("scores", lambda rng, shape: rng.normal(size=shape)),
    "several studies": compared,
    "outer folds": nested,
}


SELDOM = ("unfinished", "no classifier", "selections", "scores", "outer folds")  # what breaks on them mostly breaks on another


@pytest.mark.parametrize("kind", [slow(kind) if kind in SELDOM else kind for kind in KINDS])
def test_every_page_of_every_kind_of_data(kind, tmp_path):
    app = fine_page("start", KINDS[kind](tmp_path))
    for page in walk(app, PAGES):
        assert app.title, page
        if kind.startswith("runs that select") and page in ("feature_count", "panel", "pareto"):
            for button in pull(app, MORE).button:
                if button.key and button.key.startswith("open-"):
                    analyse(app, button.key.rpartition("-")[2])


def test_every_page_of_a_study_of_times_with_its_table_and_without(timed, timed_file):
    for made, pages in ((timed, PAGES), (studied(timed_file), RESULTS)):
        for page in (app := fine_page("start", made)) and walk(app, pages):
            assert app.title, page


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
