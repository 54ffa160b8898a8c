"""Integrated path stability selection, against the package ipss, a slow version, enumerated chance, and noise."""

import numpy as np
import pytest
from panel_support import drawn, ranks, rows_of
from scipy import stats
from support import golden
from support import slow as slow_case

import stabcore as sc
from stabcore.base.errors import InputError
from stabcore.inference import path_selection as path_selection_room
from stabcore.inference import path_selection as paths


def of_package(ends, delta):
    """(n − 1,) weights of the package, whose cells are slightly too narrow, relative to the integral of x^(−δ)."""
    weights, steps, (low, high) = paths.path_weights(ends, delta), ends[1:] ** (1 - delta), (ends.min(), ends.max())
    assert weights / weights[0] == pytest.approx(steps / steps[0], rel=1e-9)  # equal up to a constant
    integral = np.log(high / low) if delta == 1 else (high ** (1 - delta) - low ** (1 - delta)) / (1 - delta)
    return (1 - (low / high) ** (1 / len(ends))) / integral * steps


@pytest.mark.parametrize("number", range(6))
def test_scores_bounds_and_q_values_equal_those_of_the_package(number):
    """The package normalises its integral over all λ and its scores over the kept ones. Ours have one μ, which cancels."""
    record = golden("ipss.json")["records"][number]
    record |= {name: np.array(record[name]) for name in ("paths", "average_selected", "lambdas", "scores", "efp", "q")}
    d, m, delta, stop = record["paths"].shape[1], record["m"], record["delta"], record["stop"]
    bounds = paths.path_bound(record["average_selected"], d, record["pairs"], m)
    whole, ends = of_package(record["lambdas"], delta), record["lambdas"][:stop]
    running = np.cumsum(whole * bounds[:-1])
    assert stop == len(ends) == min(np.searchsorted(running, record["cutoff"], side="right") + 1, len(bounds))
    assert running[stop - 2] == pytest.approx(record["integral"], rel=1e-12)
    cells = of_package(ends, delta)
    scores = paths.path_scores(record["paths"][: stop - 1], paths.path_weights(ends, delta), m) * cells.sum()
    assert scores == pytest.approx(record["scores"], rel=1e-12, abs=1e-15)
    expected = paths.expected_false(record["scores"], record["integral"])
    assert expected == pytest.approx(record["efp"], abs=6e-9)  # stored with eight decimals
    assert paths.q_values(record["efp"]) == pytest.approx(record["q"], rel=1e-12)


def rankings(seed=0, runs=12, d=30, ranked=None):
    rng = np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(rng.normal(size=(runs, d)) - 4 * (np.arange(d) < 3), axis=1), axis=1) + 1.0
    return np.where(ranks > (ranked or d), np.nan, ranks)


def slow(rankings_, m, delta, cutoff):
    """Sums over every k, feature, selector and run."""
    M, d = rankings_[0].shape
    B = M // 2

    def bound(k):
        total = 0.0
        for of_selector in rankings_:
            x = sum(1 for run in of_selector for rank in run if rank <= k) / M / d
            total += {
                1: d * x**2,
                2: d * (x**2 / B + (B - 1) / B * x**4),
                3: d * (x**2 / B**2 + 3 * (B - 1) / B**2 * x**4 + (B - 1) * (B - 2) / B**2 * x**6),
            }[m]
        return total / len(rankings_)

    def cell(low, high):
        return np.log(high / low) if delta == 1 else (high ** (1 - delta) - low ** (1 - delta)) / (1 - delta)

    last = 1
    while last < d and sum(bound(k) * cell(k, k + 1) for k in range(1, last + 2)) / cell(1, last + 2) <= cutoff:
        last += 1
    ends = sorted({round(x) for x in np.geomspace(1, last + 1, 41)})
    integral = sum(bound(low) * cell(low, high) for low, high in zip(ends, ends[1:])) / cell(1, last + 1)
    expected = []
    for f in range(d):
        score = 0.0
        for low, high in zip(ends, ends[1:]):
            share = np.mean([np.mean([run[f] <= low for run in runs]) for runs in rankings_])
            score += (2 * share - 1) ** m * cell(low, high) / cell(1, last + 1) if share >= 0.5 else 0
        expected.append(min(d, integral / score) if score else d)
    q = [min(e / sum(other <= e for other in expected) for e in expected if e >= value) for value in expected]
    return expected, q, ends[-2]


