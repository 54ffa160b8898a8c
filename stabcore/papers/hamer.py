"""Hamer & Dupont 2021: two combined selectors in one number, and growing groups of correlated features."""

import numpy as np
import pandas as pd

from stabcore.inference.estimate import stability
from stabcore.papers.exhibit import LINES, Claim, Exhibit
from stabcore.selections.selections import Selections
from stabcore.selectors.solvers import penalised
from stabcore.selectors.solvers.penalised import Logistic, Problem
from stabcore.similarity.similarity import Similarity

PAPER = "Hamer & Dupont 2021"
FEATURES = 20_000  # section 6.3 uses the limit of infinitely many
PRINTED = {"φ": 0.75, "φ_pears": 0.25, "φ_iw": 0.5}
CONSTANT, MIN_MOVE = 0.1, 0.02  # largest change of a constant curve, and smallest change of a curve that has moved
HALF_DIGIT = 0.005  # half of the last printed digit
# Table 1 of the paper: means inside and outside groups, correlation inside groups, whether groups are selected as a whole
SCENARIOS = {
    "1: group lasso, weaker groups": (0.35, 0.05, 0.8, True),
    "2: group lasso, strong groups": (0.5, 0.05, 0.8, True),
    "3: lasso, strong groups": (0.5, 0.05, 0.95, False),
}
SIZES, GROUPS, LOOSE, SELECTED = (1, 2, 4, 10), 5, 1000, 40
ROWS, RUNS, TABLES = 200, 30, 10
MEASURES = {"φ": "nogueira", "φ_iw": "importance_weighted", "φ_pears": "pearson_weights", "φ_C": "effective"}


def _combined_selectors(_source, _tell):
    """(measure, printed, here): fifteen features in every run with importance 2/3, five others each time with importance 2."""
    weights = np.zeros((RUNS, FEATURES))
    weights[:, :15] = 2 / 3
    for run in range(RUNS):
        weights[run, 15 + 5 * run : 20 + 5 * run] = 2
    runs = Selections.from_weights(weights)
    return pd.DataFrame(
        [(label, value, stability(runs, MEASURES[label]).value) for label, value in PRINTED.items()],
        columns=["measure", "printed", "here"],
    )


def _claim_printed_value(label):
    def holds(frame):
        row = frame.set_index("measure").loc[label]
        return abs(row["here"] - row["printed"]) < HALF_DIGIT, f"{row['here']:.3f}"

    return holds


# ---- the simulation of section 5.3: correlated groups of growing size ----


def _group_sizes(source, on_progress):
    """DataFrame(facet, series, x, y): the mean of each measure over the tables, against the size of the groups."""
    values, total = [], len(SCENARIOS) * TABLES
    for scenario, (name, (inside, outside, correlation, together)) in enumerate(SCENARIOS.items()):
        for number in range(TABLES):
            on_progress(scenario * TABLES + number, total)
            rng = source.rng(scenario, number)
            groups, loose, y = _table(rng, inside, outside, correlation)
            y, drawn, penalty = source.outcome(y), rng.integers(ROWS, size=(RUNS, ROWS)), None
            for size in SIZES:
                columns = np.hstack([groups[:, :, :size].reshape(ROWS, -1), loose])
                sizes = [size] * GROUPS if together else [1] * (GROUPS * size)
                of_groups = np.array(sizes + [1] * LOOSE)
                problems = [_problem(columns[rows], y[rows], of_groups) for rows in drawn]
                if penalty is None:
                    penalty = np.median([_penalty(problem, rng) for problem in problems])
                weights = np.array([_weights(problem, penalty, rng) for problem in problems])
                values += [(name, label, size, value) for label, value in _stabilities(weights, size).items()]
    frame = pd.DataFrame(values, columns=["facet", "series", "x", "y"])
    return frame.groupby(["facet", "series", "x"], sort=False, as_index=False)["y"].mean()


def _table(rng, inside, outside, correlation):
    """(rows, groups, largest size) features inside groups, (rows, loose) others, (rows,) classes."""
    y = np.arange(ROWS) % 2
    sign = 2 * y - 1
    shared = np.sqrt(correlation) * rng.standard_normal((ROWS, GROUPS, 1))
    noise = np.sqrt(1 - correlation) * rng.standard_normal((ROWS, GROUPS, max(SIZES)))
    return inside * sign[:, None, None] + shared + noise, outside * sign[:, None] + rng.standard_normal((ROWS, LOOSE)), y


def _problem(columns, y, sizes):
    """The logistic (group) lasso of one bootstrap sample, on standardised columns."""
    standardised = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    return Problem(np.ascontiguousarray(standardised.T), Logistic(y.astype(float)), sizes)


def _penalty(problem, rng):
    """The penalty that selects about 40 features."""
    return next(model.penalty for model in penalised.solution_path(problem, rng) if len(model.active) >= SELECTED)


def _weights(problem, penalty, rng):
    """(d,) absolute weights of the model at this penalty."""
    weights, before = np.zeros(len(problem.columns)), None
    for model in penalised.solution_path(problem, rng):
        if model.penalty < penalty and before is not None:
            model_between = penalised.solution_at(problem, before, model, penalty, rng)
            weights[model_between.active] = np.abs(model_between.weights)
            break
        before = model
    return weights


def _stabilities(weights, size):
    runs, names = Selections.from_weights(weights), [range(g * size, (g + 1) * size) for g in range(GROUPS)]
    similarity = Similarity.from_groups({f"g{g}": members for g, members in enumerate(names)}, n_features=weights.shape[1])
    return {
        label: stability(runs, key, similarity=similarity if key == "effective" else None).value for label, key in MEASURES.items()
    }


