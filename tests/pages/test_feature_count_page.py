"""The Profiles page without a browser: every section, measures side by side, selections without an order, few runs."""

import numpy as np
import pandas as pd
from cutoff_support import headed
from page_support import analyse, figures, fine, fine_page, page_text
from project_support import brought, sample

from stabcore.plots.profiles import profiled_measures


def test_any_measure_is_drawn_and_one_number_of_features_moves_every_panel(small):
    app = fine_page("feature_count", small())
    for measure in profiled_measures():
        app.session_state["count_measure"] = measure
        assert len(figures(fine(app.run()))) == 1, measure
    for k in (3, 6):
        app.slider(key="feature_count__widget").set_value(k).run()
        assert {line["x0"] for line in figures(fine(app))[0]["layout"]["shapes"]} == {k}


def test_a_window_and_a_wanted_precision_change_the_answer():
    app = fine_page("feature_count", sample(), count_section="marginal")
    short = figures(app)[0]["data"]
    app.number_input(key="count_window__widget").set_value(1).run()
    assert figures(fine(app))[0]["data"] != short
    app, words = fine_page("feature_count", sample(), count_section="runs"), []
    for half in (0.2, 0.01):
        app.select_slider(key="count_precision__widget").set_value(half).run()
        words.append(page_text(fine(app)))
    assert words[0] != words[1] and "± 0.2" in words[0]


def test_few_runs_few_features_and_selections_without_an_order():
    rng = np.random.default_rng(1)
    app = fine_page("feature_count", brought(pd.DataFrame(rng.normal(size=(2, 3)), columns=list("abc")), "scores"))
    for section in ("curves", "agreement_cutoff", "marginal", "runs"):
        analyse(app, section)
    app = fine_page("feature_count", brought(pd.DataFrame(rng.integers(0, 2, (6, 5)), columns=list("abcde"))))
    assert app.info and len(figures(app)) == 1, "whether the runs are enough"


def test_the_agreement_cutoff_is_described():
    scores = pd.DataFrame(headed(5, 40, 12, np.random.default_rng(0)), columns=[f"f{i}" for i in range(40)])
    app = fine_page("feature_count", brought(scores, "scores"), count_section="agreement_cutoff")
    assert " 5 features" in page_text(app)
    app.toggle(key="count_related__widget").set_value(True).run()
    app.multiselect(key="count_selectors__widget").set_value([]).run()
    assert not figures(fine(app))
