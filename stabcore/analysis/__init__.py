"""What results tell together: tables that figures draw.

profiles, effective_profiles   stability at every number of features
convergence        stability at every number of runs, and how many runs a precision would take
agreement          do the measures tell the same story?
tuned              one measure with settings of one's own
knots              how far down the rankings runs agree
pareto             accuracy beside stability, beyond: what lies beyond the noise floor; second_look: what of a search is run again
half_samples       how often each of them is on that front over halves of the runs
pairs              every two selectors compared; scenarios: under several relations C, and what depends on C
panel              which features stay in the end; panel_map: at every number and threshold; consensus: of several selectors
places             rank intervals of the effects over patients
swaps              which features take each other's place between runs
effects            direction and size of each feature's effect, as measured and shrunken
split_effects      effects on the half of the patients that did not select
concordance        would it replicate: what two results have in common
floors             each selector beside its noise floor; beyond: what is beyond it compared; floor_profiles: at every number
passport           one feature, in all runs of all selectors
seriation          an order of runs and features in which likeness shows
cautions           what makes an effective stability hard to read
each               the runs that all of these are asked about: of one selector, of several, of a whole result
"""
