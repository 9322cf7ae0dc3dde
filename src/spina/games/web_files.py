"""The browser files of a game: one folder, in which each file has a fixed name.

Every file may be missing; the table then uses its own default:

| file | purpose | default |
|---|---|---|
| `page.js` | module of the table page: its default export makes a `GamePage` (`types.js`) | the generic page |
| `style.css` | style of the table page | none |
| `setup.js` | module of the set-up page: its default export makes a `SetupPart` | plain fields for every setting |
| `setup.css` | style of the set-up page | none |
| `rules.js` | module of the rules page: its default export draws the marks beside names | no marks |
| `rules.css` | style of the rules page | none |
| `icon.svg` | picture of 560 by 300 for lists | the house's own |
| `rules.md` | the complete rules in English, with numbered rulings | no page of complete rules |
| `figures/figures.json`, `figures/ID.svg` | figures of the rules pages (`rule_figures.py`) | no figures |
| `messages/LANGUAGE/AREA.json` | texts: `figures`, `home`, `refusals`, `rules`, `setup`, `table` | title and summary |
| `messages/LANGUAGE/bots.json` | name, character and a line for each level of its bots | words that all games share |

A script is served at `/static/VERSION/games/NAME/web/FILE`. The address has the same shape as the path of Spina's own
games in the source tree, so that `../../../web/static/js/dom.js` finds the shared modules in the browser and for `tsc`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PAGE = "page.js"
STYLE = "style.css"
SETUP = "setup.js"
SETUP_STYLE = "setup.css"
RULES_SCRIPT = "rules.js"
RULES_STYLE = "rules.css"
ICON = "icon.svg"
RULES = "rules.md"
MESSAGES = "messages"


@dataclass(frozen=True)
class WebFiles:
    """The folder of a game's browser files, or None for a game that has none."""

    folder: Path | None = None

    def path(self, name: str) -> Path | None:
        """The file of this name; None if the game does not have it."""
        if self.folder is None:
            return None
        path = self.folder / name
        return path if path.is_file() else None

    def has(self, name: str) -> bool:
        """Whether the game has a file of this name."""
        return self.path(name) is not None

    def message_files(self) -> list[Path]:
        """The message files `LANGUAGE/AREA.json`, in a fixed order."""
        return sorted((self.folder / MESSAGES).glob("*/*.json")) if self.folder is not None else []

    def rules_text(self) -> str | None:
        """The complete rules as Markdown; None if the game has no such page."""
        path = self.path(RULES)
        return None if path is None else path.read_text(encoding="utf-8")
