"""The catalogue of selectors: complete, refusing what it does not know, and cheap to import."""

import subprocess
import sys

import pytest

from stabcore.errors import InputError
from stabcore.selectors import selector, selectors
from stabcore.selectors.catalog import ENTRIES


def test_every_entry_says_everything():
    frame = selectors()
    assert frame.index.tolist() == ["mim", "mrmr", "jmi", "cmim", "lasso", "random_forest", "gbm", "random"]
    assert (frame.drop(columns="options") != "").all(axis=None)
    assert set(frame["ranks"]) == {"all", "prefix"}
    assert frame["plain"].str.endswith(".").all()
    assert frame.loc["mim", "options"] == "bins = 5: how many equal-width intervals a number is cut into"
    assert frame["label"].is_unique


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_options_reach_the_selector(entry):
    made = selector(entry.key, **{name: 7 for name in entry.options})
    assert all(getattr(made, name) == 7 for name in entry.options)
    assert all(option.meaning for option in entry.options.values())
    for name in entry.options:
        with pytest.raises(InputError, match=f"{name} must be a whole number"):
            selector(entry.key, **{name: 0})


def test_unknown_names_are_refused_with_the_known_ones():
    with pytest.raises(InputError, match="no selector 'lassso'. Choose one of: mim, mrmr"):
        selector("lassso")
    with pytest.raises(InputError, match="no option 'bin'; its options are: bins, length"):
        selector("cmim", bin=3)
    with pytest.raises(InputError, match="no option 'seed'; it has none"):
        selector("random", seed=3)


def test_importing_the_catalogue_imports_no_heavy_library():
    code = ("import sys, stabcore.selectors.catalog, stabcore.classifiers, stabcore.encoding\n"
            "print(*{'sklearn', 'scipy', 'pandas'} & set(sys.modules))")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


@pytest.mark.parametrize("before", ["pass", "sc.selector('mim')", "import stabcore.selectors"])
def test_the_public_function_and_the_package_share_a_name(before):
    code = f"import stabcore as sc\n{before}\nprint(len(sc.selectors()), callable(sc.selector))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(len(ENTRIES)), "True"]
