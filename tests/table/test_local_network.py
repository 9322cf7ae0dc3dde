"""Opening a table to the local network: by a click at its own machine only, and until the next click or the end.

No test listens on anything but loopback: 127.0.0.2 stands for the address on the local network.
"""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_helpers import FREELY, Answer, Server, serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spina.table.http.local_network import LocalNetwork, is_loopback, private_addresses
from spina.table.http.qr_codes import qr_code
from spina.table.settings import Settings

NETWORK = "127.0.0.2"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Server]:
    """A server for this machine alone, which can be opened."""
    with serving(tmp_path, **FREELY, network=(NETWORK,)) as running:
        yield running


def ask(address: str, server: Server, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """A request to one of the server's addresses."""
    with contextlib.closing(http.client.HTTPConnection(address, server.port, timeout=60)) as connection:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())


def read_on(socket: Any) -> None:
    """Read messages until the connection is closed, which raises."""
    while True:
        socket.recv(timeout=60)


def test_a_click_here_opens_the_table_and_a_second_one_closes_it(home: Server) -> None:
    there = f"http://{NETWORK}:{home.port}"
    assert ask("127.0.0.1", home, "GET", "/api/network").json == {"addresses": [there], "open": False, "may_open": True}
    with pytest.raises(ConnectionRefusedError):
        ask(NETWORK, home, "GET", "/api/ready")
    opened = ask("127.0.0.1", home, "POST", "/api/network", {"open": True})
    assert opened.json == {"addresses": [there], "open": True, "may_open": True}
    assert ask(NETWORK, home, "GET", "/api/ready").status == 200
    anna = home.visitor("Anna")
    table = anna.create("chariot-race", "me", "open")
    headers = {"authorization": f"Bearer {anna.token}"}
    with connect(f"ws://{NETWORK}:{home.port}/t/{table}/live", additional_headers=headers, origin=there) as socket:  # type: ignore[arg-type]
        assert json.loads(socket.recv())["type"] == "welcome"
        closed = ask("127.0.0.1", home, "POST", "/api/network", {"open": False})
        assert closed.json["open"] is False
        with pytest.raises(ConnectionClosed):  # who was there is no longer
            read_on(socket)
    with pytest.raises(ConnectionRefusedError):
        ask(NETWORK, home, "GET", "/api/ready")
    assert ask("127.0.0.1", home, "POST", "/api/network", {"open": True}).json["open"]  # and once more


def test_it_is_closed_again_after_a_restart(home: Server) -> None:
    assert ask("127.0.0.1", home, "POST", "/api/network", {"open": True}).json["open"]
    home.stop()
    home.start()
    assert not ask("127.0.0.1", home, "GET", "/api/network").json["open"]
    with pytest.raises(ConnectionRefusedError):
        ask(NETWORK, home, "GET", "/api/ready")


def test_nobody_who_came_over_the_network_or_a_proxy_can_open_or_close_it(home: Server) -> None:
    assert ask("127.0.0.1", home, "POST", "/api/network", {"open": True}).json["open"]
    for address, headers in (
        (NETWORK, {}),
        (NETWORK, {"Host": f"127.0.0.1:{home.port}"}),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}),
        ("127.0.0.1", {"Forwarded": "for=192.0.2.7"}),
    ):
        assert ask(address, home, "POST", "/api/network", {"open": False}, **headers).status == 403
        there = ask(address, home, "GET", "/api/network", **headers).json
        assert there == {"addresses": [], "open": True, "may_open": False}
    # a page of another site cannot click here
    forged = ask("127.0.0.1", home, "POST", "/api/network", {"open": False}, Origin="https://evil.example")
    assert forged.status == 403 and ask(NETWORK, home, "GET", "/api/ready").status == 200


def test_other_hosts_stay_unknown_while_it_is_open(home: Server) -> None:
    ask("127.0.0.1", home, "POST", "/api/network", {"open": True})
    assert ask(NETWORK, home, "GET", "/api/ready", Host="evil.example").status == 421
    assert ask(NETWORK, home, "POST", "/api/visitors", {}, Origin=f"http://{NETWORK}:{home.port}").status == 200


def test_a_server_that_was_not_started_for_this_machine_alone_cannot_be_opened(server: Server) -> None:
    assert ask("127.0.0.1", server, "POST", "/api/network", {"open": True}).status == 403
    assert ask("127.0.0.1", server, "GET", "/api/network").json["may_open"] is False


def test_only_clients_on_loopback_are_here() -> None:
    class Listening:
        port = 8000

        async def listen_on(self, address: str) -> None: ...

        async def stop_listening_on(self, address: str) -> None: ...

    network = LocalNetwork(Settings(database="sqlite://", network=(NETWORK,)))
    network.attach(Listening())

    def may(client: str, server: str = "127.0.0.1", host: bytes = b"localhost:8000") -> bool:
        scope = {"client": (client, 1), "server": (server, 8000), "headers": [(b"host", host)]}
        return network.reach(scope).may_open

    assert may("127.0.0.1") and may("::1", "::1", b"[::1]:8000")
    assert not may("192.168.1.7") and not may("192.168.1.7", "192.168.1.2") and not may("127.0.0.1", "192.168.1.2")
    assert not may("127.0.0.1", host=b"192.168.1.2:8000")


def test_addresses_of_this_machine_are_private_and_not_loopback() -> None:
    assert not any(is_loopback(address) for address in private_addresses())
    assert is_loopback("localhost") and is_loopback("[::1]") and not is_loopback("example.org")


def test_a_qr_code_leads_to_this_server_only(home: Server) -> None:
    here = f"http://127.0.0.1:{home.port}"
    drawn = ask("127.0.0.1", home, "GET", f"/qr.svg?link={here}/l/abc-DEF_1")
    assert drawn.status == 200 and drawn.headers["content-type"].startswith("image/svg")
    assert drawn.body == qr_code(f"{here}/l/abc-DEF_1") and drawn.body.count(b"<svg") == 1
    others = (f"http://{NETWORK}:{home.port}/l/abc", "https://evil.example/l/abc", f"{here}/me", f"{here}/l/a?b", "x")
    for link in (*others, "http://["):
        assert ask("127.0.0.1", home, "GET", f"/qr.svg?link={link}").status == 404
    ask("127.0.0.1", home, "POST", "/api/network", {"open": True})
    assert ask("127.0.0.1", home, "GET", f"/qr.svg?link=http://{NETWORK}:{home.port}/l/abc").status == 200
