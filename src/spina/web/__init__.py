"""Files for browsers: templates, scripts, styles, and messages in every language."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
STATIC = HERE / "static"
LANGUAGES = HERE / "languages"
