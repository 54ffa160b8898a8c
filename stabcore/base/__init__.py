"""What every room may use.

errors         the one kind of error, and sentences for faults of the machine
validation     names, lists of features and tables of numbers as people bring them, checked once
tables         tables of other libraries as pandas reads them, and whether two things hold the same
text           names and counts as they stand in sentences
user_objects   people's own objects (selectors, plans, classifiers): described for the study file, sent to workers, copied anew
types          shared aliases for type checkers
"""
