"""A study with a control, run once for all tests of a process."""

import pytest
from study_support import controlled


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return controlled(tmp_path_factory.mktemp("control") / "c.stab")
