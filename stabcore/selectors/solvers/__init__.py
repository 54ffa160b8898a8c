"""Numerical engines that selectors share: they know columns and outcomes, and no selector.

lasso_path, dual_linear, interior_point_svm   linear models; loss, penalised: what they minimise
column_statistics, contingency                columns one by one: numbers, and binned ones
independence                                  what information in bins comes to where nothing is related
stumps                                        boosting with trees of one split
"""
