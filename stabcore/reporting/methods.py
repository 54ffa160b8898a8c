"""Part 3 of a report: the methods, written from the settings, ready to paste, with numbered citations."""

from typing import Any

import numpy as np
import pandas as pd

from stabcore.analysis.effects import AUC, DIFFERENCE, EXPLAINED, HAZARD, RANK, SHRUNKEN
from stabcore.analysis.panel import no_bound_reason
from stabcore.analysis.panel_paths import BOUND_POWER, MIN_SHUFFLES
from stabcore.analysis.substitutes import MAX_COMPARED
from stabcore.base.target import TIME, kind_of_target, target_label
from stabcore.base.text import counted, joined, quote
from stabcore.classifiers.catalog import CLASSIFIERS, OWN_MODEL, describe_classifier
from stabcore.classifiers.learners import COX
from stabcore.inference.path_selection import CORRELATED
from stabcore.measures.catalog import entry
from stabcore.plots.pareto import SCORE_NAMES
from stabcore.reporting.page import Bullets, Heading, Table, Text
from stabcore.resampling.catalog import PLANS
from stabcore.selectors.catalog import BY_KEY, ENCODINGS
from stabcore.selectors.classifier_importance import IMPORTANCE_KINDS
from stabcore.study.progress import runs_per_shuffle
from stabcore.study.run_scores import PAIRED_VARIANCE
from stabcore.study.summary import describe_rows, selector_options

ALL_CLASSES_AT_ONCE, ONE_VS_REST, PAIRS = (
    "all classes at once",
    "each class against the rest",
    "every two classes, summed over the pairs",
)
NEAREST, MODEL, NO_OUTCOME = "the nearest rows of every other class", "by its own model", "no use of the outcome"
SEVERAL_CLASSES = {
    **dict.fromkeys(("mim", "mrmr", "jmi", "cmim", "information_gain", "anova_f"), ALL_CLASSES_AT_ONCE),
    **dict.fromkeys(("random_forest", "random_forest_permutation", "gbm", "boruta"), ALL_CLASSES_AT_ONCE),
    **dict.fromkeys(("lasso", "elastic_net", "group_lasso", "glm_boosting", "auc", "auc_mrmr", "knockoff_filter"), ONE_VS_REST),
    **dict.fromkeys(("svm", "svm_rfe"), PAIRS),
    "relieff": NEAREST,
    "estimator": MODEL,
    **dict.fromkeys(("variance", "random"), NO_OUTCOME),
}
"""{key of a selector: its comparison of more than two classes}."""
SCORE_TEST, SCORE_OF_RANKS = "the score test of the feature added to their model", "the same score test of its ranks"
NO_PENALTY, REFITTED = "a model in which they have no penalty", "a model to which they are fitted again after every round"
CHAINED, LEVELS = "van Buuren & Groothuis-Oudshoorn 2011", "Allison 2002"
COLUMNS_AND_RESIDUALS = "a model that has them, beside what their linear combinations leave of each feature"
WITHIN_CATEGORIES = "information within their categories, on what their linear combinations leave of each number"
BEYOND_GIVEN = {
    **dict.fromkeys(("welch_t", "cox_score"), SCORE_TEST),
    **dict.fromkeys(("auc", "concordance"), SCORE_OF_RANKS),
    "anova_f": "analysis of covariance",
    **dict.fromkeys(("lasso", "elastic_net", "group_lasso", "backward_elimination"), NO_PENALTY),
    **dict.fromkeys(("glm_boosting", "gbm"), REFITTED),
    **dict.fromkeys(
        ("random_forest", "random_forest_permutation", "survival_forest", "boruta", "svm", "svm_rfe", "logistic_rfe", "hybrid_rfe"),
        COLUMNS_AND_RESIDUALS,
    ),
    "estimator": COLUMNS_AND_RESIDUALS,
    "knockoff_filter": NO_PENALTY,
    **dict.fromkeys(("mim", "mrmr", "jmi", "cmim"), WITHIN_CATEGORIES),
    **dict.fromkeys(("variance", "random"), NO_OUTCOME),
}
"""{key of a selector: how it adjusts a feature for given columns}."""
SOURCES = {
    DIFFERENCE: ("the difference of the class means in standard deviations", "Hedges & Olkin 1985"),
    AUC: ("the probability that a patient of one class has the larger value", "Newcombe 2006"),
    EXPLAINED: ("the share of variance that the classes explain (η²)", "Steiger 2004"),
    RANK: ("Spearman's rank correlation", "Fieller, Hartley & Pearson 1957"),
    HAZARD: ("the log hazard ratio for one SD in this table, or a level, in Cox's model with Efron's ties", "Cox 1972"),
}
"""{name of an effect: (its definition, the source of its interval)}."""


