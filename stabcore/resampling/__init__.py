"""Resampling plans: the rows that each run learns from, and those it holds out.

plan       the base class; the contract for user-defined plans
draws      subsamples, bootstrap samples, complementary pairs; cross-validation, plain and nested; growing pairs of parts; centres
units      rows that stay together (patients), by class
user_plan  user-defined plans and scikit-learn's splitters: checked, and described for the study file
catalog    the list of plans; plans as settings, and back
"""
