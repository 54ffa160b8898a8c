"""Part 3 of a report: the methods, written from the settings, ready to paste, with numbered citations."""

from __future__ import annotations

from typing import Any

from stabcore.analysis.panel import no_bound
from stabcore.base.text import joined, several, shown
from stabcore.classifiers.catalog import CLASSIFIERS, OWN, learner_name
from stabcore.measures.catalog import entry
from stabcore.reporting.blocks import Bullets, Heading, Table, Text
from stabcore.reporting.data_methods import cells, several_classes
from stabcore.reporting.tests_used import comparisons, effect_sizes, frequencies, substitutes
from stabcore.resampling.catalog import PLANS
from stabcore.selectors.catalog import ENCODINGS
from stabcore.selectors.classifier_importance import KINDS
from stabcore.study.summary import describe_rows, selector_options

KAPPA_OF_PAIRS = r"\frac1B\sum_{b=1}^{B}\frac{r_b-k_bk'_b/d}{(k_b+k'_b)/2-k_bk'_b/d}"


def methods(subject, citations):
    """The paragraphs, the options of all selectors, the formulas, the references."""
    paragraphs = [_runs(subject, citations)]
    if subject.is_study:
        paragraphs += [cells(subject), _selectors(subject, citations), _scored(subject, citations)]
    paragraphs += [make(subject, citations) for make in (_stability, _floor, comparisons, _panel, substitutes, effect_sizes)]
    paragraphs.append(_versions(subject))
    blocks: list[Text | Table] = [Text(paragraph) for paragraph in paragraphs if paragraph]
    if subject.is_study:
        blocks.append(Table("selectors", "Selectors with all their options", selector_options(subject.result)))
    return [
        *blocks,
        Table("formulas", "Measures and their formulas (TeX)", _formulas(subject)),
        Heading("References"),
        Bullets(citations.listed(), numbered=True),
    ]


def _runs(subject, citations):
    result = subject.result
    if not subject.is_study:
        uploaded = [f"{label} ({several(result.selections(label).n_runs, 'run')})" for label in result.finished_selectors]
        return (
            f"The selections of {joined(uploaded)} over {len(result.features):,} features were uploaded. How the runs were "
            "made is not known here."
        )
    data, kept = result.settings["data"], result.store.meta("patients")
    outcome = f"has the classes {joined(list(result.classes))}" if result.classes else "is a number"
    sentences = [
        f"The table has {describe_rows(result)} and {data['n_features']:,} candidate features.",
        f"The outcome {shown(data['target'])} {outcome}.",
        "Features were selected again on resamples of this table.",
        _plan(result, "patients" if kept else "rows", citations),
    ]
    if getattr(result.plan, "stratified", False) and result.classes:
        sentences.append("Each resample has the same share of every class.")
    if kept:
        sentences.append("All rows of a patient stay together.")
    return " ".join(
        [
            *sentences,
            f"Run i depends on the seed ({result.settings['random_state']}) and on i alone, so "
            "all selectors saw the same resamples.",
        ]
    )


def _plan(result, who, citations):
    """The resampling scheme in a sentence or two. Half-samples come in complementary pairs, which are what is drawn."""
    plan = result.plan
    known = PLANS.get(result.settings["plan"].get("kind"))
    cited = citations.cite(known.reference) if known else ""
    if not plan.separate_halves:
        return f"The resampling scheme was {plan.sentence()}{cited}."
    pairs = plan.n_runs // 2
    return (
        f"The resampling scheme was {several(pairs, 'complementary pair')} of half-samples{cited}: the {who} were split at "
        f"random into two halves {several(pairs, 'time')}. Each half gave one run, {plan.n_runs} runs in all, and the other half "
        "was held out."
    )


def _selectors(subject, citations):
    result, named, encodings = subject.result, [], dict[str, Any]()
    for one in result.settings["selectors"]:
        known = result.entry_of(one["label"])
        named.append(f"{one['label']}{citations.cite(known.reference) if known else ' (a method of our own)'}")
        if known:
            encodings.setdefault(known.encoding, []).append(one["label"])
    of_encodings = [f"{joined(who)}: {ENCODINGS[key]}" for key, who in encodings.items()]
    return " ".join(
        [
            f"Each run selected {result.sizes_told()} of {len(result.features):,} features with each of "
            f"{several(len(named), 'selector')}: {joined(named)}. The treatment of numbers, categories and missing values "
            "was learned from the resample alone.",
            *of_encodings,
            *several_classes(result),
        ]
    )


