"""Two cohorts in one table: the rows of one are chosen on Data, both are studied, and Panel compares them."""


import numpy as np
import pandas as pd
from noise_support import Here
from page_support import fine_page, patients, said, table, text_of

import stabcore as sc
from stabcore.data.reading import Choices, read_chosen

SITE = {"mends": [{"do": "only", "columns": ["site"], "cells": ["<b>Oslo</b>"]}]}


def two_cohorts(other):
    """Sixty patients and sixty others, of another site."""
    return pd.concat([patients("abcdef", 60).assign(site="<b>Oslo</b>"), other.assign(site="Bern")], ignore_index=True)


def study_of(frame, cohort, store=None):
    """The study of one cohort, or of all rows, as the command line makes it."""
    mends = [{"do": "only", "columns": ["site"], "cells": [cohort]}] if cohort else []
    reading = read_chosen(frame.to_csv(index=False).encode(), Choices.of({"mends": mends}), "both.csv")
    data = sc.Dataset.from_reading(reading, target="outcome", exclude=() if cohort else ["site"], name="both")
    assert data.n_came == len(frame) and data.n_elsewhere == len(frame) - data.n_rows
    return sc.Study(data, ["mim"], sc.Half(2), k=2, seed=1).run(executor=Here(), store=store)


def test_the_rows_of_a_cohort_are_chosen_on_data_and_taken_back():
    own = table(two_cohorts(patients("abcdef", 60)), roles={"target": "outcome"})
    app = fine_page("data", own)
    app.selectbox(key="cohort-column").select("site").run()
    assert own.settings["choices"] == SITE and {one.label: one.value for one in app.metric}["Rows"] == "60"
    assert "Only the 60 of 120 rows in which" in said(app) and "120 rows and 8 columns were read" in said(app)
    app.selectbox(key="cohort-value").select("Bern").run()
    assert own.settings["choices"]["mends"][0]["cells"] == ["Bern"] and len(own.settings["choices"]["mends"]) == 1
    app.selectbox(key="cohort-column").select(None).run()
    assert own.settings["choices"] == {} and {one.label: one.value for one in app.metric}["Rows"] == "120"


def test_a_study_of_the_other_cohort_is_offered_on_panel_and_its_table_is_at_hand():
    frame = two_cohorts(patients("abcdef", 60))         # a copied cohort
    own = table(frame, roles={"target": "outcome"}, choices=SITE)
    study_of(frame, "<b>Oslo</b>", own.folder / "study.stab")
    own.save(store="study.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))
    study_of(frame, "Bern", own.folder / "study-1.stab")
    app = fine_page("panel", own, panel="replicate")
    assert "Here: 60 rows of both, site = <b>Oslo</b>. There: 60 rows of both, site = Bern." in text_of(app.caption)
    assert "2 of the first 2 features are the same in both studies" in said(app) and "an AUC of" in said(app)
    assert "of the same table" in text_of(app.warning)                  # a copy has the very same rows
    own.save(choices={"mends": [{"do": "only", "columns": ["site"], "cells": ["Bern"]}]})     # Data has moved on to the other one
    assert "an AUC of" in said(fine_page("panel", own, panel="replicate"))


def test_a_study_of_all_rows_is_not_offered_as_another_cohort():
    frame = two_cohorts(patients("abcdef", 60))
    own = table(frame, roles={"target": "outcome", "exclude": ["site"]})
    study_of(frame, None, own.folder / "study.stab")
    study_of(frame, "Bern", own.folder / "study-1.stab")
    own.save(store="study.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))
    own.save(store="study-1.stab")
    assert "Two cohorts in one table" in said(fine_page("panel", own, panel="replicate"))


def test_a_copied_cohort_replicates_fully_and_a_shuffled_one_as_random_orders_do():
    names, inside = [f"f{i}" for i in range(30)], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(60, 30))
        frame = pd.DataFrame(values, columns=names).assign(outcome=np.where(values[:, :5].sum(axis=1) > 0, "sick", "well"))
        other = pd.DataFrame(rng.normal(size=(60, 30)), columns=names).assign(outcome=rng.permutation(frame["outcome"]))
        first, second = (study_of(pd.concat([frame.assign(site="A"), other.assign(site="B")]), one) for one in "AB")
        table = sc.concordance(first, second, sizes=[5, 10, 15])
        inside.append(((table["low"] <= table["common"]) & (table["common"] <= table["high"])).mean())
    assert np.mean(inside) >= 0.9
    copy = study_of(pd.concat([frame.assign(site="A"), frame.assign(site="B")]), "B")
    assert (sc.concordance(first, copy)["common"] == np.arange(1, 31)).all()
    assert set(sc.replicated(first, copy, 0.5)["replicates"]) == {"yes"}
