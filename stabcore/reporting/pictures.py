"""Part 7 of a report: the figures of the screens, each with its finding and its table."""

from stabcore.analysis.runs_asked import runs_by_selector
from stabcore.analysis.stability_by_runs import runs_needed
from stabcore.base.errors import InputError
from stabcore.base.target import TIME, kind_of_target
from stabcore.base.text import quote, suggest_name
from stabcore.inference.predictions import guessing_score
from stabcore.plots.clinical_worth import (
    draw_decision_curve,
    draw_worth_calibration,
    finding_decision_curve,
    finding_worth_calibration,
    frame_decision_curve,
    frame_worth_calibration,
)
from stabcore.plots.comparisons import draw_comparisons, finding_comparisons, frame_comparisons
from stabcore.plots.disagreement import draw_disagreement, finding_disagreement, frame_disagreement
from stabcore.plots.feature_values import draw_values, finding_values, table_values
from stabcore.plots.learning_curves import draw_stability_by_runs, finding_stability_by_runs, frame_stability_by_runs
from stabcore.plots.noise_floor import draw_beyond, finding_beyond
from stabcore.plots.panel import draw_panel, draw_shared, finding_by_rule, finding_shared, frame_panel, frame_shared
from stabcore.plots.pareto import SCORE_NAMES, draw_fronts, finding_fronts
from stabcore.plots.risk import draw_risk, finding_risk, frame_risk, row_noun
from stabcore.plots.survival import ABOUT_AT_RISK, draw_survival, finding_survival, frame_survival
from stabcore.reporting.page import Picture
from stabcore.reporting.results import RISK_CUTOFF, pareto_front
from stabcore.study.summary import settings_of_one_selector

DEFAULT_FIGURES = ("panel", "values", "stability", "accuracy", "disagreement", "risks")  # figures by default, others on request


def pictures(subject, chosen=None):
    """Return the chosen figures of those on offer, by default the usual ones. Raises InputError for an unknown name."""
    unknown = [name for name in chosen or () if name not in TITLES]
    if unknown:
        raise InputError(
            f"A report has no figure {quote(unknown[0])}{suggest_name(unknown[0], TITLES)}. Choose from: {', '.join(TITLES)}."
        )
    return [
        _FIGURES[name][1](subject) for name in available_figures(subject) if name in (DEFAULT_FIGURES if chosen is None else chosen)
    ]


def available_figures(subject) -> dict[str, str]:
    """Return {name: title} of the figures that are available for these results."""
    several = len(subject.result.finished_selectors) > 1
    missing = {
        "values": not len(subject.values),
        "shared": len(subject.labels) < 2 or not len(subject.shared),
        "compared": not (several and subject.judged),
        "accuracy": not subject.score,
        "errors": not (subject.score and several),
        "disagreement": not subject.result.has_refits,
        "decision": not subject.has_worth,
        "calibration": not subject.has_worth,
        "risks": subject.risk is None,
        "survival": not (subject.score and kind_of_target(subject.result.target) == TIME),
    }
    return {name: title for name, title in TITLES.items() if not missing.get(name)}


def _panel(subject):
    frame = frame_panel(subject.panel, subject.rule.threshold, effects=subject.effects, luckiest=subject.highest_shuffled)
    finding = finding_by_rule(subject.panel, subject.rule, subject.false_in_panel, subject.result.given)
    return Picture("figure_panel", finding, draw_panel(frame), frame, draw_panel(frame, narrow=True))


def _values(subject):
    frame = subject.values
    return Picture("figure_values", finding_values(frame), draw_values(frame), table_values(frame))


def _stability(subject):
    frame = subject.beyond
    finding = finding_beyond(frame, subject.result, subject.stability_pairs("nogueira"))
    return Picture("figure_stability", finding, draw_beyond(frame), frame)


def _shared(subject):
    frame = frame_shared(subject.shared, subject.labels)
    return Picture("figure_shared", finding_shared(subject.shared, len(subject.labels)), draw_shared(frame, subject.labels), frame)


def _compared(subject):
    frame = frame_comparisons(subject.stability_pairs("nogueira"))
    return Picture("figure_compared", finding_comparisons(frame), draw_comparisons(frame), frame)


def _accuracy(subject):
    frame, label = pareto_front(subject), subject.score.replace("_", " ").capitalize()
    guess, families = guessing_score(subject.result, subject.score), settings_of_one_selector(subject.result)
    figure = draw_fronts(frame, subject.score, label, guessed=guess, families=families)
    return Picture("figure_front", finding_fronts(frame, subject.score), figure, frame)


def _errors(subject):
    frame, score = frame_comparisons(subject.score_pairs), SCORE_NAMES[subject.score]
    return Picture("figure_errors", finding_comparisons(frame, score), draw_comparisons(frame, score), frame)


def _runs(subject):
    runs = runs_by_selector(subject.result)
    frame = frame_stability_by_runs(runs)
    return Picture("figure_runs", finding_stability_by_runs(runs_needed(runs)), draw_stability_by_runs(frame), frame)


def _disagreement(subject):
    frame = frame_disagreement(subject.result.disagreement_sources())
    return Picture("figure_disagreement", finding_disagreement(frame), draw_disagreement(frame), frame)


def _decision(subject):
    frame = frame_decision_curve(subject.worth)
    return Picture("figure_decision", finding_decision_curve(frame), draw_decision_curve(frame), frame)


def _calibration(subject):
    frame = frame_worth_calibration(subject.worth)
    return Picture("figure_calibration", finding_worth_calibration(subject.worth), draw_worth_calibration(frame), frame)


def _risks(subject):
    table = subject.risk.table()
    frame, finding = frame_risk(table), finding_risk(table, RISK_CUTOFF, row_noun(subject.data))
    return Picture("figure_risks", finding, draw_risk(frame, RISK_CUTOFF, subject.risk.event), frame)


def _survival(subject):
    frame = frame_survival(subject.result, subject.labels[0])
    return Picture(
        "figure_survival", f"{subject.labels[0]}. {finding_survival(frame)} {ABOUT_AT_RISK}", draw_survival(frame), frame
    )


_FIGURES = {
    "panel": ("The panel", _panel),
    "values": ("Values by outcome", _values),
    "stability": ("Stability and noise floor", _stability),
    "shared": ("Features shared by the panels", _shared),
    "compared": ("Selectors compared", _compared),
    "accuracy": ("Accuracy and stability", _accuracy),
    "errors": ("Differences in accuracy", _errors),
    "runs": ("Number of runs", _runs),
    "disagreement": ("Sources of disagreement", _disagreement),
    "decision": ("Decision curve", _decision),
    "calibration": ("Calibration of the panel", _calibration),
    "risks": ("Risk instability", _risks),
    "survival": ("Survival by predicted risk", _survival),
}
TITLES = {name: title for name, (title, _) in _FIGURES.items()}
