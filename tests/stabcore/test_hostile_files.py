"""Hostile and odd files are read correctly, asked about or refused, as on their page.

These are a random sample of every family. bench_shapes.py has all of them, with limits of time and memory.
"""

from dataclasses import replace
from random import Random

import pytest
from hostile_support import FAMILY_QUOTAS, cases, outcome

FINE = {"right", "asked", "refused"}


@pytest.fixture(scope="module")
def chosen():
    """{family: sampled cases}. Families that start a process have a smaller quota."""
    of_family = {family: [] for family in FAMILY_QUOTAS}
    for case in cases(random_state=0, each=2):
        of_family[case.family] += [] if case.dangerous else [case]
    generator = Random(19)
    return {family: generator.sample(every, min(FAMILY_QUOTAS[family], len(every))) for family, every in of_family.items()}


@pytest.mark.parametrize("family", FAMILY_QUOTAS)
def test_no_file_is_a_raw_error_or_silently_wrong(family, chosen):
    if not chosen[family]:
        pytest.skip("pip install '.[formats]' has the writers of these files")
    assert not {str(case): came for case in chosen[family] if (came := outcome(case))[0] not in FINE}


def test_a_wrong_number_is_detected():
    """The check of tables can fail."""
    case = next(case for case in cases(only=("encodings",)) if case.name.startswith("utf-8, ',', ., '\\n', bare"))
    assert outcome(case)[0] == "right"
    assert outcome(replace(case, truth={"CRP": [1.5] * 24}))[0] == "wrong"
    assert outcome(replace(case, data=case.data.replace(b"0.3", b"0.4")))[0] == "wrong"
