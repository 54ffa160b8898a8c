"""Read-only copies: their content, what they leave out, that nothing changes them, and that they go with their project."""

import os

import pytest
from project_support import files, new_project, with_study
from store_support import done

from pages.workspace import links
from pages.workspace.project import LINKS, Project
from pages.workspace.projects import duplicate, projects
from stabcore.base.errors import InputError
from stabcore.study.store import Store


def test_a_copy_holds_what_is_shown_and_nothing_else():
    made = with_study(4)
    (made.folder / "study-1.stab").write_bytes(b"earlier")
    made.save_upload("forgotten.csv", b"y\n9\n")
    (made.folder / "steps.json").write_text("[]")
    (made.folder / "study.log").write_text(str(made.folder))
    made.save(earlier=[{"table": made.save_upload("before.csv", b"y\n8\n")}], started=1.0, title="mine")
    copy = links.make_copy(made)
    assert files(copy).keys() - {"workspace.json.lock"} == {"workspace.json", "study.stab", "study.toml", made.settings["table"]}
    assert not any(made.id.encode() in path.read_bytes() or made.id in path.name for path in copy.folder.iterdir())
    assert copy.id in made.links
    assert copy.read_only_since > 1e9 and copy.title == "mine" and not {"earlier", "started"} & set(copy.settings)
    assert len(Store(copy.store).finished()) == 4 and not copy.is_running


def test_a_copy_shares_its_table_and_ignores_later_runs():
    made = with_study(2)
    copy = links.make_copy(made)
    assert os.path.samefile(made.table_file, copy.table_file)
    Store(made.store).add(done(2))
    assert len(Store(copy.store).finished()) == 2 and links.current_copy(made) is None
    again = links.make_copy(made)
    assert again.id != copy.id and len(Store(again.store).finished()) == 3 and len(made.links) == 2


def test_the_same_link_again_while_nothing_has_changed():
    made = new_project(kind="sample", sample="wine", scenario={"base": "none"})
    first = links.make_copy(made)
    assert links.make_copy(made) == first == links.current_copy(made)
    made.save(scenario={"base": "correlation"})
    assert links.current_copy(made) is None and links.make_copy(made) != first and first.settings["scenario"] == {"base": "none"}


def test_nothing_changes_a_read_only_copy():
    copy = links.make_copy(with_study())
    before = files(copy)
    for act in (
        lambda: copy.save(title="x"),
        lambda: copy.save_upload("a.csv", b"x"),
        lambda: copy.write_study({"study": {"k": 3}}),
        lambda: copy.start_study(),
        lambda: copy.start_computation(copy.risks, {}),
        lambda: copy.restore_study(copy.folder / "study.stab"),
        lambda: copy.adopt_study(copy.store, {}),
    ):
        with pytest.raises(InputError):
            act()
    assert files(copy) == before


def test_a_copy_of_ones_own_is_a_work_like_any_other():
    made = with_study()
    copy = duplicate(links.make_copy(made))
    copy.save(scenario={"base": "none"})
    assert copy.read_only_since is None and copy.links == {} and copy.title == f"{made.title} (copy)"
    assert str(copy.folder) in (copy.folder / "study.toml").read_text()
    assert {project.id for project in projects()} == {made.id, copy.id}  # read-only copies are found by their links alone
    assert LINKS not in files(duplicate(made))  # a copy is not answerable for links to its model


def test_links_end_with_their_work_or_when_they_are_taken_back():
    made = with_study()
    first, copy = links.make_copy(made), duplicate(links.make_copy(made))
    made.delete_links()
    assert Project.find(first.id) is None and not made.links
    second = links.make_copy(made)
    assert second.id != first.id
    (made.folder / LINKS).write_text((made.folder / LINKS).read_text() + "../../etc " + "0" * 64 + "\nnonsense\n")
    made.delete()
    assert Project.find(second.id) is None and Project.find(made.id) is None and Project.find(copy.id) is not None


def test_what_cannot_be_copied_leaves_nothing_half(monkeypatch):
    def full(*_):
        raise OSError("disk full")

    made = new_project(kind="table")
    made.save(table=made.save_upload("t.csv", b"x"))
    monkeypatch.setattr(Project, "add_link", full)  # the last step
    with pytest.raises(OSError, match="disk full"):
        links.make_copy(made)
    assert len(projects()) == 1 and len(list(made.folder.parent.iterdir())) == 1
