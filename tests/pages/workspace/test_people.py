"""Whose a project is, and who may do what with it: what belongs to one person is not there for any other."""

import pytest
from project_support import new_project, with_study

from pages.workspace import links, people
from pages.workspace.people import NOBODY, OWNER, READER, RIGHTS, SOLE_USER, STRANGER, has_right, person_from_claims, role
from pages.workspace.project import Project
from pages.workspace.projects import (
    KEEP_DAYS,
    QUOTA,
    QUOTA_EACH,
    describe_disk_use,
    duplicate,
    find_unchanged,
    projects,
    refuse_when_full,
)
from stabcore.base.errors import InputError

CLAIMS = {"is_logged_in": True, "iss": "https://id.example.org", "sub": "anne", "email": "anne@example.org"}
ANNE, BERT = person_from_claims(CLAIMS), person_from_claims({**CLAIMS, "sub": "bert"})


@pytest.fixture(autouse=True)
def own_home(home, monkeypatch):
    for name in (KEEP_DAYS, QUOTA, QUOTA_EACH):
        monkeypatch.delenv(name, raising=False)


def of(person, **settings):
    """A project of a person."""
    made = Project.create(person)
    made.save(**settings)
    return made


def test_a_person_is_issuer_and_subject_and_nothing_that_can_be_read():
    assert (
        people._PERSON.fullmatch(ANNE) and len({ANNE, BERT, person_from_claims({**CLAIMS, "iss": "https://id.example.com"})}) == 3
    )
    assert person_from_claims({**CLAIMS, "email": "other@example.org", "iat": 3}) == ANNE, "other claims about the same subject"
    assert person_from_claims({**CLAIMS, "iss": "a", "sub": "bc"}) != person_from_claims({**CLAIMS, "iss": "ab", "sub": "c"})
    for wrong in ({"iss": None}, {"sub": ""}, {"sub": 7}, {"is_logged_in": False}, {"is_logged_in": "true"}):
        assert person_from_claims({**CLAIMS, **wrong}) is NOBODY and person_from_claims({}) is NOBODY, "whom nobody vouches for"


def test_the_whole_table_of_who_may_do_what():
    everybody, owners = (SOLE_USER, ANNE, BERT, NOBODY), (SOLE_USER, ANNE, None)
    own_pairs = {(SOLE_USER, SOLE_USER), (ANNE, ANNE)}
    for person in everybody:
        for owner in owners:
            assert role(person, owner, False) == (OWNER if (person, owner) in own_pairs else STRANGER)
            reads = (person, owner) in own_pairs | {(BERT, ANNE)}
            assert role(person, owner, True) == (READER if reads else STRANGER)
    assert {OWNER: {"open", "list"}, READER: {"open"}, STRANGER: set()} == RIGHTS


def test_another_person_finds_nothing_and_learns_nothing():
    mine = of(ANNE, name="secret.csv", kind="sample", sample="wine")
    for other in (BERT, SOLE_USER, NOBODY):
        assert Project.find(mine.id, other) is Project.find("x" * 22, other) is None and projects(other) == []
        assert find_unchanged(mine.settings, other) is None and describe_disk_use(projects(other)).startswith("0 projects")
    assert Project.find(mine.id) is None, "who forgets to say who it is gets nothing"
    assert Project.find(mine.id, ANNE) == mine and [project.id for project in projects(ANNE)] == [mine.id]
    assert find_unchanged(mine.settings, ANNE) == mine
    made = new_project(name="a")
    assert Project.find(made.id) == made and people.FILE not in {path.name for path in made.folder.iterdir()}
    assert not has_right(ANNE, "open", made), "what was there before people signed in is shown to none of them"


def test_settings_and_files_of_a_project_keep_its_owner():
    mine = of(ANNE)
    mine.save(owner=BERT)
    assert mine.save_upload("owner", b"b" * 64) != people.FILE and mine.save_upload("../owner", b"b" * 64) != people.FILE
    assert people.owner_of(mine.folder) == ANNE and Project.find(mine.id, BERT) is None
    (mine.folder / "workspace.json").write_text("{")
    assert [project.title for project in projects(ANNE)] == ["a damaged project"] and projects(BERT) == []
    for text in ("", "anne", "a" * 63, "ä" * 64, "a" * 64 + "\n" + "b" * 64):
        (mine.folder / people.FILE).write_text(text, encoding="utf-8")
        assert all(Project.find(mine.id, person) is None for person in (ANNE, SOLE_USER, NOBODY)), "an owner that cannot be read"


def test_a_read_only_copy_is_for_whoever_signed_in_and_has_its_link():
    mine = with_study()
    people.set_owner(mine.folder, ANNE)
    copy = links.make_copy(mine)
    assert Project.find(copy.id, BERT) == copy and people.owner_of(copy.folder) == ANNE
    assert Project.find(copy.id, SOLE_USER) is Project.find(copy.id, NOBODY) is None
    assert projects(BERT) == [] and [project.id for project in projects(ANNE)] == [mine.id]
    with pytest.raises(InputError):
        Project.find(copy.id, BERT).save(title="mine now")
    assert mine.id not in "".join(path.read_text() for path in copy.folder.iterdir() if path.suffix in (".json", ".txt", ".toml"))
    theirs = duplicate(copy, BERT)
    assert people.owner_of(theirs.folder) == BERT and Project.find(theirs.id, ANNE) is None
    theirs.delete()
    assert Project.find(mine.id, ANNE) == mine and links.current_copy(mine) is not None


def test_quotas_count_the_projects_of_one_person_or_of_all(monkeypatch):
    of(ANNE).save_upload("a.csv", b"x" * 3_000_000)
    monkeypatch.setenv(QUOTA_EACH, "0.002")
    refuse_when_full(BERT)
    with pytest.raises(InputError, match="^Your projects"):
        refuse_when_full(ANNE)
    assert "3 MB of 2 MB" in describe_disk_use(projects(ANNE)) and describe_disk_use(projects(BERT)).startswith("0 projects")
    monkeypatch.setenv(QUOTA_EACH, "")
    refuse_when_full(ANNE)
    monkeypatch.setenv(QUOTA, "0.002")
    assert "3 MB of 2 MB for all" in describe_disk_use(projects(ANNE))
    with pytest.raises(InputError, match="^All projects"):
        refuse_when_full(BERT)
