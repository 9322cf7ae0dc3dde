"""Nonsense of every kind over a running table: its sender is told, and nobody else notices."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from serving_helpers import Client, ConnectionClosed, Page, Server

ANSWERS = {"refused", "done", "considered", "hinted", "welcome", "update", "presence", "said"}


odd = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["no token", "symbol black-1", "x" * 300, "\x00", 2**63, -1, 1e308, [], {}, [[[]]], {"type": "play"}]
    )
)
valid = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["play", "retract", "consider", "look", "back", "hint", "shown"]),
        "key": st.text("abcdefgh-", min_size=8, max_size=64),
        "seat": st.integers(1, 3),  # not the sender's own: what it may do would be noticed
    },
    optional={
        "actions": st.lists(st.sampled_from(["no token", "token +5 red", "black-1: a b", "choose"]), max_size=3),
        "action": st.text(max_size=30),
        "version": st.integers(-5, 50),
        "text": st.just(" "),
    },
)


@st.composite
def messages(draw: st.DrawFn) -> str | bytes:
    """A message that a page might send, somewhat changed."""
    message: dict[str, Any] = draw(valid)
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from(["type", "key", "seat", "actions", "action", "version", "text", "more"]))
        if draw(st.booleans()):
            message.pop(name, None)
        else:
            message[name] = draw(odd)
    if message.get("seat") in (0, False) or message.get("type") == "say":
        message["seat"], message["type"] = 1, "play"
    text = json.dumps(message)
    match draw(st.integers(0, 5)):
        case 0:
            return text[: draw(st.integers(0, len(text)))]
        case 1:
            at = draw(st.integers(0, len(text)))
            return text[:at] + draw(st.text(max_size=5)).encode(errors="ignore").decode() + text[at:]
        case 2:
            return draw(st.binary(max_size=200))
        case _:
            return text


class Fuzzer:
    """A page that sends nonsense, and comes back when it is thrown out."""

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table = client, table
        self.page: Page | None = None
        self.answered = 0

    def send(self, message: str | bytes) -> None:
        try:
            if self.page is None:
                self.page = self.client.open(self.table)
                self.page.hear_of("welcome")
            self.page.socket.send(message)
            self.page.send(type="consider", key="a-healthy-one", seat=9, action="x")
            while (heard := self.page.hear()).get("key") != "a-healthy-one":
                assert heard["type"] in ANSWERS
                self.answered += 1
        except ConnectionClosed:
            self.close()

    def close(self) -> None:
        if self.page is not None:
            self.page.__exit__(None, None, None)
            self.page = None


def test_a_healthy_page_does_not_notice_a_page_that_sends_nonsense(server: Server) -> None:
    eve, anna = server.visitor("Eve"), server.visitor("Anna")
    table = eve.create("charioteer", "me", "open")
    anna.post(f"/api/tables/{table}/sit")
    fuzzer = Fuzzer(eve, table)
    with anna.open(table) as healthy, eve.open(table):  # a second page keeps Eve present when the first is thrown out
        healthy.hear_of("welcome")
        version = healthy.state["version"]

        @given(st.lists(messages(), min_size=4, max_size=8))
        @settings(
            max_examples=60,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def fuzz(batch: list[str | bytes]) -> None:
            for message in batch:
                fuzzer.send(message)

        try:
            fuzz()
        finally:
            fuzzer.close()
        assert fuzzer.answered > 100
        choice = healthy.state["offer"]["moves"][0]["best"]["choice"]
        assert healthy.ask(type="play", seat=1, actions=[choice])["version"] == version + 1
        told = [message["type"] for message in healthy.heard[1:] if message["type"] != "presence"]
        assert told == ["update", "done"]  # of its own choice, and of nothing else
