"""Learners that score a feature set: trained on the chosen features of a resample, asked about the rows it left out.

catalog    the classifiers and their only list; user_classifiers: one's own, checked and trained anew on every resample;
regressors: learners for an outcome that is a number; survival_models: for a time to an event

A classifier of one's own, Study(…, classifier=mine), is any object, a scikit-learn classifier for example, with

    mine.fit(X, y)          X (n, p) standardised columns without gaps, y (n,) class numbers from 0 on; with a parameter rng it is
                            also given a numpy Generator. Every `random_state` of a scikit-learn model is set from it
    mine.predict(X)         (n,) class numbers
    mine.predict_proba(X)   (n, C) a probability for each class in `classes_` (by default those in y, sorted), if it has any; or
                            decision_function(X), which puts rows in order. With neither there is no AUC

Or, for whoever wants the table as it is (names, categories, gaps), one whose fit takes rng and n_classes:

    mine.fit(table, y, rng, n_classes)      table: stabcore.data.feature_table.FeatureTable, which cannot be written to
    mine.predict(table)                     ((n,) class numbers, (n, n_classes) probabilities or None)

A fresh copy is trained on every resample, so nothing may be kept from one fit to the next. The study tries it on a few features
when it is made, checks every prediction, and is continued only with a classifier of the same class and options.
"""
