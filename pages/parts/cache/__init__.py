"""What is read or computed once and shared between reruns, by what it is: the table, the results, relations C,
answers about the results.

The keys of what is kept are full descriptions, never samples of arrays; arguments that begin with _ are not part of them. What was
read to see whether it can be, as an uploaded file is, comes as `_known` and is not read again.
"""

from pages.parts.cache.answers import (
    cached,
    cautions,
    changes,
    counts,
    drawn_floor,
    effect,
    floors,
    score_pairs,
    selections,
    size_pairs,
    split_half,
    stability_pairs,
)
from pages.parts.cache.loaded import (
    changed_since,
    features,
    know_selections,
    matching_data,
    own_study,
    results,
    sources,
    study_at,
    version_of,
)
from pages.parts.cache.relations import (
    bins,
    know_matrix,
    matrix_reader,
    matrix_reading,
    relation,
    relation_key,
    relation_key_of,
    relation_of,
    sets_reader,
    tree,
)
from pages.parts.cache.tables import (
    choices,
    cohorts,
    dataset,
    dataset_of,
    described,
    findings,
    know_table,
    numbered,
    other_dataset,
    presets,
    questions,
    reading,
    sideways,
    table_of,
    unmended,
)

__all__ = [
    "bins", "cached", "cautions", "changed_since", "changes", "choices", "cohorts", "counts", "dataset", "dataset_of",
    "described", "drawn_floor", "effect", "features",
    "findings", "floors", "know_matrix", "know_selections", "know_table", "matching_data", "matrix_reader", "matrix_reading",
    "numbered", "other_dataset", "own_study", "presets",
    "questions", "reading", "relation", "relation_key", "relation_key_of", "relation_of",
    "results", "sets_reader", "sideways", "sources", "score_pairs",
    "selections",
    "size_pairs", "split_half",
    "stability_pairs", "study_at", "table_of", "tree", "unmended", "version_of"]
