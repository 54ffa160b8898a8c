"""The letters of formulas, each with one meaning everywhere."""

from __future__ import annotations

import re

LETTERS = {
    r"\Phi": "stability",
    r"\hat\Phi": "stability as measured",
    r"\bar\Phi": "the mean over the values without each unit",
    "M": "how many runs",
    "d": "how many features there are",
    "k": "how many features a run selects",
    r"\bar k": "the mean of k over the runs",
    "V": "the set that a run selects",
    "Z": "the selection matrix",
    "z": "1 where a run selected a feature, else 0",
    r"\hat p": "the share of the runs that selected a feature",
    "S": "how the selections vary over the runs",
    "s": "how the selections of two features vary together",
    r"\Sigma": "how random sets of the same sizes would vary",
    "C": "what stands for what",
    "c": "how far two features stand for each other",
    "I": "every feature for itself only",
    "f": "a feature",
    "i": "a run, or a row",
    "j": "another run",
    "G": "how many units of runs there are",
    "g": "a unit of runs",
    r"\rho": "a correlation",
    r"\theta": "the threshold",
    r"\gamma": "what accuracy counts",
    "a": "accuracy",
    "n": "how many rows",
    "y": "the outcome",
    r"\hat y": "the outcome as predicted",
    "q": "how many features a run selects on average",
    r"\pi": "the share of the runs that is asked for",
    "m": "how many questions",
    "p": "a p-value",
    "t": "the width of Student's distribution",
    r"\mathrm{se}": "the standard error",
    "E(V)": "how many false features to expect",
    r"\mathrm{tr}": "the sum over the diagonal",
    "r": "how many features two runs share",
}
"""What each letter stands for, by how LaTeX writes it."""

_SHARED = {
    "I": "what two runs share, stand-ins counted",
    "E": "what random sets of these sizes share",
    "A": "how many features of one run alone have a stand-in among those of the other alone",
    r"\bar A": "the same, each counted by how far it stands in",
}
_ALL = {"h": "how many runs selected a feature", "q": "how many features all runs selected together"}
_DIRECTED = {"O": "how many features of one run the other has, or a stand-in for", "E": "what random sets of these sizes share"}
MEASURES = {
    "hamming": {"u": "how many features two runs selected between them"},
    "novovicova": _ALL,
    "somol": {**_ALL, "CW": "the weighted consistency", "c": "the least and the most that it can be"},
    "davis": {**_ALL, r"\alpha": "the penalty for many features"},
    "npog": {"e": "what random sets of these sizes share"},
    "nogueira": {"p": "the share of the runs that selected a feature"},
    "intersection_count": _SHARED,
    "yu": _SHARED,
    "intersection_mean": _SHARED,
    "intersection_mbm": {**_SHARED, r"\mathrm{MBM}": "the most pairs of stand-ins, each used once"},
    "intersection_greedy": {**_SHARED, r"\mathrm{GMBM}": "pairs of stand-ins, the strongest first, each used once"},
    "pogr": _DIRECTED,
    "npogr": _DIRECTED,
    "zucknick": {
        "c": "how far features of one run stand in for those of the other",
        "u": "how many features two runs selected between them",
        "x": "a feature",
        "y": "another feature",
    },
    "pearson_weights": {"I": "the importances of a run"},
    "pearson_scores": {"w": "the scores of a run"},
    "spearman_ranks": {"R": "the places of the features in a run", r"\rho": "the rank correlation"},
    "canberra": {
        "R": "the places of the features in a run",
        "s": "places, those beyond k as one",
        r"\chi": "what random orders give",
    },
    "rbo": {
        "B": "how far two rankings overlap",
        "E": "what random orders give",
        "e": "a place",
        "X": "how many features two rankings share down to a place",
        "p": "how slowly deeper places lose their weight",
    },
    "importance_weighted": {
        "A": "the importance that two runs share",
        "C": "what random sets share",
        "I": "the importances of a run",
    },
    "shared_information": {
        "A": "the importance that can be carried from one run to another",
        "E": "what random sets share",
        "T": "how much is carried from each feature to each other",
    },
}
"""What letters stand for in the formula of a measure, where that is something else: {key of the measure: letters}."""
_SILENT = re.compile(
    r"\\(frac|sum|in|le|ge|dots|times|quad|partial|cap|cup|mapsto|cdot|pm|sqrt|log|left|right"
    r"|min|max|setminus|Big)(?![a-zA-Z])|\\operatorname\{(median|cor)\}|\\[{},!;:]|\\ "
)


def letters_of(formula: str, measure: str = "") -> dict[str, str]:
    """{letter: what it stands for} of a formula in LaTeX, in the order in which they come; letters that nobody knows have "".

    measure: the key of the measure whose formula it is; some have letters of their own.
    """
    known = {**LETTERS, **MEASURES.get(measure, {})}
    tokens = sorted(known, key=len, reverse=True)
    letters, rest = dict[str, str](), _SILENT.sub(" ", formula.replace(r"\operatorname{tr}", r"\mathrm{tr}"))
    while rest:
        token = next((one for one in tokens if rest.startswith(one)), None)
        if token is None:
            token = re.findall(r"^(?:\\[a-zA-Z]+(?:\{\w+\}|\s?\w)?|[A-Za-z]|.)", rest, re.DOTALL)[0]
            if re.search("[A-Za-z]", token):
                letters.setdefault(token, "")
        else:
            letters.setdefault(token, known[token])
        rest = rest[len(token) :]
    return letters
