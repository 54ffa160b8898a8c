"""Every test of a page has a folder of its own for what people do."""

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("STABILITY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
