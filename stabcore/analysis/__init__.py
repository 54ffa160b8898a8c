"""What results tell together: tables that figures draw.

profiles, effective_profiles   stability at every number of features
knots              how far down the rankings runs agree
pareto             accuracy beside stability: which selectors nobody beats
pairs     every two selectors compared
floors             what each selector would show without any signal
passport           one feature, in all runs of all selectors
seriation          an order of runs and features in which likeness shows
cautions           what makes an effective stability hard to read
"""
