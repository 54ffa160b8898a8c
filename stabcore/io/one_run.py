"""Tables of features that one model gives, such as ranger, Boruta, caret and glmnet in R: of one run, or of several."""

from __future__ import annotations

from dataclasses import dataclass

from stabcore.io.intercept import is_intercept
from stabcore.io.matrix import value_of
from stabcore.io.question import Question
from stabcore.io.selection_words import COEFFICIENT, FEATURE, RUN, SELECTOR, VALUE, is_run, word
from stabcore.errors import InputError
from stabcore.wording import listed, several, shown

DECISIONS = {"confirmed": "1", "tentative": "0", "rejected": "0"}
# What packages call how much a feature counts; R writes the names of the features beside under no name.
IMPORTANCE = {"%incmse", "coef", "coefficient", "coefficients", "estimate", "gain", "imp", "importance", "importance score",
              "importances", "incnodepurity", "mdi", "mean decrease accuracy", "mean decrease gini", "meandecreaseaccuracy",
              "meandecreasegini", "overall", "permutation importance", "rel inf", "relative importance", "scaled importance",
              "score", "variable importance", "weight"}
_COUNTS = {"anzahl", "count", "counts", "freq", "frequency", "häufigkeit", "n", "percent", "prop", "selected", "times", "votes"}
_NAMES = FEATURE | {"", "attribute", "feature names", "name", "names", "row name", "rowname", "rownames", "var"}
_SHADOWS = {"shadowmax", "shadowmean", "shadowmin"}
_MOST_COLUMNS = 40
_RUNS_IN_R = """runs <- lapply(1:50, function(i) {{
  rows <- sample(nrow(d), nrow(d) / 2)
  {fit}
}})
write.csv(do.call(rbind, runs), "runs.csv", row.names = FALSE)"""
_IN_R = {"Boruta": "s <- attStats(Boruta(y ~ ., data = d[rows, ]))\n  data.frame(run = i, feature = rownames(s), s)",
         "importance": 'v <- ranger(y ~ ., data = d[rows, ], importance = "permutation")$variable.importance\n'
                       "  data.frame(run = i, feature = names(v), importance = v)"}


class OneRun(Question):
    """A table of one run, which has no stability: bring several together, or with a column that tells the run.

    rows: (line, cells) of its features and values beneath "feature" and what the values are; in_r: lines of R that write what is
    needed.
    """

    def __init__(self, rows, of, notes=()):
        given = "a decision on each, as Boruta in R gives them" if of == "Boruta" else (
            "a number each, as one fit of a model gives them")
        self.in_r = _RUNS_IN_R.format(fit=_IN_R[of])
        many = sum(not is_intercept(cells[0]) for _, cells in rows[1:])
        super().__init__(f"This is a table of one run: {several(many, 'feature')} with {given}; of its columns there is none "
                         "that tells the run. One run has no stability: select again on several resamples of the patients, 2 at "
                         "least and better 50, and bring all tables together, a file each, or one table with a column 'run'. A "
                         "count or share over all runs is not enough.", "one_run", {})
        self.rows, self.notes = rows, tuple(notes)


@dataclass(frozen=True)
class _Places:
    """Which columns hold what; None where there is none."""

    run: int | None
    selector: int | None
    feature: int
    value: int


def plain_runs(rows, value_column=None):
    """(rows, notes) of such a table with a column of runs, in the words of a long table; other rows as they are, without a note.

    rows: a list of (line, cells). Raises OneRun where there is no run, Question where several columns may count.
    """
    if len(rows) < 3 or len(rows[1][1]) < 2:
        return rows, []
    head = rows[0][1] if len(rows[0][1]) == len(rows[1][1]) else ["", *rows[0][1]]
    if any(len(cells) != len(head) for _, cells in rows[1:]):
        return rows, []
    body = rows[1:]
    if len(_SHADOWS.intersection(cell.casefold() for cell in head)) > 1:
        raise InputError("This is the history inside one run of Boruta: its lines are iterations on the same patients, no runs on "
                         "others, so their agreement tells nothing. Bring attStats of several runs on resamples.")
    decisions = [j for j in range(len(head)) if _are_decisions(body, j)]
    if len(decisions) > 1:
        return [rows[0], *((line, [DECISIONS.get(cell.casefold(), cell) for cell in cells]) for line, cells in body)], [
            _told_decisions(cell for _, cells in body for cell in cells)]
    words = [word(cell) for cell in head[:_MOST_COLUMNS + 1]]
    places = _places(head, words, body, decisions, value_column) if len(words) <= _MOST_COLUMNS else None
    if places is None:
        return rows, []
    _refuse_other_lines(words, body, places)
    long, notes = _long(head, body, places, bool(decisions))
    if places.run is None and places.selector is None:
        raise OneRun(long, "Boruta" if decisions else "importance", notes)
    if places.run is None or not decisions and words[places.value] in VALUE and words[places.feature] in FEATURE:
        return rows, []                 # a long table as it is, or one that lacks its runs
    return long, notes


