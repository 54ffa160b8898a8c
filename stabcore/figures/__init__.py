"""Pictures: frame_x, a table with every number shown, draw_x, the picture of such a table, and often finding_x, its sentence.

beside a floor  beyond: each selector beside its noise floor, beyond_words: what is said of it; small: a curve in a panel for each
one selector    estimates, standing, floor, dice, uncertainty: values with intervals, beside what they are held against
every k         curves, knots, convergence
what was chosen columns, maps, cells, rectangles: runs × features; passport: one feature
in the end      panel: who stays; panel_choices: other choices of k and threshold, paths, panels that selectors share
                places: rank intervals of effects, swaps: which take each other's place
                directions: direction and size of effects, also on the half of the patients that did not select
                replication: what two studies have in common; risk: of each patient
                growth: agreement by the number of patients; centres: accuracy in each
two criteria    pareto, placed, points, sizes, compromise, changes, alike, studies: accuracy beside stability
two selectors   comparisons
C               relations, thresholds, whatif, against (beside an interval), influence, scenarios; beside: two selectors under one
for a class     lessons, papers
shared          style, labels, names, ends, image: how figures look; screen: as a browser gets them; offline: outside of the app
                ties: who is level as shown
                scatter_matrix: every two columns against each other
"""
