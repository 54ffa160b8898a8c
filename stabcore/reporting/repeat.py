"""Part 9 of a report: all that it takes to repeat a study: settings, a script with the same digest, scenario, BibTeX."""

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
# where the table lies in its file, and how its cells are mended, as far as that was chosen
CHOICES = {choices}
SELECTORS = {selectors}


def main(table, store="study-again.stab"):
    frame = read_table(table, choices=Choices.of(CHOICES)).frame
    data = sc.Dataset.from_frame(frame, target=TARGET, exclude=exclude(frame), same_patient={same_patient},
                                 target_as={target_as}, name={name})
    if data.fingerprint != {fingerprint}:
        sys.exit("This is not the table that the study was made of: its fingerprint is " + data.fingerprint)
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
    """Digest, settings, script, scenario, BibTeX."""
    blocks = []
    if subject.is_study:
        blocks.append(
            Text(
                f"The results of this study have the fingerprint {subject.digest}. Who runs the script on the "
                "same table with the same versions gets the same."
            )
        )
    return [
        *blocks,
        *(Code(name, caption, text) for name, (caption, text) in files(subject).items()),
        Code("references.bib", "What is cited, as BibTeX", citations.bibtex()),
    ]


def files(subject) -> dict[str, tuple[str, str]]:
    """{file name: (what it is, its text)} of what can be written of this study."""
    texts = {}
    if subject.is_study:
        settings = Store(subject.result.path).meta("settings") if subject.result.path else subject.result.settings
        settings = subject.result.settings | settings
        try:
            texts["study.toml"] = (
                "The settings, for python -m stabcore run study.toml",
                settings_text(settings, subject.data, _choices(subject)),
            )
            texts["study.py"] = ("The script, for python study.py table.csv", script(subject, settings))
        except InputError as error:
            texts["study.txt"] = ("Why there is no script", str(error))
    if subject.scenario is not None:
        texts["scenario.toml"] = ("The similarity of features (C)", write_scenario("report", subject.scenario, subject.similarity))
    return texts


def script(subject, settings) -> str:
    """study.py: the same study, the same digest. Raises InputError where classes of somebody's own are named."""
    if names_own(settings):
        raise InputError("This study names classes of somebody's own, which its file does not hold.")
    roles = {} if subject.data is None else told_roles(subject.data)
    columns = (
        KNOWN.format(exclude=_pretty(roles["exclude"]))
        if roles
        else BY_FEATURES.format(features=_pretty(list(subject.result.features)))
    )
    selectors = {one["label"]: (one["key"], one.get("options", {})) for one in settings["selectors"]}
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
    """Where the table lies in its file and how its cells are mended, as far as that was chosen."""
    return subject.result.store.meta("choices", {})


def _patients(subject, roles):
    if not roles and subject.result.store.meta("patients"):
        return "None  # REPLACE None BY the name of the column that says which rows are of one patient\n" + " " * 33
    return repr(roles.get("same_patient"))


def _pretty(value):
    return pprint.pformat(value, width=110, compact=True, sort_dicts=False)
