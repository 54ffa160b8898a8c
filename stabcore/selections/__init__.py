"""Selections of runs: the input of all measures.

selections   Selections: the selections, rankings and importances of M runs
model_paths  ModelPath: the selections of a run at every number of features, if they are not the k best of a ranking
"""
