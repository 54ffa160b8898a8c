"""Maps: the features selected in each run and their importance, for one or two selectors."""

from pages.parts import controls, feature_profile, guards, layout, maps
from pages.parts.frame import Frame
from pages.parts.maps import ask_view
from pages.parts.view import View


def screen():
    """The grid of selections or the map of importances, with its controls."""
    frame = Frame()
    results = guards.require_results(frame)
    view = ask_view(View(results, controls.chosen_cardinality(results), frame=frame))
    (maps.show_importance_maps if view.importances else maps.show_grids)(view)
    feature_profile.show_opened_profile(view)
    frame.show_drawers()


layout.show_title("What did each run select?", then=("report", "Report"), detour=True)
screen()
