"""Resampling plans: the rows that each run learns from, and those it holds out.

plan       the base class, and the contract for user-defined plans
draws      all plans: subsamples, bootstrap samples, complementary pairs, folds, learning curves, centres
units      rows that stay together (patients), by class
user_plan  user-defined plans and scikit-learn's splitters, checked and described for the study file
scheme     a picture of the first and last runs of a plan
catalog    the list of plans, and plans as settings
"""
