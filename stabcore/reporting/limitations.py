"""Part 8 of a report: the limitations of a study."""

import numpy as np

from stabcore.analysis.panel import no_bound_reason
from stabcore.analysis.similarity_warnings import similarity_warnings
from stabcore.base.target import TIME, kind_of_target
from stabcore.base.text import counted, joined, listed
from stabcore.data.blanks import describe_blanks
from stabcore.data.checks import ABOUT_CONSTANT_COLUMNS, constant_within_patients, copied_rows, describe_copied_rows
from stabcore.data.followed import ABOUT_COMPETING_EVENTS
from stabcore.data.nuisance import describe_kept_nuisances
from stabcore.inference.estimate import RUNS_FOR_PUBLISHED_INTERVAL
from stabcore.plots.estimates import FEW_RUNS, describe_intervals
from stabcore.plots.noise_floor import describe_unknown_floor, headline_rows
from stabcore.plots.panel import describe_not_fixed
from stabcore.reporting.page import Bullets
from stabcore.reporting.subject import FILTERED
from stabcore.study.progress import sentences_by_selector

MIN_SHUFFLES = 19  # smallest number of shuffles for a p-value of 0.05
STABLE_NOT_TRUE = (
    "A stable selection need not be true. Features that are related to the outcome only through age, sex, centre or "
    "batch are also selected stably{adjusted}."
)


def limitations(subject):
    """Return all sentences that apply."""
    return [Bullets(limitation_sentences(subject))]


def limitation_sentences(subject) -> list[str]:
    """Return the sentences, the most important first: copied rows, columns chosen by the outcome, noise floors."""
    return subject.cached("limits", lambda: [sentence for sentence in _all_limitations(subject) if sentence])


def _all_limitations(subject):
    result = subject.result
    first = [describe_floors(subject), _describe_filter(subject)]
    yield from _limits_of_rows(subject)
    yield from reversed(first) if subject.filtered == "yes" else first
    yield from result.notes
    yield from sentences_by_selector(subject.missing, unless_all=False)
    yield from _limits_of_runs(subject)
    yield from _limits_of_size(subject)
    yield from _limits_of_columns(subject)
    if subject.similarity.n_related:
        runs = map(result.selections, result.finished_selectors)
        yield from dict.fromkeys(text for selections in runs for text in similarity_warnings(subject.similarity, selections))
    if subject.similarity.n_related and subject.scenario is not None and subject.scenario.base == "correlation":
        yield "Feature similarity was estimated from correlations in the same rows. Its uncertainty is not included here."
    yield describe_intervals(result)
    if result.n_runs < RUNS_FOR_PUBLISHED_INTERVAL:
        yield FEW_RUNS
    yield describe_not_fixed(subject.rule, result) if subject.rule.is_target else no_bound_reason(result, subject.threshold)
    yield STABLE_NOT_TRUE.format(adjusted=_describe_adjusted(subject))


def _describe_adjusted(subject):
    """The columns for which the study adjusted, as the end of a sentence."""
    if not (given := subject.result.given):
        return ". The study adjusted for none of these" if subject.is_study else ""
    return f". The study adjusted for {joined(list(given))}, and for nothing else. What is not linear in them can remain"


def _describe_filter(subject):
    if subject.filtered == "no":
        return ""
    verb = "makes" if subject.filtered == "yes" else "would make"
    return f"{FILTERED[subject.filtered]} Such a choice outside the runs {verb} stability and accuracy look better than they are."


def describe_floors(subject) -> str:
    """Say that noise floors are unknown, or which selectors are not clearly above theirs. Part 5 has the same headline."""
    frame = headline_rows(subject.beyond)
    if not subject.judged:
        return describe_unknown_floor(subject.result)
    if (n_shuffles := int(frame["shuffles"].max())) < MIN_SHUFFLES:
        return (
            f"With {counted(n_shuffles, 'shuffle')} of the outcome, p cannot be below {1 / (n_shuffles + 1):.2f}. No selector "
            f"can therefore be clearly above its noise floor. This requires at least {MIN_SHUFFLES} shuffles."
        )
    names = frame.loc[frame["value"].notna() & ~frame["clear"], "selector"].tolist()
    return f"Not clearly more stable than with the outcome shuffled: {joined(names)}." if names else ""


def _limits_of_runs(subject):
    """Classes that were rarely held out, repeated draws of resamples, and failed runs."""
    yield from sentences_by_selector(subject.table["accuracy_note"].to_dict())
    if not subject.is_study:
        return
    messages = subject.result.messages()
    for kind, text in (("redrawn", "Resamples that lost a class and were drawn again"), ("failed", "Failed runs")):
        if count := int(messages.loc[messages["kind"] == kind, "runs"].sum()):
            yield f"{text}: {count}."


def _limits_of_columns(subject):
    """Columns that are equal in all rows of a patient, missing cells that predict the outcome, and unusual features."""
    if subject.data is None:
        return
    table, patients = subject.data.table, subject.data.patients
    repeated = (
        constant_within_patients(patients, dict(zip(table.features, table.values.T, strict=True))) if patients is not None else []
    )
    if repeated:
        yield f"{ABOUT_CONSTANT_COLUMNS.format(columns=listed(repeated))}."
    yield describe_blanks(subject.blanks)
    yield from describe_kept_nuisances(subject.data)


def _limits_of_rows(subject):
    """Rows that are copies of others."""
    if subject.data is not None:
        table, patients = subject.data.table, subject.data.patients
        copies = copied_rows(table.values, ~table.categorical, patients)
        if copies:
            yield f"{describe_copied_rows(copies, patients is not None)}."


def _limits_of_size(subject):
    """The number of rows, or of patients with several rows, per candidate feature."""
    if not subject.is_study:
        return
    d, target, patients = len(subject.result.features), subject.result.target, subject.result.store.meta("patients")
    numbers = np.arange(len(target)) if patients is None else np.array(patients)
    classes = subject.result.classes
    if kind_of_target(target) == TIME:
        events = len(set(numbers[target["event"]]))
        whose = "event" if patients is None else "patient"
        with_it = "" if patients is None else " with the event"
        yield f"There are {counted(events, whose)}{with_it} for {counted(d, 'candidate feature')}, {events / d:.2g} per feature."
        if len(subject.result.settings["data"].get("censored", ())) > 1:
            yield ABOUT_COMPETING_EVENTS
        return
    fewest = min(len(set(numbers[target == code])) for code in np.unique(target)) if classes else len(set(numbers))
    noun, of = "row" if patients is None else "patient", " of the smallest class" if classes else ""
    yield f"There are {counted(fewest, noun)}{of} for {counted(d, 'candidate feature')}, {fewest / d:.2g} per feature."
