"""Sentences of figures and lessons, kept in snapshots that are reviewed as a whole."""

import numpy as np
import pandas as pd
from claims_support import MAKERS, Compared
from noise_support import simulated
from snapshot_support import check_snapshot

from stabcore.analysis.panel import panel
from stabcore.plots import comparisons, effects, estimates, feature_profile, learning_curves, noise_floor, replication, risk
from stabcore.plots import panel as panels
from stabcore.teaching.catalog import LESSONS
from stabcore.teaching.lesson import answer


def test_findings_for_equal_selectors_and_a_better_one():
    parts = []
    for title, compared in (("equal selectors", Compared(simulated(1))), ("a better selector", Compared(simulated(1, best=True)))):
        parts += [f"# {title}", *(f"{maker.name}: {text}" for maker in MAKERS for text in maker.say(compared))]
        table = panel(compared.found, 0.5)
        parts += [
            panels.finding_panel(table, 0.5),
            *panels.describe_marks(panels.frame_panel(table, 0.5)),
            feature_profile.finding_frequency(table.iloc[:0].assign(selector=""), "x"),
            *noise_floor.describe_marks_beyond(noise_floor.frame_beyond({"runs": noise_floor.noise_floors(compared.found)})),
            estimates.describe_intervals(compared.found),
        ]
    check_snapshot("findings", "\n".join(parts))


def test_sentences_about_patients_and_other_studies():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"row": range(1, 21), "mape": rng.random(20) / 5, "changes": rng.random(20) / 4})
    shared = pd.DataFrame({"in_first": True, "replicates": ["yes", "related", "no", "unknown"]})
    centres = pd.DataFrame(
        {"centre": ["A", "B"], "accuracy": [0.7, 0.9], "joint_low": [0.6, 0.8], "joint_high": [0.8, 0.95], "largest": 0.65}
    )
    overlap = pd.DataFrame(
        {"k": [5], "common": 3.0, "expected": 1.0, "low": 0.0, "high": 2.0, "beside": "shuffled", "clear": True, "p": 0.01}
    )
    tested = pd.DataFrame({"rows": [100], "score": "auc", "value": 0.7, "low": 0.6, "high": 0.8, "given_alone": np.nan})
    runs = pd.DataFrame({"selector": ["a", "b"], "runs": 50, "value": 0.4, "half_width": [0.04, 0.1], "with_more": [0.03, 0.07]})
    runs = runs.assign(needed=[40, 200], reason="")
    effect = {"feature": "x", "direction": "higher in sick", "measure": "standardised difference"}
    effect |= {"effect": 0.5, "low": 0.2, "high": 0.8}
    effect |= {"shrunken": 0.4, "shrunken_low": 0.1, "shrunken_high": 0.7, "auc": 0.64, "auc_low": 0.56, "auc_high": 0.72}
    ranked = pd.DataFrame({"feature": ["x", "y", "z"], "low": [1, 1, 3], "high": [2, 2, 3]})
    pairs = pd.DataFrame({"first": "A", "second": ["B", "C"], "difference": 0.2, "low": 0.1, "high": 0.3, "baseline": False})
    untested = [  # both pairs, and one of them
        pairs.assign(p_holm=p, note=["" if value == value else "A is not clearly above its noise floor" for value in p])
        for p in ([np.nan, np.nan], [0.4, np.nan])
    ]
    check_snapshot(
        "findings_other_patients",
        "\n".join(
            [
                risk.finding_risk(table, 0.5),
                risk.finding_mape(risk.frame_mape(table)),
                risk.finding_patient(pd.DataFrame({"risk": [0.4, 0.3, 0.6, 0.5]}), 7, 0.5),
                replication.finding_replicated(shared),
                replication.finding_centres(centres),
                replication.finding_concordance(overlap, 5),
                replication.finding_external_validation(tested, 4, lacking=1),
                replication.describe_same_directions(pd.DataFrame({"in_first": True, "same_way": [True, False]})),
                learning_curves.finding_stability_by_runs(runs),
                *(learning_curves.describe_runs_needed(row) for row in runs.itertuples()),
                learning_curves.finding_learning_curve(pd.DataFrame({"patients": [20, 40], "value": [0.1, 0.2]})),
                effects.describe_effect(effect),
                effects.describe_effect(effect | {"effect": np.nan}),
                effects.finding_rank_intervals(ranked),
                *map(comparisons.finding_comparisons, untested),
            ]
        ),
    )


def test_sentences_of_lessons():
    parts = []
    for lesson in LESSONS.values():
        settings = lesson.settings()
        parts += [lesson.question, lesson.story, lesson.ask(settings), answer(lesson, settings).sentence]
        parts += [lesson.insight, lesson.note, *(step.words for step in lesson.steps), ""]
    check_snapshot("lessons", "\n".join(parts))
