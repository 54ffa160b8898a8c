"""Part 10 of a report: the items of two guidelines in our own words, each with the part of the report that covers it."""

import pandas as pd

from stabcore.reporting.page import Table, Text
from stabcore.reporting.subject import NOT_ANSWERED

WRITTEN_BY_AUTHOR = "to be written by you"
BY_STUDY, BY_TABLE, BY_SCORES, BY_ANSWER, ALWAYS = "study", "table", "scores", "answer", "always"
WHOLE, PARTLY = "part", "in part: part"

# (number, topic, item in our own words[, whole or partly here, the parts, their requirements])
TRIPOD_AI = (
    ("1", "Title", "Name the kind of study, the target population and the predicted outcome"),
    ("2", "Abstract", "Summarise the study according to TRIPOD+AI for Abstracts"),
    ("3a", "Background", "The health care context, the reason for the model, and existing models"),
    ("3b", "Background", "The target population, the purpose in the care pathway, and the users"),
    ("3c", "Background", "Known health inequalities between sociodemographic groups"),
    ("4", "Objectives", "The aims: development, evaluation or both"),
    ("5a", "Data", "The sources of the data, why they were used, and whom they represent"),
    ("5b", "Data", "Dates of recruitment and end of follow-up"),
    ("6a", "Participants", "Setting, number and place of centres"),
    ("6b", "Participants", "Eligibility criteria"),
    ("6c", "Participants", "Treatments received, and how the analysis handled them"),
    ("7", "Data preparation", "Preparation and quality checks, and whether groups were treated alike", PARTLY, "2, 3", BY_TABLE),
    ("8a", "Outcome", "Definition and time horizon of the outcome, how and when it was assessed, and why it was chosen"),
    ("8b", "Outcome", "Who assessed the outcome, if this requires judgement"),
    ("8c", "Outcome", "Blinding of the assessment of the outcome"),
    ("9a", "Predictors", "How the initial predictors were chosen, and any selection before the analysis", PARTLY, "2", BY_ANSWER),
    ("9b", "Predictors", "Definition of every predictor, how and when it was measured"),
    ("9c", "Predictors", "Who assessed the predictors, if this requires judgement"),
    ("10", "Sample size", "How the size was determined, and why it is enough"),
    ("11", "Missing data", "How missing data were handled, and why data were omitted", PARTLY, "2, 3", BY_TABLE),
    ("12a", "Analytical methods", "How the data were used and divided", WHOLE, "3", BY_STUDY),
    ("12b", "Analytical methods", "How predictors entered the analysis: form, scale, transformation", WHOLE, "3", BY_STUDY),
    ("12c", "Analytical methods", "Type of model, all steps of building and tuning, internal validation", PARTLY, "3", BY_STUDY),
    ("12d", "Analytical methods", "How differences between centres or other clusters were handled"),
    ("12e", "Analytical methods", "All measures of performance, and how models were compared", PARTLY, "3, 6", BY_SCORES),
    ("12f", "Analytical methods", "Updating of the model after evaluation"),
    ("12g", "Analytical methods", "How predictions were calculated in an evaluation"),
    ("13", "Class imbalance", "Methods against class imbalance, why and how, and recalibration after them"),
    ("14", "Fairness", "Methods that address fairness, and why"),
    ("15", "Model output", "Probability or class, and how thresholds were chosen"),
    ("16", "Training and evaluation", "Differences between the data for development and for evaluation"),
    ("17", "Ethical approval", "The committee that approved the study, and consent"),
    ("18a", "Open science", "Funding and the role of the funders"),
    ("18b", "Open science", "Conflicts of interest"),
    ("18c", "Open science", "Where the protocol is"),
    ("18d", "Open science", "Registration"),
    ("18e", "Open science", "Whether the data are available"),
    ("18f", "Open science", "Whether the code of the analysis is available", PARTLY, "9", BY_STUDY),
    ("19", "Patients and public", "Their involvement in the study"),
    ("20a", "Participants", "Flow of participants, numbers with and without the outcome, follow-up time", PARTLY, "2", BY_TABLE),
    ("20b", "Participants", "Characteristics, numbers of events, missing data, differences between groups", PARTLY, "2", BY_TABLE),
    ("20c", "Participants", "In an evaluation: a comparison with the data for development"),
    ("21", "Model development", "Participants and events in each analysis", PARTLY, "2", BY_STUDY),
    ("22", "Model specification", "The full model, so that others can use it"),
    ("23a", "Model performance", "Performance with confidence intervals, also in subgroups", PARTLY, "6", BY_SCORES),
    ("23b", "Model performance", "Differences in performance between clusters"),
    ("24", "Model updating", "Results of updating the model"),
    ("25", "Interpretation", "Interpretation, with fairness, objectives and earlier studies"),
    ("26", "Limitations", "Limitations, and their effect on bias, uncertainty and generalisability", PARTLY, "8", ALWAYS),
    ("27a", "Use of the model", "How poor or missing inputs are to be handled in use"),
    ("27b", "Use of the model", "What users have to do, and the expertise they need"),
    ("27c", "Use of the model", "Next steps of research"),
)
REMARK = (
    ("1", "Introduction", "The markers, the objectives and the hypotheses stated beforehand"),
    ("2", "Patients", "Characteristics and source of the patients, inclusion and exclusion"),
    ("3", "Patients", "Treatments, and how they were chosen"),
    ("4", "Specimens", "Biological material, preservation and storage"),
    ("5", "Assays", "Assay method, protocol and quality control, and blinding to the endpoint"),
    ("6", "Study design", "Selection of cases, prospective or retrospective, matching, time period and follow-up"),
    ("7", "Study design", "Definition of all clinical endpoints"),
    ("8", "Study design", "All candidate variables", WHOLE, "2", BY_TABLE),
    ("9", "Study design", "Reason for the sample size, with power and effect size"),
    ("10", "Statistical methods", "All methods: selection of variables, model assumptions, missing data", PARTLY, "3", BY_STUDY),
    ("11", "Statistical methods", "How marker values were handled, and how cut-points were found", WHOLE, "3", BY_STUDY),
    ("12", "Data", "Flow of patients, numbers of patients and events at each stage", PARTLY, "2", BY_TABLE),
    ("13", "Data", "Distributions of demographic, prognostic and marker variables, with missing values", WHOLE, "2", BY_TABLE),
    ("14", "Analysis", "Relation of the marker to standard prognostic variables"),
    ("15", "Analysis", "Univariable relation of each marker to the outcome, with the estimated effect", PARTLY, "4", BY_TABLE),
    ("16", "Analysis", "Multivariable effects with confidence intervals"),
    ("17", "Analysis", "Effects of the marker with the standard prognostic variables in the model"),
    ("18", "Analysis", "Further analyses: assumptions, sensitivity, internal validation", PARTLY, "5", ALWAYS),
    ("19", "Discussion", "Interpretation in view of the hypotheses and of other studies, limitations", PARTLY, "8", ALWAYS),
    ("20", "Discussion", "Meaning for research and for clinical use"),
)


