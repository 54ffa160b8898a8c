"""How sure a stability is, and how far two of them differ.

estimate      stability(), Estimate: values with intervals. steady: where runs never or hardly differ
comparison    differences on the same runs, Holm; what another C changes, also for one selector more than another; sign flips
predictions   held-out predictions compared, and held against always naming the larger class; how far a predicted risk moves
runs_needed   are the runs enough?
noise_floor   what a study without signal shows, by shuffled outcomes and in closed form
sample_size   how far growing groups of patients agree, of a model with known effects
split_half    what two separate halves of the patients agree on; how far a stability would move with other patients
error_bounds  how many of the features that are selected often are false
effect_sizes  direction and size of a feature's relation to the outcome, and what each patient contributes to it
shrinkage     effects by empirical Bayes over all features
seed_variability   how much of the disagreement a selector makes itself
"""
