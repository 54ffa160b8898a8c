"""The control: outcomes shuffled, their tasks stored in the same file."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from control_support import SELECTORS, TARGET, controlled
from noise_support import Here, noise_table
from study_support import data, study

import stabcore as sc
from stabcore.__main__ import main
from stabcore.inference.noise_floor import shuffled
from stabcore.study.settings import check_settings
from stabcore.study.store import Store

# ---- shuffling ----

def test_a_shuffle_is_a_permutation_that_depends_on_seed_and_number_alone():
    first, again, other, seed = (shuffled(TARGET, None, *at) for at in ((5, 1), (5, 1), (5, 2), (6, 1)))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(np.bincount(first), [20, 12, 8])
    assert (first != other).any() and (first != seed).any() and (first != TARGET).any()
    numbers = np.linspace(0, 1, 9)
    np.testing.assert_array_equal(np.sort(shuffled(numbers, None, 1, 1)), numbers)


def test_a_patient_takes_over_the_outcomes_of_one_other_patient_recycled():
    patients = np.repeat([3, 0, 7, 1], [2, 4, 1, 3])[np.random.default_rng(0).permutation(10)]
    for target in (np.arange(10.0), np.arange(10) % 2):
        for number in range(1, 6):
            made = shuffled(target, patients, 4, number)
            givers = [next(giver for giver in range(8) if giver in patients and np.array_equal(
                np.resize(target[patients == giver], np.sum(patients == own)), made[patients == own])) for own in (0, 1, 3, 7)]
            if target.dtype.kind == "f":                    # there the giver is told by the values
                assert sorted(givers) == [0, 1, 3, 7]


def test_no_class_is_lost_in_a_shuffle_of_patients():
    patients, target = np.array([0, 0, 0, 1, 2, 3, 4]), np.array([0, 0, 1, 0, 0, 0, 0])
    assert {int(shuffled(target, patients, 0, number).sum()) for number in range(1, 9)} == {1}
    many = 5000             # the second row of patient 0 is the only one of its class, and hardly ever comes to have a second row
    with pytest.raises(sc.InputError, match="kept all 2 classes in 100 draws: a class is too small"):
        shuffled(np.eye(many + 1, dtype=int)[1], np.maximum(np.arange(many + 1) - 1, 0), 0, 1)


# ---- the tasks of a study ----


def test_real_runs_come_first_then_one_shuffle_after_another_then_other_dice():
    tasks = [task.key for task in study(selectors=SELECTORS, runs=4, control=2, repeat_seeds=2).tasks()]
    both = [(label, run) for run in range(4) for label in ("mim", "random_forest")]
    assert tasks == [*((*one, shuffle, 0) for shuffle in range(3) for one in both),
                     *(("random_forest", run, 0, 1) for run in range(4))]
    blind = sc.Study(data(), ["variance", "random"], plan=sc.Subsample(4), k=3)         # nothing of them depends on the outcome
    assert blind.control == 20 and len(list(blind.tasks())) == 8


@pytest.mark.parametrize("plan, few", [
    (sc.Subsample(9), [0, 1, 2, 3]), (sc.Bootstrap(3), [0, 1, 2]), (sc.Half(5), [0, 1, 2, 3]), (sc.Growing(3), [0, 1, 2, 3]),
    (sc.KFold(6), [0, 1, 2, 3]), (sc.KFold(5, 3), [0, 1, 5, 6]), (sc.Nested(3, 4), [0, 1, 4, 5])], ids=repr)
def test_a_shuffle_repeats_runs_within_and_between_clusters(plan, few):
    assert plan.control_runs(4) == few
    whole = [run for run in range(plan.runs) if plan.measures_stability(run)]
    assert plan.control_runs("all") == whole == plan.control_runs(10 ** 6)
    tasks = list(sc.Study(data(), ["mim"], plan=plan, k=3, control=2).tasks())
    assert [task.run for task in tasks if task.shuffle == 2] == few and sum(task.first for task in tasks) == plan.runs


def test_readers_see_the_outcome_as_it_is_and_the_first_dice(made):
    plain = study(selectors=SELECTORS, runs=4).run(Here())
    for label in made.selectors:
        for one, other in zip(made.store.outcomes(label), plain.store.outcomes(label), strict=True):
            for name in ("scores", "ranking", "importances", "selected", "held_out", "predicted", "probability"):
                np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    pd.testing.assert_frame_equal(made.table(["nogueira", "importance_weighted"]).drop(columns="seconds"),
                                  plain.table(["nogueira", "importance_weighted"]).drop(columns="seconds"))
    assert plain.total == 8 and made.total == 28 == made.progress()["planned"].sum() == made.progress()["done"].sum()
    assert "the outcome was shuffled 2 times" in made.sentence() and "shuffled" not in plain.sentence()
    assert not plain.has_control and not plain.has_repeats
    for ask in (plain.floor, plain.own_dice, lambda: plain.shuffled_frequencies("mim")):
        with pytest.raises(sc.InputError, match="Run the study with"):
            ask()


def test_controls_keep_what_was_selected_and_no_predictions(made):
    kept = [one for one in made.store.outcomes(shuffle=None, repeat=None) if one.shuffle or one.repeat]
    assert len(kept) == 20 and all(one.status == "done" and one.predicted is None and one.held_out is None for one in kept)
    assert all(len(one.selected) == 3 and np.isfinite(one.ranking).all() and len(one.scores) == 7 for one in kept)


def test_a_shuffled_run_is_the_run_of_a_study_of_the_shuffled_outcome(made):
    """An independent way: a table whose outcome column is shuffled before, in a study of its own."""
    known = data()
    for number in (1, 2):
        target = shuffled(known.target, None, 5, number)
        again = sc.Dataset.from_frame(pd.DataFrame({**{name: known.table.values[:, i] for i, name in enumerate(known.features[:6])},
                                                    "outcome": target}), target="outcome")
        plan = sc.Subsample(4, leave_out=0.2)
        by_hand = [sc.selector("mim").fit(again.table.rows(rows := plan.resample(run, target, 5).rows), target[rows], rng=0)
                   for run in range(4)]
        scores = np.stack([one.scores_ for one in by_hand])
        np.testing.assert_allclose(made.preferences("mim", shuffle=number).scores[:, :6], scores, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_digits_on_threads(made, workers):
    with ThreadPoolExecutor(workers) as executor:
        assert controlled(executor=executor).digest() == made.digest()


def test_the_same_digits_after_interruptions(made, tmp_path):
    for stop in (5, 11, 19):
        with ThreadPoolExecutor(1) as executor:
            part = study(selectors=SELECTORS, runs=4, control=2, repeat_seeds=2).run(
                executor, store=tmp_path / "p.stab", progress=lambda done, total, stop=stop: done < stop)
        assert stop <= len(part.store.finished()) < 28
    assert part.digest() != made.digest() and controlled(tmp_path / "p.stab").digest() == made.digest()


def test_the_same_digits_in_processes(made):
    assert study(selectors=SELECTORS, runs=4, control=2, repeat_seeds=2).run(workers=2).digest() == made.digest()


def test_first_floors_appear_as_soon_as_one_shuffle_is_done(tmp_path):
    study(runs=4, control=2).run(Here(), store=tmp_path / "s.stab")
    for done, shuffles in ((27, [2, 1, 0]), (20, [1, 1, 0]), (19, [1, 0, 0]), (17, None), (12, None)):
        with sqlite3.connect(tmp_path / "s.stab") as base:      # what a study that was cancelled leaves: its first tasks
            for key in [task.key for task in study(runs=4, control=2).tasks()][done:]:
                base.execute("DELETE FROM task WHERE selector = ? AND run = ? AND shuffle = ? AND repeat = ?", key)
        found = sc.open_study(tmp_path / "s.stab")
        assert found.has_control == (shuffles is not None) and len(found.ready) == 3 and len(found.store.finished()) == done
        if shuffles:
            floor = found.floor()
            assert floor["shuffles"].tolist() == shuffles
            assert (floor["p"].isna() == ((floor["shuffles"] == 0) & (floor.index != "random"))).all()
            assert [len(found.shuffled_frequencies(label)) for label in found.selectors] == shuffles


def test_a_trial_runs_real_first_runs_and_its_time_counts_the_control(tmp_path):
    tried = study(runs=4, control=3).run(Here(), store=tmp_path / "t.stab", pilot=True)
    assert tried.tried and len(tried.store.finished()) == 3
    each = [tried.store.outcomes(label)[0] for label in tried.selectors]
    assert tried.seconds_left() == pytest.approx(sum(3 * one.seconds + 12 * one.fit_seconds * (one.selector != "random")
                                                       for one in each))


def test_a_control_can_be_added_to_a_finished_study_and_not_be_taken_away(tmp_path):
    store = tmp_path / "a.stab"
    study(runs=4).run(Here(), store=store)
    seen = []
    later = study(runs=4, control=2).run(Here(), store=store, progress=lambda *at: seen.append(at))
    assert seen[-1][1] == 28 and later.digest() == study(runs=4, control=2).run(Here()).digest()
    with pytest.raises(sc.InputError, match="other settings \\(control differ"):
        study(runs=4, control=1).run(Here(), store=store)
    with pytest.raises(sc.InputError, match="other settings \\(control_runs differ"):
        study(runs=4, control=3, control_runs="all").run(Here(), store=store)


def test_a_file_of_an_earlier_version_opens_and_goes_on(tmp_path):
    old, new = tmp_path / "old.stab", study(runs=4, control=1).run(Here(), store=tmp_path / "new.stab")
    study(runs=4).run(Here(), store=old)
    with sqlite3.connect(old) as base:                      # as format 1 had it: no such columns, another key, nothing of it told
        columns = [row[1] for row in base.execute("PRAGMA table_info(task)") if row[1] not in ("shuffle", "repeat")]
        base.execute(f"CREATE TABLE was ({', '.join(columns)}, PRIMARY KEY (selector, run))")
        base.execute(f"INSERT INTO was SELECT {', '.join(columns)} FROM task")
        base.execute("DROP TABLE task")
        base.execute("ALTER TABLE was RENAME TO task")
        base.execute("DELETE FROM meta WHERE key = 'chance_inside'")
        base.execute("UPDATE meta SET value = json_remove(value, '$.control', '$.control_runs', '$.repeat_seeds') "
                     "WHERE key = 'settings'")
        base.execute("UPDATE meta SET value = '1' WHERE key = 'format'")
    shutil.copy(old, tmp_path / "kept.stab")
    opened = sc.open_study(old)
    assert opened.digest() == study(runs=4).run(Here()).digest() and not opened.has_control
    assert opened.store.outcomes(shuffle=1) == [] and opened.table("nogueira")["nogueira"].notna().all()
    assert (old.read_bytes() == (tmp_path / "kept.stab").read_bytes())              # reading changes nothing
    assert study(runs=4, control=1).run(Here(), store=old).digest() == new.digest()
    assert Store(old).meta("chance_inside") == [False, False, True]


@pytest.mark.parametrize("target", ["level", "outcome"])
@pytest.mark.parametrize("plan", [sc.Subsample(4, 0.2), sc.Half(2), sc.KFold(3), sc.Nested(2, 3), sc.Bootstrap(4)],
                         ids=lambda one: one.kind)
def test_every_plan_with_patients_and_with_a_number(target, plan):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(40, 5)), columns=list("abcde")).assign(
        visit=rng.integers(0, 15, 40), level=rng.normal(size=40), outcome=rng.permutation(40) % 2)
    known = sc.Dataset.from_frame(frame, target=target, exclude=[{"level": "outcome", "outcome": "level"}[target]],
                                  same_patient="visit")
    selectors = ["mim" if target == "outcome" else "lasso"]
    found = sc.Study(known, selectors, plan=plan, k=2, control=2, classifier="none").run(Here())
    assert not found.progress()["failed"].any(), found.messages()
    assert found.floor()["shuffles"].tolist() == [2] and found.floor("jaccard").notna()["p"].all()


def test_failures_under_shuffling_are_told_and_left_out(tmp_path):
    found = study(runs=4, control=2).run(Here(), store=tmp_path / "f.stab")
    with sqlite3.connect(tmp_path / "f.stab") as base:
        base.execute("UPDATE task SET status = 'failed', message = 'no luck' WHERE shuffle = 2 AND selector = 'mim' AND run < 3")
    found = sc.open_study(tmp_path / "f.stab")
    assert found.floor()["shuffles"].to_dict() == {"mim": 1, "lasso": 2, "random": 0}
    told = found.messages().set_index("selector").loc["mim"]
    assert told["kind"] == "failed when shuffled" and told["runs"] == 3 and found.missing_runs().empty


# ---- how it is asked for ----

@pytest.mark.parametrize("wrong", [{"control": -1}, {"control": 100}, {"control": 1.5}, {"control_runs": 3},
                                   {"control_runs": "none"}, {"repeat_seeds": 0}, {"repeat_seeds": "2"}])
def test_wrong_numbers_are_refused(wrong):
    with pytest.raises(sc.InputError, match=next(iter(wrong))):
        study(**wrong)


def test_settings_files_and_the_command_line_ask_for_it(tmp_path, capsys):
    noise_table(np.random.default_rng(0)).to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "s.toml").write_text('[data]\nfile = "t.csv"\ntarget = "outcome"\n[study]\nk = 2\ncontrol = 1\n[plan]\nruns = 2\n'
                                     '[[selector]]\nkey = "relieff"\n')
    assert main(["run", str(tmp_path / "s.toml"), "--workers", "1"]) == 0
    assert sc.open_study(tmp_path / "s.stab").floor()["shuffles"].tolist() == [1]
    assert main(["run", str(tmp_path / "s.toml"), "--workers", "1", "--control", "2", "--repeat-seeds", "2"]) == 0
    found = sc.open_study(tmp_path / "s.stab")
    assert found.floor()["shuffles"].tolist() == [2] and found.total == 6
    capsys.readouterr()
    assert main(["show", str(tmp_path / "s.stab")]) == 0
    assert "noise floor" in capsys.readouterr().out
    with pytest.raises(sc.InputError, match="control of .* must be a whole number"):
        check_settings({"study": {"control": "5"}}, "s.toml")