def methods(subject, citations):
    """Return paragraphs, options of selectors, formulas and references."""
    study = (_missing_values, _selectors, _classifier) if subject.is_study else ()
    results = (_stability, _floor, _comparisons, _panel, _substitutes, _effects, _versions)
    paragraphs = [write(subject, citations) for write in (_runs, *study, *results)]
    blocks: list[Text | Table] = [Text(paragraph) for paragraph in paragraphs if paragraph]
    if subject.is_study:
        blocks.append(Table("selectors", "Selectors with all their options", selector_options(subject.result), ()))
    rows = [(measure.label, measure.formula, measure.range, measure.reference) for measure in map(entry, subject.measures)]
    formulas = pd.DataFrame(rows, columns=["measure", "formula", "range", "reference"])
    return [
        *blocks,
        Table("formulas", "Measures and their formulas (TeX)", formulas, ()),
        Heading("References"),
        Bullets(citations.listed(), numbered=True),
    ]


# ---- the study ----


def _runs(subject, citations):
    result = subject.result
    if not subject.is_study:
        uploaded = [f"{label} ({counted(result.selections(label).n_runs, 'run')})" for label in result.finished_selectors]
        were = f"The selections of {joined(uploaded)} over {len(result.features):,} features were uploaded."
        return f"{were} The origin of the runs is unknown."
    data, patients = result.settings["data"], result.store.meta("patients")
    timed = kind_of_target(result.target) == TIME
    outcome = f"has the classes {joined(list(result.classes))}" if result.classes else f"is {kind_of_target(result.target)}"
    sentences = [
        f"The table has {describe_rows(result)} and {data['n_features']:,} candidate features.",
        f"The outcome {quote(target_label(data['target']))} {outcome}.",
        *([_event(result, data)] if timed else []),
        "Feature selection was repeated on resamples of this table.",
        _plan(result, "patients" if patients else "rows", citations),
    ]
    if getattr(result.plan, "stratified", False) and (result.classes or timed):
        sentences.append(f"Each resample has the same share of {'events' if timed else 'every class'}.")
    if patients:
        sentences.append("All rows of a patient stay together.")
    seed = result.settings["random_state"]
    return " ".join([*sentences, f"Run i depends on the seed ({seed}) and on i only, so all selectors used the same resamples."])


def _event(result, data):
    """The number of events, and the values that mean an event."""
    rows, n = np.flatnonzero(result.target["event"]), len(result.target)
    of = f", those of {len({result.patients[row] for row in rows}):,} patients" if result.patients else ""
    censored = f" {joined(data['censored'])} counted as censored." if data.get("censored") else ""
    return f"The event ({joined(data['event'], 'or')}) happened in {len(rows):,} of {n:,} rows{of}.{censored}"


def _plan(result, units, citations):
    """The resampling scheme. Half-samples are drawn in complementary pairs."""
    plan, catalogued = result.plan, PLANS.get(result.settings["plan"].get("kind"))
    cited = citations.cite(catalogued.reference) if catalogued else ""
    if not plan.separate_halves:
        return f"The resampling scheme was {plan.sentence()}{cited}."
    pairs = plan.n_runs // 2
    return (
        f"The resampling scheme was {counted(pairs, 'complementary pair')} of half-samples{cited}: the {units} were split at "
        f"random into two halves {counted(pairs, 'time')}. Each half gave one run, {plan.n_runs} runs in all, and the other half "
        "was held out."
    )


def _missing_values(subject, citations):
    """Missing values and corrected cells."""
    mended = subject.result.store.meta("mended", [])
    sentences = [f"Cells that were not numbers were corrected as follows. {' '.join(mended)}"] if mended else []
    missing = None if subject.data is None else np.isnan(np.asarray(subject.data.table.values, dtype=float))
    if missing is not None:
        where = f" ({missing.mean():.1%}) in {counted(int(missing.any(axis=0).sum()), 'feature')}" if missing.any() else ""
        sentences.append(f"The features have {counted(int(missing.sum()), 'missing value')}{where}.")
    if missing is None or missing.any():
        sentences.append("No row was dropped for a missing value of a feature.")
        sentences.append(_imputations(subject.result.settings.get("n_imputations", 0), citations))
    return " ".join(sentences)


