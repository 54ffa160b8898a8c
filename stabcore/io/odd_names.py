"""Names that look as if code or a console had been read as features: these are asked about, not measured."""

from __future__ import annotations

import re

from stabcore.io.question import Question
from stabcore.wording import listed, several, verb_for

_CODE = re.compile(r"<-|^\[\d+,?\]$|^>{1,3}$|^(?:c|list|array|Index|set|frozenset|dtype)\(|^dtype=|^['\"`]|['\"`]$")
_SIGNS = re.compile(r"[\"\[\]{}]")
_PAIRS = ("()", "[]", "{}")


class OddNames(Question):
    """Names that hold signs of code. names: all of them."""

    def __init__(self, names, file=""):
        super().__init__(f"{several(len(names), 'name')} {verb_for(len(names), 'hold')} quotation marks, brackets or other signs "
                         f"of code: {listed(names)}. Are these names of features? If not, correct the file: it needs one list of "
                         "names per run.", "names_are", {"features": "Yes, these are names of features"}, file)
        self.names = names


def refuse_odd(names, answer=None, known=(), as_columns=False, file="") -> None:
    """Raise OddNames where names hold signs of code, unless that was answered or the names are known.

    as_columns: names of the columns of a table, which may hold a unit in brackets. file: its name, where several are read.
    """
    if answer == "features":
        return
    known = set(map(str, known))
    odd = [name for name in names if name not in known and _is_odd(name, as_columns)]
    if odd:
        raise OddNames(tuple(odd), file)


def _is_odd(name, as_columns):
    if _CODE.search(name) or any(name.count(opens) != name.count(closes) for opens, closes in _PAIRS):
        return True
    return not as_columns and bool(_SIGNS.search(name))
