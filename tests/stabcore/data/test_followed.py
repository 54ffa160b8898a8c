"""Times to an event from columns of a table: codes of the event, times from dates, and refused columns."""

import numpy as np
import pandas as pd
import pytest

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.base.target import TIME, kind_of_target, survival_target
from stabcore.data.checks import check
from stabcore.data.presets import guess_roles

N = 40


def table(**columns):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.standard_normal(N), "time": np.arange(1.0, N + 1), "status": np.arange(N) % 2})
    return frame.assign(**columns)


@pytest.mark.parametrize(
    ("values", "event"),
    [
        ([0, 1], "1"),
        ([1, 2], "2"),
        ([False, True], "True"),
        (["alive", "dead"], "dead"),
        (["event", "censored"], "event"),
        (["no", "yes"], "yes"),
        (["Relapse", "event-free"], "Relapse"),
        (["verstorben", "lebt"], "verstorben"),
        (["0:LIVING", "1:DECEASED"], "1:DECEASED"),
    ],
)
def test_usual_codes_and_words_are_understood(values, event):
    data = sc.Dataset.from_frame(table(status=np.array(values)[np.arange(N) % 2]), target=("time", "status"))
    happened = np.array([str(value) for value in values])[np.arange(N) % 2] == event
    assert data.event == (event,) and (data.target["event"] == happened).all() and data.features == ("x",)
    assert kind_of_target(data.target) == TIME and data.timed and not data.numeric_target and data.classes == ()


@pytest.mark.parametrize("values", [[0, 1, 2], ["a", "b"], ["dead", "relapsed"], [3, 4], ["alive", "dead", "lost"]])
def test_unclear_events_are_asked_about(values):
    frame = table(status=np.array(values)[np.arange(N) % len(values)])
    with pytest.raises(InputError):
        sc.Dataset.from_frame(frame, target=("time", "status"))
    assert [finding.severity for finding in check(frame, ("time", "status"))] == ["error"]
    data = sc.Dataset.from_frame(frame, target=("time", "status"), event=[values[-1]])
    assert data.event == (str(values[-1]),) and data.censored == tuple(sorted(map(str, values[:-1])))
    assert sum("competing" in note for note in data.notes) == (len(values) == 3)


@pytest.mark.parametrize(
    ("name", "unit"),
    [("OS (months)", "months"), ("timeDays", "days"), ("fu_yrs", "years"), ("Zeit in Wochen", "weeks"), ("modest", "")],
)
def test_the_unit_of_time_comes_from_the_column_name(name, unit):
    data = sc.Dataset.from_frame(table().rename(columns={"time": name}), target=(name, "status"))
    assert data.units == ({name: unit} if unit else {}) and any("unit" in note for note in data.notes) == (not unit)


def test_late_events_and_cells_without_a_date_are_reported():
    begin, days = pd.Timestamp("2020-01-15"), pd.to_timedelta(np.arange(N) * 3, "D")
    text = (begin + days).strftime("%Y-%m-%d")
    later = np.where(table()["status"] == 1, (begin + days + pd.Timedelta(10, "D")).strftime("%Y-%m-%d"), None)
    frame = table(entry="2020-01-10", last=text, death=later).drop(columns="time")
    frame.loc[0, "entry"] = "2020-01-09"
    target = ("entry", "last", "status")
    for death, columns in ((later, [target]), (text, [])):
        warned = [finding for finding in check(frame.assign(death=death), target) if finding.severity == "warning"]
        assert [finding.columns for finding in warned if "'death'" in finding.sentence] == columns
    frame.loc[3, "last"] = "soon"
    with pytest.raises(InputError):
        sc.Dataset.from_frame(frame, target=target)