def _scored(subject, citations):
    setting = subject.result.settings["classifier"]
    if setting == "none":
        return "No classifier scored the selected features."
    known = {**CLASSIFIERS, OWN.key: OWN}.get(setting) if isinstance(setting, str) else None
    kind = subject.result.settings.get("importances")
    counts = f" The importance of a feature is that in this classifier: {KINDS[kind][0]}." if kind in KINDS else ""
    return (
        f"In each run a classifier learned from the selected features and predicted the rows held out ({learner_name(setting)}"
        f"{citations.cite(known.reference) if known else ''}). The 95% intervals of its scores allow for rows that runs share "
        "and for differences between patients"
        f"{citations.cite('Nadeau & Bengio 2003')}.{counts}{_risks(subject, citations)}"
    )


def _risks(subject, citations):
    if subject.risk is None:
        return ""
    return (
        " Risk instability compares the risks of each patient by the model of all rows and by the models of the runs "
        f"({learner_name(subject.risk.classifier)}{citations.cite('Riley & Collins 2023')})."
    )


def _stability(subject, citations):
    sentences = []
    if subject.has_halves:
        kappa = entry("kappa")
        sentences.append(
            f"Split-half agreement is the mean of Cohen's kappa{citations.cite(kappa.reference)} of the two "
            "selections of each pair, with a 95% t interval over the pairs. The halves of a pair share no patient."
        )
    one, over = entry("nogueira"), "pairs of halves" if subject.has_halves else "runs, or its published variance from 50 runs on"
    sentences += [
        f"Stability over all runs is {one.label}{citations.cite(one.reference)}.",
        f"Its 95% interval is from the jackknife over {over}.",
    ]
    if "effective" in subject.measures:
        one, within = entry("effective"), " within pairs" if subject.has_halves else ""
        sentences.append(
            f"{one.label}{citations.cite(one.reference)} was computed in the same way{within} and counts similar "
            f"features as one: {_lower(subject.similarity_sentence())}"
        )
    return " ".join([*sentences, "Intervals describe other resamples of this table, not other patients."])


def _floor(subject, citations):
    """How the noise floor was measured, or that it was not."""
    result = subject.result
    if not subject.is_study:
        return "The noise floor of these selections is not known, because the outcome was not shuffled. No stability is judged."
    if not result.has_control:
        return "The noise floor was not measured, because the outcome was not shuffled. No stability is judged."
    many, of_all = len(result.plan.permutation_runs(result.settings["permutation_runs"])), result.plan.n_runs
    whole = ", whole patients at a time" if result.store.meta("patients") else ""
    sentences = [
        f"To measure the noise floor, the outcome was shuffled {several(result.settings['n_permutations'], 'time')}{whole}.",
        f"In each shuffle every selector selected again on {f'{many} of the' if many < of_all else 'all'} {of_all} runs.",
    ]
    if many < of_all:
        within = "complementary pairs" if subject.has_halves else "groups of runs that were made together"
        sentences.append(f"Agreement within and between {within} was weighed as in the study.")
    return " ".join(
        [
            *sentences,
            "The noise floor of a selector is its mean stability over the shuffles.",
            "Its p is (1 + number of shuffles with at least its stability)/(number of shuffles + 1)"
            f"{citations.cite('Phipson & Smyth 2010')}.",
            "Selectors are judged by the difference between stability and noise floor. Its 95% interval holds the "
            f"uncertainty of both{citations.cite('Zou & Donner 2008')}.",
        ]
    )


def _panel(subject, citations):
    baseline = "" if len(subject.labels) == len(subject.result.finished_selectors) else ", baselines left out"
    mean = f", on average over {len(subject.labels)} selectors{baseline}" if len(subject.labels) > 1 else ""
    paragraph = (
        f"The panel holds the features with a selection frequency of at least {subject.threshold:.0%}{mean}"
        f"{citations.cite('Meinshausen & Bühlmann 2010')}. {frequencies(subject, citations)}"
    )
    if not no_bound(subject.result, subject.threshold):
        paragraph += (
            f" The expected number of false selections was bounded for complementary pairs{citations.cite('Shah & Samworth 2013')}."
        )
    return paragraph


def _versions(subject):
    if not subject.is_study:
        return ""
    versions = subject.result.store.meta("versions", {})
    kept = joined([f"{name} {version}" for name, version in versions.items()])
    return f"The study was made with {kept}." if versions else "The versions of the programs were not kept."


def _formulas(subject):
    """Each measure with the formula that was computed: kappa over pairs of halves, not over all pairs of runs."""
    import pandas as pd

    rows = [
        (one.label, KAPPA_OF_PAIRS if one.key == "kappa" else one.formula, one.range, one.reference)
        for one in map(entry, (*subject.measures, *(["kappa"] if subject.has_halves else [])))
    ]
    return pd.DataFrame(rows, columns=["measure", "formula", "range", "reference"])


def _lower(sentence):
    return sentence[:1].lower() + sentence[1:]
