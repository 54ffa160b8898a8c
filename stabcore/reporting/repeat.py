"""Part 9 of a report: files to repeat a study: settings, a script with the same digest, scenario, BibTeX."""

from __future__ import annotations

import pprint

from stabcore.base.errors import InputError
from stabcore.reporting.blocks import Code, Text
from stabcore.similarity.files import write_scenario
from stabcore.study.rerun import names_own, settings_text, told_roles
from stabcore.study.store import Store

SCRIPT = '''"""Runs this study again: python study.py table.csv [study.stab]

Made with the report of the study; the table is not in here.
"""

import sys

import stabcore as sc
from stabcore.io.choices import Choices
from stabcore.io.table import read_table

TARGET = {target}
{columns}
# the place of the table in its file, and the treatment of its cells
CHOICES = {choices}
SELECTORS = {selectors}


def main(table, store="study-again.stab"):
    frame = read_table(table, choices=Choices.of(CHOICES)).frame
    data = sc.Dataset.from_frame(frame, target=TARGET, exclude=exclude(frame), same_patient={same_patient},
                                 target_as={target_as}, name={name})
    if data.fingerprint != {fingerprint}:
        sys.exit("This is not the table of the study: its fingerprint is " + data.fingerprint)
    study = sc.Study(data, SELECTORS, plan=sc.{plan}, k={k}, classifier={classifier},
                     random_state={random_state}, n_permutations={n_permutations}, n_seeds={n_seeds})
    digest = study.run(store=store).digest()
    print(digest, "- the same" if digest == {digest} else "- another result than the study's")


if __name__ == "__main__":              # worker processes read this file, too
    main(*sys.argv[1:])
'''
KNOWN = "EXCLUDE = {exclude}\n\n\ndef exclude(frame):\n    return EXCLUDE\n\n"
BY_FEATURES = (
    "FEATURES = {features}\n\n\ndef exclude(frame):\n"
    "    return [name for name in map(str, frame.columns) if name != TARGET and name not in FEATURES]\n\n"
)


def repeat(subject, citations):
    """Return digest, settings, script, scenario and BibTeX."""
    digest = (
        f"The results of this study have the fingerprint {subject.digest if subject.is_study else ''}. The script gives the same "
        "results on the same table with the same versions."
    )
    return [
        *[Text(digest)] * subject.is_study,
        *(Code(name, caption, text) for name, (caption, text) in files(subject).items()),
        Code("references.bib", "The references as BibTeX", citations.bibtex()),
    ]


def files(subject) -> dict[str, tuple[str, str]]:
    """Return {file name: (caption, text)} of the files of this study."""
    texts = {}
    if subject.is_study:
        settings = Store(subject.result.path).meta("settings") if subject.result.path else subject.result.settings
        settings = subject.result.settings | settings
        try:
            text = settings_text(settings, subject.data, _choices(subject))
            texts["study.toml"] = ("The settings, for python -m stabcore run study.toml", text)
            texts["study.py"] = ("The script, for python study.py table.csv", script(subject, settings))
        except InputError as error:
            texts["study.txt"] = ("The reason why there is no script", str(error))
    if subject.scenario is not None:
        texts["scenario.toml"] = ("The similarity of features (C)", write_scenario("report", subject.scenario, subject.similarity))
    return texts


def script(subject, settings) -> str:
    """Return study.py, with the same digest. Raises InputError where the study uses classes that are not in its file."""
    if names_own(settings):
        raise InputError("This study uses classes of the user, which its file does not hold.")
    roles = {} if subject.data is None else told_roles(subject.data)
    if roles:
        columns = KNOWN.format(exclude=_pretty(roles["exclude"]))
    else:
        columns = BY_FEATURES.format(features=_pretty(list(subject.result.features)))
    selectors = {chosen["label"]: (chosen["key"], chosen.get("options", {})) for chosen in settings["selectors"]}
    target_as = "classes" if subject.result.classes else "number"
    return SCRIPT.format(
        target=repr(settings["data"]["target"]),
        columns=columns,
        selectors=_pretty(selectors),
        plan=repr(subject.result.plan),
        choices=_pretty(_choices(subject)),
        same_patient=_patients(subject, roles),
        target_as=repr(target_as),
        name=repr(settings["data"]["name"]),
        digest=repr(subject.digest),
        fingerprint=repr(settings["data"]["fingerprint"]),
        **{name: repr(settings[name]) for name in ("k", "classifier", "random_state", "n_permutations", "n_seeds")},
    )


def _choices(subject):
    """The place of the table in its file and the treatment of its cells, as chosen by the user."""
    return subject.result.store.meta("choices", {})


def _patients(subject, roles):
    if not roles and subject.result.store.meta("patients"):
        return "None  # REPLACE None BY the name of the column that says which rows are of one patient\n" + " " * 33
    return repr(roles.get("same_patient"))


def _pretty(value):
    return pprint.pformat(value, width=110, compact=True, sort_dicts=False)
