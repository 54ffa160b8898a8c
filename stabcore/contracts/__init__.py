"""What people may bring of their own (selectors, measures, plans, classifiers) is held to; catalogues that can be called.

protocols    the shapes of one's own objects, for type checkers and editors
own          one's own objects in a study: described for its file, sent to its workers, copied anew
catalogue    a module that gives its catalogue when it is called
"""
