"""The noise floor in closed form, against counts and simulation, and the permutation control."""

import sqlite3
import statistics
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from floor_support import clear
from given_support import aged
from noise_support import Here, noise_study, noise_table
from study_support import SELECTORS, TARGET, data, study
from support import slow

import stabcore as sc
from stabcore.__main__ import main
from stabcore.base.errors import InputError
from stabcore.base.target import MORE, NUMBER, TIME, TWO
from stabcore.data.feature_table import as_table
from stabcore.inference.noise_floor import (
    MIN_GROUP_ROWS,
    MIN_KEPT_VARIANCE,
    difference_from_floor,
    equivalent_runs,
    exchangeable_groups,
    shuffled_outcome,
    simulated_frequencies,
    stability_with_floor,
)
from stabcore.measures.catalog import entry
from stabcore.study.results import Results
from stabcore.study.task_result import FIT_KINDS

PLANS = [sc.Subsample(12, 0.2), sc.Bootstrap(12), sc.RepeatedKFold(6, 2), sc.NestedKFold(4, 3), sc.ComplementaryPairs(6)]


def controlled(store=None, executor=None, **options):
    """Four runs, two shuffles, two seeds."""
    return study(selectors=SELECTORS, runs=4, n_permutations=2, n_seeds=2, **options).run(executor or Here(), store=store)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A study with a permutation control."""
    return controlled(tmp_path_factory.mktemp("control") / "c.stab")


def slow_floor(rho, k, d):
    """P₂ by its definition, from four values of the bivariate normal distribution function."""
    from scipy.stats import multivariate_normal, norm

    share = k / d
    c = norm.ppf(1 - share / 2)
    both = multivariate_normal([0, 0], [[1, rho], [rho, 1]])
    p2 = 1 - 2 * (1 - share) + both.cdf([c, c]) - 2 * both.cdf([c, -c]) + both.cdf([-c, -c])
    return (p2 - share**2) / (share * (1 - share))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.kind)
def test_the_floor_is_that_of_the_bivariate_normal(plan):
    for k, d in ((1, 10), (20, 1000), (120, 130)):
        slow = sum(weight * slow_floor(rho, k, d) for rho, weight in plan.shared_rows())
        assert sc.noise_floor(plan, k, d) == pytest.approx(slow, abs=2e-5)


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.kind)
def test_shared_rows_equal_those_that_the_plan_draws(plan):
    target = np.repeat([0, 1], 60)
    runs = [run for run in range(plan.n_runs) if plan.measures_stability(run)]
    drawn = []
    for seed in range(8):
        times = {run: np.bincount(plan.resample(run, target, seed).rows, minlength=120).astype(float) for run in runs}
        for a, b in combinations(runs, 2):
            x, y = times[a], times[b]
            if plan.kind == "complementary_pairs" and a // 2 == b // 2:
                assert not (x * y).any()
            drawn.append((x @ y) / np.sqrt((x @ x) * (y @ y)))
    expected = sum(rho * weight for rho, weight in plan.shared_rows())
    assert sum(weight for _, weight in plan.shared_rows()) == pytest.approx(1)
    assert np.mean(drawn) == pytest.approx(expected, abs=0.012)


@pytest.mark.parametrize("plan", [*map(slow, PLANS[:4]), PLANS[4]], ids=lambda plan: plan.kind)
def test_a_filter_on_noise_has_the_stability_of_the_floor(plan):
    """|Welch t| on tables without signal. The mean over 25 tables is within 0.02, up to its standard error."""
    n, d, k = 200, 130, 20
    target, rng, values = np.repeat([0, 1], n // 2), np.random.default_rng(8), []
    runs = [run for run in range(plan.n_runs) if plan.measures_stability(run)]
    for table in range(25):
        x = rng.standard_normal((n, d))
        scores = []
        for run in runs:
            rows = plan.resample(run, target, table).rows
            a, b = x[rows[target[rows] == 0]], x[rows[target[rows] == 1]]
            scores.append(np.abs(a.mean(0) - b.mean(0)) / np.sqrt(a.var(0, ddof=1) / len(a) + b.var(0, ddof=1) / len(b)))
        values.append(sc.stability(sc.Selections.from_scores(np.array(scores)).top(k)).value)
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - sc.noise_floor(plan, k, d)) < 0.02 + 2 * error


def test_the_floor_rises_with_the_shared_rows():
    ks = np.arange(1, 131)
    curve = sc.noise_floor(sc.Subsample(50, 0.05), ks, 130)
    assert curve[19] == sc.noise_floor(sc.Subsample(50, 0.05), 20, 130) and np.isnan(curve[-1])
    assert (curve[:-1] > sc.noise_floor(sc.Subsample(50, 0.2), ks, 130)[:-1]).all()
    assert sc.noise_floor(sc.ComplementaryPairs(1), 20, 130) == 0
    for k in (0, 131, np.nan, [1, 0]):
        with pytest.raises(InputError):
            sc.noise_floor(sc.Bootstrap(50), k, 130)


# ---- shuffling ----


def test_a_shuffle_is_a_permutation_by_seed_and_number():
    first, again, other, seed = (shuffled_outcome(TARGET, None, *numbers) for numbers in ((5, 1), (5, 1), (5, 2), (6, 1)))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(np.bincount(first), [20, 12, 8])
    assert (first != other).any() and (first != seed).any() and (first != TARGET).any()
    numbers = np.linspace(0, 1, 9)
    np.testing.assert_array_equal(np.sort(shuffled_outcome(numbers, None, 1, 1)), numbers)


def test_each_patient_receives_the_outcomes_of_one_patient():
    patients = np.repeat([3, 0, 7, 1], [2, 4, 1, 3])[np.random.default_rng(0).permutation(10)]
    target, numbers = np.arange(10.0), (0, 1, 3, 7)  # the values identify the giver
    for number in range(1, 6):
        made = shuffled_outcome(target, patients, 4, number)
        givers = [
            giver
            for receiver in numbers
            for giver in numbers
            if np.array_equal(np.resize(target[patients == giver], np.sum(patients == receiver)), made[patients == receiver])
        ]
        assert sorted(givers) == [0, 1, 3, 7]


def test_shuffling_patients_keeps_every_class():
    patients, target = np.array([0, 0, 0, 1, 2, 3, 4]), np.array([0, 0, 1, 0, 0, 0, 0])
    assert {int(shuffled_outcome(target, patients, 0, number).sum()) for number in range(1, 9)} == {1}
    n = 500  # the second row of patient 0 is the only one of its class, and is rarely given to a patient with two rows
    with pytest.raises(sc.InputError):
        shuffled_outcome(np.eye(n + 1, dtype=int)[1], np.maximum(np.arange(n + 1) - 1, 0), 0, 1)


# ---- the tasks of a study ----


def test_the_order_of_tasks_is_runs_shuffles_seeds():
    tasks = [task.key for task in study(selectors=SELECTORS, runs=4, n_permutations=2, n_seeds=2).tasks()]
    both = [(label, run) for run in range(4) for label in ("mim", "random_forest")]
    assert tasks == [
        *((*label_and_run, shuffle, 0, 0) for shuffle in range(3) for label_and_run in both),
        *(("random_forest", run, 0, 1, 0) for run in range(4)),
    ]
    blind = sc.Study(data(), ["variance", "random"], plan=sc.Subsample(4), k=3)  # neither depends on the outcome
    assert blind.n_permutations == 20 and len(list(blind.tasks())) == 8


@pytest.mark.parametrize(
    ("plan", "few"),
    [(sc.Bootstrap(3), [0, 1, 2]), (sc.ComplementaryPairs(5), [0, 1, 2, 3]), (sc.RepeatedKFold(5, 3), [0, 1, 5, 6])],
    ids=repr,
)
def test_a_shuffle_repeats_runs_within_and_between_clusters(plan, few):
    assert plan.permutation_runs(4) == few
    whole = [run for run in range(plan.n_runs) if plan.measures_stability(run)]
    assert plan.permutation_runs("all") == whole == plan.permutation_runs(10**6)
    tasks = list(sc.Study(data(), ["mim"], plan=plan, k=3, n_permutations=2).tasks())
    assert [task.run for task in tasks if task.shuffle == 2] == few and sum(task.first for task in tasks) == plan.n_runs


def test_the_control_changes_no_result_of_the_study(made):
    plain = study(selectors=SELECTORS, runs=4).run(Here())
    for label in made.selectors:
        for with_control, without_control in zip(made.store.tasks(label), plain.store.tasks(label), strict=True):
            for name in ("scores", "ranking", "importances", "selected", "held_out", "predicted", "probability"):
                np.testing.assert_array_equal(getattr(with_control, name), getattr(without_control, name))
    pd.testing.assert_frame_equal(made.table().drop(columns="seconds"), plain.table().drop(columns="seconds"))
    assert plain.total == 8 and made.total == 28 == made.progress()["planned"].sum() == made.progress()["done"].sum()
    extra = [task for task in made.store.every_task() if task.shuffle or task.repeat]  # selections without predictions
    assert len(extra) == 20 and all(task.status == "done" and task.predicted is None and task.held_out is None for task in extra)
    for result in (plain, Results({"mim": sc.Selections.from_matrix(np.eye(4))})):
        assert not result.has_control and not result.has_refits
        for ask in (result.noise_floor, result.disagreement_sources, lambda: result.shuffled_frequencies("mim")):
            with pytest.raises(sc.InputError):
                ask()


def test_a_shuffled_run_equals_a_run_on_the_shuffled_outcome(made):
    """The slow version shuffles the outcome column of the table before the fits."""
    dataset = data()
    for number in (1, 2):
        target = shuffled_outcome(dataset.target, None, 5, number)
        frame = pd.DataFrame(dataset.table.values[:, :6], columns=dataset.features[:6]).assign(outcome=target)
        again, scores = sc.Dataset.from_frame(frame, target="outcome"), []
        for run in range(4):
            rows = sc.Subsample(4, test_size=0.2).resample(run, target, 5).rows
            scores.append(sc.selector("mim").fit(again.table.rows(rows), target[rows], rng=0).scores_)
        np.testing.assert_allclose(made.selections("mim", shuffle=number).scores[:, :6], scores, rtol=1e-6, atol=1e-9)


def test_results_are_equal_on_threads_and_after_interruptions(made, tmp_path):
    with ThreadPoolExecutor(2) as executor:
        assert controlled(executor=executor).digest() == made.digest()
    asked = study(selectors=SELECTORS, runs=4, n_permutations=2, n_seeds=2)
    with ThreadPoolExecutor(1) as executor:
        part = asked.run(executor, store=tmp_path / "p.stab", progress=lambda done, total: done < 19)
    assert 19 <= len(part.store.finished()) < 28
    assert part.digest() != made.digest() and asked.run(Here(), store=tmp_path / "p.stab").digest() == made.digest()


def test_first_floors_appear_as_soon_as_one_shuffle_is_done(tmp_path):
    asked = study(("mim", "welch_t", "random"), runs=4, n_permutations=2)
    asked.run(Here(), store=tmp_path / "s.stab")
    keys = [task.key for task in asked.tasks()]
    place = " AND ".join(f"{name} = ?" for name in ("selector", "run", *FIT_KINDS))
    for done, shuffles in ((27, [2, 1, 0]), (20, [1, 1, 0]), (17, None), (12, None)):
        with sqlite3.connect(tmp_path / "s.stab") as base:  # a cancelled study leaves its first tasks
            base.executemany(f"DELETE FROM task WHERE {place}", keys[done:])
        found = sc.open_study(tmp_path / "s.stab")
        assert found.has_control == (shuffles is not None) and len(found.store.finished()) == done
        if shuffles:
            floor = found.noise_floor()
            assert floor["shuffles"].tolist() == shuffles
            assert (floor["p"].isna() == ((floor["shuffles"] == 0) & (floor.index != "random"))).all()
            assert [len(found.shuffled_frequencies(label)) for label in found.selectors] == shuffles


def test_a_control_can_be_added_later_but_not_removed(tmp_path):
    def asked(**options):
        return study(("mim", "welch_t", "random"), runs=4, **options)

    store, seen = tmp_path / "a.stab", []
    asked().run(Here(), store=store)
    later = asked(n_permutations=2).run(Here(), store=store, progress=lambda *done_and_total: seen.append(done_and_total))
    assert seen[-1][1] == 28 and later.digest() == asked(n_permutations=2).run(Here()).digest()
    for other in ({"n_permutations": 1}, {"n_permutations": 3, "permutation_runs": "all"}):
        with pytest.raises(sc.InputError):
            asked(**other).run(Here(), store=store)


def test_failures_under_shuffling_are_listed_and_left_out(tmp_path):
    study(("mim", "welch_t", "random"), runs=4, n_permutations=2).run(Here(), store=tmp_path / "f.stab")
    with sqlite3.connect(tmp_path / "f.stab") as base:
        base.execute("UPDATE task SET status = 'failed', message = 'no fit' WHERE shuffle = 2 AND selector = 'mim' AND run < 3")
    found = sc.open_study(tmp_path / "f.stab")
    assert found.noise_floor()["shuffles"].to_dict() == {"mim": 1, "welch_t": 2, "random": 0}
    message = found.messages().set_index("selector").loc["mim"]
    assert message["kind"] == "failed when shuffled" and message["runs"] == 3 and found.missing_runs().empty


# ---- settings ----


def test_wrong_numbers_are_refused():
    for name, wrong in {
        "n_permutations": (-1, 100, 1.5),
        "permutation_runs": (3, "none"),
        "n_seeds": (0, "2"),
        "n_imputations": (-1, "5", 1.5),
    }.items():
        for value in wrong:
            with pytest.raises(sc.InputError):
                study(**{name: value})


def test_settings_files_and_the_command_line_set_the_control(tmp_path, capsys):
    noise_table(np.random.default_rng(0)).to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "s.toml").write_text(
        '[data]\nfile = "t.csv"\ntarget = "outcome"\n[study]\nk = 2\nn_permutations = 1\n'
        '[plan]\nn_runs = 2\n[[selector]]\nkey = "relieff"\n'
    )
    assert main(["run", str(tmp_path / "s.toml"), "--n-jobs", "1", "--n-permutations", "2", "--n-seeds", "2"]) == 0
    found = sc.open_study(tmp_path / "s.stab")
    assert found.noise_floor()["shuffles"].tolist() == [2] and found.total == 6
    assert main(["show", str(tmp_path / "s.stab")]) == 0 and "noise floor" in capsys.readouterr().out


# ---- results ----


def slow_sets(store, label, shuffle, k):
    """The k best features by the stored rankings, read directly from the file."""
    return [set(np.flatnonzero(task.ranking <= k)) for task in store.tasks(label, shuffle=shuffle)]


def slow_nogueira(sets, d):
    p = [sum(f in chosen_set for chosen_set in sets) / len(sets) for f in range(d)]
    k = sum(len(chosen_set) for chosen_set in sets) / len(sets)
    return 1 - sum(len(sets) / (len(sets) - 1) * frequency * (1 - frequency) for frequency in p) / d / (k / d * (1 - k / d))


def slow_jaccard(sets, d):
    pairs = [(first, second) for i, first in enumerate(sets) for second in sets[:i]]
    return sum(len(first & second) / len(first | second) for first, second in pairs) / len(pairs)


@pytest.mark.parametrize(("measure", "slow", "k"), [("nogueira", slow_nogueira, None), ("jaccard", slow_jaccard, 5)])
def test_the_floor_equals_a_slow_loop_over_the_file(measure, slow, k):
    found = noise_study(3, selectors=("anova_f", "welch_t", "variance"), n_permutations=4, permutation_runs="all")
    table = found.noise_floor(measure, k=k)
    for label in ("welch_t", "anova_f"):
        value, *floors = (slow(slow_sets(found.store, label, shuffle, k or 3), 12) for shuffle in range(5))
        floor, as_high = sum(floors) / 4, sum(shuffled_value >= value - 1e-9 for shuffled_value in floors)
        expected = {"value": value, "floor": floor, "floor_low": min(floors), "floor_high": max(floors), "beyond": value - floor}
        expected |= {"floor_se": statistics.stdev(floors) / 2, "p": (1 + as_high) / 5}
        assert table.loc[label, list(expected)].to_dict() == pytest.approx(expected), label
        assert table.loc[label, "shuffles"] == 4 and table.loc[label, "note"] == ""
    row = table.loc["variance"]  # does not use the outcome, so its value is its floor
    assert row["value"] == row["floor"] and row["beyond"] == 0 and row["p"] == 1 and not row["clear"] and row["shuffles"] == 0


@pytest.mark.parametrize(
    ("plan", "share"),
    [
        *((sc.ComplementaryPairs(6), 12 / 132), (sc.RepeatedKFold(4, 3), 36 / 132), (sc.NestedKFold(3, 4), 36 / 132)),
        *((sc.Bootstrap(6), None), (sc.RepeatedKFold(6), None)),
    ],
    ids=repr,
)
def test_few_runs_of_a_shuffle_are_weighted_as_in_the_study(plan, share):
    """Jaccard of listed pairs: the means within and between clusters are separate."""
    found = noise_study(4, selectors=("welch_t",), plan=plan, n_permutations=3, classifier="none")
    assert {task.run for task in found.store.tasks("welch_t", shuffle=1)} == set(plan.permutation_runs(4))
    for shuffle in (1, 2, 3):
        runs = [(plan.cluster(task.run), set(task.selected)) for task in found.store.tasks("welch_t", shuffle=shuffle)]
        pairs = [(a == b, len(first & second) / len(first | second)) for i, (a, first) in enumerate(runs) for b, second in runs[:i]]
        inside, between = ([value for same, value in pairs if same == kind] for kind in (True, False))
        expected = np.mean(inside + between) if share is None else share * np.mean(inside) + (1 - share) * np.mean(between)
        assert found.shuffled_values("welch_t", "jaccard")[shuffle] == pytest.approx(expected)
    values = list(found.shuffled_values("welch_t", "jaccard").values())
    assert found.noise_floor("jaccard").loc["welch_t", "floor"] == pytest.approx(np.mean(values))
    row = found.noise_floor("davis").loc["welch_t"]  # not a mean over pairs, so it needs all runs
    assert np.isnan(row["floor"]) and row["shuffles"] == 0 and 'permutation_runs = "all"' in row["note"] and not row["clear"]


def test_the_interval_above_the_floor_has_both_uncertainties():
    row = difference_from_floor(0.5, 0.4, 0.55, [0.1, 0.2, 0.15])
    t = 4.30265273 * np.std([0.1, 0.2, 0.15], ddof=1) / 3**0.5
    assert (row["beyond"], row["beyond_low"], row["beyond_high"]) == pytest.approx(
        (0.35, 0.35 - np.hypot(0.1, t), 0.35 + np.hypot(0.05, t))
    )
    assert row["p"] == 0.25 and not row["clear"] and difference_from_floor(0.5, 0.4, 0.55, np.linspace(0, 0.4, 19))["clear"]
    assert not difference_from_floor(0.5, 0.4, 0.55, np.linspace(0, 0.5, 19))["clear"]
    same = sc.Selections.from_matrix([[1, 1, 0, 0]] * 4)
    row = stability_with_floor(same, [same, same])  # a floor of 1 leaves nothing above it
    assert (row["floor"], row["beyond"], row["p"]) == (1, 0, 1) and np.isnan(stability_with_floor(same, [])["floor"])


def test_a_value_is_clear_exactly_if_its_interval_is_above_zero():
    """By p alone, 45 of 100 clear values had intervals with 0 (three pairs). By the interval alone, 8 of 100 are false."""
    floors, rng = np.linspace(0, 0.4, 19), np.random.default_rng(0)
    few_runs, reached = difference_from_floor(0.5, 0.0, 0.9, floors), difference_from_floor(0.39, 0.38, 0.4, floors)
    assert few_runs["p"] == 0.05 and few_runs["beyond_low"] < 0 and not few_runs["clear"]
    assert reached["p"] == 0.1 and reached["beyond_low"] == 0 < reached["beyond"] and not reached["clear"]
    for _ in range(100):
        value, side = rng.uniform(0, 1), rng.uniform(0, 0.5)
        row = difference_from_floor(value, value - side, value + side, rng.normal(0.3, 0.1, 30))
        assert row["clear"] == (row["beyond_low"] > 0) and (row["p"] <= 0.05 or not row["clear"])
    assert difference_from_floor(0.5, np.nan, np.nan, floors)["clear"], "without an interval, p decides"


def test_floors_of_other_measures_need_no_new_runs(made):
    similarity = sc.Similarity.from_groups({"one": ["a", "b"], "two": ["c", "d", "e"]}, names=made.features)
    for number, key in enumerate(("nogueira", "effective", "importance_weighted", "spearman_ranks", "intersection_mbm", "yu")):
        k = (None, 2)[number % 2]
        row = made.noise_floor(key, similarity, k).loc["mim"]
        rough = dict(entry(key).rough)
        values = [
            entry(key).function(made.selections("mim", k, shuffle), similarity, **(rough if shuffle else {}))
            for shuffle in range(3)
        ]
        assert row[["value", "floor"]].tolist() == pytest.approx([values[0], np.mean(values[1:])], nan_ok=True), key
        assert row["shuffles"] == 2 or row["note"], key
    with pytest.raises(sc.InputError):
        made.noise_floor("effective")


def test_frequencies_of_complete_shuffles_are_unchanged(made):
    for k in (None, 2, 7):
        shuffles = [slow_sets(made.store, "mim", shuffle, k or 3) for shuffle in (1, 2)]
        each = [[sum(f in chosen_set for chosen_set in sets) / 4 for f in range(7)] for sets in shuffles]
        np.testing.assert_allclose(made.shuffled_frequencies("mim", k), each)
        mean = (made.shuffled_frequencies("mim", k) + made.shuffled_frequencies("random_forest", k)) / 2
        np.testing.assert_allclose(made.shuffled_frequencies(made.selectors, k), mean)


def _selected_without_signal(rng, n_selectors, preferred):
    """(30, 50, 150) share of selectors that select a feature, per shuffle, run on halves, and feature.

    Each selects the 12 largest differences of means. Differences of preferred features have a larger weight.
    """
    X, weights = rng.normal(size=(100, 150)), np.where(np.arange(150) < preferred, 1.4, 1.0)
    selected = np.zeros((30, 50, 150))
    for shuffle in range(30):
        outcome = rng.permutation(np.arange(100) % 2)
        for run in range(0, 50, 2):
            rows = rng.permutation(100)
            for half, part in enumerate((rows[:50], rows[50:])):
                upper = outcome[part] == 1
                difference = np.abs(X[part][upper].mean(axis=0) - X[part][~upper].mean(axis=0)) * weights
                scores = difference + rng.normal(size=(n_selectors, 150)) * (0.1 if n_selectors > 1 else 0)
                selected[shuffle, run + half] = (scores >= np.sort(scores, axis=1)[:, [-12]]).mean(axis=0)
    return selected


@pytest.mark.parametrize(("n_selectors", "preferred"), [(1, 0), (1, 15), (3, 0)])
def test_few_shuffled_runs_predict_frequencies_of_complete_studies(n_selectors, preferred):
    runs = _selected_without_signal(np.random.default_rng(0), n_selectors, preferred)
    clusters = runs.reshape(30, 25, 2, 150).mean(axis=2)
    whole, raw, n_runs = runs.mean(axis=1), runs[:, :4].mean(axis=1), equivalent_runs(runs[:, :4], 50)
    assert n_runs == 50 if n_selectors == 1 else 55 < n_runs < 100
    drawn = [simulated_frequencies(clusters[:, :2], n_runs, np.random.default_rng(seed)) for seed in range(5)]
    highest = np.mean([few.max(axis=1).mean() for few in drawn])
    assert abs(highest - whole.max(axis=1).mean()) < 0.05
    assert abs(np.mean([few.max() for few in drawn]) - whole.max()) < 0.09
    for line in (0.5, 0.75):
        of_few, of_whole, of_raw = (
            np.mean([(frequencies >= line).sum(axis=1).mean() for frequencies in some]) for some in (drawn, [whole], [raw])
        )
        assert abs(of_few - of_whole) < 0.45 * of_whole + 0.1
        assert of_raw > of_whole + 0.15
    np.testing.assert_allclose(np.mean(drawn), whole.mean(), atol=0.005)
    alarms = 0
    for shuffle in range(30):  # each shuffle serves once as the study without signal
        others = np.delete(np.arange(30), shuffle)
        drawn_of_others = simulated_frequencies(clusters[others, :2], n_runs, np.random.default_rng(shuffle))
        alarms += whole[shuffle].max() > drawn_of_others.max()
    assert alarms <= 4  # 1 is expected


def test_frequencies_of_shuffles_without_variation_are_unchanged():
    rng = np.random.default_rng(0)
    fixed = np.tile([1.0, 1.0, 0.0, 0.0], (5, 2, 1))  # no variation, and below a single shuffle
    np.testing.assert_allclose(simulated_frequencies(fixed, 50, rng), fixed[:, 0])
    alone = (rng.random((1, 2, 6)) < 0.5).astype(float)
    np.testing.assert_allclose(simulated_frequencies(alone, 50, rng), alone.mean(axis=1))


def test_p_is_uniform_on_noise_and_small_with_signal():
    """Small version of benchmarks/bench_control.py: among 4 exchangeable values the real one has every rank equally often."""
    options = {"selectors": ("welch_t",), "plan": sc.Subsample(6, 0.3), "n_permutations": 3, "classifier": "none"}
    studies = (noise_study(seed, **options) for seed in range(20))
    counts = np.bincount([round(4 * result.noise_floor().loc["welch_t", "p"]) for result in studies], minlength=5)[1:]
    assert counts.sum() == 20 and ((counts - 5) ** 2 / 5).sum() < 16.3  # χ² with 3 degrees of freedom, p = 0.001
    signal = noise_study(1, "known", **{**options, "plan": sc.ComplementaryPairs(8), "n_permutations": 9}).noise_floor()
    assert signal.loc["welch_t", "p"] == 0.1 and signal.loc["welch_t", "beyond"] > 0.3


@pytest.mark.parametrize(
    ("kind", "tables"), [("one factor", 14), slow("one factor", 40), slow("blocks", 40), slow("independent", 40)]
)
def test_few_tables_without_signal_are_above_their_floor(kind, tables):
    """Small version of benchmarks/bench_control.py: 1 in 20 is expected. 4 or more of 14 have probability 1/250."""
    without = np.sum([clear(np.random.default_rng([seed, 7]), kind, 0.0) for seed in range(tables)], axis=0)
    assert (without <= (3 if tables == 14 else 6)).all(), without
    signal = np.mean([clear(np.random.default_rng([seed, 8]), kind, 0.9) for seed in range(4)], axis=0)
    assert (signal[:2] >= 0.75).all(), signal


def test_the_range_of_shuffles_is_corrected_for_few_runs():
    floors = np.array([0.0, 0.1, 0.2, 0.3])
    wide = difference_from_floor(0.31, 0.2, 0.4, floors)
    drawn = difference_from_floor(0.29, 0.2, 0.4, floors, floors.var(ddof=1) / 2)
    assert (wide["floor_low"], wide["floor_high"]) == (0.0, 0.3)
    assert (drawn["floor_low"], drawn["floor_high"]) == pytest.approx((0.15 - 0.15 * 0.5**0.5, 0.15 + 0.15 * 0.5**0.5))
    assert drawn["floor"] == pytest.approx(wide["floor"]) and drawn["floor_se"] == wide["floor_se"] and drawn["p"] == 0.2
    most = difference_from_floor(0.29, 0.2, 0.4, floors, 1e9)
    assert most["floor_high"] == pytest.approx(0.15 + 0.15 * MIN_KEPT_VARIANCE**0.5)


def test_categories_shuffle_within_their_combinations():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"sex": rng.choice(list("mw"), 120), "centre": rng.choice(list("abc"), 120)})
    y = rng.integers(0, 2, 120)
    for number in (1, 2):
        other = shuffled_outcome(y, None, 3, number, as_table(frame))
        for _, rows in frame.groupby(["sex", "centre"]):
            assert y[rows.index].sum() == other[rows.index].sum()
        assert (other != y).any()
    np.testing.assert_array_equal(
        shuffled_outcome(y, None, 3, 1, as_table(frame)), shuffled_outcome(y, None, 3, 1, as_table(frame))
    )


def test_a_number_keeps_its_linear_model():
    """Freedman & Lane: the same fitted values, residuals in other rows."""
    _, y, given = aged(0, NUMBER)
    Z = np.column_stack([np.ones(len(y)), given])
    fitted = Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    other = shuffled_outcome(y, None, 0, 1, as_table(given))
    np.testing.assert_allclose(np.sort(other - fitted), np.sort(y - fitted), atol=1e-10)
    assert np.corrcoef(other - fitted, y - fitted)[0, 1] < 0.3


@pytest.mark.parametrize("kind", [TWO, MORE, TIME])
def test_rows_with_similar_predictions_are_exchanged(kind):
    _, y, given = aged(1, kind)
    fitted, values, groups = exchangeable_groups(y, as_table(given))
    sizes = np.bincount(groups)
    assert (
        fitted is None and values is y and sizes.sum() == 200 and sizes.min() >= MIN_GROUP_ROWS and sizes.max() < 2 * MIN_GROUP_ROWS
    )
    other = shuffled_outcome(y, None, 0, 1, as_table(given))
    for group in range(len(sizes)):
        np.testing.assert_array_equal(np.sort(y[groups == group]), np.sort(other[groups == group]))
    age = given[:, 0]  # ages within a group are similar
    assert np.mean([age[groups == group].std() for group in range(len(sizes))]) < (0.5 if kind == TWO else 0.8) * age.std()
    assert (other != y).any()


def test_shuffles_keep_the_relation_to_age_only():
    X, y, given = aged(2, own_effect=1.5, n=400)
    free, with_age = (
        np.mean([shuffled_outcome(y, None, 0, number, form).astype(float) for number in range(1, 31)], axis=0)
        for form in (None, as_table(given))
    )
    assert abs(np.corrcoef(free, given[:, 0])[0, 1]) < 0.25 < 0.6 < np.corrcoef(with_age, given[:, 0])[0, 1]
    left = X[:, 1] - np.polyval(np.polyfit(given[:, 0], X[:, 1], 1), given[:, 0])
    assert abs(np.corrcoef(with_age, left)[0, 1]) < 0.15 < np.corrcoef(y, left)[0, 1]


def test_whole_patients_are_exchanged():
    _, y, given = aged(3, n=60)
    patients = np.repeat(np.arange(60), 2)
    target, doubled = np.repeat(y, 2), np.repeat(given, 2, axis=0)
    groups = exchangeable_groups(target, as_table(doubled))[2]
    other = shuffled_outcome(target, patients, 0, 1, as_table(doubled))
    assert (other[::2] == other[1::2]).all() and other.sum() == target.sum() and len(np.unique(groups)) > 5
