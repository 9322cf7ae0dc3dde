"""Spanish, phones, the keyboard alone, and what a page may not know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from browsing import SCHEMES, Visitors
from one_view import overhang
from playwright.sync_api import Page, WebSocket, expect
from steps import PAGES, choose, race_now, set_up


@pytest.mark.parametrize("game", PAGES)
def test_the_spanish_page_is_spanish_throughout(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(language="es")
    race_now(page, game)
    assert page.get_attribute("html", "lang") == "es"
    choose(page, game, 3)
    expect(page.locator(".your-turn")).to_have_text("Te toca")
    screenshot(page, f"{game}-spanish")
    words = page.locator("#main").inner_text().lower()
    assert not re.search(r"\b(your|turn|waiting|speed|damage|the|takes|chosen)\b", words)


@pytest.mark.parametrize("game", PAGES)
def test_a_phone_shows_everything_without_scrolling_sideways(
    game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]
) -> None:
    page = visitor(phone=True)
    race_now(page, game)
    choose(page, game, 2)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        screenshot(page, f"{game}-phone-{scheme}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert overhang(page) <= 0
    page.goto(f"/new/{game}")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("game", PAGES)
def test_a_wide_screen_at_night(game: str, visitor: Visitors, screenshot: Callable[[Page, str], None]) -> None:
    page = visitor(scheme="dark", size=(1920, 1080))
    race_now(page, game)
    choose(page, game, 3)
    page.wait_for_function("() => document.querySelector('.your-turn')")
    screenshot(page, f"{game}-wide-dark")


def test_nothing_hidden_reaches_a_page_that_may_not_see_it(visitor: Visitors) -> None:
    """Everything that two pages of one race of Charioteer were ever sent is searched for the other's hand."""
    heard: dict[str, list[str]] = {"host": [], "guest": []}
    hands: dict[str, list[list[str]]] = {"host": [], "guest": []}

    def listen(name: str) -> Callable[[WebSocket], None]:
        def opened(socket: WebSocket) -> None:
            def received(payload: str | bytes) -> None:
                text = payload if isinstance(payload, str) else payload.decode()
                heard[name].append(text)
                view = json.loads(text).get("state", {}).get("view") or {}
                if view.get("hand"):
                    hands[name].append(list(view["hand"].values()))

            socket.on("framereceived", received)

        return opened

    host, guest = visitor(), visitor()
    host.on("websocket", listen("host"))
    guest.on("websocket", listen("guest"))
    table = set_up(host, {"game": "charioteer", "seats": [{"kind": "me"}, {"kind": "open"}]})
    guest.goto("/")
    guest.evaluate("id => fetch(`/api/tables/${id}/sit`, {method: 'POST', body: '{}'})", table)
    guest.goto(f"/t/{table}")
    for _ in range(4):
        choose(host, "charioteer")
        choose(guest, "charioteer")
    assert hands["host"] and hands["guest"]
    for name, other in (("host", "guest"), ("guest", "host")):
        sent = "".join(heard[name])
        source = (host if name == "host" else guest).content()
        for hand in hands[other]:
            assert json.dumps(hand, separators=(",", ":"))[1:-1] not in sent
        for text in heard[name]:
            view = json.loads(text).get("state", {}).get("view")
            if view:
                assert view["seat"] == (0 if name == "host" else 1)
        for secret in ('"seed":"', '"salt":"'):
            assert secret not in sent
        assert "seed" not in source
