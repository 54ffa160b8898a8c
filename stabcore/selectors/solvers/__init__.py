"""Numerical engines that selectors share: they know columns and outcomes, and no selector.

penalised, dual_linear           linear models: losses with a penalty and their whole path; few rows and many columns
column_statistics, contingency   columns one by one: numbers, and binned ones
independence                     what information in bins comes to where nothing is related
stumps                           boosting with trees of one split
"""
