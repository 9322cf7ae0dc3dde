"""Mutated messages for the fuzz campaign: what a page or a program sends, somewhat changed.

A generator of a given seed makes the same messages again.
"""

from __future__ import annotations

import json
import random
import struct
from typing import Any

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    9,
    2**31,
    2**63,
    2**64,
    -(2**70),
    1.5,
    1e308,
    "",
    " ",
    "x" * 300,
    "\x00",
    "\ud800",
    "\u202e\u0000",
    "‮🏇",
    "../../etc/passwd",
    "' OR 1=1 --",
    "%00%n%s",
    [],
    {},
    [[[[]]]],
    {"type": "play"},
    ["no token"] * 65,
    "NaN",
]
ACTIONS = ["no token", "token +5 red", "black-1: a b", "choose", "roll", "walk left 10 mm", "pass", "retire"]
FIELDS = ("type", "key", "seat", "actions", "action", "version", "text", "more", "game", "seats", "options", "position")
KINDS = ("play", "play", "play", "retract", "consider", "consider", "shown", "back", "hint", "more-time")
SOME_BYTES = bytes(range(256))

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Mutator:
    """Makes messages."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    # --- texts -------------------------------------------------------------------------------------------------------

    def message(self, legal: list[str]) -> bytes:
        """A message of a page, somewhat changed. `legal`: actions that may be legal."""
        chance, roll = self.chance, self.chance.random()
        kind = "look" if roll < 0.01 else "say" if roll < 0.02 else chance.choice(KINDS)
        message: dict[str, Any] = {"type": kind, "key": f"{chance.getrandbits(64):016x}", "seat": chance.randrange(4)}
        if kind == "play":
            message["actions"] = [self._action(legal)]
        elif kind == "consider":
            message["action"] = self._action(legal)
        elif kind == "shown":
            del message["key"]
            message["version"] = chance.randrange(20)
        elif kind == "say":
            message = {"type": kind, "key": message["key"], "text": "Salve"}
        elif kind == "look":
            del message["key"]
        return self.changed(message)

    def _action(self, legal: list[str]) -> str:
        """An action that may be legal, or was before a part of its text was changed."""
        chance = self.chance
        action = chance.choice(legal if legal and chance.random() < 0.7 else ACTIONS)
        if chance.random() < 0.6:
            at = chance.randrange(len(action) + 1)
            end = at + chance.randrange(3)
            action = action[:at] + chance.choice(("", " ", ":", "-1", "0", "99", "black", ",", "\u00e9")) + action[end:]
        return action

    def changed(self, message: Any) -> bytes:
        """A JSON message with changed fields, or changed as a text."""
        chance = self.chance
        for _ in range(chance.choice((0, 0, 0, 1, 2))):
            self._change(message)
        data = json.dumps(message).encode()
        roll = chance.random()
        if roll < 0.8:
            return data
        at = chance.randrange(len(data) + 1)
        if roll < 0.83:
            return data[:at]
        if roll < 0.87:
            return data[:at] + chance.randbytes(chance.randrange(1, 5)) + data[at:]
        if roll < 0.91:
            end = min(len(data), at + chance.randrange(8))
            return data[:at] + data[end:]
        if roll < 0.94:
            return data[:at] + bytes([chance.choice(SOME_BYTES)]) + data[at + 1 :]
        if roll < 0.97:
            return data + data
        return b"[" * chance.randrange(1, 2000) + data

    def _change(self, message: Any) -> None:
        chance = self.chance
        name = chance.choice(FIELDS if chance.random() < 0.2 or not message else list(message))
        if chance.random() < 0.3:
            message.pop(name, None)
        else:
            message[name] = chance.choice(ODD)

    # --- over WebSocket ----------------------------------------------------------------------------------------------

    def frame(self, legal: list[str]) -> bytes:
        """A frame with a message: almost always valid as a frame, since an invalid one ends the connection."""
        data, roll = self.message(legal), self.chance.random()
        if roll < 0.02:
            return frame(BINARY, data)
        try:
            data.decode()
        except UnicodeDecodeError:
            return frame(BINARY, data)
        if roll < 0.04 and len(data) > 1:
            half = len(data) // 2
            return frame(TEXT, data[:half], end=False) + frame(0, data[half:])
        if roll < 0.05:
            return frame(PING, data[:100]) + frame(TEXT, data)
        return frame(TEXT, data)

    def last_frame(self) -> bytes:
        """Something that is no valid frame, or too much: it may end the connection."""
        chance = self.chance
        return chance.choice(
            (
                frame(TEXT, b"\xff\xfe{}"),
                frame(TEXT, b"x" * 70_000),
                frame(3, b"{}"),
                frame(CLOSE, struct.pack("!H", chance.choice((0, 999, 1000, 1006, 5000)))),
                frame(CLOSE, b"\x03"),
                frame(PING, b"x" * 130),
                chance.randbytes(64),
                b"\x81\x05hello",
                frame(TEXT, b"{", end=False),
            )
        )

    # --- over HTTP ---------------------------------------------------------------------------------------------------

    def request(self, host: str, headers: dict[str, str], table: str, legal: list[str]) -> bytes:
        """A request that a server can parse."""
        chance = self.chance
        method, path = chance.choice(REQUESTS)
        body = b""
        if method == "POST":
            content = dict(BODIES.get(path.rpartition("/")[2], {}))
            if "actions" in content:
                content["actions"] = [self._action(legal)]
            if "key" in content:
                content["key"] = f"{chance.getrandbits(64):016x}"
            body = self.changed(content)
        path = path.replace("TABLE", table)
        if chance.random() < 0.3:
            path = self._changed_path(path)
        sent = dict(headers)
        if chance.random() < 0.1:
            name = chance.choice(HEADERS)
            sent[name] = chance.choice(("", "x", "1", "-1", "a" * 500, "text/html", "https://elsewhere.example", "%00"))
        lines = [f"{method} {path} HTTP/1.1", f"host: {host}", *(f"{name}: {value}" for name, value in sent.items())]
        if method == "POST":
            lines.append(f"content-length: {len(body)}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def _changed_path(self, path: str) -> str:
        chance = self.chance
        at = chance.randrange(1, len(path) + 1)
        odd = chance.choice(
            ("%00", "%ff", "..", "/", "?seat=9", "?seat=x", "?after=-1&wait=0", "%F0%9F", "a" * 200, "'")
        )
        return path[:at] + odd + path[at:]

    def last_request(self, host: str) -> bytes:
        """Something that is no request."""
        chance = self.chance
        return chance.choice(
            (
                chance.randbytes(200) + b"\r\n\r\n",
                f"GET / HTTP/9.9\r\nhost: {host}\r\n\r\n".encode(),
                f"BREW /api/games HTTP/1.1\r\nhost: {host}\r\n\r\n".encode(),
                f"GET /api/games HTTP/1.1\r\nhost: {host}\r\ncookie: {'x' * 40_000}\r\n\r\n".encode(),
                f"POST /api/tables HTTP/1.1\r\nhost: {host}\r\ncontent-length: x\r\n\r\n".encode(),
                f"POST /api/tables HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".encode(),
                f"POST /api/tables HTTP/1.1\r\nhost: {host}\r\ncontent-length: 9999999\r\n\r\n".encode(),
                b"GET /api/games HTTP/1.1\r\n\r\n",
                f"GET / HTTP/1.1\r\nhost: {host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n".encode(),
            )
        )


REQUESTS: list[tuple[str, str]] = [
    *[("GET", path) for path in ("/api/tables/TABLE", "/api/tables/TABLE?seat=1", "/api/games", "/api/tables")],
    *[("GET", path) for path in ("/api/tables/TABLE/moments", "/t/TABLE", "/t/TABLE/replay", "/l/xyz", "/nothing")],
    *[("POST", f"/api/tables/TABLE/{name}") for name in ("play", "play", "play", "retract", "consider", "consider")],
    *[("POST", f"/api/tables/TABLE/{name}") for name in ("hint", "sit", "colour", "fill", "chat", "links", "branch")],
    *[("POST", f"/api/{name}") for name in ("check", "check", "links", "tables", "visitors")],
    *[("POST", path) for path in ("/api/tables/TABLE/step", "/api/tables/TABLE/rematch", "/import", "/me")],
]
HEADERS = ("accept", "origin", "cookie", "authorization", "content-type", "if-none-match", "x-request-id", "range")
BODIES: dict[str, dict[str, Any]] = {
    "play": {"key": "", "seat": 1, "actions": []},
    "retract": {"key": "", "seat": 1},
    "consider": {"seat": 1, "action": "no token"},
    "hint": {"seat": 1},
    "sit": {"seat": 2},
    "colour": {"colour": 3},
    "chat": {"key": "", "text": "Salve"},
    "links": {"kind": "seat", "seat": 0},
    "branch": {"moment": 3, "seat": 0},
    "check": {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {}},
    "tables": {"game": "charioteer", "seats": [{"kind": "you"}], "options": {"laps": -1}},
    "visitors": {"name": "Eve"},
    "step": {"step": "1"},
}


def frame(kind: int, data: bytes, *, end: bool = True) -> bytes:
    """A frame of a client, masked with zeros."""
    first = bytes([kind | (0x80 if end else 0)])
    if len(data) < 126:
        return first + bytes([0x80 | len(data)]) + bytes(4) + data
    if len(data) < 65536:
        return first + b"\xfe" + struct.pack("!H", len(data)) + bytes(4) + data
    return first + b"\xff" + struct.pack("!Q", len(data)) + bytes(4) + data
