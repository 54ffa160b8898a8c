"""Parts 1, 4, 5 and 6 of a report: the answer, the panel, stability beside the noise floor, prediction."""

import numpy as np

from stabcore.analysis.effects import ADJUSTED, HAZARD_RATIO, SHRUNKEN
from stabcore.analysis.noise_floors import beyond_floor
from stabcore.analysis.panel import SELECTOR_PREFIX
from stabcore.analysis.substitutes import substitutes
from stabcore.base.target import TIME, kind_of_target
from stabcore.base.text import counted, format_with_interval, join_tied, joined
from stabcore.inference.error_bounds import BOUNDS
from stabcore.inference.predictions import guessing_score
from stabcore.plots import effects, panel
from stabcore.plots.added_value import ABOUT_ADDED_VALUE, finding_added_value
from stabcore.plots.clinical_worth import ABOUT_WORTH, finding_worth, finding_worth_calibration, table_worth
from stabcore.plots.comparisons import finding_comparisons, frame_comparisons
from stabcore.plots.disagreement import frame_disagreement
from stabcore.plots.estimates import describe_intervals, format_estimate, format_with_range
from stabcore.plots.noise_floor import (
    BEYOND_PARTS,
    FACETS,
    FLOOR_RANGE,
    INTERVAL,
    describe_beyond,
    describe_quantities,
    finding_beyond,
    floor_is_measured,
    format_compared_runs,
    headline_rows,
)
from stabcore.plots.pareto import (
    NO_BETTER_THAN_GUESSING,
    describe_equal_accuracy,
    describe_without_features,
    finding_fronts,
    finding_prediction,
    frame_fronts,
    is_no_better_than_guessing,
    table_equal_accuracy,
)
from stabcore.plots.risk import finding_risk, row_noun
from stabcore.plots.subgroups import ABOUT_SUBGROUPS, POWER_OF_SUBGROUPS, finding_subgroups, frame_subgroups
from stabcore.plots.substitutes import ABOUT_SUBSTITUTES, finding_substitutes
from stabcore.reporting.limitations import describe_floors, limitation_sentences
from stabcore.reporting.page import Bullets, Heading, Table, Text
from stabcore.reporting.patients import two_valued
from stabcore.study.run_scores import brier_without_features

SCORES = {
    "accuracy": "Accuracy [interval]",
    "balanced_accuracy": "Balanced accuracy [interval]",
    "auc": "AUC [interval]",
    "harrell": "Harrell's concordance [interval]",
    "uno": "Uno's concordance [interval]",
    "brier": "Integrated Brier score [interval]",
    "r2": "R² [interval]",
    "mae": "Mean absolute error [interval]",
    "spearman": "Spearman's correlation [interval]",
}
ABOUT_SAME_RISK = (
    "The same risk for every row has a concordance of 0.5 and an integrated Brier score of {:.3f} (Kaplan–Meier curve)."
)
ABOUT_ROWS = (
    "This table has one line per row of the table of patients. This file contains the outcome and the risk of every "
    "patient, and whoever receives it can read them. To prevent this, omit the part Prediction and the figure Risk "
    "instability. Do not share the study file, which also contains the outcomes."
)
ABOUT_RUN_SCORES = (
    "These scores describe the selection of each run, and models of its rows. The performance of a model with "
    "the panel in new patients was not measured."
)
NOT_MEASURED = "Prediction was not measured. Uploaded selections have no accuracy, and a study has accuracy only with a classifier."
RISK_CUTOFF = 0.5  # the risk above which an event is predicted


def answer(subject):
    """Return the question, three sentences (panel, stability, limitation), and the members of the panel."""
    useless = [Text(NO_BETTER_THAN_GUESSING)] if is_no_better_than_guessing(subject.guessing.reset_index()) else []
    named = [Text(f"The panel: {', '.join(subject.members)}.")] if len(subject.members) > panel.MAX_NAMES else []
    paragraph = [Heading("Results paragraph"), Text(results_paragraph(subject))] if subject.is_study else []
    return [*useless, Text(subject.result.sentence()), Bullets(summary_sentences(subject)), *named, *paragraph]


def results_paragraph(subject) -> str:
    """Return the results in one paragraph, ready to paste into a manuscript."""
    pairs = subject.score_pairs if subject.score else None
    predicted = finding_prediction(subject.guessing.reset_index(), subject.added, pairs)
    return " ".join(filter(None, [_describe_frequencies(subject), finding_beyond(subject.beyond, subject.result), predicted]))


