"""Feature selectors, one file for each family. sc.list_selectors() lists them.

mutual_information, information_gain, univariate, relief    filters: features alone, or given those already chosen
timed          filters for a time to an event
survival_forest   forests for a time to an event, by scikit-survival
linear, recursive   linear models: lasso, elastic net, group lasso, boosting, SVM and recursive elimination
backward, boruta, knockoffs   choose their own number: backward elimination, shadows in forests, the knockoff filter
augmented      a filter, then a learner
classifier_importance   importances in the classifier that is trained on the selection
trees, estimator   forests and boosted stumps, scikit-learn and user-defined objects
baseline       random selection
fitted_weights scores of columns from a fitted pipeline, search or feature selector
base, catalog  the contract of every selector, and their list
fit_checks     checked results of user-defined selectors
fair, final_model, importance   columns of categories, predictions, weights
given          contributions of features in addition to given columns
solvers        numerical engines

A user-defined selector, Study(…, {"mine": mine}), is any object with

    mine.fit(X, y)      X (n, p) standardised columns without gaps, y (n,) class numbers from 0 on, or floats for a numeric
                        target. Parameters rng and k get a NumPy Generator and the requested number of features
    mine.scores_        after fit (p,) one number per column, higher is better. A feature scores as its best column

Optional attributes are `importances_` (p,) at least 0, by default the scores above 0, and `warnings_`, sentences about this fit.
`chance_inside` is whether two fits to the same rows may differ, by default whether fit takes rng. With `predict(X)` it is a final
model (classifier="own"), which returns class numbers, or these and probabilities (n, C). An object of scikit-learn needs nothing
more: its scores are |coef_|, feature_importances_ or the columns of get_support, inside pipelines of any depth
(`stabcore.selectors.fitted_weights`). A feature that it leaves out is not selected, so a run may select fewer than k features.

A selector with `select(k)`, the numbers of the k best features, gets the FeatureTable itself (`stabcore.data.feature_table`: names,
categories, gaps, read-only). `scores_` and `importances_` are then (d,) of features, and an optional `ranking_` (d,) is used, 1 =
best and NaN where not ranked. A subclass of `Selector` is a dataclass of its options and only needs `_score`.

A copy of the object is made for every run and sent to the workers, so it must be picklable, and a fit must not depend on earlier
fits. Random numbers come from rng, from a `random_state`, or from the global ones of NumPy and Python. The study seeds all of
these, but not a `default_rng()` made inside. Class, options and a mark of the code are written to the study file, which continues
only with the same. An error in `fit` fails that run, and the study continues.
"""
