"""A small study for all tests of the report."""

import runpy
from functools import partial

import pytest
import study_support
from report_support import run

import stabcore as sc
from stabcore.reporting.make import chosen_parts
from stabcore.reporting.repeat import repeat_files
from stabcore.reporting.subject import Subject


@pytest.fixture(scope="package", autouse=True)
def few_samples():
    """Clinical worth with 20 bootstrap samples, which otherwise take most of the time of a report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stabcore.reporting.subject.clinical_worth", partial(sc.clinical_worth, n_bootstrap=20))
        yield


@pytest.fixture(scope="package")
def small(tmp_path_factory):
    """Return the path of a small study by complementary pairs, and its table."""
    path = tmp_path_factory.mktemp("report") / "trial.stab"
    options = {"plan": sc.ComplementaryPairs(6), "k": 3, "random_state": 5, "n_permutations": 0}
    run(sc.Study(study_support.data(), ["mim", "lasso", "random"], **options), path)
    return path, study_support.data()


@pytest.fixture(scope="package")
def subject(small):
    path, data = small
    similarity = sc.Similarity.from_correlation(data, threshold=0.3)
    return Subject(sc.open_study(path, named=True), similarity, data=data, filtered="no", source="Ward 7")


@pytest.fixture(scope="package")
def parts(subject):
    return chosen_parts(subject)


@pytest.fixture
def repeated(tmp_path, capsys, monkeypatch):
    """Run the script of a report on tmp_path/table.csv, and return the lines that it prints."""
    monkeypatch.setattr(sc.Study, "run", run)

    def repeat(subject, name="again.stab", *original):
        (tmp_path / "study.py").write_text(repeat_files(subject)["study.py"][1], encoding="utf-8")
        runpy.run_path(str(tmp_path / "study.py"))["main"](tmp_path / "table.csv", tmp_path / name, *original)
        return capsys.readouterr().out.splitlines()

    return repeat
