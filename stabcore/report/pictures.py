"""Part 7 of a report: the figures of the screens, each with its sentence and the table behind it."""

from __future__ import annotations

from stabcore.analysis.convergence import runs_ahead
from stabcore.errors import InputError
from stabcore.figures.beyond import draw_beyond
from stabcore.figures.beyond_words import finding_beyond
from stabcore.figures.comparisons import draw_comparisons, finding_comparisons, frame_comparisons
from stabcore.figures.convergence import draw_convergence, finding_convergence, frame_convergence
from stabcore.figures.dice import draw_dice, finding_dice, frame_dice
from stabcore.figures.panel import draw_panel, finding_panel, frame_panel
from stabcore.figures.panel_choices import draw_shared, finding_shared, frame_shared
from stabcore.figures.pareto import draw_fronts, finding_fronts
from stabcore.figures.risk import counted, draw_risk, finding_risk, frame_risk
from stabcore.inference.guessing import guessed
from stabcore.report.blocks import Picture
from stabcore.report.results import ONE_HALF, front
from stabcore.study.several import settings_of_one
from stabcore.wording import nearest, shown


def pictures(subject, chosen=None):
    """The figures that were chosen by name, of those that there are; None: all. Raises InputError for a name of none."""
    strange = [name for name in chosen or () if name not in TITLES]
    if strange:
        raise InputError(f"A report has no figure {shown(strange[0])}{nearest(strange[0], TITLES)}. There are: "
                         f"{', '.join(TITLES)}.")
    return [_MAKERS[name](subject) for name in offered(subject) if chosen is None or name in chosen]


def offered(subject) -> dict[str, str]:
    """{name: title} of the figures that these results allow."""
    several = len(subject.result.ready) > 1
    together = len(subject.labels) > 1 and len(subject.shared) > 0
    there = {"panel": True, "stability": True, "shared": together, "compared": several and subject.judged,
             "accuracy": bool(subject.score), "errors": bool(subject.alike[1]) and several,
             "runs": True, "dice": subject.result.has_repeats, "risks": subject.risk is not None}
    return {name: TITLES[name] for name, known in there.items() if known}


TITLES = {"panel": "The panel", "stability": "Stability beside the noise floor",
          "shared": "What the panels of all selectors share", "compared": "Selectors compared",
          "accuracy": "Accuracy and stability", "errors": "Equally accurate?", "runs": "Are the runs enough?",
          "dice": "Seed variability", "risks": "Risk instability"}


def _panel(subject):
    frame = frame_panel(subject.panel, subject.threshold, effects=subject.effects, luckiest=subject.luckiest)
    finding = finding_panel(subject.panel, subject.threshold, subject.false_together)
    return Picture("figure_panel", finding, draw_panel(frame), frame)


def _stability(subject):
    shown = subject.beyond
    return Picture("figure_stability", finding_beyond(shown, subject.result), draw_beyond(shown), shown)


def _shared(subject):
    frame = frame_shared(subject.shared, subject.labels)
    return Picture("figure_shared", finding_shared(subject.shared, len(subject.labels)), draw_shared(frame, subject.labels), frame)


def _compared(subject):
    frame = frame_comparisons(subject.stability_pairs("nogueira"))
    return Picture("figure_compared", finding_comparisons(frame), draw_comparisons(frame), frame)


def _accuracy(subject):
    frame = front(subject)
    drawn = draw_fronts(frame, subject.score, subject.score.replace("_", " ").capitalize(),
                        guessed=guessed(subject.result, subject.score), families=settings_of_one(subject.result))
    return Picture("figure_front", finding_fronts(frame, subject.score), drawn, frame)


def _errors(subject):
    frame = frame_comparisons(subject.alike[0])
    return Picture("figure_errors", finding_comparisons(frame, "accuracy"), draw_comparisons(frame, "accuracy"), frame)


def _runs(subject):
    of = {label: subject.result.preferences(label) for label in subject.result.ready}
    frame = frame_convergence(of)
    return Picture("figure_runs", finding_convergence(runs_ahead(of)), draw_convergence(frame), frame)


def _dice(subject):
    frame = frame_dice(subject.result.own_dice())
    return Picture("figure_dice", finding_dice(frame), draw_dice(frame), frame)


def _risks(subject):
    table = subject.risk.table()
    frame = frame_risk(table)
    return Picture("figure_risks", finding_risk(table, ONE_HALF, counted(subject.data)),
                   draw_risk(frame, ONE_HALF, subject.risk.event), frame)


_MAKERS = {"panel": _panel, "stability": _stability, "shared": _shared, "compared": _compared,
           "accuracy": _accuracy, "errors": _errors, "runs": _runs, "dice": _dice, "risks": _risks}