def _curves(frame, scenario):
    """{measure: values by the size of the groups} of one scenario."""
    rows = frame[frame["facet"].str.startswith(f"{scenario}:")].sort_values("x")
    return {label: curve["y"].to_numpy() for label, curve in rows.groupby("series", sort=False)}


def _claim_change(scenarios, labels, sign):
    """The test of a claim that these curves rise (1) or fall (−1) from the first to the last size by more than MOVED."""

    def holds(frame):
        curves = {(scenario, label): _curves(frame, scenario)[label] for scenario in scenarios for label in labels}
        numbers = ", ".join(
            f"{label} {values[0]:.2f} to {values[-1]:.2f} (scenario {scenario})" for (scenario, label), values in curves.items()
        )
        return all(sign * (values[-1] - values[0]) > MIN_MOVE for values in curves.values()), numbers

    return holds


def _claim_no_change(scenarios, label):
    def holds(frame):
        curves = {scenario: _curves(frame, scenario)[label] for scenario in scenarios}
        numbers = [f"{values.min():.2f} to {values.max():.2f} (scenario {scenario})" for scenario, values in curves.items()]
        return all(np.abs(values - values[0]).max() <= CONSTANT for values in curves.values()), ", ".join(numbers)

    return holds


def _claim_larger_change(label, sign):
    def holds(frame):
        moved = [sign * (values[-1] - values[0]) for values in (_curves(frame, scenario)[label] for scenario in (1, 2))]
        return bool(moved[1] > moved[0]), f"{sign * moved[0]:+.2f} in scenario 1, {sign * moved[1]:+.2f} in scenario 2"

    return holds


def _starts_highest(frame):
    first = {scenario: {label: values[0] for label, values in _curves(frame, scenario).items()} for scenario in (1, 2)}
    others = {scenario: max(value for label, value in starts.items() if label != "φ_pears") for scenario, starts in first.items()}
    return all(first[scenario]["φ_pears"] > others[scenario] for scenario in first), ", ".join(
        f"{first[scenario]['φ_pears']:.2f}, others at most {others[scenario]:.2f} (scenario {scenario})" for scenario in first
    )


def _first_up_then_down(frame):
    values = _curves(frame, 1)["φ_C"]
    return bool(values.max() > values[0] and values[-1] < values[0]), ", ".join(f"{value:.2f}" for value in values)


_FIGURE = "curves, no numbers"
EXHIBITS = (
    Exhibit(
        key="hamer-section-6-3",
        paper=PAPER,
        number="Section 6.3",
        title="A stable selector and an unstable one, combined",
        shows="One selector always selects the same 15 features. Another selects 5 new features in each run. The 5 features "
        "are three times as important as the 15.",
        here=f"The same map with {RUNS} runs and {FEATURES:,} features.",
        make=_combined_selectors,
        outcome=False,
        claims=tuple(
            Claim("6.3", f"{label} of the combination", f"{value:g}", _claim_printed_value(label))
            for label, value in PRINTED.items()
        ),
    ),
    Exhibit(
        key="hamer-figure-8",
        paper=PAPER,
        number="Figure 8",
        title="Groups of correlated features grow",
        kind=LINES,
        shows="Five groups of correlated features carry the signal. Each group grows while its signal stays the same. The "
        "stability should not depend on the size of the groups.",
        here=f"The setting of the paper: {ROWS} patients, 1,000 other features, {RUNS} bootstrap runs, mean of {TABLES} "
        "tables. The penalty selects about 40 features when groups have one feature. Approximately constant: within "
        f"{CONSTANT} of its start.",
        make=_group_sizes,
        x=("x", "Features in each group"),
        y=("y", "Stability"),
        facet="facet",
        seconds=120,
        claims=(
            Claim("5.3", "Group lasso: φ increases with the size of the groups.", _FIGURE, _claim_change((1, 2), ("φ",), 1)),
            Claim(
                "5.3",
                "φ increases more with strong groups (scenario 2) than with weaker ones.",
                _FIGURE,
                _claim_larger_change("φ", 1),
            ),
            Claim("5.3", "Group lasso: φ_pears starts higher than the other measures.", _FIGURE, _starts_highest),
            Claim("5.3", "Group lasso: φ_pears decreases.", _FIGURE, _claim_change((1, 2), ("φ_pears",), -1)),
            Claim(
                "5.3",
                "φ_pears decreases more with strong groups than with weaker ones.",
                _FIGURE,
                _claim_larger_change("φ_pears", -1),
            ),
            Claim("5.3", "Group lasso: φ_iw is approximately constant.", _FIGURE, _claim_no_change((1, 2), "φ_iw")),
            Claim("5.3", "Strong groups: φ_C increases, as φ does.", _FIGURE, _claim_change((2,), ("φ_C",), 1)),
            Claim("5.3", "Weaker groups: φ_C first increases and then falls below its start.", _FIGURE, _first_up_then_down),
            Claim("5.3", "Lasso: φ_C is approximately constant.", _FIGURE, _claim_no_change((3,), "φ_C")),
            Claim("5.3", "Lasso: φ, φ_iw and φ_pears decrease.", _FIGURE, _claim_change((3,), ("φ", "φ_iw", "φ_pears"), -1)),
        ),
        page="pages/whatif.py",
    ),
)
