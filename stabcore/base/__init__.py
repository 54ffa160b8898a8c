"""What every room may use.

user_objects   people's own objects (selectors, plans, classifiers): described for the study file, sent to workers, copied anew
types          shared aliases for type checkers
"""