def _imputations(n, citations):
    """How missing values were handled: filled in each run, or by each selector."""
    if not n:
        return "The treatment of missing values by each selector is given below."
    again = " Results are of the first filling. The others give the share of missing values in the disagreement." if n > 1 else ""
    return (
        f"In each run, missing values were filled {counted(n, 'time')} by chained equations{citations.cite(CHAINED)}. These draw "
        "from the posterior of a Bayesian ridge regression on the other features and the columns that are always in the model. The "
        "equations were learned from the rows of the run and not from the outcome. A drawn number became the nearest recorded "
        f"value. A category took the level with the largest drawn indicator{citations.cite(LEVELS)}.{again}"
    )


def _selectors(subject, citations):
    result, names, encodings = subject.result, [], dict[str, Any]()
    for selector in result.settings["selectors"]:
        label, catalogued = selector["label"], result.entry_of(selector["label"])
        names.append(f"{label}{citations.cite(catalogued.reference) if catalogued else ' (a method of our own)'}")
        if catalogued:
            encodings.setdefault(catalogued.encoding, []).append(label)
    sentences = [
        f"Each run selected {result.describe_sizes()} of {len(result.features):,} features with each of "
        f"{counted(len(names), 'selector')}: {joined(names)}.",
        "The treatment of numbers, categories and missing values was learned from each resample only.",
        *(f"{joined(labels)}: {ENCODINGS[key]}" for key, labels in encodings.items()),
    ]
    return " ".join([*sentences, *_given_columns(subject, citations), *describe_bins_and_classes(result)])


def _given_columns(subject, citations):
    """The columns that are always in the model, and how each selector judges a feature beyond them."""
    if not (given := subject.result.given):
        return
    yield (
        f"Always in the model: {joined(list(given))}. They were no candidates. Every selector judged a feature by its "
        "association with the outcome beyond them, learned from each resample only."
    )
    ways = dict[str, Any]()
    for selector in subject.result.settings["selectors"]:
        if way := BEYOND_GIVEN.get(selector.get("key", "")):
            ways.setdefault(way, []).append(selector["label"])
    for way, labels in ways.items():
        cited = citations.cite("Rao 1948") if way in (SCORE_TEST, SCORE_OF_RANKS) else ""
        yield f"{joined(labels)}: {way}{cited}."


def describe_bins_and_classes(result):
    """The numbers of bins, and the comparison of more than two classes by each selector."""
    bins, classes = dict[Any, Any](), dict[Any, Any]()
    for selector in result.settings["selectors"]:
        catalogued = BY_KEY.get(selector.get("key"))
        if catalogued is None:
            continue
        if "bins" in catalogued.options:
            n_bins = selector.get("options", {}).get("bins", catalogued.options["bins"].default)
            bins.setdefault(n_bins, []).append(selector["label"])
        if len(result.classes) > 2 and catalogued.key in SEVERAL_CLASSES:
            classes.setdefault(SEVERAL_CLASSES[catalogued.key], []).append(selector["label"])
    for n_bins, labels in bins.items():
        yield f"Bins have equal width between the smallest and the largest value: {n_bins} for {joined(labels)}."
    if classes:
        yield f"The comparison of the {len(result.classes)} classes depends on the selector."
        yield from (f"{joined(labels)}: {way}." for way, labels in classes.items())


