"""Scripts, styles and pictures, under an address that changes with their content, so that they can be kept for ever."""

from __future__ import annotations

import hashlib
from functools import cache

from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from spina.web import STATIC

PREFIX = "/static/"
_YEAR = 31_536_000


@cache
def version() -> str:
    """A hash of everything that is served from here."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(STATIC).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def url(name: str) -> str:
    """Where a file is found, such as `js/table.js`."""
    return f"{PREFIX}{version()}/{name}"


class _Kept(StaticFiles):
    """Static files that a browser keeps."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = f"public, max-age={_YEAR}, immutable"
        return response


def routes() -> list[Mount | Route]:
    return [Mount(f"{PREFIX}{version()}", _Kept(directory=STATIC), name="static")]
