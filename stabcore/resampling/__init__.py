"""Resampling plans: which rows each run learns from, and which it leaves out.

plan       what every plan gives; the contract for a plan of one's own
draws      subsamples, bootstrap samples, complementary halves; growing: pairs of halves, quarters and eighths
folds      cross-validation, and cross-validation inside it; centres: all centres but one
units      rows that stay together (patients), by class
splitters  scikit-learn's splitters as plans
user_plan  a plan of one's own: checked, and described for the study file
catalog    the list of plans; plans as settings, and back
"""
