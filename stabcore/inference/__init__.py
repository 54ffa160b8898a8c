"""Uncertainty of stabilities and of their differences.

estimate           stability() and Estimate: values with intervals
deviating_runs     intervals if runs rarely or never differ
comparison         differences on the same runs, Holm's correction, changes by another C, sign flips
predictions        comparisons of held-out predictions, and changes of predicted risks
predictive_worth   concordance, calibration and net benefit of predicted risks, and their optimism
runs_needed        the number of runs for an interval
noise_floor        stability without signal, by shuffled outcomes and in closed form
sample_size        agreement of growing groups of patients, in a model with known effects
split_half         agreement of separate halves of the patients
                   intervals for other patients
error_bounds       bounds on the number of false features
path_selection     expected false features and q-values along paths of selection frequencies
panel_rule         the rule of a panel: a threshold, or a limit on false features
effect_sizes       direction and size of a feature's relation to the outcome, and the contribution of each patient
adjusted_effects   the same beyond given columns
shrinkage          effects by empirical Bayes over all features
disagreement       the shares of the disagreement due to patients, missing values and the seed
"""