def guidelines(subject, citations):
    """Return the table of items, each with the part of the report that covers it, or a note that the author must write it."""
    has = {
        ALWAYS: True,
        BY_STUDY: subject.is_study,
        BY_TABLE: subject.is_study and subject.data is not None,
        BY_SCORES: bool(subject.score),
        BY_ANSWER: subject.filtered != NOT_ANSWERED,
    }
    rows = [
        (guide, number, topic, item, _describe_coverage(has, *place))
        for guide, items in (("TRIPOD+AI", TRIPOD_AI), ("REMARK", REMARK))
        for number, topic, item, *place in items
    ]
    first, second = citations.cite("Collins et al. 2024"), citations.cite("McShane et al. 2005")
    table = pd.DataFrame(rows, columns=["guideline", "number", "topic", "item", "where"])
    covered = table[table["where"] != WRITTEN_BY_AUTHOR]
    return [
        Text(
            f"The items of TRIPOD+AI{first} (27 items with sub-items) and REMARK{second} (20 items) in our own words. Read "
            f"the guidelines before you submit. This report helps with {len(covered)} of {len(table)} items. The archive lists "
            "all (guidelines.csv)."
        ),
        Table("guidelines_covered", "Items of the guidelines that this report covers", covered),
        Table("guidelines", "Item by item", table, ()),
    ]


def _describe_coverage(has, extent=None, parts="", needs=""):
    return f"{extent}{'s' * (',' in parts)} {parts}" if extent and has[needs] else WRITTEN_BY_AUTHOR
