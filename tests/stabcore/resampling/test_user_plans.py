"""User-defined resampling plans: studies that use them, continuation, and refusal of broken contracts."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from own_support import Blocks
from snapshot_support import check_refusals
from study_support import data, frame

import stabcore as sc
from stabcore.resampling.catalog import ENTRIES, PLANS, chosen_plan_options, plan_from_settings, plan_settings
from stabcore.resampling.plan import Plan, Resample
from stabcore.study.tasks import SharedData


def study(plan, given=None, selectors=("mim", "random")):
    return sc.Study(given or data(), list(selectors), plan=plan, k=3, random_state=5, n_permutations=0)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    with ThreadPoolExecutor(2) as executor:
        return study(Blocks()).run(executor, store=tmp_path_factory.mktemp("own") / "p.stab")


def test_runs_use_the_rows_of_the_plan(made):
    plan, target = Blocks(), data().target
    assert (made.progress()["done"] == 6).all() and not len(made.messages())
    for task in made.store.tasks("mim"):
        assert task.held_out.tolist() == plan.resample(task.run, target, 5)[1].tolist()
        assert len(task.predicted) == len(task.held_out)
    table = made.table()
    assert table["nogueira"].notna().all() and table["accuracy"].between(0, 1).all()


def test_workers_of_a_cluster_receive_the_plan(tmp_path):
    asked = study(Blocks())
    SharedData.write(tmp_path, asked.data, asked.settings(), asked._user_objects())
    for source in (str(tmp_path), SharedData.parcel(tmp_path)):
        drawn = SharedData.read(source).plan.resample(2, asked.data.target, 5)
        assert drawn.rows.tolist() == Blocks().resample(2, asked.data.target, 5)[0].tolist()


def test_study_file_opens_without_the_class_of_the_plan(made):
    assert made.settings["plan"]["own"].startswith("Blocks#")
    assert made.plan == plan_from_settings(plan_settings(made.plan)) and made.plan.user_object is None and made.n_runs == 6
    with pytest.raises(sc.InputError):
        made.plan.resample(1, data().target, 5)


def test_study_is_continued_only_with_the_same_plan(made, tmp_path):
    path = tmp_path / "c.stab"
    with ThreadPoolExecutor(1) as executor:
        study(Blocks()).run(executor, store=path, progress=lambda done, total: done < 3)
        with pytest.raises(sc.InputError):
            study(Blocks(share=0.7)).run(executor, store=path)
        assert study(Blocks()).run(executor, store=path).digest() == made.digest()


@dataclass(frozen=True)
class Visits(Plan):
    """A plan that states which runs belong together, as the built-in plans do."""

    n_runs: int = 6

    def resample(self, run, target, seed, patients=None):
        who = np.asarray(patients) if patients is not None else np.arange(len(target))
        left = np.isin(who, np.unique(who)[run :: self.n_runs])
        return Resample(np.flatnonzero(~left), np.flatnonzero(left), redrawn=2)

    def measures_stability(self, run):
        return run < 4

    def block(self, run):
        return run // 2

    def shared_rows(self):
        return [(0.8, 1.0)]

    def sentence(self):
        return "six runs, each without every sixth patient"


def test_statements_of_the_plan_about_runs_are_stored(tmp_path):
    given = sc.Dataset.from_frame(frame().assign(who=np.arange(60) // 2), target="outcome", same_patient="who")
    with ThreadPoolExecutor(1) as executor:
        found = study(Visits(), given).run(executor, store=tmp_path / "v.stab")
    assert found.n_runs == 4 and found.folds("mim") == [1, 1, 2, 2]
    assert found.plan.shared_rows() == [(0.8, 1.0)] and sc.noise_floor(found.plan, 3, 7) == sc.noise_floor(Visits(), 3, 7)
    assert (found.messages()["kind"] == "redrawn").all() and len(found.messages())
    with pytest.raises(sc.InputError):
        found.split_half()


def rows(*given):
    return lambda run, target, seed, patients: given


class Broken(Blocks):
    """A plan with preset results."""

    def __init__(self, answer=None, **more):
        super().__init__()
        self.answer = answer
        for name, value in more.items():
            setattr(self, name, value)

    def resample(self, run, target, seed, patients=None):
        return self.answer(run, target, seed, patients) if callable(self.answer) else self.answer


def test_broken_contract_is_refused_when_the_study_is_made():
    cases = [
        True,
        "kfold",
        Broken(n_runs=None),
        Broken(n_runs=1),
        Broken(n_runs=True),
        Broken(None),
        Broken(rows([0, 1])),
        Broken(rows([0.5], [1])),
        Broken(rows(np.ones(60, dtype=bool), [1])),
        Broken(rows([[0, 1]], [2])),
        Broken(rows([0, 60], [1])),
        Broken(rows([0, 1], [-1])),
        Broken(rows([], [1])),
        Broken(rows([0, 1, 2, 3], [2, 3])),
        Broken(rows(range(30), range(30, 50)), parts_rows=True),
        Broken(lambda *given: 1 / 0),
        Broken(lambda *given: (np.random.default_rng().permutation(60)[:40], [])),
        Broken(rows(range(30), []), measures_stability=lambda run: run == 0),
        Broken(rows(range(30), []), measures_stability=lambda run: 1),
        Broken(rows(range(30), []), block=lambda run: "first"),
        Broken(rows(range(30), []), sentence=lambda: object()),
        Broken(rows(range(30), []), sentence=lambda: 1 / 0),
        type("Other", (), {"n_runs": 3, "resample": lambda self, run: ([0], [1])})(),
    ]
    check_refusals("resampling/wrong_user_plans", study, cases)


def test_plan_that_splits_a_patient_is_refused():
    given = sc.Dataset.from_frame(frame().assign(who=np.arange(60) // 2), target="outcome", same_patient="who")
    with pytest.raises(sc.InputError):
        study(Blocks(), given)


def test_a_later_broken_resample_fails_only_its_run(tmp_path):
    plan = Broken(lambda run, target, seed, patients: (np.arange(40), [0] if run == 3 else [50, 51]))
    with ThreadPoolExecutor(1) as executor:
        found = study(plan, selectors=["mim"]).run(executor, store=tmp_path / "b.stab")
    assert found.progress().loc["mim", "failed"] == 1


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_catalogue_of_plans_matches_their_code(entry):
    """The minimum of each option is allowed and less is refused, and its default is that of the plan."""
    assert PLANS[entry.key] is entry and entry.build.kind == entry.key
    assert entry.reference and entry.plain in sc.list_plans()["plain"].tolist()
    assert plan_from_settings({"kind": entry.key}) == entry.build() and set(chosen_plan_options(plan_settings(entry.build()))) == {
        "kind",
        *entry.options,
    }
    for name, option in entry.options.items():
        assert getattr(entry.build(), name) == option.default
        if option.kind == "whole":
            assert getattr(entry.build(**{name: option.low}), name) == option.low <= option.default <= option.high
            with pytest.raises(sc.InputError):
                entry.build(**{name: option.low - 1})
    assert set(entry.build().most(10)) <= set(entry.options)
