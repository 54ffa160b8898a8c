"""Check: stability, noise floor, panel and sentences of selections made elsewhere. No project is made."""

from pages.parts import check, layout
from pages.parts.check import CheckView
from pages.parts.screen import Screen


def show_screen():
    """Upload of selections, and the results of the check."""
    screen = Screen()
    inputs, checked = check.ask_and_check()
    check.show_check(CheckView(checked, inputs, screen))
    screen.show_drawers()


layout.show_title("How stable are these selections?")
show_screen()
