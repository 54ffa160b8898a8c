"""Analyses of results: the tables that figures draw.

risk_groups           survival of thirds of the rows by predicted risk
stability_profile     stability at every number of features
stability_by_runs     stability at every number of runs
measure_agreement     rank correlations of measures
measure_settings      one measure with chosen settings
agreement_cutoff      the rank up to which runs agree
compare_given         a panel with and without columns that are always in the model
compare_selectors     comparisons of all pairs of selectors
scenarios             the same under several similarities C
pareto                the front of accuracy and stability, and the second look of a search
noise_floors          each selector and its noise floor, also at every number of features
panel_paths           a panel by a limit on false features, from the paths of the rankings
panel                 the panel at every number and threshold
consensus             the panel of several selectors
clinical_worth        concordance, calibration and net benefit of a model on the panel
rank_intervals        rank intervals of the effects over patients
substitutes           features that replace each other between runs
effects               direction and size of effects: measured, shrunk, and on the other half
concordance           agreement of two results
feature_profile       one feature in all runs of all selectors
feature_values        the values of a feature by outcome
table_contents        sizes of classes and missing cells of a table
seriation             an order of runs and features by similarity
similarity_warnings   reasons why effective stability is hard to read
runs_asked            the runs of one selector, of several, or of a whole result
whatif                the same runs under another C, or without a feature or a run
"""
