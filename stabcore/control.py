"""The control: what a study finds when the outcome is shuffled, so that nothing can be related to it."""

from __future__ import annotations

COLUMNS = ("value", "floor", "floor_low", "floor_high", "beyond", "p", "shuffles", "note")
NO_CONTROL = ("No control was made, so what these selectors give without any signal is not known. Run the study with the outcome "
              "shuffled as well: control = 5, or the switch on Study.")
