"""What a browser is given: templates, scripts, styles, and the languages they speak."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"
LANGUAGES = HERE / "languages"
