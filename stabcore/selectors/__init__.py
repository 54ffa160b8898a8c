"""Feature selectors, one file for each family; sc.list_selectors() lists them.

mutual_information, information_gain, univariate, relief    filters: features alone, or beside those already chosen; timed: for
               a time to an event
linear, recursive   linear models: lasso, elastic net, group lasso, boosting; SVM and recursive elimination
augmented      a filter, then a learner; classifier_importance: what counts in the classifier that is trained on the selected
trees, estimator   forests and boosted stumps; any scikit-learn object and one's own; baseline: at random
fitted_weights what a fitted pipeline, search or feature selector says of the columns that it was given
base, catalog  what every selector does; the only list; answers: what one's own gives, checked
fair, final_model, importance   columns of categories, predictions, weights
solvers        numerical engines

A user's selector, Study(…, {"mine": mine}), is any object with

    mine.fit(X, y)      X (n, p) standardised columns without gaps, y (n,) class numbers from 0 on, or floats where the target is a
                        number; with parameters rng and k it is also given a numpy Generator and how many features are wanted
    mine.scores_        after fit (p,) one number a column, higher is better; a feature scores as its best column

and, if it has them, `importances_` (p,) at least 0 (by default the scores above 0), `warnings_`, sentences about this fit,
`chance_inside`, whether two fits to the same rows may differ (by default, whether fit takes rng), and `predict(X)`, which makes
it a final model of its own (classifier="own"): class numbers, or these and probabilities (n, C). An object of scikit-learn needs
nothing more: |coef_|, feature_importances_ or what get_support keeps, inside pipelines of any depth, are its scores
(`stabcore.selectors.fitted_weights`). What it did not select is not selected, so that a run may select fewer than k features.

One with `select(k)`, the numbers of the k best features, is given the FeatureTable as it is (`stabcore.data.feature_table`: names,
categories, gaps; it cannot be written to); `scores_` and `importances_` are then (d,) of features, and a `ranking_` (d,) of its
own, 1 = best and NaN where not ranked, stands. A subclass of `Selector` is a dataclass of its options and gives `_score`; nothing
else is asked of it.

A copy of the object is made for every run and sent to the workers, so it can be pickled, and nothing is kept from one fit to the
next. Class and options are written to the study file, which is continued only with the same. What `fit` raises fails that run, and
the study goes on.
"""
