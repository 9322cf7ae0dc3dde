"""Who may ask, what every answer says to the browser, and what nobody is ever told."""

from __future__ import annotations

import html.parser
import json
import re
from pathlib import Path
from typing import Any

import pytest
from serving_helpers import Answer, Client, Server, new_key, serving
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


@pytest.fixture(scope="module")
def anna(server: Server) -> Client:
    return server.visitor("Anna")


# --- where requests come from -----------------------------------------------------------------------------------------


def origins(server: Server) -> dict[str | None, bool]:
    return {
        f"http://127.0.0.1:{server.port}": True,
        None: False,
        "null": False,
        "http://evil.example": False,
        f"http://127.0.0.1.evil.example:{server.port}": False,
        f"http://localhost:{server.port}": False,  # another name is another site
        "http://127.0.0.1:1": False,
        "http://[": False,
        "": False,
    }


def test_a_browser_may_change_something_from_our_own_pages_only(server: Server, anna: Client) -> None:
    for origin, allowed in origins(server).items():
        headers = anna.cookie() | ({} if origin is None else {"origin": origin})
        for path, body in (("/me", b"name=Anna"), ("/api/check", b'{"game": "charioteer", "seats": []}')):
            answer = server.ask("POST", path, body, headers)
            assert (answer.status == 403) is not allowed, (origin, path, answer.status)
    own = anna.cookie() | {"sec-fetch-site": "same-origin"}
    assert server.ask("POST", "/me", b"name=Anna", own).status == 303
    other = anna.cookie() | {"sec-fetch-site": "cross-site"}
    assert server.ask("POST", "/me", b"name=Anna", other).status == 403
    assert server.ask("POST", "/api/check", b'{"game": "charioteer", "seats": []}', anna.headers).status == 200
    foreign = anna.headers | {"origin": "http://evil.example"}
    assert server.ask("POST", "/api/tables", b"{}", foreign).status == 403


def test_a_browser_may_open_a_socket_from_our_own_pages_only(server: Server, anna: Client) -> None:
    table = anna.create("charioteer", "me", "open", "open")
    url = f"ws://127.0.0.1:{server.port}/t/{table}/live"
    for origin, allowed in origins(server).items():
        if origin == "":
            continue
        given: Any = {"additional_headers": anna.cookie(), "origin": origin, "open_timeout": 60}
        if allowed:
            with connect(url, **given) as socket:
                assert json.loads(socket.recv(60))["type"] == "welcome"
        else:
            with pytest.raises(InvalidStatus, match="403"), connect(url, **given):
                pass


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80", "[", "a b"]
)
def test_a_server_answers_to_its_own_name_only(server: Server, anna: Client, host: str) -> None:
    """Else a page of another site could point its own name to this machine, and read everything."""
    for method, path in (("GET", "/"), ("GET", "/api/tables"), ("POST", "/api/visitors")):
        answer = server.ask(method, path, None, {"host": host})
        assert answer.status in (400, 421), (method, path)
        assert b"Anna" not in answer.body
    assert server.ask("GET", "/", None, {"host": f"localhost:{server.port}"}).status == 200


# --- what a browser is told -------------------------------------------------------------------------------------------