@pytest.mark.parametrize(
    ("m", "delta", "ranked", "selectors"),
    [(1, 0.0, 9, 1), (2, 1.0, None, 1), (2, 0.5, 20, 3), (3, 1.25, None, 2), slow_case(3, 0.0, 9, 1)],
)
def test_path_selection_equals_its_definition(m, delta, ranked, selectors):
    several = [rankings(seed, ranked=ranked) for seed in range(selectors)]
    ours = paths.path_selection(several, power=m, delta=delta)
    expected, q, last = slow(several, m, delta, 0.05)
    assert ours.expected_false == pytest.approx(expected, rel=1e-9) and ours.q_values == pytest.approx(q, rel=1e-9)
    assert ours.points[-1] == last and ours.shares[-1] == pytest.approx(min(last, ranked or 30) / 30)
    assert m == 1 or (ours.expected_false[:3] < 30).any()
    raised = ours.with_least_false(paths.expected_false(ours.scores, 0.9))  # by the mean seen without signal
    assert raised.expected_false == pytest.approx(np.clip(np.fmax(ours.expected_false, 0.9 / np.maximum(ours.scores, 1e-9)), 0, 30))
    assert (raised.q_values >= ours.q_values).all()


@pytest.mark.parametrize("repeated", [1.0, 0.8])
def test_chance_equals_that_of_simulated_halves(repeated):
    rng, pairs, d, n, drawn_features = np.random.default_rng(1), 8, 50, 24, 20_000
    ks, weights = np.array([1, 3, 8]), np.array([0.5, 0.3, 0.2])
    values, frequency = rng.normal(size=(drawn_features, n)), np.zeros((3, drawn_features))
    cuts = stats.norm.isf(ks / d / 2)[:, None]
    for _ in range(pairs):
        first = rng.permutation(n) < n // 2
        for half in (first, ~first):
            test = stats.ttest_1samp(values[:, half], 0, axis=1)
            of_rows, drawn_anew = stats.norm.isf(test.pvalue / 2) * np.sign(test.statistic), rng.normal(size=drawn_features)
            frequency += np.abs(repeated * of_rows + np.sqrt(1 - repeated**2) * drawn_anew) >= cuts
    scores = paths.path_scores(frequency / (2 * pairs), weights, 2)
    score_levels = np.array([0.01, 0.05, 0.2, 0.5])
    counted = (scores[:, None] >= score_levels - 1e-9).mean(axis=0)
    assert paths.chance_tail(score_levels, ks / d, pairs, weights, 2, n, repeated) == pytest.approx(counted, rel=0.15, abs=5e-4)
    assert paths.chance_tail(np.array([0.0, 1.1]), ks / d, pairs, weights, 2, n).tolist() == [1, 0]
    assert np.isfinite(paths.chance_tail(score_levels, ks / d, pairs, weights, 2, 4)).all()


@pytest.mark.parametrize("repeated", [1.0, 0.8])
def test_counts_from_sorted_scores_equal_counts_from_all(repeated):
    mass, rising, of_feature, score = halves = path_selection_room._chance_halves(6, 20, repeated, draws=3)
    shares = np.array([0.0, 0.003, 0.05, 0.2, 0.7, 1.0])
    often = path_selection_room._selection_counts(halves, shares)
    selected = score(rising) <= stats.norm.ppf(shares / 2)[:, None]
    assert often.tolist() == [np.bincount(of_feature[of_share], minlength=len(mass)).tolist() for of_share in selected]
    assert often[-1].tolist() == [12] * len(mass)


