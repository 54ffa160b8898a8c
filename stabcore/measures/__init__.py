"""Stability measures, one file for each family; sc.list_measures() lists them.

overlap, chance, information, weights      sets; less what random sets share; importances; weights and ranks
rank_overlap  the first places of rankings, depth by depth
similarity_adjusted, related, effective   where similar features count
statistic     what a measure is made of; random_sets: what random sets give
entries       the catalogue, entry by entry; entry: what an entry says; catalog reads it, and adopts one's own measure

A user's measure can be given wherever a key of the catalogue can: sc.stability(runs, mine), sc.compare(a, b, mine),
result.table([mine, "nogueira"]). It is a function

    mine(selections, similarity=None, **options) -> float

selections   what the runs selected (stabcore.Selections): `selection_matrix` (M, d) sparse 0/1, `sizes` (M,), `counts` (d,),
              `shared` (M, M) features that two runs share, `n_runs`, `n_features`, and where runs carry them `weights`,
              `scores`, `ranks`
similarity      which features stand for each other (stabcore.Similarity), or None. Leave the parameter out if it does not matter;
              without a default, the measure is refused where no similarity is given
options       by keyword, with defaults; what people say to sc.stability(runs, mine, name=value)
returns       one number, the same for the same runs; NaN where the measure is undefined

Its name is the function's. Its interval is the jackknife's: it is recomputed without each run in turn. The interval has no
limits. An `Entry(key=…, label=…, function=mine, low=0, high=1, …)` adds a name to show, limits, and what it needs
(`stabcore.measures.entry`). A function with an attribute `terms`, selections -> Terms (`stabcore.measures.statistic`), costs no
more for its interval than the measures of the catalogue do.
"""
