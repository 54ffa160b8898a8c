"""Stability: measures by family, selectors in pairs, measures over sizes, which measure to take."""

from page_support import fine, fine_page, press, sample

import stabcore as sc


def test_controls_of_stability():
    app = fine_page("stability", sample())
    before = [one.value for one in app.markdown if one.value.startswith("- ")]
    app.toggle(key="cardinality_free__widget").set_value(True).run()
    app.slider(key="cardinality__widget").set_value(7).run()
    after = [one.value for one in fine(app).markdown if one.value.startswith("- ")]
    assert before != after and "about 7 features" in after[0]


def test_measures_are_chosen_by_family():
    app = fine_page("stability", sample())
    families = {"overlap": ["dice", "davis"], "chance": ["kuncheva", "somol"], "similarity": ["yu", "intersection_mbm"],
                "weights": ["spearman_ranks", "canberra"], "information": ["shared_information"]}
    for family, keys in families.items():
        app = press(app, f"measures_{family}__widget", keys)
    shown = fine(app).dataframe[0].value
    assert len(shown) == 8 and len(shown.columns) == 9 and "Yu" in shown.columns
    assert any("interval is rough" in one.value for one in app.caption), "what a measure warns of is said"
    for family in families:
        press(app, f"measures_{family}__widget", [])
    fine(app)


def test_selectors_are_compared_in_pairs():
    app = press(fine_page("stability", sample()), "section__widget", "selectors")
    assert any("of 28 pairs of selectors differ" in one.value for one in app.markdown)
    app.selectbox(key="compared_by__widget").select("importance_weighted").run()
    fine(app)


def test_measures_are_compared_over_sizes():
    app = press(fine_page("stability", sample()), "section__widget", "agreement")
    assert any("tell most nearly the same story" in one.value for one in app.markdown)
    app.multiselect(key="agreeing__widget").set_value(["nogueira"]).run()
    assert any("at least two" in one.value for one in fine(app).info)


def test_which_measure_for_my_question():
    app = press(fine_page("stability", sample()), "section__widget", "which")
    assert len(app.dataframe[0].value) == len(sc.measures())
    press(app, "wishes", ["chance", "interchangeable", "weighted_decomposition"])
    assert fine(app).dataframe[0].value["measure"].tolist() == ["Shared information"]
    press(app, "wishes", ["bounds", "interchangeable", "chance"])
    assert app.warning
