"""What people may bring of their own (selectors, measures, plans, classifiers) is held to; catalogues that can be called."""
