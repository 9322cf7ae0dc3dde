"""What a first visit loads: little, and nothing from elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from browsing import Served, Visitors
from playwright.sync_api import expect

import spina

HOME_BAR, BAR = 200_000, 350_000
"""Bytes of the home page, and of a table, as they are sent. Here home page and table together keep to the second."""


@pytest.mark.parametrize("game", spina.game_names())
def test_home_and_table_are_light_and_load_nothing_from_elsewhere(visitor: Visitors, served: Served, game: str) -> None:
    page = visitor(sound=True)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[int] = []
    hosts: set[str] = set()
    failed: list[str] = []

    def asked(event: dict[str, Any]) -> None:
        address = urlsplit(event["request"]["url"])
        if address.scheme != "data":
            hosts.add(address.netloc)

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.webSocketCreated", lambda event: hosts.add(urlsplit(event["url"]).netloc))
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    session.on("Network.webSocketFrameReceived", lambda event: sizes.append(len(event["response"]["payloadData"])))
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)

    page.goto("/", wait_until="networkidle")
    assert 20_000 < sum(sizes) < HOME_BAR
    page.locator(f"form:has(input[name=game][value={game}]) button").first.click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#status-line")).not_to_be_empty()
    page.wait_for_load_state("networkidle")

    assert hosts == {urlsplit(served.url).netloc}
    assert failed == []
    assert len(sizes) > 20 and 50_000 < sum(sizes) < BAR
