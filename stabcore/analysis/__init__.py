"""What results tell together: tables that figures draw.

stability_profile   stability at every number of features. stability_by_runs: at every number of runs, and how many would be enough
measure_agreement   do the measures tell the same story? measure_settings: one measure with settings of one's own
agreement_cutoff    how far down the rankings runs agree
compare_selectors   every two selectors compared. scenarios: under several relations C, and what depends on C
pareto              accuracy beside stability: the front, over halves of the runs too, and what of a search is run again
noise_floors        each selector beside its noise floor: what lies beyond it, compared, and at every number of features
panel               which features stay in the end, at every number and threshold. consensus: of several selectors
rank_intervals      rank intervals of the effects over patients
substitutes         which features take each other's place between runs
effects             direction and size of each feature's effect: measured, shrunken, on the half that did not select
concordance         would it replicate: what two results have in common
feature_profile     one feature, in all runs of all selectors
seriation           an order of runs and features in which likeness shows
similarity_warnings   what makes an effective stability hard to read
runs_asked          the runs that all of these are asked about: of one selector, of several, of a whole result
whatif              the same runs under another C, or without a feature or a run
"""
