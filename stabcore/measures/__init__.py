"""Stability measures, one file for each family. sc.list_measures() lists them.

overlap       overlap of selections
chance        overlap corrected for chance
information   agreement of importances
weights       agreement of weights and ranks
rank_overlap  overlap of the first ranks, at every depth
similarity_adjusted, related, effective   measures that use feature similarity
statistic     the parts of a measure
random_sets   values of random selections
entries       the catalogue, entry by entry
entry         the fields of an entry
catalog       reads the catalogue, and adopts user-defined measures

A user-defined measure is accepted wherever a key of the catalogue is: sc.stability(runs, mine), sc.compare(a, b, mine),
result.table([mine, "nogueira"]). It is a function

    mine(selections, similarity=None, **options) -> float

selections      the selections of the runs (stabcore.Selections): `selection_matrix` (M, d) sparse 0/1, `sizes` (M,),
                `counts` (d,), `shared` (M, M) features that two runs share, `n_runs`, `n_features`. Where the runs have them,
                also `weights`, `scores`, `ranks`
similarity      feature similarity (stabcore.Similarity), or None. Omit the parameter if the measure does not use it.
                A parameter without a default makes the similarity required
options         keyword arguments with defaults, given as sc.stability(runs, mine, name=value)
returns         one number, the same for the same runs, NaN where the measure is undefined

Its name is the name of the function. Its interval is a jackknife interval: the function is called without each run in turn. The
interval has no limits. An `Entry(key=…, label=…, function=mine, low=0, high=1, …)` adds a display name, limits and requirements
(`stabcore.measures.entry`). A function with an attribute `terms`, selections -> PairStatistic (`stabcore.measures.statistic`), gets
its interval as cheaply as the measures of the catalogue.
"""
