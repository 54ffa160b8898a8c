"""Numerical engines shared by selectors. They use columns and outcomes, and no selectors.

penalised            linear models: losses with a penalty and their whole path
dual_linear          linear models with few rows and many columns
column_statistics    statistics of single columns
score_tests          beyond other columns
contingency          information of binned columns
independence         information in bins by chance
stumps               boosting with trees of one split
"""
