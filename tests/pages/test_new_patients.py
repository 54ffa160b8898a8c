"""An interval for new patients on Stability: at once for quick selectors, by a process of its own for others."""

import time

import pytest
from page_support import fine_page, patients, studied, study_file, text_of

import stabcore as sc
from stabcore.study import new_patients

FRAME = patients("abcdefgh", 60)


@pytest.fixture
def made(tmp_path):
    """A work with a study, and the table that it was made of."""
    path = study_file(tmp_path / "h.stab", FRAME, ["mim", "welch_t"], sc.ComplementaryPairs(5))
    work = studied(path)
    work.save(table=work.keep("table.csv", FRAME.to_csv(index=False).encode()), name="table.csv", roles={"target": "outcome"})
    return work


def page(work):
    return fine_page("stability", work, section="patients")


def test_quick_selectors_have_their_interval_at_once(made):
    app = page(made)
    shown = next(one.value for one in app.dataframe if "patients_low" in one.value)
    assert len(shown) == 4 and set(shown["of"]) == {"all runs", "two halves"}
    known = shown.dropna(subset="patients_low")
    assert len(known) and (known["patients_low"] <= known["value"]).all() and (known["value"] <= known["patients_high"]).all()
    assert not [one for one in app.button if one.key == "patients-compute"]


def test_a_slow_one_is_asked_for_computed_by_a_process_and_kept(made, monkeypatch):
    monkeypatch.setattr(new_patients, "AT_ONCE", 0.0)
    app = page(made)
    assert not any("patients_low" in one.value for one in app.dataframe)
    app.button(key="patients-compute").click().run()
    until = time.monotonic() + 60
    while made.patients.running:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert made.patients.words.startswith("Done"), made.patients.words
    shown = next(one.value for one in page(made).dataframe if "patients_low" in one.value)
    assert shown["selector"].nunique() == 1
    assert len(sc.open_study(made.store).store.meta("patient_intervals")) == 1 and sc.open_study(made.store).store.intact()


def test_how_far_it_is_and_that_it_waits_is_shown(made, monkeypatch):
    monkeypatch.setattr(new_patients, "AT_ONCE", 0.0)
    (made.folder / "patients.log").write_text("", encoding="utf-8")
    app = page(made)
    assert [one.label for one in app.button if "Cancel" in one.label]
    with pytest.raises(sc.InputError, match="Another interval is being computed"):
        made.start_patients({})


def test_without_the_table_there_is_none(tmp_path):
    app = page(studied(study_file(tmp_path / "h.stab", FRAME, ["mim"], sc.ComplementaryPairs(5))))
    assert "needs the table" in text_of(app.info) and not [one for one in app.button if one.key == "patients-compute"]
