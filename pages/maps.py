"""Maps: the features selected in each run and their importance, for one or two selectors."""

from pages.parts import controls, feature_profile, guards, layout, maps
from pages.parts.frame import Frame
from pages.parts.maps import choose
from pages.parts.view import View


def screen():
    """The grid of selections or the map of importances, with its controls."""
    frame = Frame()
    results = guards.require_results(frame)
    view = choose(View(results, controls.asked_cardinality(results), frame=frame))
    (maps.rectangle_maps if view.importances else maps.grids)(view)
    feature_profile.show_opened(view)
    frame.close()


layout.title("What did each run select?", then=("report", "Report"), detour=True)
screen()
