"""Part 10 of a report: what two guidelines ask, in our own words, and which part answers it; never a score of completeness."""

from __future__ import annotations

from stabcore.report.blocks import Table, Text

YOURS = "yours to write"
BY_STUDY, BY_TABLE, BY_SCORES, ALWAYS = "study", "table", "scores", "always"

# (guideline, topic, what is asked in our own words, part or parts that answer it or None, what these need)
ITEMS = (
    ("TRIPOD+AI", "Title and summary", "Say that a model or a set of markers is developed, for whom and for which "
                                       "outcome", None, ""),
    ("TRIPOD+AI", "Background", "The clinical question, who would use the answer, what is known already", None, ""),
    ("TRIPOD+AI", "Fairness", "Known differences in care between groups of people", None, ""),
    ("TRIPOD+AI", "Source of data", "Where and when the data were gathered, and whether they speak for those it is meant "
                                    "for", None, ""),
    ("TRIPOD+AI", "Participants", "Who could take part, who did not, treatments", None, ""),
    ("TRIPOD+AI", "Preparation of data", "How columns were cleaned, coded and left out", "2, 3", BY_TABLE),
    ("TRIPOD+AI", "Outcome", "Definition of the outcome, and how many rows have which", 2, BY_STUDY),
    ("TRIPOD+AI", "How the outcome was judged", "Who judged it, blind to what, at which time", None, ""),
    ("TRIPOD+AI", "Candidate predictors", "All candidates, and how they were chosen beforehand", 2, BY_TABLE),
    ("TRIPOD+AI", "Sample size", "How the number of patients was reached", None, ""),
    ("TRIPOD+AI", "Size against candidates", "Rows of the smallest class for each candidate", 8, BY_STUDY),
    ("TRIPOD+AI", "Missing values", "How many there are, and what was done with them", "2, 3", BY_TABLE),
    ("TRIPOD+AI", "Methods of analysis", "How features were selected, options, resampling, scoring", 3, BY_STUDY),
    ("TRIPOD+AI", "Class imbalance", "Whether and how classes were balanced", None, ""),
    ("TRIPOD+AI", "Performance measures", "Which measures, with their intervals", 6, BY_SCORES),
    ("TRIPOD+AI", "Validation with other patients", "How a final model does elsewhere; runs on one table do not tell", None, ""),
    ("TRIPOD+AI", "Final model", "The model as it would be used, with its coefficients or code", None, ""),
    ("TRIPOD+AI", "Stability", "How far the selection and its numbers depend on the patients at hand", 5, ALWAYS),
    ("TRIPOD+AI", "Limitations", "What limits the answer", 8, ALWAYS),
    ("TRIPOD+AI", "Ethics, protocol, money", "Approval, consent, registration, funding, interests", None, ""),
    ("TRIPOD+AI", "Patients' part", "How patients and the public were involved", None, ""),
    ("TRIPOD+AI", "Code and settings", "Where the code is and how the numbers are had again", 9, BY_STUDY),
    ("TRIPOD+AI", "Data", "Whether and how others can have the data", None, ""),
    ("REMARK", "Markers and hypotheses", "The markers that are looked at and what was expected of them", None, ""),
    ("REMARK", "Patients", "Where they come from, who was left out, how they were treated", None, ""),
    ("REMARK", "Specimens and assays", "Material, methods of measurement, blinding", None, ""),
    ("REMARK", "Design", "How patients were chosen, over which time, endpoints", None, ""),
    ("REMARK", "All candidate variables", "Every variable that was looked at", 2, BY_TABLE),
    ("REMARK", "Statistical methods", "How variables were selected, missing values, cut-points", 3, BY_STUDY),
    ("REMARK", "Flow of patients", "Rows in, rows used, reasons", 2, BY_TABLE),
    ("REMARK", "Description of patients", "Variables by class, with what is missing", 2, BY_TABLE),
    ("REMARK", "Marker and outcome", "Direction and size of each marker with its interval", 4, BY_TABLE),
    ("REMARK", "Model with standard variables", "What a marker adds to what is already used in the clinic", None, ""),
    ("REMARK", "Further analyses", "Checks of assumptions, other settings, inner validation", 5, ALWAYS),
    ("REMARK", "Discussion", "What it means, limits, what should be studied next", None, ""),
)


def guidelines(subject, citations):
    """The table of items, with the part that fills each or who has to write it."""
    import pandas as pd

    has = {ALWAYS: True, BY_STUDY: subject.is_study, BY_TABLE: subject.is_study and subject.data is not None,
           BY_SCORES: bool(subject.score)}
    rows = [(guide, topic, asked, f"filled here: part{'s' * (',' in str(part))} {part}" if part and has[needs] else YOURS)
            for guide, topic, asked, part, needs in ITEMS]
    first, second = citations.cite("Collins et al. 2024"), citations.cite("McShane et al. 2005")
    return [Text(f"What TRIPOD+AI{first} and REMARK{second} ask, told in our own words; read the guidelines themselves before you "
                 "submit. “Filled here” means that the part has what is asked as far as the study knows it. Nothing is counted: a "
                 "number of filled items would say nothing of a study."),
            Table("guidelines", "Item by item", pd.DataFrame(rows, columns=["guideline", "item", "what is asked", "where"]))]