def test_squares_of_chance_and_of_runs_equal_counts():
    rng, pairs, d = np.random.default_rng(2), 6, 40
    cut = np.sort(np.abs(rng.normal(size=400_000)))[::-1][int(400_000 * 8 / d)]
    z, w = rng.normal(size=(60_000, 1)), rng.normal(size=(60_000, pairs))
    both = (np.abs(z + w) >= cut * np.sqrt(2)) & (np.abs(z - w) >= cut * np.sqrt(2))
    counted = (both.mean(axis=1) ** 2).mean()
    assert paths.chance_square(np.array([8 / d]), pairs) == pytest.approx([counted], rel=0.05)
    of_runs = rankings(runs=2 * pairs, d=d)
    ranks_of = [of_runs <= k for k in (2, 8, 20)]
    squares = [((selected[::2] & selected[1::2]).mean(axis=0) ** 2).sum() for selected in ranks_of]
    unbiased = []
    for selected in ranks_of:
        pair = selected[::2] & selected[1::2]
        between = np.mean([(pair[i] & pair[i + 1]).sum() for i in range(pairs - 1)])
        unbiased.append(pair.mean(axis=0).sum() / pairs + (1 - 1 / pairs) * between)
    assert paths.observed_square([of_runs], np.array([2, 8, 20]), pairs) == pytest.approx(unbiased)
    assert unbiased == pytest.approx(squares, rel=0.3, abs=0.3)


def repeated_ranks(rng, of_runs, repeated):
    """Rankings (M, d) by a statistic that correlates with the given rankings by `repeated`. The rest is new in each run."""
    quantiles = stats.norm.isf((of_runs - 0.5) / of_runs.shape[1] / 2)
    values = np.abs(repeated * quantiles * rng.choice([-1, 1]) + np.sqrt(1 - repeated**2) * rng.normal(size=of_runs.shape))
    return np.argsort(np.argsort(-values, axis=1), axis=1) + 1.0


def shuffles(seed, repeated, n=100, d=200, number=20):
    """Rankings of two complementary pairs on tables without signal."""
    rows, rng = rows_of(sc.ComplementaryPairs(2), n, seed), np.random.default_rng(seed + 1000)
    return [[repeated_ranks(rng, ranks(*drawn(rng, n, d, 0, 0.0), rows) + 1.0, repeated)] for _ in range(number)]


@pytest.mark.parametrize("repeated", [1.0, 0.8])
def test_repeatability_is_the_correlation_between_halves(repeated):
    points, weights = np.array([5, 10, 20, 40]), np.array([0.1, 0.2, 0.3, 0.4])
    assert paths.repeatability(shuffles(0, repeated, number=100), points, 25, weights, 100) == pytest.approx(repeated, abs=0.03)
    assert paths.repeatability(shuffles(1, 0.2), points, 1, weights, 100) == paths.REPEATABILITIES[0]
    one_preferred = [[np.c_[np.ones(len(order)), order[:, 1:] + 1]] for (order,) in shuffles(0, 0.8)]
    assert paths.repeatability(one_preferred, points, 25, weights, 100) == 1
    three = [[np.argsort(np.argsort(np.c_[order[:, :3] / 4, order[:, 3:]], axis=1), axis=1) + 1.0] for (order,) in shuffles(0, 0.8)]
    assert (
        paths.repeatability(three, points, 25, weights, 100) == 1 > paths.repeatability(shuffles(0, 0.8), points, 25, weights, 100)
    )
    rng = np.random.default_rng(3)
    z, others, drawn_anew = rng.normal(size=400_000), rng.normal(size=(2, 400_000)), rng.normal(size=(2, 400_000))
    halves = np.abs(repeated * (z + others) / np.sqrt(2) + np.sqrt(1 - repeated**2) * drawn_anew)
    counted = [(halves >= stats.norm.isf(k / 200 / 2)).all(axis=0).mean() for k in points]
    assert paths.chance_overlap(points / 200, repeated) == pytest.approx(counted, rel=0.1)