def _classifier(subject, citations):
    setting, kind = subject.result.settings["classifier"], subject.result.settings.get("importances")
    if setting == "none":
        return "No classifier scored the selected features."
    catalogued = {**CLASSIFIERS, OWN_MODEL.key: OWN_MODEL, COX.key: COX}.get(setting) if isinstance(setting, str) else None
    cited = citations.cite(catalogued.reference) if catalogued else ""
    sentences = [
        "In each run a classifier learned from the selected features and predicted the rows held out "
        f"({describe_classifier(setting)}{cited}).",
        "The 95% intervals of its scores account for rows shared by runs and for differences between patients"
        f"{citations.cite('Nadeau & Bengio 2003')}.",
    ]
    if subject.result.given:
        names = joined(list(subject.result.given))
        sentences.append(f"It also had {names}. A model of {names} alone learned from and predicted the same rows.")
    if kind_of_target(subject.result.target) == TIME:
        sentences.append(
            f"Scores are Harrell's{citations.cite('Harrell et al. 1982')} and Uno's{citations.cite('Uno et al. 2011')} concordance "
            f"and the integrated Brier score{citations.cite('Graf et al. 1999')}, weighted by the share of rows not censored."
        )
    if kind in IMPORTANCE_KINDS:
        sentences.append(f"The importance of a feature is its importance in this classifier: {IMPORTANCE_KINDS[kind][0]}.")
    if subject.has_worth:
        sentences.append(
            "The clinical worth of the panel is that of a logistic regression on its features, less its optimism in 200 bootstrap "
            f"samples{citations.cite('Harrell, Lee & Mark 1996')}. The net benefit is that of decision curve analysis"
            f"{citations.cite('Vickers & Elkin 2006')}."
        )
    if subject.risk is not None:
        sentences.append(
            "Risk instability compares the risks of each patient by the model of all rows and by the models of the runs "
            f"({describe_classifier(subject.risk.classifier)}{citations.cite('Riley & Collins 2023')})."
        )
    return " ".join(sentences)


def _versions(subject, citations):
    if not subject.is_study:
        return ""
    versions = [f"{name} {version}" for name, version in subject.result.store.meta("versions", {}).items()]
    return f"The study used {joined(versions)}." if versions else "The versions of the programs were not recorded."


# ---- the computations ----


def _stability(subject, citations):
    sentences, nogueira = [], entry("nogueira")
    units = "pairs of halves" if subject.result.has_halves else "runs, or its published variance with 50 or more runs"
    sentences += [
        f"Stability is {nogueira.label}{citations.cite(nogueira.reference)}.",
        f"Its 95% interval is from the jackknife over {units}.",
    ]
    if subject.result.has_halves:
        sentences.append(
            "The variance of the selections is the mean over the pairs of halves, half the squared difference of the two. The "
            "halves of a pair share no patient. Where it says so, stability is over all runs."
        )
    if "effective" in subject.measures:
        effective, within = entry("effective"), " within pairs" if subject.result.has_halves else ""
        similarity = subject.similarity_sentence()
        sentences.append(
            f"{effective.label}{citations.cite(effective.reference)} was computed in the same way{within} and counts similar "
            f"features as one: {similarity[:1].lower()}{similarity[1:]}"
        )
    return " ".join([*sentences, "Intervals describe other resamples of this table, not other patients."])


def _floor(subject, citations):
    """The measurement of the noise floor, or its absence."""
    result = subject.result
    if not subject.is_study:
        return "The noise floor of these selections is unknown, because the outcome was not shuffled. No stability is judged."
    if not result.has_control:
        return "The noise floor was not measured, because the outcome was not shuffled. No stability is judged."
    n_runs, n_shuffles = runs_per_shuffle(result), result.settings["n_permutations"]
    by_patient = ", whole patients at a time" if result.store.meta("patients") else ""
    runs = f"{n_runs} of the" if n_runs < result.plan.n_runs else "all"
    sentences = [
        f"To measure the noise floor, the outcome was shuffled {counted(n_shuffles, 'time')}{by_patient}.",
        f"In each shuffle every selector was repeated on {runs} {result.plan.n_runs} runs.",
    ]
    if given := result.given:
        sentences.append(
            f"Shuffles kept the relation of the outcome to {joined(list(given))}. Outcomes changed places within equal "
            "categories, or between rows that these columns predict alike"
            f"{citations.cite('Rosenbaum 1984')}. Of a numeric outcome the residuals did{citations.cite('Freedman & Lane 1983')}."
        )
    if n_runs < result.plan.n_runs:
        units = "complementary pairs" if subject.result.has_halves else "groups of runs that were drawn together"
        sentences.append(f"Agreement within and between {units} was weighted as in the study.")
    sentences += [
        "The noise floor of a selector is its mean stability over the shuffles.",
        "Its p is (1 + number of shuffles with at least its stability)/(number of shuffles + 1)"
        f"{citations.cite('Phipson & Smyth 2010')}.",
        "Selectors are judged by the difference between stability and noise floor. Its 95% interval includes the "
        f"uncertainty of both{citations.cite('Zou & Donner 2008')}. It includes 0 if shuffles reach the stability at p above 0.05. "
        "A selector is clearly above its noise floor if p is at most 0.05 and this interval is above 0.",
    ]
    return " ".join(sentences)


