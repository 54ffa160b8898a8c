"""Every figure, drawn from simulated runs with any names, hostile or real."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
from figure_support import KEYS, runs, table
from pareto_support import floors_of, row_pairs

import stabcore as sc
from stabcore.analysis import concordance
from stabcore.analysis.compare_selectors import stability_pairs
from stabcore.analysis.consensus import shared_panels
from stabcore.analysis.effects import DIFFERENCE
from stabcore.analysis.noise_floors import beyond_floor, noise_floors
from stabcore.analysis.panel import panel, stability_paths, threshold_grid
from stabcore.analysis.risk_groups import GROUPS
from stabcore.analysis.whatif import CorrelationBins
from stabcore.analysis.whatif import influence as find_influence
from stabcore.analysis.whatif.pairs import similar_pairs
from stabcore.analysis.whatif.thresholds import LEADS, TIED
from stabcore.base.text import join_tied
from stabcore.plots import (
    added_value,
    clinical_worth,
    compare_given,
    comparisons,
    disagreement,
    effects,
    feature_profile,
    feature_values,
    front_comparison,
    importance_map,
    learning_curves,
    lessons,
    noise_floor,
    pareto,
    profiles,
    replication,
    risk,
    selection_grid,
    subgroups,
    substitutes,
    survival,
    table_contents,
    thresholds,
    weighted_choice,
    whatif,
)
from stabcore.plots import panel as choices
from stabcore.plots import panel as panels
from stabcore.plots import similarity as similarity_plot
from stabcore.plots.selection_map import ORDERS, selection_maps
from stabcore.similarity.excerpt import excerpt
from stabcore.similarity.grouping import feature_tree
from stabcore.study.results import Results
from stabcore.study.risk import Risk
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.classroom import Reply
from stabcore.teaching.lesson import answer as answer_of


def groups(names, size=2):
    return sc.Similarity.from_groups(
        {f"{name}·": names[i * size : (i + 1) * size] for i, name in enumerate(names[: len(names) // size])}, names=names
    )


WIDTHS = {"": 4, " narrow": 2}  # facets side by side, on a computer and a telephone


def every_figure(names, labels):
    """{name: figure} for runs with these names of features and labels of selectors."""
    names, labels = list(names), list(labels)
    study = {label: runs(names, d=len(names), random_state=i) for i, label in enumerate(labels)}
    selections, similarity = study[labels[0]], groups(names)
    there = noise_floor.frame_beyond(every_facet_beyond(labels), labels[:1])
    yield "beyond", noise_floor.draw_beyond(there)
    yield "beyond narrow", noise_floor.draw_beyond(there, ["halves"], lines=4)
    sources = {source: 1 / 3 for source in ("patients", "missing", "seed")}
    ends = {f"{source}_{end}": value for source in sources for end, value in (("low", 0.2), ("high", 0.4))}
    counts = {"disagreement": 0.2, "seeds": 2, "imputations": 5, "runs": 5, "note": "", "steadied_by": ""}
    shares = pd.DataFrame({**sources, **ends, **counts}, index=pd.Index(labels, name="selector"))
    yield "disagreement", disagreement.draw_disagreement(disagreement.frame_disagreement(shares))
    curves = pd.DataFrame(
        {"time": [1.0, 2.0], "survival": [0.8, 0.6], "low": [0.7, np.nan], "high": [0.9, np.nan], "at_risk": [9, 5]}
    )
    thirds = pd.concat([curves.assign(group=group, rows=9, events=2) for group in GROUPS], ignore_index=True)
    thirds.attrs = {"time": names[0], "counts": [{"group": group, "time": 1.0, "at_risk": 9} for group in GROUPS]}
    yield "survival", survival.draw_survival(thirds)
    exhibit = SimpleNamespace(kind="lines", x=("x", "x"), y=("y", "y"), facet="facet", log=(), key="", title="")
    shown = SimpleNamespace(frame=pd.DataFrame({"series": labels, "facet": labels, "x": 1.0, "y": 2.0, "label": labels}))
    yield "exhibit", lessons.draw_exhibit(lessons.frame_exhibit(shown), exhibit)
    yield from every_front(table(labels), labels)
    yield from every_profile(study, similarity, labels)
    yield from every_panel(Results(study), labels)
    for order in ORDERS:
        yield f"grid by {order}", selection_grid.draw_grid(selection_maps([selections], similarity, order)[0])
    seen = selection_maps([selections], similarity, picked=names[:2], folds=[[1, 1, 1, 2, 2, 2, 2]])[0]
    for what, shown in (
        ("highlighted", seen),
        ("merged", selection_maps([selections], similarity, merged=True)[0]),
        ("plain", selection_maps([selections])[0]),
    ):
        yield f"grid {what}", selection_grid.draw_grid(shown)
        yield f"grid {what} alike", selection_grid.draw_grid(shown.order_by_similarity())
        for most in (3, 40):
            frame = importance_map.frame_importance_map(shown, most)
            yield f"importance_map {what} {most}", importance_map.draw_importance_map(frame, shown)
    often = pd.DataFrame({"selector": labels, "frequency": 0.5, "line": 0.3, "clear": True})
    yield "frequency", feature_profile.draw_frequency(often)
    yield (
        "floor",
        noise_floor.draw_floor(often.assign(floor=0.4, low=0.3, high=0.6, shuffles=5), positions=dict.fromkeys(labels, 2)),
    )
    yield "ranks", feature_profile.draw_ranks(feature_profile.frame_ranks(study, names[0]))
    added = pd.DataFrame({"selector": labels, "value": 0.8, "given_alone": 0.7, "difference": 0.1, "low": 0.0, "high": 0.2})
    added = added.assign(score="auc").set_index("selector")
    kinds = pd.DataFrame(
        {"of": ["within", "across", "random", "difference"], "value": 0.4, "low": [0.3, 0.3, 0.1, np.nan], "high": 0.5}
    )
    kinds = kinds.assign(p=0.2, rows=20, note="")
    both = pd.DataFrame({"feature": names[:3], "without": 0.9, "beyond": [0.9, 0.1, 0.8], "difference": 0.0, "change": "stays"})
    yield "given", compare_given.draw_given(compare_given.frame_given(both, names[:2]), 0.75)
    yield "subgroups", subgroups.draw_subgroups(subgroups.frame_subgroups(kinds.assign(groups=join_tied(list(names[:3]), 4))))
    yield "added_value", added_value.draw_added_value(added_value.frame_added_value(added, names[:2]))
    brought = Results(study)
    yield "comparisons", comparisons.draw_comparisons(comparisons.frame_comparisons(stability_pairs(brought)))
    for measures in (["nogueira", "jaccard"], ["nogueira", "jaccard", "effective"]):
        yield f"agreement {len(measures)}", comparisons.draw_agreement(comparisons.frame_agreement(brought, measures))
    both = (noise_floors(Results(study), measure, similarity) for measure in ("nogueira", "effective"))
    yield "before_after", similarity_plot.draw_before_after(similarity_plot.frame_before_after(*both))
    yield "together", similarity_plot.draw_together(similarity_plot.frame_together(similar_pairs(selections, similarity)))
    yield "similarity", similarity_plot.draw_similarity(similarity_plot.frame_similarity(excerpt(similarity), names))
    yield from every_what_if(study, selections, similarity, names)
    yield from every_lesson()
    yield from every_feature_values(names, labels)
    yield from every_table(names, labels)
    tree = feature_tree(pd.DataFrame(np.random.default_rng(0).normal(size=(20, len(names))), columns=names))
    yield "tree", similarity_plot.draw_tree(similarity_plot.frame_tree(tree, 0.3), [tree.features[i] for i in tree.order], 0.3)


@cache
def every_lesson():
    """Simulated inputs of figures, independent of names."""
    return list(_every_lesson())


def _every_lesson():
    for lesson in LESSONS.values():
        result, guess = answer_of(lesson, lesson.settings(), 1, 3), lesson.flat(0.5)
        yield f"lesson {lesson.key}", lessons.draw_lesson(lessons.frame_lesson(result, guess), result)
        if lesson.guess.curve:
            yield f"guess {lesson.key}", lessons.draw_guess(lessons.frame_guess(lesson, lesson.settings(), guess), lesson)
        yield f"cells {lesson.key}", lessons.draw_cells(lessons.frame_cells(result), result)
        yield (
            f"class {lesson.key}",
            lessons.draw_class(lessons.frame_class([Reply(lesson.guess_at(result.settings, guess), 0.5)] * 2, result), result),
        )


def every_feature_values(names, labels):
    """Values of the first feature: numbers by class, levels by class, and numbers by a numeric outcome."""
    rng, names = np.random.default_rng(0), [name for name in dict.fromkeys(names) if name.strip()]
    numbers = pd.DataFrame(rng.normal(size=(24, len(names))), columns=names)
    levels = numbers.assign(**{names[0]: rng.choice(np.array([f"{name}·" for name in names], dtype=object), 24)})
    classes = np.resize(np.array([max(labels, key=len), "other"], dtype=object), 24)
    for what, given, outcome in (
        ("classes", numbers, classes),
        ("levels", levels, classes),
        ("numbers", numbers, numbers[names[1]]),
    ):
        frame = feature_values.frame_feature_values(sc.Dataset(given, outcome), names[0])
        yield f"feature_values {what}", feature_values.draw_feature_values(frame)
    yield "values", feature_values.draw_values(feature_values.frame_values(sc.Dataset(numbers, classes), names[:3]))


def every_table(names, labels):
    """Classes, a numeric outcome and missing cells of a table with these names of columns and of classes."""
    names = [name for name in dict.fromkeys(names) if name.strip()]
    numbers = pd.DataFrame(np.random.default_rng(0).normal(size=(24, len(names))), columns=names)
    numbers = numbers.mask(np.tril(np.ones(numbers.shape), -8).astype(bool))
    classes = pd.Series(np.resize([f"{label}·" for label in labels], 24), name=names[0])
    for what, outcome in (("classes", classes), ("numbers", pd.Series(np.arange(24.0), name=names[0]))):
        data = sc.Dataset(numbers.iloc[:, 1:], outcome)
        yield f"outcome {what}", table_contents.draw_outcome(table_contents.frame_outcome(data))
    yield "missing", table_contents.draw_missing(table_contents.frame_missing(data))


def beside_floors(labels, random_state=0):
    """Simulated result of analysis.noise_floors.noise_floors."""
    rng = np.random.default_rng(random_state)
    value, floor = rng.random(len(labels)), rng.random(len(labels)) / 2
    made = {
        "value": value,
        "low": value - 0.1,
        "high": value + 0.1,
        "floor": floor,
        "floor_low": floor - 0.1,
        "floor_high": floor + 0.1,
        "floor_se": 0.02,
        "floor_sd": 0.09,
        "beyond": value - floor,
        "beyond_low": value - floor - 0.1,
        "beyond_high": value - floor + 0.1,
        "p": np.where(value > floor + 0.1, 1 / 21, 0.5),
        "clear": value > floor + 0.1,
        "shuffles": 20,
        "note": "",
    }
    return pd.DataFrame(made, index=pd.Index(labels, name="selector"))


def every_facet_beyond(labels):
    """Frame of the figure on Stability for such selectors."""
    halves = beside_floors(labels).assign(shared=1.0, expected_by_chance=0.5, size=5.0)
    return {"halves": halves, "runs": beside_floors(labels, 1), "effective": beside_floors(labels, 2)}


def every_profile(study, similarity, labels):
    found = profiles.frame_agreement_cutoffs(study, similarity)
    shuffled = {label: [selections] for label, selections in study.items()}
    beyond = noise_floor.frame_beyond({"runs": beside_floors(labels)})
    frame = profiles.frame_profiles(study, "effective", similarity, shuffled)
    for name, columns in WIDTHS.items():
        yield f"profiles{name}", profiles.draw_profiles(frame, 3, beyond, columns)
        yield f"marginal{name}", profiles.draw_marginal(profiles.frame_marginal(study, 2, shuffled), 3, columns)
    yield "agreement_cutoffs", profiles.draw_agreement_cutoffs(found.assign(k=2.0, low=1.0, high=3.0), 3)
    yield "stability_by_runs", learning_curves.draw_stability_by_runs(learning_curves.frame_stability_by_runs(study), labels[:1])


def every_what_if(study, selections, similarity, names):
    noise = pd.DataFrame(np.random.default_rng(1).normal(size=(20, len(names))), columns=names)
    bins, beyond = CorrelationBins.of(noise), noise_floor.frame_beyond({"runs": beside_floors(list(study))})
    frame = thresholds.frame_thresholds(
        study, bins, {label: [selections, selections] for label, selections in study.items()}, level=0.95
    )
    lead = thresholds.frame_leading(study, frame, bins)
    lead = lead.assign(standing=np.where(lead["threshold"] > 0.5, LEADS, TIED))
    for name, columns in WIDTHS.items():
        yield f"thresholds{name}", thresholds.draw_thresholds(frame, 0.5, beyond, 0.1, columns)
    yield "leading", thresholds.draw_leading(lead, list(study), 0.5, 0.1, thresholds.similar_pair_counts(bins))
    unsure = similarity_plot.frame_uncertainty(study, noise, draws=20)
    yield "uncertainty", similarity_plot.draw_uncertainty(unsure)
    both = {names[0]: sc.Similarity.identity(len(names), names), names[1]: similarity}
    side_by_side = similarity_plot.frame_scenarios(Results(study), both)
    yield "scenarios", similarity_plot.draw_scenarios(side_by_side)
    yield "scenarios narrow", similarity_plot.draw_scenarios(side_by_side, [names[0]], lines=4)
    yield "group_effects", whatif.draw_group_effects(whatif.frame_group_effects(selections, similarity))
    yield "left_out_features", whatif.draw_left_out_features(whatif.frame_left_out_features(selections, similarity), names[:1])
    yield "left_out_runs", whatif.draw_left_out_runs(whatif.frame_left_out_runs(selections, similarity), "run")
    pairs = whatif.frame_influence(find_influence(selections, similarity))
    yield "influence", whatif.draw_influence(pairs, names[:2], names[:1])
    yield (
        "ranked_pairs",
        whatif.draw_ranked_pairs(whatif.frame_ranked_pairs(find_influence(selections, similarity), 0.5), 0.1, names[:2], names[:1]),
    )


def every_panel(made, labels):
    table = panel(made, 0.4)
    effects_table = pd.DataFrame(
        {
            "feature": table["feature"],
            "effect": 0.4,
            "low": -0.5,
            "high": 0.5,
            "shrunken": 0.3,
            "shrunken_low": -0.4,
            "shrunken_high": 0.4,
            "level": "",
            "measure": DIFFERENCE,
            "direction": f"higher in {labels[0]}",
        }
    )
    shown = panels.frame_panel(table.assign(shuffled=0.2), 0.4, made.features[:1], effects_table, [0.3, 0.4])
    yield "panel", panels.draw_panel(shown, wide=True)
    yield "panel narrow", panels.draw_panel(shown, narrow=True)
    yield "panel folded", panels.draw_panel(panels.frame_panel(table.iloc[:0], 0.4))
    yield "threshold_grid", choices.draw_threshold_grid(choices.frame_threshold_grid(threshold_grid(made, labels[0])), 2, 0.6)
    yield "paths", choices.draw_paths(choices.frame_paths(stability_paths(made, labels[0]), 0.6), 0.6, 2)
    yield "shared", choices.draw_shared(choices.frame_shared(shared_panels(made, 0.4), labels), labels)
    order = pd.DataFrame({"feature": table["feature"], "place": range(1, len(table) + 1), "low": 1, "high": len(table)})
    yield "rank_intervals", effects.draw_rank_intervals(effects.frame_rank_intervals(order, made.features[:1]))
    pairs = sc.substitutes(made, level=2)
    yield "substitutes", substitutes.draw_substitutes(substitutes.frame_substitutes(pairs, made.features[:1]))
    effects_table = pd.DataFrame(
        {
            "feature": table["feature"],
            "effect": [-0.4, *[0.4] * (len(table) - 1)],
            "low": -0.5,
            "high": 0.5,
            "shrunken": [np.nan, *[0.3] * (len(table) - 1)],
            "shrunken_low": 0.0,
            "shrunken_high": 0.5,
            "direction": [f"higher in {feature}" for feature in table["feature"]],
            "measure": DIFFERENCE,
        }
    )
    halves = effects_table.assign(chosen_effect=0.6)
    yield "other_half", effects.draw_other_half(effects.frame_other_half(halves))
    yield "directions", effects.draw_directions(effects.frame_directions(table, effects_table))
    both = concordance.concordance(made, made, groups(made.features))
    moved = Risk(np.array([0.2, 0.7]), np.array([[0.1, 0.6], [0.4, 0.4]]), np.array([0, 1]), labels[0], "logistic")
    yield "risk", risk.draw_risk(risk.frame_risk(moved.table()), 0.5, moved.event)
    yield "mape", risk.draw_mape(risk.frame_mape(moved.table()))
    yield "patient", risk.draw_patient(risk.frame_patient(moved, 1), 0.5)
    yield "calibration", risk.draw_calibration(risk.frame_calibration(moved.curves()))
    shown = pd.DataFrame(
        {"threshold": [0.1, 0.2], "risk": [0.1, 0.2], "corrected": 0.3, "treat_all": [0.2, 0.1], "treat_none": 0.0}
    )
    shown = shown.assign(run_median=0.2, run_low=0.1, run_high=0.4)
    yield "decision_curve", clinical_worth.draw_decision_curve(shown)
    yield "worth_calibration", clinical_worth.draw_worth_calibration(shown)
    yield "concordance", replication.draw_concordance(replication.frame_concordance(both), 2)
    by_patients = pd.DataFrame({"selector": labels[0], "patients": [20, 40], "value": [0.1, 0.2], "low": 0.0, "high": 0.3})
    yield "learning_curve", learning_curves.draw_learning_curve(learning_curves.frame_learning_curve(by_patients, labels[0]))
    each = pd.DataFrame(
        {
            "selector": labels[0],
            "centre": made.features,
            "rows": 9,
            "accuracy": 0.7,
            "accuracy_low": 0.6,
            "accuracy_high": 0.8,
            "largest": 0.5,
        }
    )
    yield "centres", replication.draw_centres(replication.frame_centres(each, labels[0]))
    yield "replicated", replication.draw_replicated(replication.frame_replicated(concordance.replication(made, made, 0.4)), 0.4)


def every_front(made, labels):
    compared = beyond_floor(made, {key: floors_of(made, key) for key in KEYS})
    fronts = pareto.frame_fronts(compared, "nogueira", pairs=row_pairs(compared))
    yield "fronts", pareto.draw_fronts(fronts, chosen=labels[:1], guessed=0.1)
    yield "fronts without a floor", pareto.draw_fronts(pareto.frame_fronts(made, "nogueira"))
    weighed = weighted_choice.frame_weighted_choice(compared, "nogueira")
    yield "weighted_choice", weighted_choice.draw_weighted_choice(weighed)
    yield "weight_ranges", weighted_choice.draw_weight_ranges(weighted_choice.frame_weight_ranges(weighed), 0.5)
    yield "changes", front_comparison.draw_changes(front_comparison.frame_changes(compared, *KEYS), *KEYS)
    yield "space 2", pareto.draw_space(pareto.frame_space(compared, "nogueira"))
    yield "sizes", pareto.draw_sizes(pareto.frame_sizes(compared, "nogueira"), labels[:1])
    yield (
        "studies",
        front_comparison.draw_studies(
            front_comparison.frame_studies({labels[0]: compared, f"{labels[-1]} ": compared}, "nogueira")
        ),
    )
