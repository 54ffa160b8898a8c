"""C from overlapping sets, such as gene sets: two features are similar if they share a set."""

import json

import numpy as np

from stabcore.base.errors import InputError
from stabcore.base.text import quote
from stabcore.base.validation import feature_finder

MAX_PAIRS = 20_000_000  # limit of entries of C while they are built, as for correlations
OVERLAP_WARNING = (
    "These sets overlap, so the similarity matrix may not be positive semi-definite. Use effective stability to rank selectors, "
    "not as a proportion."
)


def shared_set_matrix(sets, features, share=False):
    """C without its diagonal, sparse (d, d): C_ij = 1 if features i and j share a set.

    share: |S_i ∩ S_j| / |S_i ∪ S_j| of their sets S_i (Jaccard). sets: {name: members}, which may overlap. features: the d names.
    A feature in no set is similar to no other. Raises InputError for an unknown member, and for more pairs than fit in memory.
    """
    from scipy.sparse import csr_array

    find, d = feature_finder(tuple(features), len(features)), len(features)
    places = [np.unique(find(list(members), f"Set {str(name)!r}")) for name, members in sets.items()]
    sizes = np.array([len(place) for place in places], dtype=float)
    if (sizes * (sizes - 1)).sum() > MAX_PAIRS:
        largest = list(sets)[int(np.argmax(sizes))]
        raise InputError(
            f"The sets contain more than {MAX_PAIRS // 2:,} pairs of features, more than fits in memory. Leave out the largest "
            f"sets: {quote(largest)} has {int(sizes.max()):,} features."
        )
    rows = np.concatenate([np.zeros(0, dtype=int), *places])
    columns = np.repeat(np.arange(len(places)), sizes.astype(int))
    member = csr_array((np.ones(len(rows)), (rows, columns)), shape=(d, max(len(places), 1)))
    shared = (member @ member.T).tocoo()
    apart = shared.row != shared.col
    i, j, both = shared.row[apart], shared.col[apart], shared.data[apart]
    of = np.asarray(member.sum(axis=1)).ravel()
    values = both / (of[i] + of[j] - both) if share else np.ones(len(both))
    return csr_array((values, (i, j)), shape=(d, d))


def sets_as_bytes(sets) -> bytes:
    """The sets as the content of a file."""
    return json.dumps(sets, ensure_ascii=False).encode()


def read_sets(path) -> dict[str, list[str]]:
    """The sets of such a file. Raises InputError for other files."""
    try:
        sets = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        sets = None
    if not isinstance(sets, dict) or not all(
        isinstance(members, list) and all(isinstance(member, str) for member in members) for members in sets.values()
    ):
        raise InputError("The file with the sets is missing or damaged. Upload the sets again.")
    return sets
