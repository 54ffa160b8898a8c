"""Feature profile: all results about one feature, over all selectors."""

from pages.parts import controls, feature_profile, guards, layout
from pages.parts.screen import Screen
from pages.parts.view import View


def show_screen():
    """One feature: its values and its selection frequency. Ranks, substitutes and its column are in drawers."""
    screen = Screen()
    results = guards.require_results(screen)
    view = View(results, controls.chosen_cardinality(results), screen=screen)
    feature_profile.show_feature(view)
    screen.show_drawers()


layout.show_title("What did the study find about this feature?", then=("panel", "Panel"), detour=True)
show_screen()