class Inline(html.parser.HTMLParser):
    """Finds what a strict policy would not run, and what would leave the house."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script: dict[str, str | None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.found.append(f"<{tag} {name}={value}>")
            if name in ("href", "src", "action", "formaction") and re.match(
                r"\s*(javascript:|https?:|//)", value or ""
            ):
                self.found.append(f"<{tag} {name}={value}>")
        if tag == "style":
            self.found.append("<style>")
        self._script = given if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._script is not None and self._script.get("type") != "application/json" and data.strip():
            self.found.append(f"<script>{data[:40]}")

    def handle_endtag(self, tag: str) -> None:
        self._script = None


def pages(server: Server, anna: Client) -> dict[str, Answer]:
    table = anna.create("charioteer", "me", "open", "open")
    link = anna.post(f"/api/tables/{table}/links", {"kind": "seat", "seat": 1}).json["path"]
    paths = ["/", "/nowhere", "/t/nowhere", "/l/forged", f"/t/{table}", f"/t/{table}/replay", f"/t/{table}/file", link]
    for game in ("charioteer", "chariot-race", "chariotmaster"):
        paths += [f"/new/{game}", f"/new/{game}?preset=first"]
        race = anna.create(game, "screen", "screen")
        paths.append(f"/t/{race}")
    return {path: server.ask("GET", path, None, anna.cookie() | {"accept": "text/html"}) for path in paths}


def test_every_page_has_a_strict_policy_and_nothing_inline(server: Server) -> None:
    name = "<b onx=1>'\"&"
    for path, answer in pages(server, server.visitor(name)).items():
        assert answer.status < 500, path
        assert answer.headers["content-type"].startswith("text/html"), path
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'self'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert name not in answer.text, path
        found = Inline()
        found.feed(answer.text)
        found.close()
        assert found.found == [], path


def test_a_first_visit_gets_a_cookie_that_scripts_and_other_sites_cannot_use(server: Server, tmp_path: Path) -> None:
    given = server.ask("GET", "/", None, {"accept": "text/html"}).headers["set-cookie"]
    assert re.fullmatch(r"spina=[\w-]{32}; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax", given)
    assert (
        "set-cookie" not in server.ask("GET", "/", None, {"accept": "text/html", "cookie": given.split(";")[0]}).headers
    )
    with serving(tmp_path / "tls", secure=True) as secure:
        answer = secure.ask("GET", "/", None, {"accept": "text/html"})
        assert answer.headers["set-cookie"].endswith("; Secure")
        assert "max-age" in answer.headers["strict-transport-security"]


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 65, "with space in the middle", "../../../etc/passwd", "ünïcödeünïcöde"]
)
def test_a_token_that_no_server_gives_is_nobodys(server: Server, token: str) -> None:
    headers = {"authorization": f"Bearer {token}".encode().decode("latin-1")}
    setup = b'{"game":"charioteer","seats":[{"kind":"me"},{"kind":"open"}]}'
    assert server.ask("POST", "/api/tables", setup, headers).status == 401


# --- too much ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(
    "path", ["/api/tables", "/me", "/race-now", "/new/charioteer/settings", "/l/forged", "/import"]
)
def test_a_body_that_is_too_large_is_refused(server: Server, anna: Client, path: str, chunked: bool) -> None:
    size = 2 * 1024 * 1024 + 1 if path == "/import" else 64 * 1024 + 1
    kind = "multipart/form-data; boundary=x" if path == "/import" else "application/x-www-form-urlencoded"
    body = b'--x\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n' if path == "/import" else b"a="
    try:
        answer = server.ask("POST", path, body + b"x" * size, anna.headers | {"content-type": kind}, chunked=chunked)
    except (BrokenPipeError, ConnectionResetError):  # the server did not read it all
        answer = None
    if answer is not None:
        # a link page looks at its form only when there is such a link
        assert answer.status == 413 or (path == "/l/forged" and chunked and answer.status in (404, 413)), answer.text
    assert server.ask("GET", "/api/ready").status == 200


@pytest.mark.server
def test_requests_are_limited_for_each_visitor_and_for_each_address(tmp_path: Path) -> None:
    with serving(tmp_path / "slow", requests_per_second=0.001, requests_at_once=3.0) as server:
        anna, ben = server.visitor("Anna"), server.visitor("Ben")
        check = {"game": "charioteer", "seats": []}
        assert [anna.post("/api/check", check).status for _ in range(5)] == [200, 200, 200, 429, 429]
        assert ben.post("/api/check", check).status == 200
        refused = anna.post("/race-now", {})
        assert refused.status == 429 and refused.headers["content-type"].startswith("text/html")
        reading = [ben.get("/api/ready").status for _ in range(60)]
        assert reading[:20] == [200] * 20 and 429 in reading
        answers = [
            server.ask(
                "POST", "/api/check", json.dumps(check).encode(), {"authorization": f"Bearer {number:032}"}
            ).status
            for number in range(200)  # always somebody else
        ]
        assert answers[0] == 200 and answers[-1] == 429


# --- nonsense ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"a":' * 5_000,
        b'{"game":NaN}',
        b'{"game":1e999}',
        b'{"game":"charioteer","seats":[],"clock":99999999999999999999999999}',
        b'{"game":"\\ud800","seats":[]}',
        b'{"game":"charioteer","seats":"me"}',
        b'{"game":"charioteer","seats":[],"admin":true}',
        b'{"game":"\\u0000","seats":[]}',
        b'{"game":"charioteer","seats":[{"kind":"me"},{"kind":"open"}],"options":{"seats":3}}',
        b'{"game":"charioteer","seats":[{"kind":"me"},{"kind":"open"}],"edition":"\\u0000"}',
    ],
)
def test_nonsense_is_answered_clearly_wherever_it_goes(server: Server, anna: Client, body: bytes) -> None:
    table = anna.create("charioteer", "me", "open", "open")
    before = anna.see(table)
    paths = ["/api/tables", "/api/links"]
    paths += [f"/api/tables/{table}/{what}" for what in ("sit", "play", "retract", "consider", "chat", "links", "fill")]
    for path in paths:
        if path.endswith(("/fill", "/sit")) and not body:
            continue  # an empty body says that nothing is wished for
        answer = server.ask("POST", path, body, anna.headers)
        assert answer.status in (400, 401, 404, 409, 422), (path, answer.status, answer.text)
        assert set(answer.json) == {"error", "refusal", "reason"} and answer.json["reason"]
    assert anna.see(table) == before


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/t/x%00y",
        "/t/%FF",
        "/l/%00",
        "/new/ludo",
        "/new/..%2fx",
        "/static/x",
        "/static/../../pyproject.toml",
        "/t/" + "x" * 5000,
        "/messages/xx/common.json",
        "/messages/en/%2e%2e.json",
    ],
)
def test_unknown_pages_are_html_and_unknown_operations_json(server: Server, anna: Client, path: str) -> None:
    answer = anna.get(path)
    assert answer.status in (400, 404, 421), answer.text
    if answer.status == 404:
        assert answer.headers["content-type"].startswith("text/html")
    answer = anna.get(f"/api{path}")
    assert answer.status == 404 and answer.json["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_unknown_methods_are_refused(server: Server, anna: Client, method: str) -> None:
    for path, kind in (("/", "text/html"), ("/api/tables", "application/json")):
        answer = server.ask(method, path, None, anna.headers)
        assert answer.status in (400, 405), (method, path)
        if answer.status == 405:
            assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("<script>alert(1)</script>", 422),
        ("<b>x</b>", 200),
        ("\u202eevil", 200),
        ("a\x00b", 200),
        ("x" * 10_000, 400),
        ("x" * 25, 422),
        ("Ñandú 🐎", 200),
        ("", 200),
        (7, 400),
        (None, 200),
        (["x"], 400),
    ],
)
def test_names_are_taken_or_refused_clearly(server: Server, name: Any, status: int) -> None:
    answer = server.ask("POST", "/api/visitors", json.dumps({"name": name}).encode())
    assert answer.status == status, answer.text


def test_html_in_names_and_chat_is_escaped_on_every_page(server: Server) -> None:
    eve = server.visitor("</script><b>Eve")
    table = eve.create("charioteer", "me", "open", "open")
    eve.post(f"/api/tables/{table}/chat", {"key": new_key(), "text": "</script><i>evil"})
    link = eve.post(f"/api/tables/{table}/links", {"kind": "join"}).json["path"]
    other = server.visitor("Other")
    for path in ("/", f"/t/{table}", link):
        for who in (eve, other):
            answer = server.ask("GET", path, None, who.cookie() | {"accept": "text/html"})
            assert "<b>Eve" not in answer.text and "<i>evil" not in answer.text
