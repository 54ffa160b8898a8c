"""Lessons for a class: a question, a guess, then a known answer beside what happens in a simulation.

lesson      what a lesson is; its answer at some settings and a seed; catalog: all of them, in their order
classroom   the sheet to print, and what a class drew, pooled
what zero is        blind_labs, shared_rows, shuffled
what is the same    twins, chain, copies
how sure            forest_seed, more_runs, more_patients
what is false       threshold, chosen_means, inside_folds
measured    sets that were really selected, where there is no formula
"""
