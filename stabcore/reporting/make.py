"""A report of a study or of uploaded selections: its ten parts and the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

import pandas as pd

from stabcore.base.errors import InputError
from stabcore.base.public import public
from stabcore.base.text import listed
from stabcore.base.validation import refuse_path
from stabcore.data.dataset import Dataset
from stabcore.inference.panel_rule import PanelRule
from stabcore.reporting.citations import Citations
from stabcore.reporting.exports import archive
from stabcore.reporting.guidelines import guidelines
from stabcore.reporting.limitations import limitations
from stabcore.reporting.living import interactive_values
from stabcore.reporting.methods import methods
from stabcore.reporting.page import Part, page_html
from stabcore.reporting.patients import patients
from stabcore.reporting.pictures import pictures
from stabcore.reporting.repeat import repeat
from stabcore.reporting.results import answer, panel_features, prediction, stability
from stabcore.reporting.subject import NOT_ANSWERED, Subject
from stabcore.similarity.scenario import Scenario
from stabcore.similarity.similarity import Similarity
from stabcore.study.results import AnyResult, Results
from stabcore.study.risk import Risk
from stabcore.study.subgroups import COLUMNS

TITLES = {
    1: "Summary",
    2: "Patients and table",
    3: "Methods",
    4: "Panel",
    5: "Stability",
    6: "Prediction",
    7: "Figures",
    8: "Limitations",
    9: "Reproducing the study",
    10: "Reporting guidelines",
}
METHODS, FIGURES, GUIDELINES = 3, 7, 10
PART_FUNCTIONS = {
    1: answer,
    2: patients,
    4: panel_features,
    5: stability,
    6: prediction,
    8: limitations,
    9: repeat,
}  # of other parts


class Page(str):
    """A whole page, of which a notebook shows only the size."""

    def __repr__(self) -> str:
        return f"<page of {len(self) / 1e6:.1f} MB>"


@public
def report(
    result: AnyResult,
    path: str | PathLike[str] | None = None,
    *,
    similarity: Similarity | None = None,
    data: Dataset | None = None,
    scenario: Scenario | None = None,
    scenarios: Mapping[str, Similarity] | None = None,
    threshold: float | None = None,
    max_false: float | None = None,
    fdr: float | None = None,
    filtered: str = NOT_ANSWERED,
    source: str = "",
    risk: Risk | None = None,
    subgroups: pd.DataFrame | None = None,
    parts: Iterable[int] | None = None,
    figures: Iterable[str] | None = None,
    interactive: bool = True,
) -> str:
    """Return the report of a study or of uploaded selections as one HTML file, and write it to path if given.

    The file needs no network, and the same study gives the same text. A path that ends in .zip gets everything: the report, all
    tables, settings, script, similarity, references, and the study file.

    Parameters
    ----------
    result : StudyResult or Results
        Result of a study, or sc.Results of uploaded selections.
    path : str or path, optional
        Path of the file.
    similarity : Similarity, optional
        C. By default no features are similar.
    data : Dataset, optional
        The table of the study, for patients and for direction and size of effects.
    scenario : Scenario, optional
        The choices that define C, if known. Its groups can be switched on and off in the interactive figures.
    scenarios : dict, optional
        {name: Similarity} of other scenarios that readers can choose in the interactive figures.
    threshold, max_false, fdr : float, optional
        One of them, the rule of the panel, see sc.panel. By default that of the study, else a threshold of 0.75.
    filtered : str, optional
        Whether columns were chosen beforehand by the outcome: "no", "yes" or "not answered".
    source : str, optional
        The source of the patients, in your own words.
    risk : Risk, optional
        Risk instability, from sc.risk_instability.
    subgroups : DataFrame, optional
        Agreement of subgroups, from sc.subgroup_agreement.
    parts : list of int, optional
        Numbers 1 … 10, by default all.
    figures : list of str, optional
        Names of figures, by default the usual ones.
    interactive : bool, optional
        Whether the part Figures also lets a reader change threshold, number of features and panel.

    Raises
    ------
    InputError
        For the table of another study, too few runs, an unknown part, or a path that cannot be written.

    Examples
    --------
    >>> html = sc.report(result, data=data, parts=[1, 2])
    >>> html[:15]
    '<!DOCTYPE html>'
    """
    if subgroups is not None and (missing := [column for column in COLUMNS if column not in subgroups]):
        raise InputError(f"Give the table of sc.subgroup_agreement as subgroups. Found a table without {listed(missing)}.")
    data = None if data is None else Dataset.of(data)
    result = Results.of(result)
    similarity = Similarity.of(similarity or Similarity.identity(len(result.features), result.features))
    rule = PanelRule.of(threshold=threshold, max_false=max_false, fdr=fdr)
    others = {name: Similarity.of(C) for name, C in (scenarios or {}).items()}
    subject = Subject(result, similarity, scenario, data, rule, filtered, source, risk, subgroups=subgroups)
    if path is not None:
        path = Path(path)
        refuse_path(path, "the report, such as report.html,")
    made = chosen_parts(subject, parts, figures)
    text = _page_html(made, subject, interactive, others)
    zipped = path is not None and path.suffix.lower() == ".zip"
    save_file(archive(subject, made, text) if zipped else text, path)
    return Page(text)


def page(
    subject: Subject,
    parts: Iterable[int] | None = None,
    figures: Iterable[str] | None = None,
    interactive: bool = True,
    scenarios: Mapping[str, Similarity] | None = None,
) -> str:
    """Return the HTML of these parts with these figures. Raises InputError for an unknown part or figure.

    interactive: whether part 7 also has figures that a reader can change. scenarios: {name: C} of the other scenarios in them.
    """
    return _page_html(chosen_parts(subject, parts, figures), subject, interactive, scenarios)


def _page_html(made, subject, interactive, scenarios):
    """The HTML of parts that are made."""
    lives = interactive and any(part.number == FIGURES for part in made)
    return page_html(title(subject), subtitle(subject), made, interactive_values(subject, scenarios) if lives else None)


def chosen_parts(subject: Subject, parts: Iterable[int] | None = None, figures: Iterable[str] | None = None) -> list[Part]:
    """Return these parts, by default all, with these figures. Raises InputError for an unknown part or figure."""
    numbers = list(TITLES if parts is None else parts)
    unknown = [number for number in numbers if number not in TITLES]
    if unknown or not numbers:
        raise InputError(f"A report has the parts 1 to {len(TITLES)}. Found {unknown[0] if unknown else 'none'!r}.")
    blocks = {}
    if {METHODS, GUIDELINES} & set(numbers):  # part 10 cites additional references, which part 3 lists
        citations = Citations()
        blocks = {METHODS: methods(subject, citations), GUIDELINES: guidelines(subject, citations)}
        blocks[METHODS][-1].items[:] = citations.listed()
    for number, make in PART_FUNCTIONS.items():
        if number in numbers:
            blocks[number] = make(subject)
    if FIGURES in numbers or figures is not None:  # also refuses unknown figures
        blocks[FIGURES] = pictures(subject, None if figures is None else tuple(figures))
    return [Part(number, name, blocks[number]) for number, name in TITLES.items() if number in numbers]


def title(subject: Subject) -> str:
    """Return the title of the report."""
    name = subject.result.settings["data"]["name"] if subject.is_study else ""
    return f"Stability of the selected features{f': {name}' if name else ''}"


def subtitle(subject: Subject) -> str:
    """Return the fingerprint and the date of the study in one line."""
    if not subject.is_study:
        return "A report of uploaded selections."
    begun = subject.result.store.meta("begun")
    return f"Study{f' started on {begun[:10]}' if begun else ''}. Fingerprint of its results: {subject.digest[:16]}."


def save_file(content: str | bytes, path: str | PathLike[str] | None) -> None:
    """Write a text or bytes to a file, if there is a path. Raises InputError where they cannot be written."""
    if path is not None:
        try:
            Path(path).write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        except OSError as error:
            raise InputError(
                f"The report cannot be written to {path}: {error.strerror}. Choose an existing folder that you may write to."
            ) from None
