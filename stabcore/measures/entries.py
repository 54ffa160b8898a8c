"""The entries of the catalogue of stability measures: what each is called, says, needs, promises, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stabcore.measures import chance, information, overlap, similarity, weights

FAMILIES = {
    "overlap": "Overlap of the selected sets (luck included)",
    "chance": "Overlap of the selected sets, beyond chance",
    "similarity": "Sets in which features can stand for each other",
    "weights": "Weights and ranks",
    "information": "Importances",
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
    """One measure: what it is called, what it says, what it needs, how far to trust it, where it comes from.

    low, high   what it can reach; otherwise: the same when chance is taken out the other way round (option `corrected`)
    """

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
    otherwise: tuple[float, float] | None = None

    @property
    def needs_importances(self) -> bool:
        """Does it read how much features count, not only which were selected or in what order?"""
        return "importances" in self.needs

    def limits(self, options=None):
        """(low, high) that the measure can reach with these options."""
        usual = (options or {}).get("corrected", self.corrected) == self.corrected
        return (self.low, self.high) if usual else self.otherwise

    def interval(self, value, half, options=None):
        """(low, high): value ± half, as far as the measure can reach with these options; arrays too."""
        low, high = self.limits(options)
        return np.maximum(value - half, np.minimum(low, value)), np.minimum(value + half, np.maximum(high, value))


def _p(flags) -> Properties:
    """Properties in the order of the class, from a word of y (yes), n (no) and ? (not studied)."""
    return Properties(*({"y": True, "n": False, "?": None}[flag] for flag in flags))


_INFINITY = float("inf")
_BEYOND_CHANCE = (-1.0, 1.0)        # of an overlap once chance is taken out
_COUNTS = (0.0, _INFINITY)          # of features shared, when chance is left in

ENTRIES = (
    Entry("jaccard", "Jaccard", "overlap",
          "Of all features that two runs picked between them, the share that both picked.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{|V_i\cap V_j|}{|V_i\cup V_j|}",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Jaccard 1901; Kalousis, Prados & Hilario 2005", overlap.jaccard, _BEYOND_CHANCE),
    Entry("dice", "Dice", "overlap",
          "The features that two runs share, against how many each picked on average.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{2r}{k_i+k_j}",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Dice 1945; Bommert et al. 2017", overlap.dice, _BEYOND_CHANCE),
    Entry("ochiai", "Ochiai", "overlap",
          "The features that two runs share, against the geometric mean of how many each picked.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r}{\sqrt{k_ik_j}}",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Ochiai 1957; Bommert et al. 2017", overlap.ochiai, _BEYOND_CHANCE),
    Entry("hamming", "Hamming", "overlap",
          "The share of all features on which two runs agree, picked by both or left out by both.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r+d-u}{d}",
          "0 to 1, near 1 for short lists", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Dunne, Cunningham & Azuaje 2002", overlap.hamming, _BEYOND_CHANCE),
    Entry("pog", "POG", "overlap",
          "The share of one run's picks that another run picked too, both ways averaged.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac12\left(\frac{r}{k_i}+\frac{r}{k_j}\right)",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Shi et al. 2006; Zhang et al. 2009", overlap.pog, _BEYOND_CHANCE),
    Entry("novovicova", "Novovičová", "overlap",
          "How far the picks pile up on the same features instead of spreading over many.",
          r"\frac{1}{q\log_2M}\sum_f h_f\log_2h_f",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yyynynnn"),
          "Novovičová, Somol & Pudil 2009; Bommert et al. 2017", overlap.novovicova, _BEYOND_CHANCE),
    Entry("davis", "Davis", "overlap",
          "How often, on average, a feature that was ever picked comes back, less a penalty for long lists if you set one.",
          r"\max\Big\{0,\frac{1}{|V|}\sum_f\frac{h_f}{M}-\frac{\alpha}{d}\operatorname{median}(k_i)\Big\}",
          "0 to 1", 0.0, 1.0, False, ("sets",), _p("yynn?nnn"),
          "Davis et al. 2006; Bommert et al. 2017", overlap.davis, _BEYOND_CHANCE),
    Entry("kuncheva", "Kuncheva", "chance",
          "How much more two runs agree than picking at random would; only when every run picks equally many.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k^2/d}{k-k^2/d}",
          "−1 to 1", -1.0, 1.0, True, ("sets",), _p("nyyyynnn"),
          "Kuncheva 2007", chance.kuncheva),
    Entry("lustgarten", "Lustgarten", "chance",
          "How much more two runs agree than by luck, against the widest range that agreement could have.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k_ik_j/d}{\min(k_i,k_j)-\max(0,k_i+k_j-d)}",
          "−1 to 1; identical runs stay below 1", -1.0, 1.0, True, ("sets",), _p("yynyynnn"),
          "Lustgarten et al. 2009; Bommert et al. 2017", chance.lustgarten),
    Entry("wald", "Wald", "chance",
          "How much more two runs agree than by luck, against the shorter list lying in the longer one.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k_ik_j/d}{\min(k_i,k_j)-k_ik_j/d}",
          "1 − d to 1", -_INFINITY, 1.0, True, ("sets",), _p("ynnyynnn"),
          "Wald, Khoshgoftaar & Napolitano 2013", chance.wald),
    Entry("kappa", "Kappa", "chance",
          "How much more two runs agree than by luck, as two raters are compared.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k_ik_j/d}{(k_i+k_j)/2-k_ik_j/d}",
          "−1 to 1", -1.0, 1.0, True, ("sets",), _p("yyyyynnn"),
          "Cohen 1960; Carletta 1996", chance.kappa),
    Entry("phi", "Phi (correlation of selections)", "chance",
          "How closely picking a feature in one run goes with picking it in another, beyond luck.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k_ik_j/d}{\sqrt{k_i(1-k_i/d)\,k_j(1-k_j/d)}}",
          "−1 to 1", -1.0, 1.0, True, ("sets",), _p("yyyyynnn"),
          "Nogueira & Brown 2016; Bommert et al. 2017", chance.phi),
    Entry("unadjusted", "Unadjusted", "chance",
          "Agreement beyond luck with no regard to similar features; what the intersection measures start from.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r-k_ik_j/d}{\sqrt{k_ik_j}-k_ik_j/d}",
          "−1 to 1", -1.0, 1.0, True, ("sets",), _p("yyyyynnn"),
          "Bommert & Rahnenführer 2020", chance.unadjusted),
    Entry("npog", "nPOG", "chance",
          "The share of one run's picks that another run picked too, beyond luck, both ways averaged.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac12\left(\frac{r-e}{k_i-e}+\frac{r-e}{k_j-e}\right),\ e=k_ik_j/d",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets",), _p("ynyyynnn"),
          "Zhang et al. 2009", chance.npog),
    Entry("somol", "Somol", "chance",
          "How far the picks pile up on the same features, between the least and the most that their number allows.",
          r"\frac{CW-c_{\min}}{c_{\max}-c_{\min}},\ CW=\sum_f\frac{h_f}{q}\frac{h_f-1}{M-1}",
          "0 to 1; luck gives 1/M, not 0", 0.0, 1.0, True, ("sets",), _p("yynyynnn"),
          "Somol & Novovičová 2010; Bommert et al. 2017", chance.somol),
    Entry("nogueira", "Nogueira (classic stability)", "chance",
          "How often the same features come back from run to run, beyond luck: 0 is luck, 1 is always the same.",
          r"1-\frac{\frac1d\sum_f\frac{M}{M-1}p_f(1-p_f)}{\frac{\bar k}{d}\left(1-\frac{\bar k}{d}\right)}",
          "−1/(M−1) to 1", -1.0, 1.0, True, ("sets",), _p("yyyyynnn"),
          "Nogueira, Sechidis & Brown 2018", chance.nogueira),
    Entry("effective", "Effective stability", "similarity",
          "The same, but features that stand for each other count as one: swapping a marker for its twin costs nothing.",
          r"1-\frac{\operatorname{tr}(CS)}{\operatorname{tr}(C\Sigma^0)}",
          "no fixed limits; 0 is luck, 1 agreement up to C", -_INFINITY, _INFINITY, True, ("sets", "relation"), _p("ynny?nyn"),
          "Sechidis et al. 2019", similarity.effective),
    Entry("intersection_count", "Intersection (count)", "similarity",
          "Agreement beyond luck in which a missing feature counts as found when something similar was picked instead.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{I-E}{\sqrt{k_ik_j}-E},\ I=r+\min(A_{ij},A_{ji})",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Bommert & Rahnenführer 2020", similarity.intersection_count, _COUNTS),
    Entry("intersection_mean", "Intersection (mean)", "similarity",
          "The same, a stand-in counting as much as it is similar.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{I-E}{\sqrt{k_ik_j}-E},\ I=r+\min(\bar A_{ij},\bar A_{ji})",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Bommert & Rahnenführer 2020", similarity.intersection_mean, _COUNTS),
    Entry("intersection_mbm", "Intersection (matching)", "similarity",
          "The same, each feature standing in for one other only, paired off as well as possible.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{I-E}{\sqrt{k_ik_j}-E},\ I=r+\mathrm{MBM}(V_i\setminus V_j,V_j\setminus V_i)",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Bommert & Rahnenführer 2020", similarity.intersection_mbm, _COUNTS),
    Entry("intersection_greedy", "Intersection (greedy)", "similarity",
          "The same, paired off from the most similar down.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{I-E}{\sqrt{k_ik_j}-E},\ I=r+\mathrm{GMBM}(V_i\setminus V_j,V_j\setminus V_i)",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Bommert & Rahnenführer 2020", similarity.intersection_greedy, _COUNTS),
    Entry("yu", "Yu", "similarity",
          "Agreement beyond luck, counting features for which the other run picked something similar, both ways averaged.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{I-E}{(k_i+k_j)/2-E},\ I=r+\frac{A_{ij}+A_{ji}}{2}",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Yu, Ding & Loscalzo 2008; Zhang et al. 2009", similarity.yu, _COUNTS),
    Entry("pogr", "POGR", "similarity",
          "The share of one run's picks that another run picked too, or picked something similar to, both ways averaged.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac12\left(\frac{O_{ij}}{k_i}+\frac{O_{ji}}{k_j}\right)",
          "0 to 1", 0.0, 1.0, False, ("sets", "relation"), _p("yynn?nyn"),
          "Zhang et al. 2009", similarity.pogr),
    Entry("npogr", "nPOGR", "similarity",
          "The same, beyond luck.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac12\left(\frac{O_{ij}-E}{k_i-E}+\frac{O_{ji}-E}{k_j-E}\right)",
          "1 at most, no lower limit", -_INFINITY, 1.0, True, ("sets", "relation"), _p("ynny?nyn"),
          "Zhang et al. 2009", similarity.npogr),
    Entry("zucknick", "Zucknick", "similarity",
          "Of all features that two runs picked between them, the share that both picked, similar ones counting in part.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\frac{r+c_{ij}+c_{ji}}{u},\ "
          r"c_{ij}=\frac{1}{k_j}\sum_{x\in V_i,\,y\in V_j\setminus V_i}C_{xy}",
          "0 to 1", 0.0, 1.0, False, ("sets", "relation"), _p("yyyn?nnn"),
          "Zucknick, Richardson & Stronach 2008; Bommert et al. 2017", similarity.zucknick, (-_INFINITY, 1.0)),
    Entry("pearson_weights", "Pearson of the selected features' weights", "weights",
          "How closely the importances of the selected features rise and fall together in two runs, all others counting 0.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\operatorname{cor}(I_i,I_j)",
          "−1 to 1", -1.0, 1.0, True, ("importances",), _p("yynyynnn"),
          "Hamer & Dupont 2021", weights.pearson_weights),
    Entry("pearson_scores", "Pearson of all weights", "weights",
          "How closely the weights that two runs give all features rise and fall together, whatever is selected.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\operatorname{cor}(w_i,w_j)",
          "−1 to 1", -1.0, 1.0, True, ("scores",), _p("yyny?nnn"),
          "Kalousis, Prados & Hilario 2005", weights.pearson_scores),
    Entry("spearman_ranks", "Spearman of ranks", "weights",
          "How similar the order is in which two runs rank all features, not only the selected ones.",
          r"\frac{2}{M(M-1)}\sum_{i<j}\rho(R_i,R_j)",
          "−1 to 1", -1.0, 1.0, True, ("ranks",), _p("yyyyynnn"),
          "Kalousis, Prados & Hilario 2005", weights.spearman_ranks),
    Entry("canberra", "Canberra of ranks", "weights",
          "How similar the first places are in which two runs rank the features, the very first weighing most.",
          r"1-\frac{1}{\chi}\,\frac{2}{M(M-1)}\sum_{i<j}\sum_f\frac{|s_i-s_j|}{s_i+s_j},\ s=\min(R,k+1)",
          "−1 to 1; lower where runs rank fewer features than places count", -_INFINITY, 1.0, True, ("order",), _p("ynyy?nnn"),
          "Jurman et al. 2008; Hamer & Dupont 2021", weights.canberra),
    Entry("importance_weighted", "Importance-weighted", "information",
          "How much of the models' importance falls on the same features from run to run, beyond luck.",
          r"\frac{A-C}{\bar k-C},\quad A=\frac{2}{M(M-1)}\sum_{i<j}\sum_f\min(I_{fi},I_{fj})",
          "−1/(M−1) to 1", -1.0, 1.0, True, ("sets", "importances"), _p("yyyyyyny"),
          "Hamer & Dupont 2021", information.importance_weighted),
    Entry("shared_information", "Shared information", "information",
          "How much of the models' importance falls on the same features, or on features that stand for them, beyond luck.",
          r"\frac{A-E}{\bar k-E},\quad A=\frac{2}{M(M-1)}\sum_{i<j}\max_T\sum_{f,f'}C_{ff'}T_{ff'}",
          "1 at most; 0 is luck", -_INFINITY, 1.0, True, ("sets", "importances", "relation"), _p("ynny?yyy"),
          "Hamer & Dupont 2021 (maximum shared information), corrected here", information.shared_information, (0.0, 1.0)),
)
