"""Classifiers that score a feature set: trained on the selected features of a resample, tested on its held-out rows.

catalog            the classifiers and their only list
user_classifiers   user-defined classifiers, checked and trained again on every resample
learners           learners for a numeric outcome, and for a time to an event

A user-defined classifier, Study(…, classifier=mine), is any object, a scikit-learn classifier for example, with

    mine.fit(X, y)          X (n, p) standardised columns without gaps, y (n,) class numbers from 0 on. A parameter rng also
                            gets a NumPy Generator. Every `random_state` of a scikit-learn model is set from it
    mine.predict(X)         (n,) class numbers
    mine.predict_proba(X)   optional: (n, C) a probability for each class in `classes_` (by default the sorted classes in y)
    mine.decision_function(X)   an alternative that orders the rows. Without either there is no AUC

A classifier that needs the original table (names, categories, gaps) has a fit with rng and n_classes:

    mine.fit(table, y, rng, n_classes)      table: stabcore.data.feature_table.FeatureTable, which is read-only
    mine.predict(table)                     ((n,) class numbers, (n, n_classes) probabilities or None)

A fresh copy is trained on every resample, so a fit must not depend on earlier fits. The study tries the classifier on some features
when the study is made, and checks every prediction. It continues only with a classifier of the same class and options.
"""
