"""Texts of the product as snapshot files under tests/snapshots, which are reviewed as a whole.

REMAKE_SNAPSHOTS=1 rewrites them, and an editor then reads `git diff tests/snapshots`.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    """Fail if `text` differs from tests/snapshots/<name>.txt."""
    path = FOLDER / f"{name}.txt"
    text = text.rstrip("\n") + "\n"
    if os.environ.get("REMAKE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"There is no {path.name} yet: REMAKE_SNAPSHOTS=1 writes it."
    assert text == path.read_text(encoding="utf-8"), f"Texts of {path.name} differ. REMAKE_SNAPSHOTS=1 rewrites them."


def refusals(cases) -> str:
    """Return the errors of invalid inputs as text. cases: {name of the input: call that must raise InputError}."""
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
    """Fail if the errors of call(case), or call(*case) for tuples, differ from tests/snapshots/<name>.txt. cases: list or dict."""
    cases = cases if isinstance(cases, dict) else {str(number): case for number, case in enumerate(cases)}
    check_snapshot(
        name, refusals({given: (lambda c=c: call(*c) if isinstance(c, tuple) else call(c)) for given, c in cases.items()})
    )
