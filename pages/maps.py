"""Maps: run by run, which features were selected and how much each counted; two selectors side by side."""

from pages.parts import controls, guards, layout, maps, passport
from pages.parts.frame import Frame
from pages.parts.maps import choose
from pages.parts.view import View


def screen():
    """The grid of selections or the map of importances, below what can be chosen about it."""
    frame = Frame()
    results = guards.require_results(frame)
    view = choose(View(results, controls.asked_cardinality(results), frame=frame))
    (maps.rectangle_maps if view.importances else maps.grids)(view)
    passport.show_opened(view)
    frame.close()


layout.title("What did each run select?", then=("report", "Report"), detour=True)
screen()
