"""The bundled tables: what their settings say of them is true, and their groups name existing features once."""

import tomllib
from pathlib import Path

import pytest

from stabcore.data import Dataset, check
from stabcore.data.checks import KEEP
from stabcore.data.teaching import teaching_data
from stabcore.io.feature_sets import read_sets
from stabcore.io.table import read_table

FOLDER = Path(__file__).resolve().parents[3] / "sample_data"
SETTINGS = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
STUDIES = {key: {**settings["about"], **settings["data"]} for key, settings in SETTINGS.items()}
SIMULATED = {key for key, about in STUDIES.items() if "truth" in about}


@pytest.fixture(scope="module", params=STUDIES)
def study(request):
    entry = STUDIES[request.param]
    data = Dataset.from_file(FOLDER / entry["file"], target=entry["target"], exclude=entry["exclude"])
    return request.param, entry, data


def test_every_table_has_an_entry_and_a_section():
    tables = {p.name for p in FOLDER.glob("*.csv") if not p.name.endswith(".groups.csv")}
    assert tables == {entry["file"] for entry in STUDIES.values()}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for key, entry in STUDIES.items():
        assert f"## {key}" in readme and f"`{entry['file']}`" in readme
        assert set(entry) - {"groups", "truth", "picture"} == {
            "order",
            "file",
            "name",
            "title",
            "description",
            "target",
            "exclude",
            "source",
            "licence",
        }
        assert all(f"`{column}`" in readme for column in entry["exclude"])


def test_a_bundled_table_is_what_its_settings_and_the_readme_say(study):
    key, _, data = study
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"| `{STUDIES[key]['file']}` | {data.n_rows} × {data.n_features} |" in readme
    left_out = data.columns["column"][data.columns["role"] == "left out"]
    assert set(left_out) - {"zprior"} == set(STUDIES[key]["exclude"])
    _, entry, _ = study
    frame = read_table(FOLDER / entry["file"]).frame
    asked = [f for f in check(frame, entry["target"], entry["exclude"]) if f.severity != "note"]
    assert {f.remedy for f in asked} <= {KEEP}  # treatments and nested columns are for people to decide about
    key, entry, data = study
    if "groups" not in entry:
        return
    groups = read_sets(FOLDER / entry["groups"], None, data.features).sets
    members = [feature for group in groups.values() for feature in group]
    assert len(set(members)) == len(members) <= data.n_features
    assert all(len(group) >= 2 for group in groups.values())
    if key == "breast_wdbc":
        assert len(groups) == 10 and all(len(group) == 3 for group in groups.values())
        assert all(
            feature in (f"mean {name}", f"{name} error", f"worst {name}") for name, group in groups.items() for feature in group
        )


@pytest.mark.parametrize("key", sorted(SIMULATED))
def test_simulated_tables_are_what_their_function_gives(key):
    made, entry = teaching_data(key.removeprefix("teaching_")), STUDIES[key]
    path = FOLDER / entry["file"]
    assert made.frame.to_csv(index=False, lineterminator="\n") == path.read_text(encoding="utf-8")
    assert path.stat().st_size < 200_000 and entry["truth"] == list(made.truth) and entry["description"] == made.about
    groups = read_sets(FOLDER / entry["groups"], None, made.dataset().features).sets if "groups" in entry else {}
    assert groups == made.groups
