"""Scripts, styles and pictures. Their URL contains a hash of all of them, so that browsers can cache them for ever.

Below `/static/VERSION/` Spina's own files are under `web/static/`, those of a game under `games/NAME/web/`: the same
relative paths as in the source tree, so that imports between scripts are the same in the browser and for `tsc`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from spina.games import find, names
from spina.games.web_files import ICON
from spina.web import STATIC

PREFIX = "/static/"
HOUSE = "web/static"
GAME_ICON = "icons/game.svg"
"""The default icon of a game."""
SERVED = frozenset({".js", ".css", ".svg", ".png", ".webp", ".woff2"})
"""File types that are served; messages and rules have routes of their own."""
_YEAR = 31_536_000


def _folders() -> Iterator[tuple[str, Path]]:
    """Every folder of static files, with its path in URLs."""
    yield HOUSE, STATIC
    for name in names():
        folder = find(name).web.folder
        if folder is not None:
            yield f"games/{name}/web", folder


@cache
def version() -> str:
    """A hash of all static files."""
    digest = hashlib.blake2b(digest_size=6)
    for prefix, folder in _folders():
        for path in sorted(folder.rglob("*")):
            if path.suffix in SERVED and path.is_file():
                name = f"{prefix}/{path.relative_to(folder).as_posix()}"
                digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def url(name: str) -> str:
    """The URL of one of Spina's own files, such as `js/table.js`."""
    return f"{PREFIX}{version()}/{HOUSE}/{name}"


def game_url(game: str, name: str) -> str | None:
    """The URL of a file in the web folder of a game, such as `page.js`; None if the game does not have it."""
    return f"{PREFIX}{version()}/games/{game}/web/{name}" if find(game).web.has(name) else None


def icon_url(game: str) -> str:
    """The URL of a game's icon."""
    return game_url(game, ICON) or url(GAME_ICON)


class _Kept(StaticFiles):
    """Static files that browsers cache for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if Path(path).suffix not in SERVED:
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = f"public, max-age={_YEAR}, immutable"
        return response


def routes() -> list[Mount | Route]:
    """One mount for each folder."""
    return [Mount(f"{PREFIX}{version()}/{prefix}", _Kept(directory=folder)) for prefix, folder in _folders()]
