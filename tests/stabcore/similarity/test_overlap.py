"""C of overlapping sets: against a slow version, limits, and scenario files."""

import numpy as np
import pytest

from stabcore.base.errors import InputError
from stabcore.similarity.files import read_scenario, write_scenario
from stabcore.similarity.overlap import read_sets, sets_as_bytes
from stabcore.similarity.scenario import Scenario

NAMES = tuple(f"g{i}" for i in range(12))


def slow(sets, names, share):
    """C entry by entry."""
    of = {name: {group for group, members in sets.items() if name in members} for name in names}
    C = np.eye(len(names))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            if i != j and of[a] & of[b]:
                C[i, j] = len(of[a] & of[b]) / len(of[a] | of[b]) if share else 1.0
    return C


def drawn(seed, names=NAMES, n_sets=6):
    rng = np.random.default_rng(seed)
    return {f"S{s}": list(rng.choice(names, size=rng.integers(1, 6), replace=False)) for s in range(n_sets)}


def similarity_of_sets(sets, names, share=False):
    return Scenario("sets", share=share, sets="sets.json").build_similarity(tuple(names), sets)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_overlap_matches_a_slow_version(seed, share):
    sets = drawn(seed)
    C = similarity_of_sets(sets, NAMES, share)
    np.testing.assert_allclose(C.block(np.arange(12)), slow(sets, NAMES, share), atol=1e-12)
    assert C.names == NAMES and C.labels is None


def test_too_many_pairs_and_unknown_members_are_refused():
    names = [f"g{i}" for i in range(6000)]
    for sets, features in (({"all": names, "few": names[:3]}, names), ({"s": ["g0", "lost"]}, NAMES)):
        with pytest.raises(InputError):
            similarity_of_sets(sets, features)
    assert similarity_of_sets({}, NAMES).n_related == 0


def test_scenario_files_keep_sets(tmp_path):
    sets = {"a": ["g0", "g1"], "b": ["g1", "g2"], "c <b>": ["g9"]}
    path = tmp_path / "sets.json"
    path.write_bytes(sets_as_bytes(sets))
    assert read_sets(path) == sets
    made = Scenario(base="sets", sets="x.json", share=True)
    name, read, content, notes = read_scenario(write_scenario("mine", made, sets=sets), NAMES[:3])
    path.write_bytes(content)
    assert (name, read.base, read.share, read.sets) == ("mine", "sets", True, "")
    assert read_sets(path) == {"a": ["g0", "g1"], "b": ["g1", "g2"]}
    assert read.build_similarity(NAMES, sets).n_related == 0  # its sets have no file yet
    assert made.build_similarity(NAMES, sets).n_related == 2
    with pytest.raises(InputError):
        made.build_similarity(NAMES)


@pytest.mark.parametrize("content", [b"{", b"[1]", b'{"a": 1}', b'{"a": [1]}', b"[" * 100_000, b"\xff"])
def test_damaged_set_files_are_refused(tmp_path, content):
    (tmp_path / "sets.json").write_bytes(content)
    with pytest.raises(InputError):
        read_sets(tmp_path / "sets.json")
