"""Maps: the features selected in each run and their importance, for one or two selectors."""

from pages.parts import controls, feature_profile, guards, layout, maps
from pages.parts.maps import ask_view
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """The grid of selections or the map of importances, with its controls."""
    screen = Screen()
    results = guards.require_results(screen)
    view = ask_view(View(results, controls.chosen_cardinality(results), screen=screen))
    (maps.show_importance_maps if view.importances else maps.show_grids)(view)
    feature_profile.show_opened_profile(view)
    screen.show_drawers()


layout.show_title("What did each run select?", then=("report", "Report"), detour=True)
show_screen()