def _places(head, words, body, decisions, value_column) -> _Places | None:
    """Which columns hold what; None where this is no such table."""
    run, selector = (next((j for j, name in enumerate(words) if name in known), None) for known in (RUN, SELECTOR))
    value = decisions[0] if decisions else _value(head, words, body, value_column)
    if value is None:
        if run is None and _are_counts(words, body):
            raise InputError("This is a count of features over all runs, and there is no column that tells the run. A count over "
                             "all runs is not enough: stability compares the runs, so bring what each of them selected.")
        return None
    feature = _feature(words, body, {run, selector, value})
    if feature is None or run is None and words[feature] == "" and all(is_run(cells[feature]) for _, cells in body):
        return None
    return _Places(run, selector, feature, value)


def _refuse_other_lines(words, body, places):
    """What R puts one below another that is not one run a name."""
    if places.run is not None and "variables" in words and words[places.feature] == "var":
        _refuse_other_sizes(body, words.index("variables"))
    if places.run is not None and words[places.feature] not in FEATURE:
        _refuse_made_unique(body, places)


def _are_counts(words, body):
    """Names of features and how often each came, nothing else."""
    counts = [j for j, name in enumerate(words) if name in _COUNTS]
    numeric = [_are_numbers(body, j) for j in range(len(words))] if counts else []
    return bool(counts) and all(numeric[j] for j in counts) and set(words) <= _NAMES | _COUNTS | {"var1"} and not all(numeric)


def _are_decisions(body, j):
    return all(cells[j].casefold() in DECISIONS for _, cells in body)


def _told_decisions(cells):
    tentative = any(cell.casefold() == "tentative" for cell in cells)
    return "A feature that Boruta confirmed was taken as selected, one that it rejected as not selected" + (
        ", and so were tentative ones: to decide on them, use TentativeRoughFix in R." if tentative else ".")


def _value(head, words, body, asked):
    """The column that tells how much a feature counts, or None."""
    others = (VALUE - COEFFICIENT) | FEATURE | RUN | _COUNTS
    if len(words) == 2 and words[0] in _NAMES and words[1] not in others and _are_numbers(body, 1):
        return 1                        # names and numbers alone, whatever these are called
    of = [j for j, name in enumerate(words) if name in IMPORTANCE and _are_numbers(body, j)]
    named = [j for j in of if head[j] == asked]
    if len(of) > 1 and not named:
        raise Question(f"Several columns tell how much a feature counts: {listed(head[j] for j in of)}. Which one is meant?",
                       "value_column", {head[j]: head[j] for j in of})
    return (named or of or [None])[0]


def _are_numbers(body, j):
    return all(value_of(cells[j]) is not None for _, cells in body)


def _feature(words, body, used):
    """The column of the names of features, or None: called so, or R's names of the rows."""
    texts = [j for j, name in enumerate(words) if name in _NAMES and j not in used
             and all(cells[j] and value_of(cells[j]) is None for _, cells in body)]
    return max(texts, key=lambda j: (words[j] in FEATURE, words[j] == "var", -j), default=None)


def _long(head, body, places, decided):
    """(rows beneath run, selector, feature and value, notes)."""
    kept = [j for j in (places.run, places.selector, places.feature) if j is not None]
    called = {places.run: "run", places.selector: "selector", places.feature: "feature"}
    of_model = any(is_intercept(cells[places.feature]) for _, cells in body)
    usual = head[places.value] if word(head[places.value]) in VALUE else "importance"
    value = "selected" if decided else "coef" if of_model else usual
    def read(cell):
        return DECISIONS[cell.casefold()] if decided else cell

    rows = [(0, [*(called[j] for j in kept), value])]
    rows += [(line, [*(cells[j] for j in kept), read(cells[places.value])]) for line, cells in body]
    return rows, [_told_decisions(cells[places.value] for _, cells in body) if decided else
                  f"{shown(head[places.value])} was taken as how much each feature counts."]


def _refuse_other_sizes(body, sizes):
    """Recursive elimination in caret keeps the variables of each size that it tried, one size below another."""
    different = list(dict.fromkeys(cells[sizes] for _, cells in body))
    if len(different) > 1:
        raise InputError(f"There are {several(len(different), 'size')} of each run ({listed(different, 3)} variables), as rfe "
                         "in caret keeps them. Keep one: x$variables[x$variables$Variables == x$optsize, ] in R.")


def _refuse_made_unique(body, places):
    """R makes the names of rows unique when it puts tables one below another: ALT, ALT1, ALT2 are one feature then."""
    of = {}
    for _, cells in body:
        of.setdefault(cells[places.feature], set()).add(cells[places.run])
    runs = set().union(*of.values())
    bare = {name.rstrip("0123456789") for name in of}
    if len(runs) > 1 and all(len(own) == 1 for own in of.values()) and 2 * len(bare) <= len(of) + 1:
        raise InputError(f"Every name stands in one run only, as {listed(list(of)[:1] + list(of)[-1:])}: R makes the names of rows "
                         "unique when it puts tables one below another. Add the names as a column to each table before: "
                         "s$feature <- rownames(s).")
