"""Security checks on requests, and security headers on responses.

Each check has a comment with its reason, so that it is not removed by accident.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spina.table.http import addresses, static_files
from spina.table.http.local_network import LocalNetwork
from spina.table.http.rate_limits import Allowance, Bucket
from spina.table.http.responses import refused
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings

COOKIE = "spina"
TOKEN_BYTES = 24
COOKIE_SECONDS = 400 * 86_400  # the maximum that browsers accept
SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
READING = 0.05
"""Price of a request that changes nothing, in tokens of the rate limit. One that changes something costs 1."""
REFUSALS_PER_SECOND, REFUSALS_AT_ONCE = 5.0, 20.0
"""Rate limit of rendered refusal pages; beyond it refusals are sent as JSON."""
REPLAYING = 0.5
"""Price of a part of a replay, the largest response. Computing it is charged as processor time besides."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""Scripts, styles and pictures from this server only, and none inline: injected text cannot run."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",  # browsers must not guess another content type
    "referrer-policy": "same-origin",  # secret links are not sent to other hosts
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """The outermost middleware: checks host, origin, size and rate of requests, and adds the security headers."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        page: Callable[[Request, Refusal], Response],
        network: LocalNetwork | None = None,
    ) -> None:
        """`page` renders a refusal as a page; programs get JSON. `network`: addresses that are opened for a while."""
        self._app, self._settings, self._page = app, settings, page
        self._network = network or LocalNetwork(settings)
        self._origins = frozenset(settings.origins)
        self._hosts = frozenset(urlsplit(origin).netloc for origin in settings.origins)
        self._requests = Allowance(settings.requests_per_second, settings.requests_at_once)
        self._pages = Bucket(REFUSALS_PER_SECOND, REFUSALS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        addresses.begin_request(scope)
        headers = Headers(scope=scope)
        problem = self._problem(scope, headers)
        if problem is None:
            if scope["type"] == "http":
                receive = _limited(receive, self._most(scope["path"]))
                send = _with_headers(send, self._settings.secure)
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the handshake must be read before it can be refused
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        else:
            await self._refusal(scope, problem)(scope, receive, _with_headers(send, self._settings.secure))

    def _refusal(self, scope: Scope, problem: Refusal) -> Response:
        # no page under an unknown host name; and rendering pages for a flood of requests would cost too much
        if problem.code == "unknown-host" or scope["path"].startswith("/api/") or not self._pages.take():
            return refused(problem, Headers(scope=scope))
        return self._page(Request(scope), problem)

    def _problem(self, scope: Scope, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        # DNS rebinding: a page of another site can make its own name point to this machine and read the responses.
        # Its requests carry that name.
        if not self._known(host):
            return Refusal("unknown-host", say("table.unknown-host"))
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if unsafe and not self._same_origin(headers, host):
            # Cross-site request forgery: a browser sends our cookies with requests of other sites' pages, but also
            # their origin.
            return Refusal("wrong-origin", say("table.wrong-origin"))
        length = headers.get("content-length", "0")
        if not _is_number(length) or int(length) > self._most(scope["path"]):
            return Refusal("too-large", say("table.too-many-bytes", most=self._most(scope["path"])))
        if not scope["path"].startswith(static_files.PREFIX):
            price = 1.0 if unsafe else REPLAYING if scope["path"].endswith("/moments") else READING
            # tokens are free to make up, so the address is limited too
            if not self._requests.take(token_of(headers) or addresses.current(), price):
                return Refusal("too-fast", say("table.too-many-requests"), retry=1)
        return None

    def _known(self, host: str) -> bool:
        if host in self._hosts or host in self._network.hosts:
            return True
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return name in LOOPBACK

    def _same_origin(self, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            return origin in self._origins or (_host_of(origin) == host and self._known(host))
        if "authorization" in headers:  # a program with a token; browsers never add this header by themselves
            return True
        return headers.get("sec-fetch-site") in ("same-origin", "none") or COOKIE not in cookies(headers)

    def _most(self, path: str) -> int:
        return self._settings.largest_file if path == "/import" else self._settings.largest_request


def cookies(headers: Headers) -> dict[str, str]:
    return cookie_parser(headers.get("cookie", ""))


def token_of(headers: Headers) -> str | None:
    """The session token of a request: from the Authorization header of a program, or from the cookie."""
    authorization = headers.get("authorization", "")
    if authorization.lower().startswith("bearer "):
        token = authorization[7:].strip()
    else:
        token = cookies(headers).get(COOKIE, "")
    return token if 16 <= len(token) <= 64 and token.replace("-", "").replace("_", "").isalnum() else None


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def cookie_for(token: str, secure: bool) -> str:
    """The session cookie: HttpOnly, so that no script can read it; Lax, so that other sites' forms do not send it."""
    return f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax" + (
        "; Secure" if secure else ""
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # not a URL
        return None


def _with_headers(send: Send, secure: bool) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("strict-transport-security", "max-age=31536000")
            headers.setdefault("cache-control", "no-store")  # pages contain what only one visitor may see
        await send(message)

    return with_headers


class TooLarge(Exception):
    """The body of a request is larger than allowed."""


TOO_LARGE = Refusal("too-large", say("table.too-large"))
"""The refusal for it."""


def _limited(receive: Receive, most: int) -> Receive:
    """Enforce the size limit on a body while it arrives: a chunked body has no content-length."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > most:
                raise TooLarge
        return message

    return limited