def _describe_frequencies(subject):
    """The panel with the selection frequency of each feature and its interval."""
    members = subject.panel[subject.panel["in_panel"]]
    if members.empty:
        return _describe_panel(subject)
    size, line = len(members), members["line"].iloc[0]
    shares = [
        f"{row.feature} in {row.frequency:.0%} (95% CI {100 * row.low:.0f} to {100 * row.high:.0f})"
        for row in members.head(panel.MAX_NAMES).itertuples()
    ]
    more = f" The first {panel.MAX_NAMES} are named." if size > panel.MAX_NAMES else ""
    mean = f", on average over {len(subject.labels)} selectors" if len(subject.labels) > 1 else ""
    shuffled = "" if line != line else f" With the outcome shuffled, the most frequent feature was selected in {line:.0%}."
    return (
        f"The panel has {size} of {counted(len(subject.result.features), 'feature')} ({subject.rule.description()}{mean}).{more} "
        f"Share of the runs that selected each: {joined(shares)}.{shuffled}"
    )


def summary_sentences(subject) -> list[str]:
    """Return these three sentences. The limitation differs from that of the headline."""
    pairs = subject.stability_pairs("nogueira")
    headline, floors = finding_beyond(subject.beyond, subject.result, pairs), describe_floors(subject)
    return [_describe_panel(subject), headline, next(sentence for sentence in limitation_sentences(subject) if sentence != floors)]


def _describe_panel(subject):
    return panel.finding_by_rule(subject.panel, subject.rule, subject.false_in_panel, subject.result.given)


def panel_features(subject):
    """Return the panel with frequencies and intervals, substitutes, effects, expected false selections."""
    empty = ["any_related"] * (not subject.similarity.n_related) + ["group"] * (not subject.panel["group"].any())
    table = subject.panel.drop(columns=empty)
    caption = f"All features selected in any run. Rule of the panel: {subject.rule.description()}"
    columns = ("feature", "in_panel", "frequency", "low", "high", "approval", "shuffled", "clear")
    blocks = [
        Text(_describe_panel(subject)),
        Text(panel.ABOUT_INTERVALS, small=True),
        Table("panel", caption, table.dropna(axis="columns", how="all"), columns),
    ]
    if len(subject.labels) > 1:
        by_selector = table[["feature", *(name for name in table if name.startswith(SELECTOR_PREFIX))]]
        by_selector = by_selector.rename(columns=lambda name: name.removeprefix(SELECTOR_PREFIX))
        blocks.append(Table("panel_by_selector", "Selection frequency by selector", by_selector, ()))
    pairs = substitutes(subject.result, None, subject.similarity, subject.labels)
    blocks += [Heading("Substitutes"), Text(finding_substitutes(pairs)), Text(ABOUT_SUBSTITUTES, small=True)]
    if len(pairs):
        blocks.append(Table("substitutes", "Pairs of features that replace each other", pairs))
    blocks += [Heading("Direction and size"), *_effects(subject)]
    return [*blocks, Heading("Expected false selections"), *_false_selections(subject)]


def _false_selections(subject):
    """The expected number of false selections: the bound, or the count in the shuffles."""
    together, by_selector = subject.false_in_panel, subject.false
    if subject.rule.is_target:
        return [Text(sentence) for sentence in panel.ABOUT_PATHS]
    unknown = together["pfer_bound"] != together["pfer_bound"]
    reason = f"{together['reason']} A permutation control counts them."
    blocks = [Text(reason if unknown else panel.describe_false_features(together))]
    if by_selector["pfer_bound"].isna().all():
        return blocks
    caption = "Expected false selections (PFER): bounds, and counts with the outcome shuffled"
    table = by_selector.reset_index().drop(columns="reason").rename(columns=BOUNDS)
    return [*blocks, Text(panel.ABOUT_BOUND, small=True), Table("false_selection_bounds", caption, table)]


def _effect_table(subject):
    """The effects of the features of the panel table, with units. The median of two values, as 0 and 1, says nothing."""
    table = (
        subject.panel[["feature", "in_panel"]].merge(subject.effects, on="feature", how="left").drop(columns=["measure", "known"])
    )
    if "median" in table and subject.data is not None:
        counted = table["feature"].isin(two_valued(subject.data))
        table.loc[counted, ["median", "median_low", "median_high"]] = np.nan
        if subject.data.units:
            table.insert(table.columns.get_loc("median"), "unit", table["feature"].map(subject.data.units))
    return table.dropna(axis="columns", how="all")


