"""Values as they are written, tables of estimates, and who is level as shown."""

import numpy as np
import pandas as pd
from figure_support import KEYS, table

from stabcore.plots import estimates
from stabcore.plots.estimates import format_estimate


def test_numbers_are_written_as_people_write_them():
    assert format_estimate(0.5, 0.4, 0.612) == "0.50 [0.40, 0.61]" and format_estimate(0.5, np.nan, np.nan) == "0.50"
    assert format_estimate(np.nan, np.nan, np.nan) == "undefined" and format_estimate(-0.001, -0.004, 0.002) == "0.00 [0.00, 0.00]"


def test_the_table_of_measures_has_their_floors_beside_them():
    made = table(["a", "b"])
    known = pd.DataFrame({"floor": [0.3, np.nan], "floor_low": [0.2, np.nan], "floor_high": [0.45, np.nan]}, index=["a", "b"])
    frame = estimates.table_estimates(made, KEYS, {"nogueira": known})
    assert frame.set_index(["selector", "measure"])["floor"].notna().tolist() == [True, False, False, False]
    wide = estimates.wide_estimates(frame)
    assert wide.shape == (2, 3) and wide.iloc[:, 1].tolist() == ["0.30", "unknown"]
    assert estimates.wide_estimates(estimates.table_estimates(made, KEYS)).shape == (2, 2)
