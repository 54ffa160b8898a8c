"""The noise floor on every screen with a stability: drawn where it was measured, and else told why it is not known."""

import numpy as np
import pandas as pd
import pytest
from page_support import brought, figures, fine_page, patients, said, sample, studied, study_file

import stabcore as sc
from stabcore.inference.noise_floor import NO_FLOOR_OF_UPLOADED


@pytest.fixture(scope="module")
def controlled(tmp_path_factory):
    return study_file(
        tmp_path_factory.mktemp("control") / "control.stab",
        patients("abcdefgh"),
        ["mim", "relieff"],
        sc.Subsample(6, 0.1),
        n_permutations=20,
    )


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    return study_file(
        tmp_path_factory.mktemp("without") / "plain.stab",
        patients("abcdefgh"),
        ["mim", "relieff"],
        sc.Subsample(6, 0.1),
        n_permutations=0,
    )


def named(app):
    """What is called the noise floor in the figures of a page: names of traces and of lines."""
    drawn = [one for figure in figures(app) for one in (*figure["data"], *figure["layout"].get("shapes", ()))]
    return [one["name"] for one in drawn if "floor" in str(one.get("name", "")) or "shuffled" in str(one.get("name", ""))]


@pytest.mark.parametrize(
    ("page", "session"),
    [("stability", {}), ("profiles", {}), ("profiles", {"profile": "runs"}), ("whatif", {"what_if": "parts"}), ("passport", {})],
)
def test_the_noise_floor_is_drawn_where_it_was_measured_alone(controlled, without, page, session):
    assert named(fine_page(page, studied(controlled), **session))
    assert not named(fine_page(page, studied(without), **session))


@pytest.mark.parametrize("page", ["profiles", "whatif"])
def test_uploaded_selections_have_none_and_that_is_said(page):
    scores = pd.DataFrame(np.random.default_rng(0).normal(size=(8, 10)), columns=[f"f{i}" for i in range(10)])
    app = fine_page(page, brought(scores, "scores"), **({"what_if": "parts"} if page == "whatif" else {}))
    assert not named(app) and NO_FLOOR_OF_UPLOADED in said(app)


def test_a_feature_is_counted_beside_the_luckiest_of_the_shuffles(controlled, without):
    line = sc.open_study(controlled).frequency_line("mim")
    assert f"more than {line:.0%} of the runs" in said(fine_page("maps", studied(controlled)))
    assert "outcome shuffled" not in said(fine_page("maps", studied(without)))


def alone(**settings):
    """The bundled wines where nothing stands for anything else, so that the effective stability has the classic floor."""
    return sample(scenario={"base": "none", "groups": {}}, **settings)


# ---- what stands beside the effective numbers ----


@pytest.mark.parametrize("page", ["profiles", "whatif", "pareto", "passport"])
def test_cautions_about_c_and_where_it_comes_from_stand_where_it_is_read(page):
    text = said(fine_page(page, sample(scenario={"base": "correlation", "threshold": 0.0, "groups": {}})))
    assert "estimated from the same rows and taken as known" in text and "tr(CΣ⁰) ≈ 0" in text
    assert "estimated from the same rows" not in said(fine_page(page, alone()))


def test_how_much_hangs_on_c_is_computed_on_request():
    app = fine_page("whatif", sample())
    assert "Estimating C from other patients" not in said(app)
    fine = app.toggle(key="uncertain__widget").set_value(True).run()
    assert not fine.exception and "Estimating C from other patients" in said(fine)


# ---- with a control by shuffling ----
