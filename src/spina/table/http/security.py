"""Who may ask, and what every answer says to the browser.

Each check stands here with its reason, so that nobody takes one out by accident.
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
from spina.table.http.rate_limits import Allowance, Bucket
from spina.table.http.responses import refused
from spina.table.refusals import Refusal, say
from spina.table.settings import Settings

COOKIE = "spina"
TOKEN_BYTES = 24
COOKIE_SECONDS = 400 * 86_400  # the longest that browsers keep one
SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
READING = 0.05
"""How much of a visitor's allowance a request takes that changes nothing."""
REFUSALS_PER_SECOND, REFUSALS_AT_ONCE = 5.0, 20.0
"""Pages that say to people what is refused; beyond these it is said in a line."""
REPLAYING = 0.5
"""The same for a part of a replay, the largest answer there is; making one is charged as work besides."""

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
"""No script, style or picture but our own, none of it inline: text that slips through cannot run."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",  # what we call text is never run as something else
    "referrer-policy": "same-origin",  # a link with a secret is not told to other hosts
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """The outermost layer: refuses what no page of ours would send, and dresses every answer."""

    def __init__(self, app: ASGIApp, settings: Settings, page: Callable[[Request, Refusal], Response]) -> None:
        """`page` shows people what is refused; programs get it as JSON."""
        self._app, self._settings, self._page = app, settings, page
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
                send = _dressed(send, self._settings.secure)
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the handshake must be read before it can be refused
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        else:
            await self._refusal(scope, problem)(scope, receive, _dressed(send, self._settings.secure))

    def _refusal(self, scope: Scope, problem: Refusal) -> Response:
        # who asks by another name is shown no page, and a flood is not worth the time that pages take
        if problem.code == "unknown-host" or scope["path"].startswith("/api/") or not self._pages.take():
            return refused(problem, Headers(scope=scope))
        return self._page(Request(scope), problem)

    def _problem(self, scope: Scope, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        # A page of another site can make its own name point to this machine and then read our answers; its
        # requests carry that name.
        if not self._known(host):
            return Refusal("unknown-host", say("table.unknown-host"))
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if unsafe and not self._same_origin(headers, host):
            # A browser sends our cookies along when another site posts to us or opens a socket. It also says who.
            return Refusal("wrong-origin", say("table.wrong-origin"))
        length = headers.get("content-length", "0")
        if not _is_number(length) or int(length) > self._most(scope["path"]):
            return Refusal("too-large", say("table.too-many-bytes", most=self._most(scope["path"])))
        if not scope["path"].startswith(static_files.PREFIX):
            price = 1.0 if unsafe else REPLAYING if scope["path"].endswith("/moments") else READING
            # tokens are free to make up, so the address counts as well
            if not self._requests.take(token_of(headers) or addresses.current(), price):
                return Refusal("too-fast", say("table.too-many-requests"), retry=1)
        return None

    def _known(self, host: str) -> bool:
        if host in self._hosts:
            return True
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return name in LOOPBACK

    def _same_origin(self, headers: Headers, host: str) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            return origin in self._origins or (_host_of(origin) == host and self._known(host))
        if "authorization" in headers:  # a program that shows a token of its own; browsers do not add those
            return True
        return headers.get("sec-fetch-site") in ("same-origin", "none") or COOKIE not in cookies(headers)

    def _most(self, path: str) -> int:
        return self._settings.largest_file if path == "/import" else self._settings.largest_request


def cookies(headers: Headers) -> dict[str, str]:
    return cookie_parser(headers.get("cookie", ""))


def token_of(headers: Headers) -> str | None:
    """What the visitor shows: a token in the header, as programs do, or the cookie."""
    authorization = headers.get("authorization", "")
    if authorization.lower().startswith("bearer "):
        token = authorization[7:].strip()
    else:
        token = cookies(headers).get(COOKIE, "")
    return token if 16 <= len(token) <= 64 and token.replace("-", "").replace("_", "").isalnum() else None


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def cookie_for(token: str, secure: bool) -> str:
    """HttpOnly, so that no script can read it; Lax, so that other sites' forms do not send it."""
    return f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax" + (
        "; Secure" if secure else ""
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # no address at all
        return None


def _dressed(send: Send, secure: bool) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("strict-transport-security", "max-age=31536000")
            headers.setdefault("cache-control", "no-store")  # pages hold what only one visitor may see
        await send(message)

    return dressed


class TooLarge(Exception):
    """A request that went on beyond what it announced."""


TOO_LARGE = Refusal("too-large", say("table.too-large"))
"""What is then answered."""


def _limited(receive: Receive, most: int) -> Receive:
    """A body may come in pieces without saying how long it is."""
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
