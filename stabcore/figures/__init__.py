"""Pictures: frame_x, a table with every number shown, draw_x, the picture of such a table, and often finding_x, its sentence."""
