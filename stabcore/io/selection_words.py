"""Words by which people, R and Python call runs, features, values, selectors and the constant of a model, and write yes and no."""

from __future__ import annotations

import re
from collections import Counter

from stabcore.base.text import comma_separated
from stabcore.io.cells import PAIRS

RUN = set(
    comma_separated(
        "boot, bootstrap, durchlauf, fold, iter, iteration, lauf, rep, repeat, repetition, resample, resampling, "
        "resampling iteration, run, run id, run no, run number, runs, seed, split, subsample, wiederholung"
    )
)
FEATURE = set(
    comma_separated(
        "biomarker, biomarkers, feature, feature name, feature names, features, gen, gene, gene symbol, genes, marker, markers, "
        "merkmal, merkmale, predictor, predictors, probe, probe id, protein, selected feature, selected features, "
        "selected genes, selected variables, symbol, term, terms, variable, variables"
    )
)
COEFFICIENT = set(
    comma_separated(
        "b, beta, betas, coef, coefficient, coefficients, coefs, coeff, coeffs, estimate, estimates, koeffizient, koeffizienten, "
        "loading, loadings, log odds, s0, s1, β"
    )
)
VALUE = COEFFICIENT | set(
    comma_separated(
        "ausgewählt, chosen, gain, gewicht, importance, importances, rank, score, selected, value, values, weight, weights, "
        "wert, wichtigkeit"
    )
)
SELECTOR = set(
    comma_separated(
        "algorithm, feature selector, learner, learner id, method, methode, model, selection method, selector, verfahren"
    )
)
RANKS, SCORES = {"rank"}, {"score"}

_RUN_PART = (
    r"(?:run|fold|resample|resampling|iteration|iter|repeat|repetition|rep|split|bootstrap|boot|subsample|seed|set|lauf|"
    r"durchlauf)[ _.-]*\d+"
)
RUN_NAME = re.compile(rf"{_RUN_PART}(?:[ _.,-]*{_RUN_PART})*", re.IGNORECASE)
_NAMELESS = re.compile(r"[VX]?\d{1,6}", re.ASCII)

YES_NO = (
    *PAIRS,
    *(("selected", "not selected"), ("x", "-"), ("x", "."), ("x", "o")),
    *((yes, "") for yes in ("x", "✓", "✔", "*", "+", "yes", "true", "1")),
)
_UNKNOWN = ("na", "nan", "n/a", "#n/a", "<na>")  # neither: named by their place, too
MOSTLY = 2 / 3  # of the cells say yes or no, so that a slip is named by its place


def word(cell) -> str:
    """A column name as it is looked up: run_id, Run.ID and run id are the same."""
    return " ".join(re.split(r"[\s_.-]+", cell.strip().casefold())).strip()


def is_run(name) -> bool:
    """Whether this is the name of a run: run 3, Fold1.Rep2, Resample07."""
    return bool(RUN_NAME.fullmatch(name))


def is_nameless(name) -> bool:
    """Whether this is a default name of R or Python for a column or row: V3, X3, 3."""
    return bool(_NAMELESS.fullmatch(name))


def counts_up(cells) -> bool:
    """Whether these are 1, 2, 3, … or 0, 1, 2, …."""
    return len(cells) > 1 and any(list(cells) == [str(i + start) for i in range(len(cells))] for start in (0, 1))


def yes_no(cells):
    """The two words, (yes, no), that most cells hold, in small letters; None if they do not mean yes and no."""
    counts = Counter(cell.casefold() for cell in cells)
    for yes, no in YES_NO:
        n_known = counts.total() - (0 if no else counts[""]) - sum(counts[mark] for mark in _UNKNOWN)
        inside = counts[yes] + (counts[no] if no else 0)
        least = n_known if yes == "1" else MOSTLY * n_known  # a 1 among blanks may be a number with gaps
        both = counts[yes] and counts[no]
        if inside and inside >= least and (both or (no and len(yes) > 1)):  # a list may hold a feature called x
            return yes, no
    return None


# ---- the constant that R lists among the coefficients of a model, as '(Intercept)': no feature, so it is left out and told ----

COEFFICIENTS = "coefficients"  # what selections may be said to be: their sizes become importances
LEFT_OUT = "'(Intercept)' is the constant of a model and no feature, so it was left out."
AS_RUNS = {"columns": ["It is the name of a row, so each row was read as a feature and each column as a run."], "rows": []}
SIZES = "The sign of the coefficients was ignored: their size is the importance, and 0 is not selected."


def is_intercept(name: str) -> bool:
    """Whether this is the name that R gives to the constant of a model."""
    return name.strip().strip("'\"").casefold() == "(intercept)"
