"""Resampling plans: the rows that each run learns from, and those it holds out.

plan       the base class; the contract for user-defined plans
draws      subsamples, bootstrap samples, complementary pairs; growing: pairs of halves, quarters and eighths
folds      cross-validation, plain and nested; centres: all centres but one
units      rows that stay together (patients), by class
splitters  scikit-learn's splitters as plans
user_plan  user-defined plans: checked, and described for the study file
catalog    the list of plans; plans as settings, and back
"""
