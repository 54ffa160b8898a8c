"""Check: stability, noise floor, panel and sentences of selections made elsewhere. No project is made."""

from pages.parts import check, layout
from pages.parts.check import CheckView
from pages.parts.frame import Frame


def screen():
    """Upload of selections, and the results of the check."""
    frame = Frame()
    inputs, checked = check.found()
    check.show(CheckView(checked, inputs, frame))
    frame.close()


layout.title("How stable are these selections?")
screen()
