"""What a result would show without any signal, selector by selector, and how much that differs from table to table."""

from __future__ import annotations

import numpy as np

from stabcore.errors import InputError
from stabcore.inference.estimate import deviate, stability
from stabcore.inference.floor import floor_profile, marginal_floor, marginal_spread, noise_floor, often_without_signal
from stabcore.measures.catalog import entry
from stabcore.selectors.baseline import is_baseline

EXPECTED = ("nogueira", "kappa")      # measures of which the closed form speaks
COLUMNS = ("floor", "floor_low", "floor_high", "shuffles", "note")
REACH = 1.96            # standard deviations, within which 95 of 100 tables lie
MOST_SPREADS = 40       # numbers of features, twice, at which the spread of a curve is computed
STEP = 1e-4             # of a cut, for its derivative


def closed_form(result, ks, measure="nogueira", relation=None):
    """DataFrame(k, value, low, high): the floor of a measure for every k and the range of 95 of 100 tables without any signal.

    Missing where no closed form is known, as of selections that were brought; low and high are known of nogueira and its like.
    """
    import pandas as pd

    unrelated = measure == "effective" and relation is not None and not relation.n_related
    key, frame = "nogueira" if unrelated else measure, pd.DataFrame({"k": ks, "value": np.nan, "low": np.nan, "high": np.nan})
    if result.plan is None or not len(ks):
        return frame
    frame["value"] = floor_profile(result.plan, len(result.features), ks, key)
    if key in EXPECTED and frame["value"].notna().any():
        reach = REACH * floor_spreads(result.plan, ks, len(result.features))
        frame["low"], frame["high"] = frame["value"] - reach, np.minimum(frame["value"] + reach, 1)
    return frame


def marginal_without_signal(plan, ks, window, n_features):
    """DataFrame(k, value, low, high): marginal stability of filters without any signal, and the range of 95 of 100 tables.

    No rows where that is not known, as of an own plan that does not say what its runs share.
    """
    import pandas as pd

    ks = np.asarray(ks)
    try:
        value = marginal_floor(plan, ks, window, n_features)
        reach = deviate(0.95) * marginal_spread(plan, ks, window, n_features)
    except InputError:
        return pd.DataFrame(columns=["k", "value", "low", "high"])
    return pd.DataFrame({"k": ks, "value": value, "low": value - reach, "high": value + reach}).dropna(subset="value")


def expected_often(result, k, share, runs) -> float:
    """How many features a filter would select in at least `share` of so many runs without any signal; NaN where not known."""
    if result.plan is None:
        return np.nan
    try:
        return len(result.features) * often_without_signal(result.plan, k or result.n_selected, len(result.features), share, runs)
    except InputError:                              # an own plan that does not say what its runs share
        return np.nan


def floor_spread(plan, k, d) -> float:
    """Standard deviation of the floor from one table without any signal to the next, d independent features.

    In the model of noise_floor the score of a feature in a run is √ρ u + √(1 − ρ) e, u the same in all runs and e the run's own; so
    its frequency is p(u) = P(|√ρ u + √(1 − ρ) e| > c), and 1 − the stability is the mean of v = p(1 − p) over d draws of u, divided
    by π(1 − π). As k is fixed, c gives way when many u are large: what counts is v − βp, β = (dE v/dc)/(dE p/dc).
    Where runs share unequal amounts (halves, folds) ρ is their mean. Correlated features spread further. Raises as noise_floor.
    """
    from scipy.special import ndtr, ndtri

    noise_floor(plan, k, d)                             # refuses what has no floor
    rho = sum(weight * one for one, weight in plan.shared_rows())
    share, (u, density) = k / d, _normal()
    if share == 1 or rho == 0:
        return 0.0

    def frequency(cut):
        return sum(ndtr((sign * np.sqrt(rho) * u - cut) / np.sqrt(1 - rho)) for sign in (1, -1))

    p, further, nearer = (frequency(-ndtri(share / 2) + step) for step in (0, STEP, -STEP))
    v = p * (1 - p)
    give = (further * (1 - further) - nearer * (1 - nearer)) @ density / ((further - nearer) @ density)
    return _spread(v - give * p, density, share, d)


def floor_spreads(plan, ks, d):
    """(K,) floor_spread of rising numbers of features k, computed at some of them, most of them small, and straight between."""
    ks = np.asarray(ks)
    steps = np.append(np.geomspace(1, len(ks), MOST_SPREADS) - 1, np.linspace(0, len(ks) - 1, MOST_SPREADS))
    some = np.unique(ks[steps.astype(int)])
    return np.interp(ks, some, [floor_spread(plan, k, d) for k in some.tolist()])


