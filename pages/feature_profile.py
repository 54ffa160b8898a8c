"""Feature profile: all results about one feature, over all selectors."""

from pages.parts import controls, feature_profile, guards, layout
from pages.parts.frame import Frame
from pages.parts.view import View


def screen():
    """One feature: its values and its selection frequency. Ranks, substitutes and its column are in drawers."""
    frame = Frame()
    results = guards.require_results(frame)
    view = View(results, controls.chosen_cardinality(results), frame=frame)
    feature_profile.show_feature(view)
    frame.show_drawers()


layout.show_title("What did the study find about this feature?", then=("panel", "Panel"), detour=True)
screen()
