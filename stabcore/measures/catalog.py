"""The only list of stability measures: pages, command line, tests and documentation read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from stabcore.errors import InputError
from stabcore.measures import chance, overlap, similarity, weights

FAMILIES = {
    "overlap": "Overlap of the selected sets (luck included)",
    "chance": "Overlap of the selected sets, beyond chance",
    "similarity": "Sets in which features can stand for each other",
    "weights": "Importances, weights and ranks",
}


@dataclass(frozen=True)
class Properties:
    """What a measure is known to do. None: not studied, or it depends on the relation."""

    fully_defined: bool             # any set sizes
    bounds: bool                    # limits that depend neither on d nor on k
    maximum: bool | None            # reached by a deterministic selection, and only by that
    chance: bool                    # constant on average under random selection
    monotonicity: bool | None       # grows with the agreement of the runs, sizes fixed
    group_size: bool                # a group of copies counts the same whatever its size
    interchangeable: bool           # swapping a feature for one that stands for it costs nothing
    weighted_decomposition: bool    # parts of the selection count by their importance


@dataclass(frozen=True)
class Entry:
    """One measure: what it is called, what it says, what it needs, how far to trust it, where it comes from."""

    key: str
    label: str
    family: str
    plain: str
    formula: str
    range: str
    low: float
    high: float
    corrected: bool
    needs: tuple[str, ...]
    properties: Properties
    reference: str
    function: Callable


def _p(flags) -> Properties:
    """Properties in the order of the class, from a word of y (yes), n (no) and ? (not studied)."""
    return Properties(*({"y": True, "n": False, "?": None}[flag] for flag in flags))


_INFINITY = float("inf")

ENTRIES = (
    Entry("jaccard", "Jaccard", "overlap",
          "Of all features that two runs picked between them, the share that both picked.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{|V_i\cap V_j|}{|V_i\cup V_j|}", "0 to 1", 0.0, 1.0, False, ("sets",),
          _p("yyynynnn"), "Jaccard 1901; Kalousis, Prados & Hilario 2005", overlap.jaccard),
    Entry("kuncheva", "Kuncheva", "chance",
          "How much more two runs agree than picking at random would; only when every run picks equally many.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r_{ij}-k^2/d}{k-k^2/d}", "−1 to 1", -1.0, 1.0, True, ("sets",),
          _p("nyyyynnn"), "Kuncheva 2007", chance.kuncheva),
    Entry("phi", "Phi (correlation of selections)", "chance",
          "How closely picking a feature in one run goes with picking it in another, beyond luck.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r_{ij}-k_ik_j/d}{\sqrt{k_i(1-k_i/d)\,k_j(1-k_j/d)}}", "−1 to 1", -1.0, 1.0,
          True, ("sets",), _p("yyyyynnn"), "Nogueira & Brown 2016; Bommert et al. 2017", chance.phi),
    Entry("nogueira", "Nogueira (classic stability)", "chance",
          "How often the same features come back from run to run, beyond luck: 0 is luck, 1 is always the same.",
          r"1-\frac{\frac1d\sum_f\frac{M}{M-1}p_f(1-p_f)}{\frac{\bar k}{d}\left(1-\frac{\bar k}{d}\right)}",
          "−1/(M−1) to 1", -1.0, 1.0, True, ("sets",), _p("yyyyynnn"), "Nogueira, Sechidis & Brown 2018", chance.nogueira),
    Entry("effective", "Effective stability", "similarity",
          "The same, but features that stand for each other count as one: swapping a marker for its twin costs nothing.",
          r"1-\frac{\operatorname{tr}(CS)}{\operatorname{tr}(C\Sigma^0)}", "no fixed limits; 0 is luck, 1 agreement up to C",
          -_INFINITY, _INFINITY, True, ("sets", "relation"), _p("ynny?nyn"), "Sechidis et al. 2019", similarity.effective),
    Entry("pearson_weights", "Pearson of weights", "weights",
          "How closely the weights that two runs give the features rise and fall together.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\operatorname{cor}(w_i,w_j)", "−1 to 1", -1.0, 1.0, True, ("weights",),
          _p("yynyynnn"), "Kalousis, Prados & Hilario 2005; Hamer & Dupont 2021", weights.pearson_weights),
    Entry("spearman_ranks", "Spearman of ranks", "weights",
          "How similar the order is in which two runs rank all features, not only the selected ones.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\rho(R_i,R_j)", "−1 to 1", -1.0, 1.0, True, ("ranks",),
          _p("yyyyynnn"), "Kalousis, Prados & Hilario 2005", weights.spearman_ranks),
    Entry("importance_weighted", "Importance-weighted", "weights",
          "How much of the models' importance falls on the same features from run to run, beyond luck.",
          r"\frac{A-C}{\bar k-C},\quad A=\frac{2}{M(M-1)}\sum_{i<j}\sum_f\min(I_{fi},I_{fj})", "−1/(M−1) to 1", -1.0, 1.0,
          True, ("sets", "importances"), _p("yyyyyyny"), "Hamer & Dupont 2021", weights.importance_weighted),
)

BY_KEY = {entry.key: entry for entry in ENTRIES}


def entry(key) -> Entry:
    """The catalogue entry of a measure key. Raises InputError that lists the keys."""
    if key not in BY_KEY:
        raise InputError(f"There is no stability measure {key!r}. Choose one of: {', '.join(BY_KEY)}.")
    return BY_KEY[key]


def available(preferences) -> list[Entry]:
    """The measures that these runs carry enough for, a relation aside."""
    carries = {
        "sets": preferences.selection is not None,
        "importances": preferences.weights is not None,
        "weights": preferences.weights is not None or preferences.scores is not None,
        "ranks": preferences.ranks is not None or preferences.scores is not None,
        "relation": True,
    }
    return [one for one in ENTRIES if all(carries[need] for need in one.needs)]


def measures():
    """DataFrame of all measures: key, label, family, plain sentence, formula, range, needs, properties, reference."""
    import pandas as pd

    rows = [{**{k: v for k, v in vars(one).items() if k not in ("properties", "function", "low", "high")},
             **asdict(one.properties)} for one in ENTRIES]
    return pd.DataFrame(rows).set_index("key")
