"""Projects: data and choices are found again by the id only, and are gone when the project is deleted."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import ROOT

from pages.workspace.files import home
from pages.workspace.project import Project

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_project_is_found_by_its_id_until_it_is_deleted():
    made, other = Project.create(), Project.create()
    assert Project.find(made.id) == made and made.settings == {} and made.folder.parent == home()
    assert len({Project.create().id for _ in range(20)}) == 20 and len(made.id) == 22
    made.save(name='Äpfel & "Birnen" 🍐', roles={"target": "y", "exclude": ["id"]})
    made.save(name="other")
    assert Project.find(made.id).settings == {"name": "other", "roles": {"target": "y", "exclude": ["id"]}}
    assert other.settings == {}
    made.save_upload("a.csv", b"1")
    (made.folder / "study.log").write_text("1 of 2\n")
    for _ in range(2):
        made.delete()
        assert not made.folder.exists() and Project.find(made.id) is None and Project.find(other.id) == other


IDS = (
    *(None, 7, b"x" * 22, "", ".", "..", "../" + "a" * 19, "a" * 21 + "/", "/" + "a" * 21, "a" * 22, "a" * 23, "é" * 22, " " * 22),
    *("%2e%2e%2f" + "a" * 13, "a" * 10 + "/../" + "a" * 8, "..\\" + "a" * 19, "C:" + "a" * 20, "a" * 21 + "\0", "a" * 21 + "\n"),
)


def test_other_ids_are_refused_even_where_a_folder_or_a_file_lies(home, tmp_path):
    made = Project.create()
    for parent, times in ((tmp_path, 19), (home, 10), (home, 21), (home, 23)):
        (parent / ("a" * times)).mkdir()
    (home / ("b" * 22)).write_text("")
    for id in (*IDS, made.id + "\n", "\n" + made.id, made.id + "/", made.id + "/..", "./" + made.id, "b" * 22):
        assert Project.find(id) is None, id


@posix
def test_only_this_user_can_look_inside(home):
    before = os.umask(0)
    try:
        made = Project.create()
    finally:
        os.umask(before)
    assert mode(made.folder) == 0o700 and mode(home) == 0o700


def test_the_home_may_be_relative_or_begin_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STABILITY_HOME", "here/below")
    made = Project.create()
    assert made.folder == tmp_path / "here" / "below" / made.id
    monkeypatch.setenv("STABILITY_HOME", "~/stab")
    assert home() == Path.home() / "stab"
    monkeypatch.setenv("STABILITY_HOME", "")
    assert home() == Path.home() / ".stability-dashboard"


def test_a_save_that_fails_leaves_the_old_settings_and_no_rubbish(monkeypatch):
    made = Project.create()
    made.save(kept=1)
    with pytest.raises(TypeError):
        made.save(kept=object())
    assert made.settings == {"kept": 1} and {path.name for path in made.folder.iterdir()} == {
        "workspace.json",
        "workspace.json.lock",
    }


SAVER = """
import sys, time
from pages.workspace.project import Project
project, who = Project(sys.argv[1]), sys.argv[2]
while not (project.folder / "go").exists():
    time.sleep(0.001)
for number in range(200):
    project.save(**{f"{who}-{number}": number})
"""


def test_two_processes_that_save_one_project_lose_nothing():
    made = Project.create()
    savers = [subprocess.Popen([sys.executable, "-c", SAVER, made.id, who], cwd=ROOT) for who in "ab"]
    time.sleep(2)  # until both are ready
    (made.folder / "go").touch()
    assert [saver.wait(timeout=120) for saver in savers] == [0, 0]
    assert made.settings == {f"{who}-{number}": number for who in "ab" for number in range(200)}


ENDINGS = {
    **{"data.csv": ".csv", "DATA.XLSX": ".xlsx", "a.tar.gz": ".tar.gz", "a.b.c.parquet": ".c.parquet", "no ending": "", "dot.": ""},
    **{"": "", ".csv": ".csv", "../../evil.csv": ".csv", "a.csv/../../b": "", "..\\..\\evil.csv": ".csv", "x.csv\n": ".csv"},
    **{"x.csv ": "", "x.c\0sv": "", "naïve.çsv": "", "x.verylongending": "", "x." * 100_000 + "csv": ".x.csv", "x.sh;rm -rf": ""},
}


def test_uploaded_files_are_kept_as_they_came_under_a_safe_name():
    made, content = Project.create(), bytes(range(256))
    for name, ending in ENDINGS.items():
        file_name = made.save_upload(name, content)
        assert (made.folder / file_name).read_bytes() == content and (made.folder / file_name).parent == made.folder
        assert file_name.startswith("upload-") and file_name[len("upload-") + 8 :] == ending, name
        assert set(file_name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
