"""Sentences of the methods about tests and intervals: each is named where the report prints its result."""

from __future__ import annotations

from stabcore.analysis.effects import AUC, DIFFERENCE, EXPLAINED, RANK, SHRUNKEN
from stabcore.analysis.substitutes import COMPARED

SOURCES = {
    DIFFERENCE: ("the difference of the class means in standard deviations", "Hedges & Olkin 1985"),
    AUC: ("the probability that a patient of one class has the larger value", "Newcombe 2006"),
    EXPLAINED: ("the share of variance that the classes explain (η²)", "Steiger 2004"),
    RANK: ("Spearman's rank correlation", "Fieller, Hartley & Pearson 1957"),
}
"""{name of an effect: what it is, the source of its interval}."""


def comparisons(subject, citations):
    """How selectors were compared in stability and in predictions."""
    if len(subject.result.finished_selectors) < 2:
        return ""
    units = "pairs of halves" if subject.has_halves else "runs"
    what = "what lies beyond their noise floors" if subject.is_study and subject.result.has_control else "their stability"
    sentences = [f"Every two selectors were compared by the difference of {what}, with the paired jackknife over {units}."]
    if subject.is_study and subject.result.has_control:
        sentences.append("The interval of the difference also holds the uncertainty of both noise floors.")
    if subject.result.keeps_predictions:
        who = "patient" if subject.result.store.meta("patients") else "row"
        sentences.append(
            f"Their predictions were compared with the sign-flip test, in which each {who} counts once"
            f"{citations.cite('Robinson 1982')}. With one prediction per {who} it is McNemar's exact test"
            f"{citations.cite('McNemar 1947')}."
        )
    return " ".join([*sentences, f"P-values of several pairs were corrected with Holm's method{citations.cite('Holm 1979')}."])


def frequencies(subject, citations):
    """The intervals of selection frequencies, and of ranks where the panel has them."""
    told = (
        "The 95% interval of a selection frequency lies between the 2.5% and 97.5% quantiles of Beta(1 + h, 1 + M − h), for a "
        "feature selected in h of M runs."
    )
    if subject.places is None or not len(subject.places):
        return told
    return (
        f"{told} A rank interval counts the features with significantly larger and smaller effects. Every two effects are "
        f"compared over patients, with Holm's correction{citations.cite('Mogstad et al. 2024')}."
    )


def substitutes(subject, citations):
    """How features that replace each other were found."""
    related = " with similarity C > 0" if subject.similarity.n_related else ""
    return (
        f"Substitutes are pairs of features{related} that are selected together less often than in random subsets with the "
        f"same selection frequencies (one-sided). Up to {COMPARED} features per selector were compared, with Holm's correction"
        f"{citations.cite('Holm 1979')}."
    )


def effect_sizes(subject, citations):
    """What the effects of part 4 are, and where their intervals come from."""
    if subject.effects is None:
        return ""
    measure = subject.effects["measure"].iloc[0]
    what, source = SOURCES[measure]
    sentences = [f"The effect of a feature is {what}{citations.cite(source)}."]
    if "auc" in subject.effects and measure != AUC:
        what, source = SOURCES[AUC]
        sentences.append(f"The AUC is {what}{citations.cite(source)}.")
    if "median" in subject.effects:
        sentences.append(f"Differences of medians have distribution-free intervals{citations.cite('Price & Bonett 2002')}.")
    if subject.effects[SHRUNKEN[0]].notna().any():
        sentences.append(
            "Effects were shrunken by empirical Bayes over all features, as chosen effects are overstated"
            f"{citations.cite('Efron 2011')}."
        )
    if subject.other_half is not None and len(subject.other_half):
        sentences.append(
            "Effects on the other half were estimated in patients whose data did not choose the features"
            f"{citations.cite('Cox 1975')}."
        )
    return " ".join(sentences)