def _effects(subject):
    if subject.effects is None:
        return [Text("Direction and size need the table of the study, which is not available.")]
    measure = subject.effects["measure"].iloc[0]
    of_values = ("auc", "median", "unit", *HAZARD_RATIO)
    columns = ("feature", "level", "direction", "effect", "low", "high", SHRUNKEN[0], *ADJUSTED, *of_values)
    caption = f"Direction and size of each feature: {measure}"
    rows = "" if subject.is_study else " of the table uploaded with the selections"
    sentences = [
        f"Effect: {measure}, on all rows{rows}, with its interval for new patients.",
        effects.describe_adjustment(subject.result.given),
        effects.describe_repeated_rows(subject.data_with_directions),
        effects.describe_selection_bias(subject.effects),
        "For a category, the table shows the level with the largest difference.",
    ]
    blocks = [Table("effects", caption, _effect_table(subject), columns), Text(" ".join(filter(None, sentences)), small=True)]
    if subject.other_half is not None and len(subject.other_half):
        caption = "Effects of the features selected on one half of the patients, on both halves"
        compared = ("feature", "level", "direction", "chosen_effect", "effect", "low", "high")
        blocks += [
            Heading("Effects on the other half of the patients"),
            Text(effects.finding_other_half(effects.frame_other_half(subject.other_half))),
            Text(
                f"{effects.ABOUT_OTHER_HALF} The features are those of {subject.labels[0]} in the first pair of halves.", small=True
            ),
            Table("other_half", caption, subject.other_half.drop(columns="measure"), compared),
        ]
    blocks += [Heading("Ranks of the effects"), Text(effects.finding_rank_intervals(subject.rank_intervals))]
    if len(subject.rank_intervals):
        caption = "Rank intervals of the effects of the features that were selected most often"
        blocks += [Text(effects.ABOUT_RANK_INTERVALS, small=True), Table("rank_intervals", caption, subject.rank_intervals, ())]
    return blocks


def prediction(subject):
    """Return scores with their intervals, the front, and selectors with indistinguishable accuracies."""
    scores = _scores(subject.table)
    caption = "Prediction of held-out rows by the selected features, with intervals (95%) for new patients"
    measured = Table("prediction", caption, scores, ("selector", *SCORES.values(), "mean_size"))
    if not subject.score:  # a number has scores too, but no front
        return (
            [Text(ABOUT_RUN_SCORES), measured, *_added_value(subject)]
            if set(SCORES.values()) & set(scores)
            else [Text(NOT_MEASURED)]
        )
    frame, guess = pareto_front(subject), guessing_score(subject.result, subject.score)
    front = ("selector", "stability", "floor", "accuracy", "better", "size", "dominated_by", "standing")
    blocks = [
        Text(finding_fronts(frame, subject.score)),
        Text(ABOUT_RUN_SCORES),
        *([Text(_without_features(subject, guess))] if guess == guess else []),
        measured,
        *_added_value(subject),
        Table("pareto_front", "Accuracy against stability beyond the noise floor", frame.drop(columns=["measure"]), front),
    ]
    table = table_equal_accuracy(frame, subject.score_pairs, subject.stability_pairs("nogueira"))
    if len(table):
        blocks += [
            Heading("Selectors with indistinguishable accuracies"),
            Bullets([describe_equal_accuracy(members) for _, members in table.groupby("group")]),
            Text("Indistinguishable does not mean equal.", small=True),
            Table("equal_accuracy", "Groups of selectors with indistinguishable accuracies", table),
        ]
    if subject.has_worth:
        blocks += [
            Heading("Clinical worth of the panel"),
            Text(f"{finding_worth(subject.worth)} {finding_worth_calibration(subject.worth)}"),
            *[Text(text, small=True) for text in ABOUT_WORTH],
            Table("clinical_worth", f"Logistic regression on the panel. Runs: {subject.labels[0]}", table_worth(subject.worth)),
        ]
    if subject.risk is not None:
        risks = subject.risk.table()
        caption = (
            f"The risk of {subject.risk.event} by the model of all rows and by those of the runs: 95% band, mean distance, share "
            "of the models on the other side of 50%"
        )
        finding = finding_risk(risks, RISK_CUTOFF, row_noun(subject.data))
        if subject.data is not None and subject.data.lines is not None:
            risks.insert(1, "file_line", subject.data.lines)
        blocks += [Heading("Risk instability"), Text(finding), Text(ABOUT_ROWS), Table("risks", caption, risks)]
    return blocks


def _added_value(subject):
    """The added value of the selected features over the given columns, if there are any."""
    if not len(frame := subject.added):
        return []
    names = join_tied(list(subject.result.given))
    caption = f"What the selected features add to {names}, with 95% intervals for new patients"
    columns = ("selector", "value", "given_alone", "added", "low", "high")
    return [
        Heading("What the selected features add"),
        Text(finding_added_value(frame)),
        Text(ABOUT_ADDED_VALUE, small=True),
        Table("added_value", caption, frame, columns),
    ]


