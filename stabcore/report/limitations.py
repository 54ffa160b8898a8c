"""What limits a study, written from the cautions that hold for it."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.cautions import cautions
from stabcore.analysis.panel import no_bound
from stabcore.data.checks import COUNTED_AGAIN, same_within
from stabcore.data.copies import copied_rows, sentence_copied
from stabcore.figures.estimates import FEW_RUNS, intervals_of
from stabcore.figures.floor import sentence_floor
from stabcore.inference.estimate import ENOUGH
from stabcore.report.blocks import Bullets
from stabcore.report.subject import FILTERED
from stabcore.study.few_values import caution
from stabcore.study.missing_runs import by_whom
from stabcore.wording import listed, plural, several

STABLE_NOT_TRUE = ("A set that comes back is not a set that is true: a wrong choice can be a stable one. What goes with the "
                   "outcome only because both go with age, sex, centre or batch comes back as well{adjusted}.")


def limitations(subject):
    """All sentences that hold."""
    return [Bullets(limits(subject))]


def limits(subject) -> list[str]:
    """The sentences, what weighs most first: copied rows, as no floor holds with them; columns chosen by the outcome; else the
    floor, or where it is not known, why."""
    return subject.once("limits", lambda: _limits(subject))


def _limits(subject):
    result = subject.result
    first = [sentence_floor(subject.floor, result), _before(subject)]
    sentences = [*_copied(subject), *(reversed(first) if subject.filtered == "yes" else first), *result.notes,
                 *by_whom(subject.missing, unless_all=False), *_lost(subject), *_few(subject), *_again(subject), *_unlike(subject)]
    sentences += list(dict.fromkeys(one for label in result.ready for one in cautions(subject.relation, result.preferences(label))))
    if subject.scenario is not None and subject.scenario.base == "correlation":
        sentences.append("Which features stand for each other rests on correlations in the same rows, which are taken as known "
                         "here.")
    sentences += [intervals_of(result), *([FEW_RUNS] if result.n_runs < ENOUGH else []), no_bound(result, subject.threshold)]
    adjusted = "; the study adjusted for none of these" if subject.is_study else ""
    sentences.append(STABLE_NOT_TRUE.format(adjusted=adjusted))
    return [one for one in sentences if one]


def _before(subject):
    sentence = FILTERED[subject.filtered]
    if subject.filtered == "no":
        return ""
    return (f"{sentence} {'Where it was so, that' if subject.filtered != 'yes' else 'That'} choice was made once, outside of the "
            "runs: both stability and accuracy then look better than they are.")


def _lost(subject):
    """Classes that were seldom held out, resamples drawn again."""
    yield from by_whom(subject.table["accuracy_note"].to_dict())
    if not subject.is_study:
        return
    messages = subject.result.messages()
    for kind, template in (("redrawn", "lost a class and {were} drawn again"), ("failed", "failed")):
        many = int(messages.loc[messages["kind"] == kind, "runs"].sum())
        if many:
            yield f"{several(many, 'run')} of a selector {template.format(were='was' if many == 1 else 'were')}."


def _again(subject):
    """What is the same in every row of a patient, where the table tells."""
    if subject.data is not None and subject.data.patients is not None:
        table = subject.data.table
        same = same_within(subject.data.patients, dict(zip(table.features, table.values.T, strict=True)))
        if same:
            yield f"{COUNTED_AGAIN.format(columns=listed(same))}."


def _copied(subject):
    """Rows that are copies of others, where the table tells."""
    if subject.data is not None:
        table, patients = subject.data.table, subject.data.patients
        copies = copied_rows(table.values, ~table.categorical, patients)
        if copies:
            yield f"{sentence_copied(copies, patients is not None)}."


def _unlike(subject):
    """Features of few values, where a selector treats them unlike others and the table tells."""
    if subject.data is not None:
        yield caution(subject.data, [one["key"] for one in subject.result.settings["selectors"] if "key" in one])


def _few(subject):
    """How many rows, or patients where these have several, there are for each candidate feature."""
    if not subject.is_study:
        return
    d, target, patients = len(subject.result.features), subject.result.target, subject.result.store.meta("patients")
    who = np.arange(len(target)) if patients is None else np.array(patients)
    groups = [who[target == code] for code in np.unique(target)] if subject.result.classes else [who]
    few, what = min(len(set(group)) for group in groups), "of the smallest class " if subject.result.classes else ""
    yield (f"There are {several(few, 'row' if patients is None else 'patient')} {what}for {d:,} {plural(d, 'candidate feature')}, "
           f"{few / d:.2g} for each.")
