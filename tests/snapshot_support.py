"""Texts that people read, kept as files and reviewed as a whole: one file a screen or a room, under tests/snapshots.

REMAKE_SNAPSHOTS=1 writes them anew; `git diff tests/snapshots` is then what an editor reads.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    """Fail where `text` is not what tests/snapshots/<name>.txt holds."""
    path = FOLDER / f"{name}.txt"
    text = text.rstrip("\n") + "\n"
    if os.environ.get("REMAKE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"There is no {path.name} yet: REMAKE_SNAPSHOTS=1 writes it."
    assert text == path.read_text(encoding="utf-8"), f"Texts of {path.name} differ; REMAKE_SNAPSHOTS=1 writes them anew."


def refusals(cases) -> str:
    """What is said of each bad input, as text: {what was given: call that must raise InputError}."""
    from stabcore import InputError

    lines = []
    for given, call in cases.items():
        try:
            call()
        except InputError as error:
            lines.append(f"{given}\n    {error}")
        else:
            raise AssertionError(f"{given}: accepted")
    return "\n".join(lines)


def check_refusals(name: str, call, cases) -> None:
    """Fail where call(case), or call(*case) of a tuple, is not refused as tests/snapshots/<name>.txt says. cases: list or dict."""
    cases = cases if isinstance(cases, dict) else {str(number): case for number, case in enumerate(cases)}
    check_snapshot(
        name, refusals({given: (lambda c=c: call(*c) if isinstance(c, tuple) else call(c)) for given, c in cases.items()})
    )