def _without_features(subject, guess):
    """The scores of a prediction without any feature."""
    if kind_of_target(subject.result.target) == TIME:
        return ABOUT_SAME_RISK.format(brier_without_features(subject.result.target))
    return describe_without_features(guess, subject.score)


def _scores(table):
    """The known scores, with their limits as numbers, and in words with their intervals."""
    measured = [name for name in SCORES if name in table and table[name].notna().any()]
    numbers = table[[f"{name}{end}" for name in measured for end in ("", "_low", "_high")]]
    texts = {
        SCORES[name]: [format_estimate(*row) for row in table[[name, f"{name}_low", f"{name}_high"]].itertuples(index=False)]
        for name in measured
    }
    return numbers.assign(**texts, mean_size=table["mean_size"]).reset_index()


def pareto_front(subject):
    """Return accuracy against stability beyond the noise floor of every selector."""
    pairs = {"nogueira": subject.stability_pairs("nogueira"), subject.score: subject.score_pairs}
    table = beyond_floor(subject.table, subject.floors)
    return frame_fronts(table, "nogueira", subject.score, pairs, guessing=subject.guessing)


ABOUT_NEW_PATIENTS = (
    "Other patients of the same population give other values. The study was repeated ten times, each time without a fifth "
    "of the patients. The interval is for the average over such tables."
)
VALUE, FLOOR, BEYOND = "Stability", "Noise floor (range)", "Beyond the floor"


def stability(subject):
    """Return the headline, one sentence per selector, the table, and comparisons if the noise floor was measured."""
    result, frame = subject.result, subject.beyond
    sentences = [
        f"{describe_beyond(row)} ({subject.missing[row['selector']]})"
        for row in headline_rows(frame).to_dict("records")
        if row["selector"] in subject.missing
    ]
    columns = ("selector", "quantity", VALUE, FLOOR, BEYOND, "p", "clear", "note")
    blocks = [
        Text(finding_beyond(frame, result, subject.stability_pairs("nogueira"))),
        *[Bullets(sentences)] * bool(sentences),
        *(Text(sentence, small=True) for sentence in describe_quantities(frame)),
        Text(describe_intervals(result), small=True),
        Table("stability", "Stability and noise floor of each selector", stability_table(frame), columns),
    ]
    if subject.is_study and subject.data is not None and len(subject.new_patients):
        caption = "Stability with an interval (95%) for the average over tables of other patients"
        blocks += [
            Heading("Intervals for new patients"),
            Text(ABOUT_NEW_PATIENTS),
            Table("new_patients", caption, subject.new_patients),
        ]
    if len(result.finished_selectors) > 1 and subject.judged:
        pairs = frame_comparisons(subject.stability_pairs("nogueira"))
        caption = f"Differences between selectors in Φ {format_compared_runs(subject.compared)} beyond the noise floor, p by Holm"
        compared = Table("comparisons", caption, pairs.drop(columns="baseline"), ())
        blocks += [Heading("Selectors compared"), Text(finding_comparisons(pairs)), compared]
    if subject.subgroups is not None:
        frame = frame_subgroups(subject.subgroups)
        caption = "Agreement (kappa) within and across subgroups, and of random groups of the same size"
        about = [Text(sentence, small=True) for sentence in (*ABOUT_SUBGROUPS, POWER_OF_SUBGROUPS)]
        agreement = Table("subgroups", caption, frame, ("kind", "value", "low", "high", "p"))
        blocks += [Heading("Subgroups"), Text(finding_subgroups(frame)), *about, agreement]
    if result.has_refits:
        sources = frame_disagreement(result.disagreement_sources())
        caption = "Shares of the disagreement between runs due to the seed, missing values and patients"
        shares = Table("disagreement", caption, sources.drop(columns=["baseline", "sentence"]))
        blocks += [Heading("Sources of disagreement"), Bullets(sources["sentence"].tolist()), shares]
    return blocks


def stability_table(frame):
    """Return a frame_beyond with one row per quantity and selector, and numbers in words with their intervals."""

    def in_words(form, columns):
        return [form(*row) if not np.isnan(row[0]) else "" for row in frame[list(columns)].itertuples(index=False)]

    quantity = frame["facet"].map({key: name for key, (name, _) in FACETS.items()})
    shown = frame.assign(quantity=quantity, **{VALUE: in_words(format_with_interval, INTERVAL)}).drop(columns=["facet", "blind"])
    if not floor_is_measured(frame):
        return shown.drop(columns=[*FLOOR_RANGE, *BEYOND_PARTS, "floor_se", "p", "clear", "shuffles"], errors="ignore")
    return shown.assign(**{FLOOR: in_words(format_with_range, FLOOR_RANGE), BEYOND: in_words(format_with_interval, BEYOND_PARTS)})
