"""Long names and tabs: nothing is cut where there is room, and what is cut says all of it when pointed at."""

from __future__ import annotations

from browsing import Visitors
from playwright.sync_api import expect
from steps import race_now

NAME = "Gwendolyn Abernathy-Smyt"
"""As long as names may be."""


def test_tabs_have_room_and_a_long_name_is_told_whole(visitor: Visitors) -> None:
    page = visitor(size=(1280, 720), language="es")
    page.goto("/")
    page.request.post("/me", form={"name": NAME, "colour": "0"}, headers={"origin": page.url.rstrip("/")})
    race_now(page, "charioteer")
    name = page.locator("#own .cut.long-name")
    expect(name).to_have_text(NAME)
    assert name.evaluate("element => element.scrollWidth > element.clientWidth")
    name.hover()
    expect(name).to_have_attribute("title", NAME)
    page.locator("#drawer-button").click()
    last = page.locator("#tabs [role=tab]").last
    expect(last).to_have_text("Texto")
    expect(last).to_be_in_viewport(ratio=1)
    list_ = page.locator("#tabs")
    assert list_.evaluate("element => element.scrollWidth <= element.clientWidth")