def test_two_dates_and_an_event_give_the_time():
    begin = pd.Timestamp("2020-01-15") + pd.to_timedelta(np.arange(N), "D")
    frame = table(entry=begin.strftime("%d.%m.%Y"), last=(begin + pd.to_timedelta(np.arange(N) * 3, "D")).strftime("%d.%m.%Y"))
    data = sc.Dataset.from_frame(frame.drop(columns="time"), target=("entry", "last", "status"))
    assert data.target["time"].tolist() == (np.arange(N) * 3).tolist() and data.units == {"entry": "days"}
    assert any("0 in 1 row" in note for note in data.notes)
    with pytest.raises(InputError):
        sc.Dataset.from_frame(frame.drop(columns="time"), target=("last", "entry", "status"))
    unclear = frame.assign(entry="03/04/2020", last=[f"05/{day % 12 + 1:02d}/2021" for day in range(N)])
    unclear.loc[0, "entry"] = "04/04/2020"
    with pytest.raises(InputError):
        sc.Dataset.from_frame(unclear, target=("entry", "last", "status"))


ENDLESS, DAYS = np.where(np.arange(N) == 5, np.inf, 1.0 + np.arange(N)), ["2020-01-01", "2021-02-03"] * (N // 2)


@pytest.mark.parametrize(
    ("changes", "target", "event"),
    [
        *(({"time": time}, ("time", "status"), ()) for time in (np.arange(N) - 3.0, ENDLESS, 1 - np.arange(N) % 2, DAYS)),
        *(({"status": status}, ("time", "status"), ()) for status in (0, np.arange(N) == 0)),
        *(({}, target, ()) for target in (("status", "time"), ("time", "time"), ("time", "missing"), ("time", "x", "status"))),
        *(({}, ("time", "status"), event) for event in (["7"], ["0", "1"])),
    ],
)
def test_impossible_times_and_events_are_refused(changes, target, event):
    with pytest.raises(InputError):
        sc.Dataset.from_frame(table(**changes), target=target, event=event)


def test_rows_without_time_or_event_are_left_out_and_noted():
    frame = table(
        time=np.where(np.arange(N) < 3, np.nan, np.arange(N)), status=np.where(np.arange(N) > 37, np.nan, np.arange(N) % 2)
    )
    data = sc.Dataset.from_frame(frame, target=("time", "status"))
    assert data.n_rows == N - 5 and "5 rows" in data.notes[0] and f"in {data.target['event'].sum()} rows" in data.extent


def test_all_forms_of_the_outcome_give_the_same_dataset():
    frame = table()
    X, records = frame[["x"]], survival_target(frame["time"], frame["status"] == 1)
    forms = [records, frame[["time", "status"]].to_numpy(), frame[["time", "status"]], ("time", "status")]
    made = [sc.Dataset(frame if isinstance(form, tuple) else X, form) for form in forms]
    assert all((data.target == records).all() and data.features == ("x",) for data in made)
    assert made[2].fingerprint == made[3].fingerprint and made[0].fingerprint == made[1].fingerprint
    assert made[0].target_columns == ("time", "event") and made[3].target_columns == ("time", "status")
    other = sc.Dataset(X, survival_target(frame["time"], frame["status"] == 0))
    assert other.fingerprint != made[0].fingerprint


def test_pairs_of_time_and_event_are_suggested_and_checked():
    rng = np.random.default_rng(1)
    frame = table(os_time=rng.exponential(size=N), os_event=rng.integers(0, 2, N)).drop(columns=["time", "status"])
    assert [(pair.time, pair.event) for pair in guess_roles(frame).survival] == [("os_time", "os_event")]
    late = frame.assign(copy=-frame["os_time"], gaps=np.where(frame["os_time"] > frame["os_time"].median(), np.nan, frame["x"]))
    findings = check(late, ("os_time", "os_event"))
    assert any("copy" in finding.columns for finding in findings if "perfectly" in finding.sentence)
    assert any("gaps" in finding.columns for finding in findings if "blank" in finding.sentence)
    with pytest.raises(InputError):
        sc.Dataset.from_frame(frame, target=("os_time", "os_event"), target_as="number")