def _comparisons(subject, citations):
    if len(subject.result.finished_selectors) < 2:
        return ""
    units, with_floor = "pairs of halves" if subject.result.has_halves else "runs", subject.is_study and subject.result.has_control
    quantity = "stability beyond the noise floor" if with_floor else "stability"
    sentences = [f"All pairs of selectors were compared in {quantity}, with the paired jackknife over {units}."]
    if with_floor:
        sentences.append("The interval of the difference also includes the uncertainty of both noise floors.")
    if subject.score:
        score = SCORE_NAMES[subject.score]
        sentences.append(
            f"Differences in {score} were tested with a paired t-test over patients. The variance with fixed predictions counts "
            f"{PAIRED_VARIANCE:g} times, because models of other tables differ, too. The variance over runs is added."
        )
    return " ".join([*sentences, f"P-values of several pairs were corrected with Holm's method{citations.cite('Holm 1979')}."])


def _panel(subject, citations):
    baseline = "" if len(subject.labels) == len(subject.result.finished_selectors) else ", without baselines"
    mean = f", on average over {len(subject.labels)} selectors{baseline}" if len(subject.labels) > 1 else ""
    sentences = [
        f"Rule of the panel: {subject.rule.description()}{mean}{citations.cite('Meinshausen & Bühlmann 2010')}.",
        "The 95% interval of a selection frequency of h in M runs goes from the 2.5% to the 97.5% quantile of "
        "Beta(1 + h, 1 + M − h).",
    ]
    if subject.rank_intervals is not None and len(subject.rank_intervals):
        sentences.append(
            "A rank interval counts the features with significantly larger and smaller effects. All pairs of effects are "
            f"compared over patients, with Holm's correction{citations.cite('Mogstad et al. 2024')}."
        )
    if subject.rule.is_target:
        cited, control = citations.cite("Melikechi & Miller 2025"), ""
        if (shuffles := subject.result.settings["n_permutations"]) >= MIN_SHUFFLES:
            control = (
                " Shuffles show how often such a feature is selected again. Features correlated with another one (|ρ| ≥ "
                f"{CORRELATED:g}) are also judged without shuffles. Q-values count 1/{shuffles + 1} false features more."
            )
        sentences.append(
            "Expected false features and q-values come from integrated path stability selection over the number k of features "
            f"per run, with m = {BOUND_POWER} and weights ∝ 1/k{cited}. They count what an unrelated feature reaches in runs that "
            f"share rows.{control} Features are judged in the order of their scores. All but the expected false ones before, and "
            "one standard error, count as true."
        )
    elif not no_bound_reason(subject.result, subject.threshold):
        bounded = f"for complementary pairs{citations.cite('Shah & Samworth 2013')}"
        sentences.append(f"The expected number of false selections was bounded {bounded}.")
    return " ".join(sentences)


def _substitutes(subject, citations):
    similar = " with similarity C > 0" if subject.similarity.n_related else ""
    return (
        f"Substitutes are pairs of features{similar} that are selected together less often than in random subsets with the "
        f"same selection frequencies (one-sided). Up to {MAX_COMPARED} features per selector were compared. The z-values of all "
        f"pairs were divided by their spread, as correlated features also vary together. P-values have Holm's correction"
        f"{citations.cite('Holm 1979')}."
    )


def _effects(subject, citations):
    if subject.effects is None:
        return ""
    measure = subject.effects["measure"].iloc[0]
    definition, source = SOURCES[measure]
    sentences = [f"The effect of a feature is {definition}{citations.cite(source)}."]
    if "auc" in subject.effects and measure != AUC:
        definition, source = SOURCES[AUC]
        sentences.append(f"The AUC is {definition}{citations.cite(source)}.")
    if "median" in subject.effects:
        sentences.append(f"Differences of medians have distribution-free intervals{citations.cite('Zou & Donner 2008')}.")
    if subject.effects[SHRUNKEN[0]].notna().any():
        cited = citations.cite("Efron 2011")
        sentences.append(
            f"Effects were shrunk by empirical Bayes over all features, because selected effects are overestimated{cited}."
        )
    if subject.other_half is not None and len(subject.other_half):
        cited = citations.cite("Cox 1975")
        sentences.append(
            f"Effects on the other half were estimated in patients whose data were not used to select the features{cited}."
        )
    return " ".join(sentences)
