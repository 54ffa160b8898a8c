"""Stability: measures by family, selectors in pairs, measures over sizes, which measure to take, an interval for new patients."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
from page_support import analyse, drawer, figures, fine, fine_page, keys_of, page_text, press, pull, text_of, walk
from project_support import brought, nested, patients, studied, study_file
from support import wait_for

import stabcore as sc
from pages.parts.pictures import NARROW
from pages.parts.screen import LIMITATIONS, NUMBERS, READING
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED
from stabcore.plots.noise_floor import NOT_MEASURED
from stabcore.study import new_patients

MIM = "Mutual information (MIM)"
FRAME = patients("abcdefgh", 60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("studies")


@pytest.fixture
def lossy(tmp_path):
    """A nested study of which one selector lost three runs and one outer fold."""
    project = nested(tmp_path)
    with sqlite3.connect(project.folder / "study.stab") as base:
        base.execute("UPDATE task SET status = 'failed', message = 'no' WHERE selector = 'mim' AND run IN (4, 5, 6, 13)")
    return project


# ---- what the numbers rest on ----


def test_wherever_runs_are_missing_that_stands_beside_the_numbers(lossy):
    pages = ("stability", "maps", "feature_count", "pareto", "feature_profile", "whatif")
    drawers = {name: value for page in pages for name, value in drawer(page, LIMITATIONS).items()}
    app = fine_page("stability", lossy, **drawers)
    for page in walk(app, pages):
        assert "9 of 12 runs" in page_text(app), page


def test_tables_say_how_many_runs_each_row_rests_on(lossy):
    numbers, folds, measures = (
        fine_page("stability", lossy, **opened).dataframe[0].value
        for opened in (drawer("stability", NUMBERS), {"stability_section": "folds"}, {"stability_section": "measures"})
    )
    assert "9 of 12 runs" in numbers.set_index("selector").loc[MIM, "runs"]
    assert folds.set_index("selector").loc[MIM, ["folds", "planned"]].tolist() == [2, 3]
    assert measures.loc[MIM, "runs"] == "9 of 12" and measures.loc["Random ranking (baseline)", "runs"] == "12"
    profile = fine_page("feature_profile", lossy, **drawer("feature_profile", NUMBERS)).dataframe[0].value
    assert profile.set_index("selector").loc[MIM, "runs"] == "9 of 12"
    app = fine_page("pareto", lossy, **{"pareto_section": "chosen", "pareto_selectors": [MIM]})
    assert any(frame.value["runs"].tolist() == ["9 of 12"] for frame in app.dataframe if "runs" in frame.value)
    app = fine_page("stability", lossy, stability_section="folds")
    first = app.dataframe[0].value["average"].tolist()
    app.selectbox(key="measure_within_folds__widget").select("spearman_ranks").run()
    assert fine(app).dataframe[0].value["average"].tolist() != first


# ---- beside the noise floor ----


def test_each_selector_stands_beside_its_own_noise_floor(controlled_file):
    app = fine_page("stability", studied(controlled_file), **drawer("stability", NUMBERS))
    shown, halves = app.dataframe[0].value, sc.open_study(controlled_file, named=True).split_half("kappa")
    assert set(shown["selector"].iloc[:2]) == {MIM, "mRMR"} and shown["selector"].iloc[3] == "Random ranking (baseline)"
    assert shown["p"].tolist() == halves["p"].loc[shown["selector"]].tolist() and halves["shuffles"].tolist() == [20, 20, 0, 0]
    floor = next(trace for trace in figures(app)[0]["data"] if trace["type"] == "bar")
    assert sorted(floor["base"]) == pytest.approx(sorted(halves["floor_low"].iloc[:2]), abs=1e-6)
    assert [chart.proto.id for chart in app.get("plotly_chart") if NARROW in chart.proto.id], "a telephone has a picture of its own"


def test_without_a_control_no_selector_is_judged(folder):
    few = study_file(folder / "few.stab", patients("abcdef", 48), ["mim", "random"], sc.Subsample(6, 0.05), n_permutations=0)
    runs = pd.DataFrame(np.random.default_rng(0).integers(0, 2, (6, 5)), columns=list("abcde"))
    for project, why in ((studied(few), NOT_MEASURED), (brought(runs), NO_FLOOR_OF_UPLOADED)):
        app = fine_page("stability", project, **drawer("stability", READING))
        assert page_text(app).count(why) == 1 and list(pull(app, NUMBERS).dataframe[0].value) == ["selector", "value"]
        assert {trace["type"] for trace in figures(app)[0]["data"]} == {"scatter"}


# ---- sections ----


def test_seed_variability_is_there_where_it_was_asked_for(folder, small):
    table, plan = patients("abcdef", 48), sc.ComplementaryPairs(3)
    forest = "random_forest", {"trees": 5}
    file = study_file(folder / "d.stab", table, {"mim": "mim", "forest": forest, "random": "random"}, plan, n_seeds=2)
    app = fine_page("stability", studied(file), stability_section="disagreement")
    before = text_of(app.markdown)
    app.toggle(key="other_feature_count__widget").set_value(True).run()
    app.slider(key="feature_count__widget").set_value(4).run()
    assert text_of(fine(app).markdown) != before
    without = fine_page("stability", small(), stability_section="disagreement")
    assert without.info and not figures(without)


def test_shares_of_missing_values_and_frequencies_over_imputations(folder):
    gaps = patients("abcdef", 48)
    gaps.iloc[::4, :3] = np.nan
    file = study_file(folder / "gaps.stab", gaps, ["mim", "welch_t"], sc.ComplementaryPairs(3), n_imputations=2)
    app = fine_page("stability", studied(file), stability_section="disagreement")
    shown = [frame.value for frame in app.dataframe if "Selected in (share of runs)" in frame.value or "frequency" in frame.value]
    assert len(figures(app)) == 1 and len(shown) == 1
    result = sc.open_study(file)
    frequencies = result.imputed_frequencies()
    assert len(shown[0]) == (frequencies["frequency"] > 0).sum()


def test_measures_are_chosen_by_family(folder):
    families = {"overlap": "davis", "chance": "kuncheva", "similarity": "yu", "weights": "spearman_ranks"}
    chosen = {f"measures_{family}": [key] for family, key in families.items()} | {"measures_information": ["shared_information"]}
    frame = patients("abcdef", 48)
    file = study_file(folder / "pairs.stab", frame, ["mim", "random"], sc.ComplementaryPairs(12), n_permutations=4)
    project = studied(file, frame, scenario={"base": "correlation", "groups": {}})
    app = fine_page("stability", project, stability_section="measures", **chosen)
    shown = app.dataframe[0].value
    measures = [name for name in shown.columns if not name.endswith(": noise floor")]
    assert len(shown) == 2 and len(measures) == 5 and "Yu" in measures
    assert (
        "Yu: noise floor" in shown.columns and "Davis: noise floor" not in shown.columns
    )  # no mean over pairs, of which few were shuffled
    for family in ("information", *families):
        press(app, f"measures_{family}__widget", [])


def test_selectors_and_measures_are_compared_and_one_is_proposed(controlled_file):
    app = fine_page("stability", studied(controlled_file), stability_section="selectors")
    app.selectbox(key="comparing_measure__widget").select("importance_weighted").run()
    analyse(fine(app), "agreement")
    drawn = len(figures(app))
    app.multiselect(key="compared_measures__widget").set_value(["nogueira"]).run()
    assert len(figures(fine(app))) < drawn and app.info
    analyse(app, "choose_measure")
    assert len(app.dataframe[0].value) == len(sc.list_measures())
    press(app, "measure_properties__widget", ["chance", "interchangeable", "weighted_decomposition"])
    assert app.dataframe[0].value["measure"].tolist() == ["Shared information"]
    assert press(app, "measure_properties__widget", ["bounds", "interchangeable", "chance"]).warning


# ---- an interval for new patients ----


@pytest.fixture
def halves(folder, tmp_path):
    """A project with a study of halves, and its table."""
    file = folder / "new.stab"
    if not file.exists():
        study_file(file, FRAME, ["mim", "welch_t"], sc.ComplementaryPairs(5), k=4)
    return studied(file, FRAME)


def intervals(app):
    return next((frame.value for frame in app.dataframe if "patients_low" in frame.value), None)


def test_quick_selectors_have_their_interval_at_once(halves):
    app = fine_page("stability", halves, stability_section="patients")
    shown = intervals(app)
    assert len(shown) == 4 and set(shown["of"]) == {"all runs", "two halves"} and "patients-compute" not in keys_of(app)
    shown = shown.dropna(subset="patients_low")
    assert len(shown) and (shown["patients_low"] <= shown["value"]).all() and (shown["value"] <= shown["patients_high"]).all()


def test_a_slow_one_is_asked_for_computed_by_a_process_and_kept(halves, monkeypatch):
    monkeypatch.setattr(new_patients, "MAX_SECONDS", 0.0)
    app = fine_page("stability", halves, stability_section="patients")
    assert intervals(app) is None
    app.button(key="patients-compute").click().run()
    wait_for(lambda: not halves.intervals.is_running)
    assert halves.intervals.last_line.startswith("Done"), halves.intervals.last_line
    log = (halves.folder / "patients.log").read_text(encoding="utf-8")
    (halves.folder / "patients.log").write_text("", encoding="utf-8")
    assert any("Cancel" in button.label for button in fine_page("stability", halves, stability_section="patients").button)
    with pytest.raises(sc.InputError):
        halves.start_computation(halves.intervals, {})
    (halves.folder / "patients.log").write_text(log, encoding="utf-8")
    assert intervals(fine_page("stability", halves, stability_section="patients"))["selector"].nunique() == 1
    assert len(sc.open_study(halves.store).store.meta("patient_intervals")) == 1 and sc.open_study(halves.store).store.intact()
