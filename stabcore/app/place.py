"""Where the app itself lies: app.py, its pages, the bundled studies, the configuration of its server."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT, INSTALLED = PACKAGE.parent, PACKAGE / "dashboard"       # beside the package; inside it, where pip put it
APP = INSTALLED if (INSTALLED / "app.py").is_file() else CHECKOUT
