"""QR codes of links to tables, as SVG."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from spina.table.http.local_network import LocalNetwork

_PATH = re.compile(r"/(l/[A-Za-z0-9_-]{1,64}|t/[a-z0-9]{1,40}(/replay)?)")


@lru_cache(maxsize=256)
def qr_code(text: str) -> bytes:
    """A QR code as SVG, dark on white with a quiet zone, as phones read it in dark pages too."""
    import segno  # imported late: few visitors need it

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=4, dark="#2a1911", light="#ffffff")
    return out.getvalue()


async def _qr(request: Request) -> Response:
    """The QR code of a link to this server, and of nothing else: it cannot be used to advertise other sites."""
    link = request.query_params.get("link", "")
    network: LocalNetwork = request.app.state.network
    try:
        parts = urlsplit(link)
    except ValueError:
        raise HTTPException(404) from None
    origin = f"{parts.scheme}://{parts.netloc}"
    known = {f"{request.url.scheme}://{request.headers.get('host', '')}", *network.origins}
    if origin not in known | set(request.app.state.settings.origins) or not _PATH.fullmatch(parts.path) or parts.query:
        raise HTTPException(404)
    return Response(qr_code(f"{origin}{parts.path}"), media_type="image/svg+xml")


def routes() -> list[Route]:
    return [Route("/qr.svg", _qr)]
