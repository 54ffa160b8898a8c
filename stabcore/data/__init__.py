"""Datasets: a table with its outcome and features, the kinds of its columns, and checks.

dataset         Dataset
roles           the role of each column
columns         the kind of each column, and why
describe, checks, leaks   checks of a table before a study
blanks, missing   missing cells that predict or differ by outcome
imputation        fillings of missing cells in a run
nuisance, derived   columns that are probably not markers, and columns computed from others
redcap          exports of REDCap: events joined to one row per patient
feature_table   the features as numbers, for selectors and workers
encoding        the features as columns of models
presets, times  suggested roles of columns, and columns of time and status
followed        a time to an event from its columns: values of the event, times from two dates
event           the event class of two classes
joined          X, y and the patient of each row as one table
teaching        simulated tables with known truth
spreadsheets    CSV that spreadsheets open safely
"""

from stabcore.data.checks import Finding, check
from stabcore.data.dataset import Dataset
from stabcore.data.describe import describe

__all__ = ["Dataset", "Finding", "check", "describe"]
