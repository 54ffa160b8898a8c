"""The letters of formulas, each with one meaning everywhere."""

import re

LETTERS = {
    r"\Phi": "stability",
    r"\hat\Phi": "stability as measured",
    r"\bar\Phi": "the mean over the values without each unit",
    "M": "number of runs",
    "d": "number of features",
    "k": "number of features that a run selects",
    r"\bar k": "the mean of k over the runs",
    "V": "the set that a run selects",
    "Z": "the selection matrix",
    "z": "1 where a run selected a feature, else 0",
    r"\hat p": "the share of the runs that selected a feature",
    "S": "covariance of the selections",
    "s": "covariance of the selections of two features",
    r"\Sigma": "covariance of random subsets of the same sizes",
    "C": "feature similarity",
    "c": "similarity of two features",
    "I": "no similar features",
    "f": "a feature",
    "i": "a run, or a row",
    "j": "another run",
    "G": "number of units of runs",
    "g": "a unit of runs",
    r"\rho": "a correlation",
    r"\theta": "the threshold",
    r"\gamma": "weight of accuracy",
    "a": "accuracy",
    "n": "number of rows",
    "y": "the outcome",
    r"\hat y": "the outcome as predicted",
    "q": "mean number of selected features",
    r"\pi": "threshold of the selection frequency",
    "m": "number of tests",
    "p": "a p-value",
    "t": "quantile of Student's t distribution",
    r"\mathrm{se}": "the standard error",
    "E(V)": "expected number of false selections",
    r"\mathrm{tr}": "the sum over the diagonal",
    "r": "number of features that two runs share",
}
"""{letter in LaTeX: its meaning}."""

_SHARED = {
    "I": "overlap of two runs, similar features counted",
    "E": "overlap of random subsets of these sizes",
    "A": "number of features of one run alone with a similar one in the other alone",
    r"\bar A": "the same, each weighted by its similarity",
}
_ALL = {"h": "number of runs that selected a feature", "q": "number of selections of all runs"}
_DIRECTED = {
    "O": "number of features of one run that the other has, or similar ones",
    "E": "overlap of random subsets of these sizes",
}
MEASURES = {
    "hamming": {"u": "number of features that either of two runs selected"},
    "novovicova": _ALL,
    "somol": {**_ALL, "CW": "the weighted consistency", "c": "its minimum and maximum"},
    "davis": {**_ALL, r"\alpha": "the penalty for many features"},
    "npog": {"e": "overlap of random subsets of these sizes"},
    "nogueira": {"p": "the share of the runs that selected a feature"},
    "intersection_count": _SHARED,
    "yu": _SHARED,
    "intersection_mean": _SHARED,
    "intersection_mbm": {**_SHARED, r"\mathrm{MBM}": "largest matching of similar features"},
    "intersection_greedy": {**_SHARED, r"\mathrm{GMBM}": "greedy matching of similar features"},
    "pogr": _DIRECTED,
    "npogr": _DIRECTED,
    "zucknick": {
        "c": "similarity of features of one run to those of the other",
        "u": "number of features that either of two runs selected",
        "x": "a feature",
        "y": "another feature",
    },
    "pearson_weights": {"I": "the importances of a run"},
    "pearson_scores": {"w": "the scores of a run"},
    "spearman_ranks": {"R": "the ranks of the features in a run", r"\rho": "the rank correlation"},
    "canberra": {"R": "the ranks of the features in a run", "s": "ranks, those beyond k as one", r"\chi": "value of random orders"},
    "rbo": {
        "B": "overlap of two rankings",
        "E": "value of random orders",
        "e": "a rank",
        "X": "number of features that two rankings share down to a rank",
        "p": "persistence: how slowly lower ranks lose their weight",
    },
    "importance_weighted": {
        "A": "the importance that two runs share",
        "C": "importance that random subsets share",
        "I": "the importances of a run",
    },
    "shared_information": {
        "A": "importance that one run can transport to another",
        "E": "importance that random subsets share",
        "T": "transport from each feature to each other",
    },
}
"""{key of a measure: letters with another meaning in its formula}."""
_SILENT = re.compile(
    r"\\(frac|sum|in|le|ge|dots|times|quad|partial|cap|cup|mapsto|cdot|pm|sqrt|log|left|right"
    r"|min|max|setminus|Big)(?![a-zA-Z])|\\operatorname\{(median|cor)\}|\\[{},!;:]|\\ "
)


def formula_letters(formula: str, measure: str = "") -> dict[str, str]:
    """{letter: its meaning} of a formula in LaTeX, in order. Unknown letters have "".

    measure: the key of the measure of this formula. Some give letters another meaning.
    """
    meanings = {**LETTERS, **MEASURES.get(measure, {})}
    tokens = sorted(meanings, key=len, reverse=True)
    letters, rest = dict[str, str](), _SILENT.sub(" ", formula.replace(r"\operatorname{tr}", r"\mathrm{tr}"))
    while rest:
        token = next((token for token in tokens if rest.startswith(token)), None)
        if token is None:
            token = re.findall(r"^(?:\\[a-zA-Z]+(?:\{\w+\}|\s?\w)?|[A-Za-z]|.)", rest, re.DOTALL)[0]
            if re.search("[A-Za-z]", token):
                letters.setdefault(token, "")
        else:
            letters.setdefault(token, meanings[token])
        rest = rest[len(token) :]
    return letters
