"""Tables written as Excel workbooks, read by another program, with hostile texts as plain texts."""

import io

import numpy as np
import pandas as pd

from stabcore.data.spreadsheets import MAX_CELL_LENGTH, xlsx_bytes

FRAME = pd.DataFrame(
    {
        "feature": ["=1+1", "a & <b>", " x ", "böse\x07"],
        "share": [0.5, np.nan, 1e-7, np.inf],
        "many": [1, 2, 3, 4],
        "in_panel": [True, False, True, False],
        "": [None, "q", "r", "s" * 40000],
    }
)


def test_a_workbook_is_read_unchanged():
    made = pd.read_excel(io.BytesIO(xlsx_bytes({"T": FRAME})), engine="calamine")
    assert made["feature"].tolist() == ["'=1+1", "a & <b>", " x ", "böse"] and made["many"].tolist() == [1, 2, 3, 4]
    assert made["share"].tolist()[0] == 0.5 and made["share"].tolist()[2] == 1e-7
    assert made["share"].isna().tolist() == [False, True] * 2
    assert made["in_panel"].tolist() == [True, False, True, False]
    assert len(made.iloc[3, 4]) == MAX_CELL_LENGTH and xlsx_bytes({"T": FRAME}) == xlsx_bytes({"T": FRAME})
