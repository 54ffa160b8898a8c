"""Lessons for a class: a question, a guess, then the known answer and draws, one after the other.

lesson          a lesson, its answer at some settings and a seed
                sets that were selected in advance, for those without a formula
catalog         all lessons in their order
own             a user-defined lesson from a TOML file
classroom       the sheet to print, and pooled draws of a class
chance          blind_labs, shared_rows, shuffled
similarity      twins, chain, copies
importance      maps
uncertainty     forest_seed, more_runs, more_patients
false findings  threshold, chosen_means, inside_folds
"""
