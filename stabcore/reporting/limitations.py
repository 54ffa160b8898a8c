"""What limits a study, written from the cautions that hold for it."""

from __future__ import annotations

import numpy as np

from stabcore.analysis.panel import no_bound
from stabcore.analysis.similarity_warnings import similarity_warnings
from stabcore.base.text import joined, listed, plural, several
from stabcore.data.blanks import sentence_blanks
from stabcore.data.checks import COUNTED_AGAIN, same_within
from stabcore.data.copies import copied_rows, sentence_copied
from stabcore.data.nuisance import sentences_kept
from stabcore.inference.estimate import ENOUGH
from stabcore.plots.estimates import FEW_RUNS, describe_intervals
from stabcore.plots.noise_floor import describe_unknown_floor, headline_rows
from stabcore.reporting.blocks import Bullets
from stabcore.reporting.subject import FILTERED
from stabcore.study.progress import by_whom

ENOUGH_SHUFFLES = 19  # with fewer no p-value is 0.05 or below
STABLE_NOT_TRUE = (
    "A stable selection need not be true. Features that are related to the outcome only through age, sex, centre or "
    "batch are selected stably as well{adjusted}."
)


def limitations(subject):
    """All sentences that hold."""
    return [Bullets(limits(subject))]


def limits(subject) -> list[str]:
    """The sentences, the most important first: copied rows, columns chosen by the outcome, and noise floors."""
    return subject.once("limits", lambda: _limits(subject))


def _limits(subject):
    result = subject.result
    first = [beside_floors(subject), _before(subject)]
    sentences = [
        *_copied(subject),
        *(reversed(first) if subject.filtered == "yes" else first),
        *result.notes,
        *by_whom(subject.missing, unless_all=False),
        *_lost(subject),
        *_few(subject),
        *_again(subject),
        *_of_columns(subject),
    ]
    if subject.similarity.n_related:
        sentences += list(
            dict.fromkeys(
                one
                for label in result.finished_selectors
                for one in similarity_warnings(subject.similarity, result.selections(label))
            )
        )
    if subject.scenario is not None and subject.scenario.base == "correlation":
        sentences.append("Feature similarity was estimated from correlations in the same rows. That uncertainty is left out here.")
    sentences += [describe_intervals(result), *([FEW_RUNS] if result.n_runs < ENOUGH else []), no_bound(result, subject.threshold)]
    adjusted = ". The study adjusted for none of these" if subject.is_study else ""
    sentences.append(STABLE_NOT_TRUE.format(adjusted=adjusted))
    return [one for one in sentences if one]


def _before(subject):
    sentence = FILTERED[subject.filtered]
    if subject.filtered == "no":
        return ""
    certain = subject.filtered == "yes"
    return (
        f"{sentence} Such a choice outside of the runs {'makes' if certain else 'would make'} stability and accuracy look "
        "better than they are."
    )


def beside_floors(subject) -> str:
    """That noise floors are not known, or whose stability is not clearly above its own; the headline of part 5 says it too."""
    frame = headline_rows(subject.beyond)
    if not subject.judged:
        return describe_unknown_floor(subject.result)
    if (many := int(frame["shuffles"].max())) < ENOUGH_SHUFFLES:
        return (
            f"With {several(many, 'shuffle')} of the outcome no p can be below {1 / (many + 1):.2f}, so no selector can be "
            f"clearly above its noise floor. That takes at least {ENOUGH_SHUFFLES} shuffles."
        )
    names = frame.loc[frame["value"].notna() & ~frame["clear"], "selector"].tolist()
    if not names:
        return ""
    return f"{joined(names)} {'is' if len(names) == 1 else 'are'} not clearly more stable than with the outcome shuffled."


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


def _of_columns(subject):
    """Blanks that predict the outcome, and features that are hardly markers, where the table tells."""
    if subject.data is not None:
        yield sentence_blanks(subject.blanks)
        yield from sentences_kept(subject.data)


def _copied(subject):
    """Rows that are copies of others, where the table tells."""
    if subject.data is not None:
        table, patients = subject.data.table, subject.data.patients
        copies = copied_rows(table.values, ~table.categorical, patients)
        if copies:
            yield f"{sentence_copied(copies, patients is not None)}."


def _few(subject):
    """How many rows, or patients where these have several, there are for each candidate feature."""
    if not subject.is_study:
        return
    d, target, patients = len(subject.result.features), subject.result.target, subject.result.store.meta("patients")
    who = np.arange(len(target)) if patients is None else np.array(patients)
    groups = [who[target == code] for code in np.unique(target)] if subject.result.classes else [who]
    few, what = min(len(set(group)) for group in groups), "of the smallest class " if subject.result.classes else ""
    yield (
        f"There are {several(few, 'row' if patients is None else 'patient')} {what}for {d:,} {plural(d, 'candidate feature')}, "
        f"{few / d:.2g} for each."
    )