def halves_spread(k, d) -> float:
    """Standard deviation of the agreement of two separate halves (kappa) from one table without any signal to the next.

    All pairs of halves come from one table: with u the score of a feature in all rows, halves have (u ± w)/√2, w drawn anew for
    each pair. Both select it with probability q(u) = 2 Φ(−a − |u|) + max(0, 2 Φ(|u| − a) − 1), one of them with p(u) = Φ(u − a) +
    Φ(−u − a), a = c√2. E q = π², so the agreement is 0 on average; as k is fixed, what counts in one table is q − 2πp.
    """
    from scipy.special import ndtr, ndtri

    share, (u, density) = k / d, _normal()
    if share == 1:
        return 0.0
    a = -ndtri(share / 2) * np.sqrt(2)
    both = 2 * ndtr(-a - abs(u)) + np.maximum(0, 2 * ndtr(abs(u) - a) - 1)
    return _spread(both - 2 * share * (ndtr(u - a) + ndtr(-u - a)), density, share, d)


def floors_of_halves(halves, n_features, blind=()):
    """DataFrame(floor, floor_low, floor_high), a row of `halves` each: what two separate halves would share without any signal.

    halves: DataFrame(selector, measure, value, size) as StudyResult.split_half gives it, one measure after another. The floor is
    0, with the range of 95 of 100 tables for kappa; `blind` selectors, which do not look at the outcome, have their own value.
    """
    import pandas as pd

    unmoved = halves["selector"].isin([name for name in blind if not is_baseline(name)])
    reach = REACH * np.array([halves_spread(size, n_features) if size >= 1 else np.nan for size in halves["size"]])
    reach = np.where(unmoved | (halves["measure"] != "kappa"), np.nan, reach)
    return pd.DataFrame({"floor": halves["value"].where(unmoved, 0.0), "floor_low": -reach, "floor_high": reach},
                        index=halves.index)


def _normal():
    """(values, their weights) of a standard normal."""
    u = np.linspace(-8, 8, 4001)
    density = np.exp(-u * u / 2)
    return u, density / density.sum()


def _spread(of, density, share, d):
    return float(np.sqrt(((of * of) @ density - (of @ density) ** 2) / d) / (share * (1 - share)))


def floors(result, measure="nogueira", relation=None, k=None):
    """DataFrame(floor, floor_low, floor_high, shuffles, note, blind), a row a selector: what there would be without any signal.

    Of its control by shuffling where it has one, the mean and range over `shuffles`; else, of nogueira and kappa, the closed form
    of `noise_floor` at the mean number of features selected, with the range of 95 of 100 tables without any signal. What does not
    look at the outcome (`blind`) has its own value for a floor, a baseline that of random sets. NaN with a `note` where nothing is
    known.
    """
    import pandas as pd

    definition = entry(measure)
    if getattr(result, "has_control", False):
        frame = result.floor(definition.key, relation=relation, k=k).reindex(result.ready)[list(COLUMNS)]
        return frame.assign(blind=frame.index.isin(blind(result)))
    rows = [_without_control(result, label, definition, relation, k) for label in result.ready]
    frame = pd.DataFrame([(floor, max(floor - reach, -1.0), min(floor + reach, 1.0), 0, note) for floor, reach, note in rows],
                         index=pd.Index(result.ready, name="selector"), columns=list(COLUMNS))
    return frame.assign(blind=frame.index.isin(blind(result)))


def _without_control(result, label, definition, relation, k):
    """(floor, how far it reaches to both sides, why there is none) of a selector of a result without shuffled runs."""
    plan, runs = getattr(result, "plan", None), result.preferences(label, k)
    if definition.corrected and is_baseline(label):
        return 0.0, np.nan, ""
    if label in blind(result):
        return stability(runs, [definition.key], relation=relation)[definition.key].value, np.nan, ""
    if plan is None:
        return np.nan, np.nan, "how these runs were made is not known"
    nothing_related = definition.key == "effective" and relation is not None and relation.n_related == 0
    if definition.key not in EXPECTED and not nothing_related:
        return np.nan, np.nan, "the floor of this measure is known from a control by shuffling only"
    k, d = float(runs.sizes.mean()), runs.n_features
    try:
        return noise_floor(plan, k, d), REACH * floor_spread(plan, k, d), ""
    except InputError as error:
        return np.nan, np.nan, str(error)


def blind(result) -> list[str]:
    """The selectors of a result that do not look at the outcome, so that they select the same whether there is a signal or not."""
    known = {label: result.entry_of(label) for label in result.ready}
    return [label for label, one in known.items() if one is not None and not one.looks_at_outcome]


def beyond(value, floor):
    """How far a stability is on the way from its floor to 1: (Φ − Φ₀)/(1 − Φ₀); NaN where the floor is 1 or not known."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(floor) < 1, (np.asarray(value) - floor) / (1 - np.asarray(floor)), np.nan)[()]
