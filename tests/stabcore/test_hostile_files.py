"""Hostile and odd files, each through the door of its page: right, asked about or refused in a sentence, never anything else.

The benchmark bench_shapes.py tries all of them, with limits of time and memory; here some of every family, by lot.
"""

from random import Random

import pytest
from hostile_support import FAMILY_QUOTAS, cases, outcome

FINE = {"right", "asked", "refused"}


@pytest.fixture(scope="module")
def chosen():
    """{family: its cases}, as many as its quota says: those that start a process are fewer."""
    of_family = {}
    for case in cases(random_state=0, each=2):
        if not case.dangerous:
            of_family.setdefault(case.family, []).append(case)
    return {family: Random(19).sample(of_family[family], quota) for family, quota in FAMILY_QUOTAS.items()}


@pytest.mark.parametrize("family", FAMILY_QUOTAS)
def test_no_file_is_a_raw_error_or_silently_wrong(family, chosen):
    wrong = {str(case): come for case in chosen[family] if (come := outcome(case))[0] not in FINE}
    assert not wrong


def test_there_are_many_of_every_kind_and_each_is_another_file(chosen):
    assert sum(FAMILY_QUOTAS.values()) >= 500 and len(chosen) == 21
    every = [(case.door, case.file, case.data, str(case.options)) for own in chosen.values() for case in own]
    assert len(set(every)) == len(every)


def test_a_wrong_number_would_be_seen():
    """What judges tables does not take everything."""
    from dataclasses import replace

    case = next(
        case
        for case in cases(random_state=0, each=2)
        if case.family == "encodings" and case.name.startswith("utf-8, ',', ., '\\n', bare")
    )
    assert outcome(case)[0] == "right"
    assert outcome(replace(case, truth={"CRP": [1.5] * 24}))[0] == "wrong"
    assert outcome(replace(case, data=case.data.replace(b"0.3", b"0.4")))[0] == "wrong"
