"""Figures. frame_x is a table with every number shown, draw_x draws it, and finding_x describes it in a sentence.

noise floor     noise_floor: each selector with its noise floor. small_multiples: one facet with a curve per selector
stability       estimates: values with intervals. comparisons: of selectors and of measures. disagreement: its sources
with more       profiles: of features, and agreement cutoffs. learning_curves: of runs and of patients
selections      selection_map: shared by the next two. selection_grid, importance_map: runs × features. feature_profile
values          feature_values: of a feature by outcome. table_contents: classes and missing cells
the panel       panel: the panel, also under other choices. effects: direction, size and rank intervals. substitutes
clinical worth  clinical_worth: decision curve and calibration of the panel
other patients  replication: another study, other centres. subgroups: of these patients. risk: of each patient
time to event   survival: of thirds of the patients by their predicted risk
two criteria    pareto, pareto_points: accuracy and stability. weighted_choice. front_comparison: other measures, several studies
given columns   added_value: of the features over them. compare_given: the panel with and without them
C               similarity: C itself, its tree, scenarios. thresholds. whatif: without a group, a pair, a feature, a run
for a class     lessons: also exhibits of the papers
in Python       plot: the figures of a result, as result.plot and sc.plot
shared          style: colours, fonts and sizes. names: safe and short. labels: next to points and curves
                estimates: numbers as text and ticks
                marks: points, lines, bars and notes for Plotly.
                rendering: for browsers
"""
