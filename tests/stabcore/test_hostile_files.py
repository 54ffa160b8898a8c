"""Hostile and odd files, each through the door of its page: right, asked about or refused in a sentence, never anything else.

The benchmark bench_shapes.py tries all of them, with limits of time and memory; here some of every family, at random.
"""

from dataclasses import replace
from random import Random

import pytest
from hostile_support import FAMILY_QUOTAS, cases, outcome

FINE = {"right", "asked", "refused"}


@pytest.fixture(scope="module")
def chosen():
    """{family: its cases}, as many as its quota says: those that start a process are fewer."""
    of_family = {family: [] for family in FAMILY_QUOTAS}
    for case in cases(random_state=0, each=2):
        of_family[case.family] += [] if case.dangerous else [case]
    lot = Random(19)
    return {family: lot.sample(every, min(FAMILY_QUOTAS[family], len(every))) for family, every in of_family.items()}


@pytest.mark.parametrize("family", FAMILY_QUOTAS)
def test_no_file_is_a_raw_error_or_silently_wrong(family, chosen):
    if not chosen[family]:
        pytest.skip("pip install '.[formats]' brings what writes these files")
    assert not {str(case): came for case in chosen[family] if (came := outcome(case))[0] not in FINE}


def test_a_wrong_number_would_be_seen():
    """What judges tables does not take everything."""
    case = next(case for case in cases(only=("encodings",)) if case.name.startswith("utf-8, ',', ., '\\n', bare"))
    assert outcome(case)[0] == "right"
    assert outcome(replace(case, truth={"CRP": [1.5] * 24}))[0] == "wrong"
    assert outcome(replace(case, data=case.data.replace(b"0.3", b"0.4")))[0] == "wrong"