def slow_stepwise(of_runs, n_rows, shuffled=None):
    """Tests every feature without the features above it that count as true, feature by feature and run by run."""
    one_go, (M, d) = paths.path_selection([of_runs], n_rows=n_rows, shuffled=shuffled), of_runs.shape
    falling, expected, before = np.argsort(-one_go.scores, kind="stable"), np.zeros(d), 0.0
    ends = np.append(one_go.points, one_go.points[-1] + 1)
    repeated = paths.repeatability(shuffled, ends[:-1], M // 2, one_go.weights, n_rows) if shuffled else 1.0
    for place, f in enumerate(falling):
        true = place - before - before**0.5
        if not place or (place in BEGINS and before <= place and true > 0):
            weight = {g: 1 - true / place for g in falling[:place]}
            sizes = [sum(weight.get(g, 1) for run in of_runs for g in range(d) if run[g] <= k) / M for k in one_go.points]
            left, integral = d - true, sum(w * b for w, b in zip(one_go.weights, paths.path_bound(sizes, d - true, M // 2, 2)))
            chance = left * paths.chance_tail(one_go.scores, np.array(sizes) / left, M // 2, one_go.weights, 2, n_rows, repeated)
        bound = min(left, integral / one_go.scores[f]) if one_go.scores[f] else left
        expected[f] = max(chance[f], 0 if shuffled else bound, before)
        if place + 1 in BEGINS:
            before = expected[f]
    return expected


BEGINS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33)


def test_features_above_reduce_the_number_that_can_be_false():
    values = np.random.default_rng(0).normal(size=(16, 200)) - 4 * np.exp(-np.arange(200) / 20)
    of_runs = np.argsort(np.argsort(values, axis=1), axis=1) + 1.0
    ours, one_go = paths.path_selection([of_runs], n_rows=40), paths.path_selection([of_runs])
    assert (ours.scores == one_go.scores).all() and (ours.points == one_go.points).all()
    found = ours.scores > 0
    assert 10 < found.sum() < 33 and ours.expected_false[found] == pytest.approx(slow_stepwise(of_runs, 40)[found], rel=1e-9)
    by_shuffles = shuffles(0, 0.8, n=40, number=6)
    wide = paths.path_selection([of_runs], n_rows=40, shuffled=by_shuffles)
    bounds = np.cumsum(paths.path_weights(np.arange(1, 202), 1, normed=False) * paths.path_bound(np.arange(1, 201), 200, 8, 2))
    assert wide.points[-1] > ours.points[-1] and bounds[wide.points[-1] - 1] / np.log(wide.points[-1] + 1) <= paths.LOOSE_CUTOFF
    first = np.argsort(-wide.scores, kind="stable")[: BEGINS[-1]]
    assert wide.expected_false[first] == pytest.approx(slow_stepwise(of_runs, 40, by_shuffles)[first], rel=1e-9)
    panels = [(wide.expected_false <= e, e) for e in wide.expected_false]
    slow = [min((e + 1 / 7) / held.sum() for held, e in panels if held[f]) for f in range(200)]
    assert wide.q_values == pytest.approx(slow) and not ours.unseen


def test_features_are_found_if_one_is_first_in_every_half():
    """That feature takes rank 1, so the chance of all others is 0 at k = 1."""
    scores, weights = np.array([0.01, 0.2]), np.array([0.5, 0.3, 0.2])
    tiny, none = (paths.chance_tail(scores, np.array([share, 0.05, 0.2]), 8, weights, 2, 24) for share in (1e-12, 0.0))
    assert none == pytest.approx(tiny)
    values, d = np.random.default_rng(0).normal(size=(50, 20_000)), 20_000
    values[:, :11] -= np.r_[40, np.full(10, 8)]
    of_runs = np.argsort(np.argsort(values, axis=1), axis=1) + 1.0
    by_shuffles = shuffles(0, 1.0, n=100, d=d, number=5)
    path = paths.path_selection([of_runs], n_rows=100, shuffled=by_shuffles)
    assert path.expected_false[0] == 0 and (path.expected_false[1:11] < 0.1).all() and (path.expected_false <= 1).sum() < 20


def test_more_true_features_are_found_and_the_limit_holds():
    """30 of 100 features are true. Once some are found, few others can be false."""
    found, false = [], []
    for seed in range(5):
        X, y = drawn(np.random.default_rng(seed), n=100, d=100, true=30, effect=0.8)
        of_runs = ranks(X, y, rows_of(sc.ComplementaryPairs(25), len(y), 0)) + 1.0
        for power in (2, 3):
            in_panel = paths.path_selection([of_runs], n_rows=100, power=power).expected_false <= 1
            found.append(in_panel[:30].sum() / (paths.path_selection([of_runs], power=power).expected_false <= 1)[:30].sum())
            false.append(in_panel[30:].sum())
    assert np.mean(found) > 1.3 and np.mean(false) <= 1


def false_by_rule(seeds, true=0, effect=0.0, **shape):
    """(T,) false features for three rules: a limit of 1, a false discovery rate of 10%, and a limit of 1 without shared rows."""
    rows = []
    for seed in seeds:
        X, y = drawn(np.random.default_rng(seed), true=true, effect=effect, **shape)
        of_runs = [ranks(X, y, rows_of(sc.ComplementaryPairs(50), len(y), seed)) + 1.0]
        path, alone = paths.path_selection(of_runs, n_rows=len(y)), paths.path_selection(of_runs)
        in_panel = (path.expected_false <= 1, path.q_values <= 0.1, alone.expected_false <= 1)
        rows.append([panel[true:].sum() for panel in in_panel])
    return np.array(rows).T


@pytest.mark.parametrize(
    ("tables", "shape"),
    [
        (25, {"n": 100, "d": 200}),
        *(slow_case(400, shape) for shape in ({"n": 100, "d": 200}, {"n": 100, "d": 100, "shared": 0.6}, {"n": 20, "d": 100})),
    ],
)
def test_limits_hold_on_noise(tables, shape):
    """Few tables allow three standard errors, because two are exceeded by chance in one of 40 sets of tables."""
    most, share, alone = false_by_rule(range(tables), **shape)
    assert most.mean() <= 1 + (3 if tables < 400 else 2) * most.std() / np.sqrt(tables) and (share > 0).mean() <= 0.16
    assert alone.mean() >= most.mean()


@pytest.mark.parametrize(
    ("tables", "repeated", "n"), [(25, 0.9, 100), *(slow_case(400, *of) for of in ((0.9, 100), (0.7, 100), (1.0, 100), (1.0, 60)))]
)
def test_limits_hold_on_noise_with_shuffles(tables, repeated, n):
    """Shuffles admit more features of a selector that is less repeatable than a t filter, up to the limit."""
    rows = []
    for seed in range(tables):
        rng, plan = np.random.default_rng(seed + 100), sc.ComplementaryPairs(25)
        of_runs = [repeated_ranks(rng, ranks(*drawn(rng, n, 200, 0, 0.0), rows_of(plan, n, seed)) + 1.0, repeated)]
        path = paths.path_selection(of_runs, n_rows=n, shuffled=shuffles(seed, repeated, n=n))
        alone = paths.path_selection(of_runs, n_rows=n).expected_false <= 1
        rows.append([(path.expected_false <= 1).sum(), (path.expected_false <= 2).sum(), (path.q_values <= 0.1).any(), alone.sum()])
    within_1, within_2, share, alone = np.array(rows).T
    for limit, most in ((1, within_1), (2, within_2)):
        assert most.mean() <= limit + (3 if tables < 400 else 2) * most.std() / np.sqrt(tables)
    assert share.mean() <= 0.16 and (alone.mean() < 0.7 * within_1.mean() or repeated == 1)


@pytest.mark.parametrize(
    "shape", [slow_case({"d": 200, "true": 2, "effect": 1.0}), slow_case({"d": 100, "true": 30, "effect": 0.8})]
)
def test_the_limit_holds_with_true_features(shape):
    most, _, _ = false_by_rule(range(400), n=100, **shape)
    assert most.mean() <= 1 + 2 * most.std() / 20


def test_wrong_input_is_refused():
    for several, options in (([rankings()], {"power": 4}), ([], {}), ([rankings(runs=5)], {})):
        with pytest.raises(InputError):
            paths.path_selection(several, **options)
