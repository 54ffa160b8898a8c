"""Reading what people bring: tables, selections and feature groups, as files, bytes or pasted text, with clear sentences.

tables, selections, matrix   what is read: a table or groups; runs that somebody has; runs × features as numbers
selection_files, selection_sets, long_table   several files of runs; lists of names; tables with a run and a feature a line
selection_words, selection_sources, yes_no    what columns are called; files and pasted text; two words as 0 and 1
list_cells, odd_names        cells that hold a list of names; names that look like code, which are asked about
printed_lists, dput, code_lists   lists of names as R and Python print or write them; matrices as R prints them
intercept, one_run           the constant among the coefficients of a model, which is no feature; tables of one model's features
run_sides, question          are runs in rows or in columns; what a file leaves open, with its answers
feature_sets, names, spelling   sets of features that may overlap; names that mean the same, words that look the same
orientation, sideways, samples   a table on its side: recognised, turned, what is told of its samples
formats, geo, gct, labelled, labelled_child   formats that say themselves what is what; SPSS, Stata, SAS and R in a process beside
files, text, workbook        bytes, in any format, as rows of cells, within limits
without_value                errors and formulas that were never calculated, in workbooks
layout, choices              where the table lies in its file; what was chosen about that and about its cells
marks, suspects, questions, mends   cells that are no numbers: found, asked about, mended
slips                        classes of an outcome that very few rows have
cohorts                      the rows of one cohort alone
rows, cells, frame           rows of cells as named columns, each with its type
"""

from stabcore.io.choices import Choices, read_chosen
from stabcore.io.files import UPLOADS
from stabcore.io.frame import Reading
from stabcore.io.layout import Layout
from stabcore.io.mends import Mend, apply, taken
from stabcore.io.question import Question
from stabcore.io.questions import suggest
from stabcore.io.selections import KINDS, Selections, read_selections, read_selectors
from stabcore.io.tables import read_groups, read_table, read_text

__all__ = ["KINDS", "UPLOADS", "Choices", "Layout", "Mend", "Question", "Reading", "Selections", "apply", "read_chosen",
           "read_groups",
           "read_selections", "read_selectors", "read_table", "read_text", "suggest", "taken"]
